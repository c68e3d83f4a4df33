"""What is shown in one way where there is room for it, and in another where there is not."""

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement

__all__ = ["Fitting"]

ROOM = 1000
CUT = "…"


@dataclass(frozen=True)
class Fitting:
    """The wide form, unless it would lose columns or ends of words."""

    wide: RenderableType
    narrow: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        roomy = options.update(width=ROOM)
        fits = Measurement.get(console, roomy, self.wide).minimum <= options.max_width
        fits = fits and self._cuts(console, options) == self._cuts(console, roomy)
        yield self.wide if fits else self.narrow

    def _cuts(self, console: Console, options: ConsoleOptions) -> int:
        return sum(segment.text.count(CUT) for line in console.render_lines(self.wide, options) for segment in line)
