"""The cards, moves, views and layouts of whist, and what contradicts what in a view."""

from collections.abc import Mapping
from typing import Any

from machiavel.engines import fields
from machiavel.engines.fields import ItemSet, Kind, ListOf, Number, PerSeat, SeatNumber
from machiavel.engines.hidden_places import UNDEALT, HiddenField, by_owner, left_over
from machiavel.engines.layouts import Laid, LaidHands, LayoutSchema
from machiavel.engines.looks import ThingLook
from machiavel.engines.moves import MoveKind, MovePart, MoveSchema
from machiavel.engines.phrases import load_phrases
from machiavel.engines.plugin import Rules
from machiavel.engines.views import FOLLOWS, FORGOTTEN, Field, ViewReader, ViewSchema, clockwise, have_room
from machiavel.engines.whist import _engine

__all__ = ["CARD", "CARDS", "HIDDEN", "LAYOUTS", "MOVES", "PHRASES", "ROUNDS", "SUIT", "SUITS", "TRUTHS", "VIEWS", "Reader"]

ROUNDS, NOBODY, NO_SUIT, LUCK_TRUMP, LUCK_HANDS = 7, 255, 4, 0, 1  # the engine's numbers
SUIT_BITS = 0x1FFF  # the cards of a suit
SUITS, RANKS = "CDHS", "23456789TJQKA"
CARDS: Mapping[int, str] = {16 * suit + rank: SUITS[suit] + RANKS[rank] for suit in range(4) for rank in range(13)}
PHRASES = load_phrases(__package__ or "")
CARD = Kind.fixed("card", CARDS, lambda _: PHRASES.wording("problems.a_card"), SUITS, ThingLook("card"))
SUIT = Kind.fixed("suit", SUITS, suits=SUITS)
PLAY, TRUMP = fields.PairOf(SeatNumber(), fields.Item(CARD)), fields.Choice(SUITS, suits_of=CARD)


def derived(rules: Rules, struct: Mapping[str, Any]) -> Mapping[str, Any]:
    table, seats = struct["table"], range(rules.players)
    is_over, contenders = table["mover"] == NOBODY, [seat for seat in seats if table["contenders"] >> seat & 1]
    played = [] if is_over else clockwise(contenders, table["leader"])[: len(contenders) - table["to_come"]]
    past = [] if is_over else table["past"][: ROUNDS - table["round"] - table["held"]]
    is_told = all(leader != NOBODY for leader, *_ in past)
    return {
        "trick": ROUNDS - table["round"] - max(table["held"], 1) + 1,
        "to_move": [] if is_over else [table["mover"]],
        "table": [[seat, table["cards"][seat]] for seat in played],
        "past": [[[seat, cards[seat]] for seat in clockwise(contenders, leader)] for leader, *cards in past] if is_told else None,
        "hand_counts": [table["held"] - (seat in played) if seat in contenders else 0 for seat in seats],
        "winners": contenders if is_over else [],
    }


