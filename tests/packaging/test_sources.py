"""The project's files say nothing of the machine they were written on."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.project import PACKAGES, ROOT, project_files

# Written with brackets so that the patterns do not find themselves.
FOREIGN = {
    "a home folder": re.compile(r"(?<![\w.$}/-])/(?:hom[e]|Use[r]s)/\w+|(?<![\w.$}/-])/roo[t]/"),
    "a package registry": re.compile(r"py[p]i\.org|pythonhoste[d]\.org|np[m]js\.org|index-ur[l]|find-link[s]"),
}
BINARY = {".binpb", ".gz", ".jpg", ".png", ".sqlite3", ".webp", ".whl"}


def places() -> dict[str, re.Pattern[str]]:
    """Return the folders of this very machine that no file may name."""
    folders = {"this checkout": ROOT, "its surroundings": ROOT.parent, "this Python": Path(sys.base_prefix)}
    return {
        name: re.compile(rf"(?<![\w.$}}/-]){re.escape(str(folder))}\b")
        for name, folder in folders.items()
        # A checkout may stand in a folder that any text may name, such as / or /usr.
        if len(folder.parts) > 2 or name == "this checkout"
    }


@pytest.mark.parametrize("what", [*FOREIGN, *places()])
def test_no_file_names_a_place_of_this_machine(what: str) -> None:
    pattern = (FOREIGN | places())[what]
    result = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in project_files()
        if path.suffix not in BINARY
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if pattern.search(line)
    ]

    assert not result


def test_everything_made_by_a_build_is_ignored() -> None:
    made = [path for path in project_files() if path.suffix in {".so", ".o", ".pyc"} or "build" in path.parts]

    assert not made


def test_no_extension_names_the_folder_it_was_built_in() -> None:
    libraries = [path for folder in PACKAGES for path in (ROOT / folder).rglob("*.so")]
    result = [path for path in libraries if str(ROOT).encode() in path.read_bytes()]

    assert libraries
    assert not result


def test_a_free_threaded_python_is_refused_before_anything_is_compiled(tmp_path: Path) -> None:
    """As such a Python would run setup.py, for all that this one can tell."""
    program = (
        "import runpy, sys, sysconfig; real = sysconfig.get_config_var;"
        "sysconfig.get_config_var = lambda name: 1 if name == 'Py_GIL_DISABLED' else real(name);"
        "runpy.run_path('setup.py')"
    )
    command = [sys.executable, "-c", program, "build_ext", "--force", f"--build-lib={tmp_path}", f"--build-temp={tmp_path}"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=300)

    assert done.returncode == 1
    assert "machiavel cannot be built for a free-threaded Python; take one with the GIL, 3.11 or newer" in done.stderr
    assert not list(tmp_path.iterdir())


def test_the_namespace_belongs_to_no_package() -> None:
    assert not (ROOT / "__init__.py").exists()
    assert not (ROOT / "build/view/machiavel/__init__.py").exists()


@pytest.mark.parametrize("folder", [folder for folder in PACKAGES if (ROOT / folder).exists()])
def test_a_top_package_says_that_it_is_typed(folder: str) -> None:
    assert (ROOT / folder / "py.typed").is_file()
