"""What players read of a game of the kit: its author's words, and what stands where they say nothing."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import LANGUAGES, BadGameFile, Game, GameEvent, GameFault, HintWords, SeenMove, State, Teller, load
from machiavel.engines.kit.loading import load_file
from tests.engines.kit.authors import HIGHEST, load_text

FILES = Path(__file__).parent / "files"
WORDS = """
    words = {
        "en": {
            "labels": {"play": "lay {card:the}"},
            "events": {"play": {"me": "You lay {card:the}.", "they": "{who} lays {card:the}."}},
            "suits": {"H": "cups"},
            "cards": {"SA": "the Ace"},
            "fields": {"gone": {"label": "Laid"}},
        },
        "fr": {"labels": {"play": "pose {card:the}"}, "suits": {"H": "coupes"}},
    }
"""


def with_words(words: str) -> str:
    return HIGHEST.rstrip() + "\n" + words


def labels(game: Game, move: str) -> dict[str, str]:
    return dict(game.move_labels(game.make_rules(max(game.players)), move))


def told(game: Game, state: State, move: str, language: str, me: int | None) -> list[str]:
    """What a seat reads of a move."""
    teller = Teller(game.plugin, game.make_rules(state.players), language, me)
    before, mover = state.view(me).to_json()["view"], state.seat_to_move
    assert mover is not None
    state.play(move)
    seen, after = state.last_move(me), state.view(me).to_json()["view"]
    assert seen is not None
    return [teller.text(after, event) for event in teller.events(before, SeenMove(mover, seen), after)]


def test_an_author_says_what_a_card_does_and_all_cards_of_a_suit(tmp_path: Path) -> None:
    game = load_text(tmp_path, with_words('    words = {"en": {"about": {"HQ": "A queen.", "H": "A heart."}}}\n'))
    rules = game.make_rules(2)

    told = {text: game.plugin.thing_about(rules, "card", text, "fr") for text in ("HQ", "H", "HT", "S")}
    assert told == {"HQ": "A queen.", "H": "A heart.", "HT": "", "S": ""}


@pytest.mark.parametrize(
    ("about", "problem"),
    [({"CQ": "A queen."}, "about.CQ, but there is no CQ; there are H, S, H2"), ({"HQ": "A {card}."}, "{card} in about.HQ")],
)
def test_texts_about_cards_that_there_are_not_are_refused(tmp_path: Path, about: dict[str, str], problem: str) -> None:
    with pytest.raises(BadGameFile) as caught:
        load_text(tmp_path, with_words(f'    words = {{"en": {{"about": {about}}}}}\n'))
    assert problem in str(caught.value)


def test_cards_of_the_usual_suits_have_their_names_in_both_languages(tmp_path: Path) -> None:
    game = load_text(tmp_path, HIGHEST)

    assert labels(game, "HQ") == {"en": "queen of hearts", "fr": "dame de cœur"}
    assert labels(game, "ST") == {"en": "10 of spades", "fr": "10 de pique"}
    ways = [("en", "do"), ("en", "you"), ("en", "doing"), ("en", "subject"), ("fr", "do"), ("fr", "subject"), ("fr", "short")]
    rules = game.make_rules(2)
    assert [game.plugin.move_phrase(rules, {}, "SA", how) for how in ways] == [
        "play the ace of spades",
        "you play the ace of spades",
        "playing the ace of spades",
        "the ace of spades",
        "joue l’as de pique",
        "l’as de pique",
        "l’as de pique",
    ]


def test_a_move_is_told_to_whoever_plays_and_to_the_others(tmp_path: Path) -> None:
    game = load_text(tmp_path, HIGHEST)
    layout = {"hands": [["HQ", "H2", "H3"], ["SK", "S2", "S3"]]}

    assert told(game, game.new(2, layout=layout), "HQ", "en", 0) == ["You play the queen of hearts."]
    assert told(game, game.new(2, layout=layout), "HQ", "fr", 0) == ["Tu joues la dame de cœur."]
    assert told(game, game.new(2, layout=layout), "HQ", "en", None) == ["Seat 0 plays the queen of hearts."]
    assert told(game, game.new(2, layout=layout), "HQ", "fr", 1) == ["Le joueur 0 joue la dame de cœur."]


def test_an_author_says_it_otherwise(tmp_path: Path) -> None:
    game = load_text(tmp_path, with_words(WORDS))
    layout = {"hands": [["HQ", "H2", "SA"], ["SK", "S2", "S3"]]}

    assert labels(game, "HQ") == {"en": "lay the queen of cups", "fr": "pose la dame de coupes"}
    assert labels(game, "SA")["en"] == "lay the Ace"
    assert told(game, game.new(2, layout=layout), "HQ", "en", 1) == ["Seat 0 lays the queen of cups."]
    # What is said in one language alone, stands in the other, too.
    assert told(game, game.new(2, layout=layout), "HQ", "fr", 1) == ["Le joueur 0 lays la dame de coupes."]
    assert game.plugin.phrases()("fields.gone.label", "fr") == "Laid"


def test_what_a_declaration_names_is_named_so_in_english_where_only_french_words_are_given(tmp_path: Path) -> None:
    text = HIGHEST.replace('Deck(suits="HS", ranks="23456789TJQKA")', 'Deck("clubs moon sun".split() + list("abcdefghijklm"))')
    text = text.replace("top = Count(most=12)", "top = Count(most=12)\n    vow = Action(how=('loud', 'low'))")
    text = text.replace("DECK.rank_of(card)", "card")
    french = {"cards": {"clubs": "trèfle", "moon": "lune"}, "parts": {"loud": "à voix haute"}, "suits": {"H": "coupes"}}
    phrases = load_text(tmp_path, text.rstrip() + f"\n    words = {{'fr': {french}}}\n").plugin.phrases()

    assert [phrases("cards.clubs", language) for language in LANGUAGES] == ["clubs", "trèfle"]
    assert [phrases("the.moon", language) for language in LANGUAGES] == ["moon", "lune"]
    assert [phrases("parts.loud", language) for language in LANGUAGES] == ["loud", "à voix haute"]
    assert [phrases("suits.H", language) for language in LANGUAGES] == ["hearts", "coupes"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ('    words = {"en": {"labels": {"play": "{card}"}}, "fr": {"labels": {"play": "{carte}"}}}', "labels.play"),
        ('    words = {"de": {"labels": {"play": "{card}"}}}', "en, fr"),
        ('    words = {"en": {"labels": {"play": "lay {crad}"}}}', "labels.play"),
        ('    words = {"en": {"labels": {"paly": "lay {card}"}}}', "labels.paly"),
        ('    words = {"en": {"events": {"top": "{now} of {all}"}}}', "events.top"),
        ('    words = {"en": {"hints": {"points": {"label": "points"}}}}', "points"),
    ],
)
def test_words_that_do_not_go_together_are_refused(tmp_path: Path, words: str, problem: str) -> None:
    with pytest.raises(BadGameFile, match=r"mine\.py:\d+: its (words|hints) ") as caught:
        load_text(tmp_path, with_words(words))

    assert problem in caught.value.problem


def test_every_field_says_what_it_is_and_what_it_is_called() -> None:
    game = load_file(FILES / "every_field.py")
    phrases, schema = game.plugin.phrases(), game.plugin.views
    assert schema is not None

    for one in schema.fields:
        for language in LANGUAGES:
            assert phrases(f"fields.{one.name}.meaning", language)
            assert not one.zone or phrases(f"fields.{one.name}.label", language)
    assert phrases("fields.crowd.meaning", "en") == "cards, by seat; null for who is not in `looking`"
    assert phrases("fields.mood.meaning", "fr") == "un nombre de -5 à 5"
    assert phrases("fields.grid.meaning", "en") == "a number from 0 to 9, 3 in a row"
    assert phrases("options.rounds.expected", "fr") == "de 1 à 20"
    assert phrases("options.quick.help", "fr") == "six rounds fewer"


def test_fields_are_drawn_where_their_kind_says() -> None:
    schema = load_file(FILES / "every_field.py").plugin.views
    assert schema is not None

    zones = {one.name: one.zone for one in schema.fields}
    assert [zones[name] for name in ("hands", "hands_counts", "open", "face_up", "score", "mood", "cups", "may", "pile")] == [
        *("hand", "score", "pile", "table", "score", "place", "hand", "", "")
    ]


# ---- What happens ----


def events(game: Game, before: dict[str, Any], after: dict[str, Any], move: SeenMove | None = None) -> Sequence[GameEvent]:
    return list(game.plugin.events(game.make_rules(3), before, move, after))


def test_what_rises_falls_or_changes_is_told_by_how_much_and_for_whom() -> None:
    game = load_file(FILES / "every_field.py")
    before = game.new(3, seed=1).view(0).to_json()["view"]

    def after(**changes: Any) -> Sequence[GameEvent]:
        return events(game, before, before | changes)

    assert after(score=[0, 30, 5]) == [
        GameEvent("score", {"seat": 1, "by": 30, "now": 30}),
        GameEvent("score", {"seat": 2, "by": 5, "now": 5}),
    ]
    assert events(game, before | {"score": [9, 9, 9]}, before | {"score": [9, 8, 9]}) == []
    assert after(mood=-3) == [GameEvent("mood", {"by": 3, "now": -3})]
    assert after(mood=3) == []
    assert after(awake=True) == [GameEvent("awake", {"now": True})]
    assert after(chief=2) == [GameEvent("chief", {"now": 2})]
    assert after(friends=[0, 2]) == [GameEvent("friends", {"now": [0, 2]})]
    assert after(open=["A1", "B2"]) == [GameEvent("open", {"now": ["A1", "B2"]})]
    assert after(last="B8") == [GameEvent("last", {"now": "B8"})]
    assert events(game, before | {"last": "B8"}, before | {"last": None}) == [GameEvent("last", {"now": None})]
    teller = Teller(game.plugin, game.make_rules(3), "fr", 0)
    assert [teller.text(before, event) for event in after(score=[0, 30, 0], awake=True, chief=0)] == [
        "Le joueur 1\N{NO-BREAK SPACE}: score +30 (30).",
        "Awake\N{NO-BREAK SPACE}: oui.",
        "Chief\N{NO-BREAK SPACE}: le joueur 0.",
    ]


def test_a_hidden_move_is_told_as_those_see_it_who_do_not_know_it() -> None:
    game = load_file(FILES / "every_field.py")
    state = game.new(3, seed=1)
    card = state.truth()["hands"][0][0]
    plugin, rules = game.plugin, game.make_rules(3)

    assert told(game, state.copy(), f"hide:{card}", "en", 0)[0] == f"You: hide {card}."
    assert told(game, state.copy(), f"hide:{card}", "en", 1)[0] == "Seat 0: hide ?."
    number = state.resolve(f"hide:{card}")
    assert plugin.public_text(rules, number) == "hide:?"
    assert [plugin.public_label(rules, number, "en"), plugin.move_label(rules, number, "en")] == ["hide ?", f"hide {card}"]


def test_the_parts_of_a_move_are_told_as_what_they_are() -> None:
    game = load_file(FILES / "every_field.py")
    state = game.new(3, seed=1)

    assert told(game, state, "question:2:guard:loudly", "fr", 1)[0] == (
        "Le joueur 0\N{NO-BREAK SPACE}: question le joueur 2 guard loudly."
    )
    seen = state.view(1).to_json()["view"]
    (event, *_) = events(game, seen, seen, SeenMove(0, "question:2:guard:loudly"))
    assert event == GameEvent("question", {"mover": 0, "who": 2, "kind": "guard", "loud": "loudly"})


# ---- Hints ----


def quantities(game: Game) -> dict[str, Any]:
    words = game.plugin.hint_words(game.make_rules(max(game.players)))
    assert isinstance(words, HintWords)
    return {one.metric: one for one in words.quantities}


MEASURE = """
    score = Count(each_seat=True, most=9)

    def measure(self, score, luck):
        for seat in self.every_seat():
            score[seat] = self.score[seat]
            luck[seat] = 1.5
