"""The texts of agency: moves, views and layouts, as docs/agency.md has them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from machiavel.engines._words import card_list
from machiavel.engines.agency import _engine
from machiavel.engines.agency.deck import ACCOMPLICES, AGENTS, AgencyDeck
from machiavel.engines.errors import BadLayout, NotAMove
from machiavel.engines.plugin import Rules

__all__ = [
    "BETWEEN",
    "HALF",
    "HIDDEN",
    "JEAN_AT_WORK",
    "LEAD",
    "LOOK",
    "MARTHA_AT_WORK",
    "NOBODY",
    "NO_CARD",
    "OVER",
    "PASS",
    "PHASES",
    "PLAY",
    "TRICKS",
    "Tables",
    "move_text",
    "outcomes",
    "parse_move",
    "public_text",
    "truth_json",
    "view_json",
]

# The engine's numbers.
LEAD_SEAT, LOOK_AT, PASS_CARD, MOVE_LIMIT = 64, 72, 80, 144
NOBODY = NO_CARD = HIDDEN = 255
MARTHA_AT_WORK, JEAN_AT_WORK = 32, 64
HALF, TRICKS = 6, 12
PHASES = ("lead", "look", "pass", "play", "over", "between")
LEAD, LOOK, PASS, PLAY, OVER, BETWEEN = range(6)
LUCK_AGENTS, LUCK_LEADER, LUCK_CARDS, LUCK_PILE = range(4)


@dataclass(frozen=True)
class Tables:
    """What texts need of the rules."""

    deck: AgencyDeck
    powers: bool
    medals: int
    agents: tuple[int, ...] | None  # by seat, where an option says so


# ---- Moves ----


def move_text(rules: Rules, move: int) -> str:
    if move < LEAD_SEAT:
        return str(rules.tables.deck.card_texts[move])
    if move < LOOK_AT:
        return f"lead:{move - LEAD_SEAT}"
    if move < PASS_CARD:
        return f"look:{move - LOOK_AT}"
    return f"pass:{rules.tables.deck.card_texts[move - PASS_CARD]}"


def public_text(rules: Rules, move: int) -> str:
    return "pass:?" if move >= PASS_CARD else move_text(rules, move)


def parse_move(rules: Rules, text: str) -> Sequence[int]:
    """A card may be written in small letters or, where the hand leaves no doubt, by its rank alone."""
    word, colon, rest = text.strip().partition(":")
    word = word.strip().lower()
    rest = rest.strip()
    if not colon:
        moves = cards_named(rules.tables.deck, word)
    elif word == "pass":
        moves = [PASS_CARD + card for card in cards_named(rules.tables.deck, rest)]
    elif word in {"lead", "look"} and rest.isascii() and rest.isdigit() and int(rest[-9:]) < rules.players and len(rest) < 10:
        moves = [(LEAD_SEAT if word == "lead" else LOOK_AT) + int(rest)]
    else:
        moves = []
    if not moves:
        last = rules.players - 1
        raise NotAMove(text, f"a card (G8), lead:0 to lead:{last}, look:0 to look:{last} or pass: and a card (pass:Y12)")
    return moves


def cards_named(deck: AgencyDeck, text: str) -> list[int]:
    if text.upper() in deck.card_numbers:
        return [deck.card_numbers[text.upper()]]
    return [number for number, name in enumerate(deck.card_texts) if name[1:] == text]


# ---- Views ----


def view_json(rules: Rules, view: bytes) -> dict[str, Any]:
    fields = _engine.view_fields(view)
    table, tables, seat = fields["table"], rules.tables, fields["seat"]
    deck: AgencyDeck = tables.deck
    players, phase, trick = rules.players, table["phase"], table["trick"]
    fixed = phase in {PASS, PLAY}
    look = table["look_trick"] != NO_CARD

    def per_seat(name: str) -> list[int]:
        return list(table[name][:players])

    return {
        "seat": None if seat < 0 else seat,
        "ply": table["ply"],
        "round": table["round"] + 1,
        "trick": min(trick + 1, TRICKS),
        "phase": PHASES[phase],
        "to_move": seats_to_move(table, players),
        "agents": [AGENTS[agent] for agent in per_seat("agents")] if tables.powers else [],
        "medals": per_seat("medals"),
        "leader": table["leader"],
        "last": none_for(table["last"], NOBODY),
        "order": per_seat("order") if fixed else [],
        "martha": table["martha"] != NOBODY,
        "jean": table["jean"] != NOBODY,
        "stake": deck.kind_texts[table["stake"]] if fixed else None,
        "pile": pile_json(deck, table, table["pile_shown"]),
        "segments": segments_json(deck, table),
        "plan_points": per_seat("plan_points"),
        "greens": per_seat("greens"),
        "yellows": per_seat("yellows"),
        "tricks": per_seat("tricks"),
        "latest": per_seat("latest"),
        "table": [[table["order"][i], deck.card_texts[table["cards"][i]]] for i in range(table["played"])],
        "seen": card_list(table["seen"], deck.card_texts),
        "half": half_json(deck, players, fields),
        "look": {
            "trick": half_start(table) + table["look_trick"] + 1,
            "looker": table["looker"],
            "target": table["look_target"],
            "cards": card_list(fields["look_cards"], deck.card_texts) if table["looker"] == seat else None,
        }
        if look
        else None,
        "hand": None if seat < 0 else card_list(fields["hand"], deck.card_texts),
        "hand_counts": [hand_size(table, other) for other in range(players)],
        "reserve": HALF if trick < HALF else 0,
        "last_round": {
            "points": per_seat("last_points"),
            "winners": [other for other in range(players) if table["last_winners"] >> other & 1],
        }
        if table["last_winners"]
        else None,
        "winners": [other for other in range(players) if phase == OVER and table["medals"][other] == tables.medals],
    }


def none_for(value: int, none: int) -> int | None:
    return None if value == none else value


def seats_to_move(table: Mapping[str, Any], players: int) -> list[int]:
    if table["phase"] == PASS:
        return [seat for seat in range(players) if not table["given"] >> seat & 1]
    return [] if table["mover"] == NOBODY else [table["mover"]]


def half_start(table: Mapping[str, Any]) -> int:
    return HALF if table["trick"] >= HALF else 0


def hand_size(table: Mapping[str, Any], seat: int) -> int:
    if table["trick"] == TRICKS:
        return 0
    tricks: int = table["trick"]
    return HALF - tricks % HALF - int(seat in table["order"][: table["played"]])


def pile_json(deck: AgencyDeck, table: Mapping[str, Any], pile: Sequence[int]) -> list[str]:
    return ["?" if kind == HIDDEN else deck.kind_texts[kind] for kind in pile[table["pile_top"] : table["pile_end"]]]


def segments_json(deck: AgencyDeck, table: Mapping[str, Any]) -> list[dict[str, Any]]:
    split = max(table["pile_top"], table["pile_split"])
    sizes = (split - table["pile_top"], table["pile_end"] - split)
    return [
        {
            "size": size,
            "unseen": sorted(deck.kind_texts[kind] for kind, count in enumerate(unseen) for _ in range(count)),
        }
        for size, unseen in zip(sizes, table["pile_unseen"], strict=True)
        if size
    ]


def half_json(deck: AgencyDeck, players: int, fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    table = fields["table"]
    entries = []
    for i, accomplice in enumerate(table["half_accomplice"]):
        if accomplice == NO_CARD:
            break
        if table["half_order"][i][0] == NOBODY:  # nobody has told it
            continue
        now = table["trick"] == half_start(table) + i
        cards = table["half_cards"][i][: table["played"] if now else players]
        entries.append(
            {
                "trick": half_start(table) + i + 1,
                "order": list(table["half_order"][i][:players]),
                "cards": [deck.card_texts[card] for card in cards],
                **stake_json(deck, table["half_stake"][i]),
                "follow_suit": ACCOMPLICES[accomplice] == "follow_suit",
                "pass_left": ACCOMPLICES[accomplice] == "pass_left",
                "gave": card_or_none(deck, fields["gave"][i]),
                "received": card_or_none(deck, fields["received"][i]),
            }
        )
    return entries


def stake_json(deck: AgencyDeck, stake: int) -> dict[str, Any]:
    """What a trick of the half was played for, and with which powers; nulls if nobody has told."""
    if stake == NO_CARD:
        return {"stake": None, "martha": None, "jean": None}
    kind = stake & (MARTHA_AT_WORK - 1)
    return {
        "stake": deck.kind_texts[kind],
        "martha": bool(stake & MARTHA_AT_WORK),
        "jean": bool(stake & JEAN_AT_WORK),
    }


def card_or_none(deck: AgencyDeck, card: int) -> str | None:
    return None if card == NO_CARD else deck.card_texts[card]


def truth_json(rules: Rules, view: bytes, state: bytes) -> dict[str, Any]:
    """A spectator's view and, besides, everything hidden."""
    fields = _engine.state_fields(state)
    deck: AgencyDeck = rules.tables.deck
    truth = view_json(rules, view)
    truth["pile"] = pile_json(deck, fields["table"], fields["pile"])
    truth["hands"] = [card_list(fields["hands"][seat], deck.card_texts) for seat in range(rules.players)]
    truth["reserves"] = [card_list(fields["reserves"][seat], deck.card_texts) for seat in range(rules.players)]
    truth["given"] = [
        [card_or_none(deck, card) for card in fields["given"][i][: rules.players]] for i in range(len(truth["half"]))
    ]
    return truth


