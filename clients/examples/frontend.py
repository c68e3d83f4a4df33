"""A frontend in miniature: a table of two people, who play at random, and a bot behind the service.

It needs machiavel-client alone: `pip install ./clients`, then `python frontend.py HOST:PORT`.
"""

import argparse
import random

from machiavel.clients import Client, NotToMove, connect
from machiavel.v1 import LocalizedText, State


def bot_seat(service: Client, state: State, seat: int) -> str:
    """All that a frontend needs for a bot: what its seat sees, and a deadline in seconds."""
    view = service.get_view(state, seat)
    return service.recommend_move(view, bot="level5", timeout=2).move.text


def read(text: LocalizedText, language: str) -> str:
    return text.fr if language == "fr" else text.en


def play(service: Client, game: str, language: str) -> State:
    """A match to its end, told move by move."""
    draw = random.Random(11)
    state = service.new_state(game, 3, seed=11)
    while not state.over:
        seat = state.seat_to_move
        if seat == 0:
            move = bot_seat(service, state, seat)
        else:
            (own,) = service.legal_moves(state, seat)
            move = draw.choice(own.moves).text
        done = service.apply_move(state, move, seat)
        state = done.state
        print(f"{state.ply:4} seat {done.seat}: {read(done.public_move.label, language)}")
    return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("address", metavar="HOST:PORT")
    parser.add_argument("--game", default="whist")
    parser.add_argument("--lang", choices=("en", "fr"), default="en")
    arguments = parser.parse_args()
    with connect(arguments.address) as service:
        names = {game.name: read(game.title, arguments.lang) for game in service.list_games()}
        print(names[arguments.game])
        state = play(service, arguments.game, arguments.lang)
        print("results by seat:", *state.utilities)
        try:
            service.recommend_move(state, seat=0)
        except NotToMove as error:  # errors have names and fields
            print(f"{error.code.name}: {error}")


if __name__ == "__main__":
    main()
