"""What a person leaves out of a view of agency: derived where the rest tells it, else as nothing speaks against it."""

from collections import Counter
from functools import cache, cached_property, partialmethod
from math import comb
from operator import add
from typing import Any

from machiavel.engines.agency import _engine
from machiavel.engines.agency.deck import ACCOMPLICES, FIRST_POWER, HALF, HIDDEN, TRICKS
from machiavel.engines.agency.schema import PHRASES, VIEWS, Agent, Phase
from machiavel.engines.views import ViewReader

__all__ = ["CHOOSERS", "COLOURS_TAKEN", "CompletingReader"]

CHOOSERS = {Phase.LEAD: Agent.BELTON, Phase.LOOK: Agent.MOIGNONS}
COLOURS_TAKEN = {"greens": "green", "yellows": "yellow"}
SCORES = ("plan_points", *COLOURS_TAKEN)


class CompletingReader(ViewReader):
    """A view being completed, value by value (docs/agency.md). What was told is never changed."""

    schema, native, phrases = VIEWS, _engine, PHRASES
    gaps = (
        *("agents", "medals", "round", "top", "phase", "is_fixed", "trick", "done", "pile", "stake", "segments"),
        *("leader", "seating", "to_move", "entries", *SCORES, "tricks", "latest", "seen"),
    )

    def find_agents(self) -> list[int]:
        tables = self.rules.tables
        self.expect(tables.agents is not None or not tables.powers, "agents", "agents_missing")
        return tables.agents or []

    def find_medals(self) -> list[int]:
        self.expect(self.told.round in {None, 1} and self.told.phase != Phase.OVER, "medals", "medals_missing")
        return [0] * self.players

    def find_round(self) -> int:
        return max(1, int(sum(self.told.medals) + (self.told.phase != Phase.OVER)))

    def find_top(self) -> Any:
        """What lies on top of the pile."""
        return self.told.pile[0] if self.told.pile else self.told.stake

    def find_phase(self) -> int:
        told, choosing = self.told, {FIRST_POWER + agent: phase for phase, agent in CHOOSERS.items()}
        self.expect(told.top is not None, "stake", "stake_missing")
        # Cards are to be passed, unless somebody has said what came of it.
        is_passed = told.table or any(entry.get("received") is not None for entry in told.half[-1:])
        return choosing.get(told.top, Phase.PASS if self.asks(told.top)[1] and not is_passed else Phase.PLAY)

    def asks(self, kind: int | None) -> tuple[bool, bool]:
        """Whether for a plan a colour must be followed, and whether cards are passed."""
        kinds = self.rules.tables.deck.kinds
        accomplice = ACCOMPLICES[kinds[kind][1]] if kind is not None and kind < len(kinds) else ""
        return accomplice == "follow_suit", accomplice == "pass_left"

    def find_is_fixed(self) -> bool:
        return self.told.phase in {Phase.PASS, Phase.PLAY}

    def find_trick(self) -> int:
        told = self.told
        if told.phase == Phase.OVER:
            return TRICKS
        if told.tricks is not None or told.latest is not None:
            return min(TRICKS, 1 + int(max(told.latest) if told.tricks is None else sum(told.tricks)))
        if told.half and "trick" in told.half[-1]:
            return min(TRICKS, int(told.half[-1]["trick"]) + (not told.is_fixed))
        self.expect(told.reserve in {0, HALF} and told.hand, "trick", "trick_missing", last=TRICKS)
        begun = told.hand.bit_count() + (told.seat in dict(told.table))
        return max(1, (1 if told.reserve else 1 + HALF) + HALF - int(begun))

    def find_done(self) -> int:
        """Tricks finished."""
        return int(self.told.trick - (self.told.phase != Phase.OVER))

    def find_stake(self) -> int | None:
        return self.told.top if self.told.is_fixed else None

    def find_pile(self) -> list[int]:
        told = self.told
        if told.segments is not None:
            size = sum(segment["size"] for segment in told.segments)
            return ([HIDDEN if told.top is None else told.top] + [HIDDEN] * (size - 1))[:size]
        self.expect(told.top is not None or told.phase == Phase.OVER, "pile", "pile_missing")
        return [] if told.top is None else [told.top]

    def find_segments(self) -> list[dict[str, Any]]:
        """One part: all that is not seen and not gone. Of a pile its top is enough."""
        told, shown = self.told, Counter(kind for kind in self.told.pile if kind != HIDDEN)
        left = self.every_card() - (self.thought_gone(shown) if told.gone is None else self.told_gone(shown)) - shown
        places = told.pile if HIDDEN in told.pile else [*told.pile, *[HIDDEN] * left.total()]
        hidden = places.count(HIDDEN)
        self.expect(hidden == left.total(), "pile", "pile_hides", count=hidden, left=left.total())
        told.pile = places
        return [{"size": len(places), "unseen": list(left.elements())}] if places else []

    def every_card(self) -> Counter[int]:
        return Counter(dict(enumerate(self.rules.tables.deck.counts)) | {FIRST_POWER + agent: 1 for agent in self.told.agents})

    def told_gone(self, shown: Counter[int]) -> Counter[int]:
        told, gone, every = self.told, Counter(self.told.gone), self.every_card()
        plans = sum(count for kind, count in gone.items() if kind < FIRST_POWER)
        may_be = {told.done, told.done + (FIRST_POWER + Agent.MARTHA in gone)}
        self.expect(plans in may_be, "gone", "gone_plans", count=plans, trick=told.trick, done=told.done)
        for kind, count in gone.items():
            card, most = repr(self.rules.tables.deck.kind_texts[kind]), every[kind]
            self.expect(count + shown[kind] <= most, "gone", "gone_cards", card=card, count=count, shown=shown[kind], most=most)
        return gone

    def thought_gone(self, shown: Counter[int]) -> Counter[int]:
        """Powers that are known to have come up, and those plans that, taken together, are the likeliest to have."""
        told = self.told
        at_work = {name: getattr(told, name) or any(entry.get(name) for entry in told.half) for name in Agent.AT_WORK}
        signs = {Agent.WXT: told.last is not None, Agent.MOIGNONS: told.look is not None, Agent.MARTHA: at_work["martha"]}
        signs[Agent.JEAN] = at_work["jean"] or self.lacks_colours()
        past = [entry["stake"] for entry in told.half if entry.get("trick") != told.done + 1 and entry.get("stake") is not None]
        gone = self.plans_gone(Counter(past), shown, None if told.plan_points is None else sum(told.plan_points))
        powers = {FIRST_POWER + agent for agent in told.agents if signs.get(agent)}
        return gone + Counter(power for power in powers if not shown[power])

    def lacks_colours(self) -> bool:
        """Whether more green or yellow cards were seen in finished tricks than all have: Jean kept some from counting (R6.4)."""
        closed = (self.told.seen or 0) & ~sum(1 << card for card in set(self.on_table()))
        colours = [(getattr(self.told, name), self.rules.tables.deck.colours[colour]) for name, colour in COLOURS_TAKEN.items()]
        return any(counts is not None and (closed & cards).bit_count() > sum(counts) for counts, cards in colours)

    def plans_gone(self, stakes: Counter[int], shown: Counter[int], points: int | None) -> Counter[int]:
        """As many plans as tricks are finished, or perhaps one more, worth so many points (None: any).

        The stakes are among them, and none of those shown. Of all such sets it is one that most deals lead to.
        """
        deck, told = self.rules.tables.deck, self.told
        fixed = [min(stakes[kind], count) for kind, count in enumerate(deck.counts)]
        free = [max(0, count - fixed[kind] - shown[kind]) for kind, count in enumerate(deck.counts)]
        wanted = None if points is None else points - deck.worth(dict(enumerate(fixed)))
        sizes = [told.done - sum(fixed), told.done + 1 - sum(fixed)][
            : 2 if Agent.MARTHA in told.agents and points is not None else 1
        ]
        fitting = (likeliest([value for value, _ in deck.kinds], free, size, wanted) for size in sizes)
        chosen = next((one for one in fitting if one is not None), None)
        if chosen is None:
            self.refuse("plan_points", "no_such_plans", points=points, count=told.done)
        return Counter(dict(enumerate(map(add, fixed, chosen))))

    def find_leader(self) -> int:
        """Who leads this trick, from whatever tells it."""
        told = self.told
        first = [seat for seat, _ in told.table[:1]] + (told.order or [])[:1]
        if told.phase == Phase.PLAY:  # who is asked, with nothing on the table
            first += (told.to_move or [])[:1] + ([] if told.seat is None else [told.seat])
        if first:
            return int(first[0])
        latest = told.latest or (self.taken or {}).get("latest") or [0]
        # Null is seat 0, if nothing says otherwise.
        self.expect(max(latest) or "leader" in self.data, "leader", "leader_missing")
        return latest.index(max(latest)) if max(latest) else 0

    def find_seating(self) -> list[int]:
        """The order in which this trick is played."""
        told, seats = self.told, [(self.told.leader + i) % self.players for i in range(self.players)]
        return seats if told.last is None else [*(seat for seat in seats if seat != told.last), told.last]

    def find_to_move(self) -> list[int]:
        told = self.told
        if told.phase == Phase.PLAY:
            return list(told.seating[len(told.table) :][:1])
        if told.phase == Phase.PASS:  # as if no seat before one's own had given
            has_given = told.seat is not None and any(entry.get("gave") is not None for entry in told.half[-1:])
            return list(range(told.seat + 1 if has_given else 0, self.players))
        return self.seats_of(CHOOSERS.get(told.phase))

    def seats_of(self, agent: int | None) -> list[int]:
        """The seat of an agent, if it is in play."""
        return [seat for seat, other in enumerate(self.told.agents) if other == agent]

    def find_entries(self) -> list[dict[str, Any]]:
        """The tricks of the half; the present one follows from the rest of the view."""
        told, now = self.told, self.told.done + 1
        entries = [dict(entry) for entry in told.half]
        if told.is_fixed and all(entry.get("trick") != now for entry in entries):
            is_missing = told.phase == Phase.PLAY and told.seat is not None and self.asks(told.top)[1]
            self.expect(not is_missing, "half", "exchange_missing", trick=now)
            entries.append({"trick": now})
        for entry in entries:
            if told.is_fixed and entry.get("trick") == now:
                present = {"order": told.seating, "cards": self.on_table()}
                entry.update(present | {name: getattr(told, name) for name in ("stake", *Agent.AT_WORK)} | entry)
            if {"received", "gave", "stake", "follow_suit", "pass_left", *Agent.AT_WORK} <= entry.keys():
                continue
            usual = dict(zip(("follow_suit", "pass_left"), self.asks(entry.get("stake")), strict=True))
            powers = dict.fromkeys(Agent.AT_WORK, None if entry.get("stake") is None else False)
            entry.update(dict.fromkeys(("stake", "gave", "received")) | powers | usual | entry)
        return entries

    @cached_property
    def taken(self) -> dict[str, list[int]] | None:
        """What the finished tricks come to, played again; None where not all of the round, with their stakes, are told."""
        told, entries = self.told, [entry for entry in self.told.half if entry.get("trick") != self.told.done + 1]
        if told.done >= HALF or [entry.get("trick") for entry in entries] != list(range(1, told.done + 1)):
            return None
        parts = [(entry.get("order", ()), entry.get("cards", ())) for entry in entries if entry.get("stake") is not None]
        if len(parts) < told.done or any(len(part) < self.players for both in parts for part in both):
            return None
        state = _engine.told_again(self.rules.capsule, 0, 0, entries, told.agents)
        won_by_martha = [[winner] == self.seats_of(Agent.MARTHA) for winner in state["won"]]
        if any(entry.get("martha") and is_hers for entry, is_hers in zip(entries, won_by_martha, strict=False)):
            return None  # she has a plan besides, and nobody has told which
        return {name: state["table"][name][: self.players] for name in (*SCORES, "tricks", "latest")}

    def find_score(self, name: str) -> list[int]:
        self.expect(self.taken is not None, name, "scores_missing", trick=self.told.trick)
        return (self.taken or {})[name]

    find_plan_points = partialmethod(find_score, "plan_points")
    find_greens = partialmethod(find_score, "greens")
    find_yellows = partialmethod(find_score, "yellows")

    def find_tricks(self) -> list[int]:
        """As few as explain what each seat has; the others are the leader's."""
        told = self.told
        if self.taken is not None:
            return self.taken["tricks"]
        each = zip(told.plan_points, told.greens, told.yellows, strict=True)
        result = [max(-(-(greens + yellows) // self.players), int(points > 0)) for points, greens, yellows in each]
        self.expect(sum(result) <= told.done, "trick", "tricks_won", trick=told.trick, count=sum(result))
        result[told.leader] += told.done - sum(result)
        return result

    def find_latest(self) -> list[int]:
        """Who leads won the last trick; of the others, who has more tricks won one later."""
        if self.taken is not None:
            return self.taken["latest"]
        told, winners = self.told, [seat for seat, tricks in enumerate(self.told.tricks) if tricks]
        winners.sort(key=lambda seat: (seat != told.leader, -told.tricks[seat]))
        return [max(0, told.done - winners.index(seat)) if seat in winners else 0 for seat in range(self.players)]

    def find_seen(self) -> int:
        told = {card for entry in self.told.half for card in entry.get("cards", ())}
        return sum(1 << card for card in told | set(self.on_table()))

    def on_table(self) -> list[int]:
        return [card for _, card in self.told.table]


def likeliest(values: list[int], free: list[int], count: int, points: int | None) -> tuple[int, ...] | None:
    """How many of each kind, by the number of ways to draw them; None where nothing fits."""

    @cache
    def best(kind: int, count: int, points: int | None) -> tuple[int, tuple[int, ...]]:
        """The number of ways, 0 where there are none."""
        if kind == len(values):
            return int(count == 0 and points in {0, None}), ()
        result: tuple[int, tuple[int, ...]] = 0, ()
        most = count if points is None else min(count, points // values[kind])
        for one in range(min(free[kind], most) + 1):
            ways, rest = best(kind + 1, count - one, None if points is None else points - one * values[kind])
            if ways and ways * comb(free[kind], one) > result[0]:
                result = ways * comb(free[kind], one), (one, *rest)
        return result

    ways, chosen = best(0, count, points)
    return chosen if ways else None
