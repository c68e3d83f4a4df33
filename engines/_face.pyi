from collections.abc import Mapping, Sequence
from typing import Any

from machiavel.engines.following import Followed
from machiavel.engines.playouts import Playouts
from machiavel.engines.plugin import Engine, Rules
from machiavel.engines.record import Record

class Game:
    """A game: makes matches, reads views and records, plays in bulk."""

    def __init__(self, plugin: Engine) -> None: ...
    @property
    def plugin(self) -> Engine:
        """The Engine the game was made of: its options, titles and texts."""
    @property
    def name(self) -> str:
        """The name by which `load` finds the game, as in records and views."""
    @property
    def players(self) -> range:
        """All numbers of players that can play, ascending."""
    @property
    def rules_version(self) -> int:
        """A number that is raised when records would replay differently; `replay` takes records of this one alone."""
    @property
    def is_cooperative(self) -> bool:
        """Whether all seats win or lose together."""
    def has(self, function: str) -> bool:
        """Whether the engine has an optional function: `weights`, `likelihood`, `metrics` or `evaluate`.

        Raises KeyError for any other name.
        """
    def make_rules(self, players: int, **options: Any) -> Rules:
        """The rules of a match for so many players; options left out take their defaults.

        The same options give the same object again, for as long as it is kept; a Path gives a new one. Raises BadOption or
        BadDeck, and IncompatibleEngine where the engine makes rules that break its contract.
        """
    def new(self, players: int, *, seed: int | None = None, layout: Mapping[str, Any] | None = None, **options: Any) -> State:
        """A new match: `make_rules`, then `deal`, with the errors of both."""
    def deal(self, rules: Rules, *, seed: int | None = None, layout: Mapping[str, Any] | None = None) -> State:
        """A new match under rules that `make_rules` of this game made.

        The seed is a whole number from 0 to 2^128 - 1, or its text; the layout is luck laid out, as JSON. Without seed and layout
        the seed comes from the system; with a layout alone all luck must be laid out. Raises BadOption for the seed or for rules
        of another game, BadLayout, or MissingLuck.
        """
    def replay(self, record: Record) -> State:
        """The state at the end of a record: every move is checked and played again.

        Raises BadRecord, which names the field, for a record of another game, release or deck, and for one that does not replay;
        GameFault where the game's own code goes wrong.
        """
    def view_from_json(self, data: Mapping[str, Any] | str | bytes) -> View:
        """The view of a JSON object (or its text) as `View.to_json` makes it; what a game lets a person leave out may be missing.

        Raises BadView, which names the field, for what is malformed or contradicts itself.
        """
    def view_from_bytes(self, rules: Rules, data: bytes) -> View:
        """The view that `View.to_bytes` wrote under the same rules, in this release.

        Raises BadView for any other bytes, and BadOption for rules of another game.
        """
    def move_labels(self, rules: Rules, text: str) -> dict[str, str]:
        """A move as a player reads it, by language (`en`, `fr`); whether it is legal anywhere does not matter.

        The text is one that `play` takes. Raises NotAMove, and BadOption for rules of another game.
        """

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
        """Play so many games in bulk, without the GIL: utilities, metrics and plies as arrays of numpy.

        `policies` are `random` or `greedy`, one a seat (left out: all random); `until` is `end` or `horizon`: the end of a round.
        The same seed gives the same games. Raises BadOption or BadDeck.
        """

