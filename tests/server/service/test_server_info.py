"""ServerService: what a server says of itself, and of what its caller may do."""

from pathlib import Path

import pytest

from machiavel import v1
from machiavel.clients import Client, ServiceError, connect
from machiavel.engines import games
from tests.server.service.hosted import hosted


def test_a_server_tells_its_release_its_games_and_its_languages(service: Client) -> None:
    info = service.server_info()
    assert info.version.startswith("0.")
    assert list(info.games) == sorted(games())
    assert list(info.languages) == ["en", "fr"] == [field.name for field in v1.LocalizedText.DESCRIPTOR.fields]
    assert "server_info" in info.features and list(info.features) == sorted(info.features)
    assert not info.rehearsal and not info.HasField("web")


def test_a_caller_reads_which_calls_it_may_make(service: Client) -> None:
    caller = service.server_info().caller
    assert (caller.name, caller.guest) == ("", False)
    assert {"MatchService.CreateMatch", "GameService.NewState", "ServerService.ServerInfo"} <= set(caller.calls)
    assert not any(call.startswith("TournamentService") for call in caller.calls)  # none are kept here


def test_a_caller_reads_what_it_may_have_at_most(tmp_path: Path) -> None:
    path = tmp_path / "server.toml"
    path.write_text('[callers.default]\nsearches = 3\n[callers."ipv4:127.0.0.1"]\ncalls = 9\n', encoding="utf-8")
    with hosted(config=str(path)) as server, connect(server.address) as service:
        assert dict(service.server_info().caller.limits) == {"searches": 3, "calls": 9}


def test_a_server_with_tournaments_says_how_large_they_may_be(tmp_path: Path) -> None:
    with hosted(tournaments=str(tmp_path), tournament_games=77, tournament_queue=3) as server, connect(server.address) as service:
        info = service.server_info()
    assert (info.limits.tournament_games, info.limits.tournament_queue) == (77, 3)
    assert "tournaments" in info.features and "TournamentService.StartTournament" in info.caller.calls


def test_the_limits_are_those_that_refuse() -> None:
    with hosted(message_kib=16, seconds_most=2.0, keep_over=1.5) as server, connect(server.address) as service:
        limits = service.server_info().limits
        assert limits.keep_over.ToSeconds() == 1.5 * 86400 and not limits.HasField("keep_idle")
        assert limits.most_time.ToSeconds() == 2 and not limits.HasField("tournament_games")
        moves = ["H2"] * (limits.message_bytes // 4 - 8)
        with pytest.raises(ServiceError) as caught:
            service.get_state(v1.Record(game="whist", moves=moves))
        assert "BAD_RECORD" in caught.value.reason
        with pytest.raises(ServiceError, match=f"at most {limits.message_bytes}"):
            service.get_state(v1.Record(game="whist", moves=[*moves, "x" * 32]))
        with pytest.raises(ServiceError, match="expected at most 64 characters"):
            service.create_match(
                "whist", [v1.SeatSetup(kind=v1.SeatKind.SEAT_KIND_PERSON, name="n" * (limits.name_characters + 1)), "greedy"]
            )
