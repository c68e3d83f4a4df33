"""Calls in an author's functions: of their own functions, of sets and decks, actions, luck, and of what Python has."""

import ast
import math

from machiavel.engines.kit import card_sets
from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.checked_luck import LuckChecker
from machiavel.engines.kit.checked_scope import MISSING, MOVER, CheckedFunction, bounds, int_value
from machiavel.engines.kit.declarations import Action
from machiavel.engines.kit.game_description import DescribedAction
from machiavel.engines.kit.intervals import FULL, Interval, clamped, fits
from machiavel.engines.kit.program import Builtin, Call, Const, Expression, Local

__all__ = ["CallChecker"]

OF_PYTHON = {"abs", "min", "max", "int", "float", "bool", "len"}
LOOPS_ALONE = {"range", "cards", "kinds", "every_seat", "others"}


class CallChecker(LuckChecker):
    """Turns calls into the typed tree."""

    def call(self, node: ast.Call) -> Expression:
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self.refuse(node, "not_here.starred")
        match node.func:
            case ast.Name(id=name):
                return self.call_name(node, name)
            case ast.Attribute(value=ast.Name(id=name), attr=kind) if name in self.luck:
                return self.draw(node, kind)
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.function.is_method:
                return self.call_self(node, name)
            case ast.Attribute(value=inner, attr=name):
                of = self.static(inner)
                if isinstance(of, Action):
                    return self.of_action(node, self.game.actions[of.name], name)
                if isinstance(of, Deck | Bag):
                    return self.of_deck(node, of, name)
        raise self.refuse(node, "bad_call")

    def arguments(self, node: ast.Call, count: int, *, most: int | None = None) -> list[ast.expr]:
        """The arguments, by position alone, and as many."""
        most = count if most is None else most
        if node.keywords:
            raise self.refuse(node, "by_position")
        if not count <= len(node.args) <= most:
            raise self.refuse(node, "so_many_arguments", given=len(node.args), count=count)
        return node.args

    # ---- Names ----

    def call_name(self, node: ast.Call, name: str) -> Expression:
        static = self.static(node.func)
        if static is MISSING:
            if name in OF_PYTHON and name not in self.types:
                return self.of_python(node, name)
            if name in LOOPS_ALONE:
                raise self.refuse(node, "loops_alone", name=name)
            if name in {"sum", "any", "all", "sorted", "list", "set", "dict", "tuple", "map", "filter", "enumerate", "zip"}:
                raise self.refuse(node, "write_a_loop", name=name)
            if name == "print":
                raise self.refuse(node, "no_print")
            raise self.no_name(node, name, [*OF_PYTHON])
        if getattr(static, "__module__", None) == card_sets.__name__ and hasattr(card_sets, getattr(static, "__name__", "")):
            return self.of_set(node, static.__name__)
        if callable(static) and getattr(static, "__module__", None) == self.shared.source.module.__name__:
            return self.call_own(node, self.shared.find(static.__name__, node, False))
        raise self.refuse(node, "bad_call")

    def of_python(self, node: ast.Call, name: str) -> Expression:
        line = node.lineno
        if name == "len":
            (argument,) = self.arguments(node, 1)
            static = self.static(argument)
            if not isinstance(static, tuple | Deck | Bag):
                raise self.refuse(node, "len_of_what")
            return self.const(node, len(static))
        if name in {"min", "max"}:
            return self.least_or_most(node, name)
        (argument,) = self.arguments(node, 1)
        value = self.expression(argument)
        match name:
            case "abs":
                if value.type == "float":
                    return Builtin(line=line, type="float", name=name, arguments=(value,), checked=False)
                low, high = bounds(value)
                least = 0 if low <= 0 <= high else min(abs(low), abs(high))
                high = max(abs(low), abs(high))
                checked = not fits((least, high))
                least, high = clamped((least, high))
                return Builtin(line=line, name=name, arguments=(value,), checked=checked, low=least, high=high)
            case "float":
                return self.as_float(value)
            case "bool":
                return Builtin(line=line, name="truth", arguments=(value,), checked=False, low=0, high=1)
        if value.type == "int":
            return value
        return Builtin(line=line, name="truncated", arguments=(value,))

    def least_or_most(self, node: ast.Call, name: str) -> Expression:
        if node.keywords or len(node.args) < 2:
            raise self.refuse(node, "min_of_what", name=name)
        values = self.of_one_type([self.expression(one) for one in node.args])
        if values[0].type == "float":
            return Builtin(line=node.lineno, type="float", name=name, arguments=tuple(values), checked=False)
        chosen = min if name == "min" else max
        low, high = chosen(one.low for one in values), chosen(one.high for one in values)
        if low == high and all(isinstance(one, Const) for one in values):
            return self.const(node, low)
        return Builtin(line=node.lineno, name=name, arguments=tuple(values), checked=False, low=low, high=high)

    # ---- Sets and decks ----

    def of_set(self, node: ast.Call, name: str) -> Expression:
        if name in LOOPS_ALONE:
            raise self.refuse(node, "loops_alone", name=name)
        if name == "has":
            cards, card = (self.number(one) for one in self.arguments(node, 2))
            return self.operation(node, "&", self.binary(node, ">>", cards, card), 1)
        (argument,) = self.arguments(node, 1)
        value = self.number(argument)
        if name == "one":
            return self.binary(node, "<<", self.const(node, 1), value)
        return self.counted(node, name, value)

    def counted(self, node: ast.Call, name: str, value: Expression) -> Expression:
        """size, low, high, bag_size."""
        bits = max(value.high, 0).bit_length()
        if name == "bag_size":
            bounds_, checked = (0, 15 * -(-bits // 4)), value.low < 0
        elif name == "size":
            bounds_, checked = (int(value.low > 0), bits), value.low < 0
        else:
            bounds_, checked = (0, max(bits - 1, 0)), value.low <= 0
        constant = int_value(value)
        if constant is not None and not checked and name != "bag_size":
            return self.const(node, getattr(card_sets, name)(constant))
        low, high = bounds_
        return Builtin(line=node.lineno, name=name, arguments=(value,), checked=checked, low=low, high=high)

    def of_deck(self, node: ast.Call, deck: Deck | Bag, name: str) -> Expression:
        if name in {"card", "cards", "kind"}:
            return self.by_text(node, deck, name)
        if isinstance(deck, Bag):
            return self.of_bag(node, name)
        if not deck.suits and name in {"suit", "rank", "suit_of", "rank_of"}:
            raise self.refuse(node, "no_suits")
        if name not in {"suit", "rank", "suit_of", "rank_of"}:
            raise self.refuse(node, "no_method_of_deck", name=name, near=self.near(name, [*vars(Deck)]))
        (argument,) = self.arguments(node, 1)
        value = self.number(argument)
        ranks = len(deck.ranks)
        match name:
            case "suit_of":
                return self.operation(node, "//", value, ranks)
            case "rank_of":
                return self.operation(node, "%", value, ranks)
        sets = deck.suit_sets if name == "suit" else deck.rank_sets
        constant = int_value(value)
        if constant is not None and 0 <= constant < len(sets):
            return self.const(node, sets[constant])
        return self.table_item(node, sets, value)

    def by_text(self, node: ast.Call, deck: Deck | Bag, name: str) -> Expression:
        texts = [one.value if isinstance(one, ast.Constant) else None for one in self.arguments(node, 1)]
        if name not in vars(type(deck)):
            raise self.refuse(node, "no_method_of_deck", name=name, near=self.near(name, [*vars(type(deck))]))
        if not isinstance(texts[0], str):
            raise self.refuse(node, "card_by_text", name=name)
        for text in texts[0].split():
            if text not in deck.texts:
                raise self.refuse(node, "no_such_card", card=repr(text), known=", ".join(deck.texts))
        return self.const(node, getattr(deck, name)(texts[0]))

    def of_bag(self, node: ast.Call, name: str) -> Expression:
        match name:
            case "one":
                (argument,) = self.arguments(node, 1)
                return self.binary(node, "<<", self.const(node, 1), self.operation(node, "*", self.number(argument), 4))
            case "number" | "has":
                bag, kind = (self.number(one) for one in self.arguments(node, 2))
                found = self.operation(node, "&", self.binary(node, ">>", bag, self.operation(node, "*", kind, 4)), 15)
                return found if name == "number" else self.comparison(node, ">", found, self.const(node, 0))
            case "size":
                (argument,) = self.arguments(node, 1)
                return self.counted(node, "bag_size", self.number(argument))
            case "kinds":
                raise self.refuse(node, "loops_alone", name=name)
        raise self.refuse(node, "no_method_of_deck", name=name, near=self.near(name, [*vars(Bag)]))

    # ---- Actions ----

    def move(self, node: ast.Call, action: DescribedAction) -> Expression:
        """`self.bid(3, 5)`: the move's number."""
        parts = action.action.parts
        if node.keywords:
            raise self.refuse(node, "by_position")
        if len(node.args) != len(parts):
            known = ", ".join(part.name for part in parts)
            raise self.refuse(node, "parts_of_action", action=action.name, count=len(parts), known=known)
        result: Expression = self.const(node, action.first)
        for part, given in zip(parts, node.args, strict=True):
            value = self.operation(node, "-", self.number(given), part.start) if part.start else self.number(given)
            count = self.shared.seats if part.is_seat else part.count
            number = self.bounded(node, value, count, f"{part.name} of {action.name}", part.start)
            step = self.operation(node, "*", number, part.stride) if part.stride > 1 else number
            result = step if int_value(result) == 0 else self.binary(node, "+", result, step)
        return result

    def of_action(self, node: ast.Call, action: DescribedAction, name: str) -> Expression:
        """`self.bid.number(move)`: a part of a move."""
        part = next((one for one in action.action.parts if one.name == name), None)
        if part is None:
            if name == "each":
                raise self.refuse(node, "each_alone")
            known = [one.name for one in action.action.parts]
            raise self.refuse(node, "no_part", action=action.name, part=name, known=", ".join(known) or "–")
        (argument,) = self.arguments(node, 1)
        move = self.number(argument)
        value = self.operation(node, "-", move, action.first) if action.first else move
        value = self.bounded(node, value, action.count)
        if part.stride > 1:
            value = self.operation(node, "//", value, part.stride)
        if value.high >= part.count:
            value = self.operation(node, "%", value, part.count)
        return self.operation(node, "+", value, part.start) if part.start else value

    # ---- The position ----

    def call_self(self, node: ast.Call, name: str) -> Expression:
        if name in self.game.actions:
            return self.move(node, self.game.actions[name])
        match name:
            case "next_seat" if self.is_of_kit(name):
                (argument,) = self.arguments(node, 1)
                return self.next_seat(node, self.number(argument))
            case "every_seat" | "others" if self.is_of_kit(name):
                raise self.refuse(node, "loops_alone", name=name)
            case "end" | "horizon" | "ask" if self.is_of_kit(name):
                raise self.refuse(node, "statement_alone", name=name)
            case "hidden" | "unseen" if self.is_of_kit(name):
                return self.of_world(node, name)
        if name in self.slots:
            raise self.refuse(node, "field_called", name=name)
        if not callable(getattr(self.game.game, name, None)):
            raise self.no_field(node, name)
        return self.call_own(node, self.shared.find(name, node, True))

    def is_of_kit(self, name: str) -> bool:
        """Whether the author has no method of that name instead."""
        return bool(getattr(self.game.game, name).__module__ != self.shared.source.module.__name__)

    def next_seat(self, node: ast.AST, seat: Expression) -> Expression:
        seats = self.shared.seats
        return self.binary(node, "%", self.operation(node, "+", seat, 1), self.const(node, seats))

    def of_world(self, node: ast.Call, name: str) -> Expression:
        if self.function.name != "determinize" and self.function.is_entry:
            raise self.refuse(node, "determinize_alone", name=name)
        if name == "unseen":
            (argument,) = self.arguments(node, 1)
            static = self.static(argument)
            numbers = [at for at, deck in enumerate(self.game.decks) if deck is static]
            if not numbers:
                raise self.refuse(node, "unseen_of_what")
            high = (1 << self.game.decks[numbers[0]].bits) - 1
            return Builtin(line=node.lineno, name=name, arguments=(self.const(node, numbers[0]),), low=0, high=high)
        if node.keywords or not node.args or not isinstance(node.args[0], ast.Constant):
            raise self.refuse(node, "hidden_of_what")
        slot = self.slots.get(str(node.args[0].value))
        if slot is None or slot.seen_by == "all" or slot.kind not in {"cards", "card", "dice"}:
            known = [one.name for one in self.slots.values() if one.seen_by != "all"]
            raise self.refuse(node, "hidden_field", known=", ".join(known) or "–")
        indices = [self.bounded(node, self.number(one), used) for one, used in zip(node.args[1:], slot.used, strict=False)]
        if len(node.args) - 1 > len(slot.used) or len(slot.used) - len(indices) > (slot.kind == "dice"):
            raise self.refuse(node, "hidden_of_what")
        number = self.const(node, self.shared.layout.numbers[slot.name])
        first: Expression = self.const(node, 0)
        if indices:
            stride = math.prod(slot.lengths[1:]) if len(slot.lengths) > 1 else 1
            first = self.operation(node, "*", indices[0], stride) if stride > 1 else indices[0]
            first = self.binary(node, "+", first, indices[1]) if len(indices) > 1 else first
        count = slot.lengths[-1] if len(indices) < len(slot.used) else 1
        most = 1 if slot.kind != "cards" else 255
        result: Expression = self.const(node, 0)
        for at in range(count):
            index = self.operation(node, "+", first, at) if at else first
            one = Builtin(line=node.lineno, name=name, arguments=(number, index), checked=False, low=0, high=most)
            result = one if at == 0 else self.binary(node, "+", result, one)
        return result

    # ---- Functions of the author's own ----

    def call_own(self, node: ast.Call, callee: CheckedFunction) -> Expression:
        if callee.is_entry and callee.name not in {"result", "estimate"}:
            raise self.refuse(node, "entry_called", name=callee.name)
        if len(node.args) != len(callee.parameters) or node.keywords:
            if node.keywords:
                raise self.refuse(node, "by_position")
            raise self.refuse(node, "so_many_arguments", given=len(node.args), count=len(callee.parameters))
        given: list[Expression] = []
        observed: dict[str, Interval] = {MOVER: self.interval(MOVER) if self.env is not None else (0, 0)}
        for parameter, argument in zip(callee.parameters, node.args, strict=True):
            match parameter.type:
                case "luck":
                    if not (isinstance(argument, ast.Name) and argument.id in self.luck):
                        raise self.refuse(argument, "luck_needed", name=callee.name)
                case "array":
                    if not (isinstance(argument, ast.Name) and argument.id in self.arrays):
                        raise self.refuse(argument, "array_needed", name=callee.name, parameter=parameter.name)
                    given.append(Local(line=node.lineno, type="float", name=argument.id))
                case "float":
                    given.append(self.as_float(self.expression(argument)))
                case _:
                    value = self.expression(argument)
                    if value.type == "float":
                        raise self.refuse(argument, "float_argument", name=callee.name, parameter=parameter.name)
                    observed[parameter.name] = bounds(value)
                    given.append(value)
        if self.env is not None:
            self.shared.observe(callee, observed)
        if callee.writes:
            self.function.writes = self.function.writes or node.lineno
            self.after_call(callee)
        low, high = callee.returned if callee.returns == "int" else (0, 0) if callee.returns is None else FULL
        return Call(
            line=node.lineno,
            type=callee.returns or "int",
            function=callee.name,
            arguments=tuple(given),
            low=low,
            high=high,
        )

    def after_call(self, callee: CheckedFunction) -> None:
        self.forget_fields()
        self.function.ends = self.function.ends or callee.ends
        if self.env is not None:
            low, _ = self.env[MOVER]
            self.env[MOVER] = (-1 if callee.ends else min(low, 0), self.shared.seats - 1)
