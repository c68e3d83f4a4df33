"""What an author's functions answer: values, and the moves of `legal`."""

import ast

from machiavel.engines.kit.card_sets import Bag
from machiavel.engines.kit.checked_loops import LoopChecker
from machiavel.engines.kit.game_description import DescribedAction
from machiavel.engines.kit.program import Call, Const, Expression, ForCards, Return, Statement, ValueType, Yield

__all__ = ["KINDS", "AnswerChecker"]

ANSWERS = {"weigh", "possible", "called"}
KINDS = "_kit_kinds"


class AnswerChecker(LoopChecker):
    """Turns `return` and `yield` into the typed tree."""

    returns: ValueType | None = None  # where that is known before

    def if_statement(self, node: ast.If) -> list[Statement]:
        raise NotImplementedError

    def return_value(self, node: ast.Return, value: ast.expr | None) -> list[Statement]:
        if self.function.name == "legal" and self.function.is_entry:
            result = self.return_moves(node, value)
        elif value is None or (isinstance(value, ast.Constant) and value.value is None):
            if self.answers:
                raise self.refuse(node, "value_missing")
            self.returns_nothing = True
            result = [Return(line=node.lineno, value=None)]
        else:
            if self.returns_nothing or (self.function.is_entry and self.function.name not in ANSWERS):
                raise self.refuse(node, "returns_nothing", name=self.function.name)
            found = self.expression(value)
            found = self.as_float(found) if self.returns == "float" else found
            if self.returns == "int" and found.type == "float":
                raise self.refuse(node, "int_needed")
            self.answers.append(found)
            result = [Return(line=node.lineno, value=found)]
        self.env = None
        return result

    def return_moves(self, node: ast.Return, value: ast.expr | None) -> list[Statement]:
        """A set of cards, or moves of another action; a generator returns nothing."""
        line = node.lineno
        if self.function.yields:
            if value is not None:
                raise self.refuse(node, "yield_and_return")
            return [Return(line=line, value=None)]
        match value:
            case None:
                raise self.refuse(node, "value_missing")
            case ast.IfExp(test=test, body=body, orelse=orelse):
                branches = [ast.copy_location(ast.Return(value=one), one) for one in (body, orelse)]
                choice = ast.copy_location(ast.If(test=test, body=[branches[0]], orelse=[branches[1]]), node)
                return self.if_statement(choice)
        action, found = self.each(value)
        if action is None:
            action = next(iter(self.game.actions.values()))
            if len(action.action.parts) != 1:
                raise self.refuse(node, "set_of_what", action=action.name)
            found = self.set_of(value, action, self.number(value))
        part = action.action.parts[0]
        self.answers.append(found)
        return [Return(line=line, value=found, first=action.first - part.start)]

    def each(self, node: ast.expr) -> tuple[DescribedAction | None, Expression]:
        """The action and the set in `self.bid.each(set)`."""
        match node:
            case ast.Call(func=ast.Attribute(value=inner, attr="each")):
                static = self.static(inner)
                action = self.game.actions.get(getattr(static, "name", ""))
                if action is not None and action.action is static:
                    if len(action.action.parts) != 1:
                        raise self.refuse(node, "each_of_one", action=action.name)
                    (argument,) = self.arguments(node, 1)
                    return action, self.set_of(argument, action, self.number(argument))
        return None, Const(line=node.lineno, value=0)

    def set_of(self, node: ast.expr, action: DescribedAction, value: Expression) -> Expression:
        """A set of values of an action's one part, which must be no others."""
        part = action.action.parts[0]
        if isinstance(part.kind, Bag):
            value = self.bounded(node, value, 1 << part.kind.bits)
            return Call(line=node.lineno, function=KINDS, arguments=(value,), low=0, high=(1 << part.count) - 1)
        last = part.start + (self.shared.seats if part.is_seat else part.count)
        if part.start < 0 or last > 63:
            raise self.refuse(node, "each_too_far", action=action.name)
        return self.bounded(node, value, 1 << last) if last < 63 else value

    def yielded(self, node: ast.Yield | ast.YieldFrom) -> list[Statement]:
        if not (self.function.name == "legal" and self.function.is_entry):
            raise self.refuse(node, "not_here.yield")
        if node.value is None:
            raise self.refuse(node, "value_missing")
        if isinstance(node, ast.Yield):
            return [Yield(line=node.lineno, move=self.number(node.value))]
        action, cards = self.each(node.value)
        if action is None:
            raise self.refuse(node, "yield_from_what")
        part = action.action.parts[0]
        name = self.temporary()
        self.types[name] = "int"
        low, high = 0, max(cards.high.bit_length() - 1, 0)
        if self.env is not None:
            self.env[name] = low, high
        first = action.first - part.start
        move = self.operation(node, "+", self.local(node, name), first) if first else self.local(node, name)
        body = (Yield(line=node.lineno, move=move),)
        return [ForCards(line=node.lineno, name=name, cards=cards, body=body, checked=cards.low < 0)]
