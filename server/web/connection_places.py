"""Who has how many connections at the door, and which of them gives way when there are too many."""

from collections.abc import Callable
from typing import Protocol

__all__ = ["ConnectionPlaces", "OneConnection"]


class OneConnection(Protocol):
    """What is asked of a connection here."""

    owner: str  # who asked over it last, or the address it comes from

    @property
    def asks(self) -> bool:
        """Whether a request has begun over it."""

    def give_way(self) -> None:
        """Ends, for somebody else comes."""


class ConnectionPlaces:
    """Belongs to one event loop. Everything takes the same time however many there are, but for the number of owners.

    A connection rests while no call over it is worked at, and may have to give way: the one that has rested longest of the owner
    with most, of those first that ask for nothing. Who comes counts for its address until it says who it is.
    """

    def __init__(self, most: Callable[[], int]) -> None:
        self.most = most
        self.owned: dict[str, int] = {}
        self.resting: dict[str, dict[OneConnection, None]] = {}  # by owner, who has rested longest first
        self.known: set[OneConnection] = set()

    def add(self, connection: OneConnection) -> bool:
        """Whether it may stay; another may have given way."""
        self.known.add(connection)
        self.owned[connection.owner] = self.owned.get(connection.owner, 0) + 1
        return len(self.known) <= self.most() or self.make_room(connection)

    def make_room(self, connection: OneConnection) -> bool:
        part = len(self.known) / len(self.owned)  # who has less keeps what it has
        ready = [owner for owner, ones in self.resting.items() if len(ones) > (connection in ones) and self.owned[owner] >= part]
        if not ready:
            return False
        ones = self.resting[max(ready, key=lambda owner: self.owned[owner])]
        others = [one for one in ones if one is not connection]
        first = next((one for one in others if not one.asks), others[0])
        self.remove(first)
        first.give_way()
        return True

    def own(self, connection: OneConnection, owner: str) -> None:
        """Somebody has asked over it."""
        if owner == connection.owner or connection not in self.known:
            return
        self.stir(connection)
        self.lose(connection.owner)
        connection.owner = owner
        self.owned[owner] = self.owned.get(owner, 0) + 1
        self.rest(connection)

    def rest(self, connection: OneConnection) -> None:
        """It has no call under way, or one whose request has not come, or which is refused."""
        self.stir(connection)
        if connection in self.known:
            self.resting.setdefault(connection.owner, {})[connection] = None

    def stir(self, connection: OneConnection) -> None:
        """It has one that is worked at."""
        ones = self.resting.get(connection.owner, {})
        ones.pop(connection, None)
        if not ones:
            self.resting.pop(connection.owner, None)

    def remove(self, connection: OneConnection) -> None:
        """Does nothing where it has gone already."""
        if connection in self.known:
            self.stir(connection)
            self.known.discard(connection)
            self.lose(connection.owner)

    def lose(self, owner: str) -> None:
        self.owned[owner] -= 1
        if not self.owned[owner]:
            del self.owned[owner]
