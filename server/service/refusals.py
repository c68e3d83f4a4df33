"""Why a call is refused: what only a service can complain of, and where in a request an error of the games lies."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from machiavel.engines import GameError
from machiavel.engines.errors import out_of_json
from machiavel.server.shares import OverShare

__all__ = [
    "BadRequest",
    "BadToken",
    "CallError",
    "ForeignHost",
    "ForeignOrigin",
    "MessageTooLarge",
    "NoTime",
    "NoTournaments",
    "NotAdmin",
    "Refusal",
    "ShuttingDown",
    "TooBusy",
    "UnknownEncoding",
    "UnknownMethod",
    "UnknownService",
    "located",
]


class CallError(Exception):
    """The base of what the service refuses by itself."""

    field = ""  # the path in the request that is wrong; empty where none is


class BadRequest(CallError):
    """A field of a request is missing or cannot be."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class MessageTooLarge(CallError):
    """A request is larger than what is taken; both sizes are in bytes."""

    field = "request"

    def __init__(self, size: int, most: int) -> None:
        super().__init__(f"the request has {size} bytes; expected at most {most}")
        self.size = size
        self.most = most


class UnknownMethod(CallError):
    """There is no such service, or it has no such method: then `methods` are its own, and `service` is its name."""

    def __init__(self, services: tuple[str, ...], service: str = "", methods: tuple[str, ...] = ()) -> None:
        right = f"one of those of {service}: {', '.join(methods)}" if methods else f"one of the services {', '.join(services)}"
        super().__init__(f"there is no such method; expected {right}")
        self.services = services


class ForeignHost(CallError):
    """The web door was called by a name that is not its own."""

    def __init__(self, known: tuple[str, ...]) -> None:
        super().__init__(f"host: is no name of this server; expected one of {', '.join(known)}, or what --web-host adds")
        self.known = known


class ForeignOrigin(CallError):
    """A page of another origin, which may not call."""

    def __init__(self) -> None:
        super().__init__("origin: pages from there may not call this server; --web-origins says which may besides its own")


class UnknownEncoding(CallError):
    """What a request or its message is compressed with is not known here."""

    def __init__(self, header: str, known: tuple[str, ...]) -> None:
        super().__init__(f"{header}: is not known here; expected one of {', '.join(known)}")
        self.field = header
        self.known = known


class UnknownService(CallError):
    """The health of a service was asked for that is not here."""

    field = "service"

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"there is no service {name[:100]!r}; expected one of {', '.join(known)}, or none for all")
        self.name = name
        self.known = known


class TooBusy(CallError):
    """Too many calls are under way, too many searches wait, or too many streams watch the health."""

    # The limit's name, how much it allows, and what of that the caller has; without a name where it is none of the shares.
    limit = ""
    most = own = 0

    def __init__(self, what: str, retry_after: float, instead: str = "") -> None:
        super().__init__(f"too many {what} already; {instead}try again in {retry_after:g} s")
        self.retry_after = retry_after  # seconds

    @classmethod
    def of(cls, over: OverShare) -> "TooBusy":
        """What a caller is told who wanted more than its share."""
        result = cls(over.what, over.retry_after)
        result.args = (str(over),)
        result.limit, result.most, result.own = over.limit, over.most, over.own
        return result

    @classmethod
    def too_late(cls, over: OverShare) -> "TooBusy":
        """What is said of a search that would only begin when its time is over."""
        result = cls.of(over)
        whose = "you" if over.limit.startswith("callers.") else "all callers"
        problem = f"no place to search comes free before the time for it is over (at most {over.most} at once for {whose};"
        result.args = (f"{problem} {over.own} are yours); try again in {over.retry_after:g} s, or with more time",)
        return result


class NoTime(CallError):
    """The deadline, or the limit given, left no time to think."""

    def __init__(self, problem: str, expected: str) -> None:
        super().__init__(f"{problem}; expected {expected}")


class ShuttingDown(CallError):
    """The server takes no more calls."""

    def __init__(self) -> None:
        super().__init__("the server is shutting down")


class BadToken(CallError):
    """A token is missing or unknown."""

    def __init__(self) -> None:
        super().__init__("expected the metadata authorization: Bearer TOKEN, with a token of this server")


class NoTournaments(CallError):
    """The server keeps no tournaments."""

    def __init__(self) -> None:
        super().__init__("this server keeps no tournaments; one that is started with --tournaments DIR does")


class NotAdmin(CallError):
    """Only an operator may call that."""

    def __init__(self) -> None:
        super().__init__("expected the token of an operator, as --admin-names names them, or the socket of --admin")


class Refusal(Exception):
    """An error of the games, and where in the request it lies."""

    def __init__(self, error: GameError, field: str) -> None:
        super().__init__(str(error))
        self.error = error
        self.field = field


@contextmanager
def located(place: Callable[[GameError], str]) -> Iterator[None]:
    """Inside, an error of the games becomes a Refusal of the field that `place` names; it names none with an empty text."""
    try:
        yield
    except GameError as error:
        raise Refusal(out_of_json(error), place(error)) from error
