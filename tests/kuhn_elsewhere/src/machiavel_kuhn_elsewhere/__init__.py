"""Kuhn poker for Machiavel: a small game with all it may bring, in a distribution of its own.

Beside this file: `search.toml` has its levels and what was measured, `words/` what players read, `table.py` and `form.py` what
draws and asks in the terminal.
"""

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from machiavel.engines import (
    BadLayout,
    BadOption,
    BadView,
    Engine,
    GameEvent,
    HintWords,
    NotAMove,
    Option,
    Quantity,
    Rules,
    SeenMove,
)

from . import _engine

__all__ = ["ENGINE", "KuhnEngine"]

MOVES = ("pass", "bet")
RANKS = "A23456789TJQK"  # a deck of n cards is the last n
OVER = {("pass", "pass"), ("bet", "pass"), ("bet", "bet"), ("pass", "bet", "pass"), ("pass", "bet", "bet")}
HISTORIES = {history[:length] for history in OVER for length in range(4)}
VIEW = struct.Struct("<B3s2sbx")  # View in _engine.pyx: ply, moves, cards, seat
HIDDEN = 255
HINTS = HintWords(
    {"en": "of possible deals", "fr": "des donnes possibles"},
    [
        Quantity(
            "shown",
            {"en": "keeps you in until the showdown", "fr": "te garde en jeu jusqu'à l'abattage"},
            {"en": "showdown", "fr": "abattage"},
            good=1,
            says={"en": "there is a showdown", "fr": "il y a un abattage"},
            never={"en": "there is never a showdown", "fr": "il n'y a jamais d'abattage"},
        ),
        Quantity(
            "pot",
            {"en": "makes the pot {value} chips on average", "fr": "porte le pot à {value} jetons en moyenne"},
            {"en": "chips in the pot", "fr": "jetons au pot"},
            is_share=False,
            weight=0.5,
            more={"en": "makes the pot larger", "fr": "grossit le pot en moyenne"},
            less={"en": "keeps the pot smaller", "fr": "garde le pot plus petit en moyenne"},
        ),
    ],
)


