"""Bots by name: a view in, a move out, with typed parameters written `name:key=value,key=value`."""

import hashlib
import math
import random
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from machiavel.engines import GameError, NotToMove, State, View
from machiavel.search.limits import NO_LIMITS, Limits
from machiavel.search.recommendation import SearchParameters, recommend

__all__ = ["KINDS", "BadBot", "Bot", "BotKind", "Parameter", "make_bot"]

SEED_BITS = 63


class BadBot(GameError):
    """The text of a bot names no bot, or a parameter it cannot have."""

    def __init__(self, text: str, problem: str) -> None:
        super().__init__(f"bot {text!r}: {problem}")
        self.text = text
        self.problem = problem


class Bot(Protocol):
    """Chooses moves from views, and from nothing else.

    The same spec with a seed chooses the same move from the same view, whatever it was asked before.
    """

    @property
    def spec(self) -> str:
        """The text that makes this bot again, its luck included."""

    def choose(self, view: View, limits: Limits = NO_LIMITS) -> str:
        """One of the legal moves of the view's seat; raises NotToMove where it is not asked."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kind of bot."""

    name: str
    type: type[int] | type[float] | type[bool] | type[str]
    default: object  # None: drawn anew for every bot
    help: Mapping[str, str]  # by language
    least: float | None = None  # numbers only; both bounds are allowed
    most: float | None = None
    choices: tuple[str, ...] = ()  # texts only

    def expected(self, language: str = "en") -> str:
        """What values it takes, in words."""
        words = EXPECTED[language]
        if self.choices:
            return words["choice"].format(", ".join(self.choices))
        if self.type is bool or self.type is str:
            return words[self.type.__name__]
        found = words[self.type.__name__]
        if self.least is not None and self.most is not None:
            return found + words["between"].format(self.least, self.most)
        if self.least is not None:
            return found + words["least"].format(self.least)
        return found if self.most is None else found + words["most"].format(self.most)

    def read(self, text: str) -> Any:
        """The value a text means; raises ValueError."""
        if self.type is str:
            return member(text, {choice: choice for choice in self.choices} or {text: text})
        if self.type is bool:
            return member(text.lower(), {"true": True, "false": False})
        if not text.isascii() or "_" in text:
            raise ValueError(text)
        value = int(text) if self.type is int else float(text)
        if not math.isfinite(value):
            raise ValueError(text)
        if (self.least is not None and value < self.least) or (self.most is not None and value > self.most):
            raise ValueError(text)
        return value


def member(text: str, values: Mapping[str, object]) -> object:
    if text not in values:
        raise ValueError(text)
    return values[text]


EXPECTED: Mapping[str, Mapping[str, str]] = {
    "en": {
        "choice": "one of {}",
        "bool": "true or false",
        "str": "a text",
        "int": "a whole number",
        "float": "a number",
        "between": " from {} to {}",
        "least": ", at least {}",
        "most": ", at most {}",
    },
    "fr": {
        "choice": "au choix {}",
        "bool": "true ou false",
        "str": "un texte",
        "int": "un nombre entier",
        "float": "un nombre",
        "between": " de {} à {}",
        "least": ", au moins {}",
        "most": ", au plus {}",
    },
}


@dataclass(frozen=True)
class BotKind:
    """A kind of bot: what it is called, what it takes, and how one is made of a value for each parameter."""

    name: str
    help: Mapping[str, str]  # by language
    parameters: tuple[Parameter, ...]
    make: Callable[[Mapping[str, Any]], Bot] = field(repr=False)


def make_bot(text: str) -> Bot:
    """The bot that a text such as `random:seed=7` means; raises BadBot."""
    name, colon, rest = text.strip().partition(":")
    if name not in KINDS:
        raise BadBot(text, f"there is no bot {name!r}; known: {', '.join(KINDS)}")
    kind = KINDS[name]
    known = {parameter.name: parameter for parameter in kind.parameters}
    values: dict[str, Any] = {}
    for item in rest.split(",") if colon else ():
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals or not key or not value:
            raise BadBot(text, f"{item.strip()!r} is no parameter; expected {name}:key=value,key=value")
        if key not in known:
            raise BadBot(text, f"{name} has no parameter {key!r}; known: {', '.join(known) or 'none'}")
        if key in values:
            raise BadBot(text, f"{key} is given twice")
        try:
            values[key] = known[key].read(value)
        except ValueError:
            raise BadBot(text, f"{key} cannot be {value!r}; expected {known[key].expected()}") from None
    return kind.make({parameter.name: values.get(parameter.name, parameter.default) for parameter in kind.parameters})


