"""Views: what they say, and how they are written and read."""

import ctypes
import json
import random
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from machiavel.engines import BadView, NotToMove
from machiavel.engines.conformance.checks import Chapter
from machiavel.engines.conformance.trial import Finding, Trial, walk

__all__ = ["CHAPTER"]

CHAPTER = Chapter("views")
MAGIC = 12  # bytes before the engine's own: a mark and the rules
STRANGE: Sequence[Any] = (None, True, -1, 0, 1, 255, 1e300, 10**30, "", "?", [], [None], [[]], {}, {"": []})


@CHAPTER.check()
def who_is_asked(trial: Trial) -> Iterator[Finding]:
    """A view asks whom the state asks, and gives the seat its own legal moves."""
    for state in trial.positions(15):
        for seat in trial.case.observers:
            view = state.view(seat)
            yield from trial.equal(view.seats_to_move, state.seats_to_move, "seats asked by the view", seat)
            yield from trial.equal(view.is_over, state.is_over, "whether the view is over", seat)
            yield from trial.equal(view.players, trial.case.players, "players of the view", seat)
            if seat in state.seats_to_move:
                yield from trial.equal(view.legal_moves(), state.legal_moves(seat), "legal moves of the view", seat)
            else:
                yield from trial.refused(NotToMove, "legal moves of a seat not asked", view.legal_moves)


@CHAPTER.check()
def view_formats(trial: Trial) -> Iterator[Finding]:
    """Every view is the same after JSON, and after bytes."""
    game, rules = trial.game, trial.case.rules
    for state in trial.positions(15):
        json.dumps(state.truth())
        for seat in trial.case.observers:
            view = state.view(seat)
            data = view.to_json()
            yield from trial.equal(data["view"].get("seat", "none"), seat, "seat of the view", seat)
            for again in (game.view_from_json(data), game.view_from_json(json.dumps(data))):
                yield from trial.expect(again == view, "the same view out of its JSON", again.to_json()["view"], seat)
                yield from trial.equal(again.to_json(), data, "the JSON of a view out of JSON", seat)
            same = game.view_from_bytes(rules, view.to_bytes())
            yield from trial.expect(same == view, "the same view out of its bytes", same.to_json()["view"], seat)


@CHAPTER.check()
def foreign_bytes(trial: Trial) -> Iterator[Finding]:
    """Bytes of other rules, of another size or of another type are refused."""
    game, rules = trial.game, trial.case.rules
    data = trial.at(trial.new(0)).view(0).to_bytes()
    other_rules = data[: MAGIC - 1] + bytes([data[MAGIC - 1] ^ 1]) + data[MAGIC:]
    for wrong in (b"", data[:-1], data + b"\x00", data[:MAGIC], b"x" + data[1:], other_rules, list(data)):
        call = partial(game.view_from_bytes, rules, wrong)  # type: ignore[arg-type]
        yield from trial.refused(BadView, "bytes of something else", call, naming="bytes")


@CHAPTER.check()
def garbled_bytes(trial: Trial) -> Iterator[Finding]:
    """Garbled bytes are refused as a bad view, or are a sound one, of which worlds can be drawn."""
    game, rules = trial.game, trial.case.rules
    draw = random.Random(str(trial.case))
    refused = 0
    for state in trial.positions(12):
        for seat in trial.case.observers:
            good = state.view(seat).to_bytes()
            for _ in range(5):
                wrong = bytearray(good)
                for _ in range(draw.choice((1, 1, 2, 8))):
                    wrong[draw.randrange(MAGIC, len(wrong))] = draw.choice((0, 1, 2, 127, 255, draw.randrange(256)))
                trial.counts["garbled views"] += 1
                try:
                    view = game.view_from_bytes(rules, bytes(wrong))
                except BadView:
                    refused += 1
                    continue
                yield from trial.expect(view.to_bytes() == wrong, "the bytes as they were given, or BadView", wrong.hex(), seat)
                world = view.determinize(1)
                yield from trial.expect(world.view(view.seat) == view, "a world that gives back the view", wrong.hex(), seat)
    yield from trial.expect(refused, "some garbled bytes to be refused", "none was")


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


@CHAPTER.check()
def garbled_json(trial: Trial) -> Iterator[Finding]:
    """A view with a strange or missing field is refused as a bad view, or is a sound one, of which worlds can be drawn."""
    draw = random.Random(str(trial.case))
    for state in trial.positions(12, salt=2):
        for seat in trial.case.observers:
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
                trial.counts["garbled views"] += 1
                yield from read_or_refused(trial, wrong, ".".join(map(str, [*path, last])), seat)


def read_or_refused(trial: Trial, data: Any, changed: str, seat: int | None) -> Iterator[Finding]:
    try:
        view = trial.game.view_from_json(data)
    except BadView:
        return
    except Exception as error:  # noqa: BLE001 - any other error is what is looked for
        yield trial.finding(f"BadView, where {changed} is garbled", f"{type(error).__name__}: {error}", seat)
        return
    what = f"where {changed} is garbled"
    yield from trial.expect(view.determinize(1).view(view.seat) == view, f"a world that gives back the view, {what}", data, seat)
    again = trial.game.view_from_json(view.to_json())
    yield from trial.expect(again == view, f"the same view out of its JSON, {what}", data, seat)


@CHAPTER.check()
def no_view_at_all(trial: Trial) -> Iterator[Finding]:
    """What is no view at all is refused as a bad view."""
    good = trial.at(trial.new(0)).view(0).to_json()
    wrong: list[Any] = ["", "[]", b"\xff", "nonsense", {}, [], None, 7, good | {"game": "x"}, good | {"view": []}]
    wrong += [good | {"rules_version": 0}, good | {"options": {}}, good | {"options": None}, good | {"view": {}}]
    wrong += [{name: value for name, value in good.items() if name != left_out} for left_out in good]
    for data in [*wrong, good | {"more": 1}]:
        yield from trial.refused(BadView, f"the view {str(data)[:60]}", partial(trial.game.view_from_json, data))
        trial.counts["garbled views"] += 1


@CHAPTER.check()
def lasting_views(trial: Trial) -> Iterator[Finding]:
    """A view stays as it is when the match goes on."""
    state = trial.at(trial.new(3))
    view = state.view(0)
    before = view.to_bytes(), view.determinize(0).to_bytes()
    for _ in walk(state, 3):
        pass

    yield from trial.expect((view.to_bytes(), view.determinize(0).to_bytes()) == before, "a view that the match does not change")


@CHAPTER.check()
def every_byte(trial: Trial) -> Iterator[Finding]:
    """Views and worlds set every byte, whatever was in memory before."""
    contract, pointer = trial.case.contract, trial.case.pointer
    for state in trial.positions(5):
        for seat in trial.case.observers:
            number = -1 if seat is None else seat
            dirty = ctypes.create_string_buffer(b"\xa5" * contract.view_size, contract.view_size)
            contract.view(pointer, state.to_bytes(), number, dirty)
            yield from trial.expect(dirty.raw == state.seen_by(seat), "a view with every byte set", dirty.raw.hex(), seat)
            clean = ctypes.create_string_buffer(contract.state_size)
            soiled = ctypes.create_string_buffer(b"\xa5" * contract.state_size, contract.state_size)
            for world in (clean, soiled):
                contract.determinize(pointer, dirty.raw, ctypes.c_uint64(1), world)
            yield from trial.expect(clean.raw == soiled.raw, "a world with every byte set", soiled.raw.hex(), seat)