class KuhnEngine(Engine):
    """The game as the rest of the house knows it."""

    name = "kuhn_elsewhere"
    table = "machiavel_kuhn_elsewhere.table:KuhnTable"
    form = "machiavel_kuhn_elsewhere.form:kuhn_form"
    capsule = _engine.capsule
    titles = MappingProxyType({"en": "Kuhn poker", "fr": "Poker de Kuhn"})
    players = range(2, 3)
    options = (
        Option(
            "cards",
            3,
            {"en": "3 to 13", "fr": "de 3 à 13"},
            {"en": "cards in the deck", "fr": "cartes dans le paquet"},
        ),
    )
    event_kinds = MappingProxyType(
        {
            "dealt": {"card": "card"},
            "checks": {"seat": "seat"},
            "bets": {"seat": "seat", "pot": "count"},
            "calls": {"seat": "seat", "pot": "count"},
            "folds": {"seat": "seat"},
            "shows": {"seat": "seat", "card": "card"},
            "wins": {"seat": "seat", "pot": "count"},
        }
    )

    def make_rules(self, players: int, options: Mapping[str, Any]) -> Rules:
        cards = options.get("cards", 3)
        if isinstance(cards, bool) or not isinstance(cards, int) or not 3 <= cards <= 13:
            raise BadOption("cards", cards, "a whole number from 3 to 13")
        complete = {"players": players, "cards": cards}
        digest = hashlib.sha256(json.dumps([self.name, complete], sort_keys=True).encode()).hexdigest()
        return Rules(_engine.make_rules(cards), players, complete, digest, tables=RANKS[-cards:])

    def move_text(self, rules: Rules, move: int) -> str:
        return MOVES[move]

    def parse_move(self, rules: Rules, text: str) -> Sequence[int]:
        word = text.strip().lower()
        if word not in MOVES:
            raise NotAMove(text, "pass or bet")
        return [MOVES.index(word)]

    def move_label(self, rules: Rules, move: int, language: str) -> str:
        return self.phrases()(f"labels.{MOVES[move]}", language)

    def value_text(self, rules: Rules, seen: Mapping[str, Any], kind: str, value: Any, how: tuple[str, str]) -> str:
        return self.phrases()(f"cards.{value}", how[0]) if kind == "card" else super().value_text(rules, seen, kind, value, how)

    def events(
        self, rules: Rules, before: Mapping[str, Any] | None, move: SeenMove | None, after: Mapping[str, Any]
    ) -> Sequence[GameEvent]:
        if before is None or move is None:
            return [] if after["seat"] is None else [GameEvent("dealt", {"card": after["cards"][after["seat"]]})]
        moves, pot, has_bet = after["moves"], pot_of(after["moves"]), "bet" in before["moves"]
        if move.text == "bet":
            result = [GameEvent("calls" if has_bet else "bets", {"seat": move.seat, "pot": pot})]
        else:
            result = [GameEvent("folds" if has_bet else "checks", {"seat": move.seat})]
        if tuple(moves) not in OVER:
            return result
        cards = after["cards"]
        if None in cards:
            return [*result, GameEvent("wins", {"seat": 1 - move.seat, "pot": pot})]
        result += [GameEvent("shows", {"seat": seat, "card": card}) for seat, card in enumerate(cards)]
        higher = max((0, 1), key=lambda seat: rules.tables.index(cards[seat]))
        return [*result, GameEvent("wins", {"seat": higher, "pot": pot})]

    def metrics(self, rules: Rules) -> Sequence[str]:
        return ("pot", "shown")

    def hint_words(self, rules: Rules) -> HintWords:
        return HINTS

    def move_parts(self, rules: Rules, seen: Mapping[str, Any], move: str, language: str) -> tuple[str, Mapping[str, object]]:
        return move, {}

    def view_json(self, rules: Rules, view: bytes) -> dict[str, Any]:
        ply, moves, cards, seat = VIEW.unpack(view)
        return {
            "seat": None if seat < 0 else seat,
            "moves": [MOVES[move] for move in moves[:ply]],
            "cards": [None if card == HIDDEN else rules.tables[card] for card in cards],
        }

    def view_bytes(self, rules: Rules, data: Mapping[str, Any]) -> bytes:
        fields = {"seat", "moves", "cards"}
        for field in sorted(fields ^ set(map(str, data))):
            raise BadView(field, "is missing" if field in fields else "is unknown; fields: cards, moves, seat")
        seat, moves, cards = data["seat"], data["moves"], data["cards"]
        if seat is not None and (type(seat) is not int or seat not in {0, 1}):
            raise BadView("seat", f"is {seat!r}; expected 0, 1 or null")
        if not is_texts(moves) or tuple(moves) not in HISTORIES:
            raise BadView("moves", f"are {moves!r}; expected pass and bet as they were played")
        shown = tuple(moves) in OVER and moves[-1] == moves[-2]
        if not isinstance(cards, list) or len(cards) != 2:
            raise BadView("cards", f"are {cards!r}; expected one for each seat, null where it is not seen")
        for owner, card in enumerate(cards):
            if (card is not None) != (shown or owner == seat):
                raise BadView(f"cards[{owner}]", f"is {card!r}; expected {'a card' if card is None else 'null'}")
            if card is not None:
                card_number(rules, card, f"cards[{owner}]", BadView)
        if shown and cards[0] == cards[1]:
            raise BadView("cards", f"are both {cards[0]}; there is one of each")
        return VIEW.pack(
            len(moves),
            bytes(map(MOVES.index, moves)),
            bytes(HIDDEN if card is None else rules.tables.index(card) for card in cards),
            -1 if seat is None else seat,
        )

    def truth_json(self, rules: Rules, view: bytes, state: bytes) -> dict[str, Any]:
        return self.view_json(rules, view) | {"cards": [rules.tables[card] for card in state[4:6]]}

    def outcomes(self, rules: Rules, layout: Mapping[str, Any]) -> list[tuple[int, int, bytes]]:
        """{"cards": ["K", "J"]}: the card of each seat."""
        if set(layout) != {"cards"} or not is_texts(layout["cards"]):
            raise BadLayout("layout", "expected an object with cards, a list with the card of each seat")
        return [(0, 0, bytes(card_number(rules, card, "cards", BadLayout) for card in layout["cards"]))]

    def outcome_name(self, rules: Rules, purpose: int, counter: int) -> str:
        return "cards"

    def outcome_text(self, rules: Rules, purpose: int, items: bytes) -> str:
        return ", ".join(rules.tables[card] for card in items)


def staked_by(seat: int, moves: Sequence[str]) -> int:
    """The chips a seat has put into the pot (R1, R2)."""
    return 1 + sum(move == "bet" and ply % 2 == seat for ply, move in enumerate(moves))


def pot_of(moves: Sequence[str]) -> int:
    return staked_by(0, moves) + staked_by(1, moves)


def is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def card_number(rules: Rules, card: object, field: str, error: type[BadLayout] | type[BadView]) -> int:
    if not isinstance(card, str) or len(card) != 1 or card not in rules.tables:
        raise error(field, f"holds {card!r}; expected one of {', '.join(rules.tables)}")
    return int(rules.tables.index(card))


ENGINE = KuhnEngine()
