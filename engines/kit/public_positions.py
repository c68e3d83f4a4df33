"""A view as a position of the author's own functions, with what all see of it: what they say there tells no more than that."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from machiavel.engines.errors import GameFault
from machiavel.engines.kit.fault_texts import error_told
from machiavel.engines.kit.game_description import GameDescription
from machiavel.engines.kit.game_words import won_fields
from machiavel.engines.kit.interpreted import InterpretedPosition, PeekingRule
from machiavel.engines.kit.numbered_moves import NamedMove
from machiavel.engines.kit.source import GameSource
from machiavel.engines.plugin import Rules

__all__ = ["PublicPositions"]

Seen = Mapping[str, Any]
SPECTATOR = -1
ALIKE = 1e-9  # results that differ by less are the same


class PublicPositions:
    """Asks an author's functions, interpreted, of positions in which what not all see must not be looked at."""

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

    @property
    def game(self) -> GameDescription:
        return self.source.description

    # ---- What moves are called ----

    def name(self, rules: Rules, seen: Seen, move: NamedMove, seat: int | None = None) -> str:
        """The name of a move that `seat` makes, or else who is asked there. Raises GameFault for what `called` does wrong."""
        asked = seen.get("to_move")
        if not asked:
            return move.action.name
        position = self.position(rules, seen)
        position.mover = seat if seat is not None else seen["seat"] if seen["seat"] in asked else asked[0]
        with self.faults("called"):
            which = position.called(move.number)
        names = move.action.names
        if not 0 <= which < len(names):
            raise self.fault(f"called answers {which} for {move.action.name}; expected 0 to {len(names) - 1}")
        return names[which]

    # ---- Who has won ----

    def winners(self, rules: Rules, seen: Seen) -> list[dict[str, int]]:
        """Of a match that is over, who has won: each with the result and the metrics, as whole numbers.

        Nobody has where all have the same. Raises GameFault for what `result` or `measure` does wrong.
        """
        position = self.position(rules, seen)
        shares = [0.0] * rules.players
        measured = {name: [0.0] * rules.players for name in self.game.metrics}
        with self.faults("result"):
            position.result(shares)
        if measured:
            with self.faults("measure"):
                position.measure(*measured.values())
        if max(shares) - min(shares) < ALIKE:
            return []
        told: dict[str, list[Any]] = {**measured, "who": list(range(rules.players)), "value": shares}
        won = [seat for seat, share in enumerate(shares) if max(shares) - share < ALIKE]
        return [{name: round(told[name][seat]) for name in won_fields(self.game)} for seat in won]

    # ---- Positions ----

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

    @contextmanager
    def faults(self, function: str) -> Iterator[None]:
        """Turns what an author's function raises into a GameFault."""
        try:
            yield
        except PeekingRule as error:
            raise self.fault(f"{function} looks at {error}, which not all see", error) from None
        except Exception as error:  # noqa: BLE001 - whatever an author's function raises
            raise self.fault("", error) from None

    def fault(self, what: str, error: Exception | None = None) -> GameFault:
        told = None if error is None else error_told(self.source, error)
        name = self.game.name
        return GameFault(name, what) if told is None else GameFault(name, what or told.what, kind=told.kind, place=told.place)