class State:
    """A match as its host knows it, or a world that a view holds possible."""

    @property
    def game(self) -> Game:
        """The Game this is a match of."""
    @property
    def rules(self) -> Rules:
        """The Rules the match is played by."""
    @property
    def players(self) -> int:
        """The number of seats."""
    @property
    def seed(self) -> int | None:
        """The seed of the match, which foretells its luck; None where all luck is laid out. The host's, and never a player's."""
    @property
    def seat_to_move(self) -> int | None:
        """The seat whose move `play` takes next; None when the match is over."""
    @property
    def seats_to_move(self) -> frozenset[int]:
        """All seats whose answers do not depend on each other now, as a frozenset; empty when the match is over."""
    @property
    def is_over(self) -> bool:
        """Whether nobody is to move any more."""
    @property
    def moves(self) -> tuple[str, ...]:
        """The texts of all moves so far. The host's: they tell what was hidden."""
    @property
    def utilities(self) -> tuple[float, ...]:
        """What each seat won, from 0 to 1; k winners have 1/k each. Raises MatchNotOver."""
    @property
    def metrics(self) -> dict[str, float]:
        """The engine's named quantities since the deal, as `Engine.metrics` lists them; empty where it has none.

        Numbers in the unit of each quantity. The host's: they may tell what is hidden.
        """
    def copy(self) -> State:
        """A match of its own that stands where this one does, with the same luck ahead."""
    def lay_out(self, layout: Mapping[str, Any]) -> None:
        """Lay out all luck of the match so far known, as JSON; what has been dealt already must be the same.

        Raises BadLayout, which names the field, for luck that is impossible or was dealt otherwise, and for a world.
        """
    def moves_of(self, seat: int) -> list[int]:
        """The legal moves of a seat that is asked, as the engine's numbers, ascending; raises NotToMove."""
    def legal_moves(self, seat: int | None = None) -> list[str]:
        """The legal moves of a seat that is asked, as texts, by default of the one to move; empty when the match is over.

        Raises NotToMove for a seat that is not asked, BadOption for one that there is not.
        """
    def resolve(self, text: str, seat: int | None = None) -> int:
        """The legal move that a text means, as the engine's number, for a seat that is asked, by default the one to move.

        Raises TypeError for what is no text, MatchOver, NotToMove, NotAMove, IllegalMove or AmbiguousMove.
        """
    def play(self, text: str, seat: int | None = None) -> None:
        """Play a move of the seat to move, by its text; an error changes nothing.

        Whoever plays for somebody names the seat: so the answer to a move out of turn says nothing of the hand whose turn it is.
        Raises NotToMove where another seat is named than `seat_to_move`, what `resolve` does, and MissingLuck or BadLayout where
        the move needs luck that is not, or cannot be, as it was laid out.
        """
    def observed_moves(self, seat: int | None) -> tuple[str, ...]:
        """The texts of the moves so far as a seat, or None for a spectator, has seen them; raises BadOption."""
    def last_move(self, seat: int | None) -> str | None:
        """The last of `observed_moves`, however long the match is at the same cost; None before the first. Raises BadOption."""
    def last_move_labels(self, seat: int | None) -> dict[str, str] | None:
        """`last_move` as a player reads it, by language (`en`, `fr`); None before the first. Raises BadOption."""
    def weights(self) -> dict[str, float]:
        """The engine's rule of thumb: how much each legal move of the seat to move weighs, above 0, by text.

        All 1 where the engine has none; empty when the match is over.
        """
    def view(self, seat: int | None = None) -> View:
        """What a seat may see, or None for a spectator; raises BadOption for a seat that there is not."""
    def seen_by(self, seat: int | None) -> bytes:
        """The bare bytes of the view of a seat, or None for a spectator, for this release and these rules; raises BadOption."""
    def view_key(self, seat: int | None) -> int:
        """A hash, of 64 bits, of the ply, the mover and what a seat sees; equal for equal views. Raises BadOption."""
    def truth(self) -> dict[str, Any]:
        """All there is to know, as JSON: the host's, and never a player's."""
    def to_bytes(self) -> bytes:
        """The bare bytes of the state; they mean something to this release and these rules only. Keep records instead."""
    def record(self) -> Record:
        """All that replays the match, as a Record of its own. The host's, and never a player's; raises BadRecord for a world."""

class View:
    """What one seat sees of a match, or a spectator (`seat` is None)."""

    @property
    def game(self) -> Game:
        """The Game this is a view of."""
    @property
    def rules(self) -> Rules:
        """The Rules the match is played by."""
    @property
    def players(self) -> int:
        """The number of seats."""
    @property
    def seat(self) -> int | None:
        """The seat that sees it; None for a spectator."""
    @property
    def seats_to_move(self) -> frozenset[int]:
        """All seats that are asked now, as a frozenset; empty when the match is over."""
    @property
    def is_over(self) -> bool:
        """Whether nobody is to move any more."""
    def determinize(self, seed: int) -> State:
        """A world: a state this seat must hold possible, drawn as if every hidden move had been uniform.

        Its later luck comes from the seed, too: a whole number from 0 to 2^128 - 1. Raises BadOption for any other.
        """
    def legal_moves(self) -> list[str]:
        """The legal moves of this view's seat, as texts; raises NotToMove where it is not asked."""
    def follow(self, move: str, seat: int | None = None, answers: Mapping[str, Any] | None = None) -> Followed:
        """The view after a move as this view's owner saw it, or what must be asked for, as a `Followed`.

        `seat` made it: the one whose move comes next, unless told otherwise. `answers` are by `ViewQuestion.place`.
        It follows from many worlds of this view: what is the same in all of them is known, the rest is asked. Raises MatchOver,
        NotToMove, NotAMove, IllegalMove, AmbiguousMove, and BadView for an answer that cannot be.
        """
    def to_json(self) -> dict[str, Any]:
        """The view as an object that `json` can write, with game, version of the rules and options; the caller's own."""
    def to_bytes(self) -> bytes:
        """The view as short bytes, for `Game.view_from_bytes` under the same rules in this release; keep JSON instead."""
