"""Reliability plots as SVG: for each game, what was foretold across, what came of it up."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Panel", "reliability"]

SIDE, LEFT, TOP, GAP = 200, 44, 34, 56
STYLE = """\
text { font: 12px sans-serif; fill: #24292f; }
.name { font-weight: bold; text-anchor: middle; }
.across { text-anchor: middle; } .up { text-anchor: end; }
.frame, .even { fill: none; stroke: #8c959f; } .even { stroke-dasharray: 4 4; }
.bar { stroke: #0969da; stroke-width: 1.5; } .dot { fill: #0969da; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .bar { stroke: #58a6ff; } .dot { fill: #58a6ff; } }
"""


@dataclass(frozen=True)
class Panel:
    """A game: bins as mean chance, mean outcome, matches."""

    name: str
    bins: Sequence[tuple[float, float, int]]


def reliability(panels: Sequence[Panel]) -> str:
    """The panels side by side, each bin with the 95 % interval of its outcome; readable on light and on dark pages."""
    width, height = LEFT + len(panels) * (SIDE + GAP), TOP + SIDE + 52
    told = "; ".join(
        f"{panel.name}: " + ", ".join(f"{chance:.2f} came to {came:.2f}" for chance, came, _ in panel.bins) for panel in panels
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title told">',
        '<title id="title">Win chances foretold, and matches won</title>',
        f'<desc id="told">{told}</desc>',
        f"<style>{STYLE}</style>",
    ]
    for number, panel in enumerate(panels):
        parts += drawn(panel, LEFT + number * (SIDE + GAP))
    return "\n".join([*parts, "</svg>", ""])


def drawn(panel: Panel, left: float) -> list[str]:
    bottom = TOP + SIDE
    middle = left + SIDE / 2
    parts = [
        f'<text class="name" x="{middle:g}" y="{TOP - 12}">{panel.name}</text>',
        f'<rect class="frame" x="{left:g}" y="{TOP}" width="{SIDE}" height="{SIDE}"/>',
        f'<line class="even" x1="{left:g}" y1="{bottom}" x2="{left + SIDE:g}" y2="{TOP}"/>',
        f'<text class="across" x="{middle:g}" y="{bottom + 38}">foretold; up: won</text>',
    ]
    for tenth in (0, 5, 10):
        at = tenth * SIDE / 10
        parts.append(f'<text class="across" x="{left + at:g}" y="{bottom + 18}">{tenth / 10:g}</text>')
        parts.append(f'<text class="up" x="{left - 6:g}" y="{bottom - at + 4:g}">{tenth / 10:g}</text>')
    for chance, came, count in panel.bins:
        x, y, half = left + SIDE * chance, bottom - SIDE * came, SIDE * interval(came, count)
        upper, lower = max(TOP, y - half), min(bottom, y + half)
        parts.append(f'<line class="bar" x1="{x:.1f}" y1="{upper:.1f}" x2="{x:.1f}" y2="{lower:.1f}"/>')
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>')
    return parts


def interval(came: float, count: int) -> float:
    """Half of 95 % around a share of so many matches, at most: shared wins vary less."""
    return 1.96 * math.sqrt(came * (1 - came) / count)
