"""The texts of bond: moves, views and layouts, as docs/bond.md has them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from machiavel.engines._words import card_list
from machiavel.engines.bond import _engine
from machiavel.engines.bond.deck import CARDS, COPIES, LETTERS, BondDeck
from machiavel.engines.errors import BadLayout, NotAMove
from machiavel.engines.plugin import Rules

__all__ = [
    "ADD",
    "CAPTURED",
    "FIRST_DOUBLER",
    "FIRST_SPY",
    "FOIL",
    "LAIR",
    "NOBODY",
    "NO_LETTER",
    "OVER",
    "PHASES",
    "SEATS",
    "SOURCES",
    "SPY",
    "TOPS",
    "Tables",
    "heap_json",
    "heap_of",
    "move_text",
    "outcome_name",
    "outcome_text",
    "outcomes",
    "parse_move",
    "public_text",
    "truth_json",
    "view_json",
    "why_illegal",
]

# The engine's numbers.
FIRST_SPY, FIRST_DOUBLER = 18, 36
HEAP_FIELDS = {"lairs": 0, "spies": FIRST_SPY, "doublers": FIRST_DOUBLER}  # where each sort begins in a heap
SKIP, PLAY_LAIR, END, ATTACK, STOLEN, TOP, GO, ADD_SPY, KILL, TAUNT, FOIL_TAUNT, LET = (
    *(0, 1, 32, 33, 18, 24),
    *(192, 193, 224, 225, 240, 241),
)
SEATS, NOBODY, NO_LETTER = 6, 255, 255
PHASES = ("lair", "spy", "add", "captured", "foil", "over")
LAIR, SPY, ADD, CAPTURED, FOIL, OVER = range(6)
SOURCES = ("", "hand", "steal", "deck")
TOPS = (None, "other", "spy")
LUCK_FIRST, LUCK_HANDS, LUCK_PILE, LUCK_STEAL = range(4)

MOVES = "lair:3, skip, spy:5>2, steal:1>0, deck>2, end, add:4, go, kill, taunt:C, foil or let"
GAPS = re.compile(r"\s*([:>])\s*")


@dataclass(frozen=True)
class Tables:
    """What texts need of the rules."""

    deck: BondDeck
    players: int

    @property
    def hand_size(self) -> int:
        return 6 if self.players <= 3 else 5

    @cached_property
    def moves(self) -> dict[int, str]:
        """The text of every move."""
        texts = {SKIP: "skip", END: "end", GO: "go", KILL: "kill", FOIL_TAUNT: "foil", LET: "let"}
        seats = range(self.players)
        for kind, text in self.deck.texts.items():
            mark = self.deck.marks[kind]
            if kind < FIRST_SPY:
                texts[PLAY_LAIR + kind] = text
            elif kind < FIRST_DOUBLER:
                what = kind - FIRST_SPY
                texts |= {ATTACK + SEATS * what + target: f"{text}>{target}" for target in seats}
                texts[ADD_SPY + what] = f"add:{mark}"
            else:
                texts[TAUNT + LETTERS.index(str(mark))] = f"taunt:{mark}"
        for target in seats:
            texts[ATTACK + SEATS * TOP + target] = f"deck>{target}"
            for victim in seats:
                texts[ATTACK + SEATS * (STOLEN + victim) + target] = f"steal:{victim}>{target}"
        return texts

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {text.lower(): move for move, text in self.moves.items()}


# ---- Moves ----


def move_text(rules: Rules, move: int) -> str:
    return str(rules.tables.moves[move])


def public_text(rules: Rules, move: int) -> str:
    """Spies of a hand are not named: they may lie face down."""
    text = move_text(rules, move)
    if text.startswith("spy:"):
        return f"spy:?>{text.partition('>')[2]}"
    return "add:?" if text.startswith("add:") else text


def parse_move(rules: Rules, text: str) -> Sequence[int]:
    """Small and capital letters are the same, and spaces around signs do not matter."""
    result = rules.tables.numbers.get(GAPS.sub(r"\1", text.strip().lower()))
    if result is None:
        raise NotAMove(text, f"{MOVES}, with values of the deck and seats 0 to {rules.players - 1}")
    return [result]


def why_illegal(rules: Rules, view: bytes, move: int) -> str:
    """From what the mover sees, and nothing else."""
    seen = view_json(rules, view)
    word, _, rest = move_text(rules, move).partition(":")
    phase, attack = seen["phase"], seen["attack"]
    asked = {
        "lair": (("lair", "skip"), "a lair card or skip is asked for"),
        "spy": (("spy", "steal", "deck", "end"), "an attack or end is asked for"),
        "add": (("add", "go"), "add or go is asked for"),
        "captured": (("kill", "taunt"), "kill or taunt is asked for"),
        "foil": (("foil", "let"), "foil or let is asked for"),
    }[phase]
    if word.partition(">")[0] not in asked[0]:
        return asked[1]
    mark, _, target = rest.partition(">") if ":" in move_text(rules, move) else ("", "", move_text(rules, move).partition(">")[2])
    if target and not seen["lairs"][int(target)]:
        return f"seat {target} has no lair"
    if word == "steal":
        return "one steals from others" if int(mark) == seen["seat"] else f"seat {mark} holds no spy"
    if word.startswith("deck"):
        return "no spy lies on top of the pile"
    if word == "foil":
        return f"no other Doubler {attack['taunt']} is in the hand"
    if word == "add" and int(mark) > attack["spies"][-1]:
        return f"spies are added from the strongest down; {attack['spies'][-1]} was the last"
    if word == "taunt" and mark in attack["taunts"]:
        return f"{mark} is on the spy already"
    return f"{deck_text(word, mark)} is not in the hand"


def deck_text(word: str, mark: str) -> str:
    return f"{ {'add': 'spy', 'taunt': 'doubler'}.get(word, word) }:{mark}"


# ---- Views ----


def heap_json(deck: BondDeck, heap: int) -> dict[str, list[Any]]:
    """The cards of a heap by sort, ascending."""
    return {
        name: card_list(heap >> first & (1 << COPIES) - 1, deck.marks[first : first + COPIES])
        for name, first in HEAP_FIELDS.items()
    }


def view_json(rules: Rules, view: bytes) -> dict[str, Any]:
    fields = _engine.view_fields(view)
    table, seat, deck = fields["table"], fields["seat"], rules.tables.deck
    players = rules.players
    return {
        "seat": None if seat < 0 else seat,
        "ply": table["ply"],
        "phase": PHASES[table["phase"]],
        "turn": table["turn"],
        "mover": None if table["mover"] == NOBODY else table["mover"],
        "points": table["points"][:players],
        "lairs": [card_list(lairs, deck.marks) for lairs in table["lairs"][:players]],
        "hands": [
            {"spies": spies, "others": others}
            for spies, others in zip(table["hand_spies"][:players], table["hand_others"][:players], strict=True)
        ],
        "hand": None if seat < 0 else heap_json(deck, fields["hand"]),
        "pile": {"count": table["pile_count"], "spies": table["pile_spies"], "top": TOPS[table["top"]]},
        "discard": heap_json(deck, discarded(deck, table)),
        "idle": table["idle"],
        "attack": attack_json(rules, fields),
    }


def kinds_of(deck: BondDeck, heap: int) -> Counter[int]:
    return Counter(card_list(heap, deck.kinds))


def heap_of(deck: BondDeck, kinds: Counter[int]) -> int:
    """The n lowest bits of each kind's field."""
    return sum(((1 << kinds[kind]) - 1) << kind for kind in deck.counts)


