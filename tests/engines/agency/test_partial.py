"""Views typed in at a real table: what follows from the rest may be left out, and what was forgotten, too."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from machiavel.engines import BadView, State, View
from machiavel.search import Limits, SearchParameters, recommend
from tests.engines.agency.table import GAME, lay, play, play_to

Json = dict[str, Any]
# Derived from the rest in every view of a seat that is asked, whatever else is left out with it.
DERIVED = (
    *("round", "phase", "to_move", "order", "stake", "segments", "reserve", "hand_counts", "winners", "ply", "last", "look"),
    *("martha", "jean", "last_round", "leader"),
)
# And, by who remembers all tricks of a round's first half, these as well.
OF_TRICKS = ("plan_points", "greens", "yellows", "tricks", "latest", "seen")


def positions(count: int, seed: int = 0, **options: Any) -> Iterator[State]:
    rng = random.Random(seed)
    while count:
        state = GAME.new(rng.randint(2, 5), seed=rng.getrandbits(64), **options)
        for _ in range(rng.randrange(120)):
            if not state.is_over:
                state.play(rng.choice(state.legal_moves()))
        if not state.is_over:
            count -= 1
            yield state


def read(view: Json, left_out: tuple[str, ...] = (), **told: Any) -> View:
    kept = {field: value for field, value in view["view"].items() if field not in left_out}
    return GAME.view_from_json(view | {"view": kept | told})


def plain(view: Json) -> bool:
    """Whether nothing of what is left out is news: no power is or was at work, no round is over, the pile is as shuffled."""
    seen = view["view"]
    return seen["last"] is None and not seen["martha"] and not seen["jean"] and seen["look"] is None and seen["round"] == 1


def test_all_that_is_derivable_may_be_left_out_at_once() -> None:
    """Without powers, and in the first round, where the plans won are told by the tricks of the half."""
    compared = 0
    for state in positions(150, powers=False):
        view = state.view(state.seat_to_move).to_json()
        seen = view["view"]
        if seen["round"] != 1 or seen["trick"] > 6 or seen["phase"] != "play":
            continue
        left_out = tuple(field for field in (*DERIVED, *OF_TRICKS, "agents", "medals", "pile"))
        assert read(view, left_out, stake=seen["stake"]) == state.view(state.seat_to_move)
        compared += 1
    assert compared > 10


@pytest.mark.parametrize("powers", [True, False])
def test_each_field_that_follows_may_be_left_out(powers: bool) -> None:
    follows = ("phase", "to_move", "order", "stake", "reserve", "hand_counts", "winners")
    for state in positions(60, seed=1, powers=powers):
        for seat in (state.seat_to_move, None):
            view = state.view(seat)
            if seat is None and str(view.to_json()["view"]["stake"]).endswith("pass_left"):
                continue  # a spectator must say whether the cards have been passed
            for count in range(1, len(follows) + 1):
                for some in itertools.islice(itertools.combinations(follows, count), 4):
                    left = tuple(field for field in some if field != "phase" or seat is not None or "stake" not in some)
                    if view.to_json()["view"]["phase"] == "pass":
                        left = tuple(field for field in left if field not in {"to_move", "phase"})
                    assert read(view.to_json(), left) == view


def test_the_advice_is_that_of_the_whole_view() -> None:
    compared = 0
    for state in positions(60, seed=2, powers=False):
        whole = state.view(state.seat_to_move)
        seen = whole.to_json()["view"]
        if seen["round"] != 1 or seen["trick"] > 6 or seen["phase"] != "play":
            continue
        partial = read(whole.to_json(), (*DERIVED, *OF_TRICKS), stake=seen["stake"])
        answers = [recommend(view, Limits(iterations=200), SearchParameters(seed=2), explain=True) for view in (whole, partial)]
        assert answers[0] == answers[1]
        compared += 1
    assert compared > 4


def test_what_a_person_sees_is_enough() -> None:
    """Hand, stake, trick, the cards on the table, and what has been taken."""
    seen: Json = {"seat": 0, "hand": ["G8", "Y12", "M3"], "stake": "4", "trick": 4, "table": [[2, "B7"]]}
    seen |= {"plan_points": [4, 3, 6], "greens": [1, 0, 2], "yellows": [0, 3, 0], "agents": ["martha", "wxt", "jean"]}
    view = GAME.view_from_json({"game": "agency", "rules_version": 1, "options": {"players": 3}, "view": seen})
    again = view.to_json()["view"]
    assert view.seats_to_move == {0}
    assert again["order"] == [2, 0, 1]
    assert sum(again["tricks"]) == 3
    assert [entry["trick"] for entry in again["half"]] == [4]
    assert recommend(view, Limits(iterations=100)).best in seen["hand"]


def test_what_was_forgotten_makes_no_worlds_that_contradict_the_rest() -> None:
    for state in positions(80, seed=3):
        view = state.view(state.seat_to_move)
        data = view.to_json()
        seen = data["view"]
        if seen["look"] is not None or any(entry["pass_left"] for entry in seen["half"]):
            continue
        forgotten = read(data, ("half", "latest", "tricks", "ply", "segments", "last_round"), gone=gone_of(state))
        assert forgotten.legal_moves() == view.legal_moves()
        for seed in range(3):
            world = forgotten.determinize(seed)
            assert world.view(view.seat) == forgotten
            while not world.is_over and world.view().to_json()["view"]["round"] == seen["round"]:
                world.play(world.legal_moves()[0])


def gone_of(state: State) -> list[str]:
    """What has left the pile this round: the cards of the match but for those left in it."""
    truth = state.truth()
    view = state.view()
    deck = view.rules.tables.deck
    every: list[str] = [deck.kind_texts[kind] for kind, count in enumerate(deck.counts) for _ in range(count)] + truth["agents"]
    for card in truth["pile"]:
        every.remove(card)
    return every


def test_gone_tells_which_plans_are_left() -> None:
    for state in positions(40, seed=4):
        view = state.view(state.seat_to_move)
        if view.to_json()["view"]["round"] > 1:
            continue
        assert read(view.to_json(), ("segments", "pile"), gone=gone_of(state), pile=view.to_json()["view"]["pile"]) == view


def test_without_them_the_plans_thought_gone_come_to_the_points_taken() -> None:
    for state in positions(60, seed=5, powers=False):
        view = state.view(state.seat_to_move)
        result = read(view.to_json(), ("segments", "pile"), stake=view.to_json()["view"]["pile"][0]).to_json()["view"]
        deck = view.rules.tables.deck
        left = [*result["segments"][0]["unseen"], result["pile"][0]] if result["segments"] else []
        values = sum(int(card.partition("+")[0]) for card in left)
        every = sum(value * count for (value, _), count in zip(deck.kinds, deck.counts, strict=True))
        assert every - values == sum(result["plan_points"])


def test_a_half_may_be_told_from_any_trick_on() -> None:
    hands = ["M1 B1 G1 G2 Y1 Y2", "M2 B2 G3 G4 Y3 Y4", "M3 B3 G5 G6 Y5 Y6"]
    state = play(lay(3, hands, "1 1+pass_left 5+follow_suit 3", agents=["moignons", "belton", "martha"]), "B1 B2 B3")
    play(state, "pass:G1 pass:G3 pass:G5")
    view = state.view(state.seat_to_move)
    data = view.to_json()
    data["view"]["half"] = data["view"]["half"][1:]
    result = GAME.view_from_json(data)
    assert [entry["trick"] for entry in result.to_json()["view"]["half"]] == [2]
    received = view.to_json()["view"]["half"][1]["received"]
    for seed in range(50):
        world = result.determinize(seed)
        assert world.view(view.seat) == result
        assert received in world.view(view.seat).to_json()["view"]["hand"]
        hands_now = world.truth()["hands"]
        assert [len(hand) for hand in hands_now] == result.to_json()["view"]["hand_counts"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hand": ["G8", "B7", "M3"]}, ("hand", "holds B7, and B7 lies on the table")),
        ({"seen": ["B7", "G8"]}, ("hand", "holds G8, and G8 is among the cards seen")),
        ({"plan_points": [60, 3, 6]}, ("plan_points", "sum up to 69")),
        ({"pile": ["4", "4", "4", "4", "4"]}, ("pile", "holds '4' 5 times")),
        ({"gone": ["4", "4", "4"]}, ("gone", "holds '4' 3 times, and pile 1 times; the match has 3")),
        ({"gone": ["4", "3"]}, ("gone", "names 2 plans, but trick is 4")),
        ({"trick": 3}, ("trick", "show that 3 tricks have been won")),
        ({"agents": None}, ("agents", "are missing")),
        ({"stake": None}, ("stake", "is missing")),
        ({"trick": None}, ("trick", "is missing")),
        ({"greens": None}, ("greens", "are missing")),
        ({"medals": [1, 0, 0], "round": 4}, ("medals", "3 finished rounds")),
        ({"seat": 1}, ("to_move", "")),
    ],
)
def test_two_facts_that_clash_are_both_named(change: Json, words: tuple[str, str]) -> None:
    seen: Json = {"seat": 0, "hand": ["G8", "Y12", "M3"], "stake": "4", "trick": 4, "table": [[2, "B7"]]}
    seen |= {"plan_points": [4, 3, 6], "greens": [1, 0, 2], "yellows": [0, 3, 0], "agents": ["martha", "wxt", "jean"]}
    seen = {field: value for field, value in (seen | change).items() if value is not None}
    if change == {"seat": 1}:  # who is not asked may still look at the table
        assert GAME.view_from_json(
            {"game": "agency", "rules_version": 1, "options": {"players": 3}, "view": seen}
        ).seats_to_move == {0}
        return
    with pytest.raises(BadView) as caught:
        GAME.view_from_json({"game": "agency", "rules_version": 1, "options": {"players": 3}, "view": seen})
    assert caught.value.field == words[0]
    assert words[1] in caught.value.problem


def test_a_view_that_lacks_fields_at_random_is_refused_or_sound() -> None:
    rng = random.Random(6)
    bases = [state.view(seat) for state in positions(40, seed=6) for seat in (state.seat_to_move, None)]
    read_ones = 0
    for _ in range(1500):
        base = rng.choice(bases).to_json()
        view = base["view"]
        for field in rng.sample(sorted(view), rng.randrange(1, len(view))):
            del view[field]
        for entry in view.get("half", []):
            for name in rng.sample(sorted(entry), rng.randrange(3)):
                del entry[name]
        try:
            result = GAME.view_from_json(base)
        except BadView:
            continue
        read_ones += 1
        again = result.to_json()
        assert GAME.view_from_json(again) == result
        assert GAME.view_from_bytes(result.rules, result.to_bytes()) == result
        assert result.determinize(3).view(result.seat) == result
    assert read_ones > 30


def test_every_field_can_be_completed_or_is_asked_for() -> None:
    whole = play_to(lay(3, pile="1 2 3 4"), 1, 3).view(0).to_json()
    for field in whole["view"]:
        kept = {name: value for name, value in whole["view"].items() if name != field}
        if field in {"seat", "hand"}:
            with pytest.raises(BadView, match=field):
                GAME.view_from_json(whole | {"view": kept})
        else:
            assert GAME.view_from_json(whole | {"view": kept}).seat == 0
