"""Ways through a program's tree."""

from collections.abc import Iterator

from machiavel.engines.kit.program import Expression, Program, Statement, StoreHeader

__all__ = ["headers_set", "nodes"]


def nodes(part: object) -> Iterator[Expression | Statement]:
    """All expressions and statements in a part of a program."""
    if isinstance(part, tuple | list):
        for one in part:
            yield from nodes(one)
    elif isinstance(part, Expression | Statement):
        yield part
        for one in vars(part).values():
            yield from nodes(one)


def headers_set(program: Program) -> set[str]:
    """What of the header any function sets: mover, asked, over, horizon."""
    bodies = [function.body for function in program.functions.values()]
    return {node.name for node in nodes(bodies) if isinstance(node, StoreHeader)}
