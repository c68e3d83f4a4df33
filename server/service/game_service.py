"""GameService: the rules as a stateless oracle."""

from collections.abc import Callable
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from machiavel import engines, v1
from machiavel.engines import GameError, IncompatibleEngine, State
from machiavel.engines.position_labels import labels_here, seen_here
from machiavel.engines.record import SEED_BITS
from machiavel.server.draws import SYSTEM_DRAWS, Draws, drawn_number
from machiavel.server.service import described_games, event_messages, wire
from machiavel.server.service.call_interceptor import caller_of
from machiavel.server.service.followed_views import Follower
from machiavel.server.service.game_summaries import game_summary
from machiavel.server.service.puzzle_messages import PuzzleMessages, puzzle_check
from machiavel.server.service.refusals import BadRequest, ShuttingDown, located
from machiavel.server.service.search_queue import SearchQueue, remaining_of
from machiavel.server.service.worker_thread import RequestWorker, WorkerThread
from machiavel.v1.game_service_pb2_grpc import GameServiceServicer

__all__ = ["GameService", "move_place", "seat_of"]

Context = grpc.aio.ServicerContext[Any, Any]
Answer = TypeVar("Answer")


class GameService(GameServiceServicer):
    """Nothing is kept from call to call.

    Without a worker all is done where it is called; views are carried on in a thread, and without one they are not.
    """

    def __init__(
        self,
        draws: Draws = SYSTEM_DRAWS,
        search_queue: SearchQueue | None = None,
        worker: RequestWorker | None = None,
        following: WorkerThread | None = None,
        tell: Callable[[str, str], object] = lambda _game, _problem: None,
    ) -> None:
        """`tell` hears of puzzles that are left out, and why: once, when they are first asked for."""
        self.draws = draws
        self.search_queue = search_queue
        self.worker = worker
        self.following = following
        self.puzzles = PuzzleMessages(tell)

    async def ListGames(self, request: v1.ListGamesRequest, context: Context) -> v1.ListGamesResponse:  # noqa: N802
        if request.summaries:
            return await self.beside(lambda: list_games(with_summaries=True), context)
        return list_games()

    async def NewState(self, request: v1.NewStateRequest, context: Context) -> v1.NewStateResponse:  # noqa: N802
        return await self.answer(lambda: new_state(request, self.draws), request, context)

    async def GetState(self, request: v1.GetStateRequest, context: Context) -> v1.GetStateResponse:  # noqa: N802
        return await self.answer(lambda: get_state(request), request, context)

    async def LegalMoves(self, request: v1.LegalMovesRequest, context: Context) -> v1.LegalMovesResponse:  # noqa: N802
        if request.upcoming:
            return await self.follower(context).moves(request)
        return await self.answer(lambda: legal_moves(request), request, context)

    async def ApplyMove(self, request: v1.ApplyMoveRequest, context: Context) -> v1.ApplyMoveResponse:  # noqa: N802
        return await self.answer(lambda: apply_move(request), request, context)

    async def GetView(self, request: v1.GetViewRequest, context: Context) -> v1.GetViewResponse:  # noqa: N802
        return await self.answer(lambda: get_view(request), request, context)

    async def GetGame(self, request: v1.GetGameRequest, context: Context) -> v1.GetGameResponse:  # noqa: N802
        return await self.beside(lambda: described_games.game_message_of(request), context)

    async def FollowView(self, request: v1.FollowViewRequest, context: Context) -> v1.FollowViewResponse:  # noqa: N802
        return await self.follower(context).answer(request)

    async def ListPuzzles(self, request: v1.ListPuzzlesRequest, context: Context) -> v1.ListPuzzlesResponse:  # noqa: N802
        return await self.beside(lambda: self.puzzles.page(request), context)

    async def CheckPuzzle(self, request: v1.CheckPuzzleRequest, context: Context) -> v1.CheckPuzzleResponse:  # noqa: N802
        return await self.beside(lambda: puzzle_check(request), context)

    def follower(self, context: Context) -> Follower:
        """Raises ShuttingDown and NoTime."""
        if self.search_queue is None or self.following is None:
            raise ShuttingDown
        return Follower(self.following, self.search_queue, caller_of(context), remaining_of(context))

    async def beside(self, work: Callable[[], Answer], context: Context) -> Answer:
        """What may have rules to make, or much to tell, beside the event loop."""
        return work() if self.worker is None else await self.worker.do(work, caller_of(context))

    async def answer(self, work: Callable[[], Answer], request: Message, context: Context) -> Answer:
        """What `work` makes of a request: a large one, or one that may have rules to make, beside the event loop."""
        return work() if self.worker is None else await self.worker.read(work, request, caller_of(context))


def list_games(*, with_summaries: bool = False) -> v1.ListGamesResponse:
    response = v1.ListGamesResponse()
    for name in engines.games():
        try:
            game = engines.load(name)
            message = described_games.game_message(game)
            if with_summaries:
                message.summary.CopyFrom(game_summary(game))
        except IncompatibleEngine:
            continue  # it cannot be played
        response.games.append(message)
    return response


