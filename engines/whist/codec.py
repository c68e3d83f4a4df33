"""The texts of whist: cards, views and layouts."""

from collections.abc import Mapping, Sequence
from typing import Any

from machiavel.engines._words import card_list
from machiavel.engines.errors import BadLayout, NotAMove
from machiavel.engines.plugin import Rules
from machiavel.engines.whist import _engine

__all__ = [
    "CARD_NUMBERS",
    "CARD_TEXTS",
    "NOBODY",
    "NO_SUIT",
    "PAST",
    "ROUNDS",
    "SEATS",
    "SUITS",
    "SUIT_NAMES",
    "card_label",
    "clockwise",
    "outcome_name",
    "outcome_text",
    "outcomes",
    "parse_move",
    "truth_json",
    "view_json",
    "why_illegal",
]

# The engine's numbers.
SEATS, ROUNDS, PAST = 7, 7, 6
NO_SUIT, NOBODY = 4, 255
LUCK_TRUMP, LUCK_HANDS = range(2)

SUITS, RANKS = "CDHS", "23456789TJQKA"
SUIT_NAMES: Mapping[str, Sequence[str]] = {
    "en": ("clubs", "diamonds", "hearts", "spades"),
    "fr": ("trèfle", "carreau", "cœur", "pique"),
}
RANK_NAMES: Mapping[str, Mapping[str, str]] = {
    "en": {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"},
    "fr": {"T": "10", "J": "valet", "Q": "dame", "K": "roi", "A": "as"},
}

CARD_TEXTS: Mapping[int, str] = {
    16 * suit + rank: letter + name for suit, letter in enumerate(SUITS) for rank, name in enumerate(RANKS)
}
CARD_NUMBERS: Mapping[str, int] = {text: card for card, text in CARD_TEXTS.items()}


# ---- Cards ----


def parse_move(rules: Rules, text: str) -> Sequence[int]:  # noqa: ARG001
    """A card may be written in small letters, a ten as 10 and, where the hand leaves no doubt, by its rank alone."""
    word = text.strip().upper().replace("10", "T")
    cards = [card for card, name in CARD_TEXTS.items() if word in {name, name[1]}]
    if not cards:
        raise NotAMove(text, "a card: its suit (C, D, H or S) and rank (2 to 9, T, J, Q, K or A), as HT")
    return cards


def card_label(card: int, language: str) -> str:
    """`HK` in words."""
    rank = RANKS[card & 15]
    name, suit = RANK_NAMES[language].get(rank, rank), SUIT_NAMES[language][card >> 4]
    return f"{name} of {suit}" if language == "en" else f"{name} de {suit}"


def why_illegal(rules: Rules, view: bytes, move: int) -> str:  # noqa: ARG001
    """From what the mover sees, and nothing else."""
    fields = _engine.view_fields(view)
    if not fields["hand"] >> move & 1:
        return f"{CARD_TEXTS[move]} is not in the hand"
    return f"must follow {SUIT_NAMES['en'][fields['table']['led']]}"


# ---- Views ----


def seats_of(bits: int) -> list[int]:
    return [seat for seat in range(SEATS) if bits >> seat & 1]


def clockwise(seats: Sequence[int], first: int) -> list[int]:
    """The seats in the order in which they play."""
    return sorted(seats, key=lambda seat: (seat < first, seat))


def view_json(rules: Rules, view: bytes) -> dict[str, Any]:
    fields = _engine.view_fields(view)
    table, seat, players = fields["table"], fields["seat"], range(rules.players)
    is_over = table["mover"] == NOBODY
    contenders = seats_of(table["contenders"])
    played = [] if is_over else clockwise(contenders, table["leader"])[: len(contenders) - table["to_come"]]
    counts = [table["held"] - (other in played) if other in contenders else 0 for other in players]
    return {
        "seat": None if seat < 0 else seat,
        "ply": table["ply"],
        "round": table["round"] + 1,
        "trick": ROUNDS - table["round"] - max(table["held"], 1) + 1,
        "trump": SUITS[table["trump"]],
        "contenders": contenders,
        "to_move": [] if is_over else [table["mover"]],
        "leader": table["leader"],
        "table": [[other, CARD_TEXTS[table["cards"][other]]] for other in played],
        "past": past_json(table, contenders, 0 if is_over else ROUNDS - table["round"] - table["held"]),
        "tricks": table["tricks"][: rules.players],
        "seen": card_list(table["seen"], CARD_TEXTS),
        "voids": [[suit for i, suit in enumerate(SUITS) if table["voids"] >> 4 * other + i & 1] for other in players],
        "hand": None if seat < 0 else card_list(fields["hand"], CARD_TEXTS),
        "hand_counts": counts,
        "winners": contenders if is_over else [],
    }


def past_json(table: Mapping[str, Any], contenders: Sequence[int], count: int) -> list[list[list[Any]]] | None:
    """The finished tricks of the round; None if nobody has told them."""
    past = table["past"][:count]
    if any(leader == NOBODY for leader, *_ in past):
        return None
    return [[[seat, CARD_TEXTS[cards[seat]]] for seat in clockwise(contenders, leader)] for leader, *cards in past]


def truth_json(rules: Rules, view: bytes, state: bytes) -> dict[str, Any]:
    """A spectator's view and, besides, the hands."""
    hands = _engine.state_fields(state)["hands"]
    return view_json(rules, view) | {"hands": [card_list(hand, CARD_TEXTS) for hand in hands[: rules.players]]}


# ---- Layouts ----


def outcomes(rules: Rules, layout: Mapping[str, Any]) -> list[tuple[int, int, bytes]]:
    """The luck of a layout: for each round its trump suit and the hand of each seat, empty where it is out; or one of the two."""
    for field in layout:
        if field != "rounds":
            raise BadLayout(str(field), "is unknown; the only field is rounds")
    rounds = layout.get("rounds", [])
    if not isinstance(rounds, list) or len(rounds) > ROUNDS:
        raise BadLayout("rounds", f"are {rounds!r}; expected a list of at most {ROUNDS}")
    result = []
    for number, entry in enumerate(rounds):
        field = f"rounds[{number}]"
        if not isinstance(entry, Mapping) or not set(entry) <= {"trump", "hands"}:
            raise BadLayout(field, "expected an object with trump and hands")
        if "trump" in entry:
            if not isinstance(entry["trump"], str) or entry["trump"] not in tuple(SUITS):
                raise BadLayout(f"{field}.trump", f"is {entry['trump']!r}; expected one of {', '.join(SUITS)}")
            result.append((LUCK_TRUMP, number, bytes([SUITS.index(entry["trump"])])))
        if "hands" in entry:
            result.append(laid_hands(rules, f"{field}.hands", number, entry["hands"]))
    return result


def laid_hands(rules: Rules, field: str, number: int, hands: object) -> tuple[int, int, bytes]:
    if not isinstance(hands, list) or len(hands) != rules.players:
        raise BadLayout(field, f"expected {rules.players} lists of cards, one a seat")
    cards: list[str] = []
    contenders = 0
    for seat, hand in enumerate(hands):
        if not isinstance(hand, list) or len(hand) not in ({ROUNDS - number, 0} if number else {ROUNDS}):
            raise BadLayout(f"{field}[{seat}]", f"is {hand!r}; expected {ROUNDS - number} cards" + ", or none" * (number > 0))
        for card in hand:
            if not isinstance(card, str) or card not in CARD_NUMBERS:
                raise BadLayout(f"{field}[{seat}]", f"holds {card!r}; expected a card, as HT")
            if card in cards:
                raise BadLayout(field, f"{card} is dealt twice")
            cards.append(card)
        contenders |= bool(hand) << seat
    return LUCK_HANDS | contenders << 8, number, bytes(CARD_NUMBERS[card] for card in cards)


def outcome_name(rules: Rules, purpose: int, counter: int) -> str:  # noqa: ARG001
    if purpose == LUCK_TRUMP:
        return f"rounds[{counter}].trump"
    return f"rounds[{counter}].hands of seats {', '.join(map(str, seats_of(purpose >> 8)))} alone"


def outcome_text(rules: Rules, purpose: int, items: bytes) -> str:  # noqa: ARG001
    return ", ".join(SUITS[item] if purpose == LUCK_TRUMP else CARD_TEXTS[item] for item in items)
