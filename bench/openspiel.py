"""Whether hearts here is OpenSpiel's: `python -m bench.openspiel` plays matches in both, where `pip install open_spiel` was run.

Every other match is with passing. At each move both must ask the same seat and allow the same cards, and at the end come to the
same returns. Moves are random; in one match of ten a seat with high cards tries to take all points. `--write FILE` keeps matches
as OpenSpiel played them, for a test that does without it (tests/engines/kit/data/openspiel_hearts.json, of 40 matches).
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from machiavel.engines import State, load

__all__ = ["differences", "matches", "recorded"]

SUITS, RANKS = "CDHS", "23456789TJQKA"
CARDS = [suit + rank for suit in SUITS for rank in RANKS]
WAYS = ("keep", "left", "across", "right")  # OpenSpiel's numbers
HIGH = [CARDS.index(text) for text in "CA CK CQ DA DK DQ HA HK HQ HJ SA SK SQ".split()]

Json = dict[str, Any]


def card_of(action: int) -> int:
    """OpenSpiel counts ranks first."""
    return action % 4 * 13 + action // 4


def recorded(seed: int) -> Json:
    """A match as OpenSpiel plays it: the deal, the moves, who was asked, what was allowed (as bits), and the returns."""
    pyspiel: Any = import_module("pyspiel")
    rng = random.Random(seed)
    is_passing, shooter = seed % 2 == 1, rng.randrange(4) if seed % 20 in {0, 1} else None
    state = pyspiel.load_game("hearts", {"pass_cards": is_passing}).new_initial_state()
    way = rng.randrange(4) if is_passing else 0
    hands = dealt(rng, shooter)
    state.apply_action(way)
    for place in range(52):
        card = hands[place % 4][place // 4]
        state.apply_action(card % 13 * 4 + card // 13)
    asked: list[int] = []
    allowed: list[int] = []
    moves: list[str] = []
    while not state.is_terminal():
        asked.append(state.current_player())
        actions = state.legal_actions()
        allowed.append(sum(1 << card_of(action) for action in actions))
        is_shooting = shooter == state.current_player() and len(moves) >= 12 * (way > 0)
        action = max(actions, key=lambda one: (one // 4, one % 4 == 2)) if is_shooting else rng.choice(actions)
        moves.append(CARDS[card_of(action)])
        state.apply_action(action)
    return {
        "way": WAYS[way] if is_passing else None,
        "hands": [" ".join(CARDS[card] for card in sorted(hand)) for hand in hands],
        "moves": " ".join(moves),
        "asked": "".join(map(str, asked)),
        "allowed": " ".join(f"{cards:x}" for cards in allowed),
        "returns": [int(value) for value in state.returns()],
    }


def dealt(rng: random.Random, shooter: int | None) -> list[list[int]]:
    """Four hands; who wants to shoot the moon has what it takes."""
    cards = [card for card in range(52) if shooter is None or card not in HIGH]
    rng.shuffle(cards)
    return [HIGH if seat == shooter else [cards.pop() for _ in range(13)] for seat in range(4)]


def begun(match: Json) -> State:
    layout = {"hands": [hand.split() for hand in match["hands"]]}
    is_passing = match["way"] is not None
    if is_passing:
        layout["way"] = match["way"]
    return load("hearts").new(4, layout=layout, passing=is_passing)


def differences(match: Json) -> Iterator[str]:
    """What is otherwise in a match played here by the same moves."""
    state, results = begun(match), match["returns"]
    passed = 0 if match["way"] in {None, "keep"} else 12
    plies = zip(match["moves"].split(), match["asked"], match["allowed"].split(), strict=True)
    for ply, (card, asked, allowed) in enumerate(plies):
        before = "pass:" if ply < passed else ""
        if state.seat_to_move != int(asked):
            yield f"ply {ply}: seat {state.seat_to_move} is asked, not {asked}"
            return
        expected = [before + text for number, text in enumerate(CARDS) if int(allowed, 16) >> number & 1]
        if state.legal_moves() != expected:
            yield f"ply {ply}: {state.legal_moves()} are legal, not {expected}"
            return
        state.play(before + card)
    if not state.is_over:
        yield "the match is not over"
    elif any(abs(mine * sum(results) - theirs) > 1e-4 for mine, theirs in zip(state.utilities, results, strict=True)):
        yield f"returns are {results}, utilities {state.utilities}"


def matches(count: int) -> Iterator[Json]:
    return (recorded(seed) for seed in range(count))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.openspiel", description=__doc__)
    parser.add_argument("--matches", type=int, default=1000, metavar="N", help="how many (1000)")
    parser.add_argument("--write", type=Path, metavar="FILE", help="keep OpenSpiel's side of them")
    options = parser.parse_args(arguments)
    played = list(matches(options.matches))
    if options.write:
        lines = ",\n".join(json.dumps(match, separators=(",", ":")) for match in played)
        options.write.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    found = [f"match {number}: {what}" for number, match in enumerate(played) for what in differences(match)]
    plies, moons = sum(len(match["asked"]) for match in played), sum(match["returns"].count(0) == 3 for match in played)
    print(*found, f"{len(played)} matches, {plies} plies, {moons} moons, {len(found)} differences", sep="\n")
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
