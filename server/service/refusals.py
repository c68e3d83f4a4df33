"""Why a call is refused: what only a service can complain of, and where in a request an error of the games lies."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from machiavel.engines import GameError

__all__ = ["BadRequest", "BadToken", "NoTime", "Refusal", "ServiceError", "ShuttingDown", "TooBusy", "located"]


class ServiceError(Exception):
    """The base of what the service refuses by itself."""


class BadRequest(ServiceError):
    """A field of a request is missing or cannot be."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class TooBusy(ServiceError):
    """Too many searches wait already."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(f"too many searches wait already; try again in {retry_after:g} s")
        self.retry_after = retry_after  # seconds


class NoTime(ServiceError):
    """The deadline left no time to think."""

    def __init__(self) -> None:
        super().__init__("the deadline left no time to think; expected at least 20 ms and a free place")


class ShuttingDown(ServiceError):
    """The server takes no more calls."""

    def __init__(self) -> None:
        super().__init__("the server is shutting down")


class BadToken(ServiceError):
    """A token is missing or unknown."""

    def __init__(self) -> None:
        super().__init__("expected the metadata authorization: Bearer TOKEN, with a token of this server")


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
        raise Refusal(error, place(error)) from error
