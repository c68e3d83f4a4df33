"""How much a function does at most, apart from loops whose turns take fuel: so that each call comes to an end."""

from collections.abc import Mapping

from machiavel.engines.kit.program import Call, Const, Expression, ForCards, ForRange, If, Statement

__all__ = ["MOST_STEPS", "steps"]

MOST_STEPS = 10**12  # a bound for the worst case alone: loops over cards hardly ever turn as often as they might


def steps(part: object, known: Mapping[str, int]) -> int:
    """Calls and turns over cards, each as often as it may come; `known` has those of the functions that are called.

    Of a loop whose turns take fuel it is those of one turn.
    """
    match part:
        case tuple() | list():
            return sum(steps(one, known) for one in part)
        case ForCards():
            return steps(part.cards, known) + 64 // part.bits * (1 + steps(part.body, known))
        case ForRange(start=Const(value=start), stop=Const(value=stop), step=step, body=body, brief=True):
            return len(range(int(start), int(stop), step)) * steps(body, known)
        case If(test=test, body=body, orelse=orelse):
            return steps(test, known) + max(steps(body, known), steps(orelse, known))
        case Expression() | Statement():
            called = 1 + known[part.function] if isinstance(part, Call) else 0
            return called + sum(steps(one, known) for one in vars(part).values())
    return 0
