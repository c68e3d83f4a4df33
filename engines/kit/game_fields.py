"""What the declarations of a game come to: the fields of its views and truths, its layouts, its moves."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from machiavel.engines import fields
from machiavel.engines.fields import Item, ItemSet, Kind, ListOf, Nullable, Number, PerSeat, SeatNumber, SeatSet, Type
from machiavel.engines.kit.card_sets import BITS, Bag, Deck
from machiavel.engines.kit.declared_fields import StateField
from machiavel.engines.kit.state_bytes import hidden_name
from machiavel.engines.kit.value_types import BagItems, DiceRow
from machiavel.engines.looks import USUAL, ThingLook
from machiavel.engines.phrases import Phrases, load_phrases
from machiavel.engines.plugin import Rules
from machiavel.engines.views import BY_SPECTATORS, FOLLOWS, NEVER, Field, LeftOut, Usual, ViewSchema

__all__ = ["COUNTS", "KIT_PHRASES", "GameFields", "SecretField", "card_kind", "cards_in", "counted", "leaf_type"]

KIT_PHRASES: Phrases = load_phrases(__package__ or "")
COUNTS = "_counts"  # behind the name of a field: how many there are in it
FEW = 12  # cards that an error names one by one
Struct = Mapping[str, Any]
Count = Callable[[Any], int]


# ---- Cards and values ----


def card_kind(deck: Deck | Bag, *, is_laid: bool = False) -> Kind:
    """The cards of a deck, by what stands on them. Those that are laid nowhere are words, such as a suit that was led."""
    few = len(deck.texts) <= FEW
    expected = None if few else lambda _: KIT_PHRASES.wording("problems.a_card", first=deck.texts[0])
    looks = deck.looks if isinstance(deck, Deck) else {}
    return Kind.fixed("card", list(deck.texts), expected, suits_of(deck), ThingLook("card" if is_laid else "", looks))


def suits_of(deck: Deck | Bag) -> Sequence[str]:
    """Its suits; of cards with names these themselves, where they are suits or look like some."""
    if isinstance(deck, Bag):
        return ()
    return deck.suits or (deck.texts if deck.looks or set(deck.texts) <= set(USUAL) else ())


def cards_in(deck: Deck | Bag, cards: int) -> dict[int, int]:
    """How often each card is in a set, by number; those that are not in it are left out."""
    if isinstance(deck, Bag):
        numbers = {kind: cards >> BITS * kind & 15 for kind in range(len(deck))}
        return {kind: number for kind, number in numbers.items() if number}
    return {card: 1 for card in range(len(deck)) if cards >> card & 1}


def counted(one: StateField[Any]) -> Count:
    """How many are in a value: cards of a set, a card, or dice."""
    if one.kind == "cards":
        return int.bit_count if isinstance(one.deck, Deck) else lambda cards: sum(cards >> at & 15 for at in range(0, 64, BITS))
    if one.kind == "card":
        return lambda card: int(card >= 0)
    return lambda dice: sum(map(bool, dice))


def leaf_type(one: StateField[Any]) -> Type:
    """The type of a single value of a field: an element, or all dice of a cup."""
    match one.kind:
        case "cards" if isinstance(one.deck, Bag):
            return BagItems(card_kind(one.deck, is_laid=True), one.deck.numbers)
        case "cards":
            return ItemSet(card_kind(deck_of(one), is_laid=True), any_order=True)
        case "card":
            return Nullable(Item(card_kind(deck_of(one), is_laid=one.is_zone)), -1)
        case "flag":
            return fields.Flag()
        case "seat":
            return SeatNumber(none=-1)
        case "seats":
            return SeatSet()
        case "dice":
            return DiceRow(one.length or 1, one.high or 1, one.is_sorted)
    return Number(one.low, one.high if one.high is not None else one.low, is_die=one.die)


def deck_of(one: StateField[Any]) -> Deck | Bag:
    if one.deck is None:
        raise TypeError(f"{one.name} has no deck")
    return one.deck


def whole_type(one: StateField[Any], leaf: Type) -> Type:
    """The type of a field, of which each value is of that type."""
    row = leaf if one.length is None or one.kind == "dice" else ListOf(leaf, count=one.length)
    return PerSeat(row) if one.each_seat else row


def zone_of(one: StateField[Any]) -> str:
    """Where a table draws it, unless its author says where."""
    if one.zone_at is not None:
        return "" if one.zone_at == "nowhere" else one.zone_at
    if one.kind in {"cards", "card", "dice"}:
        if one.kind != "dice" and not one.is_zone:
            return ""
        if one.seen_by == "nobody":
            return ""
        return "hand" if one.seen_by != "all" else "table" if one.each_seat or one.kind != "cards" else "pile"
    return "score" if one.each_seat else "place"


# ---- Fields that not everybody sees ----


class SecretField:
    """A field that not everybody sees: its values are null in a view for whoever does not."""

    def __init__(self, declared: StateField[Any], mask: StateField[Any] | None) -> None:
        """`mask` is the field that says who sees it, where there is one."""
        self.declared = declared
        self.name = declared.name
        self.mask = mask
        self.leaf = leaf_type(declared)
        self.has_counts = declared.kind == "dice" or declared.is_zone
        self.counts_name = declared.name + COUNTS
        self.count: Count = counted(declared)
        self.usual = None if declared.usually is None else single(declared, declared.usually)
        self.is_row = declared.length is not None and declared.kind != "dice"  # several values, one after the other
        # A card that is there and hidden is null, as is one that is not there.
        self.type = whole_type(declared, self.leaf if isinstance(self.leaf, Nullable) else Nullable(self.leaf))

    def is_seen(self, struct: Struct, seat: int, owner: int) -> bool:
        """Whether a seat, or the spectator (-1), sees what is `owner`'s."""
        seen_by = self.declared.seen_by
        if seat < 0 or seen_by == "nobody":
            return False
        if self.mask is None:
            return seat == owner
        seats = struct[seen_by]
        return bool((seats[owner] if self.mask.each_seat else seats) >> seat & 1)

    def values(self, players: int, struct: Struct) -> tuple[Any, Any]:
        """The values that a view shows, and how many are in each."""
        seat, raw = struct["seat"], struct[self.name]
        hidden = struct[hidden_name(self.name)] if self.has_counts else None
        if not self.declared.each_seat:
            return self.row(raw, hidden, is_seen=self.is_seen(struct, seat, 0))
        values, counts = [], []
        for owner in range(players):
            number = None if hidden is None else hidden[owner]
            value, count = self.row(raw[owner], number, is_seen=self.is_seen(struct, seat, owner))
            values.append(value)
            counts.append(count)
        return values, counts

    def row(self, raw: Any, hidden: Any, *, is_seen: bool) -> tuple[Any, Any]:
        if self.is_row:
            numbers = [None] * len(raw) if hidden is None else hidden
            pairs = [self.one(value, number, is_seen=is_seen) for value, number in zip(raw, numbers, strict=True)]
            return [value for value, _ in pairs], [count for _, count in pairs]
        return self.one(raw, hidden, is_seen=is_seen)

    def one(self, raw: Any, hidden: Any, *, is_seen: bool) -> tuple[Any, Any]:
        count = None
        if hidden is not None:
            count = self.count(raw) if is_seen else sum(hidden) if isinstance(hidden, list) else hidden
        if not is_seen or (self.declared.kind == "card" and raw < 0):
            return None, count
        return raw, count

    def paths(self, players: int) -> Iterator[tuple[int, ...]]:
        """Where each value stands in the lists."""
        for owner in range(players) if self.declared.each_seat else [None]:
            for at in range(self.declared.length or 0) if self.is_row else [None]:
                yield tuple(step for step in (owner, at) if step is not None)

    def owner(self, path: tuple[int, ...]) -> int:
        return path[0] if self.declared.each_seat else 0

    def place(self, path: tuple[int, ...], *, counts: bool = False) -> str:
        """The name of a value, as in `hands[2]`."""
        return (self.counts_name if counts else self.name) + "".join(f"[{step}]" for step in path)


