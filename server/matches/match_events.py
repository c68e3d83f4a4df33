"""Events of a match as they are kept: read, and who may be shown them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from machiavel.server.storage import Event

__all__ = ["SPECTATOR", "ParsedEvent", "Viewer", "read"]

Viewer = int | None  # a seat, or a spectator
SPECTATOR = None

OWN = {"answer", "lapsed", "answer_taken_back"}  # shown to their seat alone
HIDDEN = {"claimed"}  # shown to nobody


@dataclass(frozen=True)
class ParsedEvent:
    """An event, read."""

    seq: int
    time: int
    what: str
    seat: int
    data: Mapping[str, Any]

    def is_shown_to(self, viewer: Viewer) -> bool:
        """Everything is, but an answer that is no move yet and what becomes of it, and how a person came by a token."""
        return self.what not in HIDDEN and (self.what not in OWN or self.seat == viewer)


def read(event: Event) -> ParsedEvent:
    data = json.loads(event.data)
    return ParsedEvent(event.seq, event.time, data["what"], data.get("seat", -1), data)