VIEWS = ViewSchema(
    Field("seat", SeatNumber(none=-1), "seat"),
    Field("ply", Number(), "table.ply", FORGOTTEN),
    Field("round", Number(1, ROUNDS, plus=1), "table.round", zone="place"),
    Field("trick", Number(1, ROUNDS), zone="place"),
    Field("trump", TRUMP, "table.trump", zone="place"),
    Field("contenders", fields.SeatSet(), "table.contenders"),
    Field("to_move", fields.Seats(), left_out=FOLLOWS),
    Field("leader", SeatNumber(), "table.leader", zone="seat"),
    Field("table", ListOf(PLAY), zone="table"),
    Field("past", fields.Nullable(ListOf(ListOf(PLAY, is_numbered=False))), left_out=FORGOTTEN),
    Field("tricks", PerSeat(Number(0, ROUNDS)), "table.tricks", zone="score"),
    Field("seen", ItemSet(CARD), "table.seen", FORGOTTEN),
    Field("voids", PerSeat(ItemSet(SUIT), packed=4), "table.voids", FORGOTTEN),
    Field("hand", ItemSet(CARD), "hand", own=True, zone="hand"),
    Field("hand_counts", PerSeat(Number(0, ROUNDS)), left_out=FOLLOWS, zone="score", counts="hand"),
    Field("winners", fields.Seats(), left_out=FOLLOWS),
    derived=derived,
)
TRUTHS = ViewSchema(Field("hands", PerSeat(ItemSet(CARD)), "hands"))
HIDDEN = (HiddenField("hands", PerSeat(ItemSet(CARD)), "hands", by_owner), left_over(UNDEALT, CARD, "hands", "table.seen"))
HANDS = LaidHands(PerSeat(fields.Items(CARD)), LUCK_HANDS, size=lambda number: ROUNDS - number)
ROUND = {"trump": Laid(TRUMP, LUCK_TRUMP), "hands": HANDS}
LAYOUTS = LayoutSchema(rounds=ListOf(fields.RecordOf(ROUND, optional=ROUND), longest=ROUNDS))
MOVES = MoveSchema(
    MoveKind("{card}", 0, [MovePart("card", CARD)]),
    # A ten as 10, and a card by its rank alone.
    shorter=lambda _, text: [text.replace("T", "10"), text[1], text[1].replace("T", "10")],
)


