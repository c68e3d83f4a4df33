"""What a person leaves out of a view of agency: derived where the rest tells it, else as nothing speaks against it.

docs/agency.md says field by field which is which. What was told is never changed; whether it can be is checked by reading.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from machiavel.engines.agency import _engine
from machiavel.engines.agency.codec import HALF, TRICKS, view_json
from machiavel.engines.agency.deck import AGENTS, AgencyDeck
from machiavel.engines.agency.plausible import plans_gone
from machiavel.engines.agency.scoring import SCORES, told_scores
from machiavel.engines.agency.shapes import Told
from machiavel.engines.errors import BadView
from machiavel.engines.plugin import Rules

__all__ = ["completed"]

CHOOSERS = {"belton": "lead", "moignons": "look"}
KEPT = {"seat", "hand", "leader", "stake", "last_round", "look", "last"}  # where null is a word, too


def completed(rules: Rules, data: Mapping[str, Any]) -> dict[str, Any]:
    """The view with every field; raises BadView for one that can neither be left out nor derived."""
    known = {*view_json(rules, _engine.empty_view()), "gone"}
    for field in map(str, data):
        if field not in known:
            raise BadView(field, f"is unknown; fields: {', '.join(sorted(known))}")
    told = Told(data, rules.players)
    if told.misshapen is not None:
        return told
    for field in ("seat", "hand"):
        if field not in told and not (field == "hand" and told["seat"] is None):
            raise BadView(field, "is missing")
    return Completing(rules, told).all()


class Completing:
    """A view being completed, chapter by chapter; all that was told has its shape."""

    def __init__(self, rules: Rules, told: Told) -> None:
        self.rules = rules
        self.deck: AgencyDeck = rules.tables.deck
        self.players = rules.players
        self.view: dict[str, Any] = {name: value for name, value in told.items() if value is not None or name in KEPT}
        self.half_told: list[dict[str, Any]] = [dict(entry) for entry in self.view.get("half", ())]

    def all(self) -> dict[str, Any]:
        for field, value in (("table", []), ("martha", False), ("jean", False)):
            self.default(field, value)
        for field in ("hand", "last", "look", "last_round"):
            self.default(field, None)
        self.default("agents", self.agents)
        self.match()
        self.place()
        self.pile()
        self.order()
        self.half()
        self.scores()
        self.counts()
        self.view.pop("gone", None)
        return self.view

    def default(self, field: str, value: Any) -> None:
        """A field that was not told: a value, or what a function finds."""
        if field not in self.view:
            self.view[field] = value() if isinstance(value, Callable) else value  # type: ignore[arg-type]

    # ---- Where in the match ----

    def agents(self) -> list[str]:
        tables = self.rules.tables
        if not tables.powers:
            return []
        if tables.agents is None:
            raise BadView("agents", "are missing; expected the agent of each seat, here or as the option `agents`")
        return [AGENTS[agent] for agent in tables.agents]

    def match(self) -> None:
        is_over = self.view.get("phase") == "over"
        if "medals" not in self.view:
            if self.view.get("round", 1) != 1 or is_over:
                raise BadView("medals", "are missing; a round has been finished, so somebody has some")
            self.view["medals"] = [0] * self.players
        self.default("round", max(1, sum(self.view["medals"]) + (not is_over)))

    def place(self) -> None:
        """Phase and trick."""
        self.top: str | None = (self.view.get("pile") or [self.view.get("stake")])[0]
        if "phase" not in self.view:
            if self.top is None:
                raise BadView("stake", "is missing; expected the plan on top of the pile, or `pile`, what lies on top first")
            self.view["phase"] = CHOOSERS.get(self.top) or ("pass" if self.is_passing() else "play")
        self.is_fixed = self.view["phase"] in {"pass", "play"}
        self.default("trick", self.trick)
        self.done = self.view["trick"] - (self.view["phase"] != "over")

    def is_passing(self) -> bool:
        """Whether the stake asks for a card to be passed, and nobody has said what came of it."""
        received = any(entry.get("received") for entry in self.half_told[-1:])
        return str(self.top).endswith("+pass_left") and not self.view["table"] and not received

    def trick(self) -> int:
        if self.view["phase"] == "over":
            return TRICKS
        if "tricks" in self.view:
            return min(TRICKS, 1 + int(sum(self.view["tricks"])))
        if "latest" in self.view:
            return min(TRICKS, 1 + int(max(self.view["latest"])))
        if self.half_told and "trick" in self.half_told[-1]:
            return min(TRICKS, int(self.half_told[-1]["trick"]) + (not self.is_fixed))
        if self.view.get("reserve") in {0, HALF} and self.view["hand"]:
            begun = len(self.view["hand"]) + any(seat == self.view["seat"] for seat, _ in self.view["table"])
            return max(1, (1 if self.view["reserve"] else 1 + HALF) + HALF - begun)
        raise BadView("trick", f"is missing; expected the number of this trick, 1 to {TRICKS}")

    # ---- The pile (R3) ----

    def pile(self) -> None:
        self.default("stake", self.top if self.is_fixed else None)
        if "segments" in self.view:
            size = sum(segment.get("size", 0) for segment in self.view["segments"])
            self.default("pile", [self.top or "?", *["?"] * (size - 1)] if size else [])
            return
        if "pile" not in self.view and self.view["phase"] != "over" and self.top is None:
            raise BadView("pile", "is missing; expected what lies on top of it, at least")
        pile = self.view.get("pile", [] if self.top is None else [self.top])
        shown = Counter(card for card in pile if card != "?")
        left = self.every_card() - self.gone(shown) - shown
        if "?" not in pile:
            pile = [*pile, *["?"] * left.total()]
        if pile.count("?") != left.total():
            raise BadView("pile", f"hides {pile.count('?')} cards, but without those seen and gone {left.total()} are left")
        self.view["pile"] = pile
        self.view["segments"] = [{"size": len(pile), "unseen": sorted(left.elements())}] if pile else []

    def every_card(self) -> Counter[str]:
        counts = Counter({self.deck.kind_texts[kind]: count for kind, count in enumerate(self.deck.counts) if count})
        counts.update(self.view["agents"])
        return counts

    def gone(self, shown: Counter[str]) -> Counter[str]:
        """What has left the pile in this round."""
        every = self.every_card()
        for field, cards in (("pile", shown), ("gone", Counter(self.view.get("gone", ())))):
            for card in cards:
                if card not in every:
                    raise BadView(field, f"holds {card!r}; expected some of {', '.join(sorted(every))}")
        if "gone" not in self.view:
            return self.thought_gone(shown)
        counts = Counter(self.view["gone"])
        plans = sum(count for card, count in counts.items() if card not in AGENTS)
        if plans not in {self.done, self.done + ("martha" in counts)}:
            raise BadView("gone", f"names {plans} plans, but trick is {self.view['trick']}, with {self.done} tricks finished")
        for card in counts:
            if counts[card] + shown[card] > every[card]:
                raise BadView(
                    "gone", f"holds {card!r} {counts[card]} times, and pile {shown[card]} times; the match has {every[card]}"
                )
        return counts

    def thought_gone(self, shown: Counter[str]) -> Counter[str]:
        """Powers that are known to have come up, and those plans that, taken together, are the likeliest to have."""
        view = self.view
        drawn = {power for power in ("martha", "jean") if view[power] or any(entry.get(power) for entry in self.half_told)}
        drawn |= {"wxt"} if view["last"] is not None else set()
        drawn |= {"moignons"} if view["look"] is not None else set()
        drawn |= {"jean"} if self.lacks_colours() else set()
        past = [entry for entry in self.half_told if entry.get("trick") != self.done + 1]
        stakes = Counter(entry["stake"] for entry in past if entry.get("stake"))
        points = sum(view["plan_points"]) if "plan_points" in view else None
        result = plans_gone(self.deck, stakes, shown, count=self.done, points=points, may_be_more="martha" in view["agents"])
        result.update(agent for agent in view["agents"] if agent in drawn and agent not in shown)
        return result

    def lacks_colours(self) -> bool:
        """Whether more green or yellow cards were seen in finished tricks than all have: Jean kept some from counting (R6.4)."""
        on_table = {card for _, card in self.view["table"]}
        closed = [card[:1] for card in self.view.get("seen", ()) if card not in on_table]
        colours = (("greens", "G"), ("yellows", "Y"))
        return any(field in self.view and closed.count(colour) > sum(self.view[field]) for field, colour in colours)

    # ---- The order of this trick (R4.1) ----

    def order(self) -> None:
        if self.view.get("leader") is None:
            self.view["leader"] = self.leader()
        if not self.is_fixed:
            self.default("order", [])
            agents = {phase: agent for agent, phase in CHOOSERS.items()}
            agent = agents.get(self.view["phase"])
            self.default("to_move", [self.view["agents"].index(agent)] if agent in self.view["agents"] else [])
            return
        seats = [(self.view["leader"] + i) % self.players for i in range(self.players)]
        last = self.view["last"]
        self.default("order", seats if last is None else [*(seat for seat in seats if seat != last), last])
        self.default("to_move", self.asked)

    def leader(self) -> int:
        """Who leads this trick, from whatever tells it."""
        view = self.view
        first = [seat for seat, _ in view["table"][:1]] + view.get("order", [])[:1]
        if view["phase"] == "play":
            first += view.get("to_move", [])[:1]
            first += [] if view["seat"] is None else [view["seat"]]  # asked, with nothing on the table
        if first:
            return int(first[0])
        scores = told_scores(self.rules, self.view["agents"], self.half_told, self.done) or {}
        latest = view.get("latest") or scores.get("latest") or [0]
        if max(latest):
            return int(latest.index(max(latest)))
        if "leader" in view:  # null: seat 0, if nothing says otherwise
            return 0
        raise BadView("leader", "is missing; expected the seat that leads this trick, or else won the last one")

    def asked(self) -> list[int]:
        if self.view["phase"] == "play":
            return list(self.view["order"][len(self.view["table"]) :][:1])
        seat, entries = self.view["seat"], self.half_told[-1:]
        given = seat + 1 if seat is not None and any(entry.get("gave") for entry in entries) else 0
        return list(range(given, self.players))

    # ---- The half, and what was taken ----

    def half(self) -> None:
        now = self.done + 1
        if self.is_fixed and not any(entry.get("trick") == now for entry in self.half_told):
            if self.view["phase"] == "play" and str(self.top).endswith("+pass_left") and self.view["seat"] is not None:
                raise BadView("half", f"lacks trick {now}, in which cards were passed; expected what you gave and received")
            self.half_told.append({"trick": now})
        self.view["half"] = [self.entry(entry, is_now=self.is_fixed and entry.get("trick") == now) for entry in self.half_told]

    def entry(self, told: dict[str, Any], *, is_now: bool) -> dict[str, Any]:
        """A trick of the half; the present one follows from the rest of the view."""
        if is_now:
            present = {"order": self.view["order"], "cards": [card for _, card in self.view["table"]]}
            told = present | {name: self.view[name] for name in ("stake", "martha", "jean")} | told
        accomplice = (told.get("stake") or "").partition("+")[2]
        powers = {"martha": False, "jean": False} if told.get("stake") else {}
        return (
            {"follow_suit": accomplice == "follow_suit", "pass_left": accomplice == "pass_left"}
            | powers
            | {
                "gave": None,
                "received": None,
            }
            | told
        )

    def scores(self) -> None:
        """What was taken this round: nothing at first, what the tricks told come to, or else what must be told."""
        result = told_scores(self.rules, self.view["agents"], self.view["half"], self.done) or {}
        for field in (*SCORES, "tricks", "latest"):
            if field in result:
                self.default(field, result[field])
        for field in SCORES:
            if field not in self.view:
                raise BadView(field, f"are missing; expected what each seat has, for trick is {self.view['trick']}")
        self.default("tricks", self.thought_tricks)
        self.default("latest", self.thought_latest)

    def thought_tricks(self) -> list[int]:
        """As few as explain what each seat has; the others are the leader's."""
        points, greens, yellows = (self.view[field] for field in SCORES)
        result = [max(-(-(greens[seat] + yellows[seat]) // self.players), int(points[seat] > 0)) for seat in range(self.players)]
        if sum(result) > self.done:
            problem = f"is {self.view['trick']}, but plan_points, greens and yellows show that {sum(result)} tricks have been won"
            raise BadView("trick", problem)
        result[self.view["leader"]] += self.done - sum(result)
        return result

    def thought_latest(self) -> list[int]:
        """Who leads won the last trick; of the others, who has more tricks won one later."""
        tricks, leader = self.view["tricks"], self.view["leader"]
        winners = sorted((seat for seat in range(self.players) if tricks[seat]), key=lambda seat: (seat != leader, -tricks[seat]))
        result = [0] * self.players
        for back, seat in enumerate(winners):
            result[seat] = max(0, self.done - back)
        return result

    def counts(self) -> None:
        """The cards seen, those in each hand, and how it ended."""
        told = {card for entry in self.view["half"] for card in entry.get("cards", ())}
        self.default("seen", [card for card in self.deck.card_texts if card in told])
        played = [seat for seat, _ in self.view["table"]]
        size = 0 if self.done == TRICKS else HALF - self.done % HALF
        self.default("hand_counts", [size - (seat in played) for seat in range(self.players)])
        self.default("reserve", HALF if self.done < HALF else 0)
        over, goal = self.view["phase"] == "over", self.rules.tables.medals
        self.default("winners", [seat for seat, count in enumerate(self.view["medals"]) if over and count == goal])
