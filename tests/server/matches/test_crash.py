"""kill -9 between any two steps of a change: what was acknowledged is there once, and is answered the same again."""

import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest

from machiavel.clients import Client, commitment, connect
from machiavel.engines import load
from machiavel.server.service import wire
from machiavel.v1 import (
    CreateMatchRequest,
    CreateMatchResponse,
    GetMatchRequest,
    GetRecordRequest,
    MatchEvent,
    MatchPhase,
    MatchSnapshot,
    PlayMoveRequest,
    PlayMoveResponse,
    SeatKind,
    SeatSetup,
    WatchMatchRequest,
)
from tests.server.matches.launch import STEPS
from tests.server.matches.process import LAUNCH, Served

GAMES = ("whist", "bond", "agency")
ME = 0
KILLED = -9
FEW = len(STEPS)
# A server that answers before it writes.
HASTY = """
import asyncio, runpy
from machiavel.server.storage import AsyncStorage
write = AsyncStorage.write
async def later(self, what):
    await asyncio.sleep(0.1)
    await write(self, what)
async def hasty(self, what):
    self.loop.create_task(later(self, what))
AsyncStorage.write = hasty
runpy.run_module("tests.server.matches.launch", run_name="__main__")
"""


def send(request: PlayMoveRequest, client: Client) -> PlayMoveResponse:
    return client.matches.PlayMove(request, timeout=30)


