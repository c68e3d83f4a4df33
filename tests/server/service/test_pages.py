"""The page on the API runs as it stands, and lists every field there is."""

import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from machiavel import v1
from machiavel.server.service.status import CODES, reason_of
from tests.server.service.hosted import hosted, in_time

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/api.md").read_text(encoding="utf-8")
SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
USUAL = "127.0.0.1:7788"


def test_the_snippets_are_one_program_that_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    with hosted() as server:
        for matched in SNIPPET.finditer(PAGE):
            line = PAGE.count("\n", 0, matched.start(1))
            code = "\n" * line + matched[1].replace(USUAL, server.address)
            # Our own page, with its own line numbers.
            in_time(partial(exec, compile(code, "docs/api.md", "exec"), names))
    assert len(capsys.readouterr().out.splitlines()) >= 8


def test_the_lines_for_the_shell_run(tmp_path: Path) -> None:
    lines = [line for matched in SHELL.finditer(PAGE) for line in matched[1].splitlines()]
    tools = Path(sys.executable).parent
    assert len(lines) == 3
    with hosted() as server:
        for line in lines:
            command = line.replace(USUAL, server.address).replace(".venv/bin", str(tools))
            home = os.environ | {"HOME": str(tmp_path)}
            done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False, env=home)
            assert done.returncode == 0, done.stderr
            assert '"whist"' in done.stdout or '"level1"' in done.stdout


def test_the_page_names_every_error() -> None:
    assert not [kind for kind in CODES if f"`{reason_of(kind)}`" not in PAGE]  # type: ignore[arg-type]


def make_fields(what: str) -> str:
    made = subprocess.run(
        [sys.executable, "-c", f"import make_fields; {what}"],
        cwd=ROOT / "docs",
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    return made.stdout


def test_the_tables_of_views_are_made_of_the_schemas_as_they_are() -> None:
    shown = "print([name for name, plugin in make_fields.declared().items()"
    shown += " if make_fields.game_page(name, plugin)[1] != make_fields.game_page(name, plugin)[0].read_text(encoding='utf-8')])"
    assert make_fields(shown) == "[]\n"
    assert "| `trump` | text |" in (ROOT / "docs/whist.md").read_text(encoding="utf-8")


def test_the_list_of_fields_is_made_of_the_proto_files_as_they_are() -> None:
    page = (ROOT / "docs/api_fields.md").read_text(encoding="utf-8")
    assert make_fields("print(make_fields.page(), end='')") == page
    assert not [name for name in v1.__all__ if not name.endswith("Stub") and f"### {name}\n" not in page]
