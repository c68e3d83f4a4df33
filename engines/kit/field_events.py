"""What happens in a game of the kit: every move, what tricks and tallies come to, and what fields tell as they change."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from machiavel.engines.events import EventFields, GameEvent, SeenMove
from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.declarations import ActionPart
from machiavel.engines.kit.declared_fields import StateField
from machiavel.engines.kit.game_description import DescribedAction, GameDescription
from machiavel.engines.kit.game_words import HIDDEN, WON, actor, tells_won, told_fields, won_fields
from machiavel.engines.kit.numbered_moves import GameMoves, NamedMove
from machiavel.engines.plugin import Rules

__all__ = ["GameEvents"]

Seen = Mapping[str, Any]
NameHere = Callable[[Rules, Seen, NamedMove, int], str]  # what a move of a seat is called where a view stands
Winners = Callable[[Rules, Seen], Sequence[Mapping[str, int]]]  # of the view at the end, what is told of each who has won
NOW_KINDS = {
    "count": "count",
    "flag": "flag",
    "seat": "seat?",
    "seats": "seats",
    "card": "card?",
    "cards": "cards",
    "dice": "faces",
}


class GameEvents:
    """The events of a game: of its moves, tricks and tallies, of the fields that have `tells=`, and of who has won."""

    def __init__(self, game: GameDescription, moves: GameMoves, name_here: NameHere, winners: Winners) -> None:
        self.moves = moves
        self.name_here = name_here
        self.winners = winners if tells_won(game) else None
        self.told = told_fields(game)
        self.kinds: dict[str, EventFields] = {}
        for action in game.actions.values():
            self.kinds |= dict.fromkeys(action.names, move_fields(action, None))
            if action.action.hidden is not None:
                self.kinds[action.name + HIDDEN] = move_fields(action, action.action.hidden)
        for name, how in self.told.items():
            self.kinds[name] = fields_of_event(game.fields[name], how)
        self.kinds.update((name, {"who": "seat", "cards": "cards"}) for name in game.tricks)
        for name, tally in game.tallies.items():
            told = {one: NOW_KINDS[game.fields[one].kind] for one in tally.told}
            self.kinds[name] = {**told, "face": "count", "found": "count", "matching": "faces"}
        if self.winners is not None:
            self.kinds[WON] = {name: "seat" if name == "who" else "count" for name in won_fields(game)}
        self.tricks = game.tricks
        self.tallies = game.tallies
        self.fields = game.fields

    def events(self, rules: Rules, before: Seen | None, move: SeenMove | None, after: Seen) -> Iterator[GameEvent]:
        """The move, the trick that it ends or the dice that it counts, whatever fields tell, and at the end who has won."""
        named = None
        if move is not None:
            named = self.moves.seen(rules, move.text)
            if named is not None:
                name = named.action.name if before is None else self.name_here(rules, before, named, move.seat)
                kind = name + (HIDDEN if named.is_hidden else "")
                yield GameEvent(kind, {actor(named.action): move.seat, **named.parts})
        if named is not None and move is not None and before is not None:
            for name, trick in self.tricks.items():
                cards = whole_trick(named, move.seat, before[trick.table], after[trick.table])
                who = None if cards is None else trick.taker(self.fields, before, cards)
                if who is not None and cards is not None:
                    yield GameEvent(name, {"who": who, "cards": [card for card in cards if card is not None]})
            for name, tally in self.tallies.items():
                told = tally.counted(before, after) if tally.after == named.action.name else None
                if told is not None:
                    yield GameEvent(name, told)
        if before is not None:
            for name, how in self.told.items():
                yield from field_events(self.fields[name], how, before[name], after[name])
        if self.winners is not None and before is not None and before["to_move"] and not after["to_move"]:
            yield from (GameEvent(WON, found) for found in self.winners(rules, after))


def whole_trick(
    move: NamedMove, mover: int, before: Sequence[str | None], after: Sequence[str | None]
) -> Sequence[str | None] | None:
    """The cards of a trick by seat: what lay there, and the last one played, where all of them have gone; else None."""
    played = next(
        (move.parts[part.name] for part in move.action.action.parts if part.name in move.parts and kind_of_value(part) == "card"),
        None,
    )
    if played is None or not any(before) or any(after):
        return None
    return [played if seat == mover else card for seat, card in enumerate(before)]


def move_fields(action: DescribedAction, hidden: str | None) -> EventFields:
    parts = [part for part in action.action.parts if hidden is None or f"{{{part.name}}}" in hidden]
    return {actor(action): "seat", **{part.name: kind_of_value(part) for part in parts}}


def kind_of_value(part: ActionPart) -> str:
    if part.is_seat:
        return "seat"
    return "card" if isinstance(part.kind, Deck | Bag) else "count" if isinstance(part.kind, range) else "choice"


def fields_of_event(one: StateField[Any], how: str) -> EventFields:
    """`seat` where each has one, `by` how much or the new `cards`, `now` what it is then."""
    seat = {"seat": "seat"} if one.each_seat else {}
    if how == "changes":
        return {**seat, "now": NOW_KINDS[one.kind]}
    if how == "gains":
        return {**seat, "cards": "cards", "now": "count"}
    return {**seat, "by": "count", "now": "count"}


def field_events(one: StateField[Any], how: str, before: Any, after: Any) -> Iterator[GameEvent]:
    is_row = one.length is not None and one.kind != "dice"
    for seat, (was, now) in enumerate(zip(before, after, strict=True)) if one.each_seat else [(None, (before, after))]:
        for then, value in zip(was, now, strict=True) if is_row else [(was, now)]:
            told = field_event(one, how, then, value)
            if told is not None:
                yield GameEvent(one.name, told if seat is None else {"seat": seat, **told})


def field_event(one: StateField[Any], how: str, before: Any, after: Any) -> dict[str, Any] | None:
    """What changed; None where nothing did that is told, or somebody does not see it."""
    if how == "changes":
        is_told = before != after and (after is not None or not one.is_hidden)
        return {"now": after} if is_told else None
    if before is None or after is None:
        return None
    if how == "gains":
        new = added(before, after)
        return {"cards": new, "now": len(after)} if new else None
    was, now = number_of(before), number_of(after)
    by = now - was if how == "rises" else was - now
    return {"by": by, "now": now} if by > 0 else None


def added(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """What is there more often than before, in order; of a bag a card may be there several times."""
    left, result = list(before), []
    for card in after:
        if card in left:
            left.remove(card)
        else:
            result.append(card)
    return result


def number_of(value: Any) -> int:
    return len(value) if isinstance(value, list) else int(value)
