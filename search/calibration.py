"""What a mean utility of a search comes to in chances to win: measured by matches, game by game."""

from collections.abc import Mapping
from dataclasses import dataclass

from machiavel.search._curve import chance
from machiavel.search.cached_by_game import cached_by_game
from machiavel.search.game_tables import part_of

__all__ = ["Curve", "curve_of", "curves_of"]


@dataclass(frozen=True)
class Curve:
    """The logarithm of the odds to win is a straight line over that of the utility; it rises."""

    bias: float = 0.0
    slope: float = 1.0
    is_identity: bool = False

    def chance(self, utility: float) -> float:
        """The share of the win to be expected, 0 to 1; what is certain stays so."""
        return utility if self.is_identity else chance(utility, self.bias, self.slope)

    def error(self, utility: float, error: float) -> float:
        """The standard error of the chance, from that of the utility: half of what it changes from one below to one above."""
        return (self.chance(min(1.0, utility + error)) - self.chance(max(0.0, utility - error))) / 2


BIAS_MOST = 100
SLOPES = (0.001, 1000)
AS_IT_IS = Curve(is_identity=True)


@cached_by_game
def curves_of(game: str) -> Mapping[int, Curve]:
    """Those a game has, by number of players; raises IncompatibleEngine."""
    result = {}
    for players, table in part_of(game, "calibration").by_players():
        result[players] = Curve(table.real("bias", -BIAS_MOST, BIAS_MOST), table.real("slope", *SLOPES))
        table.done()
    return result


def curve_of(game: str, players: int) -> Curve:
    """That of a game with so many players; where nobody has measured it, utilities stay as they are."""
    return curves_of(game).get(players, AS_IT_IS)
