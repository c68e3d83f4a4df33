"""From an author's class to a typed program, for one number of players and one set of options."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from machiavel.engines.kit.card_sets import Bag
from machiavel.engines.kit.checked_answers import KINDS
from machiavel.engines.kit.checked_scope import MOVER, BecomesFloat, CheckedFunction, ProgramScope
from machiavel.engines.kit.checked_statements import StatementChecker
from machiavel.engines.kit.file_refusals import refused
from machiavel.engines.kit.game_description import METHODS, LuckEvent
from machiavel.engines.kit.intervals import Interval, hull
from machiavel.engines.kit.layout import layout_of
from machiavel.engines.kit.program import Function, Parameter, Program, ValueType
from machiavel.engines.kit.source import GameSource, read_source
from machiavel.engines.kit.step_counts import MOST_STEPS, steps

__all__ = ["check_program", "load_source"]

# The parameters of what the runtime calls; `measure` has an array for each of its metrics.
SIGNATURES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "deal": (("luck", "luck"),),
    "legal": (("seat", "int"),),
    "apply": (("move", "int"), ("luck", "luck")),
    "result": (("shares", "array"),),
    "weigh": (("move", "int"),),
    "estimate": (("shares", "array"),),
    "measure": (),
    "determinize": (("seat", "int"), ("luck", "luck")),
    "possible": (("seat", "int"),),
    "called": (("move", "int"),),
}
WRITERS = {"deal", "apply", "determinize"}
ANSWERS: Mapping[str, ValueType] = {"weigh": "float", "possible": "int", "called": "int", "legal": "int"}
# The different kinds in a bag, a bit each: halves of what is left are moved together, five times.
KINDS_SOURCE = f"""
def {KINDS}(bag):
    kinds = (bag | bag >> 1 | bag >> 2 | bag >> 3) & 0x1111111111111111 & {2**63 - 1}
    kinds = (kinds | kinds >> 3) & 0x0303030303030303
    kinds = (kinds | kinds >> 6) & 0x000F000F000F000F
    kinds = (kinds | kinds >> 12) & 0x000000FF000000FF
    return (kinds | kinds >> 24) & 0xFFFF
"""


def load_source(path: str | Path) -> GameSource:
    """Read an author's file and check it for its largest table, so that what is wrong with it is told at once."""
    source = read_source(path)
    checker = ProgramChecker(source, source.description.most_seats, {})
    checker.program()
    decks = checker.scope.luck_decks
    luck: dict[str, LuckEvent] = {name: replace(event, deck=decks.get(name)) for name, event in source.description.luck.items()}
    return replace(source, description=replace(source.description, luck=luck))


def check_program(source: GameSource, players: int, options: Mapping[str, int]) -> Program:
    """The program of a game; options left out have their defaults.

    Raises BadGameFile, with the line, for whatever is outside the subset of Python.
    """
    return ProgramChecker(source, players, options).program()


