"""Where hidden cards, dice and numbers lie in a game of the kit: its fields say it."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from machiavel.engines.hidden_places import (
    UNDEALT,
    HiddenCells,
    HiddenField,
    KindOfThings,
    WorldColumns,
    bits_of,
    how_many,
    things_in,
)
from machiavel.engines.kit.card_sets import BITS, Bag, Deck
from machiavel.engines.kit.game_fields import GameFields, SecretField, card_kind, leaf_type
from machiavel.engines.kit.value_types import BagItems, DiceRow
from machiavel.engines.plugin import Rules

__all__ = ["hidden_fields"]

Struct = Mapping[str, Any]


def hidden_fields(fields: GameFields) -> tuple[HiddenField, ...]:
    """Those that not everybody sees, but for notes of what lies elsewhere; and the cards of their decks that lie nowhere."""
    held = [one for one in fields.secrets if one.has_counts or one.declared.kind not in {"cards", "card"}]
    decks = {id(one.declared.deck): one.declared.deck for one in held if one.declared.deck is not None}
    places = [HiddenField(one.name, one.type, one.name, partial(is_seen, one)) for one in held]
    return (*places, *(HiddenField(UNDEALT, cells=partial(undealt, fields, deck)) for deck in decks.values()))


def is_seen(secret: SecretField, view: Struct, owner: int | None) -> bool:
    return secret.is_seen(view, view["seat"], owner or 0)


def undealt(
    fields: GameFields,
    deck: Deck | Bag,
    rules: Rules,
    view: Struct,  # noqa: ARG001
    worlds: WorldColumns,
) -> Iterator[HiddenCells]:
    places = [one for one in fields.declared.values() if one.is_zone and one.deck is deck]
    name, names = card_kind(deck).name, list(map(str, deck.texts))
    if isinstance(deck, Deck):
        there = np.zeros(len(worlds.worlds), np.uint64)
        for one in places:
            there |= together(worlds[one.name], is_set=one.kind == "cards")
        yield HiddenCells(UNDEALT, None, None, name, names, bits_of(~there)[:, : len(deck)], is_single=True)
        return
    left = np.tile(np.array(deck.numbers, np.int16), (len(worlds.worlds), 1))
    for one in places:
        things = things_in(leaf_type(one), rules)
        if things is not None:
            counts = things.count(worlds[one.name])
            left -= counts.reshape(len(counts), -1, len(names)).sum(axis=1, dtype=np.int16)
    yield HiddenCells(UNDEALT, None, None, name, names, left.clip(0).astype(np.uint8))


def together(column: NDArray[Any], *, is_set: bool) -> NDArray[np.uint64]:
    """The set of all cards in a field, of which each value is a set, or a card."""
    values = column.reshape(len(column), -1)
    sets = values.astype(np.uint64) if is_set else np.where(values < 0, 0, np.uint64(1) << values.clip(0).astype(np.uint64))
    return np.asarray(np.bitwise_or.reduce(sets.astype(np.uint64), axis=1))


@things_in.register(BagItems)
def things_in_bag(kind: BagItems, rules: Rules) -> KindOfThings:
    texts = kind.kind.texts(rules)
    shifts = np.arange(len(texts), dtype=np.uint64) * np.uint64(BITS)
    return KindOfThings(
        kind.kind.name,
        list(map(str, texts)),
        lambda raw: (raw[..., None].astype(np.uint64) >> shifts & np.uint64(15)).astype(np.uint8),
        is_single=False,
    )


@things_in.register(DiceRow)
def things_in_dice(kind: DiceRow, rules: Rules) -> KindOfThings:  # noqa: ARG001
    faces = np.arange(1, kind.sides + 1)
    return KindOfThings("die", list(map(str, faces)), lambda raw: how_many(raw, faces), is_single=False)
