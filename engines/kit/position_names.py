"""What a move is called where a view stands: the author's `called` says which of its action's names it has there."""

from collections.abc import Callable, Mapping
from typing import Any

from machiavel.engines.errors import GameFault
from machiavel.engines.kit.fault_texts import error_told
from machiavel.engines.kit.interpreted import InterpretedPosition, PeekingRule
from machiavel.engines.kit.numbered_moves import NamedMove
from machiavel.engines.kit.source import GameSource
from machiavel.engines.plugin import Rules

__all__ = ["PositionNames"]

Seen = Mapping[str, Any]
SPECTATOR = -1


class PositionNames:
    """Asks `called`, interpreted, of what all see of a view: so a name tells nobody more than that."""

    def __init__(
        self,
        source: GameSource,
        positions: Callable[[Rules], type[InterpretedPosition]],
        view_bytes: Callable[[Rules, Seen], bytes],
    ) -> None:
        """`positions` gives the class of interpreted positions, and `view_bytes` the bytes of a view."""
        self.source = source
        self.positions = positions
        self.view_bytes = view_bytes

    def name(self, rules: Rules, seen: Seen, move: NamedMove, seat: int | None = None) -> str:
        """The name of a move that `seat` makes, or else who is asked there. Raises GameFault for what `called` does wrong."""
        asked = seen.get("to_move")
        if not asked:
            return move.action.name
        position = self.position(rules, seen)
        position.mover = seat if seat is not None else seen["seat"] if seen["seat"] in asked else asked[0]
        try:
            which = position.called(move.number)
        except PeekingRule as error:
            raise self.fault(f"called looks at {error}, which not all see", error) from None
        except Exception as error:  # noqa: BLE001 - whatever an author's function raises
            raise self.fault("", error) from None
        names = move.action.names
        if not 0 <= which < len(names):
            raise self.fault(f"called answers {which} for {move.action.name}; expected 0 to {len(names) - 1}")
        return names[which]

    def position(self, rules: Rules, seen: Seen) -> InterpretedPosition:
        """The position of a view as all see it."""
        kept = rules.made.get(self)
        # Moves are named in rows: what takes time is done once for those of one view.
        if kept is None or kept[0] is not seen:
            kept = rules.made[self] = (seen, self.view_bytes(rules, seen))
        result = self.positions(rules)()
        result.load(kept[1])
        result.hide_from(SPECTATOR)
        return result

    def fault(self, what: str, error: Exception | None = None) -> GameFault:
        told = None if error is None else error_told(self.source, error)
        name = self.source.description.name
        return GameFault(name, what) if told is None else GameFault(name, what or told.what, kind=told.kind, place=told.place)
