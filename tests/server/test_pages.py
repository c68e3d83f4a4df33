"""The snippets of the pages run as they stand."""

import re
from pathlib import Path

import pytest

from machiavel.engines import add_file, registry
from machiavel.search import Limits, SearchParameters, recommend
from machiavel.server.cli import main as run_command

ROOT = Path(__file__).resolve().parents[2]
SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FRAGMENT = re.compile(r"^```py\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r'name, version = "(\w+)"')


@pytest.fixture(autouse=True)
def games_of_pages_go_again(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_loaded", "_files", "_texts"):
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))


GAME_PAGES = ["README.md", "docs/kit.md"]


def files_of(page: str) -> dict[str, str]:
    """The games that stand on a page, by the names of their files: blocks that begin with a docstring."""
    texts = [block for block in SNIPPET.findall((ROOT / page).read_text(encoding="utf-8")) if block.startswith('"""')]
    return {f"{NAME.search(text)[1]}.py": text for text in texts}  # type: ignore[index]


@pytest.mark.parametrize("page", ["README.md", "docs/kit.md", "docs/python.md", "docs/hints.md", "docs/reviews.md"])
def test_the_snippets_of_a_page_are_one_program_that_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in (files_of("README.md") | files_of(page)).items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    text = (ROOT / page).read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for matched in SNIPPET.finditer(text):
        if "machiavel.clients" in matched[1]:
            continue  # it calls a server: tests/docs
        line = text.count("\n", 0, matched.start(1))
        exec(compile("\n" * line + matched[1], page, "exec"), names)  # noqa: S102 - our own pages, with their own line numbers

    assert capsys.readouterr().out
    assert len(names) > 3


@pytest.mark.parametrize("page", GAME_PAGES)
def test_the_game_of_a_page_is_sound_and_is_played_from_its_file(
    page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (name, content), *others = files_of(page).items()
    (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    assert not others
    assert run_command(["check-game", f"./{name}", "--matches", "4"]) == 0, capsys.readouterr().out
    assert (
        run_command(
            ["tournament", f"./{name}", "--bots", "greedy", "random", "--players", "2", "--deals", "2", "--output", "out"]
        )
        == 0
    )
    assert f"machiavel play ./{name}" in (ROOT / page).read_text(encoding="utf-8")


def test_an_author_who_forgets_what_a_hand_can_hold_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (content,) = files_of("docs/kit.md").values()
    file = tmp_path / "forgets.py"
    file.write_text(content.replace(', within="may"', ""), encoding="utf-8")

    assert run_command(["check-game", str(file), "--checks", "earlier-views", "--players", "4"]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert re.search(r"of suit [CDHS] in hands\[\d\] are 0 in \d+ of \d+ of them, and in (\d+) of \1 carried on", told)


def test_where_every_move_is_hidden_others_do_not_answer_to_what_a_seat_chose_in_secret(tmp_path: Path) -> None:
    (content,) = files_of("README.md").values()
    (tmp_path / "duel.py").write_text(content, encoding="utf-8")
    view = add_file(tmp_path / "duel.py").new(2, seed=7).view(0)

    answer = recommend(view, Limits(iterations=5000), SearchParameters(seed=1))
    assert answer.parameters.variant == "multi"
    assert answer.candidates[0].win_chance > 0.5  # a good hand: by what one seat alone sees it was 0.04


def test_the_game_in_the_readme_is_short() -> None:
    (content,) = files_of("README.md").values()
    assert len(content.splitlines()) <= 40


def test_the_fragments_of_the_page_on_the_kit_are_python() -> None:
    fragments = FRAGMENT.findall((ROOT / "docs" / "kit.md").read_text(encoding="utf-8"))
    assert len(fragments) > 10
    for fragment in fragments:
        compile(fragment, "docs/kit.md", "exec")


def test_the_page_on_python_names_every_error_and_every_way_into_a_game() -> None:
    from machiavel import engines

    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    errors = [name for name in engines.__all__ if isinstance(getattr(engines, name), type)]
    wanted = [name for name in errors if issubclass(getattr(engines, name), engines.GameError)]

    assert not [name for name in [*wanted, "lay_out", "observed_moves", "view_from_bytes", "make_bot"] if name not in page]
