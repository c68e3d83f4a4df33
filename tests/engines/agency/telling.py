"""What happens in a match of agency, by the books of the twin."""

from collections.abc import Iterator, Sequence
from typing import Any

from machiavel.engines import GameEvent
from tests.twins.agency import POWERS, Match, accomplice, is_power, value, winning_place

__all__ = ["happened"]


def event(kind: str, **fields: Any) -> GameEvent:
    return GameEvent(kind, fields)


def happened(before: Match, move: str, after: Match, seat: int | None) -> Iterator[GameEvent]:
    """What a seat, or a spectator, is told of a move."""
    yield moved(before, move, after, seat)
    if before.phase == "pass" and after.phase == "play":
        given = after.half[-1].given
        giver = None if seat is None else (seat - 1) % before.players
        yield event("exchange", who=seat, giver=giver, card=None if giver is None else given[giver])
    if before.phase == "play" and len(before.table) + 1 == before.players:
        yield from trick_ended(before, [*before.table, (before.seat, move)], after)
    if after.is_over:
        yield from (event("share" if len(after.winners) > 1 else "win", who=winner) for winner in after.winners)
        return
    if after.round > before.round:
        left = sum(lying.shuffled_in < after.round for lying in after.pile)
        yield event("round", round=after.round, left=left, under=len(after.pile) - left)
    is_same_trick = (before.round, before.trick) == (after.round, after.trick)
    for power in POWERS:
        if power in powers_up(after) and not (is_same_trick and power in powers_up(before)):
            yield event("power", who=after.agents.index(power), power=power)
    if after.order and not (is_same_trick and before.order):
        yield event("stake", plan=after.pile[0].card)


def moved(before: Match, move: str, after: Match, seat: int | None) -> GameEvent:
    mover, (word, _, rest) = before.seat, move.partition(":")
    if word == "lead":
        return event("lead", who=mover, whom=int(rest))
    if word == "look":
        look = after.looks[-1]
        assert look is not None
        return event("look", who=mover, whom=look.target, cards=look.cards if seat == mover else [])
    if word == "pass":
        return event("pass", who=mover, whom=(mover + 1) % before.players, card=rest if seat == mover else None)
    return event("play", who=mover, card=move)


def trick_ended(before: Match, table: Sequence[tuple[int, str]], after: Match) -> Iterator[GameEvent]:
    stake, cards = before.pile[0].card, [card for _, card in table]
    winner = table[winning_place(cards, accomplice(stake))][0]
    agent = before.agents[winner] if before.agents else ""
    won = [stake]
    if before.martha and agent == "martha":
        won.append([lying.card for lying in before.pile if not is_power(lying.card)][-1])
    counts = {colour: sum(card[0] == colour for card in cards) for colour in "GY"}
    uncounted = before.jean and agent == "jean"
    yield event(
        "trick",
        who=winner,
        plan=value(won[0]),
        bottom=value(won[1]) if won[1:] else None,
        greens=counts["G"],
        yellows=counts["Y"],
        uncounted=uncounted and sum(counts.values()) > 0,
    )
    if before.trick == 6:
        yield event("reserves")
    if before.trick < 12:
        return
    yield event("round_end", round=before.round)
    greens, yellows = list(before.greens), list(before.yellows)
    if not uncounted:
        greens[winner] += counts["G"]
        yellows[winner] += counts["Y"]
    worth = 8 if before.players <= 3 else 5
    assert after.last_round is not None
    for seat, points in enumerate(after.last_round["points"]):
        plans = sum(value(plan) for plan in before.plans_won[seat] + (won if seat == winner else []))
        bonus = worth if greens[seat] == min(greens) else 0
        malus = worth if yellows[seat] == max(yellows) else 0
        taken = {"greens": greens[seat], "bonus": bonus, "yellows": yellows[seat], "malus": malus}
        yield event("score", who=seat, plans=plans, **taken, points=points)
    for seat, (medals, now) in enumerate(zip(before.medals, after.medals, strict=True)):
        if now > medals:
            yield event("medal", who=seat)


def powers_up(match: Match) -> set[str]:
    up = {name for name, is_up in (("martha", match.martha), ("jean", match.jean), ("wxt", match.last is not None)) if is_up}
    return up | ({"belton"} if match.phase == "lead" else {"moignons"} if match.phase == "look" else set())
