"""What players read: moves, words and rules."""

from collections.abc import Iterator

from machiavel.engines import LANGUAGES
from machiavel.engines.conformance.checks import Chapter
from machiavel.engines.conformance.trial import Finding, NotTried, Trial
from machiavel.engines.plugin import package_with

__all__ = ["CHAPTER"]

CHAPTER = Chapter("texts")


@CHAPTER.check()
def move_texts(trial: Trial) -> Iterator[Finding]:
    """Every legal move has a text of its own that means this move alone, and words in every language, the same to all."""
    plugin, rules = trial.game.plugin, trial.case.rules
    for seed in trial.seeds(2):
        for state, _ in trial.walk(seed):
            mover = state.seat_to_move
            for seat in state.seats_to_move:
                numbers = state.moves_of(seat)
                texts = [plugin.move_text(rules, number) for number in numbers]
                own, public = (state.view(viewer).to_json()["view"] for viewer in (seat, None))
                yield from trial.equal(texts, state.legal_moves(seat), "texts of the legal moves", seat)
                yield from trial.expect(len(set(texts)) == len(texts), "a text of its own for each move", texts, seat)
                for number, text in zip(numbers, texts, strict=True):
                    trial.counts["moves"] += 1
                    yield from trial.equal(list(plugin.parse_move(rules, text)), [number], f"moves that {text} means", seat)
                    for language in LANGUAGES:
                        label = plugin.move_label(rules, number, language)
                        yield from trial.expect(label, f"words for {text} in {language}", label, seat)
                        here = plugin.label_here(rules, public, number, language)
                        yield from trial.expect(here, f"words for {text} in {language}, where it is played", here, seat)
                        if plugin.names_by_position:
                            mine = plugin.label_here(rules, own, number, language)
                            yield from trial.equal(mine, here, f"the words for {text} in {language}, as all read them", seat)
                    if seat == mover:
                        yield from trial.equal(state.resolve(f" {text} "), number, f"the legal move that {text} means", seat)


@CHAPTER.check()
def hidden_moves(trial: Trial) -> Iterator[Finding]:
    """The words for a move that was hidden tell no more than its public text, and are words of every language."""
    plugin, rules = trial.game.plugin, trial.case.rules
    words: dict[tuple[str, str], str] = {}
    for state in trial.positions(10):
        for move in state.moves_of(state.seat_to_move) if state.seat_to_move is not None else ():
            text, public = plugin.move_text(rules, move), plugin.public_text(rules, move)
            for language in LANGUAGES:
                told = plugin.public_label(rules, move, language)
                yield from trial.equal(told, words.setdefault((public, language), told), f"the words for {public} in {language}")
                is_open = told == plugin.move_label(rules, move, language)
                yield from trial.equal(is_open, public == text, f"whether {text} is told whole in {language}, since its text is")
            trial.counts["moves"] += 1


@CHAPTER.check()
def words(trial: Trial) -> Iterator[Finding]:
    """Every text in `words/` is there in every language, with the same holes."""
    if package_with(type(trial.game.plugin), "words") is None:
        raise NotTried("the game has no folder words/")
    trial.note("the texts in words/")
    phrases = trial.game.plugin.phrases()
    for key in phrases.keys():  # noqa: SIM118 - they are no mapping
        for language in LANGUAGES:
            trial.counts["texts"] += 1
            yield from trial.expect(phrases.template(key, language).strip(), f"the text {key} in {language}", "an empty one")


@CHAPTER.check()
def rules_for_players(trial: Trial) -> Iterator[Finding]:
    """The rules that players read are there in every language, with the game's title on top."""
    plugin = trial.game.plugin
    own = plugin.rules_texts()
    if not any(own.values()):
        raise NotTried("the game brings no rules to read")
    for language in LANGUAGES:
        trial.counts["texts"] += 1
        told = plugin.rules_text(language)
        missing = "no such file, or an empty one"
        yield from trial.expect(own.get(language), f"rules/{language}.md, as in other languages", missing)
        yield from trial.expect(
            told.startswith(f"# {plugin.titles[language]}\n"), f"rules in {language} with the game's title on top", told[:60]
        )


@CHAPTER.check()
def seat_names(trial: Trial) -> Iterator[Finding]:
    """Every seat has a name of its own in every language, and so has every move as the subject of a sentence."""
    plugin, rules = trial.game.plugin, trial.case.rules
    for state in trial.positions(6):
        for seat in range(trial.case.players):
            seen = state.view(seat).to_json()["view"]
            for language in LANGUAGES:
                names = [plugin.seat_name(rules, seen, other, language) for other in range(trial.case.players)]
                yield from trial.expect(
                    all(names) and len(set(names)) == len(names), f"names of seats in {language}", names, seat
                )
                for move in state.moves_of(seat) if seat in state.seats_to_move else ():
                    subject = plugin.move_subject(rules, seen, move, language)
                    yield from trial.expect(subject, f"words in {language} for {plugin.move_text(rules, move)}", subject, seat)
