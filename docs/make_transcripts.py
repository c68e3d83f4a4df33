"""Writes docs/transcripts/*.jsonl: requests and answers, as they go over HTTP, for whoever tests a client of their own.

`python docs/make_transcripts.py` starts a rehearsal for each file, which answers the same each time. docs/transcripts.md says how
to use them.
"""

import asyncio
import json
import struct
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from machiavel.server.service.app import Server
from machiavel.server.service.config import load_config

FOLDER = Path(__file__).parent / "transcripts"
SEED = "7"
WAIT = 60  # seconds
USUAL_PORT = 7789
LAST = 2  # flag of the envelope that ends a stream
STREAMS = {"AnalyzeMoves", "ReviewGame", "WatchMatch", "WatchTournament"}

Json = Any
Ask = Callable[..., Json]


class Door:
    """A server's door, as any client sees it: POST requests with JSON."""

    def __init__(self, host: str, port: int) -> None:
        self.connection = HTTPConnection(host, port, timeout=WAIT)

    def post(self, line: Mapping[str, Json]) -> dict[str, Json]:
        """What comes back for a line of a transcript: `status`, and `answer` or, of a stream, `answers` and `end`."""
        path = line["path"]
        body = (line["body"] if "body" in line else json.dumps(line["request"], ensure_ascii=False)).encode()
        is_stream = path.rpartition("/")[2] in STREAMS
        kind = "application/connect+json" if is_stream else "application/json"
        data = struct.pack(">BI", 0, len(body)) + body if is_stream else body
        self.connection.request("POST", path, data, {"content-type": kind})
        response = self.connection.getresponse()
        text = response.read()
        if not is_stream or response.status != 200:
            is_json = response.headers.get_content_type() == "application/json"
            return {"status": response.status, "answer": json.loads(text) if is_json else text.decode()}
        *answers, (flag, end) = messages(text)
        if flag != LAST:
            raise ValueError(f"{path}: the stream has no end")
        return {"status": response.status, "answers": [answer for _, answer in answers], "end": end}


def messages(data: bytes) -> Iterator[tuple[int, Json]]:
    """The envelopes of a stream: a flag, and the JSON in it."""
    while data:
        flag, size = struct.unpack_from(">BI", data)
        yield flag, json.loads(data[5 : 5 + size])
        data = data[5 + size :]


