"""TournamentService: begun, watched, cancelled, gone on with after a restart; nothing from the wire names what it must not."""

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import MessageToJson

from machiavel.clients import (
    BadBot,
    BadOption,
    BadRequest,
    Client,
    NoTournaments,
    OtherTournament,
    ServiceError,
    TooManyTournaments,
    UnknownGame,
    UnknownTournament,
    connect,
    connect_async,
)
from machiavel.server.service.wire import read_state
from machiavel.server.tournaments.game_journal import GAMES
from machiavel.v1 import Options, SequentialTest, Tournament, TournamentFormat, TournamentPlan, TournamentState, TournamentTable
from tests.server.service.hosted import Hosted, hosted
from tests.server.tournaments.running import games_of, make, play

STATE = TournamentState
OVER = {STATE.TOURNAMENT_STATE_PLAYED, STATE.TOURNAMENT_STATE_DECIDED, STATE.TOURNAMENT_STATE_CANCELLED}


def plan(deals: int = 3, bots: tuple[str, ...] = ("greedy", "random"), game: str = "whist", **more: Any) -> TournamentPlan:
    return TournamentPlan(game=game, options=Options(players=2), bots=bots, seed="7", deals=deals, **more)


SLOW = plan(5000, ("ismcts:iterations=2000", "random"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tournaments")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Hosted]:
    with hosted(tournaments=str(folder), tournament_queue=3, tournament_games=20_000) as result:
        yield result


@pytest.fixture
def service(server: Hosted) -> Iterator[Client]:
    with connect(server.address) as result:
        yield result
        for one in result.list_tournaments():
            result.delete_tournament(one.name)


def ended(service: Client, name: str) -> Tournament:
    result = [*service.watch_tournament(name, interval=0.05)][-1].tournament
    assert result.state in OVER, result
    return result


def test_a_tournament_is_begun_watched_and_told(service: Client, folder: Path, tmp_path: Path) -> None:
    begun = service.start_tournament(plan())
    assert begun.plan.seed == "7"
    assert begun.games == 6
    answers = list(service.watch_tournament(begun.name, interval=0.05))
    last = answers[-1].tournament
    assert (last.state, last.games_played) == (STATE.TOURNAMENT_STATE_PLAYED, 6)
    assert [one.bot for one in answers[-1].standings]
    results = service.tournament_results(begun.name)
    assert {one.bot for one in results.standings} == {"greedy", "random"}
    assert results.summary["games"] == 6
    play(make("whist", ["greedy", "random"], 2), tmp_path, 3)
    assert games_of(folder / begun.name) == games_of(tmp_path)


def test_any_game_comes_as_a_record_that_replays(service: Client) -> None:
    name = service.start_tournament(plan()).name
    ended(service, name)
    response = service.tournament_game(name, 2, 1)
    assert list(response.bots) == ["random", "greedy"]
    assert read_state(response.record).is_over
    with pytest.raises(BadRequest, match="has not been played"):
        service.tournament_game(name, 3)
    with pytest.raises(BadRequest, match="has not been played"):
        service.tournament_game(name, 1, 2)


def test_the_same_request_again_starts_nothing_new(service: Client) -> None:
    first = service.start_tournament(plan(), request_id="mine")
    assert service.start_tournament(plan(), request_id="mine").name == first.name
    assert len(service.list_tournaments()) == 1
    with pytest.raises(OtherTournament) as raised:
        service.start_tournament(plan(4), request_id="mine")
    assert (raised.value.code, raised.value.given) == (grpc.StatusCode.ALREADY_EXISTS, "mine")
    assert service.start_tournament(plan()).name != first.name


def test_one_that_is_cancelled_keeps_its_games_and_lets_the_next_begin(service: Client, folder: Path) -> None:
    slow, waiting = service.start_tournament(SLOW), service.start_tournament(plan())
    for answer in service.watch_tournament(slow.name, interval=0.05):
        if answer.tournament.games_played:
            break
    assert service.get_tournament(waiting.name).state == STATE.TOURNAMENT_STATE_QUEUED
    assert [one.name for one in service.list_tournaments()] == [waiting.name, slow.name]
    response = service.cancel_tournament(slow.name, timeout=60)
    assert response.state == STATE.TOURNAMENT_STATE_CANCELLED
    assert 0 < response.games_played < response.games
    assert games_of(folder / slow.name).count(b"\n") == response.games_played + 1
    assert service.cancel_tournament(slow.name).state == STATE.TOURNAMENT_STATE_CANCELLED
    assert ended(service, waiting.name).state == STATE.TOURNAMENT_STATE_PLAYED


def test_one_in_line_is_cancelled_at_once(service: Client) -> None:
    slow, waiting = service.start_tournament(SLOW), service.start_tournament(plan())
    assert service.cancel_tournament(waiting.name).state == STATE.TOURNAMENT_STATE_CANCELLED
    service.delete_tournament(slow.name, timeout=60)
    with pytest.raises(UnknownTournament):
        service.get_tournament(slow.name)


def test_the_line_is_bounded(service: Client) -> None:
    for _ in range(2):  # of three, one is left to others
        service.start_tournament(SLOW)
    with pytest.raises(TooManyTournaments) as raised:
        service.start_tournament(SLOW)
    assert raised.value.most == 3
    assert raised.value.retry_after


def test_a_test_ends_it(service: Client) -> None:
    name = service.start_tournament(plan(2000, test=SequentialTest(elo0=0, elo1=100))).name
    result = ended(service, name)
    assert result.state == STATE.TOURNAMENT_STATE_DECIDED
    assert 0 < result.decided_by_deals < 2000
    assert json.loads(MessageToJson(service.tournament_results(name).summary))["sprt"]["decision"] == "elo1"


def test_tables_are_given(service: Client) -> None:
    tables = [TournamentTable(bots=[0, 0]), TournamentTable(bots=[1, 0])]
    begun = service.start_tournament(plan(2, tables=tables, format=TournamentFormat.TOURNAMENT_FORMAT_TABLES))
    assert begun.games == 4
    ended(service, begun.name)
    assert list(service.tournament_game(begun.name, 1, 1).bots) == ["random", "greedy"]


@pytest.mark.parametrize(
    ("request_of", "error", "field"),
    [
        (plan(game="chess"), UnknownGame, "plan.game"),
        (plan(0), BadRequest, "plan.deals"),
        (plan(10_001), BadRequest, "plan.deals"),
        (plan(bots=("greedy", "clever")), BadBot, "plan.bots[1]"),
        (plan(bots=("grpc://127.0.0.1:7788/greedy", "greedy")), BadBot, "plan.bots[0]"),
        (plan(bots=("process:touch /tmp/machiavel-was-here", "greedy")), BadBot, "plan.bots[0]"),
        (plan(bots=("ismcts:megabytes=65", "greedy")), BadBot, "plan.bots[0]"),
        (plan(bots=(f"ismcts:iterations={'0' * 300}1", "greedy")), BadBot, "plan.bots[0]"),
        (plan(bots=("ismcts@61s", "greedy")), BadBot, "plan.bots[0]"),
        (plan(bots=("ismcts@0s", "greedy")), BadOption, "plan.bots[0]"),
        (plan(bots=("greedy", "greedy")), BadOption, "plan.bots"),
        (plan(bots=()), BadOption, "plan.bots"),
        (plan(format=9), BadRequest, "plan.format"),
        (plan(seatings=9), BadRequest, "plan.seatings"),
        (plan(sample=7), BadOption, "plan.sample"),
        (plan(format=TournamentFormat.TOURNAMENT_FORMAT_TABLES), BadOption, "plan.tables"),
        (plan(test=SequentialTest(elo0=5, elo1=0)), BadRequest, "plan.test.elo1"),
        (plan(bots=("greedy",), test=SequentialTest(elo0=0, elo1=5)), BadRequest, "plan.test"),
        (TournamentPlan(game="whist", options=Options(players=9), bots=["greedy"], deals=1), BadOption, "plan.options.players"),
        (TournamentPlan(game="whist", options=Options(players=2), bots=["greedy"], deals=1, seed="-"), BadRequest, "plan.seed"),
    ],
)
def test_what_cannot_be_played_is_refused_by_its_field(
    request_of: TournamentPlan, error: type[ServiceError], field: str, service: Client, folder: Path
) -> None:
    before = sorted(folder.iterdir())
    with pytest.raises(error) as raised:
        service.start_tournament(request_of)
    assert list(raised.value.fields) == [field]
    assert sorted(folder.iterdir()) == before
    assert not Path("/tmp/machiavel-was-here").exists()  # noqa: S108


@pytest.mark.parametrize("name", ["", "nothing", "../tournaments", "/etc"])
def test_a_name_that_is_none_is_unknown(name: str, service: Client) -> None:
    for call in (service.get_tournament, service.cancel_tournament, service.delete_tournament, service.tournament_results):
        with pytest.raises(UnknownTournament):
            call(name)
    with pytest.raises(UnknownTournament):
        list(service.watch_tournament(name))


def test_a_request_id_is_short_and_an_interval_long_enough(service: Client) -> None:
    with pytest.raises(BadRequest, match="at most 64"):
        service.start_tournament(plan(), request_id="x" * 65)
    name = service.start_tournament(plan()).name
    with pytest.raises(BadRequest, match="interval"):
        list(service.watch_tournament(name, interval=0.01))


def test_a_tournament_goes_on_when_the_server_is_started_again(tmp_path: Path) -> None:
    whole = plan(60, ("ismcts:iterations=200", "random"))
    with hosted(tournaments=str(tmp_path / "tournaments")) as first, connect(first.address) as service:
        name = service.start_tournament(whole).name
        until_played(service, name, 2)
    kept = games_of(tmp_path / "tournaments" / name)
    with hosted(tournaments=str(tmp_path / "tournaments")) as second, connect(second.address) as service:
        assert service.get_tournament(name).plan == whole_of(service, name)
        assert ended(service, name).state == STATE.TOURNAMENT_STATE_PLAYED
    play(make("whist", ["ismcts:iterations=200", "random"], 2), tmp_path / "alone", 60)
    assert games_of(tmp_path / "tournaments" / name) == games_of(tmp_path / "alone")
    assert set(kept.splitlines()) <= set(games_of(tmp_path / "alone").splitlines())
    with hosted(tournaments=str(tmp_path / "tournaments")) as third, connect(third.address) as service:
        assert service.tournament_results(name).summary["games"] == 120
        assert service.tournament_results(name).standings


def whole_of(service: Client, name: str) -> TournamentPlan:
    return next(one.plan for one in service.list_tournaments() if one.name == name)


def until_played(service: Client, name: str, games: int) -> None:
    end = time.monotonic() + 60
    while service.get_tournament(name).games_played < games:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_tournaments_belong_to_the_name_of_a_token(tmp_path: Path) -> None:
    (tmp_path / "tokens.toml").write_text('[tokens]\nanna = "0123456789abcdef"\nbert = "fedcba9876543210"\n')
    with (
        hosted(tournaments=str(tmp_path / "tournaments"), tokens=str(tmp_path / "tokens.toml")) as server,
        connect(server.address, token="0123456789abcdef") as anna,  # noqa: S106
        connect(server.address, token="fedcba9876543210") as bert,  # noqa: S106
    ):
        name = anna.start_tournament(plan(), request_id="same").name
        with pytest.raises(UnknownTournament):
            bert.get_tournament(name)
        assert list(bert.list_tournaments()) == []
        assert bert.start_tournament(plan(), request_id="same").name != name


def test_a_server_without_a_folder_keeps_none() -> None:
    with hosted() as server, connect(server.address) as service:
        for call in (lambda: service.start_tournament(plan()), service.list_tournaments):
            with pytest.raises(NoTournaments) as raised:
                call()
            assert raised.value.code == grpc.StatusCode.FAILED_PRECONDITION


def test_the_client_for_asyncio_does_the_same(server: Hosted) -> None:
    async def work() -> None:
        async with connect_async(server.address) as service:
            begun = await service.start_tournament(plan())
            answers = [answer async for answer in service.watch_tournament(begun.name, interval=0.05)]
            assert answers[-1].tournament.state == STATE.TOURNAMENT_STATE_PLAYED
            assert (await service.get_tournament(begun.name)).games_played == 6
            assert [one.name for one in await service.list_tournaments()] == [begun.name]
            assert (await service.tournament_results(begun.name)).summary["games"] == 6
            assert (await service.tournament_game(begun.name, 0)).record.moves
            assert (await service.cancel_tournament(begun.name)).state == STATE.TOURNAMENT_STATE_PLAYED
            await service.delete_tournament(begun.name)
            with pytest.raises(UnknownTournament):
                await service.get_tournament(begun.name)

    asyncio.run(work())


def test_what_a_folder_holds_besides_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "tournament.json").write_text("{")
    with hosted(tournaments=str(tmp_path)) as server, connect(server.address) as service:
        assert list(service.list_tournaments()) == []
        name = service.start_tournament(plan()).name
        ended(service, name)
        (tmp_path / name / GAMES).write_bytes(b"damaged\n" * 3)
    with hosted(tournaments=str(tmp_path)) as server, connect(server.address) as service:
        assert service.get_tournament(name).state == STATE.TOURNAMENT_STATE_PLAYED
    assert (tmp_path / "broken" / "tournament.json").read_text() == "{"
