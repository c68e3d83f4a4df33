"""A function that holds seats of hosted matches, for asyncio."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any

from machiavel.clients.aio_sessions import AsyncSeatSession
from machiavel.clients.bot_functions import BotFault, BotFunction, BotTurn, as_function
from machiavel.clients.bot_serving import PATIENCE, SETTLED, fault_of
from machiavel.clients.errors import MoveError
from machiavel.clients.match_requests import WatchPosition
from machiavel.v1 import Match

__all__ = ["serve_bot_async"]

OnFault = Callable[[BotFault], str | Awaitable[str | None] | None]


async def serve_bot_async(
    function: BotFunction, *sessions: AsyncSeatSession, patience: float = PATIENCE, on_fault: OnFault | None = None
) -> list[Match]:
    """As `serve_bot`, for asyncio: the seats are played side by side.

    An `async def` is awaited, and may be under way for several seats at once. Any other function is called in a thread, for one
    seat at a time, so that the loop goes on meanwhile. `on_fault` may be either, and is called in the loop.
    """
    ask = side_by_side(function) if inspect.iscoroutinefunction(function) else one_by_one(function)
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(serve(ask, session, patience, on_fault)) for session in sessions]
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from errors.exceptions[0].__cause__
    return [task.result() for task in tasks]


def side_by_side(function: BotFunction) -> Callable[[BotTurn], Awaitable[Any]]:
    asked = as_function(function)

    async def ask(turn: BotTurn) -> Any:
        return await asked(turn)

    return ask


def one_by_one(function: BotFunction) -> Callable[[BotTurn], Awaitable[Any]]:
    asked, lock = as_function(function), asyncio.Lock()

    async def ask(turn: BotTurn) -> Any:
        async with lock:
            move = await asyncio.to_thread(asked, turn)
            return await move if inspect.isawaitable(move) else move

    return ask


async def serve(
    ask: Callable[[BotTurn], Awaitable[Any]], session: AsyncSeatSession, patience: float, on_fault: OnFault | None
) -> Match:
    """Plays one seat until its match is over."""
    watched = WatchPosition(session.match, session.token, None, patience)
    async with aclosing(session.watch_on(watched)) as answers:
        async for one in answers:
            seat = watched.check_seat(session.seat)
            position = watched.asks(one, seat, session.played)
            if position is None:
                continue
            turn = BotTurn.at(position, seat, match=session.match, version=watched.version)
            fault = await fault_in(session, turn, ask(turn), patience)
            if fault is not None:
                instead = None if on_fault is None else on_fault(fault)
                if inspect.isawaitable(instead):
                    instead = await instead
                if instead is None:
                    raise fault
                again = await fault_in(session, turn, given(instead), patience)
                if again is not None:
                    raise again
    return watched.match


async def given(move: Any) -> Any:
    return move


async def fault_in(session: AsyncSeatSession, turn: BotTurn, asked: Awaitable[Any], patience: float) -> BotFault | None:
    """Plays what it gives; what is wrong with that."""
    try:
        move = await asked
    except Exception as error:  # noqa: BLE001 - it is the author's, who is told
        return fault_of(turn, None, error)
    if not isinstance(move, str):
        return fault_of(turn, move, None)
    try:
        await session.play(move, expected_version=turn.version, timeout=patience)
    except MoveError as error:
        return fault_of(turn, move, error)
    except SETTLED:
        pass
    return None