# ---- Layouts ----


def outcomes(rules: Rules, layout: Mapping[str, Any]) -> list[tuple[int, int, bytes]]:
    tables: Tables = rules.tables
    for field in layout:
        if field not in {"leader", "agents", "rounds"}:
            raise BadLayout(str(field), "is unknown; fields: leader, agents, rounds")
    result = []
    if layout.get("leader") is not None:
        leader = layout["leader"]
        if isinstance(leader, bool) or not isinstance(leader, int) or not 0 <= leader < rules.players:
            raise BadLayout("leader", f"is {leader!r}; expected a seat, 0 to {rules.players - 1}")
        result.append((LUCK_LEADER, 0, bytes([leader])))
    if layout.get("agents") is not None:
        if not tables.powers or tables.agents is not None:
            why = "are given by the option" if tables.powers else "are not in play without powers"
            raise BadLayout("agents", f"{why}; leave them out")
        result.append(
            (
                LUCK_AGENTS,
                0,
                numbers(layout["agents"], "agents", {name: i for i, name in enumerate(AGENTS)}, rules.players),
            )
        )
    rounds = layout.get("rounds", [])
    if not isinstance(rounds, list):
        raise BadLayout("rounds", f"are {rounds!r}; expected a list")
    for number, entry in enumerate(rounds):
        result += round_outcomes(rules, number, entry)
    return result


