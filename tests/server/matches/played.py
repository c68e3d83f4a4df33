"""Matches under way, to be looked at."""

import random
from collections.abc import Callable
from typing import Any

from machiavel.engines import load
from machiavel.server.matches.match import Match
from machiavel.server.matches.match_setup import Seat, Settings, Setup

__all__ = ["NOW", "begun", "first_match", "play_until", "setup_of"]

NOW = 1_700_000_000 * 10**9


def setup_of(game: str, players: int, seed: int, seats: tuple[Seat, ...] | None = None, **more: Any) -> Setup:
    options = more.pop("options", {})
    rules = load(game).make_rules(players, **options)
    return Setup(
        game=game,
        rules_version=load(game).rules_version,
        digest=rules.digest,
        options=dict(rules.options),
        seed=seed,
        salt=bytes(32),
        secret=bytes(32),
        settings=more.pop("settings", Settings()),
        seats=seats or (Seat("person"),) * players,
        think=1.0,
    )


def begun(game: str, players: int, seed: int, **more: Any) -> Match:
    """All seats are persons'."""
    match = Match.begin("m" * 22, setup_of(game, players, seed, **more))
    match.start(NOW)
    return match


def play_until(match: Match, wanted: Callable[[Match], bool], rng: random.Random) -> bool:
    """Random moves of the seat to move until it is so; whether it came to that. Foils are rare among them."""
    while not wanted(match):
        seat = match.state.seat_to_move
        if seat is None:
            return False
        moves = match.state.legal_moves()
        match.answer(seat, rng.choice([move for move in moves if move != "foil"] or moves), NOW)
    return True


def first_match(game: str, players: int, wanted: Callable[[Match], bool], **more: Any) -> Match:
    """The first match, of many, that comes to it."""
    for seed in range(2000):
        match = begun(game, players, seed, **more)
        if play_until(match, wanted, random.Random(seed)):
            return match
    raise AssertionError("no match comes to that")
