"""Bots by name: a view in, a move out."""

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from machiavel.engines import BadOption, Game, IncompatibleEngine, NotToMove, State, View, load
from machiavel.search.cached_by_game import cached_by_game
from machiavel.search.calibration import curves_of
from machiavel.search.entropy import drawn_bytes
from machiavel.search.game_tables import tables_of
from machiavel.search.levels import LEVELS, LevelRating, level_of, levels_of, ratings_in, ratings_of
from machiavel.search.limits import NO_LIMITS, Limits
from machiavel.search.parameters import BOUNDS, CHOICES, SearchParameters
from machiavel.search.recommendation import Recommendation
from machiavel.search.search_run import Memory, recommend
from machiavel.search.specs import BadBot, Bot, BotKind, Parameter, parse, says
from machiavel.search.styles import PLAIN, styles_of

__all__ = [
    "KINDS",
    "BadBot",
    "Bot",
    "BotKind",
    "GreedyBot",
    "LevelBot",
    "Parameter",
    "RandomBot",
    "SearchBot",
    "check_room",
    "check_search_data",
    "level_number",
    "make_bot",
    "ratings_of_kind",
    "searcher_of",
]

SEED_BITS = 63


def make_bot(text: str) -> Bot:
    """The bot that a text such as `random:seed=7` means; raises BadBot."""
    kind, values = parse(text, KINDS)
    return kind.make(values)


class RandomBot:
    """Any legal move, each as likely as any other."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = drawn(seed)

    @property
    def spec(self) -> str:
        return f"random:seed={self.seed}"

    def choose(self, view: View, limits: Limits = NO_LIMITS) -> str:  # noqa: ARG002
        return luck(self.seed, view).choice(view.legal_moves())


class GreedyBot:
    """The heaviest move by the engine's rule of thumb, the first of those that are equally heavy."""

    spec = "greedy"

    def choose(self, view: View, limits: Limits = NO_LIMITS) -> str:  # noqa: ARG002
        # Any world will do: weights depend on nothing but what the mover sees.
        weights = world_at_seat(view, 0).weights()
        return max(weights, key=weights.__getitem__)


@dataclass
class SearchBot:
    """The best move of a search, over what the view leaves open; or, with a sharpness, one drawn by their visits."""

    kind: str
    iterations: int
    parameters: SearchParameters
    sharpness: int = 0
    slack: float = 1.0  # a move it draws is worse by at most so much of what the best one is short of a sure win
    reuse: bool = False  # whether what earlier moves found out goes on counting
    memory: Memory = field(default_factory=Memory, repr=False, compare=False)
    is_bounded: bool = field(default=False, compare=False)  # whether its iterations are a bound beside a time, too
    most: int | None = field(default=None, compare=False)  # iterations it never goes beyond, whatever is asked for

    @property
    def spec(self) -> str:
        values = [f"{name}={text(getattr(self, name, None), self.parameters, name)}" for name in self.said()]
        return f"{self.kind}:{','.join(values)}"

    def said(self) -> list[str]:
        """The parameters that have a value."""
        names = [parameter.name for parameter in KINDS[self.kind].parameters]
        return [
            name for name in names if getattr(self, name, None) is not None or getattr(self.parameters, name, None) is not None
        ]

    def choose(self, view: View, limits: Limits = NO_LIMITS) -> str:
        return self.move(view, recommend(view, self.limits(limits), self.parameters, memory=self.memory if self.reuse else None))

    def limits(self, asked: Limits = NO_LIMITS) -> Limits:
        """What ends a search of one move.

        Iterations or seconds that are asked for take the place of its own amount; a deadline only stands beside it. Without an
        amount of its own, a bot uses all the time to a deadline.
        """
        iterations = asked.iterations
        if iterations is None and asked.seconds is None and (asked.deadline is None or self.is_bounded):
            iterations = self.iterations
        if self.most is not None:
            iterations = self.most if iterations is None else min(iterations, self.most)
        return replace(asked, iterations=iterations)

    def move(self, view: View, recommendation: Recommendation) -> str:
        """What it plays of what its search has found."""
        return pick(recommendation, self.sharpness, self.slack, luck(self.parameters.seed, view))


