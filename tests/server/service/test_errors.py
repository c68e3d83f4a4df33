"""Every error carries its code, its name, its fields, and the place in the request that is wrong."""

from base64 import b64encode
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import BadRequest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from machiavel import clients, engines
from machiavel.clients import Client, ServiceError, connect, errors
from machiavel.engines.errors import Problem
from machiavel.search import BadBot
from machiavel.server import operating_mode
from machiavel.server.matches import hosting_errors as hosting
from machiavel.server.service import refusals, status
from machiavel.server.service.app import SERVICES
from machiavel.server.service.messages import struct_of
from machiavel.server.service.wire import state_message
from machiavel.server.storage import StorageFailed
from machiavel.server.tournaments import tournament_registry
from machiavel.v1 import (
    AgencyOptions,
    AnalyzeMovesRequest,
    ApplyMoveRequest,
    BondLayout,
    BondOptions,
    CitadelOptions,
    CreateMatchRequest,
    Deck,
    ErrorReason,
    Layout,
    Limits,
    NewStateRequest,
    Options,
    RecommendMoveRequest,
    Record,
    SeatSetup,
    State,
    View,
    WhistView,
)
from tests.search.positions import states
from tests.server.service.failures import failure
from tests.server.service.hosted import Hosted, hosted

WHIST = next(states("whist", seed=12, players=3))
MATCH = state_message(WHIST)
OVER = engines.load("whist").new(2, seed=1)
while not OVER.is_over:
    OVER.play(OVER.legal_moves()[0])
HELD = WHIST.legal_moves()
ABSENT = next(
    card
    for card in ("H2", "C2", "D2", "S2", "HA", "CA", "DA", "SA", "HK")
    if card not in WHIST.view(WHIST.seat_to_move).to_json()["view"]["hand"]
)


def changed(**fields: Any) -> Record:
    record = Record()
    record.CopyFrom(MATCH.record)
    for name, value in fields.items():
        if name == "moves":
            record.moves.append(value)
        else:
            setattr(record, name, value)
    return record


def asked(**fields: Any) -> Callable[[Client], object]:
    """RecommendMove with fields as they are."""
    return lambda service: service.bots.RecommendMove(RecommendMoveRequest(record=MATCH.record, **fields), timeout=10)


def analysed(**fields: Any) -> Callable[[Client], object]:
    return lambda service: list(service.bots.AnalyzeMoves(AnalyzeMovesRequest(record=MATCH.record, **fields), timeout=10))


def new(game: str = "whist", players: int = 3, **fields: Any) -> Callable[[Client], object]:
    return lambda service: service.games.NewState(
        NewStateRequest(game=game, options=fields.pop("options", Options(players=players)), **fields), timeout=10
    )


def replay(**fields: Any) -> Callable[[Client], object]:
    return lambda service: service.get_state(changed(**fields))


