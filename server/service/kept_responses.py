"""Responses that are kept so that a request may be repeated: a person's name is taken out of them."""

from dataclasses import replace

from google.protobuf.message import DecodeError

from machiavel import v1
from machiavel.server.storage import SavedResponse

__all__ = ["CREATE", "without_person"]

CREATE = "account"  # who acts without a token of the match, and whose response is a CreateMatchResponse


def without_person(kept: SavedResponse, person: str) -> SavedResponse:
    """What it says of seats of that name it says without the name; all others stay the same bytes."""
    if person.encode() not in kept.response:
        return kept
    if kept.actor == CREATE:
        created = v1.CreateMatchResponse.FromString(kept.response)
        for seat in created.match.seats:
            if seat.name == person:
                seat.name = ""
        return replace(kept, response=created.SerializeToString(deterministic=True))
    try:
        changed = v1.MatchSeat.FromString(kept.response)
    except DecodeError:
        return kept
    if changed.name != person or changed.SerializeToString(deterministic=True) != kept.response:
        return kept
    changed.name = ""
    return replace(kept, response=changed.SerializeToString(deterministic=True))
