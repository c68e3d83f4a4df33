"""What a seat sees, and the worlds it must hold possible."""

import ctypes
import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from machiavel.engines import BadView, NotToMove, State
from tests.conformance.cases import OPEN, Case, positions, scaled, walk
from tests.conformance.contract import RULES_CAPSULE, contract_of, likelihood_of, pointer_of

MAGIC = 12  # bytes before the engine's own: a mark and the rules
STRANGE: Sequence[Any] = (None, True, -1, 0, 1, 255, 1e300, 10**30, "", "?", [], [None], [[]], {}, {"": []})


def observers(case: Case) -> list[int | None]:
    return [*range(case.players), None]


def test_every_world_gives_back_the_view_and_its_key(case: Case) -> None:
    for number, state in enumerate(positions(case, scaled(20))):
        for seat in observers(case):
            view = state.view(seat)
            assert view.seat == seat
            for seed in range(number, number + 3):
                world = view.determinize(seed)
                assert world.view(seat) == view
                assert world.view_key(seat) == state.view_key(seat)
                assert world.seats_to_move == state.seats_to_move
                assert world.seat_to_move == state.seat_to_move


def future(case: Case, world: State) -> bytes:
    """What nobody but the world knows: its bytes, or what comes of it where these hide nothing."""
    if case.name in OPEN:
        *_, (world, _) = walk(world, 0)
    return world.to_bytes()


def test_worlds_are_drawn_and_not_the_truth(case: Case) -> None:
    for seed in range(scaled(5)):
        state = case.new(seed)
        for seat in observers(case):
            view = state.view(seat)
            worlds = {future(case, view.determinize(number)) for number in range(40)}
            assert len(worlds) > 1
            assert worlds != {future(case, state.copy())}


def test_a_world_of_a_world_is_the_same_draw(case: Case) -> None:
    for state in positions(case, scaled(5)):
        for seat in observers(case):
            world = state.view(seat).determinize(5)
            assert state.view(seat).determinize(5).to_bytes() == world.to_bytes()
            assert world.view(seat).determinize(6).to_bytes() == state.view(seat).determinize(6).to_bytes()


def test_every_world_is_playable_to_the_end(case: Case) -> None:
    for number, state in enumerate(positions(case, scaled(8))):
        for seat in observers(case):
            world = state.view(seat).determinize(number)
            *_, (last, _) = walk(world, number)
            assert last.is_over
            assert len(last.utilities) == case.players


def test_a_view_asks_who_the_state_asks(case: Case) -> None:
    for state in positions(case, scaled(15)):
        for seat in observers(case):
            view = state.view(seat)
            assert view.seats_to_move == state.seats_to_move
            assert view.is_over == state.is_over
            assert view.players == case.players
            if seat in state.seats_to_move:
                assert view.legal_moves() == state.legal_moves(seat)
            else:
                with pytest.raises(NotToMove):
                    view.legal_moves()


def test_equal_keys_mean_the_same_ply_mover_and_own_moves(case: Case) -> None:
    met: dict[tuple[int | None, int], Any] = {}
    for seed in range(scaled(15)):
        for state, _ in walk(case.new(seed), seed):
            for seat in observers(case):
                own = state.legal_moves(seat) if seat in state.seats_to_move else None
                meaning = (len(state.moves), state.seat_to_move, own)
                assert met.setdefault((seat, state.view_key(seat)), meaning) == meaning


def test_keys_of_different_seats_and_of_different_deals_differ(case: Case) -> None:
    met: dict[int, tuple[int | None, bytes]] = {}
    for seed in range(scaled(2000)):
        state = case.new(seed)
        for seat in observers(case):
            seen = (seat, state.seen_by(seat))
            assert met.setdefault(state.view_key(seat), seen) == seen
    views = {seen for _, seen in met.values()}
    assert len(met) == len(views)


def test_weights_depend_on_what_the_mover_sees_alone(case: Case) -> None:
    for number, state in enumerate(positions(case, scaled(30))):
        if not state.is_over:
            view = state.view(state.seat_to_move)
            for seed in range(number, number + 3):
                assert view.determinize(seed).weights() == state.weights()


def test_plausibility_is_more_than_none_and_at_most_certain(case: Case) -> None:
    for state in positions(case, scaled(20)) if contract_of(case.game.plugin).likelihood else []:
        for seat in range(case.players):
            for world in (state, state.view(seat).determinize(0)):
                plausible = likelihood_of(world, seat)
                assert 0 < plausible <= 1
                assert likelihood_of(world, seat) == plausible == likelihood_of(world.copy(), seat)


def test_every_world_is_as_plausible_while_nobody_else_has_moved(case: Case) -> None:
    for seed in range(scaled(10)) if contract_of(case.game.plugin).likelihood else ():
        state = case.new(seed)
        seat = state.seat_to_move
        assert seat is not None
        assert len({likelihood_of(state.view(seat).determinize(number), seat) for number in range(10)}) == 1


def test_some_worlds_are_more_plausible_than_others(case: Case) -> None:
    for state in positions(case, scaled(30)) if contract_of(case.game.plugin).likelihood else ():
        for seat in range(case.players):
            if len({likelihood_of(state.view(seat).determinize(number), seat) for number in range(10)}) > 1:
                return
    assert not contract_of(case.game.plugin).likelihood


