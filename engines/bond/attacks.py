"""Reading the attack that a view of bond shows, and what it tells of who is asked."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from machiavel.engines.bond.codec import (
    ADD,
    CAPTURED,
    FOIL,
    LAIR,
    NO_LETTER,
    NOBODY,
    OVER,
    PHASES,
    SOURCES,
    SPY,
    Tables,
)
from machiavel.engines.bond.deck import COPIES, LETTERS
from machiavel.engines.errors import BadView
from machiavel.engines.plugin import Rules
from machiavel.engines.reading import ViewReader, checked_number

__all__ = ["SORTS", "AttackReader"]

ATTACK_FIELDS = ("source", "attacker", "victim", "target", "spies", "captured", "taunts", "taunt", "declined")
SORTS = {"lairs": "lair", "spies": "spy", "doublers": "doubler"}
HAND, STEAL = SOURCES.index("hand"), SOURCES.index("steal")


class AttackReader(ViewReader):
    """The values of a view, and its attack; `seat` and `phase` have been read before."""

    seat: int
    phase: int

    def __init__(self, rules: Rules, data: Mapping[str, Any]) -> None:
        super().__init__(rules, data)
        tables: Tables = rules.tables
        self.deck = tables.deck
        self.hand_size = tables.hand_size
        self.shown: Counter[int] = Counter()  # cards that lie open, by kind

    # ---- Values ----

    def known(self, path: str, value: object, fields: tuple[str, ...]) -> Mapping[str, Any]:
        """An object with some of these fields and no others."""
        if not isinstance(value, Mapping):
            raise BadView(path, f"is {value!r}; expected an object with {', '.join(fields)}")
        for field in value:
            if field not in fields:
                raise BadView(f"{path}.{field}" if path else str(field), f"is unknown; fields: {', '.join(fields)}")
        return value

    def seat_of(self, field: str, value: object) -> int:
        return checked_number(field, value, 0, self.players - 1)

    def follows(self, field: str, given: object, result: object, why: str) -> None:
        """What was given must be what follows from the rest."""
        if given != result or isinstance(given, bool) != isinstance(result, bool):
            raise BadView(field, f"is {given!r}, but {why}: {result!r}")

    def cards(self, path: str, sort: str, values: object) -> Counter[int]:
        """Cards of one sort, by kind."""
        counts: Counter[int] = Counter()
        marks = [mark for kind, mark in enumerate(self.deck.marks) if self.deck.texts.get(kind, "").startswith(sort)]
        for value in self.items(path, values):
            kind = None if isinstance(value, bool) or not isinstance(value, int | str) else self.deck.kind(sort, value)
            if kind is None or type(value) is not type(marks[0]):
                raise BadView(path, f"holds {value!r}; expected some of {', '.join(map(str, marks))}")
            counts[kind] += 1
        return counts

    def heap(self, path: str, value: object) -> Counter[int]:
        """Cards by sort; a sort left out has none."""
        counts: Counter[int] = Counter()
        for name, values in self.known(path, value, tuple(SORTS)).items():
            counts += self.cards(f"{path}.{name}", SORTS[name], values)
        return counts

    def show(self, path: str, cards: Counter[int]) -> None:
        """These cards are known to lie there, and so nowhere else."""
        self.shown += cards
        for kind in cards:
            if self.shown[kind] > self.deck.counts[kind]:
                raise BadView(
                    path,
                    f"makes it {self.shown[kind]} times {self.deck.texts[kind]} with what else lies open and is in the hand; "
                    f"the deck has {self.deck.counts[kind]}",
                )

    # ---- The attack, and the turn it belongs to ----

    def read_attack(self) -> None:
        """Whom the attack of this moment threatens, and with what."""
        attack = self.data.get("attack")
        self.target = self.victim = NOBODY
        self.taunt, self.taunts, self.source, self.committed = NO_LETTER, list[int](), 0, 0
        self.count = 0
        self.attack: Mapping[str, Any] = {}
        self.spies: Counter[int] = Counter()
        self.face_down: Counter[int] = Counter()
        if (attack is not None) != (self.phase in {ADD, CAPTURED, FOIL}):
            needs = "an attack is on" if self.phase in {ADD, CAPTURED, FOIL} else "there is no attack"
            raise BadView("attack", f"is {attack!r}, but phase is {PHASES[self.phase]}, when {needs}")
        if attack is None:
            return
        self.attack = self.known("attack", attack, ATTACK_FIELDS)
        self.read_target()
        self.read_spies()
        self.read_source()
        self.read_taunts()
        if "captured" in attack:
            self.follows("attack.captured", attack["captured"], self.phase != ADD, f"phase {PHASES[self.phase]} makes it")

    def read_target(self) -> None:
        target = self.attack.get("target")
        if target is None and self.phase == CAPTURED:
            target = self.data.get("mover")  # the owner of the lair decides
        if target is None:
            raise BadView("attack.target", "is missing")
        self.target = self.seat_of("attack.target", target)

    def read_spies(self) -> None:
        spies = self.items("attack.spies", self.attack.get("spies"))
        if not 1 <= len(spies) <= COPIES:
            raise BadView("attack.spies", f"are {len(spies)}; expected 1 to {COPIES}")
        self.count = len(spies)
        if any(value is not None for value in spies):
            self.spies = self.cards("attack.spies", "spy", spies)
        if self.phase == ADD:
            self.committed = self.count

    def read_source(self) -> None:
        """Where the spies come from; an attack under way tells it, mostly."""
        attack = self.attack
        victim = attack.get("victim")
        guess = "steal" if victim is not None else "hand"
        source = attack.get("source", guess)
        if not isinstance(source, str) or source not in SOURCES[1:]:
            raise BadView("attack.source", f"is {source!r}; expected one of {', '.join(SOURCES[1:])}")
        self.source = SOURCES.index(source)
        if self.source != HAND and (self.count > 1 or self.phase == ADD):
            raise BadView(
                "attack.source",
                f"is {source}, but phase is {PHASES[self.phase]} and attack.spies are {self.count}: only from hand",
            )
        if (victim is not None) != (self.source == STEAL):
            raise BadView("attack.victim", f"is {victim!r}, but attack.source is {source}; a steal has a victim, nothing else")
        if victim is not None:
            self.victim = self.seat_of("attack.victim", victim)

    def read_taunts(self) -> None:
        """The Doublers on the spy, and the one that others may foil."""
        letters = [*self.items("attack.taunts", self.attack.get("taunts", []))]
        taunt = self.attack.get("taunt")
        if (taunt is not None) != (self.phase == FOIL):
            raise BadView(
                "attack.taunt", f"is {taunt!r}, but phase is {PHASES[self.phase]}; a letter is asked about in foil alone"
            )
        for letter in letters if taunt is None else [*letters, taunt]:
            if not isinstance(letter, str) or letter not in tuple(LETTERS):
                raise BadView("attack.taunts", f"holds {letter!r}; expected letters A to {LETTERS[-1]}")
            if [*letters, taunt].count(letter) > 1:
                raise BadView("attack.taunts", f"has {letter} twice with attack.taunt; a letter is played once on a spy")
        if letters and self.phase == ADD:
            raise BadView("attack.taunts", "are there, but phase is add: nothing is captured yet")
        if self.attack.get("declined") and self.phase != FOIL:
            raise BadView("attack.declined", f"is {self.attack['declined']!r}, but phase is {PHASES[self.phase]}, not foil")
        self.taunts = [LETTERS.index(letter) for letter in letters]
        if taunt is not None:
            self.taunt = LETTERS.index(taunt)

    def read_turn(self) -> None:
        """Whose turn it is, and who is asked."""
        mover = self.data.get("mover")
        turn = self.data.get("turn", self.attack.get("attacker"))
        if turn is None and self.phase in {LAIR, SPY, ADD}:
            turn = mover  # who is asked in these phases
        if turn is None:
            raise BadView("turn", "is missing")
        self.turn = self.seat_of("turn", turn)
        if self.attack.get("attacker") is not None:
            self.follows("attack.attacker", self.attack["attacker"], self.turn, "turn makes it")
        if self.victim == self.turn:
            raise BadView("attack.victim", f"is {self.victim}, but it is that seat's turn: one steals from others")
        if self.source == HAND and (self.phase == ADD or self.count > 1) and self.target == self.turn:
            raise BadView("attack.target", f"is {self.target}, whose turn it is; one spy alone goes to one's own lair, face up")
        if self.phase == ADD and self.seat == self.turn and self.spies:
            self.face_down, self.spies = self.spies, Counter()
        elif self.attack and (self.phase == ADD) == bool(self.spies):
            who = "only their owner sees" if self.spies else "everybody sees, or their owner"
            raise BadView("attack.spies", f"are {self.attack['spies']!r}, but {who} spies in phase {PHASES[self.phase]}")
        if self.phase == FOIL:
            self.mover = self.asked_to_foil(mover)
        else:
            self.mover = {CAPTURED: self.target, OVER: NOBODY}.get(self.phase, self.turn)
        if "mover" in self.data:
            asked = None if self.mover == NOBODY else self.mover
            self.follows("mover", mover, asked, f"phase {PHASES[self.phase]} makes it")

    def asked_to_foil(self, mover: object) -> int:
        """The others are asked from the owner's left on."""
        order = [(self.target + i) % self.players for i in range(1, self.players)]
        if "declined" in self.attack:
            declined = self.seats("attack.declined", self.attack["declined"])
            if declined != order[: len(declined)] or len(declined) == len(order):
                raise BadView("attack.declined", f"is {declined}; asked are, one after the other, {order}, and somebody still is")
            return order[len(declined)]
        if mover is None:
            return order[0]
        if self.seat_of("mover", mover) not in order:
            raise BadView("mover", f"is {mover}, whose own taunt it is: attack.target is {self.target}")
        return self.seat_of("mover", mover)
