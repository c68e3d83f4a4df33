"""Small pictures for a page: SVG that grows with its place, in the page's colours, for those who see; tables hold the figures."""

from collections.abc import Callable, Sequence
from html import escape
from math import floor, log10

__all__ = ["Scale", "axis", "bars", "dots", "heat", "meter"]


class Scale:
    """Places numbers between 0 and 100 % of a width, with some air at both ends."""

    def __init__(self, values: Sequence[float]) -> None:
        low, high = min(values), max(values)
        air = 0.06 * (high - low) or 1.0
        self.low, self.high = low - air, high + air

    def __call__(self, value: float) -> float:
        return round(100 * (value - self.low) / (self.high - self.low), 2)

    def ticks(self) -> list[float]:
        """Round numbers, three to seven of them."""
        rough = (self.high - self.low) / 4
        power = 10.0 ** floor(log10(rough))
        step = next(size * power for size in (1, 2, 2.5, 5, 10) if size * power >= rough)
        first = -floor(-self.low / step)
        return [round(number * step, 10) + 0.0 for number in range(first, floor(self.high / step) + 1)]


def dots(scale: Scale, value: float, low: float | None, high: float | None, mark: float | None = None) -> str:
    """A value with its interval on a line; `mark` is a line that all rows share."""
    parts = [f'<line class="grid" x1="{scale(tick)}%" x2="{scale(tick)}%" y1="0" y2="100%"/>' for tick in scale.ticks()]
    if mark is not None:
        parts.append(f'<line class="mark" x1="{scale(mark)}%" x2="{scale(mark)}%" y1="0" y2="100%"/>')
    if low is not None and high is not None:
        left, right = scale(low), scale(high)
        parts.append(f'<line class="whisker" x1="{left}%" x2="{right}%" y1="50%" y2="50%"/>')
        parts += [f'<line class="whisker" x1="{end}%" x2="{end}%" y1="32%" y2="68%"/>' for end in (left, right)]
    parts.append(f'<circle class="dot" cx="{scale(value)}%" cy="50%" r="5"/>')
    return picture("track", parts)


def axis(scale: Scale, write: Callable[[float], str]) -> str:
    """The numbers under a column of `dots`."""
    parts = [
        f'<text x="{scale(tick)}%" y="12" text-anchor="middle">{escape(write(tick))}</text>'
        for tick in scale.ticks()
        if 4 < scale(tick) < 96
    ]
    return picture("axis", parts)


def bars(counts: Sequence[int], labels: Sequence[str]) -> str:
    """How often each class came; the tallest fills the height."""
    most, width = max(1, *counts), 100 / max(1, len(counts))
    parts = [
        f'<rect class="bar" x="{number * width + 0.08 * width:.3f}%" width="{0.84 * width:.3f}%" '
        f'y="{100 - 100 * count / most:.2f}%" height="{100 * count / most:.2f}%"><title>{escape(label)}: {count}</title></rect>'
        for number, (count, label) in enumerate(zip(counts, labels, strict=True))
    ]
    return picture("histogram", [*parts, '<line class="base" x1="0" x2="100%" y1="100%" y2="100%"/>'])


def meter(share: float) -> str:
    """A bar of that part of the width."""
    return picture("meter", [f'<rect class="bar" x="0" y="20%" height="60%" width="{100 * max(share, 0.004):.2f}%" rx="2"/>'])


def heat(value: float, most: float) -> str:
    """The style of a cell: the further from 0, the stronger, in one colour above and another below."""
    strength = min(1.0, abs(value) / most) if most else 0.0
    return f'class="heat {"more" if value >= 0 else "less"}" style="--strength:{0.06 + 0.62 * strength:.3f}"'


def picture(kind: str, parts: Sequence[str]) -> str:
    """The row it stands in says it in numbers."""
    return f'<svg class="{kind}" aria-hidden="true" focusable="false">{"".join(parts)}</svg>'
