"""Bots as texts: kinds with typed parameters, written `name:key=value,key=value`."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from machiavel.engines import GameError, View
from machiavel.search.limits import NO_LIMITS, Limits

__all__ = ["BadBot", "Bot", "BotKind", "Parameter", "Values", "parse", "read_items", "says"]


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
    default: object  # None: `unset` says what then
    help: Mapping[str, str]  # by language
    least: float | None = None  # numbers only; both bounds are allowed
    most: float | None = None
    choices: tuple[str, ...] = ()  # texts only
    unset: Mapping[str, str] = field(default_factory=dict)  # by language

    def expected(self, language: str = "en") -> str:
        """What values it takes, in words."""
        words = EXPECTED[language]
        if self.choices:
            return words["choice"].format(", ".join(self.choices))
        if self.type is bool or self.type is str:
            return words[self.type.__name__]
        result = words[self.type.__name__]
        if self.least is not None and self.most is not None:
            return result + words["between"].format(self.least, self.most)
        if self.least is not None:
            return result + words["least"].format(self.least)
        return result if self.most is None else result + words["most"].format(self.most)

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


class Values(dict[str, Any]):
    """A value for each parameter of a kind, and what of them a text said: as it was written, by name."""

    def __init__(self, values: Mapping[str, Any], said: Mapping[str, str]) -> None:
        super().__init__(values)
        self.said = dict(said)

    def filled(self, **values: Any) -> Self:
        """With these for parameters that the kind has and the text says nothing of."""
        known = {name: value for name, value in values.items() if name in self and name not in self.said}
        return type(self)({**self, **known}, self.said)


def says(values: Mapping[str, Any], name: str) -> bool:
    """Whether a parameter was said, rather than left to its default."""
    return name in values.said if isinstance(values, Values) else values.get(name) is not None


@dataclass(frozen=True)
class BotKind:
    """A kind of bot: what it is called, what it takes, and how one is made of a value for each parameter."""

    name: str
    help: Mapping[str, str]  # by language
    parameters: tuple[Parameter, ...]
    make: Callable[[Mapping[str, Any]], "Bot"] = field(repr=False)


def read_items(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The name in a bot's text, and its keys and values as they stand there; raises BadBot where something is neither."""
    name, colon, rest = text.strip().partition(":")
    result = []
    for item in rest.split(",") if colon else ():
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals or not key or not value:
            raise BadBot(text, f"{item.strip()!r} is no parameter; expected {name}:key=value,key=value")
        result.append((key, value))
    return name, result


def parse(text: str, kinds: Mapping[str, BotKind]) -> tuple[BotKind, Values]:
    """The kind that a text such as `random:seed=7` names, and a value for each of its parameters; raises BadBot."""
    name = text.strip().partition(":")[0]
    if name not in kinds:
        raise BadBot(text, f"there is no bot {name!r}; known: {', '.join(kinds)}")
    kind = kinds[name]
    known = {parameter.name: parameter for parameter in kind.parameters}
    values: dict[str, Any] = {}
    said: dict[str, str] = {}
    for key, value in read_items(text)[1]:
        if key not in known:
            raise BadBot(text, f"{name} has no parameter {key!r}; known: {', '.join(known) or 'none'}")
        if key in said:
            raise BadBot(text, f"{key} is given twice")
        try:
            values[key], said[key] = known[key].read(value), value
        except ValueError:
            raise BadBot(text, f"{key} cannot be {value!r}; expected {known[key].expected()}") from None
    return kind, Values({parameter.name: values.get(parameter.name, parameter.default) for parameter in kind.parameters}, said)
