"""Copies the docstrings of Game, State and View into their stub, where editors find them: `python docs/make_stub.py`.

They are written once, in engines/_face.pyx; the stub's own are the types.
"""

import ast
import inspect
import textwrap
from pathlib import Path

from machiavel.engines import _face

STUB = Path(__file__).resolve().parents[1] / "engines" / "_face.pyi"


def docstring_of(kind: type, name: str) -> str:
    """The docstring of a method or property, without the signature that Cython puts in front of it."""
    lines = inspect.cleandoc(getattr(inspect.getattr_static(kind, name), "__doc__", None) or "").splitlines()
    if lines and lines[0].startswith(f"{kind.__name__}.{name}("):
        lines = lines[1:]
    return "\n".join(lines).strip()


def with_docstring(source: str, node: ast.FunctionDef, text: str) -> str:
    """A method of the stub with that docstring as its body."""
    body = node.body[0]
    lines = source.splitlines()[node.lineno - 1 : body.lineno]
    lines[-1] = lines[-1][: body.col_offset]
    quoted = textwrap.indent(f'"""{text}\n"""' if "\n" in text else f'"""{text}"""', " " * (node.col_offset + 4))
    return "\n".join(lines).rstrip() + "\n" + quoted


def stub(source: str) -> str:
    lines = source.splitlines()
    kinds = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    for kind in reversed(kinds):
        for node in reversed(kind.body):
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                text = docstring_of(getattr(_face, kind.name), node.name)
                lines[node.lineno - 1 : node.end_lineno] = with_docstring(source, node, text).splitlines()
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    STUB.write_text(stub(STUB.read_text(encoding="utf-8")), encoding="utf-8")
