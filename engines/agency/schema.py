"""The cards, moves, views and layouts of agency."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from machiavel.engines import fields
from machiavel.engines.agency.deck import ACCOMPLICES, HALF, LETTERS, TRICKS, UNSEEN, AgencyDeck
from machiavel.engines.fields import Flag, Item, Items, ItemSet, ListOf, Nullable, Number, PerSeat, RecordOf, SeatNumber, Seats
from machiavel.engines.hidden_places import UNDEALT, HiddenCells, HiddenField, WorldColumns, by_owner, left_over
from machiavel.engines.layouts import Laid, LayoutSchema
from machiavel.engines.looks import PLAIN, ThingLook
from machiavel.engines.moves import SEAT, MoveKind, MovePart, MoveSchema, folded
from machiavel.engines.phrases import Wording, load_phrases
from machiavel.engines.plugin import Rules
from machiavel.engines.views import BY_SPECTATORS, FOLLOWS, FORGOTTEN, Field, Usual, ViewSchema

__all__ = [
    "AGENT",
    "CARD",
    "HIDDEN",
    "LAYOUTS",
    "LUCK_CARDS",
    "MOVES",
    "NONE",
    "PHRASES",
    "PILE_CARD",
    "TRUTHS",
    "VIEWS",
    "Agent",
    "Phase",
    "Tables",
]

# The engine's numbers.
NONE = 255  # nobody, or no card
MARTHA_AT_WORK, JEAN_AT_WORK = 32, 64  # beside the kind of a stake
LUCK_AGENTS, LUCK_LEADER, LUCK_CARDS, LUCK_PILE = range(4)
PHRASES = load_phrases(__package__ or "")


class Phase:
    LEAD, LOOK, PASS, PLAY, OVER = range(5)
    NAMES = ("lead", "look", "pass", "play", "over")


class Agent:
    BELTON, MARTHA, WXT, JEAN, MOIGNONS = range(5)
    AT_WORK: ClassVar = {"martha": MARTHA, "jean": JEAN}  # in a trick for which they came up


class Tables(NamedTuple):
    """What texts and views need of the rules."""

    deck: AgencyDeck
    powers: bool
    medals: int
    agents: list[int] | None  # by seat, where an option says so
    bonus: int


def things(
    name: str, texts: str, numbers: str, expected: str = "one_of", *, suits: str = "", look: ThingLook = PLAIN
) -> fields.Kind:
    """What the deck has of a kind, in these two of its attributes."""

    def words(rules: Rules) -> Wording:
        known = list(getattr(rules.tables.deck, numbers))
        return PHRASES.wording(f"problems.{expected}", known=", ".join(known), first=known[0])

    return fields.Kind(
        name,
        lambda rules: getattr(rules.tables.deck, texts),
        lambda rules: getattr(rules.tables.deck, numbers),
        words,
        tuple(suits),
        look,
    )


AS_CARDS = ThingLook("card")
SUITED = ThingLook("card", {"M": "mauve moon", "B": "blue drop", "G": "green leaf", "Y": "yellow sun"})
CARD = things("card", "card_texts", "card_numbers", "a_card", suits=LETTERS, look=SUITED)
PILE_CARD = things("pile card", "kind_texts", "kind_numbers", look=AS_CARDS)
PLAN = things("plan", "kind_texts", "plan_numbers", look=AS_CARDS)
PLACE = things("place of the pile", "place_texts", "place_numbers", look=ThingLook("card", unknown=UNSEEN))
AGENT = things("agent", "agent_texts", "agent_numbers", look=ThingLook("token"))
MOVES = MoveSchema(
    MoveKind("{card}", 0, [MovePart("card", CARD)]),
    MoveKind("lead:{seat}", 64, [MovePart("seat", SEAT)]),
    MoveKind("look:{seat}", 72, [MovePart("seat", SEAT)]),
    MoveKind("pass:{card}", 80, [MovePart("card", CARD)], hidden="pass:?"),
    # A seat may be written with noughts before it, and a card by its rank alone.
    fold=lambda text: re.sub(r"^(lead|look):0+(?=[0-9]$)", r"\1:", folded(text)),
    shorter=lambda _, text: {re.sub("[MBGY]", "", text)} - {text},
)


def derived(rules: Rules, struct: Mapping[str, Any]) -> Mapping[str, Any]:
    table, deck, players = struct["table"], rules.tables.deck, rules.players
    phase, trick, order = table["phase"], table["trick"], table["order"][:players]
    start = HALF if trick >= HALF else 0  # of the half
    bonus = bonus_now(rules, struct)
    seats, is_fixed, played = range(players), phase in {Phase.PASS, Phase.PLAY}, order[: table["played"]]
    size = 0 if trick == TRICKS else HALF - trick % HALF
    top, end = table["pile_top"], table["pile_end"]
    split = max(top, table["pile_split"])
    asked = [table["mover"]] if table["mover"] != NONE else []
    look = {"trick": start + table["look_trick"] + 1, "looker": table["looker"], "target": table["look_target"]}
    look["cards"] = struct["look_cards"] if table["looker"] == struct["seat"] else None
    winners = [seat for seat in seats if table["last_winners"] >> seat & 1]
    last_round = {"points": table["last_points"][:players], "winners": winners}
    return {
        "trick": min(trick + 1, TRICKS),
        "to_move": [seat for seat in seats if not table["given"] >> seat & 1] if phase == Phase.PASS else asked,
        "martha": table["martha"] != NONE,
        "jean": table["jean"] != NONE,
        "order": order if is_fixed else [],
        "stake": table["stake"] if is_fixed else None,
        "pile": table["pile_shown"][top:end],
        "segments": [
            {"size": size, "unseen": [kind for kind in deck.kinds_by_text for _ in range(unseen[kind])]}
            for size, unseen in zip((split - top, end - split), table["pile_unseen"], strict=True)
            if size
        ],
        "points": [plans + more for plans, more in zip(table["plan_points"], bonus, strict=False)],
        "bonus": bonus,
        "table": [[seat, card] for seat, card in zip(played, table["cards"], strict=False)],
        "half": [past_trick(struct, players, start + i, i) for i in tricks_told(table)],
        "look": look if table["look_trick"] != NONE else None,
        "hand_counts": [size - (seat in played) for seat in seats],
        "reserve": HALF if trick < HALF else 0,
        "last_round": last_round if table["last_winners"] else None,
        "winners": [seat for seat in seats if table["medals"][seat] == rules.tables.medals] if phase == Phase.OVER else [],
    }


def bonus_now(rules: Rules, struct: Mapping[str, Any]) -> list[int]:
    """R8.2, R8.3: what green and yellow cards bring each seat if the round ended now."""
    greens, yellows = (struct["table"][name][: rules.players] for name in ("greens", "yellows"))
    fewest, most, worth = min(greens), max(yellows), rules.tables.bonus
    return [worth * ((green == fewest) - (yellow == most)) for green, yellow in zip(greens, yellows, strict=True)]


def tricks_told(table: Mapping[str, Any]) -> list[int]:
    """The tricks of the half whose order is fixed, but for those that nobody has told."""
    pairs = zip(table["half_accomplice"], table["half_order"], strict=True)
    return [i for i, (accomplice, order) in enumerate(pairs) if accomplice != NONE and order[0] != NONE]


def past_trick(struct: Mapping[str, Any], players: int, number: int, i: int) -> dict[str, Any]:
    table = struct["table"]
    stake, accomplice = table["half_stake"][i], ACCOMPLICES[table["half_accomplice"][i]]
    is_told, gave, received = stake != NONE, struct["gave"][i], struct["received"][i]
    return {
        "trick": number + 1,
        "order": table["half_order"][i][:players],
        "cards": table["half_cards"][i][: table["played"] if number == table["trick"] else players],
        "stake": stake % MARTHA_AT_WORK if is_told else None,
        "martha": stake & MARTHA_AT_WORK != 0 if is_told else None,
        "jean": stake & JEAN_AT_WORK != 0 if is_told else None,
        "follow_suit": accomplice == "follow_suit",
        "pass_left": accomplice == "pass_left",
        "gave": None if gave == NONE else gave,
        "received": None if received == NONE else received,
    }


CARDS, ANY_CARD = ItemSet(CARD, any_order=True), Nullable(Item(CARD))
SEGMENT = {"size": Number(1, 32), "unseen": Items(PILE_CARD, any_order=True)}
PAST_TRICK: Mapping[str, fields.Type] = {
    "trick": Number(1, TRICKS),
    "order": Seats(),
    "cards": Items(CARD),
    "stake": Nullable(Item(PLAN)),
    **dict.fromkeys(Agent.AT_WORK, Nullable(Flag())),
    **dict.fromkeys(("follow_suit", "pass_left"), Flag()),
    **dict.fromkeys(("gave", "received"), ANY_CARD),
}
LOOKED = {"trick": Number(1, TRICKS), "looker": SeatNumber(), "target": SeatNumber(), "cards": Nullable(CARDS)}
ROUND = Number(1, lambda rules: rules.players * (rules.tables.medals - 1) + 1, plus=1)
POINTS = Number(lambda rules: -rules.tables.bonus, lambda rules: rules.tables.deck.points + rules.tables.bonus)
BONUS = Number(lambda rules: -rules.tables.bonus, lambda rules: rules.tables.bonus)
VIEWS = ViewSchema(
    Field("seat", SeatNumber(none=-1), "seat"),
    Field("ply", Number(), "table.ply", FORGOTTEN, or_null=True),
    Field("round", ROUND, "table.round", FOLLOWS, zone="place"),
    Field("trick", Number(1, TRICKS), left_out=FOLLOWS, zone="place"),
    Field("phase", fields.Choice(Phase.NAMES), "table.phase", FOLLOWS, zone="place"),
    Field("to_move", Seats(), left_out=FOLLOWS),
    Field(
        "agents",
        Items(AGENT, count=lambda rules: rules.players * rules.tables.powers),
        "table.agents",
        FOLLOWS,
        zone="seat",
        is_by_seat=True,
    ),
    Field("medals", PerSeat(Number(0, lambda rules: rules.tables.medals)), "table.medals", FOLLOWS, zone="score"),
    Field("leader", SeatNumber(), "table.leader", FOLLOWS, zone="seat", unsaid=("order", "phase"), or_null=True),
    Field("last", SeatNumber(none=NONE), "table.last", Usual(None)),
    Field("order", Seats(), left_out=FOLLOWS),
    Field("martha", Flag(), left_out=Usual(False)),
    Field("jean", Flag(), left_out=Usual(False)),
    Field("stake", Nullable(Item(PILE_CARD)), left_out=FOLLOWS, zone="table"),
    Field("pile", Items(PLACE), left_out=FOLLOWS, zone="pile"),
    Field("segments", ListOf(RecordOf(SEGMENT)), left_out=FOLLOWS),
    Field("points", PerSeat(POINTS), left_out=FOLLOWS, zone="score"),
    Field("plan_points", PerSeat(Number(0, 9999)), "table.plan_points", FOLLOWS, zone="score"),
    Field("bonus", PerSeat(BONUS), left_out=FOLLOWS, zone="score"),
    Field("greens", PerSeat(Number(0, 64)), "table.greens", FOLLOWS, zone="score"),
    Field("yellows", PerSeat(Number(0, 64)), "table.yellows", FOLLOWS, zone="score"),
    Field("tricks", PerSeat(Number(0, TRICKS)), "table.tricks", FOLLOWS, zone="score"),
    Field("latest", PerSeat(Number(0, TRICKS)), "table.latest", FOLLOWS),
    Field("table", ListOf(fields.PairOf(SeatNumber(), Item(CARD))), left_out=Usual(()), zone="table"),
    Field("seen", CARDS, "table.seen", FORGOTTEN),
    Field("half", ListOf(RecordOf(PAST_TRICK, optional=PAST_TRICK)), left_out=Usual(())),
    Field("look", Nullable(RecordOf(LOOKED)), left_out=Usual(None)),
    Field("hand", CARDS, "hand", BY_SPECTATORS, own=True, zone="hand"),
    Field("hand_counts", PerSeat(Number(0, HALF)), left_out=FOLLOWS, zone="score", counts="hand"),
    Field("reserve", Number(0, TRICKS), left_out=FOLLOWS),
    Field("last_round", Nullable(RecordOf({"points": PerSeat(POINTS), "winners": Seats()})), left_out=Usual(None)),
    Field("winners", Seats(), left_out=FOLLOWS),
    Field("gone", Items(PILE_CARD), left_out=FORGOTTEN, told_only=True),
    derived=derived,
)


def hidden(rules: Rules, struct: Mapping[str, Any]) -> Mapping[str, Any]:
    table, nobody = struct["table"], {NONE: None}
    given = [[nobody.get(card, card) for card in struct["given"][i][: rules.players]] for i in tricks_told(table)]
    return {"pile": struct["pile"][table["pile_top"] : table["pile_end"]], "given": given}


TRUTHS = ViewSchema(
    Field("pile", Items(PILE_CARD)),
    Field("hands", PerSeat(CARDS), "hands"),
    Field("reserves", PerSeat(CARDS), "reserves"),
    Field("given", ListOf(ListOf(ANY_CARD))),
    derived=hidden,
)


def pile_cells(rules: Rules, view: Mapping[str, Any], worlds: WorldColumns) -> Iterator[HiddenCells]:
    """The pile's next card by itself, then all others that nobody has seen: known, but for their order."""
    table, kinds = view["table"], rules.tables.deck.kind_texts
    numbers, names, top = np.array(list(kinds)), list(kinds.values()), np.zeros((1, len(kinds)), np.uint8)
    left = np.array(table["pile_unseen"], np.uint8).sum(axis=0, dtype=np.uint8)[None, numbers]
    if table["pile_top"] < table["pile_end"] and table["pile_shown"][table["pile_top"]] == NONE:
        top = (worlds["pile"][:, table["pile_top"], None] == numbers).astype(np.uint8)
        yield HiddenCells("pile", None, 0, PILE_CARD.name, names, top)
    yield HiddenCells("pile", None, 1, PILE_CARD.name, names, np.broadcast_to(left, (len(worlds.worlds), len(names))) - top)


HIDDEN = (
    HiddenField("hands", PerSeat(CARDS), "hands", by_owner),
    HiddenField("reserves", PerSeat(CARDS), "reserves"),
    left_over(UNDEALT, CARD, "hands", "reserves", "table.seen"),
    HiddenField("pile", cells=pile_cells),
)
DEAL = PerSeat(Items(CARD, count=HALF))
LAYOUTS = LayoutSchema(
    leader=Laid(SeatNumber(), LUCK_LEADER),
    agents=Laid(Items(AGENT, count=lambda rules: rules.players), LUCK_AGENTS),
    rounds=ListOf(RecordOf({"hands": DEAL, "reserves": DEAL, "pile": Laid(Items(PILE_CARD), LUCK_PILE)})),
)
