"""The snippets of the pages run as they stand."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "docs/hints.md", "docs/reviews.md"])
def test_the_snippets_of_a_page_are_one_program_that_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for matched in SNIPPET.finditer(text):
        line = text.count("\n", 0, matched.start(1))
        exec(compile("\n" * line + matched[1], page, "exec"), names)  # noqa: S102 - our own pages, with their own line numbers

    assert capsys.readouterr().out
    assert len(names) > 3


def test_the_page_on_python_names_every_error_and_every_way_into_a_game() -> None:
    from machiavel import engines

    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    errors = [name for name in engines.__all__ if isinstance(getattr(engines, name), type)]
    wanted = [name for name in errors if issubclass(getattr(engines, name), engines.GameError)]

    assert not [name for name in [*wanted, "lay_out", "observed_moves", "view_from_bytes", "make_bot"] if name not in page]
