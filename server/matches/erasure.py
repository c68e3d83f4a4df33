"""What is erased of hosted matches because somebody asks for it: all of an account's, or a person's name at every seat."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from machiavel.server.matches.hosting_errors import NoAccess
from machiavel.server.storage import Event, Header, SavedResponse, Storage, StoredMatch, Write

if TYPE_CHECKING:
    from machiavel.server.matches.match_registry import MatchRegistry
    from machiavel.server.matches.match_session import MatchSession

__all__ = ["Rename", "account_erased", "person_erased", "without_name"]

Rename = Callable[[SavedResponse, str], SavedResponse]  # a kept response without a name
PAGE = 100  # matches looked at in one step


async def account_erased(registry: "MatchRegistry", account: str, *, dry_run: bool) -> int:
    """How many matches; nothing is left of them when this returns. Raises StorageFailed or ReadOnly."""
    names = await registry.store.read(lambda storage: storage.belonging(account))
    for name in [] if dry_run else names:
        await purged(registry, name)
    return len(names)


async def person_erased(registry: "MatchRegistry", person: str, rename: Rename, *, dry_run: bool) -> int:
    """In how many matches the name stood at a seat. Raises StorageFailed or ReadOnly."""
    before, count = None, 0
    while page := await registry.store.read(partial(listed, before)):
        for header in [one for one in page if names_seat(one, person)]:
            count += 1
            if not dry_run:
                await rewritten(registry, header.match, partial(without_name, person=person, rename=rename))
        before = (page[-1].created, page[-1].match)
    return count


def listed(before: tuple[int, str] | None, storage: Storage) -> list[Header]:
    return storage.listed(None, None, before, PAGE)


def names_seat(header: Header, person: str) -> bool:
    """Whether somebody of that name sits there, as set up or as joined."""
    seats = [*json.loads(header.setup).get("seats", ()), *json.loads(header.summary).get("seats", ())]
    return any(seat["name"] == person for seat in seats)


def without_name(stored: StoredMatch, person: str, rename: Rename) -> StoredMatch:
    """The same match with an empty name where that one stood."""
    header = stored.header
    header = replace(header, setup=unnamed_seats(header.setup, person), summary=unnamed_seats(header.summary, person))
    answers = [rename(one, person) for one in stored.answers]
    return StoredMatch(header, [unnamed_event(one, person) for one in stored.events], answers)


def unnamed_seats(text: str, person: str) -> str:
    data: dict[str, Any] = json.loads(text)
    for seat in data.get("seats", ()):
        if seat["name"] == person:
            seat["name"] = ""
    return json.dumps(data, ensure_ascii=False)


def unnamed_event(event: Event, person: str) -> Event:
    data = json.loads(event.data)
    if data.get("what") != "joined" or data["name"] != person:
        return event
    return replace(event, data=json.dumps(data | {"name": ""}, ensure_ascii=False))


async def session_of(registry: "MatchRegistry", name: str) -> "MatchSession | None":
    """The session where the match is in memory, or about to be."""
    if name in registry.loading:
        with suppress(NoAccess):
            await registry.find(name)
    return registry.sessions.get(name)


async def purged(registry: "MatchRegistry", name: str) -> None:
    """Nothing of the match is left."""
    session = await session_of(registry, name)
    if session is not None:
        await session.delete(purge=True)
    else:
        await registry.store.write(Write(name, purge=True))
        registry.removed([name])


async def rewritten(registry: "MatchRegistry", name: str, change: Callable[[StoredMatch], StoredMatch]) -> None:
    """Where the match is not in memory, in one step of the storage, so that nobody comes between."""
    session = await session_of(registry, name)
    if session is not None:
        with suppress(NoAccess):  # it was deleted meanwhile
            await session.rewrite(change)
        return
    registry.mode.check_writable()

    def replace_there(storage: Storage) -> None:
        stored = storage.load(name)
        if stored is not None and not stored.deleted:
            storage.write([Write(name, rewritten=change(stored))])

    await registry.store.read(replace_there)