class ProgramChecker:
    """Checks each function three times: for what it returns, for what it is called with, and then with both known."""

    def __init__(self, source: GameSource, players: int, options: Mapping[str, int]) -> None:
        self.source = source
        self.game = source.description
        self.layout = layout_of(self.game, players)
        chosen = {name: int(option.default) for name, option in self.game.options.items()} | {**options}
        self.scope = ProgramScope(source, self.layout, players, chosen, self.find, self.observe)
        self.order: list[CheckedFunction] = []  # callees before callers
        self.observed: dict[str, dict[str, Interval]] = {}

    def program(self) -> Program:
        parts = (part for one in self.game.actions.values() for part in one.action.parts)
        if any(isinstance(part.kind, Bag) for part in parts):
            self.find(KINDS, self.source.tree, False)
        for name in METHODS:
            if name in self.game.methods:
                self.find(name, self.source.tree, True)
        for function in reversed(self.order):
            function.arguments = self.called_with(function)
            self.check(function)
        for function in self.order:
            self.check(function)
        for function in self.order:
            if function.is_entry and function.writes and function.name not in WRITERS:
                raise refused("looks_alone", self.source.path, function.writes, name=function.name)
        self.check_steps()
        return Program(
            {function.name: finished(function) for function in self.order},
            self.scope.seats,
            self.layout.slots,
            self.game.move_limit,
            tuple(deck.bits for deck in self.game.decks),
        )

    def check_steps(self) -> None:
        known: dict[str, int] = {}
        for function in self.order:
            known[function.name] = found = steps(function.body, known)
            if found > MOST_STEPS:
                raise refused("too_many_steps", self.source.path, function.node.lineno, name=function.name, most=MOST_STEPS)

    # ---- Functions ----

    def find(self, name: str, node: ast.AST, is_method: bool) -> CheckedFunction:
        """A function by name, checked with all that it calls."""
        key = name if is_method or not self.is_method(name) else f"function_{name}"
        known = self.scope.functions.get(key)
        if known is not None:
            if not known.is_finished:
                raise refused("recursion", self.source.path, getattr(node, "lineno", 0), name=name)
            return known
        function = self.described(key, self.definition(name, node, is_method), is_method)
        self.scope.functions[key] = function
        function.arguments = self.called_with(function)
        self.check(function)
        function.is_finished = True
        self.order.append(function)
        return function

    def is_method(self, name: str) -> bool:
        return callable(getattr(self.game.game, name, None))

    def definition(self, name: str, node: ast.AST, is_method: bool) -> ast.FunctionDef:
        """Where a method, or a function of the module, stands in the file."""
        if name == KINDS:
            found = ast.parse(KINDS_SOURCE).body[0]
            assert isinstance(found, ast.FunctionDef)  # noqa: S101 - its text stands above
            return found
        bodies: list[Sequence[ast.stmt]] = [self.source.tree.body]
        if is_method:
            classes = {one.name: one.body for one in self.source.tree.body if isinstance(one, ast.ClassDef)}
            bodies = [classes[kind.__name__] for kind in self.game.game.__mro__ if kind.__name__ in classes]
        for body in bodies:
            for one in reversed(body):
                if isinstance(one, ast.FunctionDef) and one.name == name:
                    return one
        raise refused("no_text_of", self.source.path, getattr(node, "lineno", 0), name=name)

    def described(self, key: str, node: ast.FunctionDef, is_method: bool) -> CheckedFunction:
        """A function as its first line says."""
        given = node.args
        is_entry = is_method and key in SIGNATURES
        for name in (key, *(one.arg for one in given.args)):
            if name.startswith("_kit") and key != KINDS:
                raise refused("set_parameter", self.source.path, node.lineno, name=name)
        if node.decorator_list:
            raise refused("decorated", self.source.path, node.lineno, name=key)
        if given.vararg or given.kwarg or given.kwonlyargs or given.defaults or given.posonlyargs:
            raise refused("plain_parameters", self.source.path, node.lineno, name=key)
        arguments = given.args
        if is_method:
            if not arguments or arguments[0].arg != "self":
                raise refused("self_first", self.source.path, node.lineno, name=key)
            arguments = arguments[1:]
        if is_entry:
            parameters = self.entry_parameters(key, node, arguments)
        else:
            parameters = tuple(Parameter(one.arg, type_of(one)) for one in arguments)  # type: ignore[arg-type]
        yields = any(isinstance(one, ast.Yield | ast.YieldFrom) for one in ast.walk(node))
        return CheckedFunction(key, node, parameters, is_method, is_entry, yields=yields and key == "legal")

    def entry_parameters(self, name: str, node: ast.FunctionDef, given: Sequence[ast.arg]) -> tuple[Parameter, ...]:
        expected = SIGNATURES[name]
        if name == "measure":
            if not given:
                raise refused("bad_signature", self.source.path, node.lineno, name=name, expected="self, points")
            return tuple(Parameter(one.arg, "array") for one in given)
        wrong = len(given) != len(expected)
        for one, (_, kind) in zip(given, expected, strict=False):
            wrong = wrong or (kind == "luck") != (one.arg == "luck")
        if wrong:
            shown = ", ".join(["self", *(one for one, _ in expected)])
            raise refused("bad_signature", self.source.path, node.lineno, name=name, expected=shown)
        return tuple(Parameter(one.arg, kind) for one, (_, kind) in zip(given, expected, strict=True))  # type: ignore[arg-type]

    # ---- What functions are called with ----

    def observe(self, callee: CheckedFunction, arguments: Mapping[str, Interval]) -> None:
        known = self.observed.setdefault(callee.name, {})
        for name, one in arguments.items():
            known[name] = hull(known[name], one) if name in known else one

    def called_with(self, function: CheckedFunction) -> dict[str, Interval]:
        """The bounds of arguments: at first those of the runtime's calls alone, then those of all."""
        result = dict(self.observed.get(function.name, {})) if function.is_finished else {}
        if function.is_entry:
            for name, one in self.of_runtime(function).items():
                result[name] = hull(result[name], one) if name in result else one
        return result

    def of_runtime(self, function: CheckedFunction) -> dict[str, Interval]:
        last = self.scope.seats - 1
        name = function.name
        result = {MOVER: (0, 0) if name == "deal" else (0, last) if name in {"legal", "apply", "weigh", "called"} else (-1, last)}
        if name in {"legal", "determinize", "possible"}:
            result[function.parameters[0].name] = (0 if name == "legal" else -1, last)
        if name in {"apply", "weigh", "called"}:
            result[function.parameters[0].name] = (0, self.game.move_limit - 1)
        return result

    # ---- Checking ----

    def check(self, function: CheckedFunction) -> None:
        """Go through a body, again where a name or the answer turns out to be a float."""
        floats: set[str] = set()
        returns = ANSWERS.get(function.name) if function.is_entry else None
        while True:
            checker = StatementChecker(self.scope, function)
            checker.types |= dict.fromkeys(floats, "float")
            checker.returns = returns
            try:
                body = checker.block(function.node.body)
            except BecomesFloat as found:
                floats.add(found.name)
                continue
            except RecursionError:
                raise refused("too_deep", self.source.path, function.node.lineno, name=function.name) from None
            answers = [one.type for one in checker.answers]
            if returns is None and answers and "float" in answers and "int" in answers:
                returns = "float"
                continue
            break
        needs_answer = bool(answers) or (function.is_entry and function.name in ANSWERS and not function.yields)
        if needs_answer and (checker.env is not None or checker.returns_nothing):
            raise refused("not_every_way", self.source.path, function.node.lineno, name=function.name)
        function.returns = (returns or answers[0]) if answers else returns
        function.returned = hull(*((one.low, one.high) for one in checker.answers)) if answers else (0, 0)
        function.body = tuple(body)
        function.types = {
            name: kind for name, kind in checker.types.items() if all(one.name != name for one in function.parameters)
        }


def type_of(argument: ast.arg) -> str:
    """The type of a parameter of an author's own function: as annotated, else an int."""
    if argument.arg == "luck":
        return "luck"
    annotation = "" if argument.annotation is None else ast.unparse(argument.annotation)
    if "list" in annotation or argument.arg == "shares":
        return "array"
    return "float" if annotation == "float" else "int"


def finished(function: CheckedFunction) -> Function:
    return Function(
        function.name,
        function.parameters,
        function.returns or "int",
        function.body,
        function.node.lineno,
        function.types,
        function.is_entry,
        function.yields,
        bool(function.writes),
    )
