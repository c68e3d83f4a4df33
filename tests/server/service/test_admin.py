"""AdminService: who uses what, the end of what must end, people's data, read-only and draining; for the operator alone."""

import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from machiavel.clients import (
    AdminClient,
    BadRequest,
    Client,
    Draining,
    HostSession,
    NoAccess,
    NotAdmin,
    NoTournaments,
    NotStarted,
    ReadOnly,
    SeatSession,
    UnknownMethod,
    UnknownTournament,
    connect,
    connect_admin,
)
from machiavel.server.service.config import BadConfig
from machiavel.v1 import MatchPhase, Options, SeatKind, SeatSetup, TournamentPlan, TournamentState
from tests.server.service.hosted import Hosted, config, hosted
from tests.server.web.http_calls import at, call, reason_of

TOKENS = '[tokens]\nanna = "0123456789abcdef"\nbert = "fedcba9876543210"\nroot = "rootrootrootroot"\n'
ANNA, BERT, ROOT = "0123456789abcdef", "fedcba9876543210", "rootrootrootroot"
SERVING = health_pb2.HealthCheckResponse.SERVING
PLAN = TournamentPlan(game="whist", options=Options(players=2), bots=["ismcts:iterations=2000", "random"], seed="7", deals=5000)


class Served:
    """A server with an operator's socket, and who calls it."""

    def __init__(self, server: Hosted, folder: Path) -> None:
        self.server = server
        self.socket = folder / "admin.sock"
        self.address = server.address

    def client(self, token: str) -> Client:
        return connect(self.address, token=token)

    def admin(self) -> AdminClient:
        return connect_admin(f"unix:{self.socket}")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("admin")
    (folder / "tokens.toml").write_text(TOKENS)
    with hosted(
        admin=f"unix:{folder / 'admin.sock'}",
        admin_names="root",
        tokens=str(folder / "tokens.toml"),
        storage=f"sqlite:///{folder / 'matches.sqlite3'}",
        tournaments=str(folder / "tournaments"),
        web="127.0.0.1:0",
    ) as server:
        yield Served(server, folder)


@pytest.fixture
def admin(served: Served) -> Iterator[AdminClient]:
    with served.admin() as result:
        yield result
        result.set_read_only(False)
        result.set_draining(False)
        for name in ("anna", "bert"):
            result.erase_account(name)


@pytest.fixture
def anna(served: Served) -> Iterator[Client]:
    with served.client(ANNA) as result:
        yield result


def named(name: str) -> SeatSetup:
    return SeatSetup(kind=SeatKind.SEAT_KIND_PERSON, name=name)


def table(service: Client, name: str = "Clara", **more: Any) -> tuple[HostSession, SeatSession]:
    """A match of somebody of that name against a bot."""
    host = service.create_match("whist", [named(name), "greedy"], **more)
    return host, host.at(0)


def test_the_socket_is_its_owners_alone_and_is_gone_with_the_server(tmp_path: Path) -> None:
    path = tmp_path / "admin.sock"
    with hosted(admin=f"unix:{path}") as server:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with connect_admin(f"unix:{path}") as admin:
            assert admin.status().uptime.ToTimedelta().total_seconds() > 0
        with pytest.raises(BadConfig, match="another server listens"), hosted(admin=f"unix:{path}"):
            pass
        assert server.address
    assert not path.exists()
    (tmp_path / "file").write_text("mine")
    with pytest.raises(BadConfig, match="is no socket"), hosted(admin=f"unix:{tmp_path / 'file'}"):
        pass
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"admin": "admin.sock"}, "expected unix:PATH"),
        ({"admin": f"unix:/{'x' * 120}"}, "at most 100"),
        ({"admin_names": "root"}, "without tokens"),
    ],
)
def test_a_way_in_that_cannot_be_is_told_at_once(settings: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadConfig, match=problem):
        config(**settings)


@pytest.mark.parametrize(
    ("names", "guests", "problem"),
    [
        ("rooot", False, "is named 'rooot'; expected some of anna, bert, root"),
        ("root, rooot", False, "'rooot'"),
        ("guest", False, "'guest'"),
        ("guest", True, "whoever comes without a token"),
    ],
)
def test_an_operator_that_nobody_or_everybody_can_be_is_refused_at_once(
    tmp_path: Path, names: str, guests: bool, problem: str
) -> None:
    (tmp_path / "tokens.toml").write_text(TOKENS)
    with (
        pytest.raises(BadConfig, match=problem),
        hosted(admin_names=names, guests=guests, tokens=str(tmp_path / "tokens.toml")),
    ):
        pass


