"""Both faces of the client have one shape, take and give messages, and get along with servers of another release."""

import asyncio
import inspect
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from machiavel.clients import AsyncClient, Client, IllegalMove, NoTime, ServiceError, ShuttingDown, connect, connect_async
from machiavel.clients.errors import from_call
from machiavel.clients.status_pb2 import Status
from machiavel.server.cli.server_connection import recommendation_of
from machiavel.v1 import ListGamesResponse, Move, Options, Recommendation, RecommendMoveResponse, State, StopReason, View
from tests.server.service.hosted import Hosted, hosted

GARBLED = Status()
GARBLED.details.add(type_url="x/google.rpc.ErrorInfo", value=b"\xff")
PUBLIC = [name for name, _ in inspect.getmembers(Client, inspect.isfunction) if not name.startswith("_")]


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(web="127.0.0.1:0") as result:
        yield result


@pytest.fixture(params=["grpc", "http"])
def address(request: pytest.FixtureRequest, server: Hosted) -> str:
    """Of the same server, by either of its doors."""
    return server.address if request.param == "grpc" else str(server.server.web_address)


def test_both_faces_have_the_same_methods_with_the_same_parameters() -> None:
    for name in PUBLIC:
        here, there = (inspect.signature(getattr(kind, name)) for kind in (Client, AsyncClient))
        assert list(here.parameters.values()) == list(there.parameters.values())
        returned = str(there.return_annotation)
        if "AsyncGenerator" in returned:
            returned = returned.replace("AsyncGenerator", "Generator").replace("]", ", None]")
        returned = returned.replace("aio_sessions.Async", "sessions.")
        assert returned == str(here.return_annotation)
        assert getattr(Client, name).__doc__ == getattr(AsyncClient, name).__doc__
    assert set(PUBLIC) >= {"list_games", "new_state", "legal_moves", "apply_move", "get_view", "recommend_move", "analyze_moves"}


def test_a_match_from_plain_code(address: str) -> None:
    with connect(address) as service:
        state = service.new_state("whist", 3, seed=7)
        while not state.over:
            answer = service.recommend_move(state, bot="greedy")
            state = service.apply_move(state, answer.move.text).state
    assert sum(state.utilities) == pytest.approx(1)


def test_the_same_match_from_asyncio(address: str) -> None:
    async def play() -> State:
        async with connect_async(address) as service:
            state = await service.new_state("whist", Options(players=3), seed=7)
            while not state.over:
                view = await service.get_view(state, state.seat_to_move)
                answer = await service.recommend_move(view, bot="greedy")
                state = (await service.apply_move(state, answer.move.text)).state
            assert await service.get_state(state) == state
            with pytest.raises(IllegalMove):
                await service.apply_move((await service.new_state("whist", 2, seed=1)), "H2")
            return state

    with connect(address) as service:
        state = service.new_state("whist", 3, seed=7)
        while not state.over:
            state = service.apply_move(state, service.recommend_move(state, bot="greedy").move.text).state
    assert asyncio.run(play()) == state


def test_streams_are_iterators_of_either_kind(address: str) -> None:
    async def finals() -> list[bool]:
        async with connect_async(address) as service:
            state = await service.new_state("bond", 3, seed=7)
            return [answer.final async for answer in service.analyze_moves(state, bot="ismcts:seed=1", iterations=100)]

    with connect(address) as service:
        state = service.new_state("bond", 3, seed=7)
        assert next(iter(service.analyze_moves(state, seconds=20, interval=0.02))).final in {False, True}
    assert asyncio.run(finals())[-1] is True


def test_cancelling_a_task_cancels_its_call(server: Hosted, address: str) -> None:
    async def begun() -> None:
        while not server.server.search_queue.running:
            await asyncio.sleep(0.005)

    async def scenario() -> None:
        async with connect_async(address) as service:
            state = await service.new_state("agency", 3, seed=7)
            task = asyncio.create_task(service.recommend_move(state, bot="ismcts", seconds=50))
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(begun(), server.loop))
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(scenario())

    async def idle() -> bool:
        while server.server.search_queue.running:
            await asyncio.sleep(0.005)
        return True

    assert server.run(idle())