class Player:
    """Somebody who plays one seat of one match after another, at a server that is killed again and again."""

    def __init__(self, served: Served, kills: int, command: Sequence[str] = LAUNCH) -> None:
        self.served = served
        self.command = command
        self.left = kills
        self.draw = random.Random(kills)
        self.killed: Counter[str] = Counter()
        self.finished: Counter[str] = Counter()
        self.client: Client
        self.made: CreateMatchResponse | None = None
        self.token = ""
        self.taken: list[tuple[PlayMoveRequest, PlayMoveResponse]] = []  # what was acknowledged
        self.pending: PlayMoveRequest | None = None  # what was asked for, and has had no answer yet
        self.start()

    # ---- A server that comes back ----

    def start(self) -> None:
        """With the next step to be killed at, if there is one left."""
        self.step = STEPS[self.left % len(STEPS)]
        crash = ("--crash", f"{self.step}:{self.draw.randint(1, 7)}") if self.left else ()
        self.served.start(*crash, command=self.command)
        self.client = connect(self.served.address)

    def ask(self, call: Callable[[Client], Any]) -> Any:
        """The answer, from as many servers as it takes."""
        while True:
            try:
                return call(self.client)
            except grpc.RpcError as error:
                if error.code() not in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED}:
                    raise
            self.client.close()
            assert self.served.died() == KILLED
            self.left -= 1
            self.killed[self.step] += 1
            self.start()
            if self.made is not None:
                self.check()

    # ---- What must hold after each ----

    def check(self) -> None:
        """Every acknowledged answer is there once, and the last one is answered as it was the first time."""
        given = [answer.move.text for _, answer in self.taken]
        result = self.found_answers()
        pending = [] if self.pending is None else [self.pending.move]
        assert result in (given, given + pending)
        for request, first in self.taken[-2:]:
            again = self.ask(partial(send, request))
            assert again.SerializeToString() == first.SerializeToString()

    def found_answers(self) -> list[str]:
        """All answers of this seat that the server knows of, from the first event on."""
        result: list[str] = []
        kept: str | None = None
        for event in self.events():
            what = event.WhichOneof("what")
            if what == "answer":
                kept = event.answer.move.text
                result.append(kept)
            elif what == "lapsed":
                assert event.lapsed.move.text == kept
                kept = None
            elif what == "move" and event.move.seat == ME:
                if kept is None:
                    result.append(event.move.move.text)
                assert event.move.move.text == result[-1]
                kept = None
        return result

    def events(self) -> list[MatchEvent]:
        def read(client: Client) -> list[MatchEvent]:
            last = self.snapshot_from(client).version
            result: list[MatchEvent] = []
            stream = client.matches.WatchMatch(WatchMatchRequest(match=self.match, token=self.token, after=0), timeout=30)
            for answer in stream:
                result.append(answer.event)
                if len(result) == last:
                    break
            stream.cancel()  # type: ignore[no-untyped-call]
            assert [event.version for event in result] == list(range(1, last + 1))
            return result

        events: list[MatchEvent] = self.ask(read)
        return events

    # ---- Playing ----

    @property
    def match(self) -> str:
        assert self.made is not None
        return self.made.match.match

    def snapshot_from(self, client: Client) -> MatchSnapshot:
        return client.matches.GetMatch(GetMatchRequest(match=self.match, token=self.token), timeout=30).snapshot

    def begin(self, game: str) -> None:
        seats = [SeatSetup(kind=SeatKind.SEAT_KIND_PERSON)]
        for bot in ("greedy", "random"):
            seats.append(SeatSetup(kind=SeatKind.SEAT_KIND_BOT, bot=bot))
            seats[-1].think.FromMilliseconds(20)
        request = CreateMatchRequest(game=game, seats=seats, request_id=self.new_id())
        self.made, self.taken = None, []
        self.made = self.ask(lambda client: client.matches.CreateMatch(request, timeout=30))
        assert self.made is not None
        self.token = self.made.seat_tokens[ME]
        again = self.ask(lambda client: client.matches.CreateMatch(request, timeout=30))
        assert again == self.made

    def new_id(self) -> str:
        return f"request-{self.draw.getrandbits(64):016x}"

    def play(self, game: str) -> None:
        """A match to its end, or until nothing is left to be killed."""
        self.begin(game)
        while True:
            snapshot: MatchSnapshot = self.ask(self.snapshot_from)
            if snapshot.match.phase == MatchPhase.MATCH_PHASE_OVER:
                self.end(game)
                return
            moves = snapshot.position.moves
            if moves:
                self.answer(self.draw.choice(moves).text, snapshot.version)

    def play_all(self, games: Sequence[str]) -> None:
        for game in games:
            self.play(game)

    def answer(self, move: str, version: int) -> None:
        self.pending = request = PlayMoveRequest(
            match=self.match, token=self.token, move=move, expected_version=version, request_id=self.new_id()
        )
        answer = self.ask(partial(send, request))
        assert answer.move.text == move
        self.taken.append((request, answer))
        self.pending = None

    def end(self, game: str) -> None:
        """The record replays to the result, and holds every move of this seat."""
        assert self.made is not None
        request = GetRecordRequest(match=self.match, token=self.made.host_token)
        result = self.ask(lambda client: client.matches.GetRecord(request, timeout=30))
        assert commitment(result) == self.made.match.commitment
        state = wire.read_state(result.record)
        assert state.is_over and list(state.utilities) == list(result.match.utilities)
        replay = load(game).deal(state.rules, seed=state.seed)
        own = []
        for move in state.moves:
            if replay.seat_to_move == ME:
                own.append(move)
            replay.play(move)
        moves = [event.move.move.text for event in self.events() if event.HasField("move") and event.move.seat == ME]
        assert own == moves
        assert self.found_answers() == [answer.move.text for _, answer in self.taken]
        self.finished[game] += 1


def killed_again_and_again(folder: Path, kills: int) -> None:
    with Served(folder / "matches.sqlite") as served:
        player = Player(served, kills)
        number = 0
        while player.left or number < len(GAMES):
            player.play(GAMES[number % len(GAMES)])
            number += 1
        player.client.close()
    assert player.killed == Counter({step: kills // len(STEPS) for step in STEPS}) + Counter(
        STEPS[left % len(STEPS)] for left in range(1, kills % len(STEPS) + 1)
    )
    assert set(player.finished) == set(GAMES)


@pytest.mark.timeout(600)
def test_a_server_killed_at_every_step_loses_nothing_and_does_nothing_twice(tmp_path: Path) -> None:
    killed_again_and_again(tmp_path, FEW)


def test_a_server_that_answers_before_it_writes_is_found_out(tmp_path: Path) -> None:
    with Served(tmp_path / "matches.sqlite") as served:
        player = Player(served, 100, (sys.executable, "-c", HASTY))
        with pytest.raises((AssertionError, grpc.RpcError)):
            player.play_all(GAMES * 10)
        assert player.left > 0


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_server_killed_two_hundred_times_loses_nothing_and_does_nothing_twice(tmp_path: Path) -> None:
    killed_again_and_again(tmp_path, 200)