"""


def test_what_is_measured_is_said_where_it_has_a_name(tmp_path: Path) -> None:
    game = load_text(tmp_path, with_words(MEASURE))

    assert list(game.plugin.metrics(game.make_rules(2))) == ["score_0", "score_1", "luck_0", "luck_1"]
    found = quantities(game)
    assert list(found) == ["score_{me}"]
    assert found["score_{me}"].more == {"en": "you end with more score", "fr": "tu finis avec plus de score"}


def test_an_author_says_what_is_measured(tmp_path: Path) -> None:
    words = """
    words = {
        "en": {"hints": {
            "headline": "score",
            "score": {"label": "points", "good": 1, "spread": 2.5, "says": "you make {value} point{s}"},
            "score_other": {"good": -1},
            "luck": {"kind": "share", "label": "luck", "says": "you are lucky", "never": "you are never lucky"},
        }},
        "fr": {"hints": {"score": {"label": "points", "says": "tu fais {value} point{s}"}}},
    }
"""
    game = load_text(tmp_path, with_words(MEASURE + words))
    found = quantities(game)

    assert list(found) == ["score_{me}", "score_{other}", "luck_{me}"]
    mine, other, luck = found.values()
    assert (mine.good, mine.spread, mine.is_share, other.good, luck.is_share) == (1, 2.5, False, -1, True)
    assert mine.says == {"en": "you make {value} point{s}", "fr": "tu fais {value} point{s}"}
    assert other.more == {"en": "{other} ends with more points", "fr": "{other} finit avec plus de points"}
    assert luck.says == {"en": "you are lucky", "fr": "you are lucky"}
    words_of_game = game.plugin.hint_words(game.make_rules(2))
    assert words_of_game is not None
    assert (words_of_game.headline, words_of_game.headline_label["en"]) == ("score_{me}", "points")


# ---- Files beside the game's ----


def test_rules_and_search_data_lie_beside_the_file(tmp_path: Path) -> None:
    game = load_text(tmp_path, HIGHEST)
    assert game.plugin.search_data() == {}
    assert "brings no rules" in game.plugin.rules_text("en")

    (tmp_path / "mine.en.md").write_text("# Highest card\n\nPlay.\n", encoding="utf-8")
    (tmp_path / "mine.toml").write_text("[defaults]\nvariant = 'multi'\n", encoding="utf-8")
    assert game.plugin.rules_text("en") == "# Highest card\n\nPlay.\n"
    assert "seulement dans ces langues\N{NO-BREAK SPACE}: en" in game.plugin.rules_text("fr")
    assert game.plugin.search_data() == {"defaults": {"variant": "multi"}}


def test_cards_that_somebody_gets_are_told_to_those_who_see_them(tmp_path: Path) -> None:
    game = load_text(tmp_path, with_words(WORDS).replace('seen_by="owner")', 'seen_by="owner", tells="gains")'))
    assert dict(game.plugin.event_kinds["hands"]) == {"seat": "seat", "cards": "cards", "now": "count"}
    before = game.new(2, layout={"hands": [["HQ", "H2", "H3"], ["SK", "S2", "S3"]]}).view(0).to_json()["view"]
    teller = Teller(game.plugin, game.make_rules(2), "en", 0)

    def after(*hand: str) -> list[str]:
        seen = before | {"hands": [list(hand), None], "hands_counts": [len(hand), 9]}
        return [teller.text(seen, event) for event in teller.events(before, None, seen)]

    assert after("H2", "H4", "HQ", "SA") == ["Seat 0: hands +the 4 of cups and the Ace."]
    assert after("H2") == []


TRICKS = """
    tricks = Trick("table", led="led", trumps="best_suit")
    table = Card(DECK, each_seat=True)
    led = Card(Deck(["hearts", "spades"]), zone=False)
    best_suit = Card(Deck(["h", "s"]), zone=False)
