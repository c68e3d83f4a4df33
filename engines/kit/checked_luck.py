"""Draws of luck in an author's functions: the event, its counter, and the deck that is drawn from."""

import ast
from collections.abc import Sequence
from typing import Any

from machiavel.engines.kit.card_sets import Bag
from machiavel.engines.kit.checked_expressions import ExpressionChecker
from machiavel.engines.kit.checked_scope import bounds, int_value
from machiavel.engines.kit.intervals import clamped, fits
from machiavel.engines.kit.program import Builtin, Expression

__all__ = ["LuckChecker"]


class LuckChecker(ExpressionChecker):
    """Turns draws of luck into the typed tree."""

    def draw(self, node: ast.Call, kind: str) -> Expression:
        """`luck.cards("hands", rest, 13, at=seat)`."""
        counts = {"cards": (3, 3), "card": (2, 2), "die": (1, 2)}
        if kind not in counts:
            raise self.refuse(node, "no_such_luck", kind=kind)
        least, most = counts[kind]
        keywords = {one.arg: one.value for one in node.keywords}
        unknown = set(keywords) - {"at", "deck"} - ({"sides"} if kind == "die" else {"number"} if kind == "cards" else set())
        arguments = list(node.args)
        arguments += [keywords[name] for name in ("sides", "number") if name in keywords]
        named = [one.arg for one in node.keywords if one.arg != "deck"]
        is_late = "at" in named and named[-1] != "at"  # Python computes keywords as they stand, and `at` is computed last
        if unknown or is_late or not least <= len(arguments) <= most or not isinstance(arguments[0], ast.Constant):
            raise self.refuse(node, "bad_luck", example=EXAMPLES[kind])
        event = self.game.luck[str(arguments[0].value)]
        purpose = self.const(node, event.purpose)
        at, line = keywords.get("at"), node.lineno
        if kind == "die":
            sides = self.number(arguments[1]) if len(arguments) > 1 else self.const(node, 6)
            counter = self.counter(node, at)
            high = max(clamped(bounds(sides))[1], 1)
            return Builtin(line=line, name="roll", arguments=(purpose, sides, counter), low=1, high=high)
        deck = self.deck_number(node, keywords.get("deck"), arguments[1])
        if self.shared.luck_decks.setdefault(event.name, deck) != deck:
            raise self.refuse(node, "two_decks", event=event.name)
        number = self.const(node, deck)
        cards = self.number(arguments[1])
        whole = self.game.decks[deck]
        if kind == "card":
            one = (purpose, number, cards, self.counter(node, at))
            return Builtin(line=line, name="draw_card", arguments=one, low=0, high=len(whole) - 1)
        if isinstance(whole, Bag):
            raise self.refuse(node, "cards_of_bag")
        high = (1 << whole.bits) - 1
        if cards.low >= 0:
            high = min(high, cards.high)
        count = self.number(arguments[2])
        drawn = (purpose, number, cards, count, self.counter(node, at))
        return Builtin(line=line, name="draw_cards", arguments=drawn, low=0, high=high)

    def counter(self, node: ast.Call, at: ast.expr | None) -> Expression:
        if at is None:
            return self.const(node, 0)
        nodes = at.elts if isinstance(at, ast.Tuple) else [at]
        if not 1 <= len(nodes) <= 3:
            raise self.refuse(node, "bad_at")
        values = tuple(self.number(one) for one in nodes)
        rooms = COUNTERS[len(values)]
        checked = not all(fits(bounds(value), (0, room - 1)) for value, room in zip(values, rooms, strict=True))
        constants = [int_value(one) for one in values]
        if not checked and None not in constants:
            result = 0
            for one in constants:
                result = result << 8 | (one or 0)
            return self.const(node, result)
        if len(values) == 1 and not checked:
            return values[0]
        return Builtin(line=node.lineno, name=f"counter{len(values)}", arguments=values, checked=checked, low=0, high=2**32 - 1)

    def deck_number(self, node: ast.Call, given: ast.expr | None, cards: ast.expr) -> int:
        """The deck that is drawn from: as told, the only one, or that of the argument."""
        decks = self.game.decks
        if given is not None:
            static = self.static(given)
            found = {at for at, deck in enumerate(decks) if deck is static}
        else:
            found = {0} if len(decks) == 1 else self.decks_in(cards, set())
        if len(found) != 1:
            raise self.refuse(node, "which_deck")
        return found.pop()

    def decks_in(self, node: ast.AST, seen: set[str]) -> set[int]:
        """The decks whose sets an expression is made of."""
        result: set[int] = set()
        for one in ast.walk(node):
            match one:
                case ast.Attribute(value=ast.Name(id="self"), attr=name) if name in self.slots:
                    deck = self.slots[name].deck
                    result |= set() if deck is None else {deck}
                case ast.Name(id=name) if name in self.types and name not in seen:
                    for value in self.values_of(name):
                        result |= self.decks_in(value, seen | {name})
                case ast.Name():
                    static: Any = self.static(one)
                    result |= {at for at, deck in enumerate(self.game.decks) if deck is static}
        return result

    def values_of(self, name: str) -> Sequence[ast.expr]:
        """What is assigned to a local name anywhere in the function."""
        result = []
        for one in ast.walk(self.function.node):
            match one:
                case ast.Assign(targets=targets, value=value):
                    result += [value for target in targets if isinstance(target, ast.Name) and target.id == name]
                case ast.AugAssign(target=ast.Name(id=found), value=value) if found == name:
                    result.append(value)
        return result


EXAMPLES = {
    "cards": 'luck.cards("hands", rest, 13, at=seat)',
    "card": 'luck.card("draw", rest, at=turn)',
    "die": 'luck.die("roll", 6, at=turn)',
}
COUNTERS = {1: (1 << 32,), 2: (1 << 24, 1 << 8), 3: (1 << 16, 1 << 8, 1 << 8)}
