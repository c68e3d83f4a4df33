"""Views of games of the kit as JSON and back: every kind of field, what may be left out, and what is told to be wrong."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import BadView, Game, State, View, load
from machiavel.engines.kit.loading import load_file
from tests.engines.kit.authors import load_text

CARDS = [suit + rank for suit in "AB" for rank in "12345678"]  # of the game with every field
FRENCH = [suit + rank for suit in "CDHS" for rank in "23456789TJQKA"]
FILES = Path(__file__).parent / "files"


@pytest.fixture(scope="module")
def every_field() -> Game:
    return load_file(FILES / "every_field.py")


def played(game: Game, players: int, seed: int, **options: Any) -> Iterator[State]:
    """The positions of a match of random moves."""
    rng, state = random.Random(seed), game.new(players, seed=seed, **options)
    yield state
    while not state.is_over:
        state.play(rng.choice(state.legal_moves()))
        yield state


def at_ply(game: Game, ply: int, seed: int = 5) -> State:
    return next(state for state in played(game, 3, seed) if len(state.moves) == ply)


def typed(game: Game, view: View, **changes: Any) -> View:
    """The same view with other fields; those that are ... are left out."""
    data = view.to_json()
    data["view"] |= changes
    data["view"] = {name: value for name, value in data["view"].items() if value is not ...}
    return game.view_from_json(data)


def problems(game: Game, view: View, **changes: Any) -> dict[str, str]:
    with pytest.raises(BadView) as caught:
        typed(game, view, **changes)
    assert len(caught.value.messages("fr")) == len(caught.value.problems)
    assert set(caught.value.messages("fr")).isdisjoint(caught.value.messages("en"))
    return {problem.field: problem.problem for problem in caught.value.problems}


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_every_view_of_every_seat_is_read_as_it_was_written(every_field: Game, players: int, seed: int) -> None:
    for state in played(every_field, players, seed):
        for seat in (*range(players), None):
            view = state.view(seat)
            assert every_field.view_from_json(view.to_json()) == view
            assert every_field.view_from_bytes(view.rules, view.to_bytes()) == view


@pytest.mark.parametrize("name", ["hearts", "kuhn", "liars_dice"])
def test_every_view_of_the_games_in_the_box_is_read_as_it_was_written(name: str) -> None:
    game = load(name)
    for state in played(game, max(game.players), 1):
        for seat in (*range(state.players), None):
            assert game.view_from_json(state.view(seat).to_json()) == state.view(seat)


def test_a_value_is_told_as_a_person_would_write_it(every_field: Game) -> None:
    state = at_ply(every_field, 5)
    truth, seen = state.truth(), state.view(1).to_json()["view"]

    assert list(seen)[:3] == ["seat", "ply", "to_move"]
    assert (seen["seat"], seen["ply"], seen["to_move"]) == (1, 5, [2])
    assert seen["hands"] == [None, truth["hands"][1], None]
    assert seen["hands_counts"] == [3, 3, 3]
    assert all(card in CARDS for card in truth["hands"][1])
    assert truth["crowd"][0][0] in {"guard", "priest", "king"}
    assert seen["secret"] is None
    assert seen["secret_counts"] == int(truth["secret"] is not None) == 1
    assert seen["cups"][1] == sorted(truth["cups"][1], reverse=True)
    assert seen["cups_counts"] == [1, 1, 1]
    assert [value is None or 1 <= value <= 6 for value in seen["thrown"]] == [True, True]
    assert "noted_counts" not in seen  # what is noted is nowhere
    assert seen["noted"][0] is None
    assert seen["purse"] == [None, 5, None]
    assert seen["track"] == [[5000, 69995], [5001, 69995], [5002, 69995]]
    assert all(isinstance(value, bool) for row in seen["turned"] for value in row)
    spectator = state.view(None).to_json()["view"]
    assert (spectator["seat"], spectator["hands"], spectator["hands_counts"]) == (None, [None] * 3, [3] * 3)


def test_whoever_a_mask_names_sees_what_it_hides(every_field: Game) -> None:
    shown = 0
    for state in played(every_field, 3, 2):
        for seat in range(3):
            seen = state.view(seat).to_json()["view"]
            for owner in range(3):
                is_seen = seat in seen["looking"][owner]
                assert (seen["crowd"][owner] is not None) == is_seen
                shown += is_seen and owner != seat
    assert shown


# ---- What may be left out ----


def test_what_a_field_usually_is_need_not_be_told(every_field: Game) -> None:
    view = every_field.new(3, seed=1).view(0)
    read = typed(every_field, view, street=..., score=..., to_move=..., may=...)

    assert read.to_json()["view"]["street"] == []
    assert read.to_json()["view"]["score"] == [0, 0, 0]
    assert read.to_json()["view"]["to_move"] == [0]
    assert read.to_json()["view"]["may"] == [CARDS] * 3


def test_what_nobody_sees_need_not_be_told_but_how_much_there_is(every_field: Game) -> None:
    view = at_ply(every_field, 5).view(0)

    assert typed(every_field, view, pile=..., secret=...) == view
    assert problems(every_field, view, pile=..., pile_counts=...) == {
        "pile_counts": "is missing; expected how many are hidden in pile"
    }


def test_a_spectator_leaves_out_what_each_seat_sees_alone(every_field: Game) -> None:
    view = at_ply(every_field, 3).view(None)

    assert typed(every_field, view, hands=..., noted=..., purse=...) == view
    assert set(problems(every_field, at_ply(every_field, 3).view(2), hands=..., noted=...)) == {"hands", "noted"}


def test_how_many_cards_others_hold_follows_where_all_are_somewhere() -> None:
    game = load("hearts")
    state = game.new(4, seed=3, passing=False)
    view = state.view(state.seat_to_move)

    assert typed(game, view, hands_counts=..., aside_counts=[0] * 4) == view


@pytest.mark.parametrize("passing", [False, True])
def test_in_the_middle_of_a_trick_what_was_laid_down_counts_with_the_hand(passing: bool) -> None:
    game = load("hearts")
    in_tricks = 0
    for state in played(game, 4, 3, passing=passing):
        seat = state.seat_to_move
        if seat is None or (view := state.view(seat)).to_json()["view"]["choosing"]:
            continue
        in_tricks += any(view.to_json()["view"]["table"])
        assert typed(game, view, hands_counts=..., aside_counts=...) == view

    assert in_tricks > 30


def test_hands_that_differ_otherwise_must_be_told() -> None:
    game = load("hearts")
    state = next(state for state in played(game, 4, 3, passing=False) if len(state.moves) == 21)
    view = state.view(state.seat_to_move)
    gone = view.to_json()["view"]["gone"]

    found = problems(game, view, hands_counts=..., gone=gone[2:])
    assert found["hands_counts"] == "is missing; expected how many are hidden in hands"


# ---- How many moves were played ----


def test_the_number_of_moves_need_not_be_told_where_no_rule_looks_at_it() -> None:
    for name, players in (("hearts", 4), ("liars_dice", 3)):
        game = load(name)
        for state in played(game, players, 2):
            seat = state.seat_to_move
            if seat is not None:
                view = state.view(seat)
                read = typed(game, view, ply=...)
                assert read == typed(game, view, ply=0)
                assert read.legal_moves() == view.legal_moves()


def test_a_match_from_a_view_without_the_number_of_moves_comes_to_its_end() -> None:
    """The most moves of a match are counted from there, so none is cut off."""
    game = load("hearts")
    for state in played(game, 4, 6):
        seat = state.seat_to_move
        if seat is None:
            continue
        rng, world = random.Random(1), typed(game, state.view(seat), ply=...).determinize(1)
        while not world.is_over:
            world.play(rng.choice(world.legal_moves()))
        assert sum(world.utilities) == pytest.approx(1)


def test_the_number_of_moves_must_be_told_where_a_rule_looks_at_it(every_field: Game) -> None:
    game = load("kuhn")

    assert problems(game, game.new(2, seed=1).view(0), ply=...) == {"ply": "is missing"}


# ---- The games in the box ----


def test_who_sits_at_hearts_tells_what_lies_there_and_little_else() -> None:
    game = load("hearts")
    state = next(state for state in played(game, 4, 5) if len(state.moves) == 22)
    view = state.view(state.seat_to_move).to_json()
    kept = {"seat", "hands", "table", "gone", "led", "points", "choosing"}

    read = game.view_from_json(view | {"view": {name: view["view"][name] for name in kept}})
    assert read.legal_moves() == state.legal_moves()
    assert read.to_json()["view"]["hands_counts"] == view["view"]["hands_counts"]


def test_the_suit_that_was_led_is_missed_where_a_card_is_on_the_table() -> None:
    game = load("hearts")
    states = [state.copy() for state in played(game, 4, 5, passing=False) if len(state.moves) in {1, 4}]
    on_table, led = (state.view(state.seat_to_move) for state in states)

    assert typed(game, led, led=...) == led
    assert "which suit was led?" in problems(game, on_table, led=...)["view"]


def test_dice_that_were_lifted_and_how_often_they_were_need_not_be_told() -> None:
    game = load("liars_dice")
    state = next(state for state in played(game, 3, 2) if state.truth() and state.view(0).to_json()["view"]["round"])
    view = state.view(state.seat_to_move)

    assert typed(game, view, lifted=..., round=..., ply=...).legal_moves() == view.legal_moves()


def test_who_holds_one_card_supposes_that_the_other_does() -> None:
    game = load("kuhn")
    view = game.new(2, seed=1).view(0)

    assert typed(game, view, hands_counts=...) == view


def test_the_seats_of_a_spectators_view_must_say_who_is_asked(every_field: Game) -> None:
    found = problems(every_field, at_ply(every_field, 2).view(None), to_move=...)

    assert list(found) == ["to_move"]


# ---- What is wrong ----


def test_all_that_is_wrong_is_told_at_once(every_field: Game) -> None:
    view = at_ply(every_field, 5).view(1)
    seen = view.to_json()["view"]
    mine = seen["hands"][1]

    found = problems(
        every_field,
        view,
        open=[*seen["open"][:2], mine[0]],
        hands=[["A1"], mine, None],
        noted=[None, None, None],
        mood=6,
        awake=1,
        friends=[0, 5],
        chief=4,
        cups=[None, [1, 2, 3, 4], None],
        face_up=["queen", None, None],
        unheard=3,
        grid=[1, 2],
        track=...,
    )

    assert found == {
        "unheard": "is unknown",
        "track": "is missing",
        "hands[0]": "is told, but seat 1 does not see it; expected null",
        "noted[1]": "is null, but seat 1 sees it",
        "open": f"holds {mine[0]}, which hands[1] holds, too",
        "mood": "is 6; expected a whole number from -5 to 5",
        "awake": "is 1; expected true or false",
        "friends": "is 5; expected a whole number from 0 to 2",
        "chief": "is 4; expected a whole number from 0 to 2",
        "cups[1]": "is [1, 2, 3, 4]; expected a list of at most 3",
        "face_up[0]": "is 'queen'; expected one of guard, priest, king",
        "grid": "is [1, 2]; expected a list of 3",
    }


@pytest.mark.parametrize(
    ("changes", "field", "problem"),
    [
        ({"hands_counts": [3, 2, 3]}, "hands_counts[1]", "is 2; hands[1] shows 3"),
        ({"hands_counts": [9, 3, 9]}, "hands_counts", "say that 20 cards are hidden; 10 are not seen"),
        ({"secret_counts": 2}, "secret_counts", "is 2; expected a whole number from 0 to 1"),
        ({"crowd": [None, ["king", "king"], None]}, "crowd[1]", "holds king 2 times; there are 1"),
        ({"open": ["A1", "A1", "A2"]}, "open", "holds A1 twice"),
        ({"open": "A1"}, "open", "is 'A1'; expected a list"),
        ({"hands": [None, ["Z9", "A1", "A2"], None]}, "hands[1]", "holds 'Z9'; expected a card, such as A1"),
        ({"may": [["A1"], ["A1"], ["A1"]]}, "may[0]", "leaves 0 cards that can be in hands[0], where 3 are hidden"),
        ({"seat": 3}, "seat", "is 3; expected a whole number from 0 to 2"),
        ({"seat": True}, "seat", "is True; expected a whole number from 0 to 2"),
        ({"ply": 41}, "ply", "is 41; expected a whole number from 0 to 40"),
        ({"to_move": [1, 1]}, "to_move", "names a seat twice: [1, 1]"),
    ],
)
def test_what_cannot_be_is_refused_by_name(every_field: Game, changes: dict[str, Any], field: str, problem: str) -> None:
    found = problems(every_field, at_ply(every_field, 5).view(1), **changes)

    assert found[field] == problem


def test_a_kind_is_not_seen_more_often_than_it_is_there(every_field: Game) -> None:
    view = next(
        state.view(1)
        for state in played(every_field, 3, 4)
        if state.view(1).to_json()["view"]["crowd"][1] is not None and len(state.moves) % 2
    )
    kings = {"crowd": [None, ["king", "guard"], None], "looking": [[], [1], []], "face_up": ["king", "king", "guard"]}

    found = problems(every_field, view, **kings)
    assert found["face_up[1]"] == "holds king, with crowd[1] 3 in all; there are 1"


BAGS = """
from machiavel.kit import Action, Bag, Cards, Game