CASES: dict[str, tuple[Callable[[Client], object], type[ServiceError], str]] = {
    "no such game": (new("chess"), clients.UnknownGame, "game"),
    "a record of no such game": (replay(game="chess"), clients.UnknownGame, "record.game"),
    "too many players": (new(players=99), clients.BadOption, "options.players"),
    "no players": (new(options=Options()), clients.BadOption, "options.players"),
    "an option out of range": (
        new("agency", options=Options(players=3, agency=AgencyOptions(medals=10))),
        clients.BadOption,
        "options.agency.medals",
    ),
    "options of another game": (
        new("agency", options=Options(players=3, bond=BondOptions())),
        clients.BadRequest,
        "options.bond",
    ),
    "a deck that is a file": (
        new("agency", options=Options(players=3, agency=AgencyOptions(deck=Deck(name="/etc/passwd")))),
        clients.BadOption,
        "options.agency.deck",
    ),
    "a deck with nothing in it": (
        new("agency", options=Options(players=3, agency=AgencyOptions(deck=Deck(tables=struct_of({"name": "mine"}))))),
        clients.BadDeck,
        "options.agency.deck",
    ),
    "an empty deck": (
        new("agency", options=Options(players=3, agency=AgencyOptions(deck=Deck()))),
        clients.BadRequest,
        "options.agency.deck",
    ),
    "a seed that is no number": (new(seed="-1"), clients.BadRequest, "seed"),
    "a layout that cannot be": (new("bond", layout=Layout(bond=BondLayout(first=9))), clients.BadLayout, "layout"),
    "a layout without enough": (new("bond", layout=Layout(bond=BondLayout(first=1))), clients.MissingLuck, "layout"),
    "another version": (replay(rules_version=99), clients.BadRecord, "record.rules_version"),
    "another digest": (replay(digest="00"), clients.BadRecord, "record.digest"),
    "a move that cannot be": (replay(moves="zz"), clients.BadRecord, f"record.moves[{len(WHIST.moves)}]"),
    "no move": (lambda service: service.apply_move(MATCH, "zz"), clients.NotAMove, "move"),
    "an illegal move": (lambda service: service.apply_move(MATCH, ABSENT), clients.IllegalMove, "move"),
    "a seat that is not asked": (
        lambda service: service.apply_move(MATCH, HELD[0], (MATCH.seat_to_move + 1) % 3),
        clients.NotToMove,
        "seat",
    ),
    "a seat that is not there": (lambda service: service.get_view(MATCH, 3), clients.BadRequest, "seat"),
    "a move after the end": (lambda service: service.apply_move(state_message(OVER), "H2"), clients.MatchOver, "record"),
    "advice after the end": (lambda service: service.recommend_move(state_message(OVER)), clients.NotToMove, "seat"),
    "no source": (
        lambda service: service.bots.RecommendMove(RecommendMoveRequest(), timeout=10),
        clients.BadRequest,
        "source",
    ),
    "no record": (lambda service: service.games.ApplyMove(ApplyMoveRequest(move="H2")), clients.UnknownGame, "record.game"),
    "an empty view": (
        lambda service: service.recommend_move(View(game="whist", rules_version=1, options=Options(players=3))),
        clients.BadView,
        "view.whist.contenders",
    ),
    "a view of another game": (
        lambda service: service.recommend_move(View(game="bond", options=Options(players=3), whist=WhistView())),
        clients.BadRequest,
        "view.whist",
    ),
    "a view with a wrong trump": (
        lambda service: service.recommend_move(
            View(game="whist", rules_version=1, options=Options(players=3), whist=WhistView(seat=0, round=1, trick=1, trump="X"))
        ),
        clients.BadView,
        "view.whist.trump",
    ),
    "no such bot": (asked(bot="nobody"), clients.BadBot, "bot"),
    "a bot that would keep its tree": (asked(bot="ismcts:reuse=true"), clients.BadBot, "bot"),
    "a bot that wants all memory": (asked(bot="ismcts:megabytes=60000"), clients.BadBot, "bot"),
    "moves for a bot that does not search": (asked(bot="greedy", moves=["H2"]), clients.BadRequest, "moves"),
    "an analysis by a bot that does not search": (analysed(bot="greedy"), clients.BadRequest, "bot"),
    "moves that it does not have": (asked(moves=["zz"]), clients.IllegalMove, "moves"),
    "no iterations": (asked(limits=Limits(iterations=0)), clients.BadOption, "limits.iterations"),
    "time below nothing": (asked(limits=Limits(time=Duration(seconds=-1))), clients.BadRequest, "limits.time"),
    "an interval too short": (analysed(interval=Duration(nanos=1)), clients.BadRequest, "interval"),
}


@pytest.mark.parametrize("case", CASES)
def test_an_error_has_its_name_its_code_and_its_place(service: Client, case: str) -> None:
    call, kind, field = CASES[case]
    error = failure(service, call)
    assert type(error) is kind, error
    assert error.reason == errors.reason_of(kind)
    first, *others = error.fields
    assert first == field
    assert not others or kind is clients.BadView  # which tells all that is wrong
    assert error.request_id
    assert str(error)


def test_the_errors_carry_the_fields_of_the_engines(service: Client) -> None:
    error = failure(service, lambda one: one.apply_move(MATCH, ABSENT))
    assert isinstance(error, clients.IllegalMove)
    assert (error.text, error.seat, error.legal) == (ABSENT, WHIST.seat_to_move, tuple(HELD))
    wrong = failure(service, CASES["a seat that is not asked"][0])
    assert isinstance(wrong, clients.NotToMove)
    assert (wrong.seat, wrong.seats_to_move) == ((MATCH.seat_to_move + 1) % 3, (MATCH.seat_to_move,))


