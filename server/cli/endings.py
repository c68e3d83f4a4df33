"""How a match ended, as its table and a person's terminal show it."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from machiavel.engines import Game
from machiavel.server.cli.command_texts import Words
from machiavel.server.cli.tables import Seen, Table
from machiavel.server.cli.tables.fallback import FallbackTable

__all__ = ["ending"]


def ending(game: Game, table: Table, words: Words, view: Seen, utilities: Sequence[float]) -> RenderableType:
    """The table at the end, and who won; where all play together and the table cannot say it, how far they came."""
    best = max(utilities)
    winners = [seat for seat, utility in enumerate(utilities) if utility == best]
    if not (game.is_cooperative and isinstance(table, FallbackTable)):
        return table.result(view, winners)
    if best == 1:
        line = words("team_won")
    elif best == 0:
        line = words("team_lost")
    else:
        line = words("team_share", share=f"{100 * best:.0f}")
    return Group(table.draw(view), Text(words("over")), Text(line, style="bold green"))
