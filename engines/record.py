"""Records: a match as something that can be kept, sent to its host and replayed for ever."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from machiavel.engines.errors import BadRecord, shown

__all__ = ["SEEDS", "SEED_BITS", "Record", "TakenBack", "parse_seed", "read_object"]

SEED_BITS = 128
SHOWN = 40  # characters: the longest seed has 39 digits
SEEDS = f"a whole number from 0 to 2^{SEED_BITS} - 1"
FIELDS = {"game", "rules_version", "digest", "options", "seed", "layout", "moves"}
TAKEN_BACK = "taken_back"  # left out where nothing was


def parse_seed(value: object) -> int:
    """A seed from an int or its decimal text; raises ValueError."""
    seed = value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= SEED_BITS:
        seed = int(value)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << SEED_BITS:
        raise ValueError(f"is {shortened(value)}; expected {SEEDS}")
    return seed


def shortened(value: object) -> str:
    """A value as a message about it shows it, however long it is."""
    if isinstance(value, str) and len(value) > SHOWN:
        return f"{value[:SHOWN]!r} and so on, {len(value):,} characters in all"
    text = shown(value)
    return text if len(text) <= 2 * SHOWN else f"{text[:SHOWN]} and so on"


def read_object(data: object) -> dict[str, Any]:
    """A JSON object, or its text, from outside; raises ValueError."""
    if isinstance(data, str | bytes):
        try:
            data = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"is no JSON: {error}") from None
    if not isinstance(data, Mapping) or not all(isinstance(key, str) for key in data):
        raise ValueError(f"expected an object, not {type(data).__name__}")
    return dict(data)


@dataclass(frozen=True)
class TakenBack:
    """Moves that were taken back, and how many stood before them."""

    ply: int
    moves: Sequence[str]

    def to_json(self) -> dict[str, Any]:
        return {"ply": self.ply, "moves": list(self.moves)}

    @classmethod
    def from_json(cls, data: object) -> "TakenBack":
        """Raises ValueError."""
        match data:
            case {"ply": int(ply), "moves": list(moves), **rest} if (
                not rest and ply >= 0 and all(isinstance(one, str) for one in moves)
            ):
                return cls(ply, tuple(moves))
        raise ValueError('expected objects such as {"ply": 3, "moves": ["G8"]}')


@dataclass(frozen=True)
class Record:
    """All that replays a match: the host's truth, and never a player's to see.

    `seed` is None where all luck was laid out; `layout` is None where none was. What was taken back, in practice, is in no way
    needed to replay it.
    """

    game: str
    rules_version: int
    digest: str
    options: Mapping[str, Any]
    seed: int | None
    layout: Mapping[str, Any] | None
    moves: Sequence[str]
    taken_back: Sequence[TakenBack] = ()

    def to_json(self) -> dict[str, Any]:
        """As an object that `json` can write; a seed is a text, for its 128 bits do not fit a number of JSON."""
        taken_back = [one.to_json() for one in self.taken_back]
        return {
            "game": self.game,
            "rules_version": self.rules_version,
            "digest": self.digest,
            "options": dict(self.options),
            "seed": None if self.seed is None else str(self.seed),
            "layout": self.layout,
            "moves": list(self.moves),
        } | ({TAKEN_BACK: taken_back} if taken_back else {})

    @classmethod
    def from_json(cls, data: object) -> "Record":
        """The record of a JSON object, or of its text; raises BadRecord. Whether it replays, replaying tells."""
        try:
            data = read_object(data)
        except ValueError as error:
            raise BadRecord("record", str(error)) from None
        for field in sorted(FIELDS ^ (set(data) - {TAKEN_BACK})):
            raise BadRecord(str(field), "is missing" if field in FIELDS else f"is unknown; fields: {', '.join(sorted(FIELDS))}")
        for field, kind in (
            ("game", str),
            ("rules_version", int),
            ("digest", str),
            ("options", Mapping),
            ("moves", list),
        ):
            if not isinstance(data[field], kind):
                raise BadRecord(field, f"expected {kind.__name__}, not {data[field]!r}")
        if not all(isinstance(move, str) for move in data["moves"]):
            raise BadRecord("moves", "expected a list of texts")
        if data["layout"] is not None and not isinstance(data["layout"], Mapping):
            raise BadRecord("layout", f"expected an object or null, not {data['layout']!r}")
        try:
            seed = None if data["seed"] is None else parse_seed(data["seed"])
        except ValueError as error:
            raise BadRecord("seed", str(error)) from None
        try:
            taken_back = tuple(map(TakenBack.from_json, data.get(TAKEN_BACK, ())))
        except (TypeError, ValueError):
            raise BadRecord(TAKEN_BACK, 'expected a list of objects such as {"ply": 3, "moves": ["G8"]}') from None
        return cls(
            data["game"],
            data["rules_version"],
            data["digest"],
            data["options"],
            seed,
            data["layout"],
            tuple(data["moves"]),
            taken_back,
        )
