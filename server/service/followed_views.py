"""Views carried on by a move, as messages: beside the event loop, in a place for searches, and ended with their call."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from machiavel import v1
from machiavel.engines import BadView, GameError, MoveError, NotToMove, SeenMove, View
from machiavel.engines.errors import BadOption
from machiavel.engines.following import Followed, FollowingStopped, ViewQuestion, follow
from machiavel.engines.view_differences import is_within
from machiavel.server.service import event_messages, messages, wire
from machiavel.server.service.game_schemas import field_label, game_schema
from machiavel.server.service.refusals import BadRequest, NoTime, located
from machiavel.server.service.search_queue import SearchQueue, time_to_think
from machiavel.server.service.type_messages import Cell, ThingKinds, cells_of, type_message

__all__ = ["follow_message"]

MOST_ANSWERS = 64
TOO_LATE = "the deadline came before the worlds of the view had been looked at"


async def follow_message(request: v1.FollowViewRequest, remaining: float | None, queue: SearchQueue) -> v1.FollowViewResponse:
    """`remaining` are the seconds to the deadline; raises Refusal, BadRequest, TooBusy and NoTime."""
    if not request.HasField("view"):
        raise BadRequest("view", "is missing; expected what the seat saw before the move")
    view = wire.read_view(request.view)
    seat = request.seat if request.HasField("seat") else None
    if seat is not None and not 0 <= seat < view.players:
        raise BadRequest("seat", f"is {seat}; expected 0 to {view.players - 1}")
    answers = read_answers(request)
    seconds = queue.config.seconds_most
    if remaining is not None:
        seconds = min(seconds, time_to_think(remaining, queue.running))
    followed = await in_thread(partial(follow, view, request.move, seat, answers), answers, seconds, queue)
    return answer_message(view, followed)


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


async def in_thread(
    work_on: Callable[[Callable[[], bool]], Followed], answers: Mapping[str, Any], seconds: float, queue: SearchQueue
) -> Followed:
    """Looks at worlds in a thread of its own; who is cancelled, or too late, lets it end within milliseconds."""
    await queue.admission.enter(seconds)
    stopped, loop = threading.Event(), asyncio.get_running_loop()
    try:
        work = loop.run_in_executor(None, lambda: work_on(stopped.is_set))
    except BaseException:
        queue.admission.leave()
        raise

    def left(done: asyncio.Future[Followed]) -> None:
        queue.admission.leave()
        if not done.cancelled():
            done.exception()  # whoever asked may be gone

    work.add_done_callback(left)
    try:
        with located(lambda error: place_of(error, answers)):
            async with asyncio.timeout(seconds):
                return await asyncio.shield(work)
    except (TimeoutError, FollowingStopped):
        raise NoTime(TOO_LATE, "a later one") from None
    finally:
        stopped.set()


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
