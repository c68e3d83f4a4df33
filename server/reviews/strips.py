"""Win chances over a match as lines of text: a strip a seat, in blocks, or in digits where blocks cannot be shown."""

from collections.abc import Sequence

from machiavel.search import Moment, Point

__all__ = ["blocks", "digits", "held", "marks"]

BLOCKS = " ▁▂▃▄▅▆▇█"
STEPS = len(BLOCKS) - 1
UNKNOWN = "·"


def held(points: Sequence[Point], plies: int, width: int) -> list[float | None]:
    """The chance held in each column, None before the first; a column shows what was held at its end."""
    result: list[float | None] = []
    at = 0
    now: float | None = None
    for column in range(width):
        while at < len(points) and (points[at].ply * width < (column + 1) * plies or column == width - 1):
            now = points[at].chance
            at += 1
        result.append(now)
    return result


def blocks(chances: Sequence[float | None]) -> tuple[str, str]:
    """Two lines, one above the other: sixteen steps, the lowest of which is a chance of nothing."""
    heights = [None if chance is None else max(1, round(chance * 2 * STEPS)) for chance in chances]
    upper = "".join(" " if one is None else BLOCKS[max(0, one - STEPS)] for one in heights)
    lower = "".join(UNKNOWN if one is None else BLOCKS[min(STEPS, one)] for one in heights)
    return upper, lower


def digits(chances: Sequence[float | None]) -> str:
    """A line of tenths: 0 is less than 10 %, 9 from 90 % on."""
    return "".join(" " if chance is None else str(min(9, int(chance * 10))) for chance in chances)


def marks(moments: Sequence[Moment], plies: int, width: int) -> str:
    """A line with the numbers of the moments, from 1, where they begin."""
    line = [" "] * width
    for number, one in enumerate(moments, 1):
        line[min(width - 1, one.ply * width // plies)] = str(number)
    return "".join(line).rstrip()
