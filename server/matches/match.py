"""A match as its events tell it: what happened so far, and what may happen next. No clock, no disk, no network."""

import json
from dataclasses import dataclass, replace
from typing import Any

from machiavel.engines import MatchNotOver, MatchOver, NotToMove, Record, State, TakenBack
from machiavel.engines.position_labels import labels_here
from machiavel.server.matches.hosting_errors import (
    AlreadyAnswered,
    NotAllowed,
    NothingToTakeBack,
    NotStarted,
    SeatHeld,
    SeatTaken,
    StaleVersion,
    TooManyChanges,
)
from machiavel.server.matches.match_events import SPECTATOR, EventLog, ParsedEvent, Viewer, read
from machiavel.server.matches.match_setup import GREEDY, Player, Seat, Setup, seat_standing
from machiavel.server.matches.questions import PendingAnswer, PendingQuestion, Restart, decisions_of, questions
from machiavel.server.storage import Event, StoredMatch

__all__ = ["MOST_CHANGES", "OVER", "PLAYING", "SECOND", "WAITING", "Match", "RematchState"]

SECOND = 1_000_000_000  # in nanoseconds
WAITING, PLAYING, OVER = "waiting", "playing", "over"
MOST_CHANGES = 2000  # take-overs and take-backs, with the moves these undo; all else ends by itself


@dataclass(frozen=True)
class RematchState:
    """How a rematch stands: who has asked for it, and the match that it became."""

    asked: frozenset[int] = frozenset()  # seats
    rotate: int | None = None  # by how many seats everybody moves on; None: nobody has said so yet
    match: str = ""  # empty until it has begun