def on_table(deck: BondDeck, table: Mapping[str, Any]) -> Counter[int]:
    """Lairs, the spies shown of an attack, and the Doublers on them."""
    result = kinds_of(deck, table["spies"])
    for lairs in table["lairs"]:
        result += kinds_of(deck, lairs)
    letters = [*table["taunts"][: table["taunt_count"]], *([table["taunt"]] if table["taunt"] != NO_LETTER else [])]
    return result + Counter(FIRST_DOUBLER + 2 * letter for letter in letters)


def discarded(deck: BondDeck, table: Mapping[str, Any]) -> int:
    left = deck.counts - kinds_of(deck, table["unseen"]) - on_table(deck, table)
    return heap_of(deck, left)


def attack_json(rules: Rules, fields: Mapping[str, Any]) -> dict[str, Any] | None:
    table, deck = fields["table"], rules.tables.deck
    if table["target"] == NOBODY:
        return None
    if table["committed"] and fields["seat"] != table["turn"]:
        spies: list[Any] = [None] * table["committed"]
    else:
        spies = card_list(table["spies"] | fields["committed"], deck.marks)[::-1]
    asked = table["phase"] == FOIL
    first = (table["target"] + 1) % rules.players
    return {
        "source": SOURCES[table["source"]],
        "attacker": table["turn"],
        "victim": None if table["victim"] == NOBODY else table["victim"],
        "target": table["target"],
        "spies": spies,
        "captured": table["phase"] in {CAPTURED, FOIL},
        "taunts": [LETTERS[letter] for letter in table["taunts"][: table["taunt_count"]]],
        "taunt": LETTERS[table["taunt"]] if asked else None,
        "declined": [(first + i) % rules.players for i in range((table["mover"] - first) % rules.players)] if asked else [],
    }


