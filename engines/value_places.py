"""Where in an object from outside a value stands, and where what is wrong with it is noted."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from machiavel.engines.errors import Problem, shown
from machiavel.engines.phrases import Wording, load_phrases

if TYPE_CHECKING:
    from machiavel.engines.plugin import Rules
    from machiavel.engines.scalars import Type

__all__ = ["BAD", "MOST_PROBLEMS", "Glance", "Limit", "Place", "inside_of_view", "limit_of", "problem_text"]

Limit = int | Callable[["Rules"], int]  # some follow from the rules of the match

BAD: Any = type("Bad", (), {"__repr__": lambda _: "BAD", "__bool__": lambda _: False})()  # what could not be read

MOST_PROBLEMS = 100  # that are told of one value: nobody reads more


class Enough(Exception):
    """What is left of a value need not be read."""


def limit_of(limit: Limit, rules: "Rules") -> int:
    return limit if isinstance(limit, int) else limit(rules)


def problem_text(key: str, /, **parts: object) -> Wording:
    """What is wrong with a value, in words that all games share; values from outside are shown as Python writes them."""
    return load_phrases("machiavel.engines").wording(f"problems.{key}", **parts)


def inside_of_view(fields: Sequence[str]) -> Wording:
    """What is wrong where somebody gives what a seat sees without saying of which game and options."""
    return problem_text("inside_of_view", fields=", ".join(fields))


class Place(NamedTuple):
    """Where in an object a value stands, and where what is wrong with it is noted."""

    rules: "Rules"
    path: str
    problems: list[Problem]
    is_inside: bool = False  # of a list whose items are not told apart
    number: int = 0  # of the item of a list that this is in

    def at(self, step: str | int) -> "Place":
        """A field of the object here, or an item of the list."""
        if isinstance(step, int):
            return Place(self.rules, f"{self.path}[{step}]", self.problems, self.is_inside, step)
        path = f"{self.path}.{step}" if self.path else step
        return Place(self.rules, path, self.problems, self.is_inside, self.number)

    def of(self, number: int, *, is_numbered: bool) -> "Place":
        """An item of the list here, or, where items are not told apart, the list."""
        return self.at(number) if is_numbered else self._replace(is_inside=True)

    def bad(self, key: str, /, **parts: object) -> Any:
        """Note what is wrong here; gives BAD."""
        return self.refused(problem_text(key, **parts))

    def refused(self, problem: Wording) -> Any:
        self.problems.append(Problem(self.path, problem))
        if len(self.problems) >= MOST_PROBLEMS:
            raise Enough
        return BAD

    def whole(self, kind: "Type", value: object) -> Any:
        """The value of that type that stands here, or BAD; with so much wrong, its rest is not read."""
        try:
            return kind.read(self, value)
        except Enough:
            return BAD

    def items(self, value: object, count: Limit | None = None, longest: Limit | None = None, least: int = 0) -> Any:
        """A list, of so many if that is known; or BAD."""
        exact = None if count is None else limit_of(count, self.rules)
        most = exact if longest is None else limit_of(longest, self.rules)
        low = exact or least
        if isinstance(value, list) and low <= len(value) <= (len(value) if most is None else most):
            return value
        if isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
            # Nobody wants to see all of them.
            return self.bad("so_many", given=len(value), least=low, most=most if most != exact else None)
        key = "list_of" if exact is not None else "list_up_to" if most is not None else "list_from" if least else "list"
        return self.bad(key, value=shown(value), count=exact, least=least, most=most)


class Glance(Place):
    """A place where it only counts whether something is wrong: values that are right are read in a third of the time.

    Where something is, the rest is not read.
    """

    def at(self, step: str | int) -> "Place":  # noqa: ARG002
        return self

    def of(self, number: int, *, is_numbered: bool) -> "Place":  # noqa: ARG002
        return self

    def bad(self, key: str, /, **parts: object) -> Any:  # noqa: ARG002
        raise Enough

    def refused(self, problem: Wording) -> Any:  # noqa: ARG002
        raise Enough