"""


def with_tricks(declared: str = TRICKS) -> str:
    return with_words(declared).replace("import Action, Cards", "import Action, Card, Cards, Trick")


@pytest.mark.parametrize(
    ("suits", "table", "card", "who"),
    [
        (("hearts", None), [None, "H7", "SA"], "H9", 0),
        (("hearts", None), [None, "HT", "SA"], "H9", 1),
        (("spades", None), [None, "HT", "S2"], "H9", 2),
        (("hearts", "s"), [None, "HT", "S2"], "H9", 2),
        (("hearts", "s"), [None, "HT", "HA"], "H9", 2),
        (("hearts", "s"), [None, "HT", "HA"], "S3", 0),
    ],
)
def test_who_takes_a_trick_is_told_when_the_table_is_cleared(
    tmp_path: Path, suits: tuple[str, str | None], table: list[str | None], card: str, who: int
) -> None:
    game = load_text(tmp_path, with_tricks())
    start = game.new(3, seed=1).view(None).to_json()["view"]
    before = start | {"table": table, "led": suits[0], "best_suit": suits[1]}
    taken = GameEvent("tricks", {"who": who, "cards": [card, *table[1:]]})
    rules, move = game.make_rules(3), SeenMove(0, card)

    assert [one for one in game.plugin.events(rules, before, move, start) if one.kind == "tricks"] == [taken]
    lying = start | {"table": [card, *table[1:]]}
    assert not [one for one in game.plugin.events(rules, before, move, lying) if one.kind == "tricks"]
    assert not [one for one in game.plugin.events(rules, start, move, start) if one.kind == "tricks"]
    tellers = [Teller(game.plugin, rules, language, who) for language in LANGUAGES]
    assert [teller.text(start, taken) for teller in tellers] == ["You take the trick.", "Tu ramasses le pli."]


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        ('tricks = Trick("tabel", led="best")', "tricks: 'tabel' is no table for tricks"),
        ('tricks = Trick("hands", led="best")', "tricks: 'hands' is no table for tricks"),
        ('tricks = Trick("table", led="top")\n    table = Card(DECK, each_seat=True)', "tricks: 'top' is no suit of its cards"),
        ('tricks = Trick("table", led="low")\n    table = Card(DECK, each_seat=True)\n    low = Card(DECK)', "a deck of 2 suits"),
        ('open = Count(most=3, tells="gains")', 'tells="gains" is for Cards'),
        ('open = Count(most=3, shown_while="gone")', "open is shown while 'gone'; expected the name of a Flag that all see"),
        ('open = Count(most=3, shown_while="nothing")', "expected the name of a Flag that all see"),
    ],
)
def test_what_cannot_be_told_or_shown_is_refused(tmp_path: Path, declared: str, told: str) -> None:
    with pytest.raises(BadGameFile, match=r"mine\.py:\d+: ") as caught:
        load_text(tmp_path, with_tricks(f"    {declared}"))

    assert told in caught.value.problem


TALLY = 'count = Tally("lifted", face="face", wild=1, after="liar", told=("bidder", "number"))'


def dice_game(declared: str = TALLY) -> str:
    """Liar's dice with something else in place of its tally, and without its words."""
    text = Path(load("liars_dice").plugin.path).read_text(encoding="utf-8")  # type: ignore[attr-defined]
    assert text.count(TALLY) == 1
    return text.partition("    words = {")[0].replace(TALLY, declared)


