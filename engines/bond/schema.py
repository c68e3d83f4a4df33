"""The cards, moves, views and layouts of bond."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import fields
from machiavel.engines._words import card_list
from machiavel.engines.bond import _engine
from machiavel.engines.bond.deck import CARDS, COPIES, FIRST_DOUBLER, FIRST_SPY, LETTERS, SORTS, hand_size
from machiavel.engines.errors import BadLayout, Problem
from machiavel.engines.fields import Choice, Item, Items, Kind, ListOf, Nullable, Number, PerSeat, RecordOf, SeatNumber
from machiavel.engines.hidden_places import HiddenCells, HiddenField, KindOfThings, WorldColumns, by_owner, things_in
from machiavel.engines.layouts import Laid, LayoutSchema
from machiavel.engines.looks import ThingLook
from machiavel.engines.moves import SEAT, MoveKind, MovePart, MoveSchema
from machiavel.engines.phrases import Wording, load_phrases
from machiavel.engines.plugin import Rules
from machiavel.engines.views import FOLLOWS, FORGOTTEN, Field, Usual, ViewSchema

__all__ = [
    "BACKS",
    "CARD",
    "HEAP",
    "HIDDEN",
    "LAIR_CARD",
    "LAYOUTS",
    "LETTER",
    "MOVES",
    "NOBODY",
    "PHASES",
    "PHRASES",
    "SOURCES",
    "SPY_CARD",
    "TRUTHS",
    "VIEWS",
    "habits",
]

# The engine's numbers.
SEATS, NOBODY = 6, 255
PHASES, ADD, FOIL = ("lair", "spy", "add", "captured", "foil", "over"), 2, 4
SOURCES, BACKS = ("hand", "steal", "deck"), ("other", "spy")  # from 1 on; 0 is none
SKIP, PLAY_LAIR, END, ATTACK, GO, ADD_SPY, KILL, TAUNT, FOIL_TAUNT, LET = 0, 1, 32, 33, 192, 193, 224, 225, 240, 241
STOLEN, TOP = 18, 24  # what attacks, if no spy of one's own
LUCK_FIRST, LUCK_HANDS, LUCK_PILE, LUCK_STEAL = range(4)
LAIR_BITS = (1 << COPIES) - 1
# How much likelier a hand is with one lair card less, for a seat that has none before it, and for one that has.
LESS_WITHOUT_LAIR, LESS_BESIDE_LAIR = 0.55, 0.71
PHRASES = load_phrases(__package__ or "")


# ---- Cards ----


def kind_of_sort(sort: int) -> Kind:
    """What stands on the cards of one sort."""

    def expected(rules: Rules) -> Wording:
        return PHRASES.wording("problems.some_cards", known=", ".join(map(str, rules.tables.marked[sort])))

    texts, numbers = (lambda rules: rules.tables.sorts[sort]), (lambda rules: rules.tables.marked[sort])
    return Kind(SORTS[sort], texts, numbers, expected, look=ThingLook("card"))


def sort_and_mark(text: str) -> tuple[str, str]:
    """`lair:3` is the 3 of the lairs."""
    sort, _, mark = text.partition(":")
    return sort, mark


LAIR_CARD, SPY_CARD, DOUBLER_CARD = map(kind_of_sort, range(len(SORTS)))
STOLEN_CARD = replace(SPY_CARD, expected=lambda _: PHRASES.wording("problems.a_spy"))
CARD = Kind(
    "card",
    lambda rules: rules.tables.texts,
    lambda rules: rules.tables.numbers,
    lambda rules: PHRASES.wording("problems.a_card", known=", ".join(rules.tables.numbers)),
    look=ThingLook("card", mentions=lambda rules: {text: [sort_and_mark(text)] for text in rules.tables.numbers}),
)
LETTER = Kind.fixed(
    "letter",
    LETTERS,
    lambda _: PHRASES.wording("problems.a_letter", last=LETTERS[-1]),
    look=ThingLook("card", mentions=lambda _: {letter: [(SORTS[-1], letter)] for letter in LETTERS}),
)


@dataclass(frozen=True)
class Cards(Items):
    """Cards of one sort: their kinds, ascending. In the struct they are a field of a heap."""

    any_order: bool = True
    first: int = 0

    def pack(self, rules: Rules, value: Any) -> Any:
        return rules.tables.heap(value)

    def unpacker(self, rules: Rules) -> fields.Change:
        first, field, kinds = self.first, (1 << COPIES) - 1, rules.tables.kinds[self.first : self.first + COPIES]
        return lambda raw: card_list(raw >> first & field, kinds)


@dataclass(frozen=True)
class Heap(RecordOf):
    """Cards by sort; a sort left out has none."""

    name: str = "heap"

    def pack(self, rules: Rules, value: Any) -> Any:
        return sum(self.fields[name].pack(rules, kinds) for name, kinds in value.items())

    def unpacker(self, rules: Rules) -> fields.Change:
        inside: Any = {name: kind.unpacker(rules) for name, kind in self.fields.items()}
        return lambda raw: {name: of(raw) for name, of in inside.items()}


@dataclass(frozen=True)
class AskedLetter(Item):
    """The letter that others are asked about; what is wrong with it is told of all letters of the attack."""

    def read(self, place: fields.Place, value: Any) -> Any:
        return super().read(place._replace(path=f"{place.path}s"), value)


LAIRS, SPIES = Cards(LAIR_CARD, name="list of int"), Cards(SPY_CARD, name="list of int", first=FIRST_SPY)
BY_SORT = {"lairs": LAIRS, "spies": SPIES, "doublers": Cards(DOUBLER_CARD, first=FIRST_DOUBLER)}
HEAP = Heap(BY_SORT, optional=BY_SORT)


# ---- Views ----


def derived(rules: Rules, struct: Mapping[str, Any]) -> Mapping[str, Any]:
    table = struct["table"]
    backs = list(zip(table["hand_spies"], table["hand_others"], strict=True))[: rules.players]
    return {
        "hands": [{"spies": spies, "others": others} for spies, others in backs],
        "pile": {"count": table["pile_count"], "spies": table["pile_spies"], "top": table["top"] - 1 if table["top"] else None},
        "discard": HEAP.unpack(rules, discarded(rules, table)),
        "attack": None if table["target"] == NOBODY else attack(rules, struct),
    }


def discarded(rules: Rules, table: Mapping[str, Any]) -> int:
    """What is neither unseen, nor in a lair, nor in the attack."""
    kinds = [kind for heap in (table["unseen"], table["spies"], *table["lairs"]) for kind in rules.tables.kinds_in(heap)]
    letters = [*table["taunts"][: table["taunt_count"]], *([table["taunt"]] if table["phase"] == FOIL else [])]
    return int(rules.tables.rest(kinds + [FIRST_DOUBLER + 2 * letter for letter in letters]))


def attack(rules: Rules, struct: Mapping[str, Any]) -> Mapping[str, Any]:
    table = struct["table"]
    is_hidden, is_asked, left = (
        table["committed"] and struct["seat"] != table["turn"],
        table["phase"] == FOIL,
        table["target"] + 1,
    )
    return {
        "source": table["source"] - 1,
        "attacker": table["turn"],
        "victim": None if table["victim"] == NOBODY else table["victim"],
        "target": table["target"],
        "spies": [None] * table["committed"] if is_hidden else sent(rules, table["spies"] | struct["committed"]),
        "captured": table["phase"] != ADD,
        "taunts": table["taunts"][: table["taunt_count"]],
        "taunt": table["taunt"] if is_asked else None,
        "declined": [(left + i) % rules.players for i in range((table["mover"] - left) % rules.players)] if is_asked else [],
    }


def sent(rules: Rules, heap: int) -> list[int]:
    """Spies in the order in which they were sent: the strongest first (R4.5)."""
    return list(reversed(rules.tables.kinds_in(heap)))


def parts_of(name: str, **parts: fields.Type) -> RecordOf:
    """Any of these may be left out."""
    return RecordOf({part: Nullable(kind) for part, kind in parts.items()}, parts, name=name)


IN_PILE = Number(0, lambda rules: CARDS - hand_size(rules.players) * rules.players - 1)  # the first turn has drawn a card
BACKS_OF_HAND = parts_of('`{"spies": n, "others": n}`', spies=Number(0, COPIES), others=Number(0, CARDS - COPIES))
PILE = parts_of('`{"count": n, "spies": n, "top": …}`', count=IN_PILE, spies=Number(0, COPIES), top=Choice(BACKS))
ATTACKING = {
    "source": Choice(SOURCES),
    **dict.fromkeys(("attacker", "victim", "target"), Nullable(SeatNumber())),
    "spies": ListOf(Nullable(Item(SPY_CARD)), is_numbered=False),
    "captured": fields.Flag(),
    "taunts": Items(LETTER),
    "taunt": Nullable(AskedLetter(LETTER)),
    "declined": fields.Seats(),
}
POINTS = Number(0, lambda rules: sum(rules.tables.spies) << len(LETTERS))  # every spy, doubled by every letter
VIEWS = ViewSchema(
    Field("seat", SeatNumber(none=-1, name="int or null"), "seat"),
    Field("ply", Number(0, lambda rules: _engine.ply_limit(rules.capsule)), "table.ply", FORGOTTEN),
    Field("phase", Choice(PHASES), "table.phase", zone="place"),
    Field("turn", SeatNumber(), "table.turn", FOLLOWS, zone="place", or_null=True),
    Field("mover", SeatNumber(none=NOBODY, name="int or null"), "table.mover", FOLLOWS),
    Field("points", PerSeat(POINTS), "table.points", FOLLOWS, zone="score"),
    Field("lairs", PerSeat(LAIRS), "table.lairs", Usual(lambda rules: [[]] * rules.players), zone="score"),
    Field("hands", PerSeat(BACKS_OF_HAND), left_out=Usual(lambda rules: [{}] * rules.players), zone="score", counts="hand"),
    Field("hand", Nullable(HEAP), "hand", FOLLOWS, own=True, zone="hand"),
    Field("pile", PILE, left_out=Usual({}), zone="pile"),
    Field("discard", HEAP, left_out=Usual({}), zone="pile"),
    Field("idle", Number(0, lambda rules: rules.players), "table.idle", FOLLOWS),
    Field("attack", Nullable(RecordOf(ATTACKING, ATTACKING)), left_out=FOLLOWS, zone="table"),
    derived=derived,
)
TRUTHS = ViewSchema(
    Field("hands", PerSeat(HEAP), "hands"),
    Field("committed", Items(SPY_CARD)),
    Field("pile", HEAP, "pile"),
    derived=lambda rules, struct: {"committed": sent(rules, struct["committed"] | struct["table"]["spies"])},
)


def pile_cells(rules: Rules, view: Mapping[str, Any], worlds: WorldColumns) -> Iterator[HiddenCells]:
    """The pile's top card, whose back is seen, by itself; then the others."""
    things = things_in(HEAP, rules)
    if things is None or not view["table"]["pile_count"]:
        return
    pile, top = things.count(worlds["pile"]), np.zeros((1, 1), np.uint8)
    if view["table"]["top"]:
        top = (worlds["top_card"][:, None] == np.array(list(rules.tables.counts))).astype(np.uint8)
        yield HiddenCells("pile", None, 0, things.kind, things.names, top)
    yield HiddenCells("pile", None, 1, things.kind, things.names, pile - top)