@dataclass
class LevelBot:
    """A level from 1 to 10: a search of what the level gives it in the game at hand."""

    level: int
    seed: int
    reuse: bool
    style: str = PLAIN
    made: dict[tuple[str, int], SearchBot] = field(default_factory=dict, repr=False, compare=False)

    @property
    def spec(self) -> str:
        style = "" if self.style == PLAIN else f"style={self.style},"
        return f"level{self.level}:{style}reuse={str(self.reuse).lower()},seed={self.seed}"

    def player(self, game: str, players: int = 0) -> SearchBot:
        """The bot that plays a game for it, with so many players (0: any)."""
        if (game, players) not in self.made:
            level = level_of(self.level, game, players)
            parameters = SearchParameters(seed=self.seed, style=self.style, **level.search)
            made = SearchBot("ismcts", level.iterations, parameters, level.sharpness, level.slack, self.reuse)
            if not level.uses_time:
                made.is_bounded, made.most = True, level.iterations
            self.made[game, players] = made
        return self.made[game, players]

    def choose(self, view: View, limits: Limits = NO_LIMITS) -> str:
        return self.player(view.game.name, view.players).choose(view, limits)


def searcher_of(bot: Bot, game: Game, players: int = 0) -> SearchBot | None:
    """The bot as it searches in a game with so many players (0: any), its parameters complete; None: it does not search.

    Raises BadOption for parameters that the game has no room for, and IncompatibleEngine where what the game says of its search
    cannot be. Its `limits` and `move` say the rest of how it plays.
    """
    check_search_data(game.name)
    player = bot.player(game.name, players) if isinstance(bot, LevelBot) else bot
    return replace(player, parameters=player.parameters.for_game(game)) if isinstance(player, SearchBot) else None


@cached_by_game
def check_search_data(game: str) -> None:
    """Raises IncompatibleEngine for what a game says of its search and cannot be, so that it is told before a match begins."""
    if not list(tables_of(game)):
        return
    curves_of(game), styles_of(game), ratings_in(game)
    settings: list[tuple[str, Mapping[str, Any]]] = [("defaults", {})]
    for number, levels in enumerate(levels_of(game)):
        settings += [(f"levels[{number}].search", level.search) for level in levels.values()]
    for path, values in settings:
        try:
            SearchParameters(**values).for_game(load(game))
        except BadOption as error:
            problem = f"is {error.value!r}; expected {error.expected}"
            raise IncompatibleEngine(game, f"search.toml: {path}.{error.option} {problem}") from None


def check_room(bot: Bot, game: Game, players: int = 0) -> None:
    """Raises BadOption for a bot with parameters that the game has no room for."""
    searcher_of(bot, game, players)


def pick(recommendation: Recommendation, sharpness: int, slack: float, rng: random.Random) -> str:
    """The best move; with a sharpness, one drawn by that power of the visits, and not much worse, as the slack says.

    Where the best looks like a sure win it is taken: after few lines others may look like one as well, and be none.
    """
    least = recommendation.candidates[0].utility
    if sharpness == 0 or least >= 1:
        return recommendation.best
    least -= slack * (1 - least)
    powers = [one.visits**sharpness if one.utility >= least else 0 for one in recommendation.candidates]
    at = rng.randrange(sum(powers)) if sum(powers) else 0
    for one, power in zip(recommendation.candidates, powers, strict=True):
        if at < power:
            return one.move
        at -= power
    return recommendation.best


def drawn(seed: int | None) -> int:
    return int.from_bytes(drawn_bytes(8), "big") >> 64 - SEED_BITS if seed is None else seed


def luck(seed: int, view: View) -> random.Random:
    """Of the seed and the view alone, so that a move asked for again is the same move."""
    digest = hashlib.blake2b(b"%d/" % seed + view.to_bytes(), digest_size=16).digest()
    return random.Random(int.from_bytes(digest, "big"))


