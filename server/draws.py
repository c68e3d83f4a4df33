"""Where the luck of a server comes from: the system; or, in a rehearsal, a number, so that all of it repeats."""

import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import Protocol

__all__ = ["SYSTEM_DRAWS", "Draw", "Draws", "RehearsalDraws", "SystemDraws", "drawn_number"]

Draw = Callable[[int], bytes]  # so many bytes that nobody can foretell


class Draws(Protocol):
    """Makes the luck of one thing, such as a match that is set up."""

    def of(self, *what: str, request: str = "") -> Draw:
        """The luck of what a request asks for; an empty one is told apart by how many there were before of the same thing."""


class SystemDraws:
    """Each time anew."""

    def of(self, *what: str, request: str = "") -> Draw:  # noqa: ARG002
        return secrets.token_bytes


class RehearsalDraws:
    """The same for the same seed, thing and request, whatever else happens meanwhile."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.counts: Counter[tuple[str, ...]] = Counter()

    def of(self, *what: str, request: str = "") -> Draw:
        if not request:
            self.counts[what] += 1
            request = f"{self.counts[what]}."  # which no request_id is: they are longer
        key = hashlib.sha256("\n".join((str(self.seed), *what, request)).encode()).digest()
        numbers = count()

        def draw(size: int) -> bytes:
            result = b""
            while len(result) < size:
                result += hmac.digest(key, str(next(numbers)).encode(), "sha256")
            return result[:size]

        return draw


SYSTEM_DRAWS = SystemDraws()


def drawn_number(draw: Draw, bits: int) -> int:
    """A whole number of so many bits."""
    return int.from_bytes(draw((bits + 7) // 8), "big") >> -bits % 8
