"""What contradicts what in a view of bond, and how what is left out follows from the rest."""

from collections.abc import Mapping, Sequence
from typing import Any

from machiavel.engines.bond import _engine, schema
from machiavel.engines.bond.deck import CARDS, COPIES, FIRST_DOUBLER, FIRST_SPY, LETTERS, hand_size
from machiavel.engines.bond.events import GOAL
from machiavel.engines.bond.schema import BACKS, HEAP, NOBODY, PHASES, SOURCES
from machiavel.engines.errors import shown
from machiavel.engines.views import ViewReader

__all__ = ["Reader"]


def flat(heap: Mapping[str, list[int]] | None) -> list[int]:
    return [kind for kinds in (heap or {}).values() for kind in kinds]


class Reader(ViewReader):
    """First the attack of this moment and who is asked, then all cards, by what lies open and by their backs, then the score."""

    schema, native, phrases = schema.VIEWS, _engine, schema.PHRASES
    chapters = (
        *("attacked", "sent", "origin", "doublers", "turns", "visible", "asked", "cards", "strength"),
        *("backs", "back_on_top", "hidden_cards", "scores", "ending", "moves_made"),
    )

    # ---- The attack, and the turn it belongs to ----

    def attacked(self) -> None:
        """Whether there is an attack, and whom it threatens."""
        told, self.phase = self.told, PHASES[self.told.phase]
        self.is_on, value = self.phase in {"add", "captured", "foil"}, shown(self.data.get("attack"))
        key = "attack_is_missing" if self.is_on else "no_attack"
        self.expect((told.attack is not None) == self.is_on, "attack", key, value=value, phase=self.phase)
        self.attack: Mapping[str, Any] = told.attack or {}
        given = self.data.get("attack") or {}
        self.given = {name: shown(given.get(name)) for name in ("victim", "spies", "taunt", "declined", "captured")}
        target = self.attack.get("target")
        if target is None and self.phase == "captured":
            target = told.mover  # the owner of the lair decides
        self.expect(target is not None or not self.is_on, "attack.target", "missing")
        self.target: Any = target

    def sent(self) -> None:
        """The spies, as far as they are told."""
        spies = self.attack.get("spies", [])
        self.count, told = len(spies), [spy for spy in spies if spy is not None]
        self.expect(1 <= self.count <= COPIES or not self.is_on, "attack.spies", "spies_sent", count=self.count, most=COPIES)
        self.expect(len(told) in {0, self.count}, "attack.spies", "some_hidden", **self.given)
        self.spies = told

    def origin(self) -> None:
        """Where they come from; an attack under way tells it, mostly."""
        victim = self.attack.get("victim")
        self.source = SOURCES[self.attack.get("source", 0 if victim is None else 1)]
        facts = {"source": self.source, "phase": self.phase, "count": self.count, **self.given}
        is_alone = self.count <= 1 and self.phase != "add"
        self.tell(self.source == "hand" or is_alone, "attack.source", "source", **facts)
        self.tell((victim is None) == (self.source != "steal"), "attack.victim", "victim", **facts)

    def doublers(self) -> None:
        """The Doublers on the spy, and the one that others may foil."""
        self.taunt, self.taunts = self.attack.get("taunt"), self.attack.get("taunts", [])
        is_foil, is_captured, before = self.phase == "foil", self.phase != "add", len(self.problems)
        self.tell((self.taunt is not None) == is_foil, "attack.taunt", "taunt", phase=self.phase, **self.given)
        played = self.taunts if self.taunt is None else [*self.taunts, self.taunt]
        for letter in sorted(set(played)):
            self.tell(played.count(letter) == 1, "attack.taunts", "letter_twice", letter=LETTERS[letter])
        self.tell(is_captured or not self.taunts, "attack.taunts", "taunts_too_early")
        declined, captured = self.attack.get("declined"), self.attack.get("captured", is_captured)
        self.tell(is_foil or not declined, "attack.declined", "declined_too_early", phase=self.phase, **self.given)
        facts = {"value": captured, "phase": self.phase, "result": is_captured}
        self.tell(captured == is_captured, "attack.captured", "by_phase", **facts)
        if len(self.problems) == before:
            self.on_spy = [FIRST_DOUBLER + 2 * letter for letter in played]

    def turns(self) -> None:
        """Whose turn it is."""
        told, attacker, victim = self.told, self.attack.get("attacker"), self.attack.get("victim")
        turn = attacker if told.turn is None else told.turn
        if turn is None and self.phase in {"lair", "spy", "add"}:
            turn = told.mover  # who is asked in these phases
        self.expect(turn is not None, "turn", "missing")
        self.turn = turn
        self.tell(attacker in {None, turn}, "attack.attacker", "attacker", value=attacker, result=turn)
        self.tell(victim != turn, "attack.victim", "own_victim", **self.given)
        is_face_up = self.source != "hand" or (self.phase != "add" and self.count <= 1)
        self.tell(is_face_up or self.target != turn, "attack.target", "own_target", target=self.target)

    def visible(self) -> None:
        """Who sees the spies of the attack."""
        is_seen = self.is_on and (self.phase != "add" or self.told.seat == self.turn)
        key = "face_up" if is_seen else "face_down"
        self.expect(bool(self.spies) == is_seen, "attack.spies", key, phase=self.phase, **self.given)
        self.face_down, self.face_up = (self.spies, []) if self.phase == "add" else ([], self.spies)

    def asked(self) -> None:
        """Whoever's turn it is, the owner of the lair, or, about a taunt, the others from the owner's left on."""
        mover, declined = self.told.mover, self.attack.get("declined")
        if self.phase == "foil":
            order = [(self.target + i) % self.players for i in range(1, self.players)]
            is_so = declined is None or (declined == order[: len(declined)] and declined != order)
            self.expect(is_so, "attack.declined", "declined", declined=declined, order=order)
            is_so = declined is not None or mover is None or mover in order
            self.expect(is_so, "mover", "own_taunt", mover=mover, target=self.target)
            self.mover = order[len(declined)] if declined is not None else order[0] if mover is None else mover
        else:
            self.mover = {"captured": self.target, "over": None}.get(self.phase, self.turn)
        is_so = "mover" not in self.data or mover == self.mover
        self.expect(is_so, "mover", "by_phase", value=mover, phase=self.phase, result=self.mover)

    # ---- The cards ----

    def cards(self) -> None:
        """What lies open."""
        self.deck = self.rules.tables
        self.lairs, self.discard = self.told.lairs, flat(self.told.discard)
        lairs = {f"lairs[{seat}]": kinds for seat, kinds in enumerate(self.lairs)}
        piles = {"discard": self.discard} | lairs | {"attack.taunts": self.on_spy, "attack.spies": self.face_up}
        self.known, before = list[int](), len(self.problems)
        for name, kinds in piles.items():
            self.show(name, kinds)
        if len(self.problems) == before:
            self.open = [*self.known]

    def show(self, name: str, kinds: Sequence[int]) -> None:
        """These cards are known to be there, and so nowhere else."""
        self.known += kinds
        for kind in sorted(set(kinds)):
            count, most = self.known.count(kind), self.deck.counts[kind]
            self.tell(count <= most, name, "too_often", card=self.deck.texts[kind], count=count, most=most)

    def worth(self, kinds: Sequence[int]) -> int:
        return sum(self.deck.marks[kind] for kind in kinds)

    def strength(self) -> None:
        """Whether the lair holds what is captured in it."""
        self.lair_worth, target = list(map(self.worth, self.lairs)), self.target
        if target is not None:
            facts = {"target": target, "value": self.worth(self.face_up), "worth": self.lair_worth[target]}
            self.expect(self.lairs[target], "attack.target", "no_lair", **facts)
            self.expect(facts["value"] <= facts["worth"], "attack.spies", "not_captured", **facts)

    def backs(self) -> None:
        """How many spies and others each hand and the pile hold, as far as given, and the rest of it."""
        told, hand = self.told, self.told.hand
        self.expect(hand is not None or told.seat is None, "hand", "hand", fields=", ".join(HEAP.fields))
        self.hand, pile, count = flat(hand), told.pile, told.pile.get("count")
        own = {"spies": count_spies(self.hand), "others": len(self.hand) - count_spies(self.hand)}
        spies: dict[str, Any] = {"pile.spies": 0 if count == 0 and pile.get("spies") is None else pile.get("spies")}
        others: dict[str, Any] = {}
        for seat, backs in enumerate(told.hands):
            for sort, counts in (("spies", spies), ("others", others)):
                name, value = f"hands[{seat}].{sort}", backs.get(sort)
                self.expect(seat != told.seat or value in {None, own[sort]}, name, "own_backs", value=value, result=own[sort])
                counts[name] = own[sort] if seat == told.seat else value
        self.committed, open_spies = self.count if self.phase == "add" else 0, count_spies(self.open)
        self.complete(spies, "spies", COPIES - open_spies - self.committed)
        self.pile_spies, *self.hand_spies = spies.values()
        self.expect(count is None or self.pile_spies <= count, "pile.spies", "pile_spies", spies=self.pile_spies, count=count)
        others["pile.others"] = None if count is None else count - self.pile_spies
        self.complete(others, "others", CARDS - COPIES - len(self.open) + open_spies)
        *self.hand_others, self.pile_others = others.values()
        count, most = self.pile_spies + self.pile_others, CARDS - hand_size(self.players) * self.players - 1
        self.expect(count <= most, "pile.count", "lost_cards", count=count, most=most)
        self.pile_count = count

    def complete(self, counts: dict[str, Any], sort: str, total: int) -> None:
        """One number that is missing follows from the others, for no card gets lost."""
        names, missing = [*counts], [name for name, count in counts.items() if count is None]
        known = sum(count or 0 for count in counts.values())
        self.expect(len(missing) <= 1 or known >= total, (missing or names)[0], "two_missing", other="".join(missing[1:2]))
        if known > total or (known < total and not missing):
            name, sorts = "pile.others" if "pile.others" in missing else names[0], self.phrases.wording(f"problems.{sort}")
            self.refuse(name, "backs", others=", ".join(names[1:]), known=known, sort=sorts, total=total)
        counts |= dict.fromkeys(missing, 0) | dict.fromkeys(missing[:1], total - known)

    def back_on_top(self) -> None:
        pile, counts = self.told.pile, (self.pile_others, self.pile_spies)
        possible: list[Any] = [back for back, count in enumerate(counts) if count][::-1] or [None]
        self.expect("top" in pile or len(possible) == 1, "pile.top", "top_is_missing")
        self.top = pile.get("top", possible[0])
        top, *names = [None if back is None else BACKS[back] for back in (self.top, *possible)]
        facts = {"top": shown(top), "count": self.pile_count, "spies": self.pile_spies}
        self.expect(self.top in possible, "pile.top", "top", possible=", ".join(map(str, names)), **facts)

    def hidden_cards(self) -> None:
        """Those that this seat alone sees; last, since they must not be blamed on fields that say how many they are."""
        self.show("hand", self.hand)
        self.show("attack.spies", self.face_down)

    # ---- The score ----

    def scores(self) -> None:
        told, gone = self.told, [kind for kind in self.discard if FIRST_SPY <= kind < FIRST_DOUBLER]
        self.gone = len(gone)
        self.expect(told.points is not None or not gone, "points", "points_are_missing")
        self.points = told.points or [0] * self.players
        self.expect(gone or not any(self.points), "points", "points_too_early", points=self.points)
        for seat, points in enumerate(self.points):
            self.number(f"points[{seat}]", points, 0, self.worth(gone) << len(LETTERS))
        self.winners = [seat for seat, points in enumerate(self.points) if points >= GOAL]
        is_so = not self.winners or (self.phase == "over" and len(self.winners) == 1)
        self.expect(is_so, "points", "goal", points=self.points, phase=self.phase, goal=GOAL)

    def ending(self) -> None:
        """Whether the match is over, and why; turns in which nothing was played."""
        is_over, told = self.phase == "over", self.told.idle
        is_idle = is_over and not self.winners and self.gone < COPIES
        facts = {"phase": self.phase, "gone": self.gone, "goal": GOAL, "count": self.pile_count}
        self.tell(self.gone < COPIES or is_over, "discard.spies", "last_spy", **facts)
        self.expect(not is_idle or not self.pile_count, "phase", "not_over", **facts)
        certain = self.players if is_idle else 0 if self.pile_count or self.is_on or is_over else None
        self.expect(told is not None or certain is not None, "idle", "idle_is_missing")
        self.expect(None in {told, certain} or told == certain, "idle", "idle", value=told, result=certain, **facts)
        self.idle = certain if told is None else told

    def moves_made(self) -> None:
        """Bounds alone: of what is long past a view keeps little."""
        drawn = CARDS - hand_size(self.players) * self.players - self.pile_count  # by turns and attacks, one each at most
        turns = max((drawn + 1) // 2, sum(kind < FIRST_SPY for kind in self.open), 1) - 1  # and this one
        least = 2 * turns + {"lair": 0, "spy": 1, "add": 1 + self.committed}.get(self.phase, 2) + len(self.taunts)
        self.ply = least if self.told.ply is None else self.told.ply
        self.expect(self.ply >= least, "ply", "ply", ply=self.ply, least=least)

    # ---- The whole ----

    def compare(self, struct: Mapping[str, Any]) -> None:
        """Each chapter has held what was told against the rest: attack, hands and pile may be told in part."""

    def struct(self) -> Mapping[str, Any]:
        heap, source = self.deck.heap, SOURCES.index(self.source) + 1 if self.is_on else 0
        seats = {"mover": self.mover, "target": self.target, "victim": self.attack.get("victim"), "taunt": self.taunt}
        table = {name: NOBODY if value is None else value for name, value in seats.items()}
        table |= {"turn": self.turn, "points": self.points, "idle": self.idle, "ply": self.ply, "gone": self.gone}
        table |= {"unseen": self.deck.rest(self.open), "spies": heap(self.face_up), "value": self.worth(self.face_up)}
        table |= {"lairs": list(map(heap, self.lairs)), "lair_value": self.lair_worth, "with_lair": bits(self.lairs)}
        table |= {"hand_spies": self.hand_spies, "with_spies": bits(self.hand_spies), "hand_others": self.hand_others}
        table |= {"pile_count": self.pile_count, "pile_spies": self.pile_spies, "top": 0 if self.top is None else self.top + 1}
        table |= {"source": source, "committed": self.committed, "taunts": self.taunts, "taunt_count": len(self.taunts)}
        table["letters"] = sum(1 << letter for letter in self.taunts)
        return {f"table.{name}": raw for name, raw in table.items()} | {"committed": heap(self.face_down)}


def count_spies(kinds: Sequence[int]) -> int:
    return sum(FIRST_SPY <= kind < FIRST_DOUBLER for kind in kinds)


def bits(by_seat: Sequence[Any]) -> int:
    """The seats that have any."""
    return sum(1 << seat for seat, value in enumerate(by_seat) if value)
