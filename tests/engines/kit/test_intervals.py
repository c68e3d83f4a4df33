"""Bounds of arithmetic: whatever comes out lies within them, and what cannot fail does not."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from machiavel.engines.kit.interpreted_faults import power, shifted
from machiavel.engines.kit.intervals import FULL, LARGEST_INT, LEAST_INT, Interval, clamped, fits, hull, may_fail, of_binary

EDGES = [0, 1, -1, 2, 3, 5, 12, 13, 51, 63, 64, LEAST_INT, LARGEST_INT, LEAST_INT + 1, 2**53, (1 << 52) - 1]
NUMBERS = st.one_of(st.sampled_from(EDGES), st.integers(-70, 70), st.integers(LEAST_INT, LARGEST_INT))
OPS = ["+", "-", "*", "//", "%", "**", "<<", ">>", "&", "|", "^"]


@st.composite
def inside(draw: st.DrawFn) -> tuple[int, Interval]:
    """A number and bounds around it."""
    ends = sorted([draw(NUMBERS), draw(NUMBERS), number := draw(NUMBERS)])
    return number, (ends[0], ends[2])


def computed(op: str, left: int, right: int) -> int:
    if op in {"<<", "**"}:
        if right < 0:
            raise ValueError
        return (shifted if op == "<<" else power)(left, right)
    result: int = {
        "+": int.__add__,
        "-": int.__sub__,
        "*": int.__mul__,
        "//": int.__floordiv__,
        "%": int.__mod__,
        ">>": int.__rshift__,
        "&": int.__and__,
        "|": int.__or__,
        "^": int.__xor__,
    }[op](left, right)
    if not LEAST_INT <= result <= LARGEST_INT:
        raise OverflowError
    return result


@pytest.mark.parametrize("op", OPS)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(left=inside(), right=inside())
def test_results_lie_within_their_bounds(op: str, left: tuple[int, Interval], right: tuple[int, Interval]) -> None:
    (one, one_bounds), (other, other_bounds) = left, right
    try:
        result = computed(op, one, other)
    except (ArithmeticError, ValueError):
        assert may_fail(op, one_bounds, other_bounds)
        return
    low, high = of_binary(op, one_bounds, other_bounds)

    assert low <= result <= high
    assert clamped((low, high))[0] <= result <= clamped((low, high))[1]


@pytest.mark.parametrize(
    ("op", "left", "right", "bounds"),
    [
        ("%", FULL, (13, 13), (0, 12)),
        ("%", (0, 5), (13, 13), (0, 5)),
        ("//", (0, 51), (13, 13), (0, 3)),
        ("&", FULL, (0, 15), (0, 15)),
        ("<<", (1, 1), (0, 51), (1, 1 << 51)),
        ("|", (0, 9), (0, 3), (0, 15)),
        (">>", (0, LARGEST_INT), (0, 62), (0, LARGEST_INT)),
        ("-", (0, 26), (0, 26), (-26, 26)),
    ],
)
def test_bounds_are_tight_where_rules_need_it(op: str, left: Interval, right: Interval, bounds: Interval) -> None:
    assert of_binary(op, left, right) == bounds
    assert not may_fail(op, left, right)


def test_what_may_fail_is_told() -> None:
    assert may_fail("//", (0, 5), (0, 3))
    assert may_fail("//", (LEAST_INT, 0), (-1, -1))
    assert may_fail("<<", (1, 1), (0, 63))
    assert may_fail(">>", (1, 1), (-1, 3))
    assert may_fail("*", (0, 2**62), (0, 2))
    assert not may_fail("<<", (0, 0), (0, 99))


def test_hulls_and_clamps() -> None:
    assert hull((0, 3), (-2, 1), (2, 2)) == (-2, 3)
    assert clamped((5, 9), (0, 3)) == (0, 3)
    assert fits((0, 3), (0, 3))
    assert not fits((0, 4), (0, 3))
