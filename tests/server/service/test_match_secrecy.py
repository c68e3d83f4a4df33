"""What one seat's token gets of a hosted match does not depend on what the seat cannot know; any leak turns it red."""

import json
import threading
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import grpc
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
from tests.engines.citadel.secrecy import SITUATIONS, state_of
from tests.engines.citadel.secrecy import twin_pairs as citadel_pairs
from tests.search.pairs import state_pairs
from tests.search.positions import SHIPPED
from tests.server.matches.played import NOW, setup_of
from tests.server.service.hosted import Hosted, hosted
from tests.server.service.match_calls import PERSON, fresh, stub

LONG = {"kuhn": 0}  # moves, of games that are soon over; of all others more than 8
WRONG = ("", "zz", "G1", "HA", "pass:Y12", "foil", "let", "taunt:A", "kill", "spy:5>1", "x" * 500)
WAIT = 300
GREEDY = Player("greedy", "greedy", 1.0)
Pair = tuple[State, State, int]


def pairs(game: str, count: int) -> list[Pair]:
    if game != "citadel":
        return [one for one in state_pairs(game, 40) if len(one[0].moves) > LONG.get(game, 8)][:count]
    matches_of_twin = citadel_pairs(SITUATIONS[:: max(1, len(SITUATIONS) // count)][:count], 1)
    result = [(state_of(one, len(one.moves)), state_of(other, len(other.moves))) for one, other in matches_of_twin]
    return [(one, other, one.seat_to_move or 0) for one, other in result]


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(think=50) as result:
        yield result


class Witness:
    """Everything that comes back for one seat's token while the others play as they are told to."""

    def __init__(self, service: Any, state: State, seat: int) -> None:
        self.service = service
        self.state = state
        self.seat = seat
        self.told: list[bytes] = []
        request = v1.CreateMatchRequest(
            game=state.game.name,
            options=wire.options_message(state.rules.options, state.game.name),
            seats=[v1.SeatSetup(kind=PERSON)] * state.players,
            settings=v1.MatchSettings(hints=True, spectators=True, open_record=True),
            request_id=fresh(),
        )
        made = service.CreateMatch(request, timeout=WAIT)
        self.match, self.tokens, self.host = made.match.match, dict(made.seat_tokens), made.host_token
        self.token = self.tokens[seat]

    # ---- What is kept of what comes back ----

    def keep(self, answer: Any) -> None:
        """All of it, but for names, tokens, times and the commitment."""
        for part in parts(answer):
            for field in ("create_time", "time", "due", "elapsed", "commitment"):
                if field in part.DESCRIPTOR.fields_by_name:
                    part.ClearField(field)
            if part.DESCRIPTOR.name in {"Match", "JoinMatchResponse"}:
                part.ClearField("match")
        self.told.append(answer.SerializeToString(deterministic=True))

    def ask(self, call: str, **fields: Any) -> None:
        request = getattr(v1, f"{call}Request")(match=self.match, token=self.token, **fields)
        try:
            self.keep(getattr(self.service, call)(request, timeout=WAIT))
        except grpc.RpcError as error:
            told: Any = error
            trailers = dict(told.trailing_metadata())
            details = trailers["grpc-status-details-bin"].replace(trailers["x-request-id"].encode(), b"")
            self.told.append(repr((told.code(), told.details(), details)).encode())

    # ---- What is done ----

    def run(self) -> list[bytes]:
        stream = self.service.WatchMatch(v1.WatchMatchRequest(match=self.match, token=self.token))
        watched: list[Any] = [next(stream)]
        thread = threading.Thread(target=partial(collect, stream, watched))
        thread.start()
        for seat, move in self.script():
            self.ask("GetMatch")
            play = v1.PlayMoveRequest(match=self.match, token=self.tokens[seat], move=move, request_id=fresh())
            answer = self.service.PlayMove(play, timeout=WAIT)
            if seat == self.seat:
                self.keep(answer)
        self.look_around()
        self.service.DeleteMatch(v1.DeleteMatchRequest(match=self.match, token=self.host), timeout=WAIT)
        thread.join(WAIT)
        for one in watched:
            self.keep(one)
        self.ask("GetMatch")
        return self.told

    def script(self) -> list[tuple[int, str]]:
        """The moves of the record; those that are asked for at the same time the other way round."""
        plain = state_before(self.state)
        result, group = list[tuple[int, str]](), list[tuple[int, str]]()
        asked: set[int] = set()
        for move in self.state.moves:
            seat = plain.seat_to_move
            assert seat is not None
            declining = plain.game.plugin.declining
            many = len(plain.seats_to_move) > 1 or (declining is not None and declining in plain.legal_moves())
            if not many or seat in asked:
                result += reversed(group)
                group, asked = [], set()
            group.append((seat, move))
            asked.add(seat)
            plain.play(move)
            if not many:
                result += group
                group, asked = [], set()
        return result + group[::-1]

    def look_around(self) -> None:
        """Where it stands, every call the token can make, and what each is refused for."""
        others = next(seat for seat in range(self.state.players + 1) if seat != self.seat)
        self.ask("GetMatch")
        for after in (0, 10**6):
            stream = self.service.WatchMatch(v1.WatchMatchRequest(match=self.match, token=self.token, after=after), timeout=WAIT)
            try:
                self.keep(next(stream))
            except grpc.RpcError as error:
                self.told.append(repr((error.code(), error.details())).encode())
            stream.cancel()
        own = self.service.GetMatch(v1.GetMatchRequest(match=self.match, token=self.token), timeout=WAIT).snapshot.position.moves
        about = own[-1].text if own else ""
        self.ask("HintMove", bot="ismcts:seed=3", limits=v1.Limits(iterations=60), explain=True, what_about=about)
        self.ask("HintMove", bot="greedy")
        for wrong in WRONG:
            self.ask("PlayMove", move=wrong)
        self.ask("PlayMove", move="zz", seat=others)
        self.ask("PlayMove", move="zz", expected_version=10**6)
        self.ask("PlayMove", move="zz", expected_version=0)
        self.ask("GetRecord")
        self.ask("TakeBackMove", request_id=fresh())
        self.ask("Rematch", request_id=fresh())
        self.ask("HandBackSeat")
        self.ask("TakeOverSeat", bot="level3:seed=1", request_id=fresh())
        self.ask("PlayMove", move="zz")
        self.ask("HandBackSeat", request_id=fresh())
        self.ask("ForfeitSeat", request_id=fresh())
        self.ask("ForfeitSeat", request_id=fresh())
        self.ask("DeleteMatch")


def collect(stream: Any, result: list[Any]) -> None:
    try:
        result.extend(stream)
    except grpc.RpcError as error:
        assert error.code() is grpc.StatusCode.PERMISSION_DENIED  # noqa: PT017 - it is deleted


def parts(message: Any) -> Iterator[Any]:
    """The message and all messages in it."""
    yield message
    for field, value in message.ListFields():
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for one in value if field.is_repeated else [value]:
                yield from parts(one)


def state_before(state: State) -> State:
    """The deal of a match: what is laid out, and the rest from a seed that is the same for both of a pair."""
    record = state.record()
    game = state.game
    return game.deal(state.rules, seed=record.seed if record.layout is None else 7, layout=record.layout)


def told(server: Hosted, state: State, seat: int, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    with monkeypatch.context() as context, stub(server.address) as service:
        context.setattr(Setup, "deal", lambda _: state_before(state))
        return Witness(service, state, seat).run()


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
    for first, second, seat in pairs(game, 2):
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
    compared = pairs(game, 2)
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
        draft.versions[seat] += secret(draft)
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
    first, second, seat = pairs("whist", 1)[0]
    (one, logged), (other, logged_too) = (told_and_logged(state, seat, monkeypatch, capfd) for state in (first, second))
    assert one == other
    assert logged != logged_too


def found_out(server: Hosted, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether any pair is told apart."""
    return any(
        told(server, first, seat, monkeypatch) != told(server, second, seat, monkeypatch)
        for game in ("agency", "bond", "whist")
        for first, second, seat in pairs(game, 2)
    )
