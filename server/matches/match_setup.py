"""How a match is set up: its game, its deal, its seats and what was agreed; kept for as long as the match."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from machiavel import engines
from machiavel.engines import Record, State
from machiavel.search import KINDS
from machiavel.search.specs import parse
from machiavel.server.matches.tokens import commitment_of
from machiavel.server.storage import Header

__all__ = ["GREEDY", "Player", "Seat", "Settings", "Setup", "player_of", "seat_standing"]

SEED = "seed"


@dataclass(frozen=True)
class Player:
    """A bot as it plays a seat."""

    bot: str  # as everybody may know it: without its seed
    spec: str  # with it
    think: float  # seconds


def player_of(text: str, seed: int, think: float) -> Player:
    """The player of a bot's text, which has been checked; the seed is for one that names none."""
    kind, values = parse(text, KINDS)
    said = dict(values.said)
    if SEED in values:
        said.setdefault(SEED, str(seed))
    shown = {name: value for name, value in said.items() if name != SEED}
    return Player(joined(kind.name, shown), joined(kind.name, said), think)


def joined(name: str, said: Mapping[str, str]) -> str:
    return f"{name}:{','.join(f'{key}={value}' for key, value in said.items())}" if said else name


GREEDY = "greedy"


@dataclass(frozen=True)
class Settings:
    """What is agreed beyond the rules."""

    hints: bool = False
    spectators: bool = False
    open_record: bool = False
    move_time: float | None = None  # seconds; None: any time
    rematch: bool = False
    practice: bool = False


@dataclass(frozen=True)
class Seat:
    """A seat and who holds it."""

    kind: str  # `person`, `bot` or `open`
    name: str = ""
    token: str = ""  # the SHA-256 of its token, in hexadecimal; empty where there is none
    player: Player | None = None  # who plays it, where no person does
    taken_over: bool = False
    forfeited: bool = False


def seat_standing(seat: Seat) -> dict[str, Any]:
    """Who holds a seat, as everybody may know it."""
    return {
        "kind": seat.kind,
        "name": seat.name,
        "bot": seat.player.bot if seat.player else "",
        "think": seat.player.think if seat.player else None,
        "taken_over": seat.taken_over,
        "forfeited": seat.forfeited,
    }


@dataclass(frozen=True)
class Setup:
    """All that a match begins with. It is the host's truth, as a record is."""

    game: str
    rules_version: int
    digest: str
    options: dict[str, Any]
    seed: int
    salt: bytes
    secret: bytes = field(repr=False)
    settings: Settings
    seats: tuple[Seat, ...]
    think: float  # seconds, of a bot that steps in
    predecessor: str = ""  # the match that this one is a rematch of
    rematch: int = 0  # how many rematches in a row this one is the last of

    @property
    def commitment(self) -> str:
        return commitment_of(self.seed, self.salt)

    def deal(self) -> State:
        """The match before its first move; raises GameError where this release cannot play it."""
        record = Record(self.game, self.rules_version, self.digest, self.options, self.seed, None, ())
        return engines.load(self.game).replay(record)

    def replayed(self, moves: Sequence[str]) -> State:
        """The match after these moves of its own."""
        state = self.deal()
        for move in moves:
            state.play(move)
        return state

    def to_json(self) -> str:
        data = asdict(self) | {"seed": str(self.seed), "salt": self.salt.hex(), "secret": self.secret.hex()}
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Setup":
        """Raises KeyError, TypeError or ValueError for what is damaged."""
        data = json.loads(text)
        return cls(
            **data
            | {
                "seed": int(data["seed"]),
                "salt": bytes.fromhex(data["salt"]),
                "secret": bytes.fromhex(data["secret"]),
                "settings": Settings(**data["settings"]),
                "seats": tuple(seat_from(one) for one in data["seats"]),
            }
        )

    def header(self, match: str, account: str, created: int, host: bytes, code: bytes | None) -> Header:
        return Header(match, account, created, host, code, self.to_json())


def seat_from(data: dict[str, Any]) -> Seat:
    player = data["player"]
    return replace(Seat(**data | {"player": None}), player=None if player is None else Player(**player))
