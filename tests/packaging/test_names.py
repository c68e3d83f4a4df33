"""One name, one meaning: classes, modules, and what a module lets others use; docs/glossary.md says what may share a name."""

import ast
import importlib.util
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from machiavel import kit
from machiavel.clients import errors as client_errors
from machiavel.server.service import status
from tests.engines.games import GAMES
from tests.packaging.project import ROOT

CODE = ("engines", "kit", "search", "server", "clients/src/machiavel/clients", "bench")
# Each game has modules and classes of the same names: the chapters of an engine, its table, its form.
PER_GAME = (*(f"engines/{game}/" for game in GAMES), *(f"server/games/{game}/" for game in GAMES))
# What authors write with the kit has the names that they would give it, whatever the house calls such things.
OF_AUTHORS = set(kit.__all__)
# The nodes of a program's tree are named as those of Python's `ast`.
TREES = {"engines/kit/program.py"}
# Of two distributions, where the one cannot import the other: the public errors, and the names of an earlier release.
SHARED = {"errors", "old_names"}
OF_PACKAGES = {"__init__", "__main__"}
COMPILED_CLASS = re.compile(r"^(?:cdef )?class ([A-Z]\w*)", re.MULTILINE)


def sources() -> Iterator[str]:
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not path.stem.endswith("_pb2"):
                yield path.relative_to(ROOT).as_posix()


@cache
def tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def public_names(path: str) -> set[str] | None:
    """What a module lists for others; None where it lists nothing."""
    for node in tree(path).body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets
        ):
            return set(ast.literal_eval(node.value))
    return None


def module_of(path: str) -> str:
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    return ".".join(parts[2:] if parts[0] == "clients" else parts if parts[0] == "bench" else ["machiavel", *parts])


# ---- Classes ----


def compiled() -> Iterator[str]:
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.pyx")):
            yield path.relative_to(ROOT).as_posix()


def classes() -> Mapping[str, Sequence[str]]:
    """Where each public class is defined."""
    homes = defaultdict(list)
    for path in compiled():
        for name in COMPILED_CLASS.findall((ROOT / path).read_text(encoding="utf-8")):
            homes[name].append(path)
    for path in sources():
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(path)
    return homes


def is_pair_of_errors(name: str, homes: Sequence[str]) -> bool:
    """Whether the server raises one, and its client the other for it."""
    raised = {base.__name__ for kind in status.CODES for base in kind.__mro__}
    in_client = [home for home in homes if home.endswith("clients/errors.py")]
    return len(homes) == 2 and len(in_client) == 1 and name in raised and hasattr(client_errors, name)


def test_no_two_public_classes_have_one_name() -> None:
    twice = {
        name: homes
        for name, homes in classes().items()
        if len([home for home in homes if home not in TREES and not (name in OF_AUTHORS and home.startswith("engines/kit/"))]) > 1
        and not all(home.startswith(PER_GAME) for home in homes)
        and not is_pair_of_errors(name, homes)
    }

    assert not twice


# ---- Modules ----


def kind_of(path: str) -> str:
    """A command has its command's name, and a bench that of what it measures; of all else there is one of a name."""
    if path.startswith("bench/"):
        return "bench"
    return "command" if path.startswith("server/cli/") and "add_command" in (public_names(path) or ()) else "other"


def test_no_two_modules_have_one_name() -> None:
    homes = defaultdict(list)
    for path in sources():
        if Path(path).stem not in SHARED | OF_PACKAGES and not path.startswith(PER_GAME):
            homes[Path(path).stem, kind_of(path)].append(path)

    assert not {key: paths for key, paths in homes.items() if len(paths) > 1}


# ---- What is private ----


@cache
def is_module(name: str) -> bool:
    """Written, compiled or generated."""
    return importlib.util.find_spec(name) is not None


def imports(path: str) -> Iterator[tuple[str, str]]:
    """The modules of ours that a module takes something from, and what."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith(("machiavel.", "bench.")):
            for alias in node.names:
                yield node.module, alias.name


def test_a_module_uses_of_another_what_that_one_lists_and_nothing_else() -> None:
    modules = {module_of(path): path for path in sources()}
    wrong = []
    for path in sources():
        for module, name in imports(path):
            home = modules.get(module)
            if home is None or (home.endswith("__init__.py") and is_module(f"{module}.{name}")):
                continue
            if name not in (public_names(home) or ()):
                wrong.append(f"{path}: {module} does not list {name}")

    assert not wrong


def test_a_module_with_an_underscore_is_used_within_its_own_part_of_the_project_alone() -> None:
    wrong = []
    for path in sources():
        for module, name in imports(path):
            parts = [*module.split("."), name]
            is_private = any(part.startswith("_") for part in parts)
            if is_private and parts[0] == "machiavel" and parts[1] != path.split("/")[0]:
                wrong.append(f"{path}: {'.'.join(parts)}")

    assert not wrong
