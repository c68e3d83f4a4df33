"""Reading the half of a round that a view of agency tells again: orders, cards, stakes, passes, a look; and single values."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from machiavel.engines.agency import _engine
from machiavel.engines.agency.codec import (
    HALF,
    JEAN_AT_WORK,
    MARTHA_AT_WORK,
    NO_CARD,
    NOBODY,
    OVER,
    PASS,
    PLAY,
)
from machiavel.engines.agency.deck import ACCOMPLICES, AGENTS, FIRST_POWER
from machiavel.engines.errors import BadView
from machiavel.engines.plugin import Rules
from machiavel.engines.reading import ViewReader, checked_number

__all__ = ["SEATS", "HalfReader"]

SEATS = 5
FOLLOW_SUIT = ACCOMPLICES.index("follow_suit")
PAST_STAKE = ("stake", "martha", "jean")  # of a trick in `half`; who does not remember leaves them out


class HalfReader(ViewReader):
    """The values of a view, and its half; where in the match it is, its pile and its trick have been read before."""

    phase: int
    done: int
    half_start: int
    forgotten: int  # tricks of the half, from its beginning on
    left: Counter[int]  # what is left of the pile, by kind
    on_table: list[int]

    def __init__(self, rules: Rules, data: Mapping[str, Any]) -> None:
        super().__init__(rules, data)
        self.deck = rules.tables.deck
        self.fields: dict[str, Any] = _engine.view_fields(_engine.empty_view())
        self.table: dict[str, Any] = self.fields["table"]

    # ---- Single values ----

    def seat_or_none(self, field: str) -> int | None:
        value = self.data[field]
        return None if value is None else checked_number(field, value, 0, self.rules.players - 1)

    def per_seat(self, field: str, least: int, most: int) -> list[int]:
        values = self.items(field, self.data[field], self.rules.players)
        values = [checked_number(f"{field}[{seat}]", value, least, most) for seat, value in enumerate(values)]
        return values + [0] * (SEATS - len(values))

    def flag(self, field: str, value: object) -> bool:
        if not isinstance(value, bool):
            raise BadView(field, f"is {value!r}; expected true or false")
        return value

    def card(self, field: str, value: object) -> int:
        if not isinstance(value, str) or value not in self.deck.card_numbers:
            raise BadView(field, f"holds {value!r}; expected a card of the deck, as {self.deck.card_texts[0]}")
        return int(self.deck.card_numbers[value])

    def cards(self, field: str, value: object, count: int | None = None) -> int:
        result = 0
        for item in self.items(field, value, count):
            bit = 1 << self.card(field, item)
            if result & bit:
                raise BadView(field, f"holds {item} twice")
            result |= bit
        return result

    def kind(self, field: str, value: object) -> int:
        if not isinstance(value, str) or value not in self.deck.kind_numbers:
            raise BadView(field, f"holds {value!r}; expected one of {', '.join(self.deck.kind_numbers)}")
        return int(self.deck.kind_numbers[value])

    def is_drawn(self, agent: str) -> bool:
        """Whether that agent's power has come up in this round."""
        return agent in self.data["agents"] and FIRST_POWER + AGENTS.index(agent) not in self.left

    # ---- The half ----

    def read_half(self) -> None:
        """The present half told again: orders, cards, voids, passes, a look."""
        fixed = self.phase in {PASS, PLAY}
        count = self.done - self.half_start + fixed
        entries = self.items("half", self.data["half"])
        if len(entries) > count:
            raise BadView(
                "half",
                f"has {len(entries)} tricks; with trick {self.data['trick']} and phase {self.data['phase']} expected {count}",
            )
        forgotten = self.forgotten = count - len(entries)
        self.table["half_accomplice"] = [NO_CARD] * HALF
        self.table["half_stake"] = [NO_CARD] * HALF
        self.fields["gave"] = [NO_CARD] * HALF
        self.fields["received"] = [NO_CARD] * HALF
        self.half_cards: list[int] = []
        for i in range(forgotten):
            self.table["half_order"][i] = [NOBODY, *[0] * (SEATS - 1)]
            self.table["half_accomplice"][i] = 0
        for at, entry in enumerate(entries):
            field, i = f"half[{at}]", at + forgotten
            names = {"trick", "order", "cards", "follow_suit", "pass_left", "gave", "received"}
            if not isinstance(entry, Mapping) or set(entry) - set(PAST_STAKE) != names:
                raise BadView(field, f"expected an object with {', '.join(sorted(names))}")
            if entry["trick"] != self.half_start + i + 1:
                raise BadView(
                    f"{field}.trick",
                    f"is {entry['trick']!r}; expected {self.half_start + i + 1}: a half is forgotten from its beginning on",
                )
            self.read_past_trick(i, field, entry, now=fixed and i == count - 1)
        self.check_past_stakes(count - fixed)
        self.read_look(count)

    def read_past_trick(self, i: int, field: str, entry: Mapping[str, Any], *, now: bool) -> None:
        players = self.rules.players
        order = self.seats(f"{field}.order", entry["order"])
        if len(order) != players:
            raise BadView(f"{field}.order", f"is {order}; expected all {players} seats")
        cards = [self.card(f"{field}.cards", card) for card in self.items(f"{field}.cards", entry["cards"])]
        if now and (order != self.data["order"] or cards != self.on_table):
            raise BadView(field, "is the present trick, but differs from order and table")
        if not now and len(cards) != players:
            raise BadView(f"{field}.cards", f"are {len(cards)}; a trick has {players}")
        follow, passing = (self.flag(f"{field}.{name}", entry[name]) for name in ("follow_suit", "pass_left"))
        if follow and passing:
            raise BadView(field, "has two accomplices at work; a plan has one")
        accomplice = ACCOMPLICES.index("follow_suit") if follow else ACCOMPLICES.index("pass_left") if passing else 0
        if now and accomplice != (
            self.table["accomplice"] if self.table["accomplice"] >= ACCOMPLICES.index("follow_suit") else 0
        ):
            raise BadView(field, "is the present trick, but its accomplice is not that of the stake")
        self.half_cards += cards
        self.table["half_order"][i] = order + [0] * (SEATS - players)
        self.table["half_cards"][i] = cards + [0] * (SEATS - len(cards))
        self.table["half_accomplice"][i] = accomplice
        colours = {self.deck.cards[card][0] for card in cards}
        self.table["half_voids"] |= int(follow and len(colours) > 1)
        exchanged = passing and not (now and self.phase == PASS)
        self.table["half_passes"] += int(exchanged)
        seat = self.fields["seat"]
        gave = seat >= 0 and passing and (exchanged or bool(self.table["given"] >> seat & 1))
        for name, known in (("gave", gave), ("received", seat >= 0 and exchanged)):
            if (entry[name] is not None) != known:
                raise BadView(f"{field}.{name}", f"expected {'a card' if known else 'null'}")
            if known:
                self.fields[name][i] = self.card(f"{field}.{name}", entry[name])
        self.table["half_stake"][i] = self.read_past_stake(field, entry, accomplice, now=now)

    def read_past_stake(self, field: str, entry: Mapping[str, Any], accomplice: int, *, now: bool) -> int:
        """The plan a trick was played for, and the powers at work; of the present one they are known."""
        if now:
            powers = [self.table[power] != NOBODY for power in ("martha", "jean")]
            return int(self.table["stake"] | powers[0] * MARTHA_AT_WORK | powers[1] * JEAN_AT_WORK)
        told = [entry.get(name) for name in PAST_STAKE]
        if told == [None] * len(PAST_STAKE):
            return NO_CARD
        kind = self.kind(f"{field}.stake", told[0])
        if kind >= FIRST_POWER:
            raise BadView(f"{field}.stake", f"is {told[0]}; expected a plan")
        if accomplice != (self.deck.kinds[kind][1] if self.deck.kinds[kind][1] >= FOLLOW_SUIT else 0):
            raise BadView(f"{field}.stake", f"is {told[0]}, but follow_suit and pass_left say otherwise")
        for name, at_work in zip(PAST_STAKE[1:], told[1:], strict=True):
            if self.flag(f"{field}.{name}", at_work) and not self.is_drawn(name):
                raise BadView(f"{field}.{name}", f"is true, but {name} is still in the pile, or not in play")
        return kind | bool(told[1]) * MARTHA_AT_WORK | bool(told[2]) * JEAN_AT_WORK

    def check_past_stakes(self, count: int) -> None:
        """Plans that have left the pile, and each power at work in one trick of a round."""
        stakes = Counter(stake & (MARTHA_AT_WORK - 1) for stake in self.table["half_stake"][:count] if stake != NO_CARD)
        for kind, times in stakes.items():
            gone = self.deck.counts[kind] - self.left[kind]
            if times > gone:
                raise BadView("half", f"has {self.deck.kind_texts[kind]} as the stake of {times} tricks; {gone} left the pile")
        for name, bit in (("martha", MARTHA_AT_WORK), ("jean", JEAN_AT_WORK)):
            if sum(bool(stake & bit) for stake in self.table["half_stake"] if stake != NO_CARD) > 1:
                raise BadView("half", f"has {name} at work in two tricks; a power comes up once a round")

    def read_look(self, count: int) -> None:
        look = self.data["look"]
        self.table["look_trick"] = NO_CARD
        if look is None:
            if self.half_start == 0 and self.is_drawn("moignons") and not self.forgotten:
                raise BadView("look", "is null, but moignons came up in this half")
            return
        if not isinstance(look, Mapping) or set(look) != {"trick", "looker", "target", "cards"}:
            raise BadView("look", "expected null or an object with trick, looker, target and cards")
        last = self.half_start + max(count, 1)
        if self.phase not in {PASS, PLAY, OVER}:
            last = self.half_start + count + 1
        trick = checked_number("look.trick", look["trick"], self.half_start + 1, last)
        if trick <= self.half_start + self.forgotten and look["cards"] is not None:
            raise BadView(
                "look.trick",
                f"is {trick}, but half begins with trick {self.half_start + self.forgotten + 1}; tell the tricks in between, or "
                "that trick with the cards that were left then",
            )
        looker = checked_number("look.looker", look["looker"], 0, self.rules.players - 1)
        target = checked_number("look.target", look["target"], 0, self.rules.players - 1)
        if self.data["agents"][looker : looker + 1] != ["moignons"] or looker == target:
            raise BadView("look", "expected moignons' seat as looker and another one as target")
        if not self.is_drawn("moignons"):
            raise BadView("look", "has happened, but moignons is still in the pile")
        if (look["cards"] is not None) != (looker == self.fields["seat"]):
            raise BadView("look.cards", "are for the looker, and for nobody else")
        if look["cards"] is not None:
            self.fields["look_cards"] = self.cards("look.cards", look["cards"], HALF - (trick - 1 - self.half_start))
        self.table["look_trick"] = trick - 1 - self.half_start
        self.table["looker"], self.table["look_target"] = looker, target