class Recorder:
    """Asks a server, and keeps each line; `varies` are parts of what comes back that are not the same everywhere."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self.lines: list[dict[str, Json]] = []

    def ask(self, call: str, request: Json = None, *, about: str = "", varies: tuple[str, ...] = (), body: str = "") -> Json:
        """`body` is one that is no JSON, in place of a request."""
        line: dict[str, Json] = {"about": about} if about else {}
        line |= {"path": f"/machiavel.v1.{call}"} | ({"body": body} if body else {"request": request or {}})
        back = self.door.post(line)
        self.lines.append(line | back | ({"varies": list(varies)} if varies else {}))
        return back.get("answer", back.get("answers"))


# ---- What is asked ----


def server(ask: Ask) -> None:
    about = "what the server is, and what its caller may do"
    info = ask("ServerService/ServerInfo", about=about, varies=("version", "games", "web", "features", "limits"))
    info["web"]["port"] = USUAL_PORT


def games(ask: Ask) -> None:
    ask("GameService/ListGames", about="which games there are", varies=("games",))
    ask("GameService/GetGame", {"game": "whist", "parts": ["GAME_PART_SCHEMA", "GAME_PART_FORM"]}, about="what whist consists of")
    setup = {"game": "whist", "options": {"players": 3}}
    ask("GameService/NewState", setup, about="without a seed, a rehearsal deals the same hands for the same setup")
    state = ask("GameService/NewState", setup | {"seed": "11", "events": True}, about="a match of three, and how it begins")[
        "state"
    ]
    ask("GameService/GetState", {"record": state["record"]}, about="what its record has come to")
    seat = state.get("seatToMove", 0)
    moves = ask("GameService/LegalMoves", {"record": state["record"]}, about="the moves of all who are asked")["seats"][0][
        "moves"
    ]
    before = ask("GameService/GetView", {"record": state["record"], "seat": (seat + 1) % 3}, about="what the next seat sees")[
        "view"
    ]
    made = ask(
        "GameService/ApplyMove",
        {"record": state["record"], "move": moves[0]["text"], "seat": seat, "events": True},
        about="a move, and what happened as each seat and a spectator saw it",
    )
    record = made["state"]["record"]
    ask("GameService/GetView", {"record": record, "seat": (seat + 1) % 3, "events": True}, about="what the next seat sees now")
    follow = {"view": before, "move": made["publicMove"]["text"], "seat": seat}
    ask("GameService/FollowView", follow, about="the same from what it saw before, and the move")
    ask("GameService/GetView", {"record": record}, about="what a spectator sees")
    first = ask("GameService/ListPuzzles", {"game": "whist", "pageSize": 1}, about="the easiest puzzle of whist")["puzzles"][0]
    tried = {"game": "whist", "puzzle": first["id"], "move": first["moves"][0]["text"]}
    ask("GameService/CheckPuzzle", tried, about="its first move tried, and the solution")


def bots(ask: Ask) -> None:
    ask("BotService/ListBots", about="bots and styles", varies=("styles", "bots"))
    state = ask("GameService/NewState", {"game": "whist", "options": {"players": 3}, "seed": "11"})["state"]
    record = state["record"]
    view = ask("GameService/GetView", {"record": record, "seat": state.get("seatToMove", 0)})["view"]
    ask("BotService/RecommendMove", {"view": view, "bot": "greedy"}, about="a bot that does not search")
    search = {"view": view, "bot": "ismcts:seed=1", "limits": {"iterations": "100"}}
    ask("BotService/RecommendMove", search, about="a search of 100 iterations")
    ask("BotService/RecommendMove", search | {"explain": True}, about="the same, with the reasons and where unseen cards are")
    ask("BotService/AnalyzeMoves", search, about="the same as a stream; in a rehearsal the final answer alone")
    for _ in range(3):
        moves = ask("GameService/LegalMoves", {"record": record})["seats"][0]["moves"]
        record = ask("GameService/ApplyMove", {"record": record, "move": moves[-1]["text"]})["state"]["record"]
    ask(
        "BotService/ReviewGame",
        {"record": record, "bot": "ismcts:seed=1", "iterations": "50"},
        about="each move judged by what its seat could know, then a summary",
    )


def matches(ask: Ask) -> None:
    request = {
        "game": "whist",
        "seats": [
            {"kind": "SEAT_KIND_PERSON", "name": "Ann"},
            {"kind": "SEAT_KIND_OPEN"},
            {"kind": "SEAT_KIND_BOT", "bot": "greedy"},
        ],
        "settings": {"hints": True, "spectators": True, "openRecord": True, "rematch": True},
        "requestId": "transcript-create-1",
    }
    made = ask("MatchService/CreateMatch", request, about="a match of two people and a bot")
    ask("MatchService/CreateMatch", request, about="the same call again, as after a lost answer: the same answer")
    match, host, own = made["match"]["match"], made["hostToken"], made["seatTokens"]["0"]
    ask("MatchService/GetMatch", {"match": match, "token": own}, about="how it stands: a seat is open")
    join = {"code": made["code"], "name": "Bea", "requestId": "transcript-join-0001"}
    token = ask("MatchService/JoinMatch", join, about="who has the code takes the open seat, and the match begins")["token"]
    tokens = {0: own, 1: token}
    play(ask, match, tokens, 3)
    seat, shown = asked(ask, match, tokens)
    question = {"match": match, "token": tokens[seat]}
    hint = question | {"bot": "ismcts:seed=1", "limits": {"iterations": "100"}}
    ask("MatchService/HintMove", hint, about="a hint for the seat that is asked")
    move = {
        "move": shown["position"]["moves"][0]["text"],
        "expectedVersion": shown["version"],
        "requestId": "transcript-play-00001",
    }
    ask("MatchService/PlayMove", question | move, about="its answer")
    ask("MatchService/PlayMove", question | move, about="the same call again: the same answer, and no second move")
    ask("MatchService/GetMatch", {"match": match}, about="what spectators see, without a token")
    take = {"match": match, "token": tokens[1], "bot": "random:seed=3", "requestId": "transcript-take-0001"}
    ask("MatchService/TakeOverSeat", take, about="a bot plays for Bea")
    back = {"match": match, "token": host, "seat": 1, "requestId": "transcript-back-0001"}
    ask("MatchService/HandBackSeat", back, about="the host hands the seat back")
    ask(
        "MatchService/TakeOverSeat",
        {"match": match, "token": host, "seat": 0, "bot": "greedy", "requestId": "transcript-take-0002"},
    )
    give_up = {"match": match, "token": tokens[1], "requestId": "transcript-quit-0001"}
    ask("MatchService/ForfeitSeat", give_up, about="Bea gives up: bots play to the end")
    shown = ask("MatchService/GetMatch", {"match": match, "token": own}, about="it is over")["snapshot"]
    after = str(int(shown["version"]) - 3)
    ask("MatchService/WatchMatch", {"match": match, "token": own, "after": after}, about="the last events, from a version on")
    ask("MatchService/WatchMatch", {"match": match}, about="a spectator that comes too late gets a snapshot alone")
    ask("MatchService/GetRecord", {"match": match, "token": own}, about="the whole match, and what its deal was committed to by")
    ask("MatchService/Rematch", {"match": match, "token": own, "rotate": 1}, about="Ann asks for a rematch; Bea is waited for")
    begun = ask("MatchService/Rematch", {"match": match, "token": token}, about="Bea asks, too: it has begun")
    ask("MatchService/Rematch", {"match": match, "token": own}, about="Ann fetches her token there")
    ask("MatchService/GetMatch", {"match": begun["rematch"]["match"], "token": begun["token"]}, about="Bea's seat in it")
    ask("MatchService/ListMatches", {"pageSize": 1}, about="the matches this caller set up, page by page")
    ask("MatchService/DeleteMatch", {"match": match, "token": host}, about="the first match is removed")


def practice(ask: Ask) -> None:
    request = {
        "game": "whist",
        "seats": [{"kind": "SEAT_KIND_PERSON"}, *[{"kind": "SEAT_KIND_BOT", "bot": "greedy"}] * 2],
        "settings": {"practice": True},
        "requestId": "transcript-practice",
    }
    made = ask("MatchService/CreateMatch", request, about="a person against bots, for practice")
    match, token = made["match"]["match"], made["seatTokens"]["0"]
    own = {"match": match, "token": token}
    shown = ask("MatchService/GetMatch", own)["snapshot"]
    version = ask("MatchService/PlayMove", own | {"move": shown["position"]["moves"][0]["text"]})["version"]
    ask("MatchService/GetMatch", own, about="in a rehearsal the bots have moved by now")
    back = own | {"expectedVersion": version, "requestId": "transcript-undo-0001"}
    ask("MatchService/TakeBackMove", back, about="the move is taken back, and those of the bots after it")
    ask("MatchService/TakeBackMove", back | {"requestId": "transcript-undo-0002"}, about="once more by the old version: refused")
    ask("MatchService/GetMatch", own, about="the question again, at a later version")


def tournaments(ask: Ask) -> None:
    plan = {"game": "whist", "options": {"players": 2}, "bots": ["greedy", "random:seed=5"], "deals": 2, "seed": "7"}
    request = {"plan": plan, "requestId": "transcript-tournament"}
    started = ask("TournamentService/StartTournament", request, about="a tournament", varies=("tournament.state",))
    started["tournament"]["state"] = "TOURNAMENT_STATE_QUEUED"  # or it is under way already
    name = {"name": started["tournament"]["name"]}
    about = "until it is over; of the answers that come on the way the last is shown"
    del ask("TournamentService/WatchTournament", name, about=about, varies=("answers",))[:-1]
    ask("TournamentService/GetTournament", name, about="how it stands")
    ask("TournamentService/GetTournamentResults", name, about="who did how well")
    ask("TournamentService/GetTournamentGame", name | {"deal": "1", "seating": "0"}, about="one game as a record")
    ask("TournamentService/ListTournaments", about="the tournaments of this caller")
    ask("TournamentService/CancelTournament", name, about="cancelling what is over changes nothing")
    ask("TournamentService/DeleteTournament", name, about="it is removed")


def errors(ask: Ask) -> None:
    ask("GameService/NewState", {"game": "chess", "options": {"players": 2}}, about="a game that is not there")
    ask("GameService/NewState", {"game": "whist", "options": {"players": 99}}, about="an option that cannot be")
    ask("GameService/NewState", {"game": "whist", "players": 3}, about="a field that is unknown, by its name")
    ask("GameService/NewState", {"game": 3}, about="a value of another type")
    ask("GameService/NewState", body='{"game":', about="what is no JSON")
    state = ask("GameService/NewState", {"game": "whist", "options": {"players": 3}, "seed": "11"})["state"]
    record = state["record"]
    ask("GameService/ApplyMove", {"record": record, "move": "zz"}, about="no move of the game")
    held = {move["text"] for move in ask("GameService/LegalMoves", {"record": record})["seats"][0]["moves"]}
    other = next(f"{suit}{rank}" for suit in "CDHS" for rank in "23456789" if f"{suit}{rank}" not in held)
    ask("GameService/ApplyMove", {"record": record, "move": other}, about="a move that is not legal now, and those that are")
    wrong = (state.get("seatToMove", 0) + 1) % 3
    ask("GameService/ApplyMove", {"record": record, "move": min(held), "seat": wrong}, about="a seat that is not asked")
    ask("GameService/GetState", {"record": record | {"moves": [other]}}, about="a record that does not replay")
    ask("BotService/RecommendMove", {"record": record, "bot": "level99"}, about="a bot that cannot be")
    ask("BotService/RecommendMove", {"record": record, "limits": {"iterations": "0"}}, about="a limit that cannot be")
    ask("BotService/AnalyzeMoves", {"record": record, "bot": "greedy"}, about="an error of a stream stands in its end")
    ask(
        "MatchService/GetMatch",
        {"match": "A" * 22, "token": "wrong"},
        about="no such match, or no such token: the answer is the same",
    )
    ask("MatchService/JoinMatch", {"code": "0000000000"}, about="a code that opens nothing")
    ask("GameService/Deal", {}, about="a method that is not there")


FILES: Mapping[str, Callable[[Ask], None]] = {
    "server": server,
    "games": games,
    "bots": bots,
    "matches": matches,
    "practice": practice,
    "tournaments": tournaments,
    "errors": errors,
}


# ---- Where ----


@contextmanager
def rehearsal(folder: str) -> Iterator[Door]:
    """A server that has just started, in a thread of its own; in the folder it keeps tournaments."""
    flags = {"listen": "127.0.0.1:0", "web": "127.0.0.1:0", "rehearsal": SEED, "tournaments": folder, "log_level": "error"}
    settings = load_config(flags, {})
    started, loop, ended = threading.Event(), asyncio.new_event_loop(), asyncio.Event()
    ports: list[int] = []

    async def serve() -> None:
        try:
            async with Server(settings) as running:
                assert running.door is not None  # noqa: S101 - it is asked for
                ports.append(running.door.port)
                started.set()
                await ended.wait()
        finally:
            started.set()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    try:
        started.wait(WAIT)
        door = Door("127.0.0.1", ports[0])
        with closing(door.connection):
            yield door
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(WAIT)
        loop.close()


def transcript(name: str) -> list[dict[str, Json]]:
    """The lines of a file."""
    with tempfile.TemporaryDirectory() as folder, rehearsal(folder) as door:
        recorder = Recorder(door)
        FILES[name](recorder.ask)
        return recorder.lines


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in FILES:
        lines = transcript(name)
        text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
        (FOLDER / f"{name}.jsonl").write_text(text, encoding="utf-8")
        print(f"{name}: {len(lines)} lines, {len(text):,} characters", file=sys.stderr)


def asked(ask: Ask, match: str, tokens: Mapping[int, str]) -> tuple[int, Json]:
    """A seat that is asked, and what it sees."""
    for seat, token in tokens.items():
        shown = ask("MatchService/GetMatch", {"match": match, "token": token})["snapshot"]
        if shown["position"].get("moves"):
            return seat, shown
    raise AssertionError("nobody is asked")


def play(ask: Ask, match: str, tokens: Mapping[int, str], moves: int) -> None:
    for _ in range(moves):
        seat, shown = asked(ask, match, tokens)
        move = shown["position"]["moves"][0]["text"]
        ask("MatchService/PlayMove", {"match": match, "token": tokens[seat], "move": move})


if __name__ == "__main__":
    main()
