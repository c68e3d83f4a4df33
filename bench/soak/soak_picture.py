"""What a server took of its machine over time, as SVG: readable on light and on dark pages."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Sample", "picture"]

WIDTH, HEIGHT, LEFT, TOP, GAP = 640, 120, 64, 30, 46
STYLE = """\
text { font: 12px sans-serif; fill: #24292f; }
.name { font-weight: bold; } .up { text-anchor: end; } .across { text-anchor: middle; }
.frame { fill: none; stroke: #8c959f; } .line { fill: none; stroke: #0969da; stroke-width: 1.2; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .line { stroke: #58a6ff; } }
"""


class Sample(NamedTuple):
    """What the server had at one moment; bytes in MiB, `at` and `cpu` in seconds since the start."""

    at: float
    resident: float
    descriptors: int
    threads: int
    cpu: float


def picture(samples: Sequence[Sample]) -> str:
    """Resident memory, descriptors, threads and the share of a core, over minutes."""
    curves: dict[str, Sequence[float]] = {
        "resident memory, MiB": [sample.resident for sample in samples],
        "descriptors": [sample.descriptors for sample in samples],
        "threads": [sample.threads for sample in samples],
        "cores used": shares(samples),
    }
    minutes = [sample.at / 60 for sample in samples]
    height = TOP + len(curves) * (HEIGHT + GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {height}" role="img" aria-labelledby="title">',
        '<title id="title">What a server takes under mixed load, over time</title>',
        f"<style>{STYLE}</style>",
    ]
    for number, (name, values) in enumerate(curves.items()):
        parts += curve(name, minutes, values, TOP + number * (HEIGHT + GAP))
    return "\n".join([*parts, "</svg>", ""])


def shares(samples: Sequence[Sample]) -> list[float]:
    """Seconds of CPU a second, since the sample before."""
    pairs = itertools.pairwise(samples)
    result = [(after.cpu - before.cpu) / max(after.at - before.at, 0.001) for before, after in pairs]
    return [*result[:1], *result]


def curve(name: str, minutes: Sequence[float], values: Sequence[float], top: float) -> list[str]:
    most, last = max([*values, 0.001]) * 1.15, max([*minutes, 0.001])
    points = " ".join(
        f"{LEFT + WIDTH * x / last:.1f},{top + HEIGHT * (1 - y / most):.1f}" for x, y in zip(minutes, values, strict=True)
    )
    parts = [
        f'<text class="name" x="{LEFT}" y="{top - 8}">{name}</text>',
        f'<rect class="frame" x="{LEFT}" y="{top}" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<polyline class="line" points="{points}"/>',
    ]
    for part in (0.0, 0.5, 1.0):
        parts.append(f'<text class="up" x="{LEFT - 6}" y="{top + HEIGHT * (1 - part) + 4:g}">{most * part:.3g}</text>')
        parts.append(f'<text class="across" x="{LEFT + WIDTH * part:g}" y="{top + HEIGHT + 16}">{last * part:.0f} min</text>')
    return parts