@pytest.mark.parametrize(
    ("declared", "lifted", "told"),
    [
        (TALLY, [[5, 4, 1], [5, 5, 2]], {"bidder": 1, "number": 4, "face": 5, "found": 4, "matching": [1, 5]}),
        (TALLY, [[6, 4, 3], []], {"bidder": 1, "number": 4, "face": 5, "found": 0, "matching": [1, 5]}),
        ('count = Tally("lifted", face="face", after="liar")', [[5, 1], [5]], {"face": 5, "found": 2, "matching": [5]}),
        ('count = Tally("lifted", face="face", wild=5, after="liar")', [[5], [1]], {"face": 5, "found": 1, "matching": [5]}),
    ],
)
def test_dice_that_are_counted_are_told_with_the_faces_that_count(
    tmp_path: Path, declared: str, lifted: list[list[int]], told: dict[str, Any]
) -> None:
    game = load_text(tmp_path, dice_game(declared))
    rules = game.make_rules(2)
    start = game.new(2, seed=1).view(None).to_json()["view"]
    before, after = start | {"bidder": 1, "number": 4, "face": 5}, start | {"lifted": lifted}
    tallies = [
        [event for event in game.plugin.events(rules, seen, SeenMove(0, move), after) if event.kind == "count"]
        for seen, move in ((before, "liar"), (before, "5x5"), (start, "liar"))
    ]

    assert tallies == [[GameEvent("count", told)], [], []]
    english, french = [Teller(game.plugin, rules, language, None).text(after, tallies[0][0]) for language in LANGUAGES]
    assert english == ("1 die counts." if told["found"] == 1 else f"{told['found']} dice count.")
    assert french == (f"{told['found']} dés comptent." if told["found"] > 1 else f"{told['found']} dé compte.")


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        ('count = Tally("dice", face="face", after="liar")', "count: 'dice' are no dice to be counted"),
        ('count = Tally("cups", face="face", after="liar")', "count: 'cups' are no dice to be counted"),
        ('count = Tally("lifted", face="dice", after="liar")', "count: face is 'dice'; expected the name of a Count"),
        ('count = Tally("lifted", face="bidder", after="liar")', "count: face is 'bidder'; expected the name of a Count"),
        (
            'count = Tally("lifted", face="face", wild=7, after="liar")',
            "wild is 7; expected a face that counts as any, from 1 to 6",
        ),
        ('count = Tally("lifted", face="face", after="call")', "after is 'call'; expected the name of an action: liar, bid"),
        ('count = Tally("lifted", face="face", after="liar", told="cups")', "told names 'cups'; expected fields that all see"),
        ('count = Tally("lifted", face="face", after="liar", told=("bidder", "face"))', "one value: number, bidder, round"),
    ],
)
def test_a_tally_of_what_cannot_be_counted_is_refused(tmp_path: Path, declared: str, told: str) -> None:
    with pytest.raises(BadGameFile, match=r"mine\.py:\d+: ") as caught:
        load_text(tmp_path, dice_game(declared))

    assert told in caught.value.problem


