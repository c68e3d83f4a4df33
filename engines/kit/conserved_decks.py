"""Decks of which every card is in some place all through a match, so that one place that is not told holds whatever is left."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from machiavel.engines._face import Game, State
from machiavel.engines.errors import GameError
from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.game_fields import cards_in

if TYPE_CHECKING:
    from machiavel.engines.kit.engine import KitEngine
    from machiavel.engines.plugin import Rules

__all__ = ["conserved_decks"]

MATCHES = 3  # that are looked at: a game that loses cards does so in each
PRIMES = (2, 3, 7)  # which of the moves is played, in each of them


def conserved_decks(engine: "KitEngine", rules: "Rules") -> frozenset[int]:
    """The numbers of these decks, as a few matches show; none where the game goes wrong."""
    known: frozenset[int] | None = rules.made.get(conserved_decks)
    if known is None:
        known = frozenset(range(len(engine.game.decks)))
        try:
            game = Game(engine)
            options = {name: value for name, value in rules.options.items() if name != "players"}
            own = game.make_rules(rules.players, **options)
            for seed in range(MATCHES):
                known &= conserved_in_match(engine, game.deal(own, seed=seed), seed)
        except GameError:
            known = frozenset()
        rules.made[conserved_decks] = known
    return known


def conserved_in_match(engine: "KitEngine", state: State, seed: int) -> frozenset[int]:
    decks = frozenset(range(len(engine.game.decks)))
    while decks:
        fields = engine.native.state_fields(state.to_bytes())
        decks = frozenset(number for number in decks if is_whole(engine, fields, number, state.players))
        moves = state.legal_moves()
        if not moves:
            break
        state.play(moves[PRIMES[seed] * len(state.moves) % len(moves)])
    return decks


def is_whole(engine: "KitEngine", fields: dict[str, Any], number: int, players: int) -> bool:
    """Whether all cards of that deck are in some place."""
    deck = engine.game.decks[number]
    found: Counter[int] = Counter()
    for one in engine.game.fields.values():
        if one.deck is deck and one.is_zone:
            for value in values_in(fields[one.name][:players] if one.each_seat else fields[one.name]):
                found.update(cards_of(deck, one.kind, value))
    return found == Counter(cards_in(deck, deck.all))


def values_in(value: Any) -> list[int]:
    return [inside for one in value for inside in values_in(one)] if isinstance(value, list) else [value]


def cards_of(deck: Deck | Bag, kind: str, value: int) -> dict[int, int]:
    if kind == "card":
        return {value: 1} if value >= 0 else {}
    return cards_in(deck, value)
