"""Games in files over the wire: the host names them at the start, they travel as Structs, and no request ever names a path."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest

from machiavel import v1
from machiavel.clients import Client, connect
from machiavel.clients.errors import from_call
from machiavel.engines import add_file, registry
from machiavel.server.service import wire
from machiavel.server.service.messages import struct_of
from machiavel.v1 import bot_service_pb2, game_service_pb2, match_service_pb2, tournament_service_pb2
from machiavel.v1.bot_service_pb2_grpc import BotServiceStub
from machiavel.v1.game_service_pb2_grpc import GameServiceStub
from machiavel.v1.match_service_pb2_grpc import MatchServiceStub
from machiavel.v1.tournament_service_pb2_grpc import TournamentServiceStub
from tests.server.cli.serving import serving
from tests.server.game_file import changed, duel_file
from tests.server.service.hosted import hosted
from tests.server.service.match_calls import PERSON, bot, create, fresh, play_on, refused, snapshot, stub


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The file, known to this process as to a server that was started with it."""
    path = duel_file(tmp_path_factory.mktemp("games"))
    with pytest.MonkeyPatch.context() as patches:
        for name in ("_loaded", "_files", "_texts"):
            patches.setattr(registry, name, dict(getattr(registry, name)))
        add_file(path)
        yield path


