"""What one seat's token gets of a hosted match does not depend on what the seat cannot know; any leak turns it red."""

import json
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from machiavel import v1
from machiavel.engines import State
from machiavel.server.matches.hosting_errors import NothingToTakeBack, SeatHeld
from machiavel.server.matches.match import Match
from machiavel.server.matches.match_events import read
from machiavel.server.matches.match_session import MatchSession
from machiavel.server.matches.match_setup import Player, Seat, Settings, Setup
from machiavel.server.matches.questions import Restart
from machiavel.server.service import match_wire, wire
from machiavel.server.service.event_messages import last_events
from tests.search.positions import SHIPPED
from tests.server.matches.played import NOW, setup_of
from tests.server.service.hosted import Hosted, hosted
from tests.server.service.witness import match_pairs, state_before, told

GREEDY = Player("greedy", "greedy", 1.0)


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(think=50) as result:
        yield result


def practised(state: State, seat: int) -> list[bytes]:
    """What a person is shown who takes every move back once, in a match against bots that make the moves of the record."""
    seats = tuple(Seat("person") if one == seat else Seat("bot", player=GREEDY) for one in range(state.players))
    setup = setup_of(state.game.name, state.players, 7, seats=seats, settings=Settings(practice=True))
    match, shown = Match.begin("m" * 22, setup), list[bytes]()
    match.start(NOW)
    told = len(match.events)
    for move in state.moves:
        mover = match.state.seat_to_move
        assert mover is not None
        for back in (True, False) if mover == seat else (False,):
            match.answer(mover, move, NOW)
            if back:
                assert match.take_back(seat, None, NOW).moves
        for event in match.events[told:]:
            parsed = read(event)
            if parsed.is_shown_to(seat):
                shown.append(f"{parsed.what} {match.versions[seat]}".encode())
        told = len(match.events)
        shown.append(match_wire.position_message(match, seat, Restart()).SerializeToString(deterministic=True))
        events = last_events(match.before_last, match.state, seat)
        shown += [one.SerializeToString(deterministic=True) for one in events]
    with pytest.raises(NothingToTakeBack) as refused:
        match.take_back(seat, 10**6, NOW)
    return [*shown, str(refused.value).encode()]


