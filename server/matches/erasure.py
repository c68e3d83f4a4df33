"""What is erased of hosted matches because somebody asks for it: all of an account's, or a person's name at every seat."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from machiavel.server.matches.hosting_errors import NoAccess
from machiavel.server.storage import Event, Header, SavedResponse, Storage, StoredMatch

if TYPE_CHECKING:
    from machiavel.server.matches.match_registry import MatchRegistry

__all__ = ["Rename", "account_erased", "person_erased", "without_name"]

Rename = Callable[[SavedResponse, str], SavedResponse]  # a kept response without a name
PAGE = 100  # matches looked at in one step


async def account_erased(registry: "MatchRegistry", account: str, *, dry_run: bool) -> int:
    """How many matches; nothing is left of them when this returns. Raises StorageFailed or ReadOnly."""
    names = await registry.store.read(lambda storage: storage.belonging(account))
    for name in [] if dry_run else names:
        await registry.purge(name)
    return len(names)


async def person_erased(registry: "MatchRegistry", person: str, rename: Rename, *, dry_run: bool) -> int:
    """In how many matches the name stood at a seat. Raises StorageFailed or ReadOnly."""
    before, count = None, 0
    while page := await registry.store.read(partial(listed, before)):
        for header in [one for one in page if names_seat(one, person)]:
            count += 1
            if not dry_run:
                await registry.rewrite(header.match, partial(without_name, person=person, rename=rename))
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


def changed(stored: StoredMatch | None) -> StoredMatch:
    """Raises NoAccess where there is none any more."""
    if stored is None or stored.deleted:
        raise NoAccess
    return stored
