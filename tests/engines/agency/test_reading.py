"""Views from outside: what a match shows reads back, and what none could show is refused by its field."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import BadView, State
from machiavel.engines.agency.schema import VIEWS
from tests.engines.agency.table import GAME, deck_of, lay, play, play_to, play_to_the_end, seen

ROOT = Path(__file__).resolve().parents[3]
Json = dict[str, Any]
OPTIONS: list[Json] = [
    {"players": 2},
    {"players": 3, "medals": 3},
    {"players": 4, "agents": ["wxt", "jean", "moignons", "martha"]},
    {"players": 5},
    {"players": 3, "powers": False},
    {"players": 2, "accomplices": False, "medals": 1},
    {
        "players": 2,
        "deck": deck_of({"M": range(1, 7), "B": range(1, 10), "G": range(2, 20, 2)}, ["1+follow_suit", "1+pass_left"] * 7),
    },
]


def positions(share: float, seed: int) -> list[State]:
    """Positions of random matches under all kinds of options."""
    rng = random.Random(seed)
    result = []
    for number, options in enumerate(OPTIONS):
        state = GAME.new(**options, seed=seed + number)
        while not state.is_over:
            if rng.random() < share:
                result.append(state.copy())
            state.play(rng.choice(state.legal_moves()))
        result.append(state)
    return result


# ---- What a match shows ----


def test_every_view_reads_back_from_json_and_from_bytes() -> None:
    for state in positions(0.15, 1):
        for seat in (*range(state.players), None):
            view = state.view(seat)
            data = view.to_json()
            again = GAME.view_from_json(json.dumps(data))
            assert again == view and again.to_bytes() == view.to_bytes() and again.to_json() == data
            assert GAME.view_from_json(data) == view
            assert GAME.view_from_bytes(state.rules, view.to_bytes()) == view
            assert hash(again) == hash(view)


def test_a_view_read_back_asks_the_same_and_gives_the_same_worlds() -> None:
    for state in positions(0.03, 2):
        for seat in (*range(state.players), None):
            view = state.view(seat)
            again = GAME.view_from_json(view.to_json())
            assert again.seats_to_move == view.seats_to_move == state.seats_to_move and again.is_over == state.is_over
            assert again.determinize(5).to_bytes() == view.determinize(5).to_bytes()
            if seat in state.seats_to_move:
                assert again.legal_moves() == state.legal_moves(seat)


def test_a_view_has_every_field_of_its_page_and_no_other() -> None:
    documented = documented_fields()
    for state in positions(0.02, 3):
        assert [*seen(state, 0), "gone"] == documented  # which is typed in, and never shown


def documented_fields() -> list[str]:
    """The fields of the table of views in docs/agency.md, in order."""
    page = (ROOT / "docs/agency.md").read_text(encoding="utf-8").partition("## View")[2].partition("\n## ")[0]
    fields: list[str] = []
    for line in page.splitlines():
        if line.startswith("| `"):
            fields += [name.strip("` ") for name in line.split("|")[1].split(",")]
    return fields


# ---- What none could show ----


def mutated(rng: random.Random, data: Json) -> Json:
    """A view with one to three of its values changed, taken away or doubled."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        place: Any = data
        if isinstance(data.get("view"), dict) and rng.random() < 0.97:
            place = data["view"]
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(place[key], dict | list) and place[key] and rng.random() < 0.75:
                place = place[key]
                continue
            change(rng, place, key)
            break
    return data


def change(rng: random.Random, place: Any, key: Any) -> None:
    value = place[key]
    others: list[Any] = [
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        6,
        12,
        255,
        256,
        70000,
        2**70,
        1.5,
        "",
        "?",
        "M1",
        "G8",
        "4",
        "belton",
        "play",
        [],
        {},
    ]
    if isinstance(value, int):
        others += [value + 1, value - 1, value ^ 1] * 4
    choice = rng.random()
    if choice < 0.1:
        del place[key]
    elif choice < 0.2 and isinstance(value, list):
        place[key] = [*value, *value[:1]]
    elif choice < 0.35 and isinstance(value, list):
        place[key] = rng.sample(value, len(value))
    elif choice < 0.4 and isinstance(place, list):
        place.append(value)
    elif choice < 0.6 and isinstance(place, list):
        other = rng.randrange(len(place))
        place[key], place[other] = place[other], value
    else:
        place[key] = rng.choice(others)


def in_order(field: str, value: Any) -> Any:
    """Cards may be listed in any order."""
    return VIEWS.by_name[field].type.ordered(value)


def as_kept(told: dict[str, Any], again: dict[str, Any]) -> dict[str, Any]:
    """What was told, with what a null stands for."""
    kept = {field: again[field] if value is None else value for field, value in told.items() if field != "half"}
    return {field: in_order(field, value) for field, value in kept.items()}