@things_in.register(Heap)
def things_in_heap(kind: Heap, rules: Rules) -> KindOfThings:  # noqa: ARG001
    """Equal cards of a heap are one thing: its field's bits are how many."""
    deck = rules.tables
    fields_of = np.array([((1 << count) - 1) << kind for kind, count in deck.counts.items()], np.uint64)
    return KindOfThings(
        "card", list(deck.texts.values()), lambda raw: np.bitwise_count(raw[..., None] & fields_of), is_single=False
    )


HIDDEN = (
    HiddenField("hands", PerSeat(HEAP), "hands", by_owner),
    HiddenField("committed", HEAP, "committed", lambda view, _: bool(view["table"]["turn"] == view["seat"])),
    HiddenField("pile", cells=pile_cells),
)


def habits(rules: Rules, view: Mapping[str, Any], worlds: WorldColumns) -> NDArray[np.float64]:
    """Whoever can plays a lair card sooner or later, so hands hold fewer of them than the pile does."""
    table = view["table"]
    lairs = np.bitwise_count(worlds["hands"][:, : rules.players] & np.uint64(LAIR_BITS))
    less = [LESS_BESIDE_LAIR if table["with_lair"] >> seat & 1 else LESS_WITHOUT_LAIR for seat in range(rules.players)]
    return np.asarray(np.prod(np.array(less) ** lairs, axis=1))


