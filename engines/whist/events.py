"""What happens in a match of whist, from two views of one seat."""

from collections.abc import Iterator, Mapping
from typing import Any

from machiavel.engines.events import EventFields, GameEvent, SeenMove
from machiavel.engines.plugin import Rules
from machiavel.engines.whist.schema import ROUNDS

__all__ = ["EVENT_KINDS", "events"]

EVENT_KINDS: Mapping[str, EventFields] = {
    "round": {"round": "count", "count": "count", "trump": "suit"},
    "played": {"who": "seat", "card": "card"},
    **{kind: {"who": "seat"} for kind in ("trick", "out", "won")},
}


def events(
    rules: Rules,  # noqa: ARG001
    before: Mapping[str, Any] | None,
    move: SeenMove | None,
    after: Mapping[str, Any],
) -> Iterator[GameEvent]:
    if move is not None:
        yield GameEvent("played", {"who": move.seat, "card": move.text})
        if not after["table"]:
            yield GameEvent("trick", {"who": after["leader"]})
    last = before or {"round": 0, "contenders": []}
    yield from (GameEvent("out", {"who": seat}) for seat in last["contenders"] if seat not in after["contenders"])
    yield from (GameEvent("won", {"who": seat}) for seat in after["winners"])
    if after["round"] != last["round"]:
        yield GameEvent("round", {"round": after["round"], "count": ROUNDS + 1 - after["round"], "trump": after["trump"]})
