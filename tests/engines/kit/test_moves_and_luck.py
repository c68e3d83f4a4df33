"""Moves of games of the kit as text, and their luck laid out."""

from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import AmbiguousMove, BadLayout, Game, IllegalMove, MissingLuck, NotAMove, load
from machiavel.engines.kit.loading import load_file
from tests.engines.kit.authors import HIGHEST, load_text

FILES = Path(__file__).parent / "files"
HANDS = [["HQ", "HT", "H3"], ["SK", "S2", "S3"]]


@pytest.fixture(scope="module")
def every_field() -> Game:
    return load_file(FILES / "every_field.py")


@pytest.fixture
def highest(tmp_path: Path) -> Game:
    return load_text(tmp_path, HIGHEST)


# ---- Moves ----


def test_moves_are_numbered_in_the_order_in_which_they_are_declared(every_field: Game) -> None:
    rules = every_field.make_rules(3)
    texts = every_field.plugin.moves.table(rules).texts  # type: ignore[attr-defined]

    assert [texts[move] for move in (0, 15, 16, 31)] == ["A1", "B8", "hide:A1", "hide:B8"]
    # Three seats, three kinds, two ways to ask: the last part counts fastest.
    asked = [texts[move] for move in range(32, 50)]
    assert asked[:3] + asked[-1:] == [
        *("question:0:guard:softly", "question:0:guard:loudly", "question:0:priest:softly", "question:2:king:loudly")
    ]
    assert [texts[move] for move in range(50, 54)] == ["bid:2", "bid:3", "bid:4", "rest"]
    assert len(texts) == 54


def test_seats_that_do_not_play_are_no_parts_of_moves(every_field: Game) -> None:
    assert every_field.new(2, seed=1).legal_moves()[-4:] == [
        "question:1:guard:loudly",
        "question:1:priest:softly",
        "bid:4",
        "rest",
    ]
    with pytest.raises(NotAMove):
        every_field.plugin.parse_move(every_field.make_rules(2), "question:2:guard:loudly")


@pytest.mark.parametrize("entry", ["HT", "ht", " H10 ", "10", "T", "10 of hearts", "10 de cœur", "play HT"])
def test_a_card_may_be_named_in_many_ways(highest: Game, entry: str) -> None:
    state = highest.new(2, layout={"hands": HANDS})
    state.play(entry)

    assert state.moves == ("HT",)


@pytest.mark.parametrize(
    ("entry", "move"),
    [
        ("question:1:guard:loudly", "question:1:guard:loudly"),
        ("QUESTION : 1 : guard : loudly", "question:1:guard:loudly"),
        ("question 1 guard loudly", "question:1:guard:loudly"),
        ("1 guard loudly", "question:1:guard:loudly"),
        ("4", "bid:4"),
        ("bid 4", "bid:4"),
        ("Rest", "rest"),
    ],
)
def test_an_action_may_be_typed_with_or_without_its_name(every_field: Game, entry: str, move: str) -> None:
    state = every_field.new(3, seed=1)
    state.play(entry)

    assert state.moves == (move,)


def test_a_text_that_is_no_move_is_refused_with_examples(every_field: Game) -> None:
    with pytest.raises(NotAMove) as caught:
        every_field.new(3, seed=1).play("dance")

    examples = "A1, hide:A1, question:0:guard:softly, bid:2, rest"
    assert str(caught.value) == f"'dance' is not a move; expected a move, such as {examples}"
    assert caught.value.message("fr") == f"'dance' n’est pas un coup\N{NO-BREAK SPACE}; il faut un coup, comme {examples}"


def test_a_move_that_is_not_legal_or_not_clear_is_refused(highest: Game) -> None:
    state = highest.new(2, layout={"hands": [["HQ", "SQ", "H3"], ["SK", "S2", "S3"]]})

    with pytest.raises(IllegalMove, match=r"illegal move SK for seat 0: legal: H3, HQ, SQ"):
        state.play("SK")
    with pytest.raises(AmbiguousMove, match=r"ambiguous move 'Q' for seat 0: could be HQ or SQ"):
        state.play("Q")