LAST = """
    def called(self, card):
        return size(self.gone) % 6 == 5
"""


def with_names(called: str = LAST, names: str = 'names="finish"', words: str = "") -> str:
    text = HIGHEST.replace("has, one", "has, one, size").replace("play = Action(DECK)", f"play = Action(DECK, {names})")
    return text.rstrip() + "\n" + called + words


def state_before_the_last_card(game: Game) -> State:
    state = game.new(2, seed=1)
    for _ in range(5):
        state.play(state.legal_moves()[0])
    return state


def test_a_move_is_called_by_another_name_where_its_author_says_so(tmp_path: Path) -> None:
    words = """
    words = {
        "en": {
            "labels": {"finish": "finish with {card:the}"},
            "phrases": {"finish": {"do": "end it", "you": "you end it", "doing": "ending it"}},
            "events": {"finish": {"me": "You end it.", "they": "{who} ends it."}},
        }
    }
"""
    game = load_text(tmp_path, with_names(words=words))
    plugin, state, first = game.plugin, state_before_the_last_card(game), game.new(2, seed=1)
    rules, card = state.rules, state.legal_moves()[0]
    number, seen, begun = plugin.parse_move(rules, card)[0], state.view(None).to_json()["view"], first.view(0).to_json()["view"]
    name = plugin.move_label(rules, number, "en")

    assert plugin.names_by_position
    assert plugin.label_here(rules, seen, number, "en") == f"finish with {plugin.phrases()(f'the.{card}', 'en')}"
    assert plugin.label_here(rules, begun, number, "en") == name == plugin.label_here(rules, {}, number, "en")
    assert plugin.move_phrase(rules, seen, card, ("en", "you")) == "you end it"
    assert plugin.move_phrase(rules, begun, card, ("en", "you")).startswith("you play the ")
    assert told(game, state, card, "en", None) == ["Seat 1 ends it."]
    assert told(game, first, first.legal_moves()[0], "en", 0)[0].startswith("You play the ")
    assert list(plugin.parse_move(rules, f"finish with {plugin.phrases()(f'cards.{card}', 'en')}")) == [number]


