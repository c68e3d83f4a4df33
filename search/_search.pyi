from machiavel.engines import View
from machiavel.search._background import Background
from machiavel.search.parameters import SearchParameters

class Search:
    """One search for one view: run in one thread, read and stopped from any."""

    def __init__(
        self, view: View, moves: list[int], parameters: SearchParameters, arena: int, deepest: int = 0, explain: bool = False
    ) -> None:
        """`moves` are the root's moves to search, a sorted part of the legal ones; `parameters` are complete."""
    def go_on(self, view: View, moves: list[int], seed: int) -> None:
        """Search another position, under the same rules; what was found out in the same match goes on counting."""
    def stop(self) -> None:
        """Ends a running `run` within microseconds; may be called from any thread."""
    def run(
        self, iterations: int | None, deadline: float | None, slices: int | None = None, background: Background | None = None
    ) -> str | None:
        """Search until there are so many iterations in all or time.monotonic() passes the deadline (None: no such bound).

        Returns why it ended: `iterations`, `time` or `stopped`; None after so many slices of a few milliseconds. May be called
        again. With a `background` it is that one's thread that searches.
        """
    def play_worlds(self, worlds: int) -> None:
        """So many worlds played out as iterations are, but without a tree: what a search spends on its tree is the difference."""
    @property
    def iterations(self) -> int: ...
    def look(
        self, least_visits: int = 0, line_length: int = 0
    ) -> list[tuple[int, float, float, list[float], list[tuple[int, int]], int]]:
        """How it stands, per root move in the order given: visits, sums of utilities, of squares, of metrics, the line after it,
        and how many of the visits the metrics are of: not those of earlier searches.

        Lines, as (seat, move), are of moves at least so often visited.
        """
    def statistics(self) -> dict[str, float]:
        """How the tree stands: nodes, edges, mean depth, the share of nodes met again, how often there was no room."""

def root_moves(view: View) -> list[int]:
    """The legal moves of the view's seat, as numbers; raises NotToMove."""
