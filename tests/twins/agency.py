"""A slow, obvious model of agency, written from the rule sheet and the rulings alone, to check the engine against."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

COLOURS = "MBGY"
POWERS = ("belton", "martha", "wxt", "jean", "moignons")


@dataclass(frozen=True)
class Deck:
    """Action cards in deck order, plan texts such as "4+blue_over_mauve", and the agents to choose from."""

    cards: tuple[str, ...]
    plans: tuple[str, ...]
    agents: tuple[str, ...]


def _colour(letter: str, highest: int) -> list[str]:
    return [f"{letter}{rank}" for rank in range(1, highest + 1)]


HOUSE = Deck(
    cards=(*_colour("M", 10), *_colour("B", 18), *_colour("G", 16), *_colour("Y", 16)),
    plans=(
        *("1", "1", "1+pass_left"),
        *("2", "2", "2", "2+low_wins"),
        *("3", "3", "3", "3+plain_mauve"),
        *("4", "4", "4", "4+blue_over_mauve"),
        *("5", "5", "5+follow_suit"),
        *("6", "6"),
    ),
    agents=POWERS,
)


@dataclass
class PileCard:
    """A card of the plan pile; `shuffled_in` and `place` say in which round's shuffle and where in it it lies."""

    card: str
    shuffled_in: int
    place: int
    place_seen: bool = False


@dataclass
class Trick:
    """A trick of a half, from the moment its playing order is fixed."""

    trick: int
    order: list[int]
    stake: str
    martha: bool
    jean: bool
    follow_suit: bool
    pass_left: bool
    given: list[str | None]
    cards: list[str] = field(default_factory=list)

    def all_have_given(self) -> bool:
        return None not in self.given


@dataclass
class Look:
    """Moignons' look: the hand of the target as it was."""

    trick: int
    looker: int
    target: int
    cards: list[str]


def is_power(card: str) -> bool:
    return card in POWERS


def value(plan: str) -> int:
    return int(plan.split("+", maxsplit=1)[0])


def accomplice(plan: str) -> str | None:
    return plan.split("+")[1] if "+" in plan else None


def rank(card: str) -> int:
    return int(card[1:])


def winning_place(cards: Sequence[str], effect: str | None) -> int:
    """Which of the cards of a trick, in the order played, takes it."""
    led = cards[0][0]
    # "blue beats mauve, mauve beats the led colour"; "mauve is an ordinary colour: it wins only if led"
    strongest_first = {"blue_over_mauve": ["B", "M", led], "plain_mauve": [led]}.get(effect or "", ["M", led])
    played = {card[0] for card in cards}
    colour = next(colour for colour in strongest_first if colour in played)
    ranks = [rank(card) for card in cards if card[0] == colour]
    # "the LOWEST card of the winning colour wins; mauve stays trump (the lowest mauve)"
    best = min(ranks) if effect == "low_wins" else max(ranks)
    return list(cards).index(f"{colour}{best}")


