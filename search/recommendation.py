"""What a search recommends: moves with visits and win chances, and what was done to find them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from machiavel.engines import BadOption
from machiavel.search.limits import is_number, is_whole
from machiavel.search.parameters import SearchParameters

__all__ = ["Candidate", "Recommendation", "known_fields"]


@dataclass(frozen=True)
class Candidate:
    """A move of the root, by what followed it in the worlds searched.

    `utility` is the mean utility of the seat that asked, from 0 to 1, with its standard error. `win_chance` is what that came to
    in matches: the share of the win to be expected when the match is over, a win shared by k counting 1/k; it has an error, too.
    `metrics` are means of the engine's quantities at the end of the lines, and empty unless asked for. `line` is what is played
    after the move in one of the worlds, by the most visited moves; what the seat would not see of it is hidden.
    """

    move: str
    visits: int
    win_chance: float
    win_chance_error: float
    utility: float
    standard_error: float
    metrics: Mapping[str, float]
    line: tuple[str, ...]


@dataclass(frozen=True)
class Recommendation:
    """The answer: candidates from the best down.

    `stopped` tells why the search ended: `iterations`, `time`, `stopped`, or `forced` where there was a single move; `running` in
    an answer before the final one. `settled` is the share of all visits that the best move has.
    """

    game: str
    rules_version: int
    engine: str  # who answers, and which release
    seat: int
    best: str
    candidates: tuple[Candidate, ...]
    settled: float
    parameters: SearchParameters
    iterations: int
    stopped: str

    @property
    def line(self) -> tuple[str, ...]:
        """What is played from here by the most visited moves, the best one included."""
        return (self.best, *self.candidates[0].line)

    def to_json(self) -> dict[str, Any]:
        """As an object that `json` can write; nothing in it says how long anything took."""
        data = asdict(self)
        data["candidates"] = [{**one, "line": list(one["line"])} for one in data["candidates"]]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Recommendation":
        """What `to_json` wrote; raises BadOption, naming the field, for anything else."""
        values = known_fields(cls, data, "recommendation")
        values["candidates"] = tuple(candidate_from_json(one) for one in listed(values["candidates"], "candidates"))
        values["parameters"] = SearchParameters(**known_fields(SearchParameters, values["parameters"], "parameters"))
        values["parameters"].check()
        if not values["candidates"] or values["candidates"][0].move != values["best"]:
            raise BadOption("best", values["best"], "the first candidate's move")
        return cls(**values)


def candidate_from_json(data: Any) -> Candidate:
    values = known_fields(Candidate, data, "candidates")
    values["line"] = tuple(listed(values["line"], "line"))
    if not all(isinstance(move, str) for move in values["line"]):
        raise BadOption("line", values["line"], "a list of moves, as text")
    metrics = values["metrics"]
    if not isinstance(metrics, Mapping) or not all(is_number(value) for value in metrics.values()):
        raise BadOption("metrics", metrics, "an object of numbers")
    return Candidate(**values)


def known_fields(kind: type, data: Any, name: str) -> dict[str, Any]:
    """The fields of a dataclass out of an object, each of them there and none besides."""
    if not isinstance(data, Mapping):
        raise BadOption(name, data, "an object")
    names = {one.name for one in fields(kind)}
    for missing in sorted(names - set(data)):
        raise BadOption(missing, None, f"a field of every object in {name}")
    for unknown in sorted(set(data) - names):
        raise BadOption(unknown, data[unknown], f"no such field; {name} has {', '.join(sorted(names))}")
    for one in fields(kind):
        if one.type in EXPECTED and not fits(data[one.name], one.type):
            raise BadOption(one.name, data[one.name], EXPECTED[one.type])
    return dict(data)


EXPECTED: Mapping[Any, str] = {str: "a text", int: "a whole number", float: "a number"}


def fits(value: object, kind: Any) -> bool:
    return isinstance(value, str) if kind is str else is_whole(value) if kind is int else is_number(value)


def listed(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadOption(name, value, "a list")
    return value