class Reader(ViewReader):
    """A round is played again from its beginning on where somebody remembers it, else from this trick on."""

    schema, native, phrases = VIEWS, _engine, PHRASES
    chapters = ("place", "tricks", "played", "cards", "voids")

    def place(self) -> None:
        """Where in the match, and who is still in."""
        told = self.told
        self.dealt = ROUNDS + 1 - told.round
        self.number("trick", told.trick, 1, self.dealt)
        self.trump, seats = told.trump, told.contenders
        self.expect(bool(seats) and seats == sorted(seats), "contenders", "contenders", seats=seats)
        self.is_over = len(seats) == 1
        self.plies = _engine.plies_before(self.players, told.round - 1 + self.is_over, len(seats))
        self.expect(self.plies, "contenders", "contenders_in_round", seats=seats, round=told.round)
        self.expect(told.leader in seats, "leader", "leader_is_out", leader=told.leader)
        self.expect(told.round * told.trick > 1 or not told.leader, "leader", "first_leader", leader=told.leader)

    def tricks(self) -> None:
        """What has been taken this round."""
        told = self.told
        self.done = self.dealt if self.is_over else told.trick - 1
        self.held = self.dealt - self.done
        for seat, count in enumerate(told.tricks):
            self.number(f"tricks[{seat}]", count, 0, self.done if seat in told.contenders else 0)
        self.expect(sum(told.tricks) == self.done, "tricks", "tricks", tricks=told.tricks, count=self.done)
        self.expect(not self.done or told.tricks[told.leader], "leader", "leader_without_trick", leader=told.leader)
        self.expect(not self.is_over or told.trick == self.dealt, "trick", "trick_when_over", trick=told.trick, last=self.dealt)

    def played(self) -> None:
        """The round, or this trick of it, played again: each card by the seat whose turn it was."""
        told, seats = self.told, len(self.told.contenders)
        self.expect(len(told.table) < seats, "table", "too_many_on_table", count=len(told.table), most=seats - 1)
        past = self.items("past", told.past or [], self.done if self.held and told.past is not None else 0)
        first = 0 if told.round == 1 else past[0][0][0] if past and past[0] else told.leader
        table = {"contenders": sum(1 << seat for seat in told.contenders), "contender_count": seats, "to_come": seats}
        table |= {"trump": self.trump, "round": told.round - 1, "led": NO_SUIT, "held": self.dealt, "mover": first}
        self.state = _engine.state_fields(_engine.empty_state())
        self.state["table"] |= table
        self.shown = 0
        for i, trick in enumerate(past):
            self.items(f"past[{i}]", trick, seats)
            for seat, card in trick:
                self.play(f"past[{i}]", seat, card, [other for _, other in told.table])
        now = self.state["table"]
        won = now["tricks"][: self.players]
        is_so = not past or (now["mover"] == told.leader and won == told.tricks)
        self.expect(is_so, "past", "past_tricks", won=won, leader=now["mover"])
        now |= {"tricks": told.tricks + now["tricks"][self.players :], "leader": told.leader, "mover": told.leader}
        now |= {"held": self.held, "safe": sum(1 << seat for seat, count in enumerate(told.tricks) if count)}
        for row in now["past"][: self.done] if self.held and told.past is None else ():
            row[0] = NOBODY
        for i, (seat, card) in enumerate(told.table):
            self.play(f"table[{i}]", seat, card, [])

    def play(self, name: str, seat: int, card: int, later: list[int]) -> None:
        table = self.state["table"]
        self.expect(seat == table["mover"], name, "turn", entry=[seat, CARDS[card]], seat=table["mover"])
        self.expect(not self.shown >> card & 1 and card not in later, name, "played_twice", card=CARDS[card])
        self.expect(not table["voids"] >> 4 * seat + (card >> 4) & 1, "past", "void_was_played", seat=seat)
        self.state = _engine.played(self.rules.capsule, self.state, [card])
        self.shown |= 1 << card

    def cards(self) -> None:
        """How many moves there were, the cards seen, and the hand."""
        told, on_table = self.told, dict(self.told.table)
        now = 0 if self.is_over else self.done * len(told.contenders) + len(on_table)  # moves of this round
        self.ply = min(self.plies) + now if told.ply is None else told.ply
        self.expect(self.ply - now in self.plies, "ply", "ply", ply=self.ply, round=told.round)
        self.seen = self.shown if told.seen is None else told.seen
        self.expect(not self.shown & ~self.seen, "seen", "seen_lacks")
        self.expect(self.seen.bit_count() <= now, "seen", "seen_too_many", count=self.seen.bit_count(), most=now)
        sizes = [self.held - (seat in on_table) if seat in told.contenders else 0 for seat in range(self.players)]
        if told.seat is not None:
            self.items("hand", [CARDS[card] for card in CARDS if told.hand >> card & 1], sizes[told.seat])
            self.expect(not told.hand & self.seen, "hand", "hand_was_played")
        self.sizes = [0 if seat == told.seat else size for seat, size in enumerate(sizes)]  # of the hands one does not see

    def voids(self) -> None:
        """Suits that seats have shown not to have, this round."""
        told, on_table, hand = self.told, dict(self.told.table), self.told.hand or 0
        shown = [self.state["table"]["voids"] >> 4 * seat & 15 for seat in range(self.players)]
        self.banned = shown if told.voids is None else told.voids
        for seat, suits in enumerate(self.banned):
            name, named = f"voids[{seat}]", [SUITS[suit] for suit in range(4) if suits >> suit & 1]
            followed = self.done + (seat in on_table) if self.held and seat in told.contenders else 0
            self.expect(len(named) <= followed, name, "too_many_voids", suits=named, count=followed)
            for suit, letter in enumerate(SUITS):
                is_lacking, is_named = shown[seat] & ~suits & 1 << suit, letter in named
                self.expect(not is_lacking, name, "void_is_missing", suit=PHRASES.wording(f"suits.{letter}"))
                self.expect(not is_named or on_table.get(seat, -1) >> 4 != suit, name, "void_on_table")
                self.expect(not (is_named and seat == told.seat and hand & SUIT_BITS << 16 * suit), name, "void_in_hand")
        room = [13 - ((self.seen | hand) >> 16 * suit & SUIT_BITS).bit_count() for suit in range(4)]
        self.expect(have_room(room, zip(self.banned, self.sizes, strict=True)), "voids", "no_room")

    def struct(self) -> Mapping[str, Any]:
        voids = sum(suits << 4 * seat for seat, suits in enumerate(self.banned))
        table = self.state["table"] | {"ply": self.ply, "seen": self.seen, "voids": voids}
        return {"table": table | ({"mover": NOBODY, "to_come": 0} if self.is_over else {})}
