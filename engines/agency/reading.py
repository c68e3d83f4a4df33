"""Reading views of agency: the JSON of docs/agency.md checked field by field, for a person may have typed it in."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from machiavel.engines.agency import _engine
from machiavel.engines.agency.codec import (
    BETWEEN,
    HALF,
    HIDDEN,
    LEAD,
    LOOK,
    NO_CARD,
    NOBODY,
    OVER,
    PASS,
    PHASES,
    PLAY,
    TRICKS,
    view_json,
)
from machiavel.engines.agency.completing import completed
from machiavel.engines.agency.deck import ACCOMPLICES, AGENTS, FIRST_POWER
from machiavel.engines.agency.halves import SEATS, HalfReader
from machiavel.engines.errors import BadView
from machiavel.engines.plugin import Rules
from machiavel.engines.reading import checked_number

__all__ = ["view_bytes"]

PILE_SIZE, KINDS = 32, 32
GREEN, YELLOW = 2, 3
PASS_LEFT = ACCOMPLICES.index("pass_left")


def view_bytes(rules: Rules, data: Mapping[str, Any]) -> bytes:
    """The view of a JSON object; docs/agency.md says what may be left out."""
    return Reader(rules, data).view()


def in_order(field: str, value: Any) -> Any:
    """Cards may be listed in any order; already checked."""
    if field in {"hand", "seen"} and value is not None:
        return sorted(value)
    if field == "segments":
        return [segment | {"unseen": sorted(segment["unseen"])} for segment in value]
    if field == "look" and value is not None and value["cards"] is not None:
        return value | {"cards": sorted(value["cards"])}
    return value


class Reader(HalfReader):
    """One view being read: each step takes its fields, checks them against those before, and fills in the engine's."""

    def view(self) -> bytes:
        self.knows_gone = "segments" in self.data or "gone" in self.data
        self.data = completed(self.rules, self.data)
        self.read_place()
        self.read_match()
        self.read_pile()
        self.read_trick()
        self.read_half()
        self.read_scores()
        self.read_seat()
        self.check_ply()
        view = bytes(_engine.view_bytes(self.fields))
        self.compare(view)
        return view

    # ---- The chapters of a view ----

    def read_place(self) -> None:
        """Where in the match: seat, ply, round, trick, phase."""
        seat = self.seat_or_none("seat")
        self.fields["seat"] = -1 if seat is None else seat
        self.table["round"] = self.number("round", 1, self.rules.players * (self.rules.tables.medals - 1) + 1) - 1
        if self.data["phase"] not in PHASES[:BETWEEN]:
            raise BadView("phase", f"is {self.data['phase']!r}; expected one of {', '.join(PHASES[:BETWEEN])}")
        self.phase = PHASES.index(self.data["phase"])
        self.table["phase"] = self.phase
        trick = self.number("trick", 1, TRICKS)
        self.done = trick if self.phase == OVER else trick - 1
        if self.phase == OVER and trick != TRICKS:
            raise BadView("trick", f"is {trick}; when the match is over it stays {TRICKS}")
        self.table["trick"] = self.done
        self.half_start = HALF if self.done >= HALF else 0

    def read_match(self) -> None:
        """Agents, medals and the round before."""
        tables = self.rules.tables
        agents = self.items("agents", self.data["agents"], self.rules.players if tables.powers else 0)
        for seat, agent in enumerate(agents):
            if agent not in AGENTS or AGENTS.index(agent) not in self.deck.agents or agents.count(agent) > 1:
                raise BadView("agents", f"hold {agent!r}; expected different agents of the deck")
            self.table["agents"][seat] = AGENTS.index(agent)
        if tables.agents is not None and [AGENTS.index(agent) for agent in agents] != list(tables.agents) and tables.powers:
            raise BadView("agents", "are not those of the option `agents`")
        most = tables.medals if self.phase == OVER else tables.medals - 1
        self.table["medals"] = self.per_seat("medals", 0, most)
        if self.phase == OVER and tables.medals not in self.table["medals"]:
            raise BadView("medals", f"are {self.data['medals']}; a match is over when somebody has {tables.medals}")
        rounds = self.table["round"] + (self.phase == OVER)
        if sum(self.table["medals"]) < rounds or max(self.table["medals"]) > rounds:
            raise BadView(
                "medals",
                f"are {self.data['medals']}; {rounds} finished rounds bring at least one each, and each seat at most one",
            )
        self.read_last_round(rounds)

    def read_last_round(self, rounds: int) -> None:
        last = self.data["last_round"]
        if last is not None and rounds == 0:
            raise BadView("last_round", f"is told, but round is {self.table['round'] + 1}: none has been finished")
        if last is None:  # forgotten, or there is none
            return
        if not isinstance(last, Mapping) or set(last) != {"points", "winners"}:
            raise BadView("last_round", "expected an object with points and winners")
        points = self.items("last_round.points", last["points"], self.rules.players)
        bonus = 8 if self.rules.players <= 3 else 5
        most = sum(value * count for (value, _), count in zip(self.deck.kinds, self.deck.counts, strict=True)) + bonus
        for seat, value in enumerate(points):
            self.table["last_points"][seat] = checked_number("last_round.points", value, -bonus, most)
        winners = self.seats("last_round.winners", last["winners"])
        if sorted(winners) != [seat for seat, value in enumerate(points) if value == max(points)]:
            raise BadView("last_round.winners", "expected the seats with the most points")
        self.table["last_winners"] = sum(1 << seat for seat in winners)

    def read_pile(self) -> None:
        """The pile, what is known of it, and how much has been taken from it."""
        pile = self.items("pile", self.data["pile"])
        plan_count = sum(self.deck.counts)
        powers = self.rules.players if self.rules.tables.powers else 0
        if len(pile) > plan_count + powers:
            raise BadView("pile", f"has {len(pile)} cards; the match has {plan_count + powers}")
        shown = [HIDDEN if item == "?" else self.kind("pile", item) for item in pile]
        if shown and shown[0] == HIDDEN:
            raise BadView("pile", "hides its top card, which everybody sees")
        upper, unseen = self.read_segments(shown)
        left = Counter(kind for kind in shown if kind != HIDDEN) + unseen[0] + unseen[1]
        allowed = dict(enumerate(self.deck.counts)) | {FIRST_POWER + agent: 1 for agent in self.table["agents"][:powers]}
        for kind, count in left.items():
            if count > allowed.get(kind, 0):
                raise BadView("pile", f"holds {self.deck.kind_texts[kind]!r} {count} times; the match has {allowed.get(kind, 0)}")
        self.left = left
        powers_left = sum(count for kind, count in left.items() if kind >= FIRST_POWER)
        expected = plan_count - self.done
        if not expected - 1 <= len(pile) - powers_left <= expected:
            raise BadView(
                "pile",
                f"holds {len(pile) - powers_left} plans; after {self.done} tricks {expected} are left, or one fewer",
            )
        top = self.done + powers - powers_left
        self.table["pile_top"] = top
        self.table["pile_end"] = top + len(pile)
        self.table["pile_split"] = top + upper if upper else 0
        self.table["pile_shown"] = [0] * top + shown + [0] * (PILE_SIZE - top - len(shown))
        self.table["pile_unseen"] = [[counts[kind] for kind in range(KINDS)] for counts in unseen]

    def read_segments(self, shown: list[int]) -> tuple[int, tuple[Counter[int], Counter[int]]]:
        """The size of the upper part, 0 when it is used up, and the unseen cards of both."""
        segments = self.items("segments", self.data["segments"])
        if len(segments) > 2 or (len(segments) == 2 and self.table["round"] == 0):
            raise BadView("segments", f"are {len(segments)}; there are two at most, in the first round one")
        at = 0
        counters = []
        for number, segment in enumerate(segments):
            field = f"segments[{number}]"
            if not isinstance(segment, Mapping) or set(segment) != {"size", "unseen"}:
                raise BadView(field, "expected an object with size and unseen")
            size = checked_number(f"{field}.size", segment["size"], 1, PILE_SIZE)
            unseen = Counter(self.kind(f"{field}.unseen", item) for item in self.items(f"{field}.unseen", segment["unseen"]))
            if unseen.total() != shown[at : at + size].count(HIDDEN):
                raise BadView(
                    f"{field}.unseen",
                    f"holds {unseen.total()} cards; the pile hides {shown[at : at + size].count(HIDDEN)} there",
                )
            at += size
            counters.append(unseen)
        if at != len(shown):
            raise BadView("segments", f"have {at} cards; the pile has {len(shown)}")
        if len(segments) == 2:
            return segments[0]["size"], (counters[0], counters[1])
        return 0, (Counter(), counters[0] if counters else Counter())

    def read_trick(self) -> None:
        """Who leads, who is asked for what, and the powers at work."""
        players = self.rules.players
        self.table["leader"] = self.number("leader", 0, players - 1)
        last = self.seat_or_none("last")
        self.table["last"] = NOBODY if last is None else last
        if last is not None and (self.data["agents"][last : last + 1] != ["wxt"] or last == self.table["leader"]):
            raise BadView("last", f"is {last}; expected the seat of wxt when another one leads, or null")
        for power in ("martha", "jean"):
            self.table[power] = NOBODY
            if self.flag(power, self.data[power]):
                if not self.is_drawn(power) or self.phase == OVER:
                    raise BadView(power, f"is true, but no trick is on for which {power} came up")
                self.table[power] = self.data["agents"].index(power)
        top = self.table["pile_shown"][self.table["pile_top"]] if self.data["pile"] else NO_CARD
        to_move = self.seats("to_move", self.data["to_move"])
        self.table["stake"] = NO_CARD
        self.table["mover"] = to_move[0] if to_move else NOBODY
        if self.phase in {LEAD, LOOK}:
            agent = "belton" if self.phase == LEAD else "moignons"
            if top != FIRST_POWER + AGENTS.index(agent):
                raise BadView("phase", f"is {self.data['phase']}, but the top of the pile is not {agent}")
            if to_move != [self.data["agents"].index(agent)]:
                raise BadView("to_move", f"is {to_move}; expected the seat of {agent}")
        elif self.phase in {PASS, PLAY}:
            self.read_stake(top)
        elif to_move:
            raise BadView("to_move", "expected nobody, for the match is over")
        if self.phase not in {PASS, PLAY} and (self.data["order"] or self.data["stake"] is not None or self.data["table"]):
            raise BadView("order", f"in phase {self.data['phase']} there are neither order nor stake nor cards on the table")

    def read_stake(self, top: int) -> None:
        if top >= FIRST_POWER or self.data["stake"] != self.deck.kind_texts.get(top):
            raise BadView("stake", f"is {self.data['stake']!r}; expected the plan on top of the pile")
        self.table["stake"] = top
        self.table["accomplice"] = self.deck.kinds[top][1]
        if self.phase == PASS and ACCOMPLICES[self.table["accomplice"]] != "pass_left":
            raise BadView("phase", "is pass, but the accomplice at work is another one")
        expected = [(self.table["leader"] + i) % self.rules.players for i in range(self.rules.players)]
        if self.table["last"] != NOBODY:
            expected.remove(self.table["last"])
            expected.append(self.table["last"])
        if self.data["order"] != expected:
            raise BadView("order", f"is {self.data['order']}; leader and last make it {expected}")
        self.table["order"] = expected + [0] * (SEATS - len(expected))
        self.read_table(expected)
        if self.phase == PASS:
            given = [seat for seat in expected if seat not in self.data["to_move"]]
            if sorted(given) != list(range(len(given))) or len(given) == len(expected):
                raise BadView("to_move", f"is {self.data['to_move']}; cards are passed in the order of the seats")
            self.table["given"] = sum(1 << seat for seat in given)
            self.table["mover"] = len(given)
        elif self.data["to_move"] != [expected[self.table["played"]]]:
            raise BadView("to_move", f"is {self.data['to_move']}; expected seat {expected[self.table['played']]}")

    def read_table(self, order: list[int]) -> None:
        """The cards on the table, and who has the trick so far."""
        played = self.items("table", self.data["table"])
        if len(played) >= len(order) or (played and self.phase == PASS):
            raise BadView(
                "table",
                f"holds {len(played)} cards; expected at most {len(order) - 1}, and none while cards are passed",
            )
        self.on_table: list[int] = []
        for i, entry in enumerate(played):
            if not isinstance(entry, list) or len(entry) != 2 or entry[0] != order[i]:
                raise BadView(f"table[{i}]", f"is {entry!r}; expected [{order[i]}, card]")
            self.on_table.append(self.card(f"table[{i}]", entry[1]))
        self.table["played"] = len(played)
        self.table["cards"] = self.on_table + [0] * (SEATS - len(played))
        best, strength, led = _engine.trick_so_far(self.rules.capsule, self.table["accomplice"], self.on_table)
        self.table["led"] = led
        self.table["best"] = order[best] if played else 0
        self.table["strength"] = strength
        colours = [self.deck.cards[card][0] for card in self.on_table]
        self.table["tally"] = colours.count(GREEN) + 256 * colours.count(YELLOW)

    def read_scores(self) -> None:
        """What has been taken this round."""
        self.table["plan_points"] = self.per_seat("plan_points", 0, 9999)
        self.table["greens"] = self.per_seat("greens", 0, 64)
        self.table["yellows"] = self.per_seat("yellows", 0, 64)
        self.table["tricks"] = self.per_seat("tricks", 0, TRICKS)
        self.table["latest"] = self.per_seat("latest", 0, self.done)
        if sum(self.table["tricks"]) != self.done:
            raise BadView("tricks", f"are {self.data['tricks']}; {self.done} tricks have been played")
        won = [(tricks > 0, latest >= tricks) for tricks, latest in zip(self.table["tricks"], self.table["latest"], strict=True)]
        latest = [number for number in self.table["latest"] if number]
        if len(set(latest)) < len(latest) or any(
            (number > 0) != some or not fits for number, (some, fits) in zip(self.table["latest"], won, strict=True)
        ):
            raise BadView(
                "latest",
                f"are {self.data['latest']}; expected the number of the latest trick of each who won one, else 0",
            )
        values = [self.deck.kinds[kind][0] * (count - self.left[kind]) for kind, count in enumerate(self.deck.counts)]
        if sum(self.table["plan_points"]) != sum(values):
            raise BadView(
                "plan_points",
                f"sum up to {sum(self.table['plan_points'])}; the plans gone from the pile to {sum(values)}",
            )

    def read_seat(self) -> None:
        """The cards: seen by all, and in this seat's hand."""
        players = self.rules.players
        expected = self.done * players + self.table["played"]
        seen = self.cards("seen", self.data["seen"])
        if seen.bit_count() > expected:
            raise BadView(
                "seen", f"are {seen.bit_count()} cards, but by trick {self.data['trick']} with its table {expected} were played"
            )
        for card in self.on_table if self.phase == PLAY else ():
            if not seen >> card & 1:
                raise BadView("seen", f"lacks {self.deck.card_texts[card]}, which lies on the table")
        forgotten = expected - seen.bit_count()
        half = 0
        for card in self.half_cards:
            if half >> card & 1 or not seen >> card & 1:
                raise BadView("half", f"{self.deck.card_texts[card]} was played twice, or is missing in seen")
            half |= 1 << card
        self.table["seen"] = seen
        for name, colour in (("greens", GREEN), ("yellows", YELLOW)):
            closed = seen & ~sum(1 << card for card in self.table["cards"][: self.table["played"]])
            gone = sum(1 for card, (kind, _) in enumerate(self.deck.cards) if closed >> card & 1 and kind == colour)
            aside = self.is_drawn("jean")  # he may have kept some from counting
            if not gone <= sum(self.table[name]) + gone * aside or sum(self.table[name]) > gone + forgotten:
                raise BadView(name, f"sum up to {sum(self.table[name])}; of seen, {gone} have been played in finished tricks")
            for seat, tricks in enumerate(self.table["tricks"]):
                if self.table["plan_points"][seat] and not tricks:
                    raise BadView("plan_points", f"are {self.data['plan_points']}; seat {seat} has won no trick")
                if self.table[name][seat] > tricks * players:
                    raise BadView(name, f"are {self.data[name]}; seat {seat} has won {tricks} tricks of {players} cards")
        counts = self.per_seat("hand_counts", 0, HALF)
        if self.fields["seat"] < 0:
            if self.data["hand"] is not None:
                raise BadView("hand", "expected null for a spectator")
        else:
            hand = self.cards("hand", self.data["hand"], counts[self.fields["seat"]])
            self.check_hand(hand, seen)
            self.fields["hand"] = hand

    def check_hand(self, hand: int, seen: int) -> None:
        """What is in the hand is nowhere else."""
        for number, text in enumerate(self.deck.card_texts):
            if not (hand & seen) >> number & 1:
                continue
            if self.phase == PLAY and number in self.on_table:
                raise BadView("hand", f"holds {text}, and {text} lies on the table")
            raise BadView("hand", f"holds {text}, and {text} is among the cards seen: it has been played")

    def check_ply(self) -> None:
        """As many moves as cards were played and passed and choices made; of what is long past there are bounds."""
        players, rounds = self.rules.players, self.table["round"]
        passes = sum(count for (_, kind), count in zip(self.deck.kinds, self.deck.counts, strict=True) if kind == PASS_LEFT)
        gone = sum(
            count - self.left[number]
            for number, ((_, kind), count) in enumerate(zip(self.deck.kinds, self.deck.counts, strict=True))
            if kind == PASS_LEFT
        )
        # The present stake still lies on the pile.
        exchanges = self.table["half_accomplice"].count(PASS_LEFT) - (self.table["accomplice"] == PASS_LEFT)
        given = self.table["given"].bit_count() if self.phase == PASS else 0
        played = self.done * players + self.table["played"]
        known = played + self.is_drawn("belton") + self.is_drawn("moignons")
        known += players * self.table["half_passes"] + given + rounds * TRICKS * players
        earlier = gone - exchanges if self.half_start else 0  # one of them Martha may have taken from below
        choosers = ("belton" in self.data["agents"]) + ("moignons" in self.data["agents"])
        least = known + players * max(0, earlier - 1) * (not self.forgotten)
        most = known + players * (gone if self.forgotten else earlier) + rounds * (choosers + players * min(passes, TRICKS))
        self.table["ply"] = self.number("ply", 0, 65535) if "ply" in self.data else least
        if not self.knows_gone:  # it is our guess that may be wrong
            self.table["ply"] = min(max(self.table["ply"], least), most)
            self.data = {**self.data, "ply": self.table["ply"]}
        if not least <= self.table["ply"] <= most:
            expected = str(least) if least == most else f"{least} to {most}"
            raise BadView("ply", f"is {self.table['ply']}; what has been played makes it {expected}")

    def compare(self, view: bytes) -> None:
        """What follows from the rest must say the same."""
        again = view_json(self.rules, view)
        for field, value in self.data.items():
            if in_order(field, again[field]) != in_order(field, self.completed(field, value, again)):
                raise BadView(field, f"is {value!r}; the rest of the view makes it {again[field]!r}")

    def completed(self, field: str, value: Any, again: Mapping[str, Any]) -> Any:
        """With what may be left out of the tricks of the half."""
        return [told | entry for told, entry in zip(again["half"], value, strict=True)] if field == "half" else value
