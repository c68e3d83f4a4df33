"""A rehearsal: all that a server draws, and when its bots move, is the same each time, for tests that run side by side."""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from machiavel import v1
from machiavel.clients import connect
from machiavel.server.service.config import BadConfig, load_config
from machiavel.v1.bot_service_pb2_grpc import BotServiceStub
from machiavel.v1.game_service_pb2_grpc import GameServiceStub
from machiavel.v1.match_service_pb2_grpc import MatchServiceStub
from tests.engines.games import INSTALLED, players_of
from tests.server.service.hosted import hosted
from tests.server.service.match_calls import BOT, OPEN, PERSON, over

WAIT = 120


def rehearsal(seed: int = 7) -> Any:
    return hosted(rehearsal=str(seed), storage="")


def played(address: str, game: str) -> list[bytes]:
    """All that comes back for one match, a hint, a rematch, advice and an error."""
    with grpc.insecure_channel(address) as channel:
        matches, games, bots = MatchServiceStub(channel), GameServiceStub(channel), BotServiceStub(channel)
        told: list[Any] = []

        def ask(call: Any, request: Any) -> Any:
            answer = call(request, timeout=WAIT)
            told.append(answer)
            return answer

        others = [v1.SeatSetup(kind=BOT, bot="level2" if seat % 2 else "random") for seat in range(players_of(game) - 1)]
        made = ask(
            matches.CreateMatch,
            v1.CreateMatchRequest(
                game=game,
                seats=[v1.SeatSetup(kind=OPEN), *others],
                settings=v1.MatchSettings(hints=True, rematch=True),
                request_id=f"rehearsed-{game:-<16}",
            ),
        )
        joined = ask(matches.JoinMatch, v1.JoinMatchRequest(code=made.code))
        own = {"match": joined.match, "token": joined.token}
        rng = random.Random(game)
        while not over(shown := ask(matches.GetMatch, v1.GetMatchRequest(**own)).snapshot):
            assert shown.position.moves  # no bot is on its way
            if len(told) < 6:
                ask(matches.HintMove, v1.HintMoveRequest(**own))
            ask(matches.PlayMove, v1.PlayMoveRequest(**own, move=rng.choice(shown.position.moves).text))
        ask(matches.Rematch, v1.RematchRequest(**own))
        state = ask(games.NewState, v1.NewStateRequest(game=game, options=v1.Options(players=players_of(game)))).state
        ask(bots.RecommendMove, v1.RecommendMoveRequest(record=state.record, bot="random"))
        ask(bots.RecommendMove, v1.RecommendMoveRequest(record=state.record))
        with pytest.raises(grpc.RpcError) as refused:
            matches.GetMatch(v1.GetMatchRequest(match=joined.match, token=made.match.match), timeout=WAIT)
        error: Any = refused.value
        trailers = dict(error.trailing_metadata())
        return [one.SerializeToString(deterministic=True) for one in told] + [trailers["grpc-status-details-bin"]]


def test_matches_side_by_side_are_the_same_as_one_after_the_other() -> None:
    with rehearsal() as server, ThreadPoolExecutor(len(INSTALLED)) as together:
        side_by_side = dict(zip(INSTALLED, together.map(lambda game: played(server.address, game), INSTALLED), strict=True))
    with rehearsal() as server:
        one_by_one = {game: played(server.address, game) for game in reversed(INSTALLED)}
    assert side_by_side == one_by_one


def test_another_seed_is_another_rehearsal() -> None:
    with rehearsal(7) as first, rehearsal(8) as second:
        one, other = (played(server.address, "kuhn") for server in (first, second))
    assert one[0] != other[0] and one[1] != other[1]


def test_without_ids_matches_are_told_apart_by_their_order() -> None:
    made = []
    for _ in range(2):
        with rehearsal() as server, connect(server.address) as service:
            request = v1.CreateMatchRequest(game="whist", seats=[v1.SeatSetup(kind=PERSON)] * 2)
            made.append([service.matches.CreateMatch(request) for _ in range(2)])
    assert made[0] == made[1]
    first, second = made[0]
    assert first.match.match != second.match.match and first.host_token != second.host_token


def test_bots_have_moved_when_a_call_is_answered_and_a_match_of_bots_is_over() -> None:
    with rehearsal() as server, connect(server.address) as service:
        host = service.create_match("whist", ["level1", "greedy"], think=30.0)
        assert over(host.get())
        session = service.create_match("whist", ["greedy", "greedy", "person"], practice=True).at(2)
        first = session.get().position
        assert first.moves
        session.play(first.moves[0].text)
        assert session.get().position.moves
        assert session.take_back().taken_back.ply == first.ply


def test_time_stands_still_and_an_analysis_is_one_answer() -> None:
    with rehearsal() as server, connect(server.address) as service:
        session = service.create_match("whist", ["person", "person"], move_time=60.0)
        assert session.created.create_time.ToJsonString() == "2026-01-01T00:00:00Z"
        state = service.new_state("whist", 3, seed=1)
        (answer,) = service.analyze_moves(state, seconds=30.0, interval=0.02)
        assert answer.final and answer.recommendation.iterations == 200
        assert not answer.elapsed.ToNanoseconds()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rehearsal": "seven"}, "rehearsal: is 'seven'; expected a whole number from 0"),
        ({"rehearsal": "7", "listen": "0.0.0.0:7788", "plaintext": True}, "listen: 0.0.0.0:7788 can be reached"),
        ({"rehearsal": "7", "web": "192.0.2.1:7789", "plaintext": True}, "web: 192.0.2.1:7789 can be reached"),
        ({"rehearsal": "7", "storage": "sqlite:///kept.sqlite3"}, "storage: sqlite:///kept.sqlite3 is kept"),
    ],
)
def test_it_is_for_this_machine_and_keeps_nothing(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(BadConfig) as caught:
        load_config(settings, {})
    assert str(caught.value).startswith(message) and "expected" in str(caught.value)