@pytest.mark.parametrize("game", SHIPPED)
def test_what_comes_of_taking_back_is_the_same_for_deals_that_differ_in_what_is_hidden(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for first, second, seat in match_pairs(game, 2):
        shown = []
        for state in (first, second):
            with monkeypatch.context() as context:
                context.setattr(Setup, "deal", lambda _, state=state: state_before(state))
                shown.append(practised(state, seat))
        assert shown[0] == shown[1]
        assert len(shown[0]) > 2 * len(first.moves)


@pytest.mark.parametrize("game", SHIPPED)
def test_all_that_a_seat_is_told_is_the_same_for_deals_that_differ_in_what_is_hidden(
    game: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    compared = match_pairs(game, 2)
    assert compared
    for first, second, seat in compared:
        assert first.to_bytes() != second.to_bytes() or first.record().layout != second.record().layout
        (one, logged), (other, logged_too) = (told_and_logged(state, seat, monkeypatch, capfd) for state in (first, second))
        assert len(one) == len(other) > len(first.moves) + 20
        assert one == other
        assert len(logged) > 2 * len(first.moves)
        assert logged == logged_too


def told_and_logged(
    state: State, seat: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> tuple[list[bytes], list[dict[str, Any]]]:
    capfd.readouterr()
    with hosted(think=50, log_level="debug") as server:
        told_moves = told(server, state, seat, monkeypatch)
    return told_moves, lines(capfd.readouterr().err)


def lines(text: str) -> list[dict[str, Any]]:
    """The log without times and ids, in no order: calls at the same time end as they like."""
    result = [json.loads(line) for line in text.splitlines()]
    for line in result:
        for name in ("timestamp", "ms", "request", "caller"):
            line.pop(name, None)
    return sorted(result, key=json.dumps)


# ---- Leaks, planted: one in each message, in an error and in the log ----


def secret(match: Match) -> int:
    """A number that depends on all there is, hidden or not."""
    record = match.state.record()
    return zlib.crc32(match.state.to_bytes() + repr((record.layout, record.moves)).encode()) % 10_000


def planting(
    original: Callable[..., Any], match_of: Callable[..., Match], plant: Callable[[Any, int], None]
) -> Callable[..., Any]:
    def leaking(*arguments: Any, **more: Any) -> Any:
        result = original(*arguments, **more)
        plant(result, secret(match_of(*arguments)))
        return result

    return leaking


def in_table(table: MatchSession, *_: Any) -> Match:
    return table.match


def itself(match: Match, *_: Any) -> Match:
    return match


PLANTS: dict[str, tuple[Any, str, Callable[..., Match], Callable[[Any, int], None]]] = {
    "Match": (match_wire, "match_message", in_table, lambda one, leak: setattr(one, "game", str(leak))),
    "MatchSeat": (match_wire, "seat_message", itself, lambda one, leak: setattr(one, "name", str(leak))),
    "MatchSnapshot": (match_wire, "snapshot_message", in_table, lambda one, leak: one.observed_moves.append(str(leak))),
    "MatchPosition": (match_wire, "position_message", itself, lambda one, leak: setattr(one, "ply", leak)),
    "MatchEvent": (match_wire, "event_message", itself, lambda one, leak: setattr(one, "version", leak)),
    "MatchMove": (match_wire, "event_message", itself, lambda one, leak: setattr(one.move.move, "text", str(leak))),
    "MatchAnswer": (match_wire, "event_message", itself, lambda one, leak: setattr(one.answer.move, "text", str(leak))),
    "MatchOver": (match_wire, "event_message", itself, lambda one, leak: one.over.utilities.append(leak)),
    "MatchBegun": (
        match_wire,
        "event_message",
        itself,
        lambda one, leak: one.begun.MergeFromString(b"\x98\x06" + bytes([leak % 128])),
    ),
}


@pytest.mark.parametrize("message", PLANTS)
def test_a_leak_in_any_message_is_found_out(server: Hosted, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, match_of, plant = PLANTS[message]
    monkeypatch.setattr(module, name, planting(getattr(module, name), match_of, plant))
    assert found_out(server, monkeypatch)


def leaking_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """PlayMoveResponse.version."""
    answer = Match.answer

    def leak(draft: Match, seat: int, text: str, now: int) -> str:
        result = answer(draft, seat, text, now)
        draft.versions[seat] += secret(draft) % 101  # few enough that a watcher is not taken to be far behind
        return result

    monkeypatch.setattr(Match, "answer", leak)


def leaking_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fields of a refusal."""
    hand_back = Match.hand_back

    def leak(draft: Match, seat: int, now: int) -> None:
        try:
            hand_back(draft, seat, now)
        except SeatHeld as error:
            raise SeatHeld(seat, f"{error.problem} {secret(draft)}") from None

    monkeypatch.setattr(Match, "hand_back", leak)


def leaking_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recommendation.iterations."""
    check, made, known = Match.check_setting, wire.recommendation_message, [0]

    def look(match: Match, setting: str) -> None:
        known[0] = secret(match)
        check(match, setting)

    def leak(*arguments: Any) -> v1.Recommendation:
        result = made(*arguments)
        result.iterations += known[0]
        return result

    monkeypatch.setattr(Match, "check_setting", look)
    monkeypatch.setattr(wire, "recommendation_message", leak)


@pytest.mark.parametrize("plant", [leaking_answer, leaking_error, leaking_hint])
def test_a_leak_in_an_answer_an_error_or_a_hint_is_found_out(
    server: Hosted, plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert found_out(server, monkeypatch)


def test_a_leak_in_the_log_is_found_out(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    freshen = MatchSession.freshen

    async def leak(table: MatchSession) -> None:
        table.registry.fault_log.match_failed("", str(secret(table.match)), [])
        await freshen(table)

    monkeypatch.setattr(MatchSession, "freshen", leak)
    first, second, seat = match_pairs("whist", 1)[0]
    (one, logged), (other, logged_too) = (told_and_logged(state, seat, monkeypatch, capfd) for state in (first, second))
    assert one == other
    assert logged != logged_too


def found_out(server: Hosted, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether any pair is told apart."""
    return any(
        told(server, first, seat, monkeypatch) != told(server, second, seat, monkeypatch)
        for game in ("agency", "bond", "whist")
        for first, second, seat in match_pairs(game, 2)
    )
