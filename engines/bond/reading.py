"""Reading views of bond: the JSON of docs/bond.md checked field by field, for a person may have typed it in.

What follows from the rest may be left out; where two facts clash, the error names both.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from machiavel.engines.bond import _engine, _rules
from machiavel.engines.bond.attacks import SORTS, AttackReader
from machiavel.engines.bond.codec import (
    ADD,
    CAPTURED,
    FIRST_DOUBLER,
    FIRST_SPY,
    FOIL,
    LAIR,
    NO_LETTER,
    NOBODY,
    OVER,
    PHASES,
    SEATS,
    SPY,
    TOPS,
    heap_of,
)
from machiavel.engines.bond.deck import CARDS, COPIES, LETTERS
from machiavel.engines.errors import BadView
from machiavel.engines.plugin import Rules
from machiavel.engines.reading import checked_number

__all__ = ["view_bytes"]

FIELDS = ("seat", "ply", "phase", "turn", "mover", "points", "lairs", "hands", "hand", "pile", "discard", "idle", "attack")
GOAL = 30
SPIES, OTHERS = COPIES, CARDS - COPIES


def view_bytes(rules: Rules, data: Mapping[str, Any]) -> bytes:
    """The view of a JSON object; docs/bond.md says what may be left out."""
    return Reader(rules, data).view()


class Reader(AttackReader):
    """One view being read: each step takes its fields, checks them against those before, and adds what follows from them."""

    def view(self) -> bytes:
        self.known("", self.data, FIELDS)
        self.read_place()
        self.read_attack()
        self.read_turn()
        self.read_table()
        self.read_hand()
        self.read_counts()
        self.read_end()
        self.read_ply()
        return _engine.view_bytes(self.fields())

    # ---- The chapters of a view ----

    def read_place(self) -> None:
        """Whose view it is, and what is asked."""
        for field in ("seat", "phase"):
            if field not in self.data:
                raise BadView(field, "is missing")
        seat = self.data["seat"]
        self.seat = -1 if seat is None else self.seat_of("seat", seat)
        if not isinstance(self.data["phase"], str) or self.data["phase"] not in PHASES:
            raise BadView("phase", f"is {self.data['phase']!r}; expected one of {', '.join(PHASES)}")
        self.phase = PHASES.index(self.data["phase"])

    def read_table(self) -> None:
        """Lairs, what is discarded, what lies on the table."""
        lairs = self.items("lairs", self.data.get("lairs", [[]] * self.players), self.players)
        self.lairs = [self.cards(f"lairs[{seat}]", "lair", cards) for seat, cards in enumerate(lairs)]
        self.discard = self.heap("discard", self.data.get("discard", {}))
        self.show("discard", self.discard)
        for seat, cards in enumerate(self.lairs):
            self.show(f"lairs[{seat}]", cards)
        letters = [*self.taunts, *([] if self.taunt == NO_LETTER else [self.taunt])]
        self.show("attack.taunts", Counter(FIRST_DOUBLER + 2 * letter for letter in letters))
        self.show("attack.spies", self.spies)
        self.lair_value = [self.sum_of(cards) for cards in self.lairs]
        if self.target != NOBODY and not self.lairs[self.target]:
            raise BadView("attack.target", f"is {self.target}, but lairs[{self.target}] is empty")
        if self.phase in {CAPTURED, FOIL} and self.sum_of(self.spies) > self.lair_value[self.target]:
            raise BadView(
                "attack.spies",
                f"sum up to {self.sum_of(self.spies)}, but lairs[{self.target}] to {self.lair_value[self.target]}: not captured",
            )

    def sum_of(self, cards: Counter[int]) -> int:
        return sum(int(self.deck.marks[kind]) * count for kind, count in cards.items())

    def read_hand(self) -> None:
        """The seat's own cards."""
        self.hand: Counter[int] = Counter()
        if self.seat < 0:
            if self.data.get("hand") is not None:
                raise BadView("hand", "expected null for a spectator, whose seat is null")
            return
        if self.data.get("hand") is None:
            raise BadView("hand", f"is missing; expected an object with {', '.join(SORTS)}")
        self.hand = self.heap("hand", self.data["hand"])

    def read_counts(self) -> None:
        """The backs: how many spies and others each hand and the pile hold, as far as given, and the rest of it."""
        hands = self.items("hands", self.data.get("hands", [{}] * self.players), self.players)
        pile = self.known("pile", self.data.get("pile", {}), ("count", "spies", "top"))
        count = pile.get("count")
        if count is not None:
            checked_number("pile.count", count, 0, self.hand_pile_most())
        own_spies = sum(number for kind, number in self.hand.items() if FIRST_SPY <= kind < FIRST_DOUBLER)
        own = {"spies": own_spies, "others": self.hand.total() - own_spies}
        result: dict[str, int | None] = {"pile.spies": self.optional("pile.spies", pile.get("spies"), SPIES)}
        for seat, entry in enumerate(hands):
            backs = self.known(f"hands[{seat}]", entry, ("spies", "others"))
            for sort, most in (("spies", SPIES), ("others", OTHERS)):
                field = f"hands[{seat}].{sort}"
                result[field] = self.optional(field, backs.get(sort), most)
                if seat == self.seat:
                    if result[field] is not None:
                        self.follows(field, result[field], own[sort], "the cards in hand make it")
                    result[field] = own[sort]
        shown_spies = sum(number for kind, number in self.shown.items() if FIRST_SPY <= kind < FIRST_DOUBLER)
        if count == 0 and result["pile.spies"] is None:
            result["pile.spies"] = 0
        self.complete(result, "spies", SPIES - shown_spies - self.committed)
        spies = result["pile.spies"]
        if count is not None and spies is not None and spies > count:
            raise BadView("pile.spies", f"is {spies}, but pile.count is {count}")
        result["pile.others"] = None if count is None or spies is None else count - spies
        self.complete(result, "others", OTHERS - (self.shown.total() - shown_spies))
        numbers = {field: number for field, number in result.items() if number is not None}
        self.hand_spies = [numbers[f"hands[{seat}].spies"] for seat in range(self.players)]
        self.hand_others = [numbers[f"hands[{seat}].others"] for seat in range(self.players)]
        self.pile_spies, self.pile_count = numbers["pile.spies"], numbers["pile.spies"] + numbers["pile.others"]
        if self.pile_count > self.hand_pile_most():
            problem = f"comes to {self.pile_count}, but {self.hand_pile_most()} at most can be left"
            raise BadView("pile.count", f"{problem}: a card is missing in hands, lairs, discard or attack")
        self.read_top(pile)
        # Here, since the cards must not be blamed on fields that say how many they are.
        self.show("hand", self.hand)
        self.show("attack.spies", self.face_down)

    def hand_pile_most(self) -> int:
        """The first turn has drawn a card whenever somebody looks."""
        return CARDS - self.hand_size * self.players - 1

    def optional(self, field: str, value: object, most: int) -> int | None:
        return None if value is None else checked_number(field, value, 0, most)

    def complete(self, result: dict[str, int | None], sort: str, total: int) -> None:
        """One number that is missing follows from the others, for no card gets lost."""
        fields = [field for field in result if field.endswith(f".{sort}")]
        missing = [field for field in fields if result[field] is None]
        known = sum(result[field] or 0 for field in fields)
        if len(missing) > 1 and known < total:
            raise BadView(missing[0], f"is missing, and so is {missing[1]}; one of them would follow from the other")
        if known > total or (known < total and not missing):
            raise BadView(
                fields[-1] if sort == "others" and "pile.others" in missing else fields[0],
                f"with {', '.join(fields[1:])} makes {known} {sort} in hands and pile; what lies open leaves {total}",
            )
        for field in missing:
            result[field] = total - known
            known = total

    def read_top(self, pile: Mapping[str, Any]) -> None:
        """The back on top."""
        possible: list[str | None] = [
            name for name, number in (("spy", self.pile_spies), ("other", self.pile_count - self.pile_spies)) if number
        ] or [None]
        if "top" not in pile and len(possible) > 1:
            raise BadView("pile.top", "is missing; expected spy or other, the back on top")
        top = pile.get("top", possible[0])
        if top not in possible:
            raise BadView(
                "pile.top",
                f"is {top!r}, but the pile has {self.pile_count} cards, {self.pile_spies} of them spies; "
                f"possible: {', '.join(map(str, possible))}",
            )
        self.top = TOPS.index(top)

    def read_end(self) -> None:
        """Points, idle turns, and whether the match is over."""
        gone = sum(number for kind, number in self.discard.items() if FIRST_SPY <= kind < FIRST_DOUBLER)
        if "points" not in self.data and gone:
            raise BadView("points", "are missing; spies have been discarded, so somebody may have scored")
        points = self.items("points", self.data.get("points", [0] * self.players), self.players)
        if not gone and any(points):
            raise BadView("points", f"are {points!r}, but discard.spies is empty: nothing has been scored yet")
        most = self.sum_of(Counter({k: n for k, n in self.discard.items() if FIRST_SPY <= k < FIRST_DOUBLER})) << len(LETTERS)
        self.points = [checked_number(f"points[{seat}]", value, 0, most) for seat, value in enumerate(points)]
        winners = [seat for seat, value in enumerate(self.points) if value >= GOAL]
        if winners and (self.phase != OVER or len(winners) > 1):
            raise BadView(
                "points", f"are {self.points}, but phase is {PHASES[self.phase]}; the first to have {GOAL} ends the match"
            )
        if gone == COPIES and self.phase != OVER:
            raise BadView("discard.spies", f"are all {COPIES}, but phase is {PHASES[self.phase]}; the last spy ends the match")
        self.gone = gone
        is_idle = self.phase == OVER and not winners and gone < COPIES
        if is_idle and self.pile_count:
            raise BadView(
                "phase", f"is over, but nobody has {GOAL} points, discard.spies are {gone}, pile.count is {self.pile_count}"
            )
        certain = self.players if is_idle else 0 if self.pile_count or self.attack or self.phase == OVER else None
        if "idle" not in self.data and certain is None:
            raise BadView("idle", "is missing; pile.count is 0, so turns may have passed in which nothing was played")
        self.idle = checked_number("idle", self.data.get("idle", certain), 0, self.players)
        if certain is not None:
            self.follows("idle", self.idle, certain, f"phase {PHASES[self.phase]} and pile.count {self.pile_count} make it")

    def read_ply(self) -> None:
        """Bounds alone: of what is long past a view keeps little."""
        most = _rules.max_plies(self.rules.capsule)
        lairs = sum(number for kind, number in self.shown.items() if kind < FIRST_SPY) - sum(
            number for kind, number in self.hand.items() if kind < FIRST_SPY
        )
        drawn = CARDS - self.hand_size * self.players - self.pile_count  # by turns and by attacks, at most one each a turn
        turns = max((drawn + 1) // 2, lairs, 1) - 1  # and this one
        least = 2 * turns + {LAIR: 0, SPY: 1, ADD: 1 + self.committed}.get(self.phase, 2) + len(self.taunts)
        self.ply = checked_number("ply", self.data.get("ply", max(least, 0)), 0, most)
        if self.ply < least:
            raise BadView("ply", f"is {self.ply}, but lairs, discard and pile.count show {least} moves at least")

    def fields(self) -> dict[str, Any]:
        """The engine's."""

        def per_seat(values: list[int]) -> list[int]:
            return values + [0] * (SEATS - len(values))

        return {
            "table": {
                "unseen": heap_of(self.deck, self.deck.counts - self.shown + self.hand + self.face_down),
                "spies": heap_of(self.deck, self.spies),
                "lairs": per_seat([heap_of(self.deck, cards) for cards in self.lairs]),
                "points": per_seat(self.points),
                "ply": self.ply,
                "letters": sum(1 << letter for letter in self.taunts),
                "phase": self.phase,
                "turn": self.turn,
                "mover": self.mover,
                "idle": self.idle,
                "target": self.target,
                "taunt": self.taunt,
                "committed": self.committed,
                "pile_count": self.pile_count,
                "pile_spies": self.pile_spies,
                "top": self.top,
                "hand_spies": per_seat(self.hand_spies),
                "hand_others": per_seat(self.hand_others),
                "with_lair": sum(1 << seat for seat, cards in enumerate(self.lairs) if cards),
                "with_spies": sum(1 << seat for seat, count in enumerate(self.hand_spies) if count),
                "gone": self.gone,
                "spare": 0,
                "lair_value": per_seat(self.lair_value),
                "value": self.sum_of(self.spies),
                "source": self.source,
                "victim": self.victim,
                "taunt_count": len(self.taunts),
                "taunts": self.taunts + [0] * (len(LETTERS) - len(self.taunts)),
            },
            "hand": heap_of(self.deck, self.hand),
            "committed": heap_of(self.deck, self.face_down),
            "seat": self.seat,
            "spare": [0] * 7,
        }