# ---- All of them ----


@dataclass(frozen=True)
class GameFields:
    """The declared fields of a game, and its views and truths made of them."""

    declared: Mapping[str, StateField[Any]]
    secrets: Sequence[SecretField]
    views: ViewSchema
    truths: ViewSchema

    @classmethod
    def of(cls, declared: Sequence[StateField[Any]], most_plies: int, *, reads_ply: bool) -> "GameFields":
        """`reads_ply`: whether the rules look at the number of moves played.

        Where they do not, a view without it stands at the beginning: from there a match has all the moves it may need.
        """
        by_name = {one.name: one for one in declared}
        masks = {one.within for one in declared if one.within is not None}
        secrets = {one.name: SecretField(one, by_name.get(one.seen_by)) for one in declared if one.is_hidden}
        shown = [
            Field("seat", SeatNumber(none=-1), "seat"),
            Field("ply", Number(0, most_plies), "ply", NEVER if reads_ply else Usual(lambda _: 0)),
            Field("to_move", SeatSet(), left_out=FOLLOWS),
        ]
        for one in declared:
            usual, zone = left_out(one, is_mask=one.name in masks), zone_of(one)
            if one.name not in secrets:
                drawn = one.shown_while or ""
                shown.append(Field(one.name, whole_type(one, leaf_type(one)), one.name, usual, zone=zone, shown_while=drawn))
                continue
            secret = secrets[one.name]
            shown.append(Field(one.name, secret.type, left_out=usual, zone=zone, shown_while=one.shown_while or ""))
            if secret.has_counts:
                most = sum(one.deck.numbers) if isinstance(one.deck, Bag) else len(one.deck) if one.deck else one.length or 1
                kind = whole_type(one, Number(0, 1 if one.kind == "card" else most))
                zone = "score" if one.each_seat else "place"
                shown.append(Field(secret.counts_name, kind, left_out=FOLLOWS, zone=zone, counts=one.name))
        found = list(secrets.values())

        def derived(rules: Rules, struct: Struct) -> Mapping[str, Any]:
            result: dict[str, Any] = {"to_move": seats_asked(struct)}
            for secret in found:
                values, counts = secret.values(rules.players, struct)
                result[secret.name] = values
                if secret.has_counts:
                    result[secret.counts_name] = counts
            return result

        hidden = [Field(one.name, whole_type(one.declared, one.leaf), one.name) for one in found]
        return cls(by_name, found, ViewSchema(*shown, derived=derived), ViewSchema(*hidden))