def test_every_error_of_the_games_has_a_code_and_a_class_in_the_client() -> None:
    games = [getattr(engines, name) for name in engines.__all__ if isinstance(getattr(engines, name), type)]
    wanted = {one for one in games if issubclass(one, engines.GameError)} - {engines.GameError, engines.MoveError}
    own = {getattr(refusals, name) for name in refusals.__all__ if name not in {"Refusal", "CallError", "located"}}
    of_matches = {getattr(hosting, name) for name in hosting.__all__} - {hosting.HostingError}
    tournaments = {
        tournament_registry.UnknownTournament,
        tournament_registry.OtherTournament,
        tournament_registry.TooManyTournaments,
    }
    modes = {operating_mode.ReadOnly, operating_mode.Draining}
    assert set(status.CODES) == wanted | own | of_matches | tournaments | modes | {BadBot, StorageFailed}
    for kind, (_, names) in status.CODES.items():
        client = getattr(clients, kind.__name__)
        assert set(names) == {*client.texts, *client.values}


def test_the_reasons_of_the_api_are_those_of_the_server() -> None:
    named = {name.removeprefix("ERROR_REASON_") for name in ErrorReason.keys()} - {"UNSPECIFIED"}  # noqa: SIM118
    used = {errors.reason_of(getattr(clients, kind.__name__)) for kind in status.CODES}
    assert named == used | {"FAULT"}


def test_a_fault_of_the_server_says_nothing_but_its_id(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the hand is H2 H3 H4")

    with hosted() as server, connect(server.address) as service:
        monkeypatch.setattr("machiavel.server.service.wire.read_state", broken)
        error = failure(service, lambda one: one.get_state(MATCH))
    assert type(error) is clients.Fault
    assert error.code is grpc.StatusCode.INTERNAL
    log = capfd.readouterr().err
    assert error.request_id in log
    assert "RuntimeError" in log
    assert "H2 H3" not in log + str(error)


DECKS = {"agency": AgencyOptions, "bond": BondOptions, "citadel": CitadelOptions}


@pytest.mark.parametrize("name", DECKS)
def test_who_names_a_deck_that_there_is_not_is_told_what_the_wire_takes(service: Client, name: str) -> None:
    """Which is no file, wherever the options stand."""
    options = Options(players=3, **{name: DECKS[name](deck=Deck(name="mine.toml"))})
    state = service.new_state(name, 3, seed=1)
    view = service.get_view(state, 0).view
    for message in (state.record.options, view.options):
        message.CopyFrom(options)
    asked: list[Callable[[Client], object]] = [
        new(name, options=options),
        lambda one: one.get_state(state.record),
        lambda one: one.recommend_move(view),
        lambda one: one.matches.CreateMatch(CreateMatchRequest(game=name, options=options, seats=[SeatSetup()] * 3)),
    ]
    for call in asked:
        error = failure(service, call)
        assert str(error).endswith("option 'deck' cannot be 'mine.toml'; expected one of house, or the tables of a deck")
        assert getattr(error, "expected", "one of house, or the tables of a deck") == "one of house, or the tables of a deck"


def test_long_fields_are_cut_so_that_the_error_arrives(service: Client) -> None:
    error = failure(service, lambda one: one.apply_move(MATCH, "é" * 100_000))
    assert isinstance(error, clients.NotAMove)
    assert 100 < len(error.text.encode()) < 1000


@pytest.mark.parametrize("letter", ["x", "é", "♠"])
@pytest.mark.parametrize("kind", [engines.BadView, engines.BadLayout])
def test_however_many_problems_there_are_the_error_fits_into_its_trailers(kind: Any, letter: str) -> None:
    problems = [Problem(letter * 900, letter * 900), *(Problem(f"one[{number}]", letter * 5) for number in range(200))]

    told = status.status_of(kind(problems[0].field, problems[0].problem, problems), f"view.{problems[0].field}", "x" * 128)

    [violations] = [detail for detail in told.details if detail.Is(BadRequest.DESCRIPTOR)]
    request = BadRequest.FromString(violations.value)
    assert len(b64encode(told.SerializeToString())) + len(quote(told.message)) < 8000  # as text, in the trailers
    assert len(request.field_violations) > 1
    assert request.field_violations[0].description == told.message


def test_messages_beyond_the_limit_are_refused(service: Client) -> None:
    error = failure(service, lambda one: one.apply_move(MATCH, "x" * (600 << 10)))
    assert isinstance(error, clients.MessageTooLarge)
    assert error.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert list(error.fields) == ["request"]
    assert (error.size > 600 << 10, error.most) == (True, 256 << 10)


def test_the_largest_limit_is_one_that_grpc_can_be_told() -> None:
    with hosted(message_kib=1 << 20) as server, connect(server.address) as service:
        assert isinstance(failure(service, lambda one: one.apply_move(MATCH, "x" * (2 << 20))), clients.NotAMove)


def test_messages_far_beyond_the_limit_are_refused_by_grpc_itself(service: Client) -> None:
    error = failure(service, lambda one: one.apply_move(MATCH, "x" * (2 << 20)))
    assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "")


