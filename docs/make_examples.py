"""Writes server/web/examples.json, the examples of /openapi.json: `python docs/make_examples.py` asks a server in a rehearsal.

Each call once, as it is asked and answered; a test holds what is written against a server as it is now.
"""

import asyncio
import json
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from machiavel.server.service.app import Server
from machiavel.server.service.config import load_config

FILE = Path(__file__).resolve().parents[1] / "server" / "web" / "examples.json"
SETTINGS = {
    "listen": "127.0.0.1:0",
    "web": "127.0.0.1:0",
    "rehearsal": "1",
    "log_level": "error",
    "tournament_workers": 1,
}
PORT = 7789
QUEUED = "TOURNAMENT_STATE_QUEUED"
MOST = 3  # items of a list
WAIT = 60.0  # seconds for a tournament of two games


class Asker:
    """Asks the door, and keeps what it asked and what came back, of each call the first time."""

    def __init__(self, web: str) -> None:
        self.web = web
        self.kept: dict[str, Any] = {}

    def __call__(self, call: str, **fields: Any) -> Any:
        url = f"{self.web}/machiavel.v1.{call.replace('.', '/')}"
        body = json.dumps(fields).encode()
        request = urllib.request.Request(url, body, {"content-type": "application/json"})  # noqa: S310 - http, on loopback
        try:
            with urllib.request.urlopen(request) as answer:  # noqa: S310
                response = json.load(answer)
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{call}: {error.read().decode()}") from None
        self.kept.setdefault(call, {"request": fields, "response": response})
        return response


def ask_all(ask: Asker) -> None:
    """Every call that has one answer."""
    ask("ServerService.ServerInfo")
    ask("GameService.ListGames")
    ask("BotService.ListBots")
    ask("GameService.GetGame", game="kuhn", parts=["GAME_PART_RULES"])
    puzzle = ask("GameService.ListPuzzles", game="whist", players=2, pageSize=1)["puzzles"][0]
    ask("GameService.CheckPuzzle", game="whist", puzzle=puzzle["id"], move=puzzle["moves"][0]["text"])
    ask_about_a_record(ask)
    ask_about_a_match(ask)
    ask_about_a_tournament(ask)


def ask_about_a_record(ask: Asker) -> None:
    state = ask("GameService.NewState", game="kuhn", options={"players": 2}, seed="7")["state"]
    ask("GameService.LegalMoves", record=state["record"])
    state = ask("GameService.ApplyMove", record=state["record"], move="bet")["state"]
    ask("GameService.GetState", record=state["record"])
    view = ask("GameService.GetView", record=state["record"], seat=1)["view"]
    limits = {"iterations": "100"}
    ask("BotService.RecommendMove", view=view, bot="ismcts:seed=1", limits=limits, explain=True)
    ask("GameService.FollowView", view=view, move="pass", seat=1)


def ask_about_a_match(ask: Asker) -> None:
    seats = [{"kind": "SEAT_KIND_PERSON", "name": "Ann"}, {"kind": "SEAT_KIND_OPEN"}]
    settings = {"hints": True, "openRecord": True, "rematch": True}
    made = ask("MatchService.CreateMatch", game="kuhn", seats=seats, settings=settings, requestId="an-evening-of-kuhn-1")
    joined = ask("MatchService.JoinMatch", code=made["code"], name="Bo", requestId="an-evening-of-kuhn-2")
    tokens = [made["seatTokens"]["0"], joined["token"]]
    match = made["match"]["match"]
    snapshot = ask("MatchService.GetMatch", match=match, token=tokens[0])["snapshot"]
    seat = snapshot["position"]["seatsToMove"][0]
    of_seat = {"match": match, "token": tokens[seat]}
    ask("MatchService.HintMove", **of_seat, bot="ismcts:seed=1", limits={"iterations": "100"}, explain=True)
    ask("MatchService.TakeOverSeat", match=match, token=tokens[1 - seat], bot="greedy", requestId="an-evening-of-kuhn-3")
    ask("MatchService.HandBackSeat", match=match, token=tokens[1 - seat], requestId="an-evening-of-kuhn-4")
    ask("MatchService.PlayMove", **of_seat, move="bet", requestId="an-evening-of-kuhn-5")
    ask("MatchService.ForfeitSeat", match=match, token=tokens[1 - seat], requestId="an-evening-of-kuhn-6")
    while ask("MatchService.GetMatch", **of_seat)["snapshot"]["match"]["phase"] != "MATCH_PHASE_OVER":
        time.sleep(0.05)
    ask("MatchService.GetRecord", **of_seat)
    ask("MatchService.Rematch", match=match, token=made["hostToken"], requestId="an-evening-of-kuhn-7")
    ask("MatchService.ListMatches", pageSize=1, phase="MATCH_PHASE_OVER")
    ask("MatchService.DeleteMatch", match=match, token=made["hostToken"])
    take_back(ask)


