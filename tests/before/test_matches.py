"""Matches that an earlier release kept: watched, played on with the old tokens, finished by their bots, sound throughout."""

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from machiavel.clients import Client, MatchOver, NotToMove, SeatSession, StaleVersion, connect
from machiavel.server.matches.verification import verify
from machiavel.server.storage import SqliteStorage
from machiavel.v1 import MatchPhase, MatchSnapshot
from tests.before.artifacts import RELEASE, copied
from tests.server.cli.command import Runner
from tests.server.service.hosted import hosted

KEPT = json.loads((RELEASE / "matches.json").read_text(encoding="utf-8"))["matches"]
OVER = MatchPhase.MATCH_PHASE_OVER
FEW = 8  # moves that persons make in matches of persons alone
WAIT = 120.0


def of(*what: str) -> list[Any]:
    result = [pytest.param(one, id=f"{one['game']}-{one['what']}") for one in KEPT if one["what"] in what]
    assert result
    return result


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    return Runner(monkeypatch, capsys)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied("matches.sqlite3", tmp_path_factory.mktemp("matches"))


@pytest.fixture(scope="module")
def service(file: Path) -> Iterator[Client]:
    with hosted(storage=f"sqlite:///{file}") as server, connect(server.address) as result:
        yield result


def is_sound(run: Runner, file: Path) -> None:
    result = run(f"verify --storage sqlite:///{file} --json")
    assert result.code == 0, result.out
    assert {one["match"] for one in result.objects if one["type"] == "match"} == {one["match"] for one in KEPT}


def table_of(service: Client, match: dict[str, Any], seat: str | None = None) -> SeatSession:
    return service.session(match["match"], match["host"] if seat is None else match["tokens"][seat])


def play(service: Client, match: dict[str, Any], most: int = 10_000) -> MatchSnapshot:
    """Its persons answer by turns until it is over, or have answered so often; how it stands then."""
    host, rng = table_of(service, match), random.Random(1)
    seats = {int(seat): table_of(service, match, seat) for seat in match["tokens"]}
    done = 0
    for _ in host.watch(patience=WAIT):
        shown = host.get()
        held = {one.seat for one in shown.match.seats if one.bot}
        for seat in shown.position.seats_to_move:
            if seat in seats and seat not in held and done < most:
                done += answered(seats[seat], rng)
        if shown.match.phase == OVER or done >= most:
            break
    return host.get()


def answered(table: SeatSession, rng: random.Random) -> bool:
    """Whether the seat had something to answer, and has."""
    moves = table.get().position.moves
    if not moves or table.get().position.HasField("answer"):
        return False
    try:
        table.play(rng.choice(list(moves)).text)
    except (MatchOver, NotToMove, StaleVersion):  # another answer came first
        return False
    return True


def test_what_is_kept_is_sound_before_anything_is_done(run: Runner, tmp_path: Path) -> None:
    is_sound(run, copied("matches.sqlite3", tmp_path))


@pytest.mark.parametrize("match", [pytest.param(one, id=f"{one['game']}-{one['what']}") for one in KEPT])
def test_every_match_is_watched_from_its_beginning(service: Client, match: dict[str, Any]) -> None:
    table = table_of(service, match)
    stood = table.get()
    assert MatchPhase.Name(stood.match.phase) == match["phase"] or match["what"] == "bots alone"
    assert stood.version >= match["version"] and stood.position.ply >= match["ply"]
    if stood.version:
        versions = []
        for answer in table.watch(after=0):
            versions.append(answer.event.version)
            if answer.event.version >= stood.version:
                break
        assert versions == list(range(1, versions[-1] + 1))


@pytest.mark.parametrize("match", of("answers pending"))
def test_an_answer_that_waited_for_its_turn_still_does(service: Client, match: dict[str, Any]) -> None:
    (seat,) = match["pending"]
    answer = table_of(service, match, str(seat)).get().position.answer.text
    assert answer
    stood = play(service, match, most=FEW)
    assert stood.position.ply > match["ply"]


@pytest.mark.parametrize("match", of("clocks"))
def test_clocks_run_on(service: Client, match: dict[str, Any]) -> None:
    shown = table_of(service, match).get()
    (seat,) = shown.position.seats_to_move[:1]
    left = table_of(service, match, str(seat)).get().position.due.ToSeconds() - time.time()
    assert 0 < left <= shown.match.settings.move_time.ToSeconds() == 36_000
    play(service, match, most=FEW)


@pytest.mark.parametrize("match", of("waiting for players"))
def test_an_old_code_lets_the_last_player_in(service: Client, match: dict[str, Any]) -> None:
    joined = service.join_match(match["code"], name="Joan")
    assert joined.get().match.phase == MatchPhase.MATCH_PHASE_PLAYING
    with_all = match | {"tokens": match["tokens"] | {str(joined.seat): joined.token}}
    assert play(service, with_all, most=FEW).position.ply > 0


@pytest.mark.parametrize("match", of("a seat taken over", "a seat handed back", "a seat forfeited"))
def test_seats_are_held_by_whom_they_were(service: Client, match: dict[str, Any]) -> None:
    host = table_of(service, match)
    seats = host.get().match.seats
    assert [one.seat for one in seats if one.taken_over] == ([] if "over" not in match["what"] else [taken(seats)])
    assert any(one.forfeited for one in seats) == ("forfeited" in match["what"])
    stood = play(service, match, most=FEW)
    assert stood.position.ply > match["ply"]
    if "over" in match["what"] and stood.match.phase != OVER:
        assert not host.hand_back(seat=taken(seats)).taken_over


def taken(seats: Any) -> int:
    (result,) = (one.seat for one in seats if one.taken_over)
    return int(result)


@pytest.mark.parametrize("match", of("persons and bots, under way", "all sorts of bots", "bots alone", "persons alone"))
def test_matches_are_played_to_their_ends(service: Client, match: dict[str, Any]) -> None:
    most = FEW if match["what"] == "persons alone" else 10_000
    stood = play(service, match, most)
    if match["what"] != "persons alone":
        stood = table_of(service, match).get()
        assert stood.match.phase == OVER
        assert len(stood.match.utilities) == len(stood.match.seats)
        record = table_of(service, match).record().record
        assert len(record.moves) == stood.position.ply


def test_who_played_a_match_that_is_over_may_play_another(tmp_path: Path) -> None:
    file = copied("matches.sqlite3", tmp_path)
    ended = [match for match in KEPT if match["what"] == "over"]
    with hosted(storage=f"sqlite:///{file}") as server, connect(server.address) as service:
        for match in ended:
            again = table_of(service, match).rematch()
            assert again is not None
            assert again.get().match.predecessor == match["match"]
            for seat in match["tokens"]:
                place = table_of(service, match, seat).rematch()
                assert place is not None
                assert place.get().seat == int(seat)
    told = list(verify(SqliteStorage(file, read_only=True)))
    assert len(told) == len(KEPT) + len(ended)
    assert not [one.problem for one in told if one.problem]


def test_what_is_kept_is_sound_afterwards(service: Client, run: Runner, file: Path) -> None:
    is_sound(run, file)
