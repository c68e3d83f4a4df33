"""What is kept of a match, and what a storage must do; nothing here knows a game."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

__all__ = [
    "Conflict",
    "Event",
    "Header",
    "LastActivity",
    "Retention",
    "SavedResponse",
    "Step",
    "Storage",
    "StorageDenied",
    "StorageFailed",
    "StoredMatch",
    "Write",
    "no_step",
]

Step = Callable[[str], None]  # hears the name of each step of a write; tests end the process there


def no_step(name: str) -> None:
    """Nobody listens."""


class StorageFailed(Exception):
    """What is kept cannot be read or written just now; of what was to be written nothing counts as kept.

    `problem` is for the log of the host, and names no card.
    """

    def __init__(self, problem: str) -> None:
        super().__init__("what this server keeps cannot be read or written just now; nothing was done, try again later")
        self.problem = problem
        self.retry_after = 1.0  # seconds


class StorageDenied(StorageFailed):
    """It cannot be had at all: another server has it, or this one may not write there."""


class Conflict(Exception):
    """Something of that name, or number, is kept already; nothing was written."""


@dataclass(frozen=True)
class Header:
    """A match as it was set up, and a summary of how it stands that its events tell as well."""

    match: str
    account: str  # whose it is
    created: int  # nanoseconds since 1970
    host: bytes  # the SHA-256 of the host's token
    code: bytes | None  # the SHA-256 of the code that opens its open seats
    setup: str  # JSON
    phase: str = "waiting"
    summary: str = "{}"  # JSON
    share: str = ""  # whose share it counts for; empty for those that were kept before there were shares

    @property
    def caller(self) -> str:
        """Who it counts for: where there are no tokens, an address."""
        return self.share or self.account


@dataclass(frozen=True)
class Event:
    """Something that happened in a match."""

    seq: int  # from 1, without gaps
    time: int  # nanoseconds since 1970
    data: str  # JSON


@dataclass(frozen=True)
class SavedResponse:
    """The first answer to a call that can be repeated."""

    actor: str  # who asked
    request: bytes  # the SHA-256 of the request's id
    digest: bytes  # the SHA-256 of the whole request
    response: bytes  # without tokens


@dataclass(frozen=True)
class Write:
    """What one step of one match adds; all of it or nothing."""

    match: str
    header: Header | None = None  # of a new match
    events: Sequence[Event] = ()
    answer: SavedResponse | None = None
    creation: SavedResponse | None = None  # as `answer`, found by the account as well
    phase: str | None = None
    summary: str | None = None
    delete: bool = False  # all but the fact that it was there, and its host's token
    purge: bool = False  # all, deleted before or not; alone, and nothing is wrong where there is nothing
    rewritten: "StoredMatch | None" = None  # in place of all that there is, with as many events; alone


@dataclass(frozen=True)
class StoredMatch:
    """All that is kept of a match."""

    header: Header
    events: Sequence[Event] = ()
    answers: Sequence[SavedResponse] = field(default=())
    deleted: bool = False


@dataclass(frozen=True)
class LastActivity:
    """When something last happened in a match."""

    match: str
    created: int  # nanoseconds since 1970
    time: int  # of its last event; where it has none, as `created`


@dataclass(frozen=True)
class Retention:
    """How long matches are kept, in days; 0: until they are deleted."""

    over: float = 0.0  # since their end
    idle: float = 0.0  # those that are not over, since something last happened in them


class Storage(Protocol):
    """Keeps matches. Every method may raise StorageFailed, and works again once the fault is gone. One thread at a time."""

    def write(self, writes: Sequence[Write]) -> None:
        """All of them or none, and on disk when it returns.

        Raises Conflict where a match, an event of that number or an answer of that actor and request is there already, and
        where events or answers are of no match.
        """

    def load(self, match: str) -> StoredMatch | None:
        """All of a match, events in order; None where there never was one."""

    def by_code(self, code: bytes) -> str | None:
        """The match whose code has that SHA-256."""

    def by_creation(self, account: str, request: bytes) -> str | None:
        """The match that the account created by that request, deleted or not."""

    def listed(self, account: str | None, phase: str | None, before: tuple[int, str] | None, most: int) -> list[Header]:
        """Headers, newest first, from the one after `before` (created, match) on; None: of all accounts, of all phases."""

    def lasts(self, phase: str, before: int, after: tuple[int, str] | None, most: int) -> list[LastActivity]:
        """Of matches of that phase created before that time, oldest first, from the one after `after` (created, match) on."""

    def names(self) -> Iterator[str]:
        """All matches that are not deleted."""

    def belonging(self, account: str) -> list[str]:
        """All matches of an account, deleted or not."""

    def kept(self) -> Mapping[str, int]:
        """By caller, about how many bytes its matches take. May be asked from any thread, and at any time."""

    def retention(self) -> Retention:
        """How long matches are kept where nobody says otherwise."""

    def look(self) -> None:
        """Whether what is kept is still there, as far as a look tells; raises StorageFailed."""

    def close(self) -> None:
        """Lets go of everything."""
