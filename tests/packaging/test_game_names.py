"""The server, its command line and the search know no game by name: what they say of one, they ask it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engines.games import INSTALLED
from tests.packaging.project import ROOT

FOLDERS = ("search", "server/cli", "server/matches", "server/reviews", "server/service", "server/storage", "server/tournaments")
# Texts with examples in them.
EXAMPLES = {"EPILOG"}


def named(source: str) -> Iterator[str]:
    """The names of games in code: in identifiers and texts, but neither in comments nor in docstrings and examples."""
    tree = ast.parse(source)
    passed = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                passed.add(id(first.value))
        if isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id in EXAMPLES for one in node.targets):
            passed.add(id(node.value))
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        for _, value in ast.iter_fields(node):
            texts = [value] if isinstance(value, str) else []
            yield from (f"{game} in {text!r}" for text in texts for game in INSTALLED if game in text.lower())


def modules() -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("path", modules())
def test_no_game_is_known_by_name(path: str) -> None:
    found = list(named((ROOT / path).read_text(encoding="utf-8")))

    assert not found


def test_compiled_code_and_data_name_no_game() -> None:
    for folder in FOLDERS:
        for path in (path for kind in ("*.pyx", "*.pxd", "*.pxi", "*.toml") for path in (ROOT / folder).rglob(kind)):
            code = "".join(line.partition("#")[0] for line in path.read_text(encoding="utf-8").splitlines())
            assert not [game for game in INSTALLED if game in code.lower()], path


@pytest.mark.parametrize(
    "source",
    [
        'parser.add_argument("--no-powers", help="agency: without power cards")',
        'TEXTS = {"bond": 1}',
        "from machiavel.v1 import WhistView",
        "import machiavel.engines.citadel",
        "def citadel_house() -> None:\n    pass",
        'f"play bond {seat}"',
        "match.bond",
    ],
)
def test_a_name_is_found(source: str) -> None:
    assert len(INSTALLED) >= 7
    assert list(named(source))


@pytest.mark.parametrize(
    "source", ['"""As in bond."""', 'EPILOG = "play bond"', "x = 1  # bond", 'def f() -> None:\n    """Of bond."""']
)
def test_examples_are_none(source: str) -> None:
    assert not list(named(source))


def test_the_folders_are_there() -> None:
    assert all((ROOT / folder).is_dir() for folder in FOLDERS)
    assert Path("server/cli/play.py").as_posix() in modules()
