"""What a game's golden matches must come to, and how many ways there are to go on from fixed positions."""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from machiavel.engines import State
from tests.engines.games import BOX

__all__ = ["Golden", "digest", "golden_matches"]

Json = dict[str, Any]


@dataclass(frozen=True)
class Golden:
    """A game's golden matches: `outcome` is told of their ends, and between them they hold all that is named here."""

    game: str
    outcome: Callable[[State], Json]
    kind_of: Callable[[str], str]
    kinds: Collection[str]
    players: Collection[int]
    holds: Mapping[str, Callable[[Json], bool]]
    positions: Mapping[str, tuple[Callable[[], State], Sequence[int]]]


@cache
def golden_matches(game: str) -> dict[str, Json]:
    """By name, the files of `golden/`: a record, and what it must come to."""
    home = Path(__file__).parent
    folder = (home / "kit" if game in BOX else home) / game / "golden"
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}


def digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