def test_without_words_another_name_is_told_as_it_is_written(tmp_path: Path) -> None:
    game = load_text(tmp_path, with_names())
    state = state_before_the_last_card(game)
    card = state.legal_moves()[0]
    (number,) = game.plugin.parse_move(state.rules, card)
    seen = state.view(0).to_json()["view"]
    label = game.plugin.label_here(state.rules, seen, number, "fr")

    assert label == f"finish {game.plugin.move_label(state.rules, number, 'fr')}"
    assert told(game, state, card, "fr", None) == [f"Le joueur 1\N{NO-BREAK SPACE}: {label}."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (with_names(names='names="best"'), "play: its moves cannot be called 'best'"),
        (with_names(names='names=["finish", "play"]'), "play: its moves cannot be called 'play'"),
        (with_names(names='names="last card"'), "play: its moves cannot be called 'last card'"),
        (with_names(names="names=[7]"), "play: its moves cannot be called 7"),
        (with_names(called=""), "play: nothing says when its moves are called finish; write called(self, move)"),
        (with_names(called="    def called(self):\n        return 1\n"), "write def called(self, move)"),
        (
            with_names(called="    def called(self, card):\n        self.top = 1\n        return 1\n"),
            "called changes the position",
        ),
        (with_names(called="    def called(self, card):\n        return 0.5\n"), "a float where a whole number is needed"),
    ],
)
def test_names_that_cannot_be_are_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadGameFile, match=r"mine\.py:\d+: ") as caught:
        load_text(tmp_path, text)

    assert said in caught.value.problem


