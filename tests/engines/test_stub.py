"""`help()` and editors say the same of every public name of Game, State and View, and leave none out."""

import ast
import inspect
from pathlib import Path

import pytest

from machiavel.engines import _face

STUB = Path(__file__).parents[2] / "engines" / "_face.pyi"
CLASSES = {node.name: node for node in ast.parse(STUB.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)}


def public_names(kind: type) -> list[str]:
    return sorted(name for name in vars(kind) if not name.startswith("_"))


def words(kind: type, name: str) -> str:
    """The docstring, less the signature that stands in its first line."""
    text = inspect.cleandoc(vars(kind)[name].__doc__ or "")
    first, _, rest = text.partition("\n")
    return rest.strip() if first.startswith(f"{kind.__name__}.{name}(") else text


@pytest.mark.parametrize("name", ["Game", "State", "View"])
def test_every_public_name_says_what_it_is_for(name: str) -> None:
    kind = getattr(_face, name)
    assert inspect.cleandoc(kind.__doc__)
    assert not [one for one in public_names(kind) if not words(kind, one).endswith(".")]


@pytest.mark.parametrize("name", ["Game", "State", "View"])
def test_the_stub_has_the_names_and_the_docstrings_of_the_class(name: str) -> None:
    kind = getattr(_face, name)
    methods = {
        node.name: ast.get_docstring(node)
        for node in CLASSES[name].body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }
    assert sorted(methods) == public_names(kind)
    # `python docs/make_stub.py` copies them.
    assert methods == {one: words(kind, one) for one in methods}
    assert ast.get_docstring(CLASSES[name]) == inspect.cleandoc(kind.__doc__)
