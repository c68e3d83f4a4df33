"""A bot in one function: it plays its lowest cards first.

machiavel play whist --bots clients/examples/mybot.py
machiavel tournament whist --bots clients/examples/mybot.py random --players 2 --deals 100 --output mine
python clients/examples/mybot.py http://127.0.0.1:7789 CODE
"""

import sys
from typing import Any

RANKS = "23456789TJQKA"


def move(view: dict[str, Any], moves: list[str]) -> str:
    """One of the legal moves. The view is what the seat sees: its hand, the table, whatever was shown."""
    trump = view.get("trump")
    return min(moves, key=lambda card: (card[0] == trump, RANKS.find(card[-1])))


if __name__ == "__main__":
    from machiavel.clients import connect, serve_bot

    address, code = sys.argv[1:]
    with connect(address) as service:
        (match,) = serve_bot(move, service.join_match(code, name="mybot"))
        print(list(match.utilities))