@pytest.mark.parametrize(
    ("answer", "kind", "what"),
    [
        ("2", "", "called answers 2 for play; expected 0 to 1"),
        ("-1", "", "called answers -1 for play; expected 0 to 1"),
        ("self.hands[0] > 0", "PeekingRule", "called looks at hands[0], which not all see"),
        ("12 // self.asked", "ZeroDivisionError", "ZeroDivisionError: integer division or modulo by zero (mine.py:"),
    ],
)
def test_what_goes_wrong_where_a_move_is_named_is_a_fault_of_the_game(tmp_path: Path, answer: str, kind: str, what: str) -> None:
    game = load_text(tmp_path, with_names(called=f"\n    def called(self, card):\n        return {answer}\n"))
    state = game.new(2, seed=1)
    seen = state.view(0).to_json()["view"]

    with pytest.raises(GameFault) as caught:
        game.plugin.label_here(state.rules, seen, 0, "en")

    assert caught.value.kind == kind
    assert caught.value.what.startswith(what)


WON = """
    words = {
        "en": {"events": {"won": {"me": "You win, {points} in all, {value}!", "they": "{who} wins with {points}, {value}."}}},
        "fr": {"events": {"won": {"me": "Tu gagnes, {points} en tout, {value} !", "they": "{who} gagne, {points}, {value}."}}},
    }

    def measure(self, points):
        for seat in self.every_seat():
            points[seat] = 10 * seat + 7
"""


