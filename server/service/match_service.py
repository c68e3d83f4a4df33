"""MatchService: hosted matches."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from functools import partial
from typing import Any

import grpc

from machiavel import v1
from machiavel.engines import MatchNotOver
from machiavel.engines.position_labels import seen_here
from machiavel.server.matches.hosting_errors import NoAccess, RequestReused
from machiavel.server.matches.match import OVER, Match
from machiavel.server.matches.match_events import SPECTATOR
from machiavel.server.matches.match_registry import MatchRegistry, NewMatch, begun
from machiavel.server.matches.match_session import MatchSession, RequestKey
from machiavel.server.matches.rematches import check_chain, rematch_setup, seat_after, waited_for
from machiavel.server.matches.tokens import digest_of, draw_name, is_same, made_code, made_token, read_code
from machiavel.server.service import hint_messages, match_wire, wire
from machiavel.server.service.access import Caller, request_id, request_key, who
from machiavel.server.service.bot_service import question, since
from machiavel.server.service.call_interceptor import account, caller_now, caller_of, source_of
from machiavel.server.service.game_service import move_place
from machiavel.server.service.kept_responses import CREATE
from machiavel.server.service.match_lists import MatchPage
from machiavel.server.service.refusals import BadRequest, located
from machiavel.server.service.search_queue import SearchQueue, make_searcher
from machiavel.server.service.setup_requests import checked_name, read_player, read_setup
from machiavel.server.service.watchers import Watchers, cut_of
from machiavel.server.service.watching import WatchMeans, check_after, watch
from machiavel.server.service.worker_thread import RequestWorker
from machiavel.server.shares import FairQueue
from machiavel.server.storage import Conflict, Header
from machiavel.v1.match_service_pb2_grpc import MatchServiceServicer

__all__ = ["MatchService"]

Context = grpc.aio.ServicerContext[Any, Any]
JOIN = "code"  # who acts without a token
ENDLESS = 1 << 30


class MatchService(MatchServiceServicer):
    """Calls for hosted matches; what changes one is done in its session, one change after the other."""

    def __init__(
        self,
        registry: MatchRegistry,
        search_queue: SearchQueue,
        worker: RequestWorker,
        watchers: Watchers,
        watch_means: WatchMeans,
    ) -> None:
        self.registry = registry
        self.search_queue = search_queue
        self.worker = worker
        self.watchers = watchers
        self.watch_means = watch_means
        self.lists = FairQueue("lists", 1, ENDLESS)

    async def caller(self, request: Any) -> Caller:
        """Raises NoAccess, before anything else of the request is looked at."""
        return who(await self.registry.find(request.match, caller_now()), request.token)

    # ---- Setting up ----

    async def CreateMatch(self, request: v1.CreateMatchRequest, context: Context) -> v1.CreateMatchResponse:  # noqa: N802
        call, draw = request_key(CREATE, request), self.registry.draws.of(CREATE, account(), request=request.request_id)
        known_by = request_id(request.request_id, draw)
        config = self.search_queue.config
        while True:
            session = None if call is None else await self.registry.created(account(), call.request, caller_of(context))
            if session is not None and call is not None:
                return with_tokens(session.match, first_answer(session, call), known_by)
            setup = await self.worker.read(partial(read_setup, request, config, known_by, draw), request, caller_of(context))
            secret, has_open = setup.secret, any(seat.kind == "open" for seat in setup.seats)
            host = digest_of(made_token(secret, known_by, "host"))
            code = digest_of(made_code(secret, known_by)) if has_open else None
            new = NewMatch(draw_name(draw), account(), self.registry.clock.wall(), setup, host, code, caller_of(context))

            def respond(header: Header) -> bytes:
                return v1.CreateMatchResponse(match=match_wire.listed_message(header)).SerializeToString(deterministic=True)

            try:
                response = await self.registry.create(new, call, respond)
            except Conflict:
                continue  # the same call, at the same time
            return with_tokens(Match.begin(new.match, setup), response, known_by)

    async def JoinMatch(self, request: v1.JoinMatchRequest, context: Context) -> v1.JoinMatchResponse:  # noqa: N802
        session = await self.registry.joined(digest_of(read_code(request.code)), caller_of(context))
        draw = self.registry.draws.of(JOIN, session.match.name, request=request.request_id)
        call, known_by = request_key(JOIN, request), request_id(request.request_id, draw)
        name = checked_name(request.name, "name")
        secret = session.match.setup.secret

        def do(draft: Match, now: int) -> bytes:
            wanted = request.seat if request.HasField("seat") else None
            seat = wanted if wanted in draft.open_seats else next(iter(draft.open_seats), 0)
            token = made_token(secret, known_by, f"joined {seat}")
            draft.join(wanted, name, digest_of(token).hex(), now)
            return v1.JoinMatchResponse(match=draft.name, seat=seat).SerializeToString(deterministic=True)

        response = v1.JoinMatchResponse.FromString(await session.change(do, call))
        response.token = made_token(secret, known_by, f"joined {response.seat}")
        return response

    # ---- Looking ----

    async def GetMatch(self, request: v1.GetMatchRequest, context: Context) -> v1.GetMatchResponse:  # noqa: ARG002, N802
        caller = await self.caller(request)
        return v1.GetMatchResponse(snapshot=match_wire.snapshot_message(caller.session, caller.viewer))

    async def WatchMatch(  # noqa: N802
        self,
        request: v1.WatchMatchRequest,
        context: Context,
    ) -> AsyncIterator[Any]:  # SharedAnswer
        caller = await self.caller(request)
        session, viewer = caller.session, caller.viewer
        after = request.after if request.HasField("after") else None
        check_after(session, viewer, after)
        is_spectator = viewer is SPECTATOR and not caller.is_host
        holder = None if is_spectator else (session.match.name, caller.actor)
        with self.watchers.place(caller_of(context), source_of(context), holder, cut_of(context)) as place:
            answers = watch(session, viewer, after, stays=request.stay, place=place, means=self.watch_means)
            del request, caller, session  # most watchers wait for hours
            async with aclosing(answers):
                async for answer in answers:
                    place.sending_since = self.watchers.clock.monotonic()
                    yield answer
                    del answer
                    place.sending_since = None

    async def GetRecord(self, request: v1.GetRecordRequest, context: Context) -> v1.GetRecordResponse:  # noqa: ARG002, N802
        caller = await self.caller(request)
        match = caller.session.match
        if not caller.is_host:
            caller.own_seat(v1.PlayMoveRequest())
            match.check_setting("open_record")
        if match.phase != OVER:
            with located(lambda _: "match"):
                raise MatchNotOver
        response = v1.GetRecordResponse(salt=match.setup.salt, match=match_wire.match_message(caller.session))
        wire.put_record(response.record, match.record())
        return response

    async def ListMatches(self, request: v1.ListMatchesRequest, context: Context) -> v1.ListMatchesResponse:  # noqa: N802
        wanted = MatchPage(request, self.registry.retention)
        share = caller_of(context)
        async with self.lists.place(share):  # before anything is read: a page may have megabytes
            headers = await self.registry.store.read(partial(wanted.headers, account()), share)
            make = partial(wanted.message, headers)
            return await asyncio.get_running_loop().run_in_executor(self.worker.executor, make)

    # ---- Playing ----

    async def PlayMove(self, request: v1.PlayMoveRequest, context: Context) -> v1.PlayMoveResponse:  # noqa: ARG002, N802
        caller = await self.caller(request)
        seat = caller.own_seat(request)

        def do(draft: Match, now: int) -> bytes:
            with located(move_place):
                draft.check_playing()
                draft.check_person(seat)
                if request.HasField("expected_version"):
                    draft.check_version(seat, request.expected_version)
                seen = seen_here(draft.questions.get(seat, draft.state))
                move = draft.answer(seat, request.move, now)
            response = v1.PlayMoveResponse(
                move=wire.move_message(draft.state, move, seen), kept=seat in draft.pending_answers, version=draft.versions[seat]
            )
            return response.SerializeToString(deterministic=True)

        return v1.PlayMoveResponse.FromString(await caller.session.change(do, request_key(caller.actor, request)))

    async def HintMove(self, request: v1.HintMoveRequest, context: Context) -> v1.HintMoveResponse:  # noqa: N802
        began = self.registry.clock.monotonic()
        caller = await self.caller(request)
        seat, match = caller.own_seat(request), caller.session.match
        match.check_setting("hints")
        with located(lambda _: "seat"):
            match.check_asked(seat)
        view = match.questions[seat].view(seat)
        bot = make_searcher(request.bot, view.game, view.players, self.search_queue.config)
        about, asked = await hint_messages.asked_about(
            request.what_about, question(request, view, bot, context), self.search_queue
        )
        recommendation, unseen = await self.search_queue.answer(asked)
        return v1.HintMoveResponse(
            move=wire.move_message(view, asked.searcher.move(view, recommendation)),
            recommendation=wire.recommendation_message(view, recommendation),
            elapsed=since(began, self.registry.clock),
            **hint_messages.fields_of(view, recommendation, about, unseen, explained=request.explain),
        )

    async def TakeBackMove(self, request: v1.TakeBackMoveRequest, context: Context) -> v1.TakeBackMoveResponse:  # noqa: ARG002, N802
        caller = await self.caller(request)
        seat = caller.own_seat(request)

        def do(draft: Match, now: int) -> bytes:
            draft.check_setting("practice")
            if request.HasField("expected_version"):
                draft.check_decided(seat, request.expected_version)
            with located(lambda _: "match"):
                undone = draft.take_back(seat, request.ply if request.HasField("ply") else None, now)
            response = v1.TakeBackMoveResponse(
                taken_back=match_wire.taken_back_message(seat, undone), version=draft.versions[seat]
            )
            return response.SerializeToString(deterministic=True)

        return v1.TakeBackMoveResponse.FromString(await caller.session.change(do, request_key(caller.actor, request)))

    # ---- Seats ----

    async def TakeOverSeat(self, request: v1.TakeOverSeatRequest, context: Context) -> v1.TakeOverSeatResponse:  # noqa: ARG002, N802
        caller = await self.caller(request)
        seat = caller.seat_in_charge(request)
        draw = self.registry.draws.of("bot", caller.session.match.name, request=request.request_id)
        player = read_player(request, "", caller.session.match.state.game, (self.search_queue.config, draw))

        def act(draft: Match, now: int) -> None:
            draft.take_over(seat, player, now)

        return v1.TakeOverSeatResponse(seat=await self.change_seat(caller, request, seat, act))

    async def HandBackSeat(self, request: v1.HandBackSeatRequest, context: Context) -> v1.HandBackSeatResponse:  # noqa: ARG002, N802
        caller = await self.caller(request)
        seat = caller.seat_in_charge(request)
        return v1.HandBackSeatResponse(
            seat=await self.change_seat(caller, request, seat, lambda draft, now: draft.hand_back(seat, now))
        )

    async def ForfeitSeat(self, request: v1.ForfeitSeatRequest, context: Context) -> v1.ForfeitSeatResponse:  # noqa: ARG002, N802
        caller = await self.caller(request)
        seat = caller.own_seat(request)
        return v1.ForfeitSeatResponse(
            seat=await self.change_seat(caller, request, seat, lambda draft, now: draft.forfeit(seat, "resigned", now))
        )

    async def change_seat(self, caller: Caller, request: Any, seat: int, act: Callable[[Match, int], None]) -> v1.MatchSeat:
        """The seat after it."""

        def do(draft: Match, now: int) -> bytes:
            with located(lambda _: "match"):
                act(draft, now)
            return match_wire.seat_message(draft, seat).SerializeToString(deterministic=True)

        return v1.MatchSeat.FromString(await caller.session.change(do, request_key(caller.actor, request)))

    # ---- The end ----

    async def Rematch(self, request: v1.RematchRequest, context: Context) -> v1.RematchResponse:  # noqa: ARG002, N802
        caller = await self.caller(request)
        seat = None if caller.is_host else caller.own_seat(v1.PlayMoveRequest())
        header = caller.session.header

        def do(draft: Match, now: int) -> bytes:
            with located(lambda _: "match"):
                draft.check_over()
                if not draft.rematch.match:
                    check_chain(draft)
                    rotate = read_rotate(request, draft)
                    if seat is not None:
                        draft.check_setting("rematch")
                        draft.ask_rematch(seat, rotate, now)
                    if seat is None or not waited_for(draft):
                        self.registry.check_room(header.caller)
                        draw = self.registry.draws.of("rematch", draft.name)
                        setup = rematch_setup(draft, rotate or 0, draw)
                        new = NewMatch(draw_name(draw), header.account, now, setup, header.host, None, header.caller)
                        draft.begin_rematch(begun(new), rotate or 0, now)
            response = v1.RematchResponse(rematch=match_wire.rematch_message(draft))
            if seat is not None and draft.rematch.match:
                response.seat = seat_after(draft, seat, draft.rematch.rotate or 0)
            return response.SerializeToString(deterministic=True)

        response = v1.RematchResponse.FromString(await caller.session.change(do, request_key(caller.actor, request)))
        if response.HasField("seat"):
            successor = await self.registry.find(response.rematch.match)
            response.token = await claimed(successor, response.seat, request.token)
        if self.registry.settles and response.rematch.match:
            await (await self.registry.find(response.rematch.match)).settle()
        return response

    async def DeleteMatch(self, request: v1.DeleteMatchRequest, context: Context) -> v1.DeleteMatchResponse:  # noqa: ARG002, N802
        try:
            caller = await self.caller(request)
        except NoAccess:
            if await self.is_deleted(request):
                return v1.DeleteMatchResponse()
            raise
        if not caller.is_host:
            raise NoAccess
        await caller.session.delete()
        return v1.DeleteMatchResponse()

    async def is_deleted(self, request: v1.DeleteMatchRequest) -> bool:
        """Whether this very host has deleted it before."""
        stored = await self.registry.store.read(lambda storage: storage.load(request.match), caller_now())
        return stored is not None and stored.deleted and is_same(request.token, stored.header.host)


def read_rotate(request: v1.RematchRequest, match: Match) -> int | None:
    """By how many seats everybody moves on, as far as somebody has said; raises BadRequest."""
    said, seats = match.rematch.rotate, len(match.seats)
    if not request.HasField("rotate"):
        return said
    if not 0 <= request.rotate < seats:
        raise BadRequest("rotate", f"is {request.rotate}; expected 0 to {seats - 1}")
    if said is not None and said != request.rotate:
        raise BadRequest("rotate", f"is {request.rotate}; who asked first said {said}: leave it out, or say the same")
    return request.rotate


async def claimed(session: MatchSession, seat: int, token: str) -> str:
    """The token of a seat in a rematch, made of that of the same person's seat before; from now on it opens the seat."""
    result = made_token(session.match.setup.secret, token, f"claimed {seat}")
    digest = digest_of(result).hex()

    def do(draft: Match, now: int) -> bytes:
        if draft.seats[seat].token != digest:
            draft.add(now, "claimed", seat=seat, token=digest)
        return b""

    if session.match.seats[seat].token != digest:
        await session.change(do, None)
    return result


def first_answer(session: MatchSession, call: RequestKey) -> bytes:
    """Raises RequestReused."""
    known = session.answers[call.actor, call.request]
    if known.digest != call.digest:
        raise RequestReused
    return known.response


def with_tokens(match: Match, response: bytes, known_by: str) -> v1.CreateMatchResponse:
    """The answer as it went out first: tokens are made again, for none is kept."""
    result, setup = v1.CreateMatchResponse.FromString(response), match.setup
    result.host_token = made_token(setup.secret, known_by, "host")
    for number, seat in enumerate(setup.seats):
        if seat.kind == "person":
            result.seat_tokens[number] = made_token(setup.secret, known_by, f"seat {number}")
        if seat.kind == "open":
            result.code = made_code(setup.secret, known_by)
    return result