def seats_asked(struct: Struct) -> list[int]:
    mover, asked = struct["mover"], struct["asked"]
    if mover < 0:
        return []
    return [seat for seat in range(8) if asked >> seat & 1] if asked else [mover]


def left_out(one: StateField[Any], *, is_mask: bool) -> LeftOut:
    """What becomes of a field that somebody leaves out who types a view in."""
    if one.is_hidden:  # what it usually is, nobody may be told who does not see it: the reader finds it
        return FOLLOWS if one.usually is not None or one.seen_by == "nobody" else BY_SPECTATORS
    if one.usually is not None:
        return Usual(lambda rules: repeated(one, rules, one.usually))
    if is_mask and one.deck is not None:
        return Usual(lambda rules: repeated(one, rules, deck_of(one).all))
    return NEVER


def repeated(one: StateField[Any], rules: Rules, value: Any) -> Any:
    """A value as code has it, as JSON: the same for all seats and places."""
    leaf = leaf_type(one)
    result = leaf.json(rules, leaf.unpack(rules, single(one, value)))
    if one.length is not None and one.kind != "dice":
        result = [result] * one.length
    return [result] * rules.players if one.each_seat else result


def single(one: StateField[Any], value: int) -> Any:
    """A single value of a field: of dice, all of them show that."""
    return [value] * (one.length or 1) if one.kind == "dice" else value
