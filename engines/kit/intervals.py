"""What whole numbers can come out of arithmetic, given the bounds of what goes in."""

from itertools import product

__all__ = ["FULL", "LARGEST_INT", "LEAST_INT", "MOST_SHIFT", "Interval", "clamped", "fits", "hull", "may_fail", "of_binary"]

Interval = tuple[int, int]  # both included

LEAST_INT, LARGEST_INT = -(2**63), 2**63 - 1
FULL: Interval = (LEAST_INT, LARGEST_INT)
MOST_SHIFT = 63


def fits(inner: Interval, outer: Interval = FULL) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def hull(*all_of_them: Interval) -> Interval:
    """The smallest interval around some."""
    return min(one[0] for one in all_of_them), max(one[1] for one in all_of_them)


def clamped(one: Interval, bounds: Interval = FULL) -> Interval:
    """What is left of an interval within bounds; the bounds where nothing is."""
    low, high = max(one[0], bounds[0]), min(one[1], bounds[1])
    return (low, high) if low <= high else bounds


def may_fail(op: str, left: Interval, right: Interval) -> bool:
    """Whether it can divide by 0, shift by a bad count, or leave 64 bits."""
    if op in {"//", "%"} and right[0] <= 0 <= right[1]:
        return True
    if op in {"<<", ">>", "**"} and right[0] < 0:
        return True
    if op == "<<" and right[1] > MOST_SHIFT and left != (0, 0):
        return True
    return not fits(of_binary(op, left, right))


def of_binary(op: str, left: Interval, right: Interval) -> Interval:
    """The results of an operation where it does not fail; they may be outside 64 bits."""
    match op:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*":
            return corners([x * y for x, y in product(left, right)])
        case "//":
            return of_quotient(left, right)
        case "%":
            return of_remainder(left, right)
        case "**":
            return of_power(left, right)
        case "<<":
            low, high = max(right[0], 0), min(max(right[1], 0), MOST_SHIFT + 1)
            return corners([x << n for x, n in product(left, (min(low, high), high))])
        case ">>":
            low, high = max(right[0], 0), min(max(right[1], 0), MOST_SHIFT)
            return corners([x >> n for x, n in product(left, (min(low, high), high))])
    if left[0] == left[1] and right[0] == right[1]:
        result = of_bits(op, left[0], right[0])
        return result, result
    return of_and(left, right) if op == "&" else of_or(op, left, right)


def of_bits(op: str, left: int, right: int) -> int:
    if op == "&":
        return left & right
    return left | right if op == "|" else left ^ right


def corners(values: list[int]) -> Interval:
    return min(values), max(values)


def of_quotient(left: Interval, right: Interval) -> Interval:
    divisors = [(max(right[0], 1), right[1]), (right[0], min(right[1], -1))]
    found = [x // y for low, high in divisors if low <= high for x in left for y in (low, high)]
    return corners(found or [0])


def of_remainder(left: Interval, right: Interval) -> Interval:
    low, high = min(right[0] + 1, 0), max(right[1] - 1, 0)
    if right[0] > 0 and left[0] >= 0:
        return left if left[1] < right[0] else (0, min(high, left[1]))
    return low, high


def of_power(left: Interval, right: Interval) -> Interval:
    if right[0] == right[1] and 0 <= right[0] <= MOST_SHIFT:
        found = [x ** right[0] for x in left]
        return corners([*found, 0] if left[0] < 0 < left[1] else found)
    if left[0] >= 0 and right[0] >= 0 and right[1] <= MOST_SHIFT:
        return corners([0, *(x**n for x, n in product(left, right))])
    return LEAST_INT - 1, LARGEST_INT + 1


def of_and(left: Interval, right: Interval) -> Interval:
    if left[0] >= 0 and right[0] >= 0:
        return 0, min(left[1], right[1])
    if left[0] >= 0:
        return 0, left[1]
    if right[0] >= 0:
        return 0, right[1]
    return -(1 << width(left, right)), max(left[1], right[1])


def of_or(op: str, left: Interval, right: Interval) -> Interval:
    bits = width(left, right)
    if left[0] >= 0 and right[0] >= 0:
        return (max(left[0], right[0]) if op == "|" else 0), (1 << bits) - 1
    return -(1 << bits), (1 << bits) - 1


def width(*all_of_them: Interval) -> int:
    """The bits that hold all these numbers, without the sign."""
    return max((value if value >= 0 else ~value).bit_length() for one in all_of_them for value in one)