SEED = Parameter(
    "seed",
    int,
    None,
    {
        "en": "where its luck comes from; without one, it plays differently each time",
        "fr": "l'origine de ses choix au hasard ; sans elle, il joue chaque fois autrement",
    },
    least=0,
)


ITERATIONS = Parameter(
    "iterations",
    int,
    2000,
    {"en": "how much it thinks about a move, unless limits say so", "fr": "combien il réfléchit à un coup, sauf autre limite"},
    least=1,
    most=10**9,
)
VARIANT = Parameter(
    "variant",
    str,
    "single",
    {
        "en": "whose knowledge tells positions apart: its own, or each mover's",
        "fr": "le savoir qui distingue les positions : le sien, ou celui de chacun à son tour",
    },
    choices=("single", "multi"),
)
EXPLORATION = Parameter(
    "exploration",
    float,
    0.7,
    {"en": "how much it tries what looks worse", "fr": "combien il essaie ce qui paraît moins bon"},
    least=0,
    most=100,
)
WORLDS = Parameter("worlds", int, 32, {"en": "how many worlds", "fr": "combien de mondes"}, least=1, most=1024)
MEGABYTES = Parameter("megabytes", int, 16, {"en": "room for its tree", "fr": "la place pour son arbre"}, least=1, most=65536)


class RandomBot:
    """Any legal move, each as likely as any other."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = secrets.randbits(SEED_BITS) if seed is None else seed

    @property
    def spec(self) -> str:
        return f"random:seed={self.seed}"

    def choose(self, view: View, limits: Limits = NO_LIMITS) -> str:  # noqa: ARG002
        # Of the seed and the view alone, so that a move asked for again is the same move.
        digest = hashlib.blake2b(b"%d/" % self.seed + view.to_bytes(), digest_size=16).digest()
        return random.Random(int.from_bytes(digest, "big")).choice(view.legal_moves())


class GreedyBot:
    """The heaviest move by the engine's rule of thumb, the first of those that are equally heavy."""

    spec = "greedy"

    def choose(self, view: View, limits: Limits = NO_LIMITS) -> str:  # noqa: ARG002
        # Any world will do: weights depend on nothing but what the mover sees.
        weights = world_at_seat(view, 0).weights()
        return max(weights, key=weights.__getitem__)


class SearchBot:
    """The best move of a search, over what the view leaves open."""

    def __init__(self, name: str, iterations: int, parameters: SearchParameters) -> None:
        self.name = name
        self.iterations = iterations
        self.parameters = parameters

    @property
    def spec(self) -> str:
        found = self.parameters
        own = f"worlds={found.worlds}" if self.name == "pimc" else f"variant={found.variant}"
        return (
            f"{self.name}:iterations={self.iterations},{own},exploration={found.exploration},"
            f"megabytes={found.megabytes},seed={found.seed}"
        )

    def choose(self, view: View, limits: Limits = NO_LIMITS) -> str:
        if limits == NO_LIMITS:
            limits = Limits(iterations=self.iterations)
        return recommend(view, limits, self.parameters).best


def search_bot(name: str, values: Mapping[str, Any]) -> SearchBot:
    seed = values["seed"]
    parameters = SearchParameters(
        variant=values.get("variant", "pimc"),
        exploration=values["exploration"],
        seed=secrets.randbits(SEED_BITS) if seed is None else seed,
        worlds=values.get("worlds", 1),
        megabytes=values["megabytes"],
    )
    return SearchBot(name, values["iterations"], parameters)


def world_at_seat(view: View, seed: int) -> State:
    """A world in which the view's seat moves next: seats asked with it, but earlier, have answered anything."""
    world = view.determinize(seed)
    if view.seat not in world.seats_to_move:
        raise NotToMove(view.seat, sorted(world.seats_to_move))
    while world.seat_to_move != view.seat:
        world.play(world.legal_moves()[0])
    return world


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
                "fr": "cherche dans un seul arbre tout ce que sa place doit croire possible",
            },
            (ITERATIONS, VARIANT, EXPLORATION, MEGABYTES, SEED),
            lambda values: search_bot("ismcts", values),
        ),
        BotKind(
            "pimc",
            {
                "en": "searches some worlds apart, each as if all cards lay open, and adds up",
                "fr": "cherche séparément dans quelques mondes, cartes ouvertes, et fait la somme",
            },
            (ITERATIONS, WORLDS, EXPLORATION, MEGABYTES, SEED),
            lambda values: search_bot("pimc", values),
        ),
    )
}
