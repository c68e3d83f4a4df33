"""Events of a match as they are kept: read, listed, and who may be shown them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from machiavel.server.storage import Event

__all__ = ["SPECTATOR", "EventLog", "ParsedEvent", "Viewer", "read"]

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


class EventLog(Sequence[Event]):
    """Events in their order. Copies share one list until they differ, so a copy costs the same however much has happened."""

    __slots__ = ("_shared", "_size")

    def __init__(self, shared: list[Event] | None = None, size: int = 0) -> None:
        self._shared: list[Event] = [] if shared is None else shared
        self._size = size

    def copy(self) -> "EventLog":
        return EventLog(self._shared, self._size)

    def append(self, event: Event) -> None:
        if len(self._shared) != self._size:  # another copy went on from here
            self._shared = self._shared[: self._size]
        self._shared.append(event)
        self._size += 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Event]:
        return (self._shared[number] for number in range(self._size))

    def __reversed__(self) -> Iterator[Event]:
        return (self._shared[number] for number in reversed(range(self._size)))

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        if isinstance(index, slice):
            return [self._shared[number] for number in range(*index.indices(self._size))]
        if not -self._size <= index < self._size:
            raise IndexError(index)
        return self._shared[index if index >= 0 else self._size + index]