# ---- Luck ----


def test_an_event_of_luck_is_laid_out_by_its_name(highest: Game) -> None:
    state = highest.new(2, layout={"hands": HANDS})

    assert state.truth()["hands"] == [["H3", "HT", "HQ"], ["S2", "S3", "SK"]]
    assert state.record().seed is None
    assert highest.replay(state.record()).to_bytes() == state.to_bytes()


def test_what_is_null_or_left_out_is_drawn_from_the_seed(highest: Game) -> None:
    drawn = highest.new(3, seed=9).truth()["hands"]
    state = highest.new(3, seed=9, layout={"hands": [None, ["SK", "S2", "S3"]]})

    assert state.truth()["hands"][1] == ["S2", "S3", "SK"]
    # The others draw as they would have, but for cards that are gone.
    assert highest.new(3, seed=9, layout={"hands": []}).truth()["hands"] == drawn
    with pytest.raises(MissingLuck, match=r"not laid out: hands\[0\]"):
        highest.new(2, layout={"hands": [None, ["SK", "S2", "S3"]]})


def test_events_that_are_told_apart_by_several_numbers_stand_in_lists_of_lists(every_field: Game) -> None:
    layout = {
        "open": [["A1", "A2", "A3"]],
        "hands": [[["A4", "A5", "A6"], ["B1", "B2", "B3"]]],
        "crowd": [[["king"], ["guard"]]],
        "note": [[None, "B8"]],
        "cup": [None, [[4], [2]]],
        "thrown": [[], [5]],
        "pile": [["B7", "B8"]],
    }
    state = every_field.new(2, seed=3, layout=layout)
    truth = state.truth()

    assert truth["open"] == ["A1", "A2", "A3"]
    assert truth["hands"] == [["A4", "A5", "A6"], ["B1", "B2", "B3"]]
    assert truth["crowd"] == [["king"], ["guard"]]
    assert truth["noted"][1] == ["B8"]
    assert truth["pile"] == ["B7", "B8"]
    state.play("rest")
    assert state.truth()["cups"] == [[4], [2]]
    assert state.truth()["thrown"] == [5, None]


@pytest.mark.parametrize(
    ("layout", "problem"),
    [
        ({"hands": [["HQ", "HQ", "H3"]]}, "layout: hands[0]: holds HQ twice"),
        ({"hands": [["HX"]]}, "layout: hands[0]: holds 'HX'; expected a card, such as H2"),
        ({"hands": "HQ"}, "layout: hands: is 'HQ'; expected a list"),
        ({"roll": [1]}, "layout: roll: is unknown; fields here: hands"),
        ({"hands": [["HQ", "HT", "H3"], ["HQ", "S2", "S3"]]}, "layout: hands[1]: does not hold what is shuffled there: "),
        ({"hands": [["HQ", "HT"]]}, "layout: hands[0]: does not hold what is shuffled there: "),
    ],
)
def test_luck_that_cannot_be_is_refused_by_name(highest: Game, layout: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadLayout) as caught:
        highest.new(2, seed=1, layout=layout)

    assert str(caught.value).startswith(problem)


def test_dice_of_the_box_are_laid_out_round_by_round() -> None:
    game = load("liars_dice")
    state = game.new(2, seed=1, layout={"roll": [[[1, 2, 6], [5, 5, 3]]]})

    assert state.truth()["cups"] == [[6, 2, 1], [5, 5, 3]]
    with pytest.raises(BadLayout, match=r"layout: roll\[0\]\[1\]\[0\]: is 7; expected a whole number from 1 to 6"):
        game.new(2, seed=1, layout={"roll": [[[1], [7]]]})
    with pytest.raises(MissingLuck, match=r"not laid out: roll\[0\]\[1\]\[2\]"):
        game.new(2, layout={"roll": [[[1, 2, 6], [5, 5]]]})