def test_tokens_without_that_of_an_operator_are_not_taken_over(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(TOKENS)
    with hosted(admin_names="root", tokens=str(tokens)) as server:
        tokens.write_text("".join(line for line in TOKENS.splitlines(keepends=True) if not line.startswith("root")))
        assert not server.run(server.server.reload())
        with connect_admin(server.address, token=ROOT) as root:
            assert root.status().version


def test_only_an_operators_token_opens_it_over_the_port_and_nothing_does_at_the_web_door(served: Served) -> None:
    with connect_admin(served.address, token=ROOT) as root:
        assert root.status().version
    with connect_admin(served.address, token=ANNA) as anna:
        for ask in (
            anna.status,
            lambda: anna.end_match("x"),
            lambda: anna.erase_account("bert"),
            lambda: anna.set_draining(True),
        ):
            with pytest.raises(NotAdmin):
                ask()
    answer = call(at(served.server), "AdminService/GetStatus", authorization=f"Bearer {ROOT}")
    assert reason_of(answer.json) == "UNKNOWN_METHOD"
    with hosted() as plain, connect_admin(plain.address) as nobody, pytest.raises(UnknownMethod):
        nobody.status()


def test_who_uses_what_is_told(served: Served, admin: AdminClient, anna: Client) -> None:
    table(anna)
    anna.start_tournament(PLAN)
    status = admin.status()
    used = {one.name: {caller.caller: caller.used for caller in one.callers} for one in status.resources}
    assert used["tournaments"] == {"anna": 1}
    assert used["matches"] == {"anna": 1}
    assert (status.matches, status.tournaments) == (1, 1)
    assert {one.name for one in status.resources} >= {"calls", "tournaments", "tournaments_kept"}


def test_matches_of_all_accounts_are_listed_page_by_page_and_without_secrets(served: Served, admin: AdminClient) -> None:
    with served.client(ANNA) as anna, served.client(BERT) as bert:
        for service in (anna, bert, anna):
            table(service)
        listed = list(admin.matches())
        assert [one.account for one in listed] == ["anna", "bert", "anna"]
        assert [one.account for one in admin.matches("bert")] == ["bert"]
        assert not list(admin.matches(phase=MatchPhase.MATCH_PHASE_OVER))
        assert {one.match.match for one in admin.matches("bert")} == {one.match for one in bert.list_matches()}


def test_a_match_is_ended_with_equal_shares_and_its_watchers_are_told(admin: AdminClient, anna: Client) -> None:
    host, seat = table(anna)
    seen: list[Any] = []
    watching = threading.Thread(target=lambda: seen.extend(seat.watch()))
    watching.start()
    ended = admin.end_match(host.match)
    watching.join(30)
    assert not watching.is_alive()
    assert (ended.account, ended.match.phase) == ("anna", MatchPhase.MATCH_PHASE_OVER)
    assert list(ended.match.utilities) == [0.5, 0.5]
    assert admin.end_match(host.match).match.phase == MatchPhase.MATCH_PHASE_OVER
    admin.remove_match(host.match)
    admin.remove_match(host.match)
    with pytest.raises(NoAccess):
        host.get()
    with pytest.raises(NoAccess):
        admin.remove_match("nothing")


def test_a_match_that_waits_for_people_can_only_be_removed(admin: AdminClient, anna: Client) -> None:
    host = anna.create_match("whist", [named("Clara"), "open"])
    with pytest.raises(NotStarted):
        admin.end_match(host.match)
    admin.remove_match(host.match)
    assert not list(anna.list_matches())


def test_tournaments_of_all_accounts_are_listed_ended_and_removed(served: Served, admin: AdminClient, anna: Client) -> None:
    name = anna.start_tournament(PLAN).name
    assert [(one.account, one.tournament.name) for one in admin.tournaments()] == [("anna", name)]
    assert not admin.tournaments("bert")
    until = time.monotonic() + 60
    while not anna.get_tournament(name).machine_time.ToTimedelta():  # it waits for its turn
        assert time.monotonic() < until
        time.sleep(0.05)
    ended = admin.end_tournament(name)
    assert ended.tournament.state == TournamentState.TOURNAMENT_STATE_CANCELLED
    assert ended.tournament.machine_time.ToTimedelta().total_seconds() > 0
    assert anna.get_tournament(name).state == TournamentState.TOURNAMENT_STATE_CANCELLED
    admin.remove_tournament(name)
    with pytest.raises(UnknownTournament):
        admin.end_tournament(name)
    with hosted(admin=f"unix:{served.socket}2"), connect_admin(f"unix:{served.socket}2") as other, pytest.raises(NoTournaments):
        other.tournaments()


def test_of_an_account_that_is_erased_nothing_is_left(served: Served, admin: AdminClient) -> None:
    with served.client(ANNA) as anna, served.client(BERT) as bert:
        kept, _ = table(bert)
        host, _ = table(anna, request_id="anna-asked-for-this-one")
        gone, _ = table(anna)
        gone.delete()
        anna.start_tournament(PLAN)
        counted = admin.erase_account("anna", dry_run=True)
        assert (counted.matches, counted.tournaments) == (2, 1)
        assert len(list(anna.list_matches())) == 1
        assert admin.erase_account("anna") == counted
        assert not list(anna.list_matches())
        assert not anna.list_tournaments()
        assert admin.erase_account("anna").matches == 0
        with pytest.raises(NoAccess):
            host.get()
        assert table(anna, request_id="anna-asked-for-this-one")[0].match != host.match
        assert kept.get().match.match == kept.match


def test_a_persons_name_is_taken_out_everywhere_and_the_match_goes_on(served: Served, admin: AdminClient, anna: Client) -> None:
    host, seat = table(anna, "Wilhelmine", request_id="a-request-that-comes-again")
    open_host = anna.create_match("whist", [named("Clara"), "open"])
    joined = anna.join_match(open_host.code, name="Wilhelmine")
    other, _ = table(anna, "Wilhelmina")
    assert admin.erase_person("Wilhelmine", dry_run=True).renamed == 2
    assert admin.erase_person("Wilhelmine").renamed == 2
    assert admin.erase_person("Wilhelmine").renamed == 0
    names = [one.name for match in anna.list_matches() for one in match.seats]
    assert "Wilhelmine" not in names
    assert "Wilhelmina" in names
    assert "Clara" in names
    assert not seat.get().match.seats[0].name
    assert not joined.get().match.seats[1].name
    again, _ = table(anna, "Wilhelmine", request_id="a-request-that-comes-again")
    assert again.match == host.match
    seat.play(seat.get().position.moves[0].text)
    assert other.get().match.seats[0].name == "Wilhelmina"


@pytest.mark.parametrize("empty", ["account", "person", ""])
def test_nobody_is_erased_without_a_name(empty: str, admin: AdminClient) -> None:
    with pytest.raises(BadRequest):
        (admin.erase_person if empty == "person" else admin.erase_account)("")


def test_a_server_that_is_read_only_says_so_and_changes_nothing(served: Served, admin: AdminClient, anna: Client) -> None:
    host, seat = table(anna, request_id="answered-before-the-change")
    before = seat.get()
    move = before.position.moves[0].text
    mode = admin.set_read_only(True, "a new disk")
    assert (mode.read_only, mode.reason) == (True, "a new disk")
    calls: list[Callable[[], object]] = [
        lambda: seat.play(move, timeout=0.1),
        lambda: anna.create_match("whist", ["person", "greedy"], timeout=0.1),
        lambda: anna.start_tournament(PLAN),
        lambda: host.delete(timeout=0.1),
        lambda: admin.erase_account("anna"),
        lambda: admin.remove_match(host.match),
    ]
    for ask in calls:
        with pytest.raises(ReadOnly, match="a new disk") as raised:
            ask()
        assert (raised.value.code, raised.value.retry_after) == (grpc.StatusCode.UNAVAILABLE, 2.0)
    assert seat.get() == before
    assert table(anna, request_id="answered-before-the-change")[0].match == host.match
    assert anna.recommend_move(before.position.view, iterations=20).move.text
    assert admin.status().mode.read_only
    admin.set_read_only(False)
    seat.play(move)


def test_bots_clocks_and_tournaments_stand_still_while_a_server_is_read_only(
    served: Served, admin: AdminClient, anna: Client
) -> None:
    name = anna.start_tournament(PLAN).name
    until(lambda: anna.get_tournament(name).games_played > 0)
    host = anna.create_match("whist", ["greedy", "greedy"], think=0.3)
    timed, _ = table(anna, move_time=1.5)
    admin.set_read_only(True)
    stood, games = host.get().version, anna.get_tournament(name).games_played
    folder = served.socket.parent
    sizes = {path: path.stat().st_size for path in [*folder.glob("matches.sqlite3*"), *(folder / "tournaments").glob("*/*")]}
    time.sleep(1.7)
    assert host.get().version == stood
    assert not timed.get().match.seats[0].forfeited
    assert anna.get_tournament(name).games_played == games
    assert {path: path.stat().st_size for path in sizes} == sizes
    admin.set_read_only(False)
    assert not timed.get().match.seats[0].forfeited
    until(lambda: host.get().version > stood)
    until(lambda: anna.get_tournament(name).games_played > games)
    until(lambda: timed.get().match.seats[0].forfeited)


def until(is_so: Any) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_server_that_drains_takes_nothing_new_and_plays_on(served: Served, admin: AdminClient, anna: Client) -> None:
    with grpc.insecure_channel(served.address) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        watched = health.Watch(health_pb2.HealthCheckRequest())
        assert next(watched).status == SERVING
        _, seat = table(anna)
        answer = admin.set_draining(True)
        assert (answer.mode.draining, answer.matches, answer.tournaments) == (True, 1, 0)
        assert next(watched).status != SERVING
        assert health.Check(health_pb2.HealthCheckRequest()).status != SERVING
        for ask in (lambda: table(anna, timeout=0.1), lambda: anna.start_tournament(PLAN)):
            with pytest.raises(Draining):
                ask()
        seat.play(seat.get().position.moves[0].text)
        admin.set_draining(False)
        assert next(watched).status == SERVING
        assert health.Check(health_pb2.HealthCheckRequest()).status == SERVING
        table(anna)


def test_a_reason_is_short(admin: AdminClient) -> None:
    with pytest.raises(BadRequest, match="at most 200"):
        admin.set_read_only(True, "x" * 201)
    assert not admin.status().mode.read_only
