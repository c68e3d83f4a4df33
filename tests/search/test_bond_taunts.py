"""Built positions of bond in which a safe taunt wins and a kill does not: the search taunts."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from machiavel.engines import View, load
from machiavel.search import Limits, SearchParameters, recommend

GAME = load("bond")
LAIRS = [1] * 2 + [2] * 4 + [3] * 6 + [4] * 6
SPIES = [2] * 3 + [3] * 3 + [4] * 3 + [5] * 3 + [6] * 2 + [7] * 2 + [8] * 2
DOUBLERS = list("AABBCCDDEEFFGGHHII")
ITERATIONS = 2000


def position(rng: random.Random) -> tuple[View, set[str]]:
    """A spy captured by seat 0, which needs more than its value, but not more than twice; and the letters nobody can foil.

    The others need little more, with lairs and spies to get it: who only kills may lose.
    """
    players = rng.randint(2, 6)
    others = players - 1
    lairs, spies = (rng.sample(cards, len(cards)) for cards in (LAIRS, SPIES))
    doublers = rng.sample(DOUBLERS, len(DOUBLERS))
    spy = spies.pop()
    table = [[lairs.pop(), lairs.pop()] for _ in range(players)]
    while sum(table[0]) < spy:
        table[0].append(lairs.pop())
    safe = rng.choice(sorted(set(doublers)))
    doublers = [letter for letter in doublers if letter != safe]
    gone = [doublers.pop() for _ in range(rng.randint(0, 4))]
    hand = [doublers.pop() for _ in range(rng.randint(0, 2))] + [safe]
    (hand if rng.random() < 0.5 else gone).append(safe)
    spies_gone = [spies.pop() for _ in range(rng.randint(3, 5))]
    hidden = len(lairs) + len(doublers)
    held = rng.randint(1, hidden // (others + 1))
    view = {
        "seat": 0,
        "ply": 100,
        "phase": "captured",
        "turn": rng.randrange(players),
        "points": [rng.randint(30 - 2 * spy, 29 - spy), *(rng.randint(24, 29) for _ in range(others))],
        "lairs": table,
        "hands": [{}] + [{"spies": 2, "others": held}] * others,
        "hand": {"doublers": hand},
        "pile": {"count": hidden - held * others + len(spies) - 2 * others, "top": "other"},
        "discard": {"spies": spies_gone, "doublers": gone},
        "attack": {"source": "deck", "target": 0, "spies": [spy]},
    }
    rules = GAME.make_rules(players)
    data = {"game": "bond", "rules_version": GAME.rules_version, "options": dict(rules.options), "view": view}
    known = Counter(hand + gone)
    return GAME.view_from_json(data), {f"taunt:{letter}" for letter in hand if known[letter] == 2}


def positions(count: int) -> Iterator[tuple[View, set[str]]]:
    rng = random.Random(30)
    for _ in range(count):
        yield position(rng)


def misses(count: int) -> list[tuple[str, int]]:
    """Where the search does something else."""
    result = []
    for number, (view, safe) in enumerate(positions(count)):
        assert safe <= set(view.legal_moves())
        best = recommend(view, Limits(iterations=ITERATIONS), SearchParameters(seed=number)).best
        if best not in safe:
            result.append((best, number))
    return result


def test_a_safe_taunt_that_wins_is_found() -> None:
    assert misses(60) == []


@pytest.mark.slow
def test_a_safe_taunt_that_wins_is_found_in_five_hundred_positions() -> None:
    assert misses(500) == []


def test_the_rule_of_thumb_taunts_there_too() -> None:
    for view, safe in positions(500):
        weights = view.determinize(1).weights()
        assert max(weights, key=lambda move: weights[move]) in safe