def test_a_view_changed_at_random_is_refused_or_is_another_view() -> None:
    rng = random.Random(20)
    bases = [state.view(seat).to_json() for state in positions(0.05, 4) for seat in (*range(state.players), None)]
    read = 0
    for _ in range(2000):
        data = mutated(rng, rng.choice(bases))
        try:
            view = GAME.view_from_json(data)
        except BadView:
            continue
        read += 1
        again = view.to_json()["view"]
        assert {field: in_order(field, again[field]) for field in data["view"] if field != "half"} == as_kept(data["view"], again)
        known = {entry["trick"]: entry for entry in again["half"]}
        for entry in data["view"].get("half") or ():
            assert (
                known[entry["trick"]] | {name: value for name, value in entry.items() if value is not None}
                == known[entry["trick"]]
            )
        assert view.determinize(1).seen_by(view.seat) == view.determinize(2).seen_by(view.seat)
        assert GAME.view_from_bytes(view.rules, view.to_bytes()) == view
    assert 0 < read < 1000


def test_bytes_changed_at_random_are_refused_or_are_another_view() -> None:
    rng = random.Random(21)
    states = positions(0.03, 5)
    for _ in range(1500):
        state = rng.choice(states)
        data = bytearray(state.view(rng.choice([None, *range(state.players)])).to_bytes())
        for _ in range(rng.choice((1, 1, 2, 5))):
            data[rng.randrange(len(data))] = rng.choice((0, 1, 2, 7, 24, 63, 64, 128, 254, 255, rng.randrange(256)))
        try:
            view = GAME.view_from_bytes(state.rules, bytes(data))
        except BadView:
            continue
        assert view.to_bytes() == bytes(data) and view.determinize(1).seen_by(view.seat) is not None


@pytest.mark.parametrize("data", [b"", b"MVv1", "text", None, bytearray(4), bytes(1000)])
def test_bytes_that_are_no_view_are_refused(data: Any) -> None:
    with pytest.raises(BadView, match=r"view: bytes: "):
        GAME.view_from_bytes(GAME.make_rules(3), data)


def test_bytes_of_other_rules_are_refused() -> None:
    view = GAME.new(3, seed=1).view(0)
    with pytest.raises(BadView, match=r"were written by another game, other rules or another release"):
        GAME.view_from_bytes(GAME.make_rules(3, medals=3), view.to_bytes())


@pytest.mark.parametrize(
    ("change", "field", "problem"),
    [
        ({"game": "bridge"}, "game", "is 'bridge'; expected 'agency'"),
        ({"rules_version": 7}, "rules_version", "is 7; expected 1"),
        ({"options": []}, "options", "expected an object"),
        ({"options": {"players": 7}}, "options", "option 'players' cannot be 7"),
        ({"options": {"players": 3, "size": 1}}, "options", "option 'size'"),
        ({"options": {}}, "options", "option 'players' is missing"),
        ({"view": None}, "view", "expected an object"),
        ({"seat": 1}, "seat", "is unknown; fields: game, options, rules_version, view"),
    ],
)
def test_what_stands_around_a_view_is_checked(change: Json, field: str, problem: str) -> None:
    with pytest.raises(BadView) as refused:
        GAME.view_from_json(GAME.new(3, seed=1).view(0).to_json() | change)
    assert refused.value.field == field and problem in refused.value.problem


@pytest.mark.parametrize("data", ["", "{", "[]", "null", b"\xff", 3, None, []])
def test_what_is_no_json_object_is_refused(data: Any) -> None:
    with pytest.raises(BadView, match=r"view: (is no JSON|expected an object)"):
        GAME.view_from_json(data)


def test_a_view_of_other_options_is_refused() -> None:
    data = GAME.new(3, seed=1, medals=2).view(0).to_json()
    for options in ({"players": 2}, {"players": 3, "powers": False}, {"players": 4}, {"players": 3, "accomplices": False}):
        with pytest.raises(BadView):
            GAME.view_from_json({**data, "options": options})


def test_nothing_of_a_seats_own_reserve_can_be_read_in() -> None:
    data = lay(3).view(0).to_json()
    data["view"]["reserves"] = [["M1"]]
    with pytest.raises(BadView, match=r"view: reserves: is unknown"):
        GAME.view_from_json(data)


def test_views_of_a_finished_match_read_back() -> None:
    state = play_to_the_end(play(play_to(lay(2, medals=1), 1, 12), ""))
    for seat in (0, 1, None):
        assert GAME.view_from_json(state.view(seat).to_json()) == state.view(seat)
    data = state.view(0).to_json()
    assert data["view"]["phase"] == "over" and data["view"]["half"][-1]["trick"] == 12