def test_what_a_seat_alone_learns_follows_from_what_it_sees(case: Case) -> None:
    learnt = contract_of(case.game.plugin).private_observation
    pointer = pointer_of(case.rules.capsule, RULES_CAPSULE)

    def observation(before: State, text: str, seat: int) -> tuple[bytes, int]:
        move = before.resolve(text)
        after = before.copy()
        after.play(text)
        return after.seen_by(seat), learnt(pointer, before.to_bytes(), move, after.to_bytes(), seat)

    for seed in range(scaled(3) if learnt else 0):
        for state, draw in walk(case.new(seed), seed):
            for seat in range(case.players) if not state.is_over else ():
                world = state.view(seat).determinize(seed)
                text = draw.choice(state.legal_moves())
                if text in world.legal_moves():
                    seen, here = observation(state, text, seat)
                    same, there = observation(world, text, seat)
                    assert here == there or seen != same


def test_a_view_is_a_fixed_point_of_json_and_of_bytes(case: Case) -> None:
    game, rules = case.game, case.rules
    for state in positions(case, scaled(15)):
        json.dumps(state.truth())
        for seat in observers(case):
            view = state.view(seat)
            data = view.to_json()
            assert data["view"]["seat"] == seat
            for again in (game.view_from_json(data), game.view_from_json(json.dumps(data))):
                assert again == view and again.to_json() == data
            assert game.view_from_bytes(rules, view.to_bytes()) == view


def test_bytes_of_other_rules_or_sizes_are_refused(case: Case) -> None:
    game, rules = case.game, case.rules
    data = case.new(0).view(0).to_bytes()
    other_rules = data[: MAGIC - 1] + bytes([data[MAGIC - 1] ^ 1]) + data[MAGIC:]
    for wrong in (b"", data[:-1], data + b"\x00", data[:MAGIC], b"x" + data[1:], other_rules):
        with pytest.raises(BadView, match="bytes"):
            game.view_from_bytes(rules, wrong)
    with pytest.raises(BadView, match="bytes"):
        game.view_from_bytes(rules, list(data))  # type: ignore[arg-type]


def test_garbled_bytes_are_a_bad_view_or_a_sound_one(case: Case) -> None:
    game, rules = case.game, case.rules
    draw = random.Random(str(case))
    refused = 0
    for state in positions(case, scaled(12)):
        for seat in observers(case):
            good = state.view(seat).to_bytes()
            for _ in range(5):
                wrong = bytearray(good)
                for _ in range(draw.choice((1, 1, 2, 8))):
                    wrong[draw.randrange(MAGIC, len(wrong))] = draw.choice((0, 1, 2, 127, 255, draw.randrange(256)))
                try:
                    view = game.view_from_bytes(rules, bytes(wrong))
                except BadView:
                    refused += 1
                    continue
                assert view.to_bytes() == wrong
                assert view.determinize(1).view(view.seat) == view
    assert refused


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to all values within a JSON value."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from places(value, (*path, key))


def value_at(data: Any, path: Sequence[Any]) -> Any:
    for key in path:
        data = data[key]
    return data


def test_a_garbled_view_is_a_bad_view_or_a_sound_one(case: Case) -> None:
    game = case.game
    draw = random.Random(str(case))
    for state in positions(case, scaled(12), seed=2):
        for seat in observers(case):
            good = state.view(seat).to_json()
            paths = [path for path in places(good) if path]
            others = [value_at(good, path) for path in paths]
            for _ in range(5):
                wrong = json.loads(json.dumps(good))
                *path, last = draw.choice(paths)
                parent = value_at(wrong, path)
                if draw.random() < 0.2:
                    del parent[last]
                else:
                    parent[last] = draw.choice([draw.choice(STRANGE), draw.choice(others)])
                try:
                    view = game.view_from_json(wrong)
                except BadView:
                    continue
                assert view.determinize(1).view(view.seat) == view
                assert game.view_from_json(view.to_json()) == view


def test_what_is_no_view_at_all_is_refused(case: Case) -> None:
    good = case.new(0).view(0).to_json()
    wrong: list[Any] = ["", "[]", b"\xff", "nonsense", {}, [], None, 7, good | {"game": "x"}, good | {"view": []}]
    wrong += [good | {"rules_version": 0}, good | {"options": {}}, good | {"options": None}, good | {"view": {}}]
    wrong += [{name: value for name, value in good.items() if name != left_out} for left_out in good]
    for data in [*wrong, good | {"more": 1}]:
        with pytest.raises(BadView):
            case.game.view_from_json(data)


def test_a_view_stays_when_the_match_goes_on(case: Case) -> None:
    state = case.new(3)
    view = state.view(0)
    before = view.to_bytes(), view.determinize(0).to_bytes()
    for _ in walk(state, 3):
        pass

    assert (view.to_bytes(), view.determinize(0).to_bytes()) == before


def test_views_and_worlds_fill_every_byte(case: Case) -> None:
    contract = contract_of(case.game.plugin)
    rules = case.rules
    pointer = pointer_of(rules.capsule, RULES_CAPSULE)
    for state in positions(case, scaled(5)):
        for seat in observers(case):
            number = -1 if seat is None else seat
            dirty = ctypes.create_string_buffer(b"\xa5" * contract.view_size, contract.view_size)
            contract.view(pointer, state.to_bytes(), number, dirty)
            assert dirty.raw == state.seen_by(seat)
            clean = ctypes.create_string_buffer(contract.state_size)
            soiled = ctypes.create_string_buffer(b"\xa5" * contract.state_size, contract.state_size)
            for world in (clean, soiled):
                contract.determinize(pointer, dirty.raw, ctypes.c_uint64(1), world)
            assert clean.raw == soiled.raw