def round_outcomes(rules: Rules, number: int, entry: object) -> list[tuple[int, int, bytes]]:
    deck: AgencyDeck = rules.tables.deck
    field = f"rounds[{number}]"
    if not isinstance(entry, Mapping):
        raise BadLayout(field, f"is {entry!r}; expected an object with hands, reserves and pile")
    for name in sorted({"hands", "reserves", "pile"} ^ set(map(str, entry))):
        problem = "is missing" if name not in entry else "is unknown; fields: hands, reserves, pile"
        raise BadLayout(f"{field}.{name}", problem)
    cards = b""
    for name in ("hands", "reserves"):
        if not isinstance(entry[name], list) or len(entry[name]) != rules.players:
            raise BadLayout(f"{field}.{name}", f"expected a list with {rules.players} lists of {HALF} cards")
    for seat in range(rules.players):
        for name in ("hands", "reserves"):
            cards += numbers(entry[name][seat], f"{field}.{name}[{seat}]", deck.card_numbers, HALF)
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise BadLayout(field, f"{deck.card_texts[twice]} is dealt twice")
    return [
        (LUCK_CARDS, number, cards),
        (LUCK_PILE, number, numbers(entry["pile"], f"{field}.pile", deck.kind_numbers, None)),
    ]


def numbers(value: object, field: str, known: Mapping[str, int], count: int | None) -> bytes:
    if not isinstance(value, list) or (count is not None and len(value) != count):
        raise BadLayout(field, f"is {value!r}; expected a list" + ("" if count is None else f" of {count}"))
    for item in value:
        if not isinstance(item, str) or item not in known:
            raise BadLayout(field, f"holds {item!r}; known here: {', '.join(known)}")
    return bytes(known[item] for item in value)


def outcome_name(rules: Rules, purpose: int, counter: int) -> str:  # noqa: ARG001
    return {
        LUCK_AGENTS: "agents",
        LUCK_LEADER: "leader",
        LUCK_CARDS: f"rounds[{counter}].hands and .reserves",
        LUCK_PILE: f"rounds[{counter}].pile",
    }[purpose]


def outcome_text(rules: Rules, purpose: int, items: bytes) -> str:
    deck: AgencyDeck = rules.tables.deck
    texts: Mapping[int, str] | Sequence[str]
    if purpose == LUCK_PILE:
        texts = deck.kind_texts
    elif purpose == LUCK_CARDS:
        texts = deck.card_texts
    elif purpose == LUCK_AGENTS:
        texts = AGENTS
    else:
        texts = [str(seat) for seat in range(rules.players)]
    return ", ".join(texts[item] for item in items)


def why_illegal(rules: Rules, view: bytes, move: int) -> str:
    """From what the mover sees, and nothing else."""
    seen = view_json(rules, view)
    text = move_text(rules, move)
    phase = seen["phase"]
    if phase == "lead":
        return "Belton names who leads"
    if phase == "look":
        return "Moignons looks at the hand of an opponent"
    if phase == "pass":
        return "a card of the hand is to be passed" if move < PASS_CARD else f"{text.partition(':')[2]} is not in the hand"
    if move >= LEAD_SEAT:
        return "a card is to be played"
    if text not in seen["hand"]:
        return f"{text} is not in the hand"
    led = seen["table"][0][1]
    return f"must follow {dict(zip('MBGY', ('mauve', 'blue', 'green', 'yellow'), strict=True))[led[0]]}"
