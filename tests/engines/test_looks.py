"""Suits that nobody says more of look like something all the same, and no two of them alike."""

import pytest

from machiavel.engines.looks import COLOURS, SYMBOLS, look_of_suit, suit_looks


@pytest.mark.parametrize(
    ("suits", "given", "names", "expected"),
    [
        ("CDHS", {}, {}, ["club black", "diamond red", "heart red", "spade black"]),
        (["♠", "♥"], {}, {}, ["spade black", "heart red"]),
        (["hearts", "swords"], {}, {}, ["heart red", "moon mauve"]),
        # S is spades among its like alone.
        ("SM", {}, {"S": "suns", "M": "moons"}, ["moon mauve", "drop blue"]),
        ("SM", {}, {"S": "Spades", "M": "Mauve"}, ["spade black", "moon mauve"]),
        ("RGB", {}, {"R": "red", "G": "green", "B": "blue"}, ["flame red", "leaf green", "drop blue"]),
        ("XYZ", {"X": "red", "Y": "star", "Z": "teal ☘"}, {}, ["flame red", "star mauve", "☘ teal"]),
        # What one wishes for is not given to another.
        ("XY", {"Y": "mauve moon"}, {}, ["drop blue", "moon mauve"]),
        ("XY", {"Y": "orange moon"}, {}, ["star mauve", "moon orange"]),
        ("CDHS", {"C": "green club"}, {}, ["club green", "diamond red", "heart red", "spade black"]),
    ],
)
def test_a_suit_looks_as_it_is_given_as_it_usually_does_or_as_it_is_called(
    suits: list[str], given: dict[str, str], names: dict[str, str], expected: list[str]
) -> None:
    assert [" ".join(look) for look in suit_looks(suits, given, names).values()] == expected


@pytest.mark.parametrize("count", [1, 8, 12, 16, 20])
def test_any_number_of_suits_is_told_apart_by_symbols_alone(count: int) -> None:
    suits = [f"s{number}" for number in range(count)]
    looks = suit_looks(suits, {}, {})

    assert list(looks) == suits
    assert len({look.symbol for look in looks.values()}) == count
    assert {look.colour for look in looks.values()} <= set(COLOURS)
    assert len({look.colour for look in looks.values()}) == min(count, len(COLOURS))
    assert count > len(SYMBOLS) or {look.symbol for look in looks.values()} <= set(SYMBOLS)


@pytest.mark.parametrize("look", ["pink", "red blue", "moon sun", "red moon sun", "some sign"])
def test_a_look_that_cannot_be_is_refused(look: str) -> None:
    with pytest.raises(ValueError, match=r"\w+"):
        look_of_suit(look)
