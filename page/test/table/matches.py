"""Plays whole matches and writes what a page gets of them, a line of JSON each: `python matches.py GAME,PLAYERS,SEED,SEAT …`.

A match has the answer of GetGame, and for each position the view, as its message and as the game's own JSON, who is asked, that
seat's moves, and the move that led there as the viewer saw it, with what happened. GAME may be a Python file. A SEAT of -1 is a
spectator. Without arguments it plays every game with few and with many players.
"""

import json
import random
import sys
from collections.abc import Iterable, Iterator

from google.protobuf.json_format import MessageToDict

from machiavel import v1
from machiavel.engines import SeenMove, games, load
from machiavel.engines.registry import add_file
from machiavel.server.service import wire
from machiavel.server.service.described_games import game_message_of
from machiavel.server.service.event_messages import events_of

MOST = 400


def match(game: str, players: int, seed: int, viewer: int | None) -> dict[str, object]:
    state, draw = load(game).new(players, seed=seed), random.Random(seed)
    options = wire.view_message(state.view(0)).options
    told = game_message_of(v1.GetGameRequest(game=game, options=options, parts=[v1.GamePart.GAME_PART_SCHEMA]))
    positions: list[dict[str, object]] = []
    played: list[dict[str, object]] = []
    events = events_of(None, None, state.view(viewer))
    while len(positions) < MOST:
        view, asked = state.view(viewer), list(state.seats_to_move)
        moves = state.legal_moves(viewer) if viewer in asked else []
        positions.append(
            {
                "typed": MessageToDict(wire.view_message(view)),
                "plain": view.to_json()["view"],
                "asked": asked,
                "moves": [MessageToDict(wire.move_message(view, move)) for move in moves],
                "played": played,
                "events": [MessageToDict(event) for event in events],
            }
        )
        seat = state.seat_to_move
        if seat is None:
            break
        state.play(draw.choice(state.legal_moves(seat)), seat)
        text = wire.seen_move_message(state, viewer).text
        played = [{"seat": seat, "text": text}]
        events = events_of(view, SeenMove(seat, text), state.view(viewer))
    return {"game": MessageToDict(told), "viewer": viewer, "positions": positions}


def usual() -> Iterator[str]:
    for name in games():
        least, most = max(2, min(load(name).players)), max(load(name).players)
        yield from (f"{name},{most},1,{most - 1}", f"{name},{least},2,0", f"{name},{most},3,-1")


def main(asked: Iterable[str]) -> None:
    for one in asked:
        name, players, seed, seat = one.split(",")
        game = add_file(name).name if name.endswith(".py") else name
        print(json.dumps(match(game, int(players), int(seed), None if seat == "-1" else int(seat))))


if __name__ == "__main__":
    main(sys.argv[1:] or usual())
