"""Answers that many callers get alike: made once, and written once in each form."""

from collections.abc import Callable
from typing import Any

__all__ = ["SharedAnswer", "SharedBytes", "writing"]

Write = Callable[[Any], bytes]


class SharedBytes(bytes):
    """An answer as it is written, and compressed once somebody asked for that."""

    compressed: bytes | None = None


class SharedAnswer:
    """A message that nobody changes any more."""

    __slots__ = ("message", "written")

    def __init__(self, message: Any) -> None:
        self.message = message
        self.written: dict[Write, bytes] = {}

    def data(self, write: Write) -> bytes:
        """The message in that form; the same bytes for all."""
        data = self.written.get(write)
        if data is None:
            data = self.written[write] = write(self.message)
        return data


def writing(write: Write, kind: Callable[[bytes], bytes] = bytes) -> Write:
    """Writes answers, whether they are shared or not; the bytes of those that are will be of that kind."""

    def shared(message: Any) -> bytes:
        return kind(write(message))

    def written(answer: Any) -> bytes:
        return answer.data(shared) if isinstance(answer, SharedAnswer) else write(answer)

    return written
