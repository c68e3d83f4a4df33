"""Makes what a release leaves behind, for the releases after it: `PYTHON make.py FOLDER`, from the root of that release's tree.

README.md tells what is in the folder. Deals of hosted matches come from the system, so each run makes other files.
"""

import base64
import hashlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import grpc

from machiavel import v1
from machiavel.engines import Record, State, load
from machiavel.server.service.wire import state_message

GAMES = ("agency", "bond", "citadel", "whist")
COMMAND = [sys.executable, "-m", "machiavel.server.cli"]
ALWAYS_ONE = {"citadel", "whist"}  # games in which no two seats are ever asked at once
WAIT = 120.0
THINK = 0.05  # seconds, what a server gives a bot that steps in
OPTIONS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "agency": ({"powers": False, "medals": 1}, {"accomplices": False}, {"medals": 3}),
    "bond": (),
    "citadel": ({"setting": "all"}, {"setting": "without_30_and_55"}),
    "whist": (),
}


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True)
    for make in (wheel, records, answers, reviews, tournaments, benches, served):
        make(folder)
        print(make.__name__, file=sys.stderr)


def wheel(folder: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), "clients"]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"})


def lines(path: Path, rows: Sequence[Any]) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")


def text_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


# ---- Records and views ----


def played(game: str, players: int, seed: int, plies: int | None = None, **options: Any) -> State:
    state, rng = load(game).new(players, seed=seed, **options), random.Random(seed)
    while not state.is_over and (plies is None or len(state.moves) < plies):
        state.play(rng.choice(state.legal_moves()))
    return state