def new_state(request: v1.NewStateRequest, draws: Draws) -> v1.NewStateResponse:
    with located(lambda _: "game"):
        game = engines.load(request.game)
    options = wire.read_options(request.options, game, "options")
    seed = wire.read_seed(request.seed, "seed") if request.HasField("seed") else None
    layout = wire.read_layout(request.layout, game, "layout") if request.HasField("layout") else None
    with located(described_games.option_place(request)):
        try:
            rules = game.make_rules(options.pop("players"), **options)
        except TypeError:
            raise BadRequest("options.other", "holds a name that no option can have") from None
    if seed is None and layout is None:
        setup = v1.NewStateRequest(game=request.game, options=request.options).SerializeToString(deterministic=True)
        seed = drawn_number(draws.of("state", request=setup.hex()), SEED_BITS)
    with located(lambda _: "layout"):
        state = game.deal(rules, seed=seed, layout=layout)
    response = v1.NewStateResponse()
    wire.put_state(response.state, state)
    if request.events:
        response.events.extend(event_messages.by_viewer(None, state))
    return response


def get_state(request: v1.GetStateRequest) -> v1.GetStateResponse:
    state, response = wire.read_state(request.record), v1.GetStateResponse()
    put_state(response.state, state, request.record)
    if request.events:
        response.events.extend(event_messages.by_viewer(before_last(request.record), state))
    return response


def legal_moves(request: v1.LegalMovesRequest) -> v1.LegalMovesResponse:
    source = request.WhichOneof("source")
    if source is None:
        raise BadRequest("source", "is missing; expected a record or a view")
    if source == "view":
        return legal_in_view(request)
    state = wire.read_state(request.record)
    seats = sorted(state.seats_to_move)
    if request.HasField("seat"):
        seats = [seat_of(state, request.seat)]
    response = v1.LegalMovesResponse()
    for seat in seats:
        with located(lambda _: "seat"):
            response.seats.append(moves_message(state, seat, state.legal_moves(seat)))
    return response


def apply_move(request: v1.ApplyMoveRequest) -> v1.ApplyMoveResponse:
    state = wire.read_state(request.record)
    seat = seat_of(state, request.seat) if request.HasField("seat") else None
    mover, before = state.seat_to_move, state.copy() if request.events else None
    seen = seen_here(state)
    with located(move_place):
        state.play(request.move, seat)
    called = labels_here(state, state.moves[-1], seen)
    response = v1.ApplyMoveResponse(
        move=wire.seen_move_message(state, mover, called),
        public_move=wire.seen_move_message(state, None, called),
        seat=mover or 0,
    )
    put_state(response.state, state, request.record)
    if request.events:
        response.events.extend(event_messages.by_viewer(before, state))
    return response


def get_view(request: v1.GetViewRequest) -> v1.GetViewResponse:
    state = wire.read_state(request.record)
    seat = seat_of(state, request.seat) if request.HasField("seat") else None
    response = v1.GetViewResponse(observed_moves=state.observed_moves(seat), seats_to_move=sorted(state.seats_to_move))
    wire.put_view(response.view, state.view(seat))
    if request.events:
        response.events.extend(event_messages.last_events(before_last(request.record), state, seat))
    return response


def before_last(record: v1.Record) -> State | None:
    """The match without its last move; None at its beginning."""
    if not record.moves:
        return None
    shorter = v1.Record()
    shorter.CopyFrom(record)
    del shorter.moves[-1]
    return wire.read_state(shorter)


def put_state(message: v1.State, state: State, record: v1.Record) -> None:
    """A state that comes of a record, with what was taken back in that."""
    wire.put_state(message, state)
    message.record.taken_back.extend(v1.TakenBack(ply=one.ply, moves=one.moves) for one in record.taken_back)


def move_place(error: GameError) -> str:
    if isinstance(error, engines.MoveError):
        return "move"
    return "seat" if isinstance(error, engines.NotToMove) else "record"


def seat_of(state: State, seat: int) -> int:
    if not 0 <= seat < state.players:
        raise BadRequest("seat", f"is {seat}; expected 0 to {state.players - 1}")
    return seat


def legal_in_view(request: v1.LegalMovesRequest) -> v1.LegalMovesResponse:
    view = wire.read_view(request.view)
    if request.HasField("seat") and request.seat != view.seat:
        raise BadRequest("seat", f"is {request.seat}; the view is of seat {view.seat}, so leave it out")
    with located(lambda _: "view"):
        texts = view.legal_moves()
    return v1.LegalMovesResponse(seats=[moves_message(view, view.seat or 0, texts)])


def moves_message(place: Any, seat: int, texts: list[str]) -> v1.SeatMoves:
    return v1.SeatMoves(seat=seat, moves=wire.move_messages(place, texts))