def at_the_end(game: Game, players: int) -> tuple[State, dict[str, Any], SeenMove]:
    """A match one move from its end, the view after that move, and the move."""
    state = game.new(players, seed=3)
    while True:
        move, mover = state.legal_moves()[0], state.seat_to_move
        before = state.copy()
        state.play(move)
        if state.is_over:
            assert mover is not None
            return before, state.view(None).to_json()["view"], SeenMove(mover, move)


def who_has_won(game: Game, players: int) -> list[GameEvent]:
    before, after, move = at_the_end(game, players)
    seen = before.view(None).to_json()["view"]
    told = list(game.plugin.events(before.rules, seen, move, after))
    begun = game.new(players, seed=1).view(None).to_json()["view"]
    assert not [one for one in game.plugin.events(before.rules, begun, None, begun) if one.kind == "won"]
    return [one for one in told if one.kind == "won"]


def test_who_has_won_is_told_at_the_end_where_there_are_words_for_it(tmp_path: Path) -> None:
    game = load_text(tmp_path, HIGHEST.rstrip() + "\n" + WON)
    before, after, _ = at_the_end(game, 3)
    (event,) = who_has_won(game, 3)
    seat = after["best"]

    assert event == GameEvent("won", {"who": seat, "value": 1, "points": 10 * seat + 7})
    tellers = [Teller(game.plugin, before.rules, language, me) for language, me in (("en", seat), ("fr", None))]
    english, french = (teller.text(after, event) for teller in tellers)
    assert english == f"You win, {10 * seat + 7} in all, 1!"
    assert french == f"Le joueur {seat} gagne, {10 * seat + 7}, 1."


@pytest.mark.parametrize(
    ("result", "won"),
    [
        ("shares[0], shares[2] = 4, 4", [(0, 4), (2, 4)]),
        ("shares[1], shares[0] = 2.6, 1.0", [(1, 3)]),
        ("shares[0], shares[1], shares[2] = 5, 5, 5", []),
        ("shares[0] = 0", []),
    ],
)
def test_all_who_share_the_win_are_told_and_nobody_where_all_have_the_same(
    tmp_path: Path, result: str, won: list[tuple[int, int]]
) -> None:
    text = HIGHEST.replace("shares[self.best] = 1", result).rstrip() + "\n" + WON
    found = who_has_won(load_text(tmp_path, text), 3)

    assert [(one.fields["who"], one.fields["value"]) for one in found] == won


def test_of_what_a_result_is_worth_the_value_itself_is_told(tmp_path: Path) -> None:
    text = HIGHEST.replace("longest = 9", "longest = 9\n    worth = (-20, 20)").replace("= 1\n", "= 20\n").rstrip() + "\n" + WON
    (event,) = who_has_won(load_text(tmp_path, text), 2)

    assert event.fields["value"] == 20


def test_without_words_for_it_nobody_is_told_who_has_won(tmp_path: Path) -> None:
    game = load_text(tmp_path, HIGHEST)

    assert "won" not in game.plugin.event_kinds
    assert who_has_won(game, 2) == []


def test_what_else_is_called_won_is_told_as_such(tmp_path: Path) -> None:
    text = HIGHEST.replace("play = Action", "won = Count(most=9)\n    play = Action")
    words = '\n    words = {"en": {"events": {"won": "Now it is {now}."}}}\n'
    game = load_text(tmp_path, text.rstrip() + words)

    assert list(game.plugin.event_kinds["won"]) == ["now"]
    assert who_has_won(game, 2) == []


def test_a_result_that_looks_at_what_not_all_see_is_a_fault_where_who_has_won_is_told(tmp_path: Path) -> None:
    text = HIGHEST.replace("shares[self.best] = 1", "shares[0] = self.hands[1] >= 0").rstrip() + "\n" + WON
    before, after, move = at_the_end(load_text(tmp_path, text), 2)

    with pytest.raises(GameFault) as caught:
        list(before.game.plugin.events(before.rules, before.view(None).to_json()["view"], move, after))

    assert caught.value.what.startswith("result looks at hands[1], which not all see")
