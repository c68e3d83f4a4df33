"""All that one seat's token gets of a hosted match: every call that it can make, and the stream."""

import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import grpc
import pytest

from machiavel import v1
from machiavel.engines import State
from machiavel.server.matches.match_setup import Setup
from machiavel.server.service import wire
from tests.engines.citadel.secrecy import SITUATIONS, state_of
from tests.engines.citadel.secrecy import twin_pairs as citadel_pairs
from tests.search.pairs import state_pairs
from tests.server.service.hosted import Hosted
from tests.server.service.match_calls import PERSON, fresh, stub
from tests.server.service.pairs import Pair

__all__ = ["match_pairs", "state_before", "told"]

LONG = {"kuhn": 0}  # moves, of games that are soon over; of all others more than 8
WRONG = ("", "zz", "G1", "HA", "pass:Y12", "foil", "let", "taunt:A", "kill", "spy:5>1", "x" * 500)
WAIT = 300


def match_pairs(game: str, count: int) -> list[Pair]:
    """Pairs of states, some moves on, that differ in nothing but what the seat does not know."""
    if game != "citadel":
        return [one for one in state_pairs(game, 40) if len(one[0].moves) > LONG.get(game, 8)][:count]
    matches_of_twin = citadel_pairs(SITUATIONS[:: max(1, len(SITUATIONS) // count)][:count], 1)
    result = [(state_of(one, len(one.moves)), state_of(other, len(other.moves))) for one, other in matches_of_twin]
    return [(one, other, one.seat_to_move or 0) for one, other in result]


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
    """What comes back in a match that has the moves of the state."""
    with monkeypatch.context() as context, stub(server.address) as service:
        context.setattr(Setup, "deal", lambda _: state_before(state))
        return Witness(service, state, seat).run()
