"""What contradicts what in a view of agency."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from machiavel.engines.agency import _engine
from machiavel.engines.agency.completing import CHOOSERS, COLOURS_TAKEN, CompletingReader
from machiavel.engines.agency.deck import AGENTS, FIRST_POWER, HALF, HIDDEN, TRICKS
from machiavel.engines.agency.schema import NONE, Agent, Phase

__all__ = ["Reader"]

# What the tricks of the half make of the engine's table, played again.
REPLAYED = (
    *("order", "played", "cards", "stake", "accomplice", "led", "best", "strength", "tally"),
    *("half_voids", "half_order", "half_cards", "half_accomplice", "half_stake"),
)


class Reader(CompletingReader):
    """Each chapter checks its fields against those before, and finds what the engine's View holds of them."""

    chapters = ("place", "match", "last_round", "pile", "trick", "stake", "half", "look", "scores", "cards", "hand", "ply")

    def place(self) -> None:
        """Where in the match: trick, phase, and who is who."""
        told, given = self.told, self.rules.tables.agents
        self.is_spectator, self.rounds = told.seat is None, told.round - (told.phase != Phase.OVER)  # finished
        self.is_guess = not {"segments", "gone"} & set(self.data)  # what is left of the pile
        is_last = told.phase != Phase.OVER or told.trick == TRICKS
        self.expect(is_last, "trick", "trick_when_over", trick=told.trick, last=TRICKS)
        self.start = HALF if told.done >= HALF else 0  # of the half
        agents = [AGENTS[agent] for agent in told.agents]
        self.tell(len(set(agents)) == len(agents), "agents", "agents_twice", agents=agents)
        self.tell(given in (None, told.agents), "agents", "agents_of_option")

    def match(self) -> None:
        medals, goal, is_over = self.told.medals, self.rules.tables.medals, self.told.phase == Phase.OVER
        self.tell_by_seat("medals", medals, goal - 1 + is_over)
        self.tell(not is_over or goal in medals, "medals", "medals_when_over", medals=medals, goal=goal)
        self.tell(max(medals) <= self.rounds <= sum(medals), "medals", "medals_of_rounds", medals=medals, rounds=self.rounds)

    def last_round(self) -> None:
        last = self.told.last_round or {"points": [], "winners": []}
        self.last_points, best = last["points"], max(last["points"], default=0)
        self.last_winners = [seat for seat, value in enumerate(self.last_points) if value == best]
        self.tell(self.rounds or not self.last_points, "last_round", "no_round_finished", round=self.told.round)
        self.tell(sorted(last["winners"]) == self.last_winners, "last_round.winners", "last_winners")

    def pile(self) -> None:
        """The pile, what is known of it, and how much has been taken from it."""
        told, deck, every = self.told, self.rules.tables.deck, self.every_card()
        self.expect(len(told.pile) <= every.total(), "pile", "pile_too_long", count=len(told.pile), most=every.total())
        self.expect(told.pile[:1] != [HIDDEN], "pile", "pile_hides_top")
        left, end = Counter(kind for kind in told.pile if kind != HIDDEN), 0
        self.expect(len(told.segments) <= min(2, told.round), "segments", "segments", count=len(told.segments))
        for number, segment in enumerate(told.segments):
            count, places = len(segment["unseen"]), told.pile[end : end + segment["size"]]
            name = f"segments[{number}].unseen"
            self.expect(count == places.count(HIDDEN), name, "unseen", count=count, hidden=places.count(HIDDEN))
            left.update(segment["unseen"])
            end += segment["size"]
        self.expect(end == len(told.pile), "segments", "segment_sizes", count=end, size=len(told.pile))
        for kind, count in left.items():
            if count > every[kind]:
                self.refuse("pile", "pile_holds", card=repr(deck.kind_texts[kind]), count=count, most=every[kind])
        powers = sum(count for kind, count in left.items() if kind >= FIRST_POWER)
        plans, expected = end - powers, sum(deck.counts) - told.done
        self.expect(plans in {expected - 1, expected}, "pile", "plans_left", count=plans, done=told.done, expected=expected)
        self.left, self.gone = left, told.done + len(told.agents) - powers  # cards of the pile

    def is_drawn(self, agent: int) -> bool:
        """Whether that agent's power has come up in this round."""
        return agent in self.told.agents and FIRST_POWER + agent not in self.left

    def trick(self) -> None:
        """Who leads, who chooses, and the powers at work."""
        told, phase = self.told, Phase.NAMES[self.told.phase]
        is_wxt = told.last is None or ([told.last] == self.seats_of(Agent.WXT) and told.last != told.leader)
        self.expect(is_wxt, "last", "last", last=told.last)
        for name, agent in Agent.AT_WORK.items():
            is_up = self.is_drawn(agent) and told.phase != Phase.OVER
            self.tell(is_up or not getattr(told, name), name, "power_not_up", power=name)
        if told.phase in CHOOSERS:
            agent = CHOOSERS[told.phase]
            self.expect(told.top == FIRST_POWER + agent, "phase", "top_is_another", phase=phase, agent=AGENTS[agent])
            self.expect(told.to_move == self.seats_of(agent), "to_move", "chooser", seats=told.to_move, agent=AGENTS[agent])
        self.expect(told.phase != Phase.OVER or not told.to_move, "to_move", "nobody_to_move")
        is_open = told.order or told.stake is not None or told.table
        self.expect(told.is_fixed or not is_open, "order", "nothing_open", phase=phase)

    def stake(self) -> None:
        """The plan, who plays when, and the cards on the table."""
        told, deck, played = self.told, self.rules.tables.deck, len(self.told.table)
        if not told.is_fixed:
            return
        is_top = told.stake == told.top and told.stake in range(FIRST_POWER)
        self.expect(is_top, "stake", "stake", stake=repr(deck.kind_texts.get(told.stake)))
        self.expect(told.phase == Phase.PLAY or self.asks(told.stake)[1], "phase", "nothing_to_pass")
        self.expect(told.order in (None, told.seating), "order", "order", order=told.order, expected=told.seating)
        is_full = played >= self.players or (played and told.phase == Phase.PASS)
        self.expect(not is_full, "table", "too_many_on_table", count=played, most=self.players - 1)
        for i, (seat, card) in enumerate(told.table):
            entry = [seat, deck.card_texts[card]]
            self.expect(seat == told.seating[i], f"table[{i}]", "table_order", entry=entry, seat=told.seating[i])
        given, expected = self.given(), told.seating[played : played + 1]
        if told.phase == Phase.PASS:
            is_so = given == list(range(len(given))) and len(given) < self.players
            self.expect(is_so, "to_move", "to_pass", seats=told.to_move)
        else:
            self.expect(told.to_move == expected, "to_move", "to_play", seats=told.to_move, seat=expected[0])

    def given(self) -> list[int]:
        """Seats that have passed a card in this trick."""
        return [seat for seat in range(self.players) if self.told.phase == Phase.PASS and seat not in self.told.to_move]

    def half(self) -> None:
        """The present half told again: orders, cards, stakes, passes."""
        told, deck, entries = self.told, self.rules.tables.deck, self.told.entries
        count = told.done - self.start + told.is_fixed
        place = {"trick": told.trick, "phase": Phase.NAMES[told.phase]}
        self.expect(len(entries) <= count, "half", "half_too_long", count=len(entries), expected=count, **place)
        self.forgotten, self.passes = count - len(entries), 0  # tricks, from the beginning on; exchanges
        entries = [self.past_trick(number, entry) for number, entry in enumerate(entries)]
        self.passed = {part: [NONE if one[part] is None else one[part] for one in entries] for part in ("gave", "received")}
        self.past = [entry for entry in entries if entry["trick"] <= told.done]
        for kind, times in Counter(entry["stake"] for entry in self.past if entry["stake"] is not None).items():
            gone = deck.counts[kind] - self.left[kind]
            self.expect(times <= gone, "half", "stakes_gone", stake=deck.kind_texts[kind], times=times, gone=gone)
        for name in Agent.AT_WORK:
            self.expect(sum(bool(entry[name]) for entry in entries) < 2, "half", "twice_at_work", power=name)
        self.again = _engine.told_again(self.rules.capsule, self.start, self.forgotten, entries, told.agents)["table"]

    def past_trick(self, number: int, entry: dict[str, Any]) -> dict[str, Any]:
        """The entry as it is; the present one with what the rest of the view says."""
        told, name, expected = self.told, f"half[{number}]", self.start + self.forgotten + number + 1
        is_now, needed = told.is_fixed and expected == told.done + 1, ("trick", "order", "cards")
        self.expect(all(part in entry for part in needed), name, "past_trick", fields=", ".join(needed))
        self.expect(entry["trick"] == expected, f"{name}.trick", "past_number", trick=entry["trick"], expected=expected)
        order, cards = entry["order"], entry["cards"]
        self.expect(len(order) == self.players, f"{name}.order", "past_order", order=order, players=self.players)
        self.expect(not is_now or (order, cards) == (told.seating, self.on_table()), name, "not_as_on_table")
        self.expect(is_now or len(cards) == self.players, f"{name}.cards", "past_cards", count=len(cards), players=self.players)
        asks = follow, passing = entry["follow_suit"], entry["pass_left"]
        self.expect(not (follow and passing), name, "two_accomplices")
        real = entry | {part: getattr(told, part) for part in ("stake", *Agent.AT_WORK)} if is_now else entry
        stake, fits = real["stake"], asks == self.asks(real["stake"])
        self.expect(fits or not is_now, name, "not_as_staked")
        is_exchanged = passing and not (is_now and told.phase == Phase.PASS)
        self.passes += is_exchanged
        has_given = not self.is_spectator and passing and (is_exchanged or told.seat in self.given())
        for part, is_known in (("gave", has_given), ("received", not self.is_spectator and is_exchanged)):
            self.expect((entry[part] is not None) == is_known, f"{name}.{part}", "a_card_known" if is_known else "no_card_known")
        if not is_now and [real[part] for part in ("stake", *Agent.AT_WORK)] != [None] * 3:
            self.expect(stake is not None, f"{name}.stake", "stake_unknown")
            self.expect(fits, f"{name}.stake", "other_stake", stake=self.rules.tables.deck.kind_texts[stake])
            for power, agent in Agent.AT_WORK.items():
                self.expect(real[power] is not None, f"{name}.{power}", "power_unknown")
                self.expect(self.is_drawn(agent) or not real[power], f"{name}.{power}", "power_in_pile", power=power)
        return real

    def look(self) -> None:
        told, look = self.told, self.told.look
        self.look_trick = NONE
        if look is None:
            is_missing = self.start == 0 and self.is_drawn(Agent.MOIGNONS) and not self.forgotten
            self.expect(not is_missing, "look", "look_missing")
            return
        last = max(told.done + told.is_fixed + (told.phase in CHOOSERS), self.start + 1)
        trick, cards = self.number("look.trick", look["trick"], self.start + 1, last), look["cards"]
        first = self.start + self.forgotten + 1
        self.expect(cards is None or trick >= first, "look.trick", "look_forgotten", trick=trick, first=first)
        is_his = [look["looker"]] == self.seats_of(Agent.MOIGNONS) and look["looker"] != look["target"]
        self.expect(is_his, "look", "looker")
        self.expect(self.is_drawn(Agent.MOIGNONS), "look", "look_not_yet")
        self.expect((cards is not None) == (look["looker"] == told.seat), "look.cards", "look_cards")
        self.look_trick = trick - 1 - self.start
        if cards is not None:
            self.items("look.cards", self.json_of("hand", cards), HALF - self.look_trick)

    def scores(self) -> None:
        """What has been taken this round."""
        told, deck = self.told, self.rules.tables.deck
        self.tell_by_seat("latest", told.latest, told.done)
        self.tell(sum(told.tricks) == told.done, "tricks", "tricks", tricks=told.tricks, done=told.done)
        winners = [(number, tricks) for number, tricks in zip(told.latest, told.tricks, strict=True) if number or tricks]
        fits = all(number >= tricks > 0 for number, tricks in winners) and len(dict(winners)) == len(winners)
        self.tell(fits, "latest", "latest", latest=told.latest)
        gone = deck.worth({kind: count - self.left[kind] for kind, count in enumerate(deck.counts)})
        self.tell(sum(told.plan_points) == gone, "plan_points", "plan_points", points=sum(told.plan_points), gone=gone)

    def cards(self) -> None:
        """The cards seen by all, and what has been taken of them."""
        told, deck, seen = self.told, self.rules.tables.deck, self.told.seen
        played, on_table = told.done * self.players + len(told.table), self.on_table()
        forgotten = played - seen.bit_count()
        self.tell(forgotten >= 0, "seen", "seen_too_many", count=seen.bit_count(), trick=told.trick, played=played)
        lacking = next((deck.card_texts[card] for card in on_table if not seen >> card & 1), None)
        self.tell(lacking is None, "seen", "seen_lacks", card=lacking)
        half = [card for entry in told.entries for card in entry.get("cards", ())]
        wrong = next((deck.card_texts[card] for card in half if half.count(card) > 1 or not seen >> card & 1), None)
        self.tell(lacking or wrong is None, "half", "played_twice", card=wrong)
        closed, is_aside = seen & ~sum(1 << card for card in set(on_table)), self.is_drawn(Agent.JEAN)
        for name, colour in COLOURS_TAKEN.items():
            scores, gone = getattr(told, name), (closed & deck.colours[colour]).bit_count()
            # Jean may have kept some from counting.
            fits = (gone <= sum(scores) or is_aside) and sum(scores) <= gone + max(0, forgotten)
            self.tell(fits, name, "colours_taken", taken=sum(scores), gone=gone)
            for seat, tricks in enumerate(told.tricks):
                if scores[seat] > tricks * self.players:
                    self.tell(False, name, "too_many_taken", scores=scores, seat=seat, tricks=tricks, players=self.players)
        for seat, points in enumerate(told.plan_points):
            if points and not told.tricks[seat]:
                self.tell(False, "plan_points", "points_without_trick", points=told.plan_points, seat=seat)

    def hand(self) -> None:
        """So many cards, and each nowhere else."""
        told, on_table = self.told, dict(self.told.table)
        size = 0 if told.done == TRICKS else HALF - told.done % HALF - (told.seat in on_table)
        if not self.is_spectator:
            self.items("hand", self.json_of("hand", told.hand), size)
            twice = self.json_of("hand", told.hand & told.seen)[:1]
            is_there = any(twice == [self.rules.tables.deck.card_texts[card]] for card in on_table.values())
            self.tell(not twice, "hand", "hand_on_table" if is_there else "hand_was_played", card="".join(twice))

    def ply(self) -> None:
        """As many moves as cards were played and passed and choices made; of what is long past there are bounds."""
        told, deck, players, rounds = self.told, self.rules.tables.deck, self.players, self.told.round - 1
        passing = [kind for kind in range(len(deck.kinds)) if self.asks(kind)[1]]
        passes, left = (sum(of[kind] for kind in passing) for of in (deck.counts, self.left))
        gone = passes - left
        choices = sum(self.is_drawn(agent) for agent in CHOOSERS.values())
        known = (told.done + rounds * TRICKS + self.passes) * players + len(told.table) + len(self.given()) + choices
        # One of them Martha may have taken from below.
        earlier = gone - sum(entry["pass_left"] for entry in self.past) if self.start else 0
        choosers = len(set(CHOOSERS.values()) & set(told.agents))
        least = known + players * max(0, earlier - 1) * (not self.forgotten)
        most = known + players * (gone if self.forgotten else earlier) + rounds * (choosers + players * min(passes, TRICKS))
        ply = least if told.ply is None else told.ply
        if self.is_guess:  # it is what we think gone that may be wrong
            ply = min(max(ply, least), most)
        self.expect(least <= ply <= most, "ply", "ply" if least == most else "ply_between", ply=ply, least=least, most=most)
        told.ply = ply

    def struct(self) -> Mapping[str, Any]:
        told, top = self.told, self.gone
        unseen = _engine.view_fields(_engine.empty_view())["table"]["pile_unseen"]
        for i, segment in enumerate(told.segments, 2 - len(told.segments)):
            for kind in segment["unseen"]:
                unseen[i][kind] += 1
        table = {name: self.again[name] for name in REPLAYED} | {"half_passes": self.passes, "trick": told.done}
        table |= {"mover": min(told.to_move, default=NONE), "given": sum(1 << seat for seat in self.given())}
        table |= {name: self.seats_of(agent)[0] if getattr(told, name) else NONE for name, agent in Agent.AT_WORK.items()}
        split = top + told.segments[0]["size"] if len(told.segments) == 2 else 0
        table |= {"pile_top": top, "pile_end": top + len(told.pile), "pile_split": split, "pile_unseen": unseen}
        table |= {"pile_shown": [0] * top + told.pile, "look_trick": self.look_trick, "last_points": self.last_points}
        table |= {"last_winners": sum(1 << seat for seat in self.last_winners)}
        look = told.look or {"looker": 0, "target": 0, "cards": None}
        table |= {"looker": look["looker"], "look_target": look["target"]}
        passed = {part: ([NONE] * self.forgotten + cards + [NONE] * HALF)[:HALF] for part, cards in self.passed.items()}
        return {"table": table, "look_cards": look["cards"] or 0, **passed}

    def compare(self, again: Mapping[str, Any]) -> None:
        """Of the half and of the pile less may have been told; what we thought gone is no reason to refuse a number of moves."""
        cut = {"half"} if "segments" in self.data else {"half", "pile"}
        less = {name: again[name][: len(self.data[name])] for name in cut & self.data.keys()}
        super().compare({**again, **less, **({"ply": self.data.get("ply")} if self.is_guess else {})})