class Match:
    """A match in play. `layout` is the luck met so far, completed: with it and `moves` it can be played again."""

    def __init__(
        self,
        players: int,
        *,
        deck: Deck = HOUSE,
        powers: bool = True,
        accomplices: bool = True,
        medals: int = 2,
        agents: Sequence[str] | None = None,
        layout: dict[str, Any] | None = None,
        rng: random.Random | None = None,
    ) -> None:
        if not 2 <= players <= 5 or len(deck.cards) < 12 * players:
            raise ValueError("2 to 5 players, at least 12 cards a player")
        self.players = players
        self.deck = deck
        self.powers = powers
        self.accomplices = accomplices
        self.medals_to_win = medals
        self.agents_option = agents
        self.rng = rng or random.Random()
        layout = layout or {}
        self._rounds_laid_out: list[dict[str, Any]] = list(layout.get("rounds", []))

        # "First leader of a match: random"
        self.leader: int = layout.get("leader", self.rng.randrange(players))
        self.layout: dict[str, Any] = {"leader": self.leader, "rounds": []}
        self.agents: list[str] = []
        if powers and agents is not None:
            self.agents = list(agents)
        elif powers:
            # "who is who; else random without repetition; public"
            self.agents = list(layout.get("agents") or self.rng.sample(deck.agents, players))
            self.layout["agents"] = list(self.agents)
        if powers and (len(self.agents) != players or len(set(self.agents)) != players):
            raise ValueError("one agent for each seat, each once")

        self.moves: list[str] = []
        self.medals = [0] * players
        self.last_round: dict[str, Any] | None = None
        self.winners: list[int] = []
        self.pile: list[PileCard] = []
        self.halves: list[list[Trick]] = []
        self.looks: list[Look | None] = []
        self.round = 0
        plans = list(deck.plans) if accomplices else [str(value(plan)) for plan in deck.plans]
        self._new_round(to_shuffle=plans + self.agents)

    def _new_round(self, to_shuffle: list[str]) -> None:
        self.round += 1
        if len(self._rounds_laid_out) >= self.round:
            laid_out = self._rounds_laid_out[self.round - 1]
            hands = [list(hand) for hand in laid_out["hands"]]
            reserves = [list(reserve) for reserve in laid_out["reserves"]]
            shuffled = list(laid_out["pile"])
        else:
            cards = list(self.deck.cards)
            self.rng.shuffle(cards)
            # "first 6 cards in hand, the 6 remaining on the board"
            hands = [cards[12 * seat : 12 * seat + 6] for seat in range(self.players)]
            reserves = [cards[12 * seat + 6 : 12 * seat + 12] for seat in range(self.players)]
            shuffled = list(to_shuffle)
            self.rng.shuffle(shuffled)
        dealt = [card for twelve in zip(hands, reserves, strict=True) for six in twelve for card in six]
        if any(len(six) != 6 for six in hands + reserves) or len(hands) != self.players:
            raise ValueError("a layout has 6 cards in each hand and 6 in each reserve")
        if len(set(dealt)) != len(dealt) or not set(dealt) <= set(self.deck.cards):
            raise ValueError("a layout deals cards of the deck, each once")
        if sorted(shuffled) != sorted(to_shuffle):
            raise ValueError(f"the pile of round {self.round} must hold {sorted(to_shuffle)}")
        self.hands = [self._in_deck_order(hand) for hand in hands]
        self.reserves = [self._in_deck_order(reserve) for reserve in reserves]
        self.layout["rounds"].append(
            {"hands": [list(h) for h in self.hands], "reserves": [list(r) for r in self.reserves], "pile": shuffled}
        )
        # The shuffled cards go UNDER what is left of the pile, which keeps its order.
        self.pile += [PileCard(card, self.round, place) for place, card in enumerate(shuffled)]

        self.plans_won: list[list[str]] = [[] for _ in range(self.players)]
        self.powers_used: list[str] = []
        self.greens = [0] * self.players
        self.yellows = [0] * self.players
        self.trick_winners: list[int] = []
        self.seen: list[str] = []
        self._begin_trick(1)

    def _points(self) -> list[int]:
        # "In a game of 2 or 3 players 8 points; of 4 or 5 players 5 points"; every tied player gets it; no floor.
        bonus = 8 if self.players <= 3 else 5
        points = []
        for seat in range(self.players):
            total = sum(value(plan) for plan in self.plans_won[seat])
            if self.greens[seat] == min(self.greens):
                total += bonus
            if self.yellows[seat] == max(self.yellows):
                total -= bonus
            points.append(total)
        return points

    def _end_round(self) -> None:
        points = self._points()
        best = [seat for seat in range(self.players) if points[seat] == max(points)]
        self.last_round = {"points": points, "winners": best}
        for seat in best:
            self.medals[seat] += 1
        self.winners = [seat for seat in range(self.players) if self.medals[seat] >= self.medals_to_win]
        if self.winners:
            self.phase = "over"
            self.to_move: list[int] = []
            self.table: list[tuple[int, str]] = []
            self.order: list[int] = []
            self.martha = self.jean = False
            self.last: int | None = None
            self._see_top()
            return
        # "among tied winners the one who won the latest trick; if none of them won any, the first of them clockwise
        # from the last trick's winner"
        their_tricks = [winner for winner in self.trick_winners if winner in best]
        clockwise = [(self.trick_winners[-1] + step) % self.players for step in range(1, self.players + 1)]
        self.leader = their_tricks[-1] if their_tricks else next(seat for seat in clockwise if seat in best)
        self._new_round(to_shuffle=[plan for won in self.plans_won for plan in won] + self.powers_used)

    def _begin_trick(self, trick: int) -> None:
        self.trick = trick
        self.table = []
        self.order = []
        self.last = None
        self.martha = self.jean = False
        if trick in (1, 7):
            self.halves.append([])
            self.looks.append(None)
        self._powers_then_fix_order()

    def _see_top(self) -> None:
        if self.pile:
            self.pile[0].place_seen = True

    def _powers_then_fix_order(self) -> None:
        """Execute the powers on top, in the order drawn, as far as nobody has to choose; then fix stake and order."""
        self._see_top()
        while is_power(self.pile[0].card):
            power = self.pile[0].card
            owner = self.agents.index(power)
            if power in ("belton", "moignons"):
                # Executed while the card still covers the pile: the next one is not seen yet.
                self.phase = "lead" if power == "belton" else "look"
                self.to_move = [owner]
                return
            if power == "martha":
                self.martha = True
            if power == "jean":
                self.jean = True
            if power == "wxt":
                # "plays last this trick; if he was to lead, the next seat leads"
                self.last = owner
                if self.leader == owner:
                    self.leader = (owner + 1) % self.players
            self._lay_power_aside()
        self.order = [(self.leader + step) % self.players for step in range(self.players)]
        if self.last is not None:
            self.order.remove(self.last)
            self.order.append(self.last)
        effect = accomplice(self.pile[0].card)
        self.half.append(
            Trick(
                trick=self.trick,
                order=list(self.order),
                stake=self.pile[0].card,
                martha=self.martha,
                jean=self.jean,
                follow_suit=effect == "follow_suit",
                pass_left=effect == "pass_left",
                given=[None] * self.players,
            )
        )
        if effect == "pass_left":
            self.phase = "pass"
            self.to_move = list(range(self.players))
        else:
            self.phase = "play"
            self.to_move = [self.order[0]]

    def _lay_power_aside(self) -> None:
        self.powers_used.append(self.pile.pop(0).card)
        self._see_top()

    def _end_trick(self) -> None:
        cards = [card for _, card in self.table]
        stake = self.pile[0].card
        winner = self.table[winning_place(cards, accomplice(stake))][0]
        self.trick_winners.append(winner)
        # "if he wins this trick, its green and yellow cards count for nobody"
        if not (self.jean and self.agents[winner] == "jean"):
            self.greens[winner] += sum(card[0] == "G" for card in cards)
            self.yellows[winner] += sum(card[0] == "Y" for card in cards)
        self.plans_won[winner].append(self.pile.pop(0).card)
        if self.martha and self.agents[winner] == "martha":
            # "Martha's extra plan is the lowest PLAN of the pile. Power cards below it stay, and have now been seen."
            lowest = max(place for place, lying in enumerate(self.pile) if not is_power(lying.card))
            self.plans_won[winner].append(self.pile.pop(lowest).card)
            for below in self.pile[lowest:]:
                below.place_seen = True
        self.leader = winner
        if self.trick == 12:
            self._end_round()
            return
        if self.trick == 6:
            self.hands = self.reserves
            self.reserves = [[] for _ in range(self.players)]
        self._begin_trick(self.trick + 1)

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    @property
    def seat(self) -> int:
        """The seat asked next in the fixed order."""
        return self.to_move[0]

    @property
    def half(self) -> list[Trick]:
        return self.halves[-1]

    def legal_moves(self, seat: int | None = None) -> list[str]:
        if self.is_over:
            return []
        if seat is None:
            seat = self.seat
        if seat not in self.to_move:
            return []
        if self.phase == "lead":
            # "may choose himself, or who leads already"
            return [f"lead:{who}" for who in range(self.players)]
        if self.phase == "look":
            return [f"look:{who}" for who in range(self.players) if who != seat]
        if self.phase == "pass":
            return [f"pass:{card}" for card in self.hands[seat]]
        hand = self.hands[seat]
        if self.half[-1].follow_suit and self.table:
            # "a player holding the led colour (mauve too) in hand must play it; otherwise anything"
            led = self.table[0][1][0]
            return [card for card in hand if card[0] == led] or list(hand)
        return list(hand)

    def play(self, move: str) -> None:
        """Play a move of the next seat in the fixed order; ValueError when illegal, and nothing has changed."""
        if move not in self.legal_moves():
            raise ValueError(f"illegal move {move}; legal: {', '.join(self.legal_moves())}")
        seat = self.seat
        self.moves.append(move)
        if self.phase == "lead":
            self.leader = int(move.split(":")[1])
            if self.last == self.leader:
                # "WXT then Belton naming WXT: WXT leads and is not skipped"
                self.last = None
            self._lay_power_aside()
            self._powers_then_fix_order()
        elif self.phase == "look":
            target = int(move.split(":")[1])
            self.looks[-1] = Look(self.trick, seat, target, list(self.hands[target]))
            self._lay_power_aside()
            self._powers_then_fix_order()
        elif self.phase == "pass":
            self.half[-1].given[seat] = move.split(":")[1]
            self.to_move = self.to_move[1:]
            if not self.to_move:
                self._exchange(self.half[-1].given)
                self.phase = "play"
                self.to_move = [self.order[0]]
        else:
            self.hands[seat].remove(move)
            self.table.append((seat, move))
            self.half[-1].cards.append(move)
            self.seen.append(move)
            if len(self.table) == self.players:
                self._end_trick()
            else:
                self.to_move = [self.order[len(self.table)]]

    def _exchange(self, given: list[str | None]) -> None:
        """ "Hands change when all have given": each card goes to the seat on the left (seat + 1)."""
        for seat, card in enumerate(given):
            assert card is not None
            self.hands[seat].remove(card)
            self.hands[(seat + 1) % self.players].append(card)
        self.hands = [self._in_deck_order(hand) for hand in self.hands]

    def utilities(self) -> list[float]:
        return [1 / len(self.winners) if seat in self.winners else 0.0 for seat in range(self.players)]

    def _in_deck_order(self, cards: Sequence[str]) -> list[str]:
        return [card for card in self.deck.cards if card in cards]

    def view(self, seat: int | None) -> dict[str, Any]:
        """What the seat may see, or a spectator (None), as JSON."""
        fixed = self.phase in ("pass", "play")
        look = self.looks[-1]
        return {
            "seat": seat,
            "ply": len(self.moves),
            "round": self.round,
            "trick": self.trick,
            "phase": self.phase,
            "to_move": list(self.to_move),
            "agents": list(self.agents),
            "medals": list(self.medals),
            "leader": self.leader,
            "last": self.last,
            "order": list(self.order),
            "martha": self.martha,
            "jean": self.jean,
            "stake": self.pile[0].card if fixed else None,
            "pile": [lying.card if lying.place_seen else "?" for lying in self.pile],
            "segments": self._segments(),
            "points": self._points(),
            "plan_points": [sum(value(plan) for plan in won) for won in self.plans_won],
            "bonus": [points - sum(map(value, won)) for points, won in zip(self._points(), self.plans_won, strict=True)],
            "greens": list(self.greens),
            "yellows": list(self.yellows),
            "tricks": [self.trick_winners.count(who) for who in range(self.players)],
            "latest": [
                max((trick for trick, winner in enumerate(self.trick_winners, 1) if winner == who), default=0)
                for who in range(self.players)
            ],
            "table": [[who, card] for who, card in self.table],
            "seen": self._in_deck_order(self.seen),
            "half": [self._trick_as_seen(trick, seat) for trick in self.half],
            "look": look
            and {
                "trick": look.trick,
                "looker": look.looker,
                "target": look.target,
                "cards": list(look.cards) if seat == look.looker else None,
            },
            "hand": None if seat is None else list(self.hands[seat]),
            "hand_counts": [len(hand) for hand in self.hands],
            "reserve": len(self.reserves[0]),
            "last_round": self.last_round
            and {"points": list(self.last_round["points"]), "winners": list(self.last_round["winners"])},
            "winners": list(self.winners),
        }

    def _segments(self) -> list[dict[str, Any]]:
        left_over = [lying for lying in self.pile if lying.shuffled_in < self.round]
        shuffled_under = [lying for lying in self.pile if lying.shuffled_in == self.round]
        return [
            {"size": len(segment), "unseen": sorted(lying.card for lying in segment if not lying.place_seen)}
            for segment in (left_over, shuffled_under)
            if segment
        ]

    def _trick_as_seen(self, trick: Trick, seat: int | None) -> dict[str, Any]:
        return {
            "trick": trick.trick,
            "order": list(trick.order),
            "cards": list(trick.cards),
            "stake": trick.stake,
            "martha": trick.martha,
            "jean": trick.jean,
            "follow_suit": trick.follow_suit,
            "pass_left": trick.pass_left,
            "gave": None if seat is None else trick.given[seat],
            "received": None if seat is None or not trick.all_have_given() else trick.given[seat - 1],
        }

    def truth(self) -> dict[str, Any]:
        """The host's view: everything."""
        return self.view(None) | {
            "pile": [lying.card for lying in self.pile],
            "hands": [list(hand) for hand in self.hands],
            "reserves": [list(reserve) for reserve in self.reserves],
            "given": [list(trick.given) for trick in self.half],
        }