def world_at_seat(view: View, seed: int) -> State:
    """A world in which the view's seat moves next: seats asked with it, but earlier, have answered anything."""
    world = view.determinize(seed)
    if view.seat not in world.seats_to_move:
        raise NotToMove(view.seat, sorted(world.seats_to_move))
    while world.seat_to_move != view.seat:
        world.play(world.legal_moves()[0])
    return world


def text(own: object, parameters: SearchParameters, name: str) -> str:
    value = getattr(parameters, name) if own is None else own
    return str(value).lower() if isinstance(value, bool) else str(value)


# ---- The kinds ----

DRAWN = {"en": "drawn anew each time", "fr": "tirée chaque fois"}
BY_GAME = {"en": "what proved strongest in the game", "fr": "ce qui s'est révélé le plus fort dans le jeu"}

SEED = Parameter(
    "seed",
    int,
    None,
    {
        "en": "where its luck comes from; without one, it plays differently each time",
        "fr": "la graine de ses choix au hasard ; sans elle, il joue chaque fois autrement",
    },
    least=0,
    unset=DRAWN,
)
SEARCH_SEED = replace(SEED, most=BOUNDS["seed"][1])
ITERATIONS = Parameter(
    "iterations",
    int,
    2000,
    {
        "en": "how much it thinks about a move, unless limits say otherwise",
        "fr": "combien d'essais il fait par coup, sauf autre limite",
    },
    least=1,
    most=10**9,
)
VARIANT = Parameter(
    "variant",
    str,
    None,
    {
        "en": "whose knowledge tells positions apart: its own, or each mover's",
        "fr": "ce qui distingue deux positions : ce qu'il sait lui, ou ce que sait chacun à son tour",
    },
    choices=tuple(choice for choice in CHOICES["variant"] if choice != "pimc"),  # which is a kind of bot
    unset=BY_GAME,
)
EXPLORATION = Parameter(
    "exploration",
    float,
    None,
    {"en": "how much it tries what looks worse", "fr": "à quel point il essaie ce qui paraît moins bon"},
    *BOUNDS["exploration"],
    unset=BY_GAME,
)
POLICY = Parameter(
    "policy",
    str,
    None,
    {
        "en": "how it imagines the rest of a match: at random, by the rule of thumb, or by that for its own moves alone",
        "fr": "comment il imagine la suite : au hasard, selon la règle empirique, ou ainsi pour ses seuls coups",
    },
    choices=CHOICES["policy"],
    unset=BY_GAME,
)
PRIOR = Parameter(
    "prior",
    float,
    None,
    {"en": "how much the rule of thumb guides its search", "fr": "à quel point la règle empirique guide sa recherche"},
    *BOUNDS["prior"],
    unset=BY_GAME,
)
INFERENCE = Parameter(
    "inference",
    bool,
    None,
    {"en": "whether it reads others' hands from their moves", "fr": "s'il déduit les mains des autres de leurs coups"},
    unset=BY_GAME,
)
CUTOFF = Parameter(
    "cutoff",
    int,
    None,
    {
        "en": "moves it imagines ahead before it judges by the game's estimate; 0: all to the end",
        "fr": "combien de coups il imagine avant de s'en remettre à l'estimation du jeu ; 0 : jusqu'à la fin",
    },
    *BOUNDS["cutoff"],
    unset=BY_GAME,
)
REUSE = Parameter(
    "reuse",
    bool,
    None,
    {
        "en": "whether what it found out at earlier moves goes on counting; then no move repeats by itself",
        "fr": "s'il garde ce qu'il a trouvé aux coups précédents ; un coup ne peut alors plus être rejoué seul",
    },
    unset={"en": "true without a seed", "fr": "true sans graine"},
)
SHARPNESS = Parameter(
    "sharpness",
    int,
    0,
    {
        "en": "0: its best move; else one drawn by that power of the visits each got",
        "fr": "0 : son meilleur coup ; sinon un coup tiré au sort, d'après le nombre d'essais élevé à cette puissance",
    },
    least=0,
    most=32,
)
SLACK = Parameter(
    "slack",
    float,
    1.0,
    {
        "en": "with a sharpness: how much worse a move it draws may look, as a part of what its best is short of a sure win",
        "fr": "avec sharpness : de combien un coup tiré au sort peut être moins bon, en part de ce qui manque au meilleur",
    },
    least=0,
    most=1,
)
STYLE = Parameter(
    "style",
    str,
    PLAIN,
    {
        "en": "what it goes for besides winning; not every game has room for every style",
        "fr": "ce qu'il cherche en plus de gagner ; tous les styles n'existent pas dans tous les jeux",
    },
    choices=CHOICES["style"],
)
WORLDS = Parameter("worlds", int, 32, {"en": "how many worlds", "fr": "combien de donnes"}, *BOUNDS["worlds"])
MEGABYTES = Parameter("megabytes", int, 16, {"en": "room for its tree", "fr": "la place pour son arbre"}, *BOUNDS["megabytes"])


