"""Views carried on by a move, and the moves that may come next: as messages, beside the event loop, ended with their call."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from machiavel import v1
from machiavel.engines import BadView, GameError, MoveError, NotToMove, SeenMove, View
from machiavel.engines.errors import BadOption
from machiavel.engines.following import Followed, FollowingStopped, ViewQuestion, follow
from machiavel.engines.position_labels import seen_here
from machiavel.engines.upcoming_moves import upcoming_moves
from machiavel.engines.view_differences import is_within
from machiavel.server.service import event_messages, messages, wire
from machiavel.server.service.deadlines import Load
from machiavel.server.service.game_schemas import field_label, game_schema
from machiavel.server.service.refusals import BadRequest, NoTime, located
from machiavel.server.service.search_queue import SearchQueue, time_to_think
from machiavel.server.service.type_messages import Cell, ThingKinds, cells_of, type_message
from machiavel.server.service.worker_thread import WorkerThread

__all__ = ["Follower"]

Answer = TypeVar("Answer")

MOST_ANSWERS = 64
TOO_LATE = "the deadline came before the worlds of the view had been looked at"


class Follower:
    """One call, in the thread where views are carried on: read, looked at in many worlds, and answered there."""

    def __init__(self, thread: WorkerThread, queue: SearchQueue, caller: str, remaining: float | None) -> None:
        """`remaining` are the seconds to the deadline; raises NoTime."""
        self.thread = thread
        self.caller = caller
        self.seconds = queue.config.seconds_most
        if remaining is not None:
            self.seconds = min(self.seconds, time_to_think(remaining, Load(thread.queue.waiting)))
        self.stopped = threading.Event()

    async def answer(self, request: v1.FollowViewRequest) -> v1.FollowViewResponse:
        """Raises Refusal, BadRequest, TooBusy and NoTime."""
        return await self.within_time(lambda: self.follow(request))

    async def moves(self, request: v1.LegalMovesRequest) -> v1.LegalMovesResponse:
        """Raises Refusal, BadRequest, TooBusy and NoTime."""
        return await self.within_time(lambda: self.upcoming(request))

    async def within_time(self, work: Callable[[], Answer]) -> Answer:
        """Who is cancelled, or too late, lets it end within milliseconds."""
        try:
            async with asyncio.timeout(self.seconds):
                return await self.thread.do(work, self.caller)
        except (TimeoutError, FollowingStopped):
            raise NoTime(TOO_LATE, "a later one") from None
        finally:
            self.stopped.set()

    def follow(self, request: v1.FollowViewRequest) -> v1.FollowViewResponse:
        """Raises Refusal, BadRequest and FollowingStopped."""
        if self.stopped.is_set():
            raise FollowingStopped
        if not request.HasField("view"):
            raise BadRequest("view", "is missing; expected what the seat saw before the move")
        view = wire.read_view(request.view)
        seat = named_seat(request, view)
        answers = read_answers(request)
        with located(lambda error: place_of(error, answers)):
            return answer_message(view, follow(view, request.move, seat, answers, self.stopped.is_set))

    def upcoming(self, request: v1.LegalMovesRequest) -> v1.LegalMovesResponse:
        """Raises Refusal, BadRequest and FollowingStopped."""
        if self.stopped.is_set():
            raise FollowingStopped
        if not request.HasField("view"):
            raise BadRequest("upcoming", "is for a view; expected one in place of the record, or nothing here")
        view = wire.read_view(request.view)
        with located(lambda error: "seat" if isinstance(error, NotToMove) else "view"):
            found = upcoming_moves(view, named_seat(request, view), self.stopped.is_set)
        if found is None:
            return v1.LegalMovesResponse()
        if found.seat == view.seat:
            moves = list(wire.move_messages(view, found.moves))
        else:
            seen = seen_here(view)
            moves = [wire.line_move_message(view, text, seen) for text in found.moves]
        return v1.LegalMovesResponse(seats=[v1.SeatMoves(seat=found.seat, moves=moves)])


def named_seat(request: v1.FollowViewRequest | v1.LegalMovesRequest, view: View) -> int | None:
    seat = request.seat if request.HasField("seat") else None
    if seat is not None and not 0 <= seat < view.players:
        raise BadRequest("seat", f"is {seat}; expected 0 to {view.players - 1}")
    return seat


def read_answers(request: v1.FollowViewRequest) -> dict[str, Any]:
    if len(request.answers) > MOST_ANSWERS:
        raise BadRequest("answers", f"are {len(request.answers)}; expected at most {MOST_ANSWERS}")
    result: dict[str, Any] = {}
    for number, one in enumerate(request.answers):
        if one.place in result:
            raise BadRequest(f"answers[{number}].place", f"is {one.place[:100]!r} again; each place once")
        if not one.HasField("value"):
            raise BadRequest(f"answers[{number}].value", "is missing; expected a value, or null")
        result[one.place] = messages.plain(one.value, f"answers[{number}].value")
    return result


def place_of(error: GameError, answers: Mapping[str, Any]) -> str:
    """Where in the request an error lies."""
    if isinstance(error, BadView):
        number = next((number for number, place in enumerate(answers) if is_within(error.field, place)), None)
        return "answers" if number is None else f"answers[{number}].value"
    if isinstance(error, MoveError):
        return "move"
    return "seat" if isinstance(error, NotToMove | BadOption) else "view"


def answer_message(view: View, followed: Followed) -> v1.FollowViewResponse:
    response = v1.FollowViewResponse(worlds=followed.worlds)
    if followed.view is None:
        kinds, cells = game_schema(view.game, view.rules).kinds.copy(), view_cells(view)
        response.questions.extend(question_message(view, one, kinds, cells) for one in followed.questions)
        return response
    wire.put_view(response.view, followed.view)
    response.seats_to_move.extend(sorted(followed.view.seats_to_move))
    response.events.extend(event_messages.events_of(view, SeenMove(followed.mover, followed.move), followed.view))
    return response


def view_cells(view: View) -> dict[str, Cell]:
    name = wire.part(v1.View(), "seen", view.game.name)
    return {} if name == "other" else cells_of(v1.View.DESCRIPTOR.fields_by_name[name].message_type)


def question_message(view: View, one: ViewQuestion, kinds: ThingKinds, cells: Mapping[str, Cell]) -> v1.FollowQuestion:
    result = v1.FollowQuestion(
        place=one.place,
        type=type_message(one.difference.type, kinds, cells.get(one.field) if one.place == one.field else None),
        label=field_label(view.game.plugin, one.field),
        more=one.more,
        possible=map(messages.value_of, one.possible),
    )
    if one.known is not None:
        result.known.CopyFrom(messages.value_of(one.known))
    return result
