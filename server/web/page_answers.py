"""What answers a GET: a status, headers and bytes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

__all__ = ["NO_REFERRER", "NO_SNIFFING", "DoorPage", "PageAnswer"]

NO_SNIFFING = {"x-content-type-options": "nosniff"}
NO_REFERRER = {"referrer-policy": "no-referrer"}


@dataclass(frozen=True)
class PageAnswer:
    """An answer as it goes out, but for its length."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class DoorPage(Protocol):
    """What stands at a path; `is_open`: under any name of the door, for probes."""

    @property
    def is_open(self) -> bool: ...

    def answer(self, place: str, headers: Mapping[str, str]) -> PageAnswer:
        """`place` is where the door is, as `http://127.0.0.1:7789`; `headers` are the request's."""
        ...