@pytest.mark.parametrize("path", ["/machiavel.v1.GameService/Cheat", "/machiavel.v2.GameService/ListGames", "/x", "/", ""])
def test_a_method_that_there_is_not_is_said_so(service: Client, path: str) -> None:
    error = failure(service, lambda one: one.channel.unary_unary(path, bytes, bytes)(b"", timeout=10))
    assert isinstance(error, clients.UnknownMethod)
    assert error.code is grpc.StatusCode.UNIMPLEMENTED
    assert error.services == SERVICES
    assert error.request_id


def test_the_health_of_a_service_that_there_is_not_is_said_so(service: Client) -> None:
    request = health_pb2.HealthCheckRequest(service="machiavel.v2.GameService")
    error = failure(service, lambda one: health_pb2_grpc.HealthStub(one.channel).Check(request, timeout=10))
    assert isinstance(error, clients.UnknownService)
    assert (error.code, error.name, error.known) == (grpc.StatusCode.NOT_FOUND, request.service, SERVICES)
    assert list(error.fields) == ["service"]


@pytest.mark.parametrize("path", ["/machiavel.v1.GameService/ListGames", "/machiavel.v1.BotService/AnalyzeMoves"])
def test_a_call_without_a_request_is_said_so(service: Client, path: str) -> None:
    call = service.channel.stream_stream(path, lambda _: b"", lambda _: None)
    error = failure(service, lambda _: list(call(iter(()), timeout=10)))
    assert isinstance(error, clients.BadRequest)
    assert list(error.fields) == ["request"]


def test_calls_beyond_what_the_server_takes_are_told_when_to_come_again() -> None:
    with hosted(calls=3, seconds_most=600) as server, connect(server.address) as service:
        streams = [service.analyze_moves(MATCH, seconds=500, interval=0.02) for _ in range(2)]
        for stream in streams:
            next(stream)
        error = failure(service, lambda one: one.list_games(timeout=120))
        assert isinstance(error, clients.TooBusy)
        assert (error.code, error.retry_after) == (grpc.StatusCode.RESOURCE_EXHAUSTED, 1.0)
        health = health_pb2_grpc.HealthStub(service.channel).Check(health_pb2.HealthCheckRequest(), timeout=120)
        assert health.status == health_pb2.HealthCheckResponse.SERVING
        streams[0].close()
        while True:
            try:
                assert service.list_games(timeout=120)
            except clients.TooBusy:
                continue
            break
        streams[1].close()


def test_an_id_of_the_callers_own_goes_through(server: Hosted) -> None:
    with connect(server.address) as service:
        service.headers = (("x-request-id", "mine-17"),)
        assert failure(service, lambda one: one.get_view(MATCH, 9)).request_id == "mine-17"
        service.headers = (("x-request-id", "with blanks and more"),)
        assert failure(service, lambda one: one.get_view(MATCH, 9)).request_id != "with blanks and more"


def test_a_call_after_the_server_has_gone_is_said_so() -> None:
    with hosted() as server:
        address = server.address
    with connect(address) as service:
        error = failure(service, lambda one: one.list_games(timeout=5))
    assert isinstance(error, clients.ShuttingDown | clients.NoTime)


def test_a_state_is_no_record_of_the_player() -> None:
    """The record of a state is the host's; a view has no field for one."""
    assert "record" in State.DESCRIPTOR.fields_by_name
    assert "record" not in View.DESCRIPTOR.fields_by_name
