"""Rematches: another match with the same people and bots, set up from one that is over."""

from dataclasses import replace

from machiavel.server.draws import Draw
from machiavel.server.matches.hosting_errors import TooManyChanges
from machiavel.server.matches.match import Match
from machiavel.server.matches.match_setup import Seat, Setup
from machiavel.server.matches.tokens import draw_deal, draw_secret

__all__ = ["MOST_REMATCHES", "check_chain", "rematch_setup", "seat_after", "waited_for"]


MOST_REMATCHES = 100  # in a row: more than an evening, and nobody's guests go on for ever


def check_chain(match: Match) -> None:
    """Raises TooManyChanges where no rematch may follow."""
    if match.setup.rematch >= MOST_REMATCHES:
        raise TooManyChanges(MOST_REMATCHES, "this is number {most} of its rematches; expected a new match")


def seat_after(match: Match, seat: int, rotate: int) -> int:
    """Where who sits there sits in the rematch."""
    return (seat + rotate) % len(match.seats)


def waited_for(match: Match) -> list[int]:
    """The persons' seats that have not asked for it."""
    return [number for number, seat in enumerate(match.seats) if seat.kind == "person" and number not in match.rematch.asked]


def rematch_setup(match: Match, rotate: int, draw: Draw) -> Setup:
    """The same but for a new deal; persons' seats open to nobody until their persons claim them."""
    held = {seat_after(match, number, rotate): Seat(one.kind, one.name) for number, one in enumerate(match.seats)}
    for number, one in enumerate(match.setup.seats):
        if one.kind == "bot":
            held[seat_after(match, number, rotate)] = one
    seed, salt = draw_deal(draw)
    seats = tuple(seat for _, seat in sorted(held.items()))
    return replace(
        match.setup,
        seed=seed,
        salt=salt,
        secret=draw_secret(draw),
        seats=seats,
        predecessor=match.name,
        rematch=match.setup.rematch + 1,
    )
