"""Loops of an author's functions, gone through until nothing new can be known of a turn."""

import ast
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from machiavel.engines.kit import card_sets
from machiavel.engines.kit.card_sets import Bag
from machiavel.engines.kit.checked_calls import CallChecker
from machiavel.engines.kit.checked_scope import MISSING, CheckedFunction, Env, ProgramScope, bounds, int_value, join, widened
from machiavel.engines.kit.intervals import Interval
from machiavel.engines.kit.program import (
    Assign,
    Compare,
    Const,
    Expression,
    ForCards,
    ForRange,
    If,
    Local,
    Statement,
    While,
)

__all__ = ["LoopChecker"]

FEW_TURNS = 4096  # of a loop and those around it, without fuel


class Ways(NamedTuple):
    """What holds at the end of a turn, and where a loop was left by `break`; None where nothing gets there."""

    end: Env | None
    broken: Env | None


class LoopChecker(CallChecker):
    """Turns loops into the typed tree."""

    def __init__(self, shared: ProgramScope, function: CheckedFunction) -> None:
        super().__init__(shared, function)
        self.breaks: list[list[Env]] = []
        self.continues: list[list[Env]] = []
        self.turns = [1]  # of the loops around; 0: of one that is not brief
        self.answers: list[Expression] = []
        self.returns_nothing = False

    def block(self, nodes: Sequence[ast.stmt]) -> list[Statement]:
        raise NotImplementedError

    def turned(self, check: Callable[[], list[Statement]], turns: int) -> tuple[list[Statement], Ways]:
        """A body as every turn meets it, and what holds behind it; `env` is left as it is before a turn."""
        start = self.env
        self.turns.append(turns)
        answers = len(self.answers)
        attempt = 0
        while True:
            self.env = None if start is None else dict(start)
            self.breaks.append([])
            self.continues.append([])
            temporaries = self.temporaries
            del self.answers[answers:]
            body = check()
            back = self.env
            for one in self.continues.pop():
                back = join(back, one)
            broken: Env | None = None
            for one in self.breaks.pop():
                broken = join(broken, one)
            again = join(start, back) if back is not None else start
            if again == start:
                break
            start = widened(start, again, self.slots) if attempt else again
            self.temporaries = temporaries
            attempt += 1
        self.turns.pop()
        self.env = start
        return body, Ways(back, broken)

    def no_else(self, node: ast.While | ast.For) -> None:
        if node.orelse:
            raise self.refuse(node.orelse[0], "loop_else")

    # ---- while ----

    def while_loop(self, node: ast.While) -> list[Statement]:
        self.no_else(node)
        tests: list[Expression] = []

        def check() -> list[Statement]:
            tests.append(self.expression(node.test))
            self.assume(tests[-1], True)
            return self.block(node.body)

        body, ways = self.turned(check, 0)
        test = tests[-1]
        if not self.is_pure(test):
            self.after_writing()
        self.assume(test, False)
        constant = int_value(test)
        self.env = ways.broken if constant else join(self.env, ways.broken)
        return [While(line=node.lineno, test=test, body=tuple(body))]

    # ---- for ----

    def for_loop(self, node: ast.For) -> list[Statement]:
        self.no_else(node)
        if not isinstance(node.target, ast.Name):
            raise self.refuse(node.target, "loop_name")
        name = node.target.id
        if name in self.arrays or name in self.luck or name == "self" or name.startswith("_kit"):
            raise self.refuse(node.target, "set_parameter", name=name)
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=arguments) if self.static(node.iter.func) is MISSING:
                return self.for_range(node, name, arguments)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr="every_seat" as kind)) if self.is_of_kit(kind):
                self.arguments(node.iter, 0)
                seats = self.const(node, self.shared.seats)
                return self.counted_loop(node, name, self.const(node, 0), seats, 1)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr="others" as kind)) if self.is_of_kit(kind):
                return self.for_others(node, name, node.iter)
            case ast.Call(func=called) if self.static(called) is card_sets.cards:
                return self.for_cards(node, name, node.iter, 1)
            case ast.Call(func=ast.Attribute(value=inner, attr="kinds")) if isinstance(self.static(inner), Bag):
                return self.for_cards(node, name, node.iter, 4)
        static = self.static(node.iter)
        if isinstance(static, range) and static.step:
            bounds_ = [self.const(node, one) for one in (static.start, static.stop)]
            return self.counted_loop(node, name, bounds_[0], bounds_[1], static.step)
        values = static if isinstance(static, tuple) else self.literal(node.iter)
        if values is None or not all(isinstance(one, int) for one in values):
            raise self.refuse(node.iter, "loop_over")
        return self.for_tuple(node, name, tuple(int(one) for one in values))

    def literal(self, node: ast.expr) -> tuple[Any, ...] | None:
        if not isinstance(node, ast.Tuple):
            return None
        values = [self.static(one) for one in node.elts]
        return tuple(values)

    def for_range(self, node: ast.For, name: str, arguments: Sequence[ast.expr]) -> list[Statement]:
        if not isinstance(node.iter, ast.Call) or node.iter.keywords or not 1 <= len(arguments) <= 3:
            raise self.refuse(node.iter, "loop_over")
        found = [self.number(one) for one in arguments]
        start = found[0] if len(found) > 1 else self.const(node, 0)
        stop = found[1] if len(found) > 1 else found[0]
        step = int_value(found[2]) if len(found) > 2 else 1
        if not step:
            raise self.refuse(node.iter, "bad_step")
        return self.counted_loop(node, name, start, stop, step)

    def counted_loop(self, node: ast.For, name: str, start: Expression, stop: Expression, step: int) -> list[Statement]:
        first, last = int_value(start), int_value(stop)
        turns = 0 if first is None or last is None else len(range(first, last, step))
        is_known = first is not None and last is not None
        brief = is_known and 0 < turns * self.turns[-1] <= FEW_TURNS
        inside = (start.low, max(stop.high - 1, start.low)) if step > 0 else (min(stop.low + 1, start.high), start.high)
        if first is not None and turns:
            inside = min(first, first + (turns - 1) * step), max(first, first + (turns - 1) * step)
        body, ways = self.turning(node, name, inside, lambda: self.block(node.body), turns * self.turns[-1] if brief else 0)
        self.after_loop(ways, is_certain=turns > 0)
        brief = brief or (is_known and not turns)
        return [ForRange(line=node.lineno, name=name, start=start, stop=stop, step=step, body=tuple(body), brief=brief)]

    def turning(
        self, node: ast.For, name: str, inside: Interval, check: Callable[[], list[Statement]], turns: int
    ) -> tuple[list[Statement], Ways]:
        """A body whose name has these bounds at the start of each turn."""
        if self.types.setdefault(name, "int") != "int":
            raise self.refuse(node, "float_name", name=name)

        def turn() -> list[Statement]:
            if self.env is not None:
                self.env[name] = inside
            return check()

        return self.turned(turn, turns)

    def after_loop(self, ways: Ways, *, is_certain: bool) -> None:
        """What holds behind a loop; where there surely is a turn, what every turn sets is set."""
        self.env = join(ways.end if is_certain else self.env, ways.broken)

    def for_others(self, node: ast.For, name: str, call: ast.Call) -> list[Statement]:
        """All seats but one."""
        (argument,) = self.arguments(call, 1)
        result: list[Statement] = []
        seat = self.number(argument)
        if not isinstance(seat, Const):
            kept = self.temporary()
            result.append(self.assign(node, kept, seat))
            seat = self.local(node, kept)
        seats = self.shared.seats
        counter = self.temporary()
        inside = (0, seats - 1)
        line = node.lineno
        brief = 0 < seats * self.turns[-1] <= FEW_TURNS

        def check() -> list[Statement]:
            before = None if self.env is None else dict(self.env)
            if self.types.setdefault(name, "int") != "int":
                raise self.refuse(node, "float_name", name=name)
            if self.env is not None:
                self.env[name] = inside
            other = Local(line=line, name=counter, low=0, high=seats - 1)
            body = [Assign(line=line, name=name, value=other), *self.block(node.body)]
            self.env = join(self.env, before)
            test = Compare(line=line, op="!=", left=other, right=seat, low=0, high=1)
            return [If(line=line, test=test, body=tuple(body))]

        body, ways = self.turning(node, counter, inside, check, seats * self.turns[-1] if brief else 0)
        self.after_loop(ways, is_certain=False)
        start, stop = self.const(node, 0), self.const(node, seats)
        loop = ForRange(line=line, name=counter, start=start, stop=stop, step=1, body=tuple(body), brief=brief)
        return [*result, loop]

    def for_tuple(self, node: ast.For, name: str, values: tuple[int, ...]) -> list[Statement]:
        if not values:
            return []
        counter = self.temporary()
        line = node.lineno
        count = len(values)
        brief = 0 < count * self.turns[-1] <= FEW_TURNS

        def check() -> list[Statement]:
            index = Local(line=line, name=counter, low=0, high=count - 1)
            return [self.assign(node, name, self.table_item(node, values, index)), *self.block(node.body)]

        body, ways = self.turning(node, counter, (0, count - 1), check, count * self.turns[-1] if brief else 0)
        self.after_loop(ways, is_certain=True)
        start, stop = self.const(node, 0), self.const(node, count)
        return [ForRange(line=line, name=counter, start=start, stop=stop, step=1, body=tuple(body), brief=brief)]

    def for_cards(self, node: ast.For, name: str, call: ast.Call, bits: int) -> list[Statement]:
        (argument,) = self.arguments(call, 1)
        found = self.number(argument)
        inside = (0, max((max(found.high, 0).bit_length() - 1) // bits, 0))
        body, ways = self.turning(node, name, inside, lambda: self.block(node.body), self.turns[-1] * (inside[1] + 1))
        self.after_loop(ways, is_certain=bounds(found)[0] > 0)
        checked = found.low < 0
        return [ForCards(line=node.lineno, name=name, cards=found, body=tuple(body), bits=bits, checked=checked)]
