"""The table: what is called, and what has to come of it, whichever way the call goes."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from google.protobuf.duration_pb2 import Duration
from google.protobuf.json_format import ParseDict

from machiavel import v1
from machiavel.clients import Client
from machiavel.search import puzzles_of
from tests.ways_in.way import LEFT, Case

__all__ = ["CROWDED_CASES", "GUARDED_CASES", "OPEN_CASES", "TOKEN", "VIEWS", "Tables"]

VIEWS = Path(__file__).resolve().parents[2] / "docs" / "views"
TOKEN = "-".join(["a", "token", "of", "some", "length"])
WORDS = "Ça n’est pas un coup — 不是, 🂡\n%41"
BOT = "ismcts:iterations=60,seed=3"
PUZZLE = puzzles_of("whist").puzzles[0]


@dataclass(frozen=True)
class Tables:
    """What stands on the server: records, and hosted matches by requests that ask for them."""

    record: v1.Record = field(default_factory=v1.Record)  # under way
    over: v1.Record = field(default_factory=v1.Record)
    asked: v1.GetMatchRequest = field(default_factory=v1.GetMatchRequest)  # a match whose seat 0 is asked
    asked_move: str = ""
    ended: v1.GetMatchRequest = field(default_factory=v1.GetMatchRequest)  # one that is over
    ended_host: str = ""

    @classmethod
    def made(cls, service: Client) -> "Tables":
        state = service.new_state("whist", 3, seed=7)
        end = service.new_state("kuhn", 2, seed=4)
        while not end.over:
            end = service.apply_move(end, service.legal_moves(end)[0].moves[0].text).state
        asked = service.create_match("agency", ["person", "greedy", "greedy"], think=0.02).at(0)
        moves = next(asked.turns()).moves
        ended = service.create_match("kuhn", ["person", "person"])
        for seat in (0, 1):
            ended.at(seat).play("bet")
        ended.rematch()
        for place in [ended.at(seat).rematch() for seat in (0, 1)]:
            assert place is not None
            place.forfeit()
            last_event = place.watch()
        for _ in last_event:  # until that is over, too, for only so many may be under way
            continue
        last = ended.at(1)
        return cls(
            state.record,
            end.record,
            v1.GetMatchRequest(match=asked.match, token=asked.token),
            moves[0].text,
            v1.GetMatchRequest(match=last.match, token=last.token),
            ended.token,
        )


def view(name: str) -> v1.View:
    return ParseDict(json.loads((VIEWS / f"{name}.json").read_text(encoding="utf-8"))["view"], v1.View())


def changed(record: v1.Record, *moves: str) -> v1.Record:
    result = v1.Record()
    result.CopyFrom(record)
    result.moves.extend(moves)
    return result


def seconds(time: float) -> Duration:
    return Duration(seconds=int(time), nanos=round(time % 1 * 1e9))


def new_state(game: str, *, seed: str | None = None, **options: object) -> v1.NewStateRequest:
    return v1.NewStateRequest(game=game, options=v1.Options(**options), seed=seed)  # type: ignore[arg-type]


def create(request_id: str, *kinds: "v1.SeatKind.ValueType") -> v1.CreateMatchRequest:
    seats = [v1.SeatSetup(kind=kind, name="Zoë") for kind in kinds]
    return v1.CreateMatchRequest(game="whist", seats=seats, request_id=request_id)


PERSON, BOT_SEAT, OPEN = v1.SeatKind.SEAT_KIND_PERSON, v1.SeatKind.SEAT_KIND_BOT, v1.SeatKind.SEAT_KIND_OPEN
Make = Callable[[Tables], Case]

# On a server without tokens.
OPEN_CASES: Mapping[str, Make] = {
    # answers
    "games": lambda _: Case("GameService.ListGames", v1.ListGamesRequest()),
    "bots": lambda _: Case("BotService.ListBots", v1.ListBotsRequest()),
    "what a game consists of": lambda _: Case(
        "GameService.GetGame", v1.GetGameRequest(game="whist", answers={"players": "3", "trump": "vert"})
    ),
    "a view carried on": lambda _: Case(
        "GameService.FollowView", v1.FollowViewRequest(view=view("kuhn-open"), move="bet", seat=0)
    ),
    "a view that asks": lambda _: Case("GameService.FollowView", v1.FollowViewRequest(view=view("kuhn-answer"), move="bet")),
    "a deal": lambda _: Case("GameService.NewState", new_state("bond", players=4, seed=str(2**128 - 1))),
    "a state": lambda t: Case("GameService.GetState", v1.GetStateRequest(record=t.record)),
    "a state that is over": lambda t: Case("GameService.GetState", v1.GetStateRequest(record=t.over)),
    "what happened": lambda t: Case("GameService.GetState", v1.GetStateRequest(record=t.over, events=True)),
    "legal moves of a record": lambda t: Case("GameService.LegalMoves", v1.LegalMovesRequest(record=t.record, seat=0)),
    "legal moves of a view": lambda _: Case("GameService.LegalMoves", v1.LegalMovesRequest(view=view("citadel-act"))),
    "a view of a game without a message": lambda t: Case("GameService.GetView", v1.GetViewRequest(record=t.over, seat=1)),
    "a spectator's view": lambda t: Case("GameService.GetView", v1.GetViewRequest(record=t.record)),
    "advice from a view": lambda _: Case(
        "BotService.RecommendMove", v1.RecommendMoveRequest(view=view("bond-foil"), bot=BOT, explain=True)
    ),
    "advice about a Struct": lambda _: Case("BotService.RecommendMove", v1.RecommendMoveRequest(view=view("kuhn-open"), bot=BOT)),
    "a comparison": lambda t: Case(
        "BotService.RecommendMove",
        v1.RecommendMoveRequest(
            view=view("agency-play"), bot="ismcts:seed=1", limits=v1.Limits(iterations=80), explain=True, what_about="Y11"
        ),
    ),
    "a game's schema, form and rules": lambda _: Case(
        "GameService.GetGame", v1.GetGameRequest(game="bond", options=v1.Options(players=3))
    ),
    "a view after a move": lambda _: Case("GameService.FollowView", v1.FollowViewRequest(view=view("whist-follow"), move="C9")),
    "puzzles": lambda _: Case("GameService.ListPuzzles", v1.ListPuzzlesRequest(game="whist", page_size=3)),
    "a puzzle that is tried": lambda _: Case(
        "GameService.CheckPuzzle", v1.CheckPuzzleRequest(game="whist", puzzle=PUZZLE.id, move=PUZZLE.moves[0].move)
    ),
    "a puzzle given up": lambda _: Case("GameService.CheckPuzzle", v1.CheckPuzzleRequest(game="whist", puzzle=PUZZLE.id)),
    # hosted matches
    "a match is made once": lambda _: Case("MatchService.CreateMatch", create("the-same-for-all", PERSON, OPEN, BOT_SEAT)),
    "a snapshot": lambda t: Case("MatchService.GetMatch", t.ended),
    "an answer is given once": lambda t: Case(
        "MatchService.PlayMove",
        v1.PlayMoveRequest(match=t.asked.match, token=t.asked.token, move=t.asked_move, request_id="a-move-for-all-of-them"),
    ),
    "the record": lambda t: Case("MatchService.GetRecord", v1.GetRecordRequest(match=t.ended.match, token=t.ended_host)),
    # errors
    "no such puzzle": lambda _: Case(
        "GameService.CheckPuzzle", v1.CheckPuzzleRequest(game="whist", puzzle=WORDS), "INVALID_ARGUMENT", "BAD_REQUEST"
    ),
    "a move that a puzzle does not have": lambda _: Case(
        "GameService.CheckPuzzle",
        v1.CheckPuzzleRequest(game="whist", puzzle=PUZZLE.id, move=WORDS),
        "INVALID_ARGUMENT",
        "NOT_A_MOVE",
    ),
    "no such page of puzzles": lambda _: Case(
        "GameService.ListPuzzles", v1.ListPuzzlesRequest(game="whist", page_token=WORDS), "INVALID_ARGUMENT", "BAD_REQUEST"
    ),
    "no such game": lambda _: Case("GameService.NewState", new_state("chess"), "NOT_FOUND", "UNKNOWN_GAME"),
    "a bad option": lambda _: Case("GameService.NewState", new_state("whist", players=9), "INVALID_ARGUMENT", "BAD_OPTION"),
    "no move at all": lambda t: Case(
        "GameService.ApplyMove", v1.ApplyMoveRequest(record=t.record, move=WORDS), "INVALID_ARGUMENT", "NOT_A_MOVE"
    ),
    "an illegal move": lambda t: Case(
        "GameService.ApplyMove", v1.ApplyMoveRequest(record=t.record, move="C2", seat=0), "INVALID_ARGUMENT", "ILLEGAL_MOVE"
    ),
    "a move out of turn": lambda t: Case(
        "GameService.ApplyMove",
        v1.ApplyMoveRequest(record=t.record, move="C2", seat=2),
        "FAILED_PRECONDITION",
        "NOT_TO_MOVE",
    ),
    "a bad record": lambda t: Case(
        "GameService.GetState", v1.GetStateRequest(record=changed(t.record, "H2", "é")), "INVALID_ARGUMENT", "BAD_RECORD"
    ),
    "a bad view": lambda _: Case(
        "GameService.LegalMoves",
        v1.LegalMovesRequest(view=v1.View(game="whist", rules_version=1, whist=v1.WhistView(seat=7))),
        "INVALID_ARGUMENT",
        "BAD_VIEW",
    ),
    "a bad bot": lambda _: Case(
        "BotService.RecommendMove",
        v1.RecommendMoveRequest(view=view("kuhn-open"), bot="grandmaster"),
        "INVALID_ARGUMENT",
        "BAD_BOT",
    ),
    "nothing set": lambda _: Case("BotService.RecommendMove", v1.RecommendMoveRequest(), "INVALID_ARGUMENT", "BAD_REQUEST"),
    "a match that is over": lambda t: Case(
        "GameService.ApplyMove", v1.ApplyMoveRequest(record=t.over, move="bet"), "FAILED_PRECONDITION", "MATCH_OVER"
    ),
    "a seat without its token": lambda t: Case(
        "MatchService.GetMatch", v1.GetMatchRequest(match=t.ended.match, token="x" * 43), "PERMISSION_DENIED", "NO_ACCESS"
    ),
    "nothing to take back": lambda t: Case(
        "MatchService.TakeBackMove",
        v1.TakeBackMoveRequest(match=t.asked.match, token=t.asked.token),
        "FAILED_PRECONDITION",
        "NOT_ALLOWED",
    ),
    "a rematch too early": lambda t: Case(
        "MatchService.Rematch",
        v1.RematchRequest(match=t.asked.match, token=t.asked.token),
        "FAILED_PRECONDITION",
        "MATCH_NOT_OVER",
    ),
    "a rematch is the same for all": lambda t: Case(
        "MatchService.Rematch", v1.RematchRequest(match=t.ended.match, token=t.ended_host)
    ),
    "a code of no match": lambda _: Case(
        "MatchService.JoinMatch", v1.JoinMatchRequest(code="NOCODE00", request_id="r" * 20), "NOT_FOUND", "BAD_CODE"
    ),
    "an id used for something else": lambda _: Case(
        "MatchService.CreateMatch", create("the-same-for-all", OPEN, OPEN, BOT_SEAT), "INVALID_ARGUMENT", "REQUEST_REUSED"
    ),
    "a question that has changed": lambda t: Case(
        "MatchService.PlayMove",
        v1.PlayMoveRequest(
            match=t.ended.match, token=t.ended.token, move="bet", expected_version=1, request_id="something-that-is-stale"
        ),
        "FAILED_PRECONDITION",
        "MATCH_OVER",
    ),
    # streams
    "an analysis": lambda _: Case(
        "BotService.AnalyzeMoves",
        v1.AnalyzeMovesRequest(view=view("whist-follow"), bot=BOT, interval=seconds(60), explain=True),
        compares="last",
    ),
    "an analysis that is left": lambda _: Case(
        "BotService.AnalyzeMoves",
        v1.AnalyzeMovesRequest(view=view("whist-lead"), limits=v1.Limits(time=seconds(50)), interval=seconds(0.05)),
        LEFT,
        leaves_after=3,
        compares="code",
    ),
    "advice that is not waited for": lambda _: Case(
        "BotService.RecommendMove",
        v1.RecommendMoveRequest(view=view("whist-lead"), limits=v1.Limits(time=seconds(50))),
        LEFT,
        leaves_after=0,
        compares="code",
    ),
    "an analysis of nothing": lambda _: Case(
        "BotService.AnalyzeMoves", v1.AnalyzeMovesRequest(), "INVALID_ARGUMENT", "BAD_REQUEST"
    ),
    "a review": lambda t: Case("BotService.ReviewGame", v1.ReviewGameRequest(record=t.over, iterations=50)),
    "all events of a match": lambda t: Case(
        "MatchService.WatchMatch", v1.WatchMatchRequest(match=t.ended.match, token=t.ended.token, after=0)
    ),
    "a quiet match": lambda t: Case(
        "MatchService.WatchMatch", v1.WatchMatchRequest(match=t.asked.match, token=t.asked.token, after=0), LEFT, leaves_after=1
    ),
    "watching without a token": lambda t: Case(
        "MatchService.WatchMatch", v1.WatchMatchRequest(match=t.asked.match), "PERMISSION_DENIED", "NO_ACCESS"
    ),
    # deadlines
    "a deadline is the time to think": lambda _: Case(
        "BotService.RecommendMove", v1.RecommendMoveRequest(view=view("whist-lead")), timeout=0.4, compares="code"
    ),
    "no time": lambda _: Case(
        "BotService.RecommendMove",
        v1.RecommendMoveRequest(view=view("whist-lead")),
        "DEADLINE_EXCEEDED",
        timeout=0.001,
        compares="code",
    ),
    "a stream that has no more time": lambda t: Case(
        "MatchService.WatchMatch",
        v1.WatchMatchRequest(match=t.asked.match, token=t.asked.token),
        "DEADLINE_EXCEEDED",
        timeout=0.3,
        compares="code",
    ),
    # limits
    "too large a message": lambda _: Case(
        "GameService.GetState",
        v1.GetStateRequest(record=v1.Record(game="whist", moves=["C2"] * 5000)),
        "RESOURCE_EXHAUSTED",
        "MESSAGE_TOO_LARGE",
        compares="reason",
    ),
    "too large a message for a stream": lambda _: Case(
        "BotService.ReviewGame",
        v1.ReviewGameRequest(record=v1.Record(game="whist", moves=["C2"] * 5000)),
        "RESOURCE_EXHAUSTED",
        "MESSAGE_TOO_LARGE",
        compares="reason",
    ),
    "too many matches": lambda _: Case(
        "MatchService.CreateMatch", create("one-too-many-00000", PERSON, PERSON), "RESOURCE_EXHAUSTED", "TOO_MANY_MATCHES"
    ),
}


# On a server that takes one call at a time, and has it.
CROWDED_CASES: Mapping[str, Make] = {
    "one call too many": lambda _: Case("GameService.ListGames", v1.ListGamesRequest(), "RESOURCE_EXHAUSTED", "TOO_BUSY"),
    "one stream too many": lambda t: Case("MatchService.WatchMatch", v1.WatchMatchRequest(), "RESOURCE_EXHAUSTED", "TOO_BUSY"),
}

# On a server that asks for a token.
GUARDED_CASES: Mapping[str, Make] = {
    "no token": lambda _: Case("BotService.ListBots", v1.ListBotsRequest(), "UNAUTHENTICATED", "BAD_TOKEN"),
    "a wrong token": lambda _: Case(
        "GameService.ListGames", v1.ListGamesRequest(), "UNAUTHENTICATED", "BAD_TOKEN", token=TOKEN[:-1]
    ),
    "no token for a stream": lambda _: Case(
        "BotService.AnalyzeMoves",
        v1.AnalyzeMovesRequest(view=view("kuhn-open")),
        "UNAUTHENTICATED",
        "BAD_TOKEN",
    ),
    "a guest": lambda _: Case("GameService.GetGame", v1.GetGameRequest(game="kuhn")),
    "a guest who asks for more": lambda _: Case(
        "MatchService.ListMatches", v1.ListMatchesRequest(), "UNAUTHENTICATED", "BAD_TOKEN"
    ),
    "the right token": lambda _: Case("GameService.ListGames", v1.ListGamesRequest(), token=TOKEN),
    "the right token for a stream": lambda _: Case(
        "BotService.AnalyzeMoves",
        v1.AnalyzeMovesRequest(view=view("kuhn-open"), bot=BOT, interval=seconds(60)),
        token=TOKEN,
        compares="last",
    ),
}
