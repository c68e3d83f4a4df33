"""Puzzles on the page: solved right and wrong, on the table, in the list and by keys, with what the set says, and remembered."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from machiavel.engines import load
from machiavel.search import Puzzle, puzzles_of
from machiavel.server.service import wire
from tests.page.browser import driven
from tests.page.elsewhere import serving
from tests.search.puzzle_sets import SETS


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as address:
        yield address


def best_of(puzzle: Puzzle) -> str:
    """The solution as the page's list of moves calls it."""
    label = wire.move_message(load(puzzle.view["game"]).view_from_json(puzzle.view), puzzle.best).label.en
    return str(label)


@pytest.mark.parametrize("game", SETS)
def test_a_puzzle_is_solved_missed_tried_again_and_gone_on_from_by_mouse_and_by_keys(address: str, game: str) -> None:
    found = puzzles_of(game)
    ids = [one.id for one in found.puzzles]
    seen: Any = driven(
        "puzzles", address, title=load(game).plugin.titles["en"], best={one.id: best_of(one) for one in found.puzzles[:20]}
    )

    assert seen["faults"] == []
    # One after the other, in the order of the set; a link leads to the same one.
    assert seen["order"] == ids[: len(seen["order"])]
    assert seen["back"] == seen["linked"] == ids[len(seen["order"])]
    assert seen["byTable"] in {"thing", "button"}

    for name, puzzle, kind in (
        ("right", seen["solved"][-1], "solved"),
        ("wrong", seen["missed"], "missed"),
        ("again", seen["missed"], "solved"),
        ("typed", seen["byKey"], "solved"),
        ("shown", seen["given"], "shown"),
    ):
        one, told = found.by_id[puzzle], seen[name]
        assert told["kind"] == kind
        # All sentences stand there; seats are called otherwise on the page.
        whole = " ".join(sentence["en"] for sentence in one.sentences)
        assert numbers(told["why"]) == numbers(re.sub(r"[Ss]eat \d+", "", whole))
        assert told["best"].lower().startswith(best_of(one).lower()) and told["best"].endswith("Best")
        assert min(len(one.moves), 5) <= told["moves"] <= len(one.moves)
        assert told["focused"] == "Next puzzle"
        assert (told["yours"] != "") == (name == "wrong")
    assert [seen[name]["state"] for name in ("right", "wrong", "again", "typed", "shown")] == [
        "solved", "missed", "missed", "solved", "missed"
    ]  # fmt: skip
    # A thing keeps its mark; a button is gone with the question.
    assert ("best" in seen["right"]["marks"]) == (seen["byTable"] == "thing")

    states = dict(zip(ids, seen["states"], strict=True))
    assert {states[one] for one in (*seen["solved"], seen["byKey"])} == {"solved"}
    assert {states[one] for one in (seen["missed"], seen["given"])} == {"missed"}
    assert {states[one] for one in ids[len(seen["order"]) :]} == {"open"}


def numbers(sentences: str) -> list[str]:
    """The chances and amounts that sentences name."""
    return re.findall(r"\d+(?:\.\d+)?(?= %| on average)", sentences)
