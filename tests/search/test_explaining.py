"""Hints in words: each number is one of the recommendation's, in both languages; nothing is said that the worlds do not show."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from machiavel.engines import LANGUAGES, AmbiguousMove, Game, IllegalMove, NotAMove, State, View, load
from machiavel.engines.hints import HintWords, Quantity
from machiavel.engines.phrases import of_name, to_name, typeset
from machiavel.search import (
    Candidate,
    Limits,
    Recommendation,
    SearchParameters,
    Sentence,
    compare,
    explain,
    measure,
    move_meant,
    recommend,
)
from machiavel.search.comparing import shares_of
from machiavel.search.explaining import FEW_VISITS, are_close
from machiavel.search.facets import Facets, to_whom
from machiavel.search.sentences import SENTENCES, amount_text, plural_of, share_text
from tests.conformance.cases import DENSE
from tests.engines.games import GAMES, INSTALLED
from tests.search.cheat import Cheat
from tests.search.pairs import state_pairs
from tests.search.positions import asked, states

HINTED = INSTALLED
UNSAID = {"citadel": {"only_move"}, "kuhn": {"only_move", "reasons"}}  # kuhn has two moves always, and no quantities
NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:[.,]\d+)?(?: %)?(?![\w])")
QUICK = Limits(iterations=250)


def positions(game: str, count: int, seed: int = 0) -> Iterator[View]:
    """Views of every number of players, in every phase, forced ones among them."""
    for _, state in zip(range(count), states(game, seed=seed, least=1), strict=False):
        yield asked(state)


def advice(view: View, seed: int = 1, iterations: int = 250) -> Recommendation:
    return recommend(view, Limits(iterations=iterations), SearchParameters(seed=seed), explain=True)


def recomputed(view: View, candidates: dict[str, Candidate], sentence: Sentence) -> list[tuple[float, bool]]:
    """The numbers that the sentence must quote, from the recommendation alone; and whether each is a share."""
    shares = {facet.name: facet.is_share for facet in Facets(view).all} | {"win_chance": True}
    result = []
    for figure in sentence.figures:
        one = candidates[figure.move]
        values = {"win_chance": one.win_chance, **one.metrics}
        assert figure.value == values[figure.name]
        result.append((figure.value, shares[figure.name]))
    return result


def is_quoted(text: str, value: float, *, is_share: bool) -> bool:
    """Whether a text is a number, rounded; but a share that is not none is said to be 1 % at least, and one not of all, 99 %."""
    if not is_share:
        return not text.endswith("%") and abs(float(text.replace(",", ".")) - value) <= 0.05 + 1e-9
    quoted = int(text.removesuffix(" %"))
    is_clamped = quoted == (1 if value < 0.5 else 99) and 0 < value < 1 and not 0.01 < value < 0.99
    return is_clamped or (abs(quoted - 100 * value) <= 0.5 + 1e-9 and (quoted in {0, 100}) <= (value in {0, 1}))


FORMS = ("do", "you", "doing", "subject", "short")
# Shares that are said in words; "both" is said of two.
IN_WORDS = (
    (r"both (?:win )?for certain|les deux gagnent à coup sûr|le tout à coup sûr", " 100 % 100 % "),
    (r"for certain|à coup sûr", " 100 % "),
    (r"\b(?:never|won't|jamais)\b", " 0 % "),
)


def numbers_of(view: View, sentence: Sentence, language: str) -> list[str]:
    """The numbers that stand in a sentence, without those in the names of moves, plans, seats and treasures."""
    text = sentence.texts[language].replace("\N{NO-BREAK SPACE}", " ")
    plugin, rules = view.game.plugin, view.rules
    seen = view.to_json()["view"]
    names = {plugin.move_phrase(rules, seen, move, (language, form)) for move in view.legal_moves() for form in FORMS}
    names |= set(plugin.hint_context(rules, seen, language).values())
    for seat in range(view.players):
        name = plugin.seat_name(rules, seen, seat, language)
        names |= {name, of_name(name, language), to_whom(name, language), to_name(name, language)}
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(re.escape(name.replace("\N{NO-BREAK SPACE}", " ")), "", text, flags=re.IGNORECASE)
    for words, shares in IN_WORDS:
        text = re.sub(words, shares, text)
    return NUMBER.findall(text)


def check(view: View, sentences: tuple[Sentence, ...], candidates: list[Candidate], most: int) -> None:
    """All that holds for every hint."""
    known = {one.move: one for one in candidates}
    assert 1 <= len(sentences) <= most
    for language in LANGUAGES:
        texts = [one.texts[language] for one in sentences]
        assert len(set(texts)) == len(texts), texts
        for sentence in sentences:
            text = sentence.texts[language]
            assert text.endswith(".") and "{" not in text and "  " not in text and len(text) >= len("Bet (9 %)."), text
            told, meant = numbers_of(view, sentence, language), recomputed(view, known, sentence)
            assert len(told) == len(meant), text
            for number, (value, is_share) in zip(told, meant, strict=True):
                assert is_quoted(number, value, is_share=is_share), (text, value)
    for sentence in sentences:
        assert sentence.texts["en"] != sentence.texts["fr"]


@pytest.mark.parametrize("game", HINTED)
def test_every_number_quoted_is_one_of_the_recommendation(game: str) -> None:
    kinds: set[str] = set()
    for view in positions(game, 60):
        recommendation = advice(view)
        sentences = explain(view, recommendation).sentences
        check(view, sentences, list(recommendation.candidates), 3)
        kinds |= {one.kind for one in sentences}
    assert {"only_move", "reasons", "close"} <= kinds | UNSAID.get(game, set())


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", HINTED)
def test_no_sentence_of_five_thousand_positions_is_empty_doubled_or_lacking_in_a_language(game: str) -> None:
    for number, view in enumerate(positions(game, 5000, seed=9)):
        recommendation = advice(view, iterations=80 + number % 400)
        check(view, explain(view, recommendation).sentences, list(recommendation.candidates), 3)
        if number % 5 == 0:
            move = view.legal_moves()[number // 5 % len(view.legal_moves())]
            comparison = compare(view, recommendation, measure(view, move, Limits(iterations=40)))
            check(view, comparison.sentences, [comparison.asked, comparison.best], 2)


@pytest.mark.parametrize("game", HINTED)
def test_a_move_of_ones_choice_is_held_against_the_best(game: str) -> None:
    for number, view in enumerate(positions(game, 25, seed=3)):
        recommendation = advice(view)
        for move in view.legal_moves()[:6]:
            candidate = measure(view, move, Limits(iterations=60), SearchParameters(seed=number))
            assert candidate.move == move
            assert candidate.visits == 60
            comparison = compare(view, recommendation, candidate)
            check(view, comparison.sentences, [comparison.asked, comparison.best], 2)
            kinds = [one.kind for one in comparison.sentences]
            if recommendation.stopped == "forced":
                assert kinds == ["only_move"]
            elif move == recommendation.best:
                assert kinds == ["same"]
            else:
                is_less = candidate.win_chance < recommendation.candidates[0].win_chance
                assert kinds[0] == (
                    "close" if are_close(recommendation.candidates[0], candidate) else "behind" if is_less else "ahead"
                )


def test_asking_about_a_move_leaves_the_advice_as_it_is() -> None:
    first, second = shares_of(Limits(iterations=1000), 0.0)
    assert (first.iterations, second.iterations) == (250, 1000)
    first, second = shares_of(Limits(seconds=8), 100.0)
    assert (first.deadline, second.deadline) == (102.0, 108.0)


def test_a_share_is_how_often_and_is_counted_in_the_worlds() -> None:
    """By hand: with the card that nothing can beat, the trick is won in all of them."""
    view = next(view for view in positions("whist", 500) if certain_winner(view))
    recommendation = advice(view)
    winner = certain_winner(view)
    candidate = next(one for one in recommendation.candidates if one.move == winner)
    assert candidate.metrics[f"trick_{view.seat}"] == 1
    assert all(0 <= one.metrics[f"trick_{view.seat}"] <= 1 for one in recommendation.candidates if one.metrics)


def certain_winner(view: View) -> str:
    """The ace of trumps, where it can be played and there is a choice; else nothing."""
    ace = view.to_json()["view"]["trump"] + "A"
    moves = view.legal_moves()
    return ace if ace in moves and len(moves) > 1 else ""


def made_up(view: View, *candidates: tuple[float, float, dict[str, float]], stopped: str = "iterations") -> Recommendation:
    """A recommendation with these win chances, errors and metrics; all else is zero, and other moves were not looked at."""
    names = view.game.plugin.metrics(view.rules)
    moves = view.legal_moves()
    result = tuple(
        Candidate(move, 900, chance, error, chance, error, dict.fromkeys(names, 0.0) | metrics, ())
        for move, (chance, error, metrics) in zip(moves, candidates, strict=False)
    )
    result += tuple(Candidate(move, 0, 0.0, 0.5, 0.0, 0.5, {}, ()) for move in moves[len(result) :])
    return Recommendation("", 1, "", view.seat or 0, result[0].move, result, 0.5, SearchParameters(), 1800, stopped)


@pytest.fixture
def view() -> View:
    """Of whist, where metrics have plain names: a seat with three cards to choose from."""
    return asked(next(states("whist", seed=4, least=3, players=3)))


def test_reasons_say_what_differs_most_merits_first(view: View) -> None:
    me = view.seat
    best = {f"stays_{me}": 0.9, f"trick_{me}": 0.1}
    other = {f"stays_{me}": 0.5, f"trick_{me}": 0.4}
    sentence, verdict, rival = explain(view, made_up(view, (0.6, 0.01, best), (0.4, 0.01, other))).sentences
    (first, second), (first_fr, second_fr) = subjects(view, 2, "en"), subjects(view, 2, "fr")
    assert sentence.kind == "reasons"
    assert sentence.texts["en"] == (
        f"Play {first} (60 %). You survive this round in 90 % of possible deals,"
        " but you are less likely to win this trick (10 %)."
    )
    assert sentence.texts["fr"] == in_french(
        f"Joue {first_fr} (60 %). Tu restes en jeu après cette manche dans 90 % des donnes possibles,"
        " mais tu remportes moins souvent ce pli (10 %)."
    )
    assert [verdict.kind, rival.kind] == ["behind", "rival"]
    assert verdict.texts["en"] == f"{second[:1].upper()}{second[1:]} is not as good (40 %)."
    assert verdict.texts["fr"] == in_french(f"{second_fr[:1].upper()}{second_fr[1:]}, c’est moins bien (40 %).")
    assert rival.texts["en"] == (
        "That way, you are more likely to win this trick (40 %), but you are less likely to survive this round (50 %)."
    )
    assert rival.texts["fr"] == in_french(
        "Avec ce coup-là, tu remportes plus souvent ce pli (40 %), mais tu restes moins souvent en jeu après cette manche (50 %)."
    )


def in_french(text: str) -> str:
    return typeset(text, "fr")


def subjects(view: View, count: int, language: str) -> list[str]:
    """The first moves, as sentences name them."""
    return [Facets(view).phrase(move, "subject", language) for move in view.legal_moves()[:count]]


def test_what_is_certain_or_never_happens_is_said_in_words(view: View) -> None:
    me = view.seat
    (first, second), (first_fr, second_fr) = subjects(view, 2, "en"), subjects(view, 2, "fr")

    def told(language: str, *candidates: tuple[float, float, dict[str, float]]) -> str:
        texts = (one.texts[language] for one in explain(view, made_up(view, *candidates)).sentences)
        return " ".join(texts).replace("\N{NO-BREAK SPACE}", " ")

    both = {f"stays_{me}": 1.0, f"trick_{me}": 1.0}
    sure, lost = (1.0, 0.0, both), (0.0, 0.0, {f"stays_{me}": 0.0})
    assert told("en", sure, lost) == (
        f"Play {first}: that wins for certain. You survive this round, and you win this trick, both for certain."
        f" {second[:1].upper()}{second[1:]} never wins. That way, you won't survive this round."
    )
    assert told("fr", sure, lost) == (
        f"Joue {first_fr} : c’est gagné à coup sûr."
        " Tu restes en jeu après cette manche et tu remportes ce pli, le tout à coup sûr."
        f" {second_fr[:1].upper()}{second_fr[1:]}, ça ne gagne jamais."
        " Avec ce coup-là, tu ne restes jamais en jeu après cette manche."
    )
    assert told("en", sure, sure).startswith(f"Play {first}, for instance. ")
    assert told("en", sure, sure).endswith(" is as good: both win for certain.")
    assert told("en", (0.0, 0.0, {}), (0.5, 0.01, {})).startswith(f"Play {first}, though it has not won so far. ")
    assert told("fr", sure, sure).endswith(", c’est aussi bien : les deux gagnent à coup sûr.")
    assert told("en", lost, lost).startswith(f"Play {first}, though no move seems to win any more.")
    assert told("en", (0.5, 0.01, {}), (0.5, 0.01, {})).endswith(f"(50 %). {second[:1].upper()}{second[1:]} is as good.")


def test_a_merit_and_a_drawback_that_are_both_certain_are_told_apart(view: View) -> None:
    me, other = view.seat, 0 if view.seat else 1
    first = subjects(view, 1, "en")[0]
    both = {f"stays_{me}": 1.0, f"stays_{other}": 1.0}
    reasons = explain(view, made_up(view, (0.6, 0.01, both), (0.4, 0.01, {}))).sentences[0]
    assert reasons.texts["en"] == (
        f"Play {first} (60 %). You survive this round, but seat {other} survives this round, both for certain."
    )
    assert reasons.texts["fr"].endswith(
        f"Tu restes en jeu après cette manche, mais le joueur {other} reste en jeu après cette manche, le tout à coup sûr."
    )


def test_a_rival_far_below_whose_interval_is_wide_is_not_said_to_be_as_good(view: View) -> None:
    said = [explain(view, made_up(view, (0.5, 0.04, {}), (chance, 0.04, {}))).sentences[1].texts["en"] for chance in (0.48, 0.40)]
    assert "about as good (48 %)" in said[0]
    assert "may be as good (40 %)" in said[1]


def test_a_comparison_names_the_best_move_and_both_chances(view: View) -> None:
    first, second = subjects(view, 2, "en")
    second = second[:1].upper() + second[1:]

    def told(best: float, asked: float, error: float = 0.001) -> str:
        result = made_up(view, (best, error, {}), (asked, error, {}))
        return compare(view, result, result.candidates[1]).sentences[0].texts["en"]

    assert told(0.5, 0.4) == f"{second} is not as good as {first} (40 % against 50 %)."
    assert told(0.5, 0.6) == f"{second} looks even better than {first} (60 % against 50 %)."
    assert told(0.5, 0.5) == f"{second} is as good as {first} (50 %)."
    assert told(0.5, 0.48, 0.02) == f"{second} is about as good as {first} (48 % against 50 %)."
    assert told(0.5, 0.52, 0.02) == f"{second} is just as good as {first} (52 % against 50 %)."
    assert told(0.5, 0.3, 0.2) == f"{second} may be as good as {first} (30 % against 50 %)."
    assert told(0.5, 0.7, 0.2) == f"{second} may be better than {first} (70 % against 50 %)."
    assert told(0.503, 0.497) == f"{second} is a little worse than {first} (50 %)."
    assert told(0.5, 0.0) == f"{second} never wins; {first} sometimes does (50 %)."
    assert told(1.0, 0.0) == f"{second} never wins; {first} does for certain."
    assert told(1.0, 1.0) == f"{second} is as good as {first}: both win for certain."
    assert told(0.0, 0.0) == f"{second} is as good as {first}: no move seems to win any more."


def test_a_long_move_asked_about_is_not_told_again() -> None:
    view = asked(next(state for state in states("bond", seed=4, least=3, players=3)))
    best = Facets(view).phrase(view.legal_moves()[0], "subject", "en")
    result = made_up(view, (0.5, 0.001, {}), (0.4, 0.001, {}))
    told = [compare(view, result, one).sentences[0].texts["en"] for one in reversed(result.candidates[:2])]
    assert told[0] == f"That is not as good as {best} (40 % against 50 %)."
    assert told[1].startswith("That is the best ")
    forced = replace(result, stopped="forced")
    assert compare(view, forced, result.candidates[0]).sentences[0].texts["en"].startswith("That is the only move you ")


@pytest.mark.parametrize(("best", "end", "told"), [("kill", "killed", "Kill the spy"), ("foil", "foiled", "Foil the taunt")])
def test_what_the_move_itself_says_is_no_reason_for_it(best: str, end: str, told: str) -> None:
    """A spy that is killed is killed for certain, and a taunt that is foiled is foiled."""
    seeds = (one for seed in range(20) for one in states("bond", seed=seed, least=2, players=3))
    view = next(asked(one) for one in seeds if best in one.legal_moves())
    none = dict.fromkeys(view.game.plugin.metrics(view.rules), 0.0)
    moves = sorted(view.legal_moves(), key=lambda one: one != best)
    ours, rest = (0.6, {f"this_{end}": 1.0, f"wrecked_{view.seat}": 0.1}), (0.4, {f"wrecked_{view.seat}": 0.9})
    found = tuple(
        Candidate(move, 900, chance, 0.01, chance, 0.01, none | metrics, ())
        for move, (chance, metrics) in zip(moves, [ours, *[rest] * len(moves)], strict=False)
    )
    made = Recommendation("", 1, "", view.seat or 0, best, found, 0.5, SearchParameters(), 1800, "iterations")
    first = explain(view, made).sentences[0]
    assert first.texts["en"] == f"{told} (60 %). You are less likely to lose a lair by the end (10 %)."
    assert [figure.name for figure in first.figures] == ["win_chance", f"wrecked_{view.seat}"]


@pytest.mark.parametrize("game", HINTED)
def test_every_move_is_told_in_words_in_all_its_forms(game: str) -> None:
    """Also as others see it who may not know it; and what tells moves apart in the notation tells them apart in words."""
    plugin = load(game).plugin
    for view in positions(game, 60, seed=2):
        seen, moves = view.to_json()["view"], view.legal_moves()
        public = [plugin.public_text(view.rules, plugin.parse_move(view.rules, move)[0]) for move in moves]
        for language in LANGUAGES:
            for form in FORMS:
                said = {move: plugin.move_phrase(view.rules, seen, move, (language, form)) for move in {*moves, *public}}
                assert len(set(said.values())) == len(said), said
                assert not [text for text in said.values() if re.search(r"[{}?_]|\w:\w|>", text)], said
            told = {plugin.move_phrase(view.rules, seen, moves[0], (language, form)) for form in ("do", "you", "doing")}
            assert len(told) == 3


def test_what_does_not_differ_is_not_said(view: View) -> None:
    same: dict[str, float] = {f"stays_{view.seat}": 0.9}
    close = explain(view, made_up(view, (0.5, 0.01, same), (0.49, 0.01, same))).sentences
    assert [one.kind for one in close] == ["best_chance", "close"]
    clear = explain(view, made_up(view, (0.6, 0.01, same), (0.4, 0.01, same))).sentences
    assert [one.kind for one in clear] == ["best_chance", "behind"]
    running = explain(view, made_up(view, (0.6, 0.01, same), (0.4, 0.01, same), stopped="running")).sentences
    assert [one.kind for one in running] == ["so_far", "behind"]


def test_a_drawback_alone_is_no_reason(view: View) -> None:
    best, other = {f"trick_{view.seat}": 0.1}, {f"trick_{view.seat}": 0.4}
    sentences = explain(view, made_up(view, (0.6, 0.01, best), (0.4, 0.01, other))).sentences
    assert [one.kind for one in sentences] == ["best_chance", "behind", "rival"]
    assert sentences[1].texts["en"].endswith(" is not as good (40 %).")
    assert sentences[2].texts["en"] == "Still, you are more likely to win this trick (40 % against 10 %)."
    assert sentences[2].texts["fr"] == in_french("Pourtant, tu remportes plus souvent ce pli (40 % contre 10 %).")


def test_less_of_what_is_bad_is_said_to_be_less() -> None:
    view = asked(next(states("bond", seed=4, least=3, players=3)))
    other = 0 if view.seat else 1
    best, rival = {f"scored_{other}": 4.0}, {f"scored_{other}": 9.0}
    first, _, second = explain(view, made_up(view, (0.6, 0.1, best), (0.4, 0.1, rival))).sentences
    assert f" Seat {other} goes on to score fewer points (4.0 on average)." in first.texts["en"]
    assert f" Le joueur {other} marque moins de points d’ici la fin (4,0 en moyenne)." in first.texts["fr"]
    assert f" seat {other} goes on to score more points (9.0 on average)." in second.texts["en"]


def test_a_move_less_looked_at_that_wins_more_often_is_not_passed_over(view: View) -> None:
    for stopped, begins in (("iterations", "Play "), ("running", "For now, play ")):
        sentences = explain(view, made_up(view, (0.4, 0.01, {}), (0.6, 0.01, {}), stopped=stopped)).sentences
        assert [one.kind for one in sentences] == ["so_far", "unsettled"]
        assert sentences[0].texts["en"].startswith(begins) and sentences[0].texts["en"].endswith(" (40 %).")
    assert "has won more often so far (60 %), but has been tried less" in sentences[1].texts["en"]


@pytest.mark.parametrize("game", [game for game in HINTED if game != "kuhn"])  # where two moves are all there are
def test_of_some_moves_nothing_is_said_about_the_others(game: str) -> None:
    view = asked(next(states(game, seed=8, least=3)))
    moves = view.legal_moves()
    alone = recommend(view, QUICK, moves=moves[:1], explain=True)
    assert [one.kind for one in explain(view, alone).sentences] == ["only_asked"]
    assert [one.kind for one in compare(view, alone, measure(view, moves[0], QUICK)).sentences] == ["only_asked"]
    some = recommend(view, QUICK, moves=moves[:2], explain=True)
    assert [one.kind for one in compare(view, some, measure(view, some.best, QUICK)).sentences] == ["same_of_some"]
    first, second = (
        replace(one, visits=500, win_chance=chance, win_chance_error=0.01, metrics={})
        for one, chance in zip(some.candidates, (0.7, 0.3), strict=True)
    )
    assert [one.kind for one in explain(view, replace(some, candidates=(first, second))).sentences] == ["best_of_some", "behind"]


def test_too_close_to_call_is_where_the_intervals_meet(view: View) -> None:
    for chance, is_close in ((0.461, True), (0.460, False)):
        kinds = [one.kind for one in explain(view, made_up(view, (0.5, 0.01, {}), (chance, 0.01, {}))).sentences]
        assert ("close" in kinds) == is_close


def test_little_looked_at_is_not_spoken_of(view: View) -> None:
    result = made_up(view, (0.6, 0.01, {f"trick_{view.seat}": 1.0}), (0.4, 0.01, {}))
    few = tuple(replace(one, visits=FEW_VISITS - 1) for one in result.candidates)
    assert [one.kind for one in explain(view, replace(result, candidates=few)).sentences] == ["so_far", "behind"]


@pytest.mark.parametrize("game", HINTED)
def test_without_metrics_hints_speak_of_win_chances(game: str) -> None:
    for view in positions(game, 10):
        recommendation = recommend(view, QUICK)
        kinds = {one.kind for one in explain(view, recommendation).sentences}
        assert kinds <= {"only_move", "best_chance", "close", "behind", "so_far", "unsettled"}
        check(view, explain(view, recommendation).sentences, list(recommendation.candidates), 2)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_declares_no_words_is_told_by_win_chances(game: str) -> None:
    plugin = load(game).plugin
    plain = Game(type("Plain", (type(plugin),), {"hint_words": lambda *_: None})())
    for view in positions(game, 10):
        rules = plain.make_rules(**view.rules.options)
        strange = plain.view_from_bytes(rules, view.to_bytes())
        recommendation = advice(strange)
        explanation = explain(strange, recommendation)
        kinds = {one.kind for one in explanation.sentences}
        assert kinds <= {"only_move", "best_chance", "close", "behind", "so_far", "unsettled"}
        assert (explanation.labels, explanation.headline) == ({}, None)
        check(strange, explanation.sentences, list(recommendation.candidates), 2)


@pytest.mark.parametrize("game", ["agency", "bond", "whist"])
def test_sentences_are_the_same_in_deals_that_differ_in_what_is_hidden(game: str) -> None:
    def told(view: View) -> str:
        recommendation = advice(view)
        comparison = compare(view, recommendation, measure(view, view.legal_moves()[-1], Limits(iterations=50)))
        return json.dumps([explain(view, recommendation).to_json(), comparison.to_json()])

    for first, second, seat in state_pairs(game, 15):
        assert told(first.view(seat)) == told(second.view(seat))


@pytest.mark.parametrize("game", ["agency", "bond", "whist"])
def test_a_cheat_is_found_out_by_its_sentences(game: str) -> None:
    """Where worlds are the truth, what is said of them tells deals apart that the seat cannot."""
    cheat = Cheat(load(game).plugin)

    def told(state: State, seat: int) -> str:
        cheat.truth = state.to_bytes()
        rules = cheat.game.make_rules(**state.rules.options)
        view = cheat.game.view_from_bytes(rules, state.view(seat).to_bytes())
        return json.dumps([one.to_json() for one in explain(view, advice(view)).sentences])

    assert any(told(first, seat) != told(second, seat) for first, second, seat in state_pairs(game, 15))


@pytest.mark.parametrize("game", HINTED)
def test_every_quantity_has_a_metric_words_in_both_languages_and_a_label(game: str) -> None:
    plugin = load(game).plugin
    for players in plugin.players:
        view = load(game).new(players, seed=1).view(0)
        words: Any = plugin.hint_words(view.rules)
        facets = Facets(view)
        move = load(game).new(players, seed=1).legal_moves()[0]
        told = {facet.quantity.metric for facet in facets.all}
        assert told == {one.metric for one in words.quantities} - (
            {"x"} if players > 1 else {one.metric for one in words.quantities if "{other}" in one.metric}
        )
        for facet in facets.all:
            for language in LANGUAGES:
                assert facets.clause(facet, move, language) if facet.is_share else facets.amount(facet, move, 1.5, language)
                compared = {facets.compared(facet, move, language, is_more=is_more) for is_more in (True, False)}
                assert facet.is_share or len(compared) == 2
                never = facets.never(facet, move, language) if facet.is_share and facet.good else "jamais won't"
                assert {"en": "won't", "fr": "jamais"}[language] in never
        for label in (
            explain(view, advice(view, iterations=30)).labels.values() if not view.is_over and view.seats_to_move == {0} else ()
        ):
            assert label["en"] and label["fr"] and label["en"] != label["fr"]


def test_the_words_shared_by_all_games_are_the_same_in_both_languages() -> None:
    """But a move that somebody asks about need not be named again."""
    asked = re.compile("same|ahead|.*_than$|behind_never_sure$")
    fields = {
        language: {
            key: sorted(set(re.findall(r"{\w+}", text)) - {"{what}" if asked.match(key) else ""})
            for key, text in SENTENCES[language].items()
        }
        for language in LANGUAGES
    }
    assert fields["en"] == fields["fr"]


def test_amounts_have_one_digit_and_no_minus_before_nothing() -> None:
    assert [amount_text(value, "en") for value in (11.26, -0.04, -3.0)] == ["11.3", "0.0", "-3.0"]
    assert amount_text(11.26, "fr") == "11,3"


def test_french_has_the_plural_from_two_on() -> None:
    assert [plural_of(amount_text(value, "fr"), "fr") for value in (0.0, -1.2, 1.94, 1.96, -2.0, 7.5)] == [
        "",
        "",
        "",
        "s",
        "s",
        "s",
    ]
    assert [plural_of(amount_text(value, "en"), "en") for value in (0.0, 1.0, 7.5)] == ["s", "s", "s"]


def test_none_and_all_are_said_of_nothing_else() -> None:
    shares = (0.0, 0.0001, 0.004, 0.71, 0.996, 0.9999, 1.0)
    assert [share_text(share, "en") for share in shares] == ["0 %", "1 %", "1 %", "71 %", "99 %", "99 %", "100 %"]


def test_a_game_without_texts_for_its_moves_is_told_by_their_labels(view: View) -> None:
    plugin = load("whist").plugin
    plain = Game(type("Labelled", (type(plugin),), {"move_parts": lambda *_: None})())
    strange = plain.view_from_bytes(plain.make_rules(**view.rules.options), view.to_bytes())
    move = view.legal_moves()[0]
    labels = plain.move_labels(strange.rules, move)
    facets = Facets(strange)
    assert [facets.phrase(move, form, "en") for form in FORMS] == [
        f"play “{labels['en']}”",
        f"you play “{labels['en']}”",
        f"playing “{labels['en']}”",
        f"“{labels['en']}”",
        labels["en"],
    ]
    assert [facets.phrase(move, form, "fr") for form in FORMS] == [
        in_french(f"joue « {labels['fr']} »"),
        in_french(f"tu joues « {labels['fr']} »"),
        in_french(f"jouer « {labels['fr']} »"),
        in_french(f"« {labels['fr']} »"),
        labels["fr"],
    ]
    assert facets.phrase("a hidden:?", "do", "en") == "play “a hidden:?”"
    first, *_ = explain(strange, made_up(strange, (0.6, 0.01, {}), (0.4, 0.01, {}))).sentences
    assert first.texts["en"] == f"Play “{labels['en']}” (60 %)."


def test_clauses_whose_subject_is_the_move_are_said_too(view: View) -> None:
    """As engines elsewhere declare them: with `does` alone."""
    plugin, me = load("whist").plugin, view.seat
    does = {"en": "wins this trick", "fr": "emporte ce pli"}
    words = HintWords({"en": "of them", "fr": "d’entre elles"}, [Quantity("trick_{me}", does, does, good=1)])
    other = Game(type("Other", (type(plugin),), {"hint_words": lambda *_: words})())
    strange = other.view_from_bytes(other.make_rules(**view.rules.options), view.to_bytes())

    def told(share: float, rest: float, language: str) -> list[str]:
        result = made_up(strange, (0.6, 0.01, {f"trick_{me}": share}), (0.5, 0.01, {f"trick_{me}": rest}))
        best, _, rival = explain(strange, result).sentences
        return [best.texts[language].partition(". ")[2], rival.texts[language]]

    assert told(0.8, 0.0, "en") == ["It wins this trick in 80 % of them.", "That way, it never wins this trick."]
    assert told(0.8, 0.0, "fr") == [
        in_french("Ça emporte ce pli dans 80 % d’entre elles."),
        "Avec ce coup-là, jamais ça n’emporte ce pli.",
    ]
    assert told(1.0, 0.3, "en") == ["It wins this trick for certain.", "That way, it wins this trick less often (30 %)."]
    assert told(1.0, 0.3, "fr") == [
        "Ça emporte ce pli à coup sûr.",
        in_french("Avec ce coup-là, ça emporte ce pli moins souvent (30 %)."),
    ]


def test_players_have_one_name_in_a_sentence() -> None:
    agents = ["belton", "martha", "moignons"]
    plugin = load("agency").plugin
    view = load("agency").new(3, seed=1, agents=agents).view(0)
    seen = view.to_json()["view"]
    told = [
        plugin.move_phrase(view.rules, seen, move, (language, "subject"))
        for move in ("lead:1", "lead:0", "look:2")
        for language in LANGUAGES
    ]
    assert told == [
        *("letting Martha lead", "faire commencer Martha"),
        *("leading this trick yourself", "commencer toi-même ce tour"),
        *("looking at Moignons's hand", "regarder la main de Moignons"),
    ]


def test_a_move_is_meant_as_at_the_table() -> None:
    state = load("agency").new(3, seed=11, powers=False, accomplices=False)
    view = asked(state)
    move = view.legal_moves()[0]
    assert move_meant(view, f" {move.lower()} ") == move
    for text, error in (("Z9", NotAMove), ("lead:0", IllegalMove)):
        with pytest.raises(error):
            move_meant(view, text)
    ranks = [move[1:] for move in view.legal_moves()]
    twice = [rank for rank in ranks if ranks.count(rank) > 1]
    if twice:
        with pytest.raises(AmbiguousMove):
            move_meant(view, twice[0])


def test_where_several_answer_at_once_a_later_seat_may_ask_too() -> None:
    rng = random.Random(2)
    state = load("agency").new(3, seed=3, deck=passing_deck(), powers=False)
    assert state.seats_to_move == {0, 1, 2}
    view = state.view(2)
    move = rng.choice(view.legal_moves())
    assert move_meant(view, move) == move
    with pytest.raises(IllegalMove):
        move_meant(view, state.view(0).legal_moves()[0])
    recommendation = advice(view)
    assert compare(view, recommendation, measure(view, move, Limits(iterations=20))).sentences


def passing_deck() -> dict[str, Any]:
    return {**DENSE, "plans": [{"value": 1, "accomplice": "pass_left", "count": 20, "provenance": "for a test"}]}