def test_threads_may_share_a_client(address: str) -> None:
    with connect(address) as service, ThreadPoolExecutor(4) as pool:
        states = list(pool.map(lambda seed: service.new_state("whist", 3, seed=seed), range(20)))
    assert [state.record.seed for state in states] == [str(seed) for seed in range(20)]


# ---- Servers that are not ours ----


class Other:
    """A server that answers with bytes of its own, call by call."""

    def __init__(self, *answers: bytes | grpc.StatusCode) -> None:
        self.answers = list(answers)
        self.asked = 0
        self.lock = threading.Lock()
        self.server = grpc.server(ThreadPoolExecutor(2), handlers=[self])  # type: ignore[list-item]
        self.port = self.server.add_insecure_port("127.0.0.1:0")

    def service(self, details: Any) -> Any:
        return grpc.unary_unary_rpc_method_handler(self.answer)

    def answer(self, _: bytes, context: grpc.ServicerContext) -> bytes:
        with self.lock:
            answer = self.answers[min(self.asked, len(self.answers) - 1)]
            self.asked += 1
        if isinstance(answer, bytes):
            return answer
        context.abort(answer, "not now")
        raise AssertionError

    def __enter__(self) -> Client:
        self.server.start()
        self.client = connect(f"127.0.0.1:{self.port}")
        return self.client

    def __exit__(self, *_: object) -> None:
        self.client.close()
        self.server.stop(None).wait()


def test_values_it_does_not_know_are_no_matter() -> None:
    known = RecommendMoveResponse(
        move=Move(text="H2"), recommendation=Recommendation(best=Move(text="H2"), stopped=StopReason.STOP_REASON_TIME)
    )
    later = known.SerializeToString().replace(b"\x50\x03", b"\x50\x63")  # `stopped` is 99
    with Other(later) as service:
        recommendation = service.recommend_move(View()).recommendation
    assert (recommendation.stopped, recommendation.best.text) == (99, "H2")
    assert recommendation_of(recommendation).stopped == "unspecified"


@pytest.mark.parametrize("details", [b"\xff", GARBLED.SerializeToString()])
def test_details_it_cannot_read_are_no_matter(details: bytes) -> None:
    class Call(grpc.RpcError):
        def code(self) -> grpc.StatusCode:
            return grpc.StatusCode.INTERNAL

        def details(self) -> str:
            return "what a proxy says"

        def trailing_metadata(self) -> Any:
            return (("grpc-status-details-bin", details),)

    error = from_call(Call())
    assert (type(error), str(error), error.reason) == (ServiceError, "what a proxy says", "")


def test_fields_it_does_not_know_are_no_matter() -> None:
    known = ListGamesResponse()
    known.games.add(name="whist", players=[2, 3])
    unknown = b"\xca\x3e\x05later"  # field 1001, a text
    inner = known.games[0].SerializeToString() + unknown
    with Other(b"\x0a" + bytes([len(inner)]) + inner + unknown) as service:
        (game,) = service.list_games()
    assert (game.name, list(game.players)) == ("whist", [2, 3])


def test_a_server_that_is_away_for_a_moment_is_asked_again() -> None:
    other = Other(grpc.StatusCode.UNAVAILABLE, ListGamesResponse().SerializeToString())
    with other as service:
        assert list(service.list_games()) == []
    assert other.asked == 2


@pytest.mark.parametrize("code", [grpc.StatusCode.INTERNAL, grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNKNOWN])
def test_nothing_else_is_asked_again(code: grpc.StatusCode) -> None:
    other = Other(code)
    with other as service, pytest.raises(ServiceError) as caught:
        service.list_games()
    assert other.asked == 1
    assert (caught.value.code, caught.value.reason, str(caught.value)) == (code, "", "not now")


def test_a_server_that_does_not_answer_ends_with_the_deadline() -> None:
    with hosted() as silent, connect(silent.address) as service:
        state = service.new_state("agency", 3, seed=1)
        with pytest.raises((NoTime, ShuttingDown)):
            service.recommend_move(state, timeout=0.0001)
