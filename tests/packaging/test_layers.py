"""Dependencies point one way: engines ← search ← server → clients; clients know only the API."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packaging.imports import python_imports
from tests.packaging.project import ROOT, client_files, package_files

MAY_KNOW = {
    "engines": {"engines"},
    "kit": {"engines", "kit"},
    "search": {"engines", "search"},
    "server": {"engines", "search", "server", "clients", "v1"},
    "clients": {"clients", "v1"},
}
# Games of the kit are files as their authors write them, and are read as any other such file.
WRITTEN_IN_KIT = "engines/kit/games/"
CYTHON_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import\s+(\w+)|c?import\s+([\w.]+))", re.MULTILINE)


def cython_imports(source: str, package: list[str]) -> Iterator[str]:
    """Yield the absolute names that Cython source imports or cimports."""
    for module, name, plain in CYTHON_IMPORT.findall(source):
        if plain:
            yield plain
            continue
        rest = module.lstrip(".")
        level = len(module) - len(rest)
        home = package[: len(package) + 1 - level] if level else []
        yield ".".join([*home, *([rest] if rest else []), name])


def folders_known(path: Path, source: str) -> set[str]:
    """Return the parts of `machiavel` that a file, named by its path in the repository, depends on."""
    package = ["machiavel", *path.parent.parts]
    imports = python_imports if path.suffix in {".py", ".pyi"} else cython_imports
    result = [name.split(".") for name in imports(source, package)]
    return {name[1] for name in result if name[0] == "machiavel" and len(name) > 1}


@pytest.mark.parametrize("folder", sorted(MAY_KNOW))
def test_no_module_depends_on_a_layer_above_it(folder: str) -> None:
    wrong = {
        f"{path}: {', '.join(sorted(unknown))}"
        for path in [*package_files(".py", ".pyi", ".pyx", ".pxd", ".pxi"), *client_files()]
        if path.parts[0] == folder
        and not path.as_posix().startswith(WRITTEN_IN_KIT)
        and (unknown := folders_known(path, (ROOT / path).read_text(encoding="utf-8")) - MAY_KNOW[folder])
    }

    assert not wrong


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engines/agency/codec.py", "from machiavel.server import cli"),
        ("engines/agency/codec.py", "from machiavel import server"),
        ("engines/agency/codec.py", "def late():\n    import machiavel.server.cli"),
        ("engines/agency/codec.py", "from ...server import cli"),
        ("engines/__init__.py", "from .. import server"),
        ("engines/agency/_engine.pyx", "from machiavel.server.match cimport Table"),
        ("engines/agency/_engine.pyx", "    cimport machiavel.server"),
        ("engines/agency/_play.pxi", "from ...server cimport match"),
        ("engines/_cards.pxd", "from .. cimport server"),
    ],
)
def test_an_import_from_above_is_found_however_it_is_written(path: str, source: str) -> None:
    assert folders_known(Path(path), source) == {"server"}


def test_an_import_within_a_layer_or_from_elsewhere_is_no_offence() -> None:
    source = "import numpy.random\nfrom . import codec\nfrom ..abi import get_include\nfrom machiavel.engines import load\n"

    assert folders_known(Path("engines/agency/play.py"), source) == {"engines"}