def states() -> Iterator[tuple[State, bool]]:
    """Matches, and whether their views are kept as well."""
    for game in GAMES:
        for players in load(game).players:
            whole = played(game, players, 100 + players)
            third = len(whole.moves) // 3
            yield whole, False
            for plies in (0, third, 2 * third):
                yield played(game, players, 100 + players, plies), plies == (1 + players % 2) * third
        for number, options in enumerate(OPTIONS[game]):
            yield played(game, 3, 200 + number, **options), False
            yield played(game, 2, 300 + number, 20, **options), True
        for path in sorted(Path(f"tests/engines/{game}/golden").glob("*.json")):  # with luck laid out, and decks of their own
            record = record_in(path)
            yield load(game).replay(record), False
            yield load(game).replay(replace(record, moves=record.moves[: len(record.moves) // 2])), False


def record_in(path: Path) -> Any:
    return Record.from_json(json.loads(path.read_text(encoding="utf-8"))["record"])


def records(folder: Path) -> None:
    result, views = [], []
    for number, (state, is_viewed) in enumerate(states()):
        result.append({"record": state.record().to_json(), "truth": digest(state.truth()), "observed": digest(observed(state))})
        for seat in (None, *range(state.record().options["players"])) if is_viewed else ():
            view = state.view(seat)
            views.append({"record": number, "seat": seat, "view": view.to_json(), "bytes": text_of(view.to_bytes())})
    lines(folder / "records.jsonl", result)
    lines(folder / "views.jsonl", views)


def observed(state: State) -> list[list[str]]:
    return [list(state.observed_moves(seat)) for seat in (None, *range(state.record().options["players"]))]


def digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


# ---- The command line ----


def ran(*arguments: str, text: str = "", code: int = 0) -> list[Any]:
    done = subprocess.run([*COMMAND, *arguments], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def answers(folder: Path) -> None:
    result: list[dict[str, Any]] = [
        {"arguments": [name, "--json"], "input": None, "output": ran(name, "--json")} for name in ("games", "bots")
    ]
    for game in GAMES:
        state = next(state for plies in range(9, 90) if len((state := played(game, 3, 11, plies)).legal_moves()) > 2)
        view = state.view(state.seat_to_move).to_json()
        seen = json.dumps(view)
        for more in (["--iterations", "300"], ["--iterations", "100", "--seed", "3", "--what-about", state.legal_moves()[-1]]):
            arguments = ["hint", game, "-", *more, "--json"]
            result.append({"arguments": arguments, "input": view, "output": ran(*arguments, text=seen)})
    lines(folder / "answers.jsonl", result)


def reviews(folder: Path) -> None:
    for game in GAMES:
        place = folder / "reviews" / game
        place.mkdir(parents=True)
        record = place / "record.json"
        record.write_text(json.dumps(played(game, 2, 21, 30).record().to_json()) + "\n", encoding="utf-8")
        ran("review", str(record), "--iterations", "30", "--seed", "5", "--output", str(place / "whole"), "--json")
        (place / "half").mkdir()
        journal = (place / "whole" / "judgements.jsonl").read_bytes().splitlines(keepends=True)
        half = len(journal) // 2
        (place / "half" / "judgements.jsonl").write_bytes(b"".join(journal[:half]) + journal[half][:40])


# ---- Tournaments ----


def tournaments(folder: Path) -> None:
    for game, players in (("agency", 3), ("bond", 2), ("citadel", 2), ("whist", 4)):
        place = folder / "tournaments" / game
        arguments = [
            game,
            "--bots",
            "greedy",
            "random",
            "--players",
            str(players),
            "--deals",
            "6",
            "--seed",
            "7",
            "--executor",
            "threads:1",
        ]
        ran("tournament", *arguments, "--output", str(place / "whole"), "--json")
        if game != "whist":  # one is enough to look at
            (place / "whole" / "report.html").unlink()
        (place / "half").mkdir()
        for name in ("games.jsonl", "times.jsonl"):
            measurements = (place / "whole" / name).read_bytes().splitlines(keepends=True)
            half = len(measurements) // 2
            (place / "half" / name).write_bytes(b"".join(measurements[:half]) + measurements[half][:50])


# ---- Measurements ----


def benches(folder: Path) -> None:
    sys.path.insert(0, ".")
    from bench import citadel, decisions, ladder, measurements

    place = folder / "bench"
    place.mkdir()
    case = ladder.LadderCase(load("whist"), 2)
    ladder.PlayedDeals(place / "levels.jsonl", 3).pairing(case, ["greedy", "ismcts:iterations=10"], 12)
    ladder.PlayedDeals(place / "levels.jsonl", 4).pairing(case, ["greedy", "random"], 4)
    decisions.decisions(load("whist"), [2, 3], 6, 5, place / "calibration.jsonl")
    citadel.Cells(place / "citadel.jsonl").play("greedy", 2, 8, 1, setting="all")
    citadel.Cells(place / "citadel.jsonl").play("random", 1, 4, 1, setting="without_55")
    values = measurements.Measurements(place / "ratings.jsonl")
    for number in range(3):
        values.value({"coverage": "made-up", "seed": 1, "number": number}, partial(list, (number, (1, 0))))
    flags = ["--players", "2", "--planted", "1", "--iterations", "20", "--deep", "50", "--output", str(place / "reviews.jsonl")]
    subprocess.run(
        [sys.executable, "-m", "bench.reviews", "whist", *flags],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


# ---- A server's matches and tournaments, and what was said on the wire ----


class Wire:
    """Calls a server, and keeps what was asked and answered."""

    def __init__(self, address: str) -> None:
        self.channel = grpc.insecure_channel(address)
        self.measurements: list[dict[str, Any]] = []

    def ask(self, service: str, method: str, request: Any, *, keep: bool = True, most: int | None = None) -> Any:
        """The answer; of a stream, all of them, or the first so many."""
        path = f"/machiavel.v1.{service}/{method}"
        kind = getattr(v1, f"{method}Response")
        streams = method in {"AnalyzeMoves", "ReviewGame", "WatchMatch", "WatchTournament"}
        call = (self.channel.unary_stream if streams else self.channel.unary_unary)(
            path, request_serializer=lambda one: one.SerializeToString(deterministic=True), response_deserializer=bytes
        )
        if streams:
            stream, result = call(request, timeout=WAIT), []
            for answer in stream:
                result.append(answer)
                if len(result) == most:
                    stream.cancel()
                    break
        else:
            result = [call(request, timeout=WAIT)]
        if keep:
            asked = text_of(request.SerializeToString(deterministic=True))
            self.measurements.append({"method": path, "request": asked, "answers": [text_of(answer) for answer in result]})
        read = [kind.FromString(answer) for answer in result]
        return read if streams else read[0]


@contextmanager
def server(folder: Path, end: int = signal.SIGTERM) -> Iterator[Wire]:
    places = ["--storage", f"sqlite:///{folder / 'matches.sqlite3'}", "--tournaments", str(folder / "served")]
    process = subprocess.Popen(
        [*COMMAND, "serve", "--listen", "127.0.0.1:0", "--json", "--log-level", "error", "--think", str(THINK), *places],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        wire = Wire(json.loads(process.stdout.readline())["address"])
        yield wire
        wire.channel.close()
    finally:
        process.send_signal(end)
        process.wait(WAIT)


def served(folder: Path) -> None:
    matches: list[dict[str, Any]] = []
    with server(folder) as wire:
        oracle(wire)
        bots(wire)
        for game in GAMES:
            matches += hosted(wire, game)
        finished = tournaments_of(wire)
        measurements = wire.measurements
    with server(folder, signal.SIGKILL) as wire:  # as it is left when a machine stops
        for game in GAMES:
            matches.append(bots_alone(wire, game))
        tournament_under_way(wire)
        measurements += wire.measurements
    joined(folder / "matches.sqlite3")
    lines(folder / "calls.jsonl", measurements)
    (folder / "matches.json").write_text(
        json.dumps({"matches": matches, "tournament": finished}, indent=1) + "\n", encoding="utf-8"
    )
    for path in (*folder.glob("served/*/*.html"), *folder.glob("*.lock")):
        path.unlink()


def joined(path: Path) -> None:
    """The rows that a killed server left in the file's log go into the file, so that it is one."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def oracle(wire: Wire) -> None:
    wire.ask("GameService", "ListGames", v1.ListGamesRequest())
    for game in GAMES:
        state = wire.ask("GameService", "NewState", v1.NewStateRequest(game=game, options=v1.Options(players=3), seed="31")).state
        rng = random.Random(31)
        for ply in range(24):
            keep = ply in {5, 23}
            asked = wire.ask("GameService", "LegalMoves", v1.LegalMovesRequest(record=state.record), keep=keep).seats[0]
            move = rng.choice(list(asked.moves)).text
            request = v1.ApplyMoveRequest(record=state.record, move=move, seat=asked.seat)
            state = wire.ask("GameService", "ApplyMove", request, keep=keep).state
        wire.ask("GameService", "GetState", v1.GetStateRequest(record=state.record))
        for seat in (None, 0, 2):
            seen = wire.ask("GameService", "GetView", v1.GetViewRequest(record=state.record, seat=seat))
            if seat is not None and seat in seen.seats_to_move:
                wire.ask("GameService", "LegalMoves", v1.LegalMovesRequest(view=seen.view))


def bots(wire: Wire) -> None:
    wire.ask("BotService", "ListBots", v1.ListBotsRequest())
    limits = v1.Limits(iterations=60)
    for game in GAMES:
        state = next(state for plies in range(12, 90) if len((state := played(game, 3, 41, plies)).legal_moves()) > 2)
        record = state_message(state).record
        seat = state.seat_to_move
        view = wire.ask("GameService", "GetView", v1.GetViewRequest(record=record, seat=seat), keep=False).view
        about = state.legal_moves()[-1]
        request = v1.RecommendMoveRequest(view=view, bot="ismcts:seed=1", limits=limits, explain=True, what_about=about)
        wire.ask("BotService", "RecommendMove", request)
        for bot in ("level3:seed=2", "greedy", "random:seed=4", "pimc:seed=1,worlds=4"):
            wire.ask("BotService", "RecommendMove", v1.RecommendMoveRequest(record=record, seat=seat, bot=bot, limits=limits))
        wire.ask("BotService", "AnalyzeMoves", v1.AnalyzeMovesRequest(view=view, bot="ismcts:seed=1", limits=limits))
        short = state_message(played(game, 2, 42, 12)).record
        for seats in ([], [1]):
            wire.ask("BotService", "ReviewGame", v1.ReviewGameRequest(record=short, iterations=20, seats=seats))


BOT, PERSON, OPEN = v1.SeatKind.SEAT_KIND_BOT, v1.SeatKind.SEAT_KIND_PERSON, v1.SeatKind.SEAT_KIND_OPEN
BOTS = ("greedy", "random", "level2", "ismcts:iterations=20", "pimc:iterations=20,worlds=4", "level1:seed=3")


def bot(text: str, think: float = 0.02) -> v1.SeatSetup:
    setup = v1.SeatSetup(kind=BOT, bot=text)
    setup.think.FromNanoseconds(int(think * 1e9))
    return setup


def person(name: str = "") -> v1.SeatSetup:
    return v1.SeatSetup(kind=PERSON, name=name)


class Match:
    """A hosted match that is being made ready."""

    def __init__(self, wire: Wire, what: str, game: str, seats: Sequence[v1.SeatSetup], *, move_time: int = 0, **settings: Any):
        request = v1.CreateMatchRequest(
            game=game, seats=seats, settings=v1.MatchSettings(**settings), request_id=str(uuid.uuid4())
        )
        if move_time:
            request.settings.move_time.FromSeconds(move_time)
        self.wire = wire
        self.what = what
        self.made = wire.ask("MatchService", "CreateMatch", request)
        self.match = self.made.match.match
        self.tokens = dict(self.made.seat_tokens)

    def ask(self, method: str, keep: bool = True, most: int | None = None, **fields: Any) -> Any:
        request = getattr(v1, f"{method}Request")(match=self.match, **fields)
        return self.wire.ask("MatchService", method, request, keep=keep, most=most)

    def seen(self, token: str, *, keep: bool = False) -> v1.MatchSnapshot:
        shown: v1.MatchSnapshot = self.ask("GetMatch", keep, token=token).snapshot
        return shown

    def answer(self, seat: int, *, keep: bool = False) -> None:
        shown = self.seen(self.tokens[seat])
        move = random.Random(shown.version).choice(list(shown.position.moves)).text
        self.ask(
            "PlayMove", keep, token=self.tokens[seat], move=move, request_id=str(uuid.uuid4()), expected_version=shown.version
        )

    def play(self, until: Callable[[v1.MatchSnapshot], bool]) -> None:
        """All persons answer in turn."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            shown = self.seen(self.made.host_token)
            if until(shown) or shown.match.phase == v1.MatchPhase.MATCH_PHASE_OVER:
                return
            if asked := self.asked(shown):
                self.answer(asked[0])
            else:
                time.sleep(0.01)
        raise AssertionError(f"{self.what} never comes to that")

    def asked(self, shown: v1.MatchSnapshot) -> list[int]:
        """The persons who may answer now."""
        held = {one.seat for one in shown.match.seats if one.kind == BOT or one.taken_over or one.forfeited}
        return [seat for seat in shown.position.seats_to_move if seat not in held and self.may(seat)]

    def may(self, seat: int) -> bool:
        return bool(self.seen(self.tokens[seat]).position.moves)

    def told(self) -> dict[str, Any]:
        shown = self.seen(self.made.host_token)
        return {
            "what": self.what,
            "game": shown.match.game,
            "match": self.match,
            "host": self.made.host_token,
            "tokens": {str(seat): token for seat, token in sorted(self.tokens.items())},
            "code": self.made.code,
            "phase": v1.MatchPhase.Name(shown.match.phase),
            "ply": shown.position.ply,
            "version": shown.version,
            "pending": [seat for seat, token in sorted(self.tokens.items()) if self.seen(token).position.HasField("answer")],
        }


def hosted(wire: Wire, game: str) -> list[dict[str, Any]]:
    most = max(load(game).players)
    result = []

    def begun(what: str, *seats: v1.SeatSetup, plies: int = 10, **settings: Any) -> Match:
        match = Match(wire, what, game, seats, **settings)
        match.play(lambda shown: shown.position.ply >= plies)
        result.append(match)
        return match

    begun("persons and bots, under way", person("Ada"), bot(BOTS[0]), bot(BOTS[3]), hints=True, spectators=True, open_record=True)
    begun("all sorts of bots", person(), *(bot(text) for text in BOTS[1:most]))
    clocks = begun("clocks", person("Blaise"), person("Émilie"), move_time=36_000, plies=7)
    clocks.answer(asked_of(clocks), keep=True)
    waiting = Match(wire, "waiting for players", game, [person("Ada"), v1.SeatSetup(kind=OPEN), v1.SeatSetup(kind=OPEN)])
    join = v1.JoinMatchRequest(code=waiting.made.code, name="Grace", seat=2, request_id=str(uuid.uuid4()))
    joined = wire.ask("MatchService", "JoinMatch", join)
    waiting.tokens[2] = joined.token
    result.append(waiting)
    what = "persons alone" if game in ALWAYS_ONE else "answers pending"
    pending = Match(wire, what, game, [person() for _ in range(3)])
    keep_answer(pending)
    result.append(pending)
    taken = begun("a seat taken over", person(), person(), plies=5)
    other = asked_of(taken)
    request = {"token": taken.made.host_token, "seat": 1 - other, "bot": "level2", "request_id": str(uuid.uuid4())}
    taken.ask("TakeOverSeat", **request)
    back = begun("a seat handed back", person(), person(), bot("greedy"), plies=5)
    back.ask("TakeOverSeat", keep=False, token=back.tokens[0], bot="random", request_id=str(uuid.uuid4()))
    back.ask("HandBackSeat", token=back.tokens[0], request_id=str(uuid.uuid4()))
    given_up = begun("a seat forfeited", person(), person(), bot("random"), plies=5)
    given_up.ask("ForfeitSeat", token=given_up.tokens[1], request_id=str(uuid.uuid4()))
    over = begun("over", person("Ada"), bot(BOTS[0], 0.02), plies=10_000, hints=True, spectators=True, open_record=True)
    over.ask("GetRecord", token=over.made.host_token)
    over.ask("GetRecord", token=over.tokens[0])
    over.seen(over.tokens[0], keep=True)
    over.seen("", keep=True)
    over.ask("WatchMatch", token=over.tokens[0])
    over.ask("WatchMatch", token=over.tokens[0], after=over.seen(over.tokens[0]).version - 5)
    gone = begun("deleted", person(), person(), plies=2)
    gone.ask("DeleteMatch", token=gone.made.host_token)
    result.remove(gone)
    hinted = result[0]
    asked_of(hinted)
    hinted.ask("HintMove", token=hinted.tokens[0], bot="ismcts:seed=1", limits=v1.Limits(iterations=50), explain=True)
    for match in result:
        if match not in {waiting, over}:
            asked_of(match)
    time.sleep(1 + 3 * THINK)  # bots that were asked together with a person have answered as well
    for match in (hinted, clocks, pending, waiting):
        for token in (*match.tokens.values(), match.made.host_token):
            match.seen(token, keep=True)
    hinted.ask("WatchMatch", token=hinted.tokens[0], after=0, most=4)
    wire.ask("MatchService", "ListMatches", v1.ListMatchesRequest(page_size=3, phase=v1.MatchPhase.MATCH_PHASE_OVER), keep=False)
    return [match.told() for match in result]


def asked_of(match: Match) -> int:
    """A person who is to move."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        shown = match.seen(match.made.host_token)
        if asked := match.asked(shown):
            return asked[0]
        time.sleep(0.01)
    raise AssertionError(f"{match.what}: nobody is asked")


def keep_answer(match: Match) -> None:
    """Plays until two seats are asked at once, and then the last of them answers before its turn; or to the twelfth move."""
    for _ in range(400):
        shown = match.seen(match.made.host_token)
        if shown.match.phase == v1.MatchPhase.MATCH_PHASE_OVER:
            raise AssertionError("it ended first; run again")
        asked = match.asked(shown)
        if len(asked) > 1:
            match.answer(asked[-1], keep=True)
            if match.seen(match.tokens[asked[-1]]).position.HasField("answer"):
                return
        elif shown.position.ply >= 12 and match.made.match.game in ALWAYS_ONE:
            return
        else:
            match.answer(asked[0])


def bots_alone(wire: Wire, game: str) -> dict[str, Any]:
    match = Match(wire, "bots alone", game, [bot("greedy", 0.1), bot("level1", 0.1), bot("random", 0.1)])
    match.play(lambda shown: shown.position.ply >= 3)
    told = match.told()
    assert told["phase"] == "MATCH_PHASE_PLAYING"
    return told


def plan(game: str, deals: int, *names: str) -> v1.TournamentPlan:
    return v1.TournamentPlan(game=game, options=v1.Options(players=2), bots=names, seed="7", deals=deals)


def tournaments_of(wire: Wire) -> list[str]:
    names = []
    for game in GAMES:
        start = v1.StartTournamentRequest(plan=plan(game, 3, "greedy", "random"), request_id=f"before-{game}")
        name = wire.ask("TournamentService", "StartTournament", start, keep=False).tournament.name
        names.append(name)
        wire.ask("TournamentService", "WatchTournament", v1.WatchTournamentRequest(name=name), keep=False)
        wire.ask("TournamentService", "StartTournament", start)
        wire.ask("TournamentService", "WatchTournament", v1.WatchTournamentRequest(name=name))
        wire.ask("TournamentService", "GetTournament", v1.GetTournamentRequest(name=name))
        wire.ask("TournamentService", "GetTournamentResults", v1.GetTournamentResultsRequest(name=name))
        wire.ask("TournamentService", "GetTournamentGame", v1.GetTournamentGameRequest(name=name, deal=1, seating=1))
    long = wire.ask(
        "TournamentService", "StartTournament", v1.StartTournamentRequest(plan=plan("whist", 900, "ismcts", "random")), keep=False
    )
    wire.ask("TournamentService", "CancelTournament", v1.CancelTournamentRequest(name=long.tournament.name), keep=False)
    wire.ask("TournamentService", "CancelTournament", v1.CancelTournamentRequest(name=long.tournament.name))
    wire.ask("TournamentService", "ListTournaments", v1.ListTournamentsRequest())
    gone = wire.ask(
        "TournamentService", "StartTournament", v1.StartTournamentRequest(plan=plan("bond", 2, "greedy", "random")), keep=False
    )
    wire.ask("TournamentService", "DeleteTournament", v1.DeleteTournamentRequest(name=gone.tournament.name))
    return names


def tournament_under_way(wire: Wire) -> None:
    """Broken off with games on disk, another one in line behind it."""
    first = v1.StartTournamentRequest(plan=plan("whist", 30, "ismcts:iterations=200", "random"), request_id="under-way")
    name = wire.ask("TournamentService", "StartTournament", first).tournament.name
    wire.ask(
        "TournamentService",
        "StartTournament",
        v1.StartTournamentRequest(plan=plan("bond", 3, "greedy", "random"), request_id="in-line"),
    )
    request = v1.WatchTournamentRequest(name=name)
    request.interval.FromMilliseconds(50)
    for answer in wire.channel.unary_stream(
        "/machiavel.v1.TournamentService/WatchTournament",
        request_serializer=v1.WatchTournamentRequest.SerializeToString,
        response_deserializer=v1.WatchTournamentResponse.FromString,
    )(request, timeout=WAIT):
        if answer.tournament.games_played:
            assert answer.tournament.games_played < answer.tournament.games, "it was too quick"
            return


if __name__ == "__main__":
    main()
