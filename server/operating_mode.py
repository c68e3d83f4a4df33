"""What a server does not do just now, because its operator says so."""

from dataclasses import dataclass

__all__ = ["Draining", "OperatingMode", "ReadOnly"]

RETRY = 2.0  # seconds


class ReadOnly(Exception):
    """The server changes nothing that it keeps just now; nothing was done."""

    def __init__(self, reason: str) -> None:
        told = f" ({reason})" if reason else ""
        super().__init__(f"this server changes nothing just now{told}; try again in {RETRY:g} s")
        self.retry_after = RETRY


class Draining(Exception):
    """The server takes nothing new just now; what is under way goes on."""

    def __init__(self) -> None:
        super().__init__("this server takes no new matches and tournaments just now; expected another server, or a later time")
        self.retry_after = RETRY


@dataclass
class OperatingMode:
    """Set by the operator; whatever writes, or takes something new, asks here first."""

    read_only: bool = False
    reason: str = ""  # why it is read-only, as callers are told
    draining: bool = False

    def check_writable(self) -> None:
        """Raises ReadOnly."""
        if self.read_only:
            raise ReadOnly(self.reason)

    def check_new(self) -> None:
        """Whether a match or a tournament may be begun; raises ReadOnly or Draining."""
        self.check_writable()
        if self.draining:
            raise Draining
