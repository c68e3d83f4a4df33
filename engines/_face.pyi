from collections.abc import Mapping, Sequence
from typing import Any

from machiavel.engines.playouts import Playouts
from machiavel.engines.plugin import Engine, Rules
from machiavel.engines.record import Record

class Game:
    """A game: makes matches, reads views and records, plays in bulk."""

    def __init__(self, plugin: Engine) -> None: ...
    @property
    def plugin(self) -> Engine: ...
    @property
    def name(self) -> str: ...
    @property
    def players(self) -> range: ...
    @property
    def rules_version(self) -> int: ...
    @property
    def is_cooperative(self) -> bool:
        """Whether all seats win or lose together."""
    def has(self, function: str) -> bool:
        """Whether the engine has that optional function: `weights`, `likelihood`, `metrics` or `evaluate`."""
    def make_rules(self, players: int, **options: Any) -> Rules:
        """The rules of a match with these options; raises BadOption or BadDeck."""
    def new(self, players: int, *, seed: int | None = None, layout: Mapping[str, Any] | None = None, **options: Any) -> State:
        """A new match: `make_rules`, then `deal`."""
    def deal(self, rules: Rules, *, seed: int | None = None, layout: Mapping[str, Any] | None = None) -> State:
        """A new match. Without seed and layout the system gives a seed; with a layout alone all luck must be laid out."""
    def replay(self, record: Record) -> State:
        """The state at the end of a record; raises BadRecord."""
    def view_from_json(self, data: Mapping[str, Any] | str | bytes) -> View:
        """The view of a JSON object (or its text) as `View.to_json` makes it; raises BadView."""
    def view_from_bytes(self, rules: Rules, data: bytes) -> View:
        """The view that `View.to_bytes` wrote under the same rules; raises BadView."""

    def playouts(
        self,
        count: int,
        seed: int = 0,
        *,
        players: int,
        policies: Sequence[str] | None = None,
        until: str = "end",
        **options: Any,
    ) -> Playouts:
        """Play games in bulk, without the GIL.

        `policies` are `random` or `greedy`, one a seat (left out: all random); `until` is `end` or `horizon`: the end of a round.
        """

class State:
    """A match as its host knows it, or a world that a view holds possible."""

    @property
    def game(self) -> Game: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def players(self) -> int: ...
    @property
    def seed(self) -> int | None: ...
    @property
    def seat_to_move(self) -> int | None:
        """The seat whose move `play` takes next; None when over."""
    @property
    def seats_to_move(self) -> frozenset[int]:
        """All seats whose answers do not depend on each other now."""
    @property
    def is_over(self) -> bool: ...
    @property
    def moves(self) -> tuple[str, ...]: ...
    @property
    def utilities(self) -> tuple[float, ...]:
        """Per seat, 0 to 1; k winners share 1/k. Raises MatchNotOver."""
    @property
    def metrics(self) -> dict[str, float]: ...
    def copy(self) -> State: ...
    def lay_out(self, layout: Mapping[str, Any]) -> None:
        """Lay out all luck of the match so far known; what has been dealt already must be the same."""
    def moves_of(self, seat: int) -> list[int]:
        """The legal moves of a seat that is asked, as numbers."""
    def legal_moves(self, seat: int | None = None) -> list[str]:
        """The legal moves of a seat that is asked, by default of the one to move; empty when over."""
    def resolve(self, text: str, seat: int | None = None) -> int:
        """The legal move that a text means for a seat that is asked, by default the one to move.

        Raises MatchOver, NotToMove, NotAMove, IllegalMove or AmbiguousMove.
        """
    def play(self, text: str, seat: int | None = None) -> None:
        """Play a move of the seat to move; an error changes nothing.

        Whoever plays for somebody names the seat: so the answer to a move out of turn says nothing of the hand whose turn it is.
        """
    def observed_moves(self, seat: int | None) -> tuple[str, ...]:
        """The moves so far as a seat, or None for a spectator, has seen them."""
    def weights(self) -> dict[str, float]:
        """The engine's rule of thumb: how much each legal move of the seat to move weighs."""
    def view(self, seat: int | None = None) -> View:
        """What a seat may see, or a spectator."""
    def seen_by(self, seat: int | None) -> bytes:
        """The bare bytes of a seat's view."""
    def view_key(self, seat: int | None) -> int: ...
    def truth(self) -> dict[str, Any]:
        """All there is to know, as JSON: the host's, and never a player's."""
    def to_bytes(self) -> bytes:
        """The bare bytes of the state; they mean something to this release and these rules only. Keep records instead."""
    def record(self) -> Record: ...

class View:
    """What one seat sees of a match, or a spectator (`seat` is None)."""

    @property
    def game(self) -> Game: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def players(self) -> int: ...
    @property
    def seat(self) -> int | None: ...
    @property
    def seats_to_move(self) -> frozenset[int]: ...
    @property
    def is_over(self) -> bool: ...
    def determinize(self, seed: int) -> State:
        """A world: a state this seat must hold possible, drawn as if every hidden move had been uniform."""
    def legal_moves(self) -> list[str]:
        """The legal moves of this view's seat; raises NotToMove where it is not asked."""
    def to_json(self) -> dict[str, Any]: ...
    def to_bytes(self) -> bytes: ...
