"""What a Python source imports."""

import ast
from collections.abc import Iterator


def python_imports(source: str, package: list[str]) -> Iterator[str]:
    """Yield the absolute names that Python source imports, wherever in the file."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            home = [*package[: len(package) + 1 - node.level]] if node.level else []
            for alias in node.names:
                yield ".".join([*home, *([node.module] if node.module else []), alias.name])