BAG = Bag({"guard": 4, "priest": 2})

class Bags(Game):
    name, version, titles, players, longest = "bags", 1, {"en": "Bags"}, [2], 9
    hands = Cards(BAG, each_seat=True, seen_by="owner", within="may")
    may = Cards(BAG, each_seat=True, zone=False)
    play = Action(BAG)

    def deal(self, luck):
        self.hands[0] = 2 * BAG.one(0)
        self.hands[1] = 2 * BAG.one(0)
        self.may[0] = BAG.one(0)
        self.may[1] = BAG.one(0)

    def legal(self, seat):
        return self.play.each(self.hands[seat])

    def apply(self, kind, luck):
        self.hands[self.mover] -= BAG.one(kind)
        self.end()

    def result(self, shares):
        shares[0] = 1
"""


def test_a_mask_says_which_kinds_of_a_bag_there_may_be_and_not_how_many(tmp_path: Path) -> None:
    game = load_text(tmp_path, BAGS)
    view = game.new(2, seed=1).view(0)

    assert typed(game, view) == view
    assert {bytes(view.determinize(seed).to_bytes()) for seed in range(9)} == {game.new(2, seed=1).to_bytes()}
    assert set(problems(game, view, may=[["guard"], ["priest"]], hands_counts=[2, 3])) == {"may[1]"}


def test_a_view_that_no_deal_gives_is_refused() -> None:
    """Each mask leaves room for one hand, but not for both."""
    game = load("hearts")
    state = game.new(4, seed=3, passing=False)
    seat = state.seat_to_move
    assert seat is not None
    view = state.view(seat)
    hand = view.to_json()["view"]["hands"][seat]
    others = [card for card in FRENCH if card not in hand]
    may = [FRENCH] * 4
    for other in range(4):
        if other not in {seat, (seat + 1) % 4}:
            may[other] = others[:20]

    with pytest.raises(BadView, match="contradicts itself: no deal gives what it shows"):
        typed(game, view, may=may)