@pytest.fixture(scope="module")
def address(duel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with hosted(tournaments=str(tmp_path_factory.mktemp("tournaments"))) as server:
        yield server.address


@pytest.fixture
def service(address: str) -> Iterator[Client]:
    with connect(address) as client:
        yield client


def test_it_is_listed_with_its_options_beside_the_installed_games(service: Client) -> None:
    games = {game.name: game for game in service.list_games()}
    (option,) = games["duel"].options
    assert {"agency", "whist"} < games.keys()
    assert (option.name, option.default_value.number_value, option.help.fr) == ("rounds", 5, "cartes par joueur")


def test_states_views_moves_and_advice_travel_as_structs(service: Client) -> None:
    state = service.new_state("duel", v1.Options(players=2, other=struct_of({"rounds": 3})), seed=5)
    while not state.over:
        seen = service.get_view(state, state.seat_to_move)
        assert seen.view.WhichOneof("seen") == "other"
        assert wire.view_message(wire.read_view(seen.view)) == seen.view
        state = service.apply_move(state, service.recommend_move(seen, bot="ismcts:iterations=30,seed=1").move.text).state
    assert state.ply == 6 and service.get_state(state) == state


def test_it_is_hosted_with_bots_and_its_record_replays(address: str) -> None:
    with stub(address) as matches:
        made = create(matches, "duel", PERSON, bot("level1"))
        play_on(matches, made.match.match, made.seat_tokens[0], random.Random(1))
        record = matches.GetRecord(v1.GetRecordRequest(match=made.match.match, token=made.host_token)).record
    assert record.options.WhichOneof("game") == "other" and wire.read_state(record).is_over


def game_calls(game: str) -> dict[str, tuple[Any, Any]]:
    """Every call that names a game, with that one."""
    record = v1.Record(game=game, rules_version=1, options=v1.Options(players=2), seed="1")
    view = v1.View(game=game, rules_version=1, options=v1.Options(players=2))
    plan = v1.TournamentPlan(game=game, options=v1.Options(players=2), bots=["greedy", "random"], deals=1)
    seats = [v1.SeatSetup(kind=PERSON), v1.SeatSetup(kind=PERSON)]
    return {
        "NewState": (GameServiceStub, v1.NewStateRequest(game=game, options=v1.Options(players=2), seed="1")),
        "GetState": (GameServiceStub, v1.GetStateRequest(record=record)),
        "LegalMoves": (GameServiceStub, v1.LegalMovesRequest(record=record)),
        "ApplyMove": (GameServiceStub, v1.ApplyMoveRequest(record=record, move="S2")),
        "GetView": (GameServiceStub, v1.GetViewRequest(record=record)),
        "GetGame": (GameServiceStub, v1.GetGameRequest(game=game)),
        "ListPuzzles": (GameServiceStub, v1.ListPuzzlesRequest(game=game)),
        "CheckPuzzle": (GameServiceStub, v1.CheckPuzzleRequest(game=game)),
        "FollowView": (GameServiceStub, v1.FollowViewRequest(view=view, move="S2")),
        "RecommendMove": (BotServiceStub, v1.RecommendMoveRequest(view=view)),
        "AnalyzeMoves": (BotServiceStub, v1.AnalyzeMovesRequest(view=view)),
        "ReviewGame": (BotServiceStub, v1.ReviewGameRequest(record=record)),
        "CreateMatch": (MatchServiceStub, v1.CreateMatchRequest(game=game, seats=seats, request_id="a-path-1234567890")),
        "StartTournament": (TournamentServiceStub, v1.StartTournamentRequest(plan=plan, request_id="a-path-1234567890")),
    }


@pytest.mark.parametrize("call", sorted(game_calls("")))
def test_no_call_takes_a_path_and_the_file_is_not_run(
    address: str, tmp_path: Path, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = changed(duel_file(tmp_path, "stranger"), "from machiavel", f"open({str(tmp_path / 'run')!r}, 'w')\nfrom machiavel")
    monkeypatch.chdir(tmp_path)
    for game in (str(path), "./stranger.py", "stranger.py", "stranger", f"file://{path}", "~/stranger.py"):
        assert refused(partial(asked, address, call, game)).reason == "UNKNOWN_GAME", game
    assert not (tmp_path / "run").exists()


def asked(address: str, call: str, game: str) -> None:
    kind, request = game_calls(game)[call]
    with grpc.insecure_channel(address) as channel:
        response = getattr(kind(channel), call)(request, timeout=60)
        if not hasattr(response, "DESCRIPTOR"):
            list(response)  # a stream


def named_games(message: Any, path: str = "") -> Iterator[str]:
    """Where a request says which game it is about."""
    for field in message.fields:
        if field.name == "game" and field.type == field.TYPE_STRING:
            yield f"{path}game"
        elif field.message_type is not None and field.message_type.name in {"Record", "View", "TournamentPlan"}:
            yield from named_games(field.message_type, f"{path}{field.name}.")


def test_every_call_that_names_a_game_is_tried() -> None:
    files = (game_service_pb2, bot_service_pb2, match_service_pb2, tournament_service_pb2)
    services = [service for file in files for service in file.DESCRIPTOR.services_by_name.values()]
    methods = {method.name for service in services for method in service.methods if list(named_games(method.input_type))}
    assert methods == game_calls("").keys()


# ---- After a restart ----


def failure(call: Callable[[], Any]) -> str:
    try:
        call()
    except grpc.RpcError as error:
        return from_call(error).reason
    return ""


def test_after_a_restart_matches_go_on_with_the_same_file_and_are_left_alone_with_another(tmp_path: Path) -> None:
    path = duel_file(tmp_path)
    flags = ("--storage", f"sqlite:///{tmp_path / 'm.sqlite3'}", "--log-level", "warning", "--game", str(path))
    text = path.read_text(encoding="utf-8")
    with serving(*flags) as (address, process), stub(address) as service:
        made = create(service, "duel", PERSON, bot("greedy"))
        name, token = made.match.match, made.seat_tokens[0]
        assert snapshot(service, name, token).position.moves
        stop(process)
    changed(path, "# both at once", "# face down, both at once")
    with serving(*flags) as (address, process), stub(address) as service:
        shown = snapshot(service, name, token)
        play = v1.PlayMoveRequest(match=name, token=token, move=shown.position.moves[0].text, request_id=fresh())
        service.PlayMove(play)
        stop(process)
    changed(path, "most=5, en", "most=6, en")
    with serving(*flags) as (address, process), stub(address) as service:
        assert failure(lambda: snapshot(service, name, token)) == "NO_ACCESS"
        told = stop(process)
    assert "matches_unplayable" in told and '"game": "duel"' in told and str(path) in told and "digest" in told
    with serving(*flags[:-2]) as (address, process), stub(address) as service:
        assert failure(lambda: snapshot(service, name, token)) == "NO_ACCESS"
        assert "unknown game 'duel'" in stop(process)
    path.write_text(text, encoding="utf-8")
    with serving(*flags) as (address, process), stub(address) as service:
        play_on(service, name, token, random.Random(1))
        stop(process)


def stop(process: Any) -> str:
    """Ends the server; what it has logged."""
    process.terminate()
    _, told = process.communicate(timeout=60)
    return str(told)
