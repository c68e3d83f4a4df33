"""Facts of a state, out of its bytes, and whether two ways to draw worlds differ in them."""

import random

import pytest

from machiavel.engines.kit.program import Slot
from machiavel.engines.kit.proofs.sampling import difference
from machiavel.engines.kit.proofs.world_facts import CardTexts, WorldFacts, field_elements

DECK = CardTexts(["a", "b", "c", "d"], [1, 1, 1, 1], is_bag=False)
BAG = CardTexts(["red", "blue"], [5, 3], is_bag=True)


def slot(name: str, kind: str, offset: int, width: int, lengths: tuple[int, ...] = (), **more: object) -> Slot:
    known = {"signed": False, "used": lengths, "low": 0, "high": 255, "seen_by": "owner"} | more
    return Slot(name, kind, offset, width, lengths=lengths, **known)  # type: ignore[arg-type]


HANDS = slot("hands", "cards", 8, 4, (3,), used=(2,), deck=0, is_zone=True)
TOP = slot("top", "card", 20, 1, signed=True, deck=0, is_zone=True, seen_by="all")
CUPS = slot("cups", "dice", 21, 1, (3, 2), used=(2, 2))
BAGS = slot("bags", "cards", 28, 4, deck=1, is_zone=True, seen_by="nobody")
SLOTS = [HANDS, TOP, CUPS, BAGS]
FACTS = WorldFacts(SLOTS, [DECK, BAG])


def state(first: int = 0, second: int = 0, top: int = -1, cups: bytes = b"\x01\x02\x03\x04", bags: int = 0) -> bytes:
    numbers = [first.to_bytes(4, "little"), second.to_bytes(4, "little"), bytes(4), top.to_bytes(1, "little", signed=True)]
    return bytes(8) + b"".join(numbers) + cups + bytes(2) + bytes(1) + bags.to_bytes(4, "little")


def test_elements_are_named_as_the_author_names_them_and_seats_that_nobody_has_are_left_out() -> None:
    names = [element.name for element in field_elements(SLOTS)]
    assert names == ["hands[0]", "hands[1]", "top", "cups[0][0]", "cups[0][1]", "cups[1][0]", "cups[1][1]", "bags"]
    values = [element.value(state(5, 2, top=3, bags=0x21)) for element in field_elements(SLOTS)]
    assert values == [5, 2, 3, 1, 2, 3, 4, 0x21]


def test_facts_say_where_each_card_is_and_what_hidden_fields_hold() -> None:
    facts = dict(FACTS.of(state(0b0101, 0b0010, top=3, bags=0x21)))
    assert {card: facts[card] for card in "abcd"} == {
        "a": "is in hands[0]",
        "b": "is in hands[1]",
        "c": "is in hands[0]",
        "d": "is in top",
    }
    assert (facts["red"], facts["blue"]) == ("is in bags", "is in bags (2 times)")
    assert facts["cups[1][0]"] == "is 3"
    assert dict(FACTS.of(state()))["a"] == "is nowhere"


def test_facts_say_how_many_of_a_suit_a_hidden_hand_has() -> None:
    suited = WorldFacts(SLOTS, [CardTexts("abcd", [1, 1, 1, 1], is_bag=False, groups={"suit x": 0b0011}), BAG])
    facts = dict(suited.of(state(0b0111, 0b1000)))
    assert facts["of suit x in hands[0]"] == "are 2"
    assert facts["of suit x in hands[1]"] == "are 0"
    assert "of suit x in top" not in facts  # which all see


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (state(0b0101, 0b1010), ""),
        (state(0b0101, 0b0100), "c is in hands[0], hands[1], and the deck has 1"),
        (state(0b1000, 0, top=3), "d is in hands[0], top, and the deck has 1"),
        (state(bags=0x35), ""),
        (state(bags=0x46), "red is in bags (6 times), and the deck has 5"),
    ],
)
def test_a_card_that_is_in_two_places_is_named_with_them(content: bytes, said: str) -> None:
    assert FACTS.too_many(content) == said


def hands(draw: random.Random, first: list[int]) -> bytes:
    """A state in which seat 0 holds two of these cards."""
    held = draw.sample(first, 2)
    return state(sum(1 << card for card in held), sum(1 << card for card in range(4) if card not in held))


def test_worlds_that_are_drawn_alike_do_not_differ() -> None:
    draw = random.Random(1)
    for _ in range(20):
        one, other = ([hands(draw, [0, 1, 2, 3]) for _ in range(400)] for _ in range(2))
        assert difference(FACTS.of, one, other) is None


def test_worlds_that_are_drawn_otherwise_differ_and_it_says_in_what() -> None:
    draw = random.Random(1)
    one = [hands(draw, [0, 1, 2]) for _ in range(400)]
    other = [hands(draw, [0, 1, 2, 3]) for _ in range(400)]

    found = difference(FACTS.of, one, other)

    assert found is not None
    assert (found.first, found.firsts, found.seconds) == (0, 400, 400)
    assert found.is_known
    assert str(found).startswith("d is in hands[0] in ")
    assert 150 < found.second < 250


def test_cards_that_come_together_too_often_differ_though_each_is_everywhere_as_often() -> None:
    draw = random.Random(1)
    one = [state(*draw.choice([(0b0011, 0b1100), (0b1100, 0b0011)])) for _ in range(2000)]
    other = [hands(draw, [0, 1, 2, 3]) for _ in range(2000)]

    found = difference(FACTS.of, one, other)

    assert found is not None
    assert not found.is_known or "of " in found.fact
