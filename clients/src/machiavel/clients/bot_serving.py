"""A function that holds seats of hosted matches, for plain code."""

import inspect
import threading
from collections.abc import Callable
from contextlib import closing
from queue import SimpleQueue
from typing import Any

from machiavel.clients.bot_functions import BotFault, BotFunction, BotTurn, as_function
from machiavel.clients.errors import AlreadyAnswered, MatchOver, MoveError, NotToMove, SeatHeld, StaleVersion
from machiavel.clients.match_requests import WatchPosition
from machiavel.clients.sessions import SeatSession
from machiavel.v1 import Match, MatchPosition

__all__ = ["PATIENCE", "SETTLED", "fault_of", "serve_bot"]

PATIENCE = 3600.0  # seconds that a server may be away
SETTLED = (AlreadyAnswered, MatchOver, NotToMove, SeatHeld, StaleVersion)  # somebody or something was quicker than the bot


def serve_bot(
    function: BotFunction,
    *sessions: SeatSession,
    patience: float = PATIENCE,
    on_fault: Callable[[BotFault], str | None] | None = None,
) -> list[Match]:
    """Plays the seats of the sessions by a function until their matches are over; the matches as they ended, in the same order.

    The function is called as `move(view, moves)`, or as `move(view, moves, turn)` where it takes three arguments, and gives the
    text of a move; it is called here, for one seat at a time. A server that is away is waited for, for `patience` seconds; a move
    that was on its way is sent again with the same request id, so that it is made once. Where the function raises an exception,
    or gives what is no legal move, `on_fault` may give a move in its place; else the BotFault is raised here, and the seat waits:
    whoever serves it again goes on.
    """
    if inspect.iscoroutinefunction(function):
        raise TypeError("the function is an async def; expected a plain one, or serve_bot_async")
    ask = as_function(function)
    heard: SimpleQueue[tuple[SeatWatch, BaseException | None]] = SimpleQueue()
    watches = [SeatWatch(session, patience, heard) for session in sessions]
    left = len(watches)
    try:
        while left:
            watch, error = heard.get()
            if error is not None:
                raise error
            if watch.position is None and watch.is_over:
                left -= 1
            elif watch.position is not None:
                answer(watch, ask, patience, on_fault)
    finally:
        for watch in watches:
            watch.watched.leave()
    return [watch.watched.match for watch in watches]


class SeatWatch:
    """What one session is asked, heard in a thread of its own; of several questions the last one counts."""

    def __init__(
        self, session: SeatSession, patience: float, heard: "SimpleQueue[tuple[SeatWatch, BaseException | None]]"
    ) -> None:
        self.session = session
        self.heard = heard
        self.watched = WatchPosition(session.match, session.token, None, patience)
        self.position: MatchPosition | None = None
        self.version = 0
        self.is_over = False
        threading.Thread(target=self.run, name=f"machiavel-seat-{session.match}", daemon=True).start()

    def run(self) -> None:
        error: BaseException | None = None
        try:
            with closing(self.session.watch_on(self.watched)) as answers:
                for one in answers:
                    self.watched.check_seat(self.session.seat)
                    position = self.watched.asks(one, self.session.seat, self.session.played)
                    if position is not None:
                        self.position, self.version = position, self.watched.version
                        self.heard.put((self, None))
            self.is_over = True
        except BaseException as caught:  # noqa: BLE001 - raised again by whoever serves the bot
            error = caught
        self.heard.put((self, error))


def answer(
    watch: SeatWatch,
    ask: Callable[[BotTurn], Any],
    patience: float,
    on_fault: Callable[[BotFault], str | None] | None,
) -> None:
    """Asks the function, and plays what it gives; raises BotFault."""
    session, position, version = watch.session, watch.position, watch.version
    watch.position = None
    if position is None or session.seat is None or version < session.played:
        return
    turn = BotTurn.at(position, session.seat, match=session.match, version=version)
    fault = fault_in(session, turn, lambda: ask(turn), patience)
    if fault is not None:
        instead = None if on_fault is None else on_fault(fault)
        again = fault if instead is None else fault_in(session, turn, lambda: instead, patience)
        if again is not None:
            raise again


def fault_in(session: SeatSession, turn: BotTurn, ask: Callable[[], Any], patience: float) -> BotFault | None:
    """Plays what it gives; what is wrong with that."""
    try:
        move = ask()
    except Exception as error:  # noqa: BLE001 - it is the author's, who is told
        return fault_of(turn, None, error)
    if not isinstance(move, str):
        return fault_of(turn, move, None)
    try:
        session.play(move, expected_version=turn.version, timeout=patience)
    except MoveError as error:
        return fault_of(turn, move, error)
    except SETTLED:
        pass
    return None


def fault_of(turn: BotTurn, move: Any, error: Exception | None) -> BotFault:
    """The fault of a function that raised an exception, of what is no text, or of a text that was refused."""
    if error is None:
        return BotFault(turn, move, f"it gave {move!r}, which is no text")
    told = f"it gave {move!r}: {error}" if isinstance(error, MoveError) else f"{type(error).__name__}: {error}"
    fault = BotFault(turn, move, told)
    fault.__cause__ = error
    return fault