# ---- Layouts and moves ----


class DealtLayouts(LayoutSchema):
    """Cards that are laid out are those of one deck."""

    def read(self, rules: Rules, layout: Mapping[str, Any]) -> dict[str, Any]:
        values, deck = super().read(rules, layout), rules.tables
        pile = values.get("pile", [])
        dealt = Counter(pile + [kind for hand in values.get("hands", []) for kind in hand])
        problems = []
        for kind in dealt - deck.counts:
            facts = {"card": deck.texts[kind], "count": dealt[kind], "most": deck.counts[kind]}
            problems.append(Problem("pile" if kind in pile else "hands", PHRASES.wording("problems.laid_too_often", **facts)))
        if problems:
            raise BadLayout(problems[0].field, problems[0].problem, problems)
        return values


def dealt(rules: Rules) -> int:
    return hand_size(rules.players)


LAYOUTS = DealtLayouts(
    first=Laid(SeatNumber(), LUCK_FIRST),
    hands=ListOf(Laid(Items(CARD, longest=dealt), LUCK_HANDS, each=True, stride=dealt), longest=lambda rules: rules.players),
    pile=Laid(Items(CARD, longest=lambda rules: CARDS - dealt(rules) * rules.players), LUCK_PILE, each=True),
    steals=ListOf(Laid(Item(STOLEN_CARD), LUCK_STEAL), longest=COPIES),
)
TO_LAIR, OWN_SPY = MovePart("lair", SEAT), MovePart("spy", SPY_CARD)
MOVES = MoveSchema(
    MoveKind("skip", SKIP),
    MoveKind("lair:{lair}", PLAY_LAIR, [MovePart("lair", LAIR_CARD)]),
    MoveKind("end", END),
    MoveKind("spy:{spy}>{lair}", ATTACK - SEATS * FIRST_SPY, [replace(OWN_SPY, stride=SEATS), TO_LAIR], hidden="spy:?>{lair}"),
    MoveKind("steal:{victim}>{lair}", ATTACK + SEATS * STOLEN, [MovePart("victim", SEAT, SEATS), TO_LAIR]),
    MoveKind("deck>{lair}", ATTACK + SEATS * TOP, [TO_LAIR]),
    MoveKind("go", GO),
    MoveKind("add:{spy}", ADD_SPY - FIRST_SPY, [OWN_SPY], hidden="add:?"),
    MoveKind("kill", KILL),
    MoveKind("taunt:{letter}", TAUNT, [MovePart("letter", LETTER)]),
    MoveKind("foil", FOIL_TAUNT),
    MoveKind("let", LET),
)