def search_bot(kind: str, values: Mapping[str, Any]) -> SearchBot:
    known = {name: value for name, value in values.items() if name in SearchParameters.__dataclass_fields__}
    parameters = SearchParameters(**known | {"seed": drawn(values["seed"])})
    if kind == "pimc":
        parameters = replace(parameters, variant="pimc")
    reuse = values.get("reuse")
    if reuse is None:
        reuse = kind == "ismcts" and not says(values, "seed") and values["style"] == PLAIN
    made = SearchBot(kind, values["iterations"], parameters, values["sharpness"], values["slack"], reuse)
    made.is_bounded = says(values, "iterations")
    return made


def level_bot(level: int, values: Mapping[str, Any]) -> LevelBot:
    reuse = values["reuse"]
    if reuse is None:
        reuse = not says(values, "seed") and values["style"] == PLAIN
    return LevelBot(level, drawn(values["seed"]), reuse, values["style"])


def level_kind(level: int) -> BotKind:
    words = {"en": f"level {level} of {LEVELS[-1]}", "fr": f"niveau {level} sur {LEVELS[-1]}"}
    return BotKind(f"level{level}", words, (STYLE, REUSE, SEARCH_SEED), lambda values: level_bot(level, values))


def ratings_of_kind(kind: BotKind) -> tuple[LevelRating, ...]:
    """What matches have shown of a level; nothing for other bots."""
    level = level_number(kind)
    return () if level is None else ratings_of(level)


def level_number(kind: BotKind) -> int | None:
    """Which level a kind of bot is; None: it is none."""
    return next((level for level in LEVELS if kind.name == f"level{level}"), None)


KINDS: Mapping[str, BotKind] = {
    kind.name: kind
    for kind in (
        BotKind(
            "random",
            {"en": "plays any legal move", "fr": "joue n'importe quel coup permis"},
            (SEED,),
            lambda values: RandomBot(values["seed"]),
        ),
        BotKind(
            "greedy",
            {
                "en": "plays what the game's rule of thumb likes best, without looking ahead",
                "fr": "joue ce que préfère la règle empirique du jeu, sans calculer plus loin",
            },
            (),
            lambda _: GreedyBot(),
        ),
        BotKind(
            "ismcts",
            {
                "en": "searches one tree over all that its seat must hold possible",
                "fr": "cherche dans un seul arbre, à travers toutes les donnes possibles pour lui",
            },
            (
                *(ITERATIONS, STYLE, VARIANT, EXPLORATION, POLICY, PRIOR, CUTOFF, INFERENCE, REUSE, SHARPNESS, SLACK),
                *(MEGABYTES, SEARCH_SEED),
            ),
            lambda values: search_bot("ismcts", values),
        ),
        BotKind(
            "pimc",
            {
                "en": "searches several possible deals apart, each as if all cards lay open, and adds up the results",
                "fr": "cherche à part dans quelques donnes possibles, cartes sur table, et fait la somme",
            },
            (ITERATIONS, STYLE, WORLDS, EXPLORATION, POLICY, PRIOR, CUTOFF, INFERENCE, SHARPNESS, SLACK, MEGABYTES, SEARCH_SEED),
            lambda values: search_bot("pimc", values),
        ),
        *map(level_kind, LEVELS),
    )
}