def take_back(ask: Asker) -> None:
    seats = [{"kind": "SEAT_KIND_PERSON"}, {"kind": "SEAT_KIND_BOT", "bot": "greedy"}]
    made = ask(
        "MatchService.CreateMatch", game="whist", seats=seats, settings={"practice": True}, requestId="an-evening-of-kuhn-8"
    )
    of_seat = {"match": made["match"]["match"], "token": made["seatTokens"]["0"]}
    while not (moves := ask("MatchService.GetMatch", **of_seat)["snapshot"]["position"]["moves"]):
        time.sleep(0.05)
    ask("MatchService.PlayMove", **of_seat, move=moves[0]["text"], requestId="an-evening-of-kuhn-9")
    ask("MatchService.TakeBackMove", **of_seat, requestId="an-evening-of-kuhn-10")


def ask_about_a_tournament(ask: Asker) -> None:
    plan = {"game": "kuhn", "options": {"players": 2}, "bots": ["greedy", "random"], "deals": 1, "seed": "1"}
    name = ask("TournamentService.StartTournament", plan=plan, requestId="an-evening-of-kuhn-11")["tournament"]["name"]
    until = time.monotonic() + WAIT
    asked = Asker(ask.web)
    while asked("TournamentService.GetTournament", name=name)["tournament"]["state"] != "TOURNAMENT_STATE_PLAYED":
        if time.monotonic() > until:
            raise SystemExit("a tournament of two games does not end")
        time.sleep(0.05)
    for call in ("GetTournament", "GetTournamentResults"):
        ask(f"TournamentService.{call}", name=name)
    ask("TournamentService.GetTournamentGame", name=name)
    ask("TournamentService.ListTournaments")
    for call in ("CancelTournament", "DeleteTournament"):
        ask(f"TournamentService.{call}", name=name)


async def examples() -> dict[str, Any]:
    """By call, what is asked and what is answered."""
    with tempfile.TemporaryDirectory() as folder:
        async with Server(load_config({**SETTINGS, "tournaments": folder}, {})) as server:
            ask = Asker(str(server.web_address))
            await asyncio.to_thread(ask_all, ask)
    ask.kept["ServerService.ServerInfo"]["response"]["web"]["port"] = PORT
    # It may have begun already, or not yet.
    ask.kept["TournamentService.StartTournament"]["response"]["tournament"] |= {"state": QUEUED, "gamesPlayed": "0"}
    return {call: {side: cut(data) for side, data in example.items()} for call, example in ask.kept.items()}


def cut(data: Any) -> Any:
    """With no more than the first items of what has too many."""
    if isinstance(data, dict):
        return {name: cut(value) for name, value in data.items()}
    return [cut(value) for value in data[:MOST]] if isinstance(data, list) else data


def main() -> None:
    FILE.write_text(json.dumps(asyncio.run(examples()), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
