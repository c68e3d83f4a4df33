"""Every text that players read is used somewhere, as far as code tells."""

import ast
import re
import tomllib
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from machiavel.engines.phrases import Phrases
from tests.packaging.project import ROOT

WORDS = sorted(
    path.parent for folder in ("engines", "server", "tests/kuhn_elsewhere") for path in (ROOT / folder).rglob("words/en.toml")
)
SHARED = [path for folder in ("engines", "engines/conformance", "docs") for path in (ROOT / folder).glob("*.py")]
READERS = ("search", "server/cli", "server/forms", "server/service")
SHARED += [path for folder in READERS for path in (ROOT / folder).rglob("*.py")]
# Read in one piece, as `Phrases.under` gives a table; or in the form that a text asks for, as `{colour:feminine}`.
WHOLE = re.compile(r"((?:fields|inside)\.\w+\.names|help|help_words|entries|typed|form\.sorts|colours|feminine)\.-?\w+")
# The conformance suite knows which events there are.
EVENT = re.compile(r"events\.[\w.]+")
BY_WHO = re.compile(r"\.(me|they)$")
CHARACTERS = 20  # a text as short as this may be a row of marks, such as the ranks of cards


class Texts:
    """The texts in some modules, docstrings apart: what may be a part of a key, and what puts keys together."""

    def __init__(self, modules: list[Path], data: list[Path]) -> None:
        self.parts = {word for path in data for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
        self.patterns: list[re.Pattern[str]] = []
        for node in chain.from_iterable(map(nodes_of, modules)):
            match node:
                case ast.Constant(value=str(text)):
                    self.parts |= {text, *re.findall(r"\w+", text), *(text if len(text) < CHARACTERS else "")}
                case ast.keyword(arg=str(name)):
                    self.parts.add(name)
                case ast.JoinedStr(values=values):
                    fixed = [re.escape(str(one.value)) if isinstance(one, ast.Constant) else "(.+)" for one in values]
                    if any(re.search(r"[a-z]{3}|\w\\\.|^[a-z]", one) for one in fixed if one != "(.+)"):
                        self.patterns.append(re.compile("".join(fixed)))

    def use(self, key: str, depth: int = 3) -> bool:
        """Whether the key stands there, or is put together of parts that do."""
        found = (pattern.fullmatch(key) for pattern in self.patterns if depth)
        return key in self.parts or any(one and all(self.use(part, depth - 1) for part in one.groups()) for one in found)


@cache
def nodes_of(module: Path) -> list[ast.AST]:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    for node in list(ast.walk(tree)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            del node.body[0]
    return list(ast.walk(tree))


def unused(folder: Path, *, planted: str = "") -> list[str]:
    table = tomllib.loads((folder / "en.toml").read_text(encoding="utf-8"))
    own = [*folder.parent.glob("*.py"), *(ROOT / "server/games" / folder.parent.name).glob("*.py")]
    texts = Texts([*SHARED, *own], list((folder.parent / "decks").glob("*.toml")))
    keys = [*Phrases({"en": table}).keys(), *filter(None, [planted])]
    named = [key for key in keys if not (WHOLE.fullmatch(key) or EVENT.fullmatch(key))]
    return [key for key in named if not (texts.use(key) or texts.use(BY_WHO.sub("", key)))]


@pytest.mark.parametrize("folder", WORDS, ids=lambda folder: folder.parent.name)
def test_every_text_is_used(folder: Path) -> None:
    assert unused(folder, planted="problems.nobody_says_this") == ["problems.nobody_says_this"]
