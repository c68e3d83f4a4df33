"""How to search: the parameters, what they may be, and what they are where nobody says."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from machiavel.engines import BadOption, Game
from machiavel.search.cached_by_game import cached_by_game
from machiavel.search.game_tables import ANY_GAME, GameTables, part_of
from machiavel.search.limits import is_number, is_whole
from machiavel.search.styles import PLAIN, STYLES, styles_of

__all__ = ["BOUNDS", "CHOICES", "POLICIES", "VARIANTS", "SearchParameters", "defaults_of", "read_parameters"]

VARIANTS = ("single", "multi", "pimc")
POLICIES = ("uniform", "weighted", "own")
CHOICES: Mapping[str, tuple[str, ...]] = {"variant": VARIANTS, "policy": POLICIES, "style": STYLES}
# From which number to which, both allowed.
BOUNDS: Mapping[str, tuple[int, int]] = {
    "exploration": (0, 100),
    "prior": (0, 100),
    "cutoff": (0, 10_000),
    "seed": (0, (1 << 63) - 1),
    "worlds": (1, 1024),
    "threads": (1, 256),
    "megabytes": (1, 65536),
}
ANY_NUMBER = ("exploration", "prior")  # the others are whole
MAY_BE_UNSET = ("exploration", "prior", "cutoff", "variant", "policy")


@dataclass(frozen=True)
class SearchParameters:
    """How to search. With a seed and a number of iterations the same view gets the same answer, in any process.

    What is None is what proved strongest in the game, by matches at equal time (docs/search.md).
    """

    variant: str | None = None  # `single`, `multi`, `pimc`: how positions are told apart
    exploration: float | None = None  # the constant of UCB1, in utilities
    policy: str | None = None  # of playouts: `uniform`, `weighted` by the engine's rule of thumb; `own`: so for the seat itself
    prior: float | None = None  # how much the rule of thumb counts in the tree, in utilities
    cutoff: int | None = None  # plies of a playout after which the engine's estimate stands for the rest; 0: played to the end
    inference: bool | None = None  # whether worlds are the likelier the better they explain the others' moves
    style: str = PLAIN  # what it goes for besides winning, where the game has room for that
    seed: int = 0
    worlds: int = 32  # pimc: how many worlds are searched apart
    megabytes: int = 16  # the arena of each thread; when it is full, what was not met for long is given up
    threads: int = 1  # as many trees, added up at the root; iterations are shared out, time is not

    def check(self) -> None:
        """Raises BadOption for what no game can have."""
        for name, (least, most) in BOUNDS.items():
            value, is_any = getattr(self, name), name in ANY_NUMBER
            is_unset = value is None and name in MAY_BE_UNSET
            if not is_unset and not ((is_number(value) if is_any else is_whole(value)) and least <= value <= most):
                raise BadOption(name, value, f"a {'number' if is_any else 'whole number'} from {least} to {most}")
        if not (self.inference is None or isinstance(self.inference, bool)):
            raise BadOption("inference", self.inference, "true or false")
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            is_unset = value is None and name in MAY_BE_UNSET
            if not is_unset and value not in choices:
                raise BadOption(name, value, " or ".join(choices))

    def for_game(self, game: Game) -> "SearchParameters":
        """Checked and complete; raises BadOption where the game has nothing to do what is asked."""
        self.check()
        defaults = defaults_of(game.name)
        complete = replace(self, **{name: value for name, value in defaults.items() if getattr(self, name) is None})
        if (complete.policy != "uniform" or complete.prior) and not game.has("weights"):
            name, value = ("policy", complete.policy) if complete.policy != "uniform" else ("prior", complete.prior)
            raise BadOption(name, value, f"{'uniform' if name == 'policy' else 0}: {game.name} has no rule of thumb")
        if complete.cutoff and not game.has("evaluate"):
            raise BadOption("cutoff", complete.cutoff, f"0: {game.name} has no estimate of a position")
        if complete.inference and not game.has("likelihood"):
            raise BadOption("inference", True, f"false: {game.name} has no model of how others play")
        if complete.style != PLAIN and complete.style not in styles_of(game.name):
            raise BadOption("style", complete.style, f"{' or '.join((PLAIN, *styles_of(game.name)))}, in {game.name}")
        return complete


@cached_by_game
def defaults_of(game: str) -> Mapping[str, Any]:
    """What a game's parameters are where nobody says; a game nobody has measured has those of any. Raises IncompatibleEngine."""
    return {**read_parameters(part_of(ANY_GAME, "defaults")), **read_parameters(part_of(game, "defaults"))}


def read_parameters(table: GameTables) -> Mapping[str, Any]:
    """The parameters that a table sets, of those that differ from game to game."""
    read = {
        "variant": table.choice("variant", CHOICES["variant"], ""),
        "exploration": table.real("exploration", *BOUNDS["exploration"], 0),
        "policy": table.choice("policy", CHOICES["policy"], ""),
        "prior": table.real("prior", *BOUNDS["prior"], 0),
        "cutoff": table.number("cutoff", *BOUNDS["cutoff"], 0),
        "inference": table.take("inference", bool, "true or false", False),
    }
    table.done()
    return {name: read[name] for name in table}