def truth_json(rules: Rules, view: bytes, state: bytes) -> dict[str, Any]:
    """A spectator's view and, besides, everything hidden; the pile lies in no order yet."""
    fields = _engine.state_fields(state)
    deck = rules.tables.deck
    truth = view_json(rules, view)
    truth["hands"] = [heap_json(deck, hand) for hand in fields["hands"][: rules.players]]
    truth["committed"] = card_list(fields["committed"] | fields["table"]["spies"], deck.marks)[::-1]
    truth["pile"] = heap_json(deck, fields["pile"])
    return truth


# ---- Layouts ----


def outcomes(rules: Rules, layout: Mapping[str, Any]) -> list[tuple[int, int, bytes]]:
    """Who begins, the hands by seat, the pile from its top, the spies stolen in order; each may end early or be left out."""
    tables: Tables = rules.tables
    for field in layout:
        if field not in {"first", "hands", "pile", "steals"}:
            raise BadLayout(str(field), "is unknown; fields: first, hands, pile, steals")
    result = []
    first = layout.get("first")
    if first is not None:
        if isinstance(first, bool) or not isinstance(first, int) or not 0 <= first < rules.players:
            raise BadLayout("first", f"is {first!r}; expected a seat, 0 to {rules.players - 1}")
        result.append((LUCK_FIRST, 0, bytes([first])))
    dealt: Counter[int] = Counter()
    hands = laid_list("hands", layout.get("hands", []), rules.players)
    for seat, hand in enumerate(hands):
        kinds = laid_cards(tables.deck, f"hands[{seat}]", hand, tables.hand_size)
        result += [(LUCK_HANDS, tables.hand_size * seat + place, bytes([kind])) for place, kind in enumerate(kinds)]
        dealt.update(kinds)
    kinds = laid_cards(tables.deck, "pile", layout.get("pile", []), CARDS - tables.hand_size * rules.players)
    result += [(LUCK_PILE, place, bytes([kind])) for place, kind in enumerate(kinds)]
    dealt.update(kinds)
    for kind in dealt - tables.deck.counts:
        raise BadLayout(
            "pile" if kind in kinds else "hands",
            f"{tables.deck.texts[kind]} is laid out {dealt[kind]} times; the deck has {tables.deck.counts[kind]}",
        )
    for number, value in enumerate(laid_list("steals", layout.get("steals", []), COPIES)):
        spy = tables.deck.kind("spy", value) if isinstance(value, int) and not isinstance(value, bool) else None
        if spy is None:
            raise BadLayout(f"steals[{number}]", f"is {value!r}; expected the value of a spy of the deck")
        result.append((LUCK_STEAL, number, bytes([spy])))
    return result


def laid_list(field: str, value: object, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise BadLayout(field, f"is {value!r}; expected a list of at most {most}")
    return value


def laid_cards(deck: BondDeck, field: str, value: object, most: int) -> list[int]:
    cards = laid_list(field, value, most)
    for card in cards:
        if not isinstance(card, str) or card not in deck.numbers:
            raise BadLayout(field, f"holds {card!r}; cards here: {', '.join(deck.numbers)}")
    return [deck.numbers[card] for card in cards]


def outcome_name(rules: Rules, purpose: int, counter: int) -> str:
    size = rules.tables.hand_size
    return {
        LUCK_FIRST: "first",
        LUCK_HANDS: f"hands[{counter // size}][{counter % size}]",
        LUCK_PILE: f"pile[{counter}]",
        LUCK_STEAL: f"steals[{counter}]",
    }[purpose]


def outcome_text(rules: Rules, purpose: int, items: bytes) -> str:
    deck: BondDeck = rules.tables.deck
    if purpose == LUCK_FIRST:
        return ", ".join(map(str, items))
    return ", ".join(str(deck.marks[item]) if purpose == LUCK_STEAL else deck.texts[item] for item in items)