class Match:
    """A fold of events. What changes it is done to a copy, which takes its place once its new events are on disk."""

    def __init__(self, name: str, setup: Setup, state: State) -> None:
        self.name = name
        self.setup = setup
        self.state = state
        self.seats = list(setup.seats)
        self.phase = WAITING
        self.pending_answers: dict[int, PendingAnswer] = {}  # answers that wait for their turn, by seat
        self.pending_questions: dict[int, PendingQuestion] = {}
        self.questions: dict[int, State] = {}
        self.utilities: tuple[float, ...] = ()
        self.plies = 0
        self.taken_back: tuple[TakenBack, ...] = ()
        self.decided: dict[int, int] = {}  # the version of each seat right after it last answered, or took an answer back
        self.rematch = RematchState()
        self.successor: StoredMatch | None = None  # the rematch, until it is on disk
        self.changes = 0  # that count for MOST_CHANGES
        self.last_called: dict[str, str] | None = None  # the last move, where a game calls moves by their position
        self.events = EventLog()
        self.versions: dict[Viewer, int] = dict.fromkeys([SPECTATOR, *range(len(setup.seats))], 0)

    @classmethod
    def begin(cls, name: str, setup: Setup) -> "Match":
        """Before its first event; raises GameError where this release cannot play it."""
        return cls(name, setup, setup.deal())

    def copy(self) -> "Match":
        copy = Match(self.name, self.setup, self.state.copy())
        copy.seats, copy.phase, copy.plies, copy.utilities = list(self.seats), self.phase, self.plies, self.utilities
        copy.pending_answers, copy.pending_questions, copy.questions = (
            dict(self.pending_answers),
            dict(self.pending_questions),
            dict(self.questions),
        )
        copy.taken_back, copy.decided, copy.rematch = self.taken_back, dict(self.decided), self.rematch
        copy.changes, copy.last_called = self.changes, self.last_called
        copy.events, copy.versions = self.events.copy(), dict(self.versions)
        return copy

    # ---- What there is to know ----

    @property
    def open_seats(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.kind == "open"]

    def player(self, seat: int) -> Player | None:
        """The bot that plays the seat, None where a person does."""
        return self.seats[seat].player

    def due(self, seat: int, since: Restart) -> int | None:
        """By when the seat must answer, in nanoseconds since 1970; None: any time, or never. No time runs before `since`.

        A question from before is not looked at for its time: the clock may have been set since.
        """
        question, limit = self.pending_questions.get(seat), self.setup.settings.move_time
        if question is None or limit is None or seat in self.pending_answers or self.player(seat) is not None:
            return None
        return (since.time if question.timed_from <= since.seq else question.time) + int(limit * SECOND)

    @property
    def touched(self) -> int:
        """When something last happened that everybody is shown, in nanoseconds since 1970; 0: never."""
        shown = (event.time for event in reversed(self.events) if read(event).is_shown_to(SPECTATOR))
        return next(shown, 0)

    def standing(self) -> dict[str, Any]:
        """How it stands, as a list of matches shows it."""
        return {"seats": [seat_standing(seat) for seat in self.seats], "utilities": self.utilities}

    @property
    def before_last(self) -> State | None:
        """Where the game stood before its last move; None at its beginning."""
        return self.setup.replayed(self.state.moves[:-1]) if self.plies else None

    def record(self) -> Record:
        """What replays it, with what was taken back."""
        return replace(self.state.record(), taken_back=self.taken_back)

    def summary(self) -> str:
        """`standing` as it is stored; JSON."""
        return json.dumps(self.standing(), ensure_ascii=False)

    # ---- What may be done; each adds events ----

    def start(self, now: int) -> None:
        """Deals, once no seat is open."""
        if not self.open_seats:
            self.add(now, "begun")

    def join(self, seat: int | None, name: str, token: str, now: int) -> int:
        """Takes an open seat, the first one unless it is named, and begins with the last; raises SeatTaken."""
        if not self.open_seats or (seat is not None and seat not in self.open_seats):
            raise SeatTaken(seat if self.open_seats else None)
        seat = self.open_seats[0] if seat is None else seat
        self.add(now, "joined", seat=seat, name=name, token=token)
        self.start(now)
        return seat

    def answer(self, seat: int, text: str, now: int) -> str:
        """Plays a move for a seat, or keeps it until its turn; returns its canonical text.

        Raises what `check_asked` does, or MoveError.
        """
        self.check_asked(seat)
        position = self.questions[seat]
        move = position.game.plugin.move_text(position.rules, position.resolve(text, seat))
        if seat == self.state.seat_to_move:
            self.add(now, "move", seat=seat, move=move)
            self.settle(now)
        else:
            self.add(now, "answer", seat=seat, move=move)
        return move

    def settle(self, now: int) -> None:
        """Pending answers whose turn has come become moves; those that are not asked for any more lapse; the end is noted."""
        while True:
            for seat, answer in sorted(self.pending_answers.items()):
                if seat not in self.pending_questions or self.pending_questions[seat].seq != answer.seq:
                    self.add(now, "lapsed", seat=seat, move=answer.move)
            mover = self.state.seat_to_move
            if mover is None or mover not in self.pending_answers:
                break
            self.add(now, "move", seat=mover, move=self.pending_answers[mover].move)
        if self.state.is_over:
            self.add(now, "over", utilities=list(self.state.utilities))

    def give_up(self, now: int) -> None:
        """Ends a match whose game's own code went wrong, with equal shares; raises NotStarted or MatchOver."""
        self.check_playing()
        self.add(now, "over", utilities=[1 / len(self.seats)] * len(self.seats))

    def check_playing(self) -> None:
        """Raises NotStarted or MatchOver."""
        if self.phase == WAITING:
            raise NotStarted(self.open_seats)
        if self.phase == OVER:
            raise MatchOver

    def check_asked(self, seat: int) -> None:
        """Raises NotStarted, MatchOver, NotToMove or AlreadyAnswered."""
        self.check_playing()
        if seat not in self.pending_questions:
            raise NotToMove(seat, sorted(self.questions))
        if seat in self.pending_answers:
            raise AlreadyAnswered(seat)

    def check_person(self, seat: int) -> None:
        """Raises SeatHeld where a bot plays it."""
        held = self.seats[seat]
        if held.forfeited:
            raise SeatHeld(seat, "is forfeited, and a bot plays it to the end")
        if held.player is not None:
            raise SeatHeld(seat, "is played by a bot; expected it to be handed back first")

    def check_version(self, seat: int, expected: int) -> None:
        """Raises StaleVersion where the seat has been asked anew since, or never was at that version."""
        version = self.versions[seat]
        question = self.pending_questions.get(seat)
        if expected > version or (question is not None and expected < question.version):
            raise StaleVersion(expected, version)

    def check_decided(self, seat: int, expected: int) -> None:
        """Raises StaleVersion where the seat has decided, or taken a decision back, since that version."""
        if not self.decided.get(seat, 0) <= expected <= self.versions[seat]:
            raise StaleVersion(expected, self.versions[seat], "has decided anew")

    def check_setting(self, setting: str) -> None:
        """Raises NotAllowed."""
        if not getattr(self.setup.settings, setting):
            raise NotAllowed(setting)

    def check_changes(self) -> None:
        """Raises TooManyChanges."""
        if self.changes >= MOST_CHANGES:
            raise TooManyChanges(MOST_CHANGES, "the match has had {most} take-overs and take-backs; expected moves from now on")

    def take_over(self, seat: int, player: Player, now: int) -> None:
        """Lets a bot play for a person; raises MatchOver, SeatHeld or TooManyChanges."""
        held = self.held_by_person(seat)
        if held.forfeited:
            raise SeatHeld(seat, "is forfeited, and a bot plays it to the end")
        self.check_changes()
        self.add(now, "taken_over", seat=seat, bot=player.bot, spec=player.spec, think=player.think)

    def hand_back(self, seat: int, now: int) -> None:
        """Lets the person play again; raises MatchOver or SeatHeld."""
        if not self.held_by_person(seat).taken_over:
            raise SeatHeld(seat, "is not taken over by a bot; nothing is to be handed back")
        self.add(now, "handed_back", seat=seat)

    def forfeit(self, seat: int, why: str, now: int) -> None:
        """Gives a seat up; raises NotStarted, MatchOver or SeatHeld."""
        self.check_playing()
        if self.held_by_person(seat).forfeited:
            raise SeatHeld(seat, "is forfeited already")
        self.add(now, "forfeited", seat=seat, why=why)

    def take_back(self, seat: int, ply: int | None, now: int) -> TakenBack:
        """Takes back an answer that waits, or the seat's last decision and all moves since; returns what was undone.

        With a ply, the decision of that position. Raises NotStarted, MatchOver, SeatHeld, TooManyChanges or NothingToTakeBack.
        """
        self.check_playing()
        self.check_person(seat)
        self.check_changes()
        if seat in self.pending_answers and ply in {None, self.plies}:
            self.add(now, "answer_taken_back", seat=seat)
            return TakenBack(self.plies, ())
        plies = [one for one in decisions_of(self.setup.deal(), self.state.moves, seat) if ply in {None, one}]
        if not plies:
            raise NothingToTakeBack(seat, ply)
        ply = plies[-1]
        undone = TakenBack(ply, self.state.moves[ply:])
        self.add(now, "taken_back", seat=seat, ply=ply)
        return undone

    def check_over(self) -> None:
        """Raises MatchNotOver."""
        if self.phase != OVER:
            raise MatchNotOver

    def ask_rematch(self, seat: int, rotate: int | None, now: int) -> None:
        """Notes that a seat asks for a rematch, once."""
        if seat not in self.rematch.asked:
            self.add(now, "rematch_asked", seat=seat, rotate=rotate)

    def begin_rematch(self, successor: StoredMatch, rotate: int, now: int) -> None:
        """From now on there is one; it is written together with this event."""
        self.successor = successor
        self.add(now, "rematch", match=successor.header.match, rotate=rotate)

    def held_by_person(self, seat: int) -> Seat:
        if self.phase == OVER:
            raise MatchOver
        held = self.seats[seat]
        if held.kind != "person":
            raise SeatHeld(seat, "is open" if held.kind == "open" else "is a bot's")
        return held

    # ---- What happened ----

    def add(self, now: int, what: str, **fields: Any) -> None:
        data, seq = {"what": what, **fields}, len(self.events) + 1
        event = Event(seq, now, json.dumps(data, ensure_ascii=False))
        self.go_on(event, ParsedEvent(seq, now, what, fields.get("seat", -1), data))

    def fold(self, event: Event) -> ParsedEvent:
        """Goes one event on; raises GameError, KeyError or ValueError for a log that is damaged."""
        parsed = read(event)
        self.go_on(event, parsed)
        return parsed

    def go_on(self, event: Event, parsed: ParsedEvent) -> None:
        if event.seq != len(self.events) + 1:
            raise ValueError(f"event {event.seq} follows event {len(self.events)}")
        self.events.append(event)
        for viewer in self.versions:
            if parsed.is_shown_to(viewer):
                self.versions[viewer] += 1
        FOLDS[parsed.what](self, parsed)

    def fold_joined(self, parsed: ParsedEvent) -> None:
        data = parsed.data
        self.seats[parsed.seat] = Seat("person", data["name"], data["token"])

    def fold_begun(self, parsed: ParsedEvent) -> None:
        self.phase = PLAYING
        self.ask(parsed, questions(self.state), same=False)

    def fold_answer(self, parsed: ParsedEvent) -> None:
        self.pending_answers[parsed.seat] = PendingAnswer(parsed.data["move"], self.pending_questions[parsed.seat].seq)
        self.decided[parsed.seat] = self.versions[parsed.seat]

    def fold_lapsed(self, parsed: ParsedEvent) -> None:
        del self.pending_answers[parsed.seat]

    def fold_move(self, parsed: ParsedEvent) -> None:
        seat, move, before = parsed.seat, parsed.data["move"], set(self.questions)
        at_once = len(self.state.seats_to_move) > 1
        self.last_called = labels_here(self.state, move) if self.state.game.plugin.names_by_position else None
        self.state.play(move, seat)
        self.plies += 1
        if self.pending_answers.pop(seat, None) is None:
            self.decided[seat] = self.versions[seat]
        after = questions(self.state)
        # Whoever was asked with the mover is asked the same still, if the move is one that leaves the others their answers.
        leaves = at_once or move == self.state.game.plugin.declining
        self.ask(parsed, after, same=leaves and bool(after) and set(after) == before - {seat})

    def ask(self, parsed: ParsedEvent, now: dict[int, State], *, same: bool) -> None:
        before, self.questions = self.pending_questions, now
        self.pending_questions = {
            seat: before[seat] if same else PendingQuestion(parsed.seq, self.versions[seat], parsed.seq, parsed.time)
            for seat in now
        }

    def fold_seat(self, parsed: ParsedEvent) -> None:
        held, seat, data = self.seats[parsed.seat], parsed.seat, parsed.data
        if parsed.what == "taken_over":
            self.changes += 1
            player = Player(data["bot"], data["spec"], data["think"])
            self.seats[seat] = replace(held, player=player, taken_over=True)
        elif parsed.what == "handed_back":
            self.seats[seat] = replace(held, player=None, taken_over=False)
            if seat in self.pending_questions:  # the person's time begins anew
                question = self.pending_questions[seat]
                self.pending_questions[seat] = replace(question, timed_from=parsed.seq, time=parsed.time)
        else:
            player = Player(GREEDY, GREEDY, self.setup.think)
            self.seats[seat] = replace(held, player=player, taken_over=False, forfeited=True)

    def fold_answer_taken_back(self, parsed: ParsedEvent) -> None:
        del self.pending_answers[parsed.seat]
        self.changes += 1
        self.decided[parsed.seat] = self.versions[parsed.seat]

    def fold_taken_back(self, parsed: ParsedEvent) -> None:
        """The same deal and the same luck, and moves up to there; everybody is asked anew."""
        moves, ply = self.state.moves, parsed.data["ply"]
        self.taken_back = (*self.taken_back, TakenBack(ply, moves[ply:]))
        self.changes += 1 + len(moves) - ply
        self.state, self.plies = self.setup.replayed(moves[:ply]), ply
        self.pending_answers = {}
        self.decided[parsed.seat] = self.versions[parsed.seat]
        self.ask(parsed, questions(self.state), same=False)

    def fold_claimed(self, parsed: ParsedEvent) -> None:
        self.seats[parsed.seat] = replace(self.seats[parsed.seat], token=parsed.data["token"])

    def fold_rematch_asked(self, parsed: ParsedEvent) -> None:
        known, rotate = self.rematch, parsed.data["rotate"]
        self.rematch = replace(known, asked=known.asked | {parsed.seat}, rotate=rotate if known.rotate is None else known.rotate)

    def fold_rematch(self, parsed: ParsedEvent) -> None:
        self.rematch = replace(self.rematch, match=parsed.data["match"], rotate=parsed.data["rotate"])

    def fold_over(self, parsed: ParsedEvent) -> None:
        self.phase = OVER
        self.utilities = tuple(parsed.data["utilities"])
        self.pending_questions, self.questions = {}, {}


FOLDS = {
    "joined": Match.fold_joined,
    "begun": Match.fold_begun,
    "answer": Match.fold_answer,
    "lapsed": Match.fold_lapsed,
    "move": Match.fold_move,
    "taken_over": Match.fold_seat,
    "handed_back": Match.fold_seat,
    "forfeited": Match.fold_seat,
    "answer_taken_back": Match.fold_answer_taken_back,
    "taken_back": Match.fold_taken_back,
    "over": Match.fold_over,
    "rematch_asked": Match.fold_rematch_asked,
    "rematch": Match.fold_rematch,
    "claimed": Match.fold_claimed,
}
