"""Hearts is OpenSpiel's: who is asked, what is allowed, and what it comes to."""

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bench.openspiel import begun, differences, matches

RECORDED: Sequence[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "openspiel_hearts.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("number", range(len(RECORDED)))
def test_a_match_that_openspiel_played_is_the_same_here(number: int) -> None:
    assert list(differences(RECORDED[number])) == []


def test_the_matches_hold_every_way_of_passing_and_the_moon() -> None:
    assert {match["way"] for match in RECORDED} == {None, "keep", "left", "across", "right"}
    assert [match for match in RECORDED if match["returns"].count(0) == 3]


def test_another_allowed_card_another_seat_or_other_returns_are_found() -> None:
    match = RECORDED[0]
    first, *others = match["allowed"].split()
    wrong = [
        match | {"allowed": " ".join([f"{int(first, 16) | 2:x}", *others])},
        match | {"asked": f"{(int(match['asked'][0]) + 1) % 4}{match['asked'][1:]}"},
        match | {"returns": [*match["returns"][1:], match["returns"][0]]},
    ]

    assert begun(match).seat_to_move == int(match["asked"][0])
    assert [len(list(differences(one))) for one in wrong] == [1, 1, 1]


if find_spec("pyspiel"):

    @pytest.mark.slow
    @pytest.mark.timeout(3600)
    def test_a_thousand_matches_are_the_same_in_both() -> None:
        assert [what for match in matches(1000) for what in differences(match)] == []
