"""Reading views of whist: JSON checked field by field, for a person may have typed it in."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from machiavel.engines.errors import BadView
from machiavel.engines.plugin import Rules
from machiavel.engines.reading import ViewReader, checked_number
from machiavel.engines.whist import _engine
from machiavel.engines.whist.codec import (
    CARD_NUMBERS,
    NO_SUIT,
    NOBODY,
    PAST,
    ROUNDS,
    SEATS,
    SUIT_NAMES,
    SUITS,
    clockwise,
    view_json,
)

__all__ = ["view_bytes"]

FORGETTABLE = {"ply", "seen", "voids", "past"}  # who does not remember leaves them out
FOLLOWING = {"to_move", "hand_counts", "winners"}  # from the rest
REQUIRED = {"seat", "round", "trick", "trump", "contenders", "leader", "table", "tricks", "hand"}


def view_bytes(rules: Rules, data: Mapping[str, Any]) -> bytes:
    """The view of a JSON object.

    `ply`, `seen`, `voids` and `past` may be left out, and `seen` may lack cards: then the view is of somebody who has forgotten.
    """
    return Reader(rules, data).view()


class Reader(ViewReader):
    """One view being read: each step takes its fields, checks them against those before, and fills in the engine's."""

    def view(self) -> bytes:
        for field in map(str, self.data):
            if field not in REQUIRED | FORGETTABLE | FOLLOWING:
                raise BadView(field, "is unknown")
        for field in sorted(REQUIRED - set(self.data)):
            raise BadView(field, "is missing")
        self.read_place()
        self.read_tricks()
        self.read_table()
        self.read_past()
        self.read_cards()
        self.read_voids()
        view = _engine.view_bytes(self.fields())
        again = view_json(self.rules, view)
        for field, value in self.data.items():
            if field != "ply" and again[field] != value:
                raise BadView(field, f"is {value!r}; the rest of the view makes it {again[field]!r}")
        return view

    # ---- Single values ----

    def card(self, field: str, value: object) -> int:
        if not isinstance(value, str) or value not in CARD_NUMBERS:
            raise BadView(field, f"holds {value!r}; expected a card, as HT")
        return CARD_NUMBERS[value]

    def cards(self, field: str, count: int | None = None) -> int:
        result = 0
        for item in self.items(field, self.data[field], count):
            bit = 1 << self.card(field, item)
            if result & bit:
                raise BadView(field, f"holds {item} twice")
            result |= bit
        return result

    # ---- The chapters of a view ----

    def read_place(self) -> None:
        """Where in the match, and who is still in."""
        self.seat = -1 if self.data["seat"] is None else self.number("seat", 0, self.players - 1)
        self.round = self.number("round", 1, ROUNDS) - 1
        self.dealt = ROUNDS - self.round
        self.trick = self.number("trick", 1, self.dealt) - 1
        if self.data["trump"] not in tuple(SUITS):
            raise BadView("trump", f"is {self.data['trump']!r}; expected one of {', '.join(SUITS)}")
        contenders = self.items("contenders", self.data["contenders"])
        self.contenders = [checked_number("contenders", seat, 0, self.players - 1) for seat in contenders]
        if not self.contenders or self.contenders != sorted(set(self.contenders)):
            raise BadView("contenders", f"are {contenders}; expected the seats still in, ascending")
        self.is_over = len(self.contenders) == 1
        before = plies_before(self.players, self.round + self.is_over, len(self.contenders))
        if not before:
            why = "all are in the first round, and each later one has at most as many as the one before had tricks"
            raise BadView("contenders", f"are {contenders} in round {self.round + 1}; {why}")
        self.leader = self.number("leader", 0, self.players - 1)
        if self.leader not in self.contenders:
            raise BadView("leader", f"is {self.leader}, who is out")
        if self.round == self.trick == 0 and self.leader:
            raise BadView("leader", f"is {self.leader}; seat 0 leads the first trick")
        self.plies = before

    def read_tricks(self) -> None:
        """What has been taken this round."""
        self.done = self.dealt if self.is_over else self.trick
        tricks = self.items("tricks", self.data["tricks"], self.players)
        for seat, count in enumerate(tricks):
            checked_number(f"tricks[{seat}]", count, 0, self.done if seat in self.contenders else 0)
        if sum(tricks) != self.done:
            raise BadView("tricks", f"are {tricks}; {self.done} tricks of this round are finished")
        if self.done and not tricks[self.leader]:
            raise BadView("leader", f"is {self.leader}, who has not taken a trick in this round")
        if self.is_over and self.trick != self.dealt - 1:
            raise BadView("trick", f"is {self.trick + 1}; when the match is over it stays {self.dealt}")
        self.safe = sum(1 << seat for seat, count in enumerate(tricks) if count)

    def read_table(self) -> None:
        """The cards on the table, and who has the trick so far."""
        order = clockwise(self.contenders, self.leader)
        played = self.items("table", self.data["table"])
        if len(played) >= len(order):
            raise BadView("table", f"holds {len(played)} cards; expected at most {len(order) - 1}")
        self.on_table: dict[int, int] = {}
        for i, entry in enumerate(played):
            if not isinstance(entry, list) or len(entry) != 2 or isinstance(entry[0], bool) or entry[0] != order[i]:
                raise BadView(f"table[{i}]", f"is {entry!r}; expected [{order[i]}, card]")
            card = self.card(f"table[{i}]", entry[1])
            if card in self.on_table.values():
                raise BadView(f"table[{i}]", f"{entry[1]} has been played twice")
            self.on_table[order[i]] = card
        self.led = self.on_table[order[0]] >> 4 if played else NO_SUIT
        self.to_come = 0 if self.is_over else len(order) - len(played)
        self.mover = NOBODY if self.is_over else order[len(played)]
        trump = SUITS.index(self.data["trump"])
        self.strengths = {
            seat: 14 + (card & 15) if card >> 4 == trump else 1 + (card & 15) if card >> 4 == self.led else 0
            for seat, card in self.on_table.items()
        }

    def read_past(self) -> None:
        """The finished tricks of the round, if somebody remembers them."""
        count = 0 if self.is_over else self.trick
        self.past: list[dict[int, int]] = []  # by seat, in the order played
        self.past_rows = [[0] * (1 + SEATS) for _ in range(PAST)]
        if self.data.get("past") is None:
            for row in self.past_rows[:count]:
                row[0] = NOBODY
            return
        leader, won = 0, [0] * self.players
        for i, trick in enumerate(self.items("past", self.data["past"], count)):
            cards = self.past_trick(f"past[{i}]", trick)
            if (i or self.round == 0) and next(iter(cards)) != leader:
                raise BadView(f"past[{i}]", f"is led by seat {next(iter(cards))}; it was for seat {leader} to lead")
            self.past_rows[i] = [next(iter(cards)), *(cards.get(seat, 0) for seat in range(SEATS))]
            self.past.append(cards)
            leader = self.winner(cards)
            won[leader] += 1
        if count and (leader != self.leader or won != self.data["tricks"]):
            raise BadView("past", f"gives the seats {won} tricks and seat {leader} the last; leader and tricks say otherwise")

    def past_trick(self, field: str, trick: object) -> dict[int, int]:
        cards: dict[int, int] = {}
        for entry in self.items(field, trick, len(self.contenders)):
            if not isinstance(entry, list) or len(entry) != 2:
                raise BadView(field, f"holds {entry!r}; expected [seat, card]")
            seat, card = checked_number(field, entry[0], 0, self.players - 1), self.card(field, entry[1])
            if any(card in earlier.values() for earlier in (*self.past, cards, self.on_table)):
                raise BadView(field, f"{entry[1]} has been played twice")
            cards[seat] = card
        if list(cards) != clockwise(self.contenders, next(iter(cards))):
            raise BadView(field, f"has the seats {list(cards)}; expected those still in, clockwise from who led")
        return cards

    def winner(self, cards: Mapping[int, int]) -> int:
        """R3.4."""
        trump, led = SUITS.index(self.data["trump"]), next(iter(cards.values())) >> 4
        return max(cards, key=lambda seat: (cards[seat] >> 4 == trump, cards[seat] >> 4 == led, cards[seat]))

    def read_cards(self) -> None:
        """Those seen, and the hand."""
        now = 0 if self.is_over else self.done * len(self.contenders) + len(self.on_table)  # moves of this round
        self.ply = checked_number("ply", self.data.get("ply", min(self.plies) + now), 0, 65535)
        if self.ply - now not in self.plies:
            raise BadView(
                "ply", f"is {self.ply}; round {self.round + 1} never is there with these contenders after so many moves"
            )
        told = sum(1 << card for trick in (*self.past, self.on_table) for card in trick.values())
        self.seen = self.cards("seen") if "seen" in self.data else told
        if told & ~self.seen:
            raise BadView("seen", "lacks a card that lies on the table, or in past")
        if self.seen.bit_count() > now:
            raise BadView("seen", f"are {self.seen.bit_count()} cards; {now} have been played in this round")
        self.held = 0 if self.is_over else self.dealt - self.trick
        self.hand = 0
        if self.seat < 0:
            if self.data["hand"] is not None:
                raise BadView("hand", "expected null for a spectator")
            return
        size = self.held - (self.seat in self.on_table) if self.seat in self.contenders else 0
        self.hand = self.cards("hand", size)
        if self.hand & self.seen:
            raise BadView("hand", "holds a card that has been played")

    def read_voids(self) -> None:
        """Suits that seats have shown not to have, this round."""
        shown: dict[int, set[int]] = {}
        for trick in (*self.past, self.on_table):
            led = next(iter(trick.values()), 0) >> 4
            for seat, card in trick.items():
                if card >> 4 in shown.get(seat, ()):
                    raise BadView("past", f"has seat {seat} play a suit that it had shown not to have")
                if card >> 4 != led:
                    shown.setdefault(seat, set()).add(led)
        named = self.data.get("voids")
        if named is None:
            named = [[SUITS[suit] for suit in sorted(shown.get(seat, ()))] for seat in range(self.players)]
        self.voids = 0
        for seat, suits in enumerate(self.items("voids", named, self.players)):
            field = f"voids[{seat}]"
            if self.items(field, suits) != [suit for suit in SUITS if suit in suits]:
                raise BadView(field, f"is {suits}; expected some of {', '.join(SUITS)}, in this order")
            numbers = {SUITS.index(suit) for suit in suits}
            tricks = self.trick + (seat in self.on_table) if seat in self.contenders and not self.is_over else 0
            if len(numbers) > tricks:
                raise BadView(field, f"is {suits}; this seat has followed to {tricks} tricks at most")
            if not shown.get(seat, set()) <= numbers:
                lacking = " and ".join(SUIT_NAMES["en"][suit] for suit in sorted(shown[seat] - numbers))
                raise BadView(field, f"lacks {lacking}, which the seat did not follow")
            if numbers & ({self.on_table[seat] >> 4} if seat in self.on_table else set()):
                raise BadView(field, "names a suit of which the seat has a card on the table")
            banned = sum(0x1FFF << 16 * suit for suit in numbers)
            if seat == self.seat and self.hand & banned:
                raise BadView(field, "names a suit that is in the hand")
            self.voids |= sum(1 << 4 * seat + suit for suit in numbers)
        self.check_room()

    def check_room(self) -> None:
        """Hall's condition: whatever suits one looks at, the hands that can hold nothing else find room in what is unseen."""
        unseen = sum(1 << card for card in CARD_NUMBERS.values()) & ~(self.seen | self.hand)
        for some in range(1 << len(SUITS)):
            room = sum((unseen >> 16 * suit & 0x1FFF).bit_count() for suit in range(len(SUITS)) if some >> suit & 1)
            needed = sum(
                self.held - (seat in self.on_table)
                for seat in self.contenders
                if seat != self.seat and not 15 & ~(self.voids >> 4 * seat) & ~some
            )
            if needed > room:
                raise BadView("voids", "leave too few unseen cards for the hands")

    def fields(self) -> dict[str, Any]:
        """The engine's."""
        strongest = max(self.strengths.values(), default=0)
        best = next((seat for seat, strength in self.strengths.items() if strength == strongest), 0)
        return {
            "table": {
                "seen": self.seen,
                "voids": self.voids,
                "ply": self.ply,
                "mover": self.mover,
                "led": self.led,
                "contenders": sum(1 << seat for seat in self.contenders),
                "safe": self.safe,
                "trump": SUITS.index(self.data["trump"]),
                "round": self.round,
                "held": self.held,
                "to_come": self.to_come,
                "best": best,
                "strength": strongest,
                "leader": self.leader,
                "cards": [self.on_table.get(seat, 0) for seat in range(SEATS)],
                "contender_count": len(self.contenders),
                "tricks": self.data["tricks"] + [0] * (SEATS - self.players),
                "past": self.past_rows,
            },
            "hand": self.hand,
            "seat": self.seat,
            "spare": [0] * 7,
        }


@cache
def plies_before(players: int, round_: int, contenders: int) -> frozenset[int]:
    """How many moves there may have been when a round (from 0) begins with so many seats still in (R2.2, R4.1)."""
    if round_ == 0:
        return frozenset({0} if contenders == players else ())
    tricks = ROUNDS - round_ + 1  # of the round before
    return frozenset(
        ply + tricks * before
        for before in range(max(contenders, 2), players + 1)
        for ply in plies_before(players, round_ - 1, before)
        if contenders <= tricks
    )
