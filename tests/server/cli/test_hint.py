"""`machiavel hint` ranks the moves of a view, and takes nothing that is none."""

import json
from pathlib import Path

import pytest

from machiavel.engines import State, load
from tests.server.cli.command import run_process


@pytest.fixture
def state() -> State:
    """A seat with a choice of cards."""
    state = load("agency").new(3, seed=11, powers=False, accomplices=False)
    for _ in range(7):
        state.play(state.legal_moves()[0])
    return state


@pytest.fixture
def view(state: State, tmp_path: Path) -> Path:
    file = tmp_path / "view.json"
    file.write_text(json.dumps(state.view(state.seat_to_move).to_json()), encoding="utf-8")
    return file


def test_the_hint_ranks_every_move_and_repeats_itself(state: State, view: Path) -> None:
    done = run_process("hint", "agency", str(view), "--iterations", "2000", "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert {candidate["move"] for candidate in found["candidates"]} == set(state.legal_moves())
    assert found["best"] == found["candidates"][0]["move"]
    again = run_process("hint", "agency", "-", "--iterations", "2000", "--json", entries=view.read_text(encoding="utf-8"))
    assert again.out == done.out


def test_a_hint_is_told_in_both_languages(view: Path) -> None:
    english = run_process("hint", "agency", str(view), "--iterations", "500", "--lang", "en").out
    french = run_process("hint", "agency", str(view), "--iterations", "500", "--lang", "fr").out
    assert "win chance" in english
    assert "chances de gagner" in french
    assert english.splitlines()[1].split()[0] == french.splitlines()[1].split()[0]


def test_what_about_these_moves_only(state: State, view: Path) -> None:
    some = state.legal_moves()[:2]
    done = run_process("hint", "agency", str(view), "--iterations", "300", "--json", "--moves", *some)
    assert {candidate["move"] for candidate in json.loads(done.out)["candidates"]} == set(some)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "view: is no JSON"),
        ("[]", "view: expected an object"),
        ('{"game": "agency"}', "view: options: is missing"),
    ],
)
def test_what_is_no_view_is_refused(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "view.json"
    file.write_text(text, encoding="utf-8")
    done = run_process("hint", "agency", str(file))
    assert done.code == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_other_mistakes_are_told_in_one_line(state: State, view: Path, tmp_path: Path) -> None:
    out_of_turn = tmp_path / "other.json"
    other = next(seat for seat in range(3) if seat != state.seat_to_move)
    out_of_turn.write_text(json.dumps(state.view(other).to_json()), encoding="utf-8")
    for arguments, message in (
        ([str(tmp_path / "none.json")], "expected a file with a view"),
        ([str(out_of_turn)], f"seat {other} is not to move"),
        ([str(view), "--moves", "Z9"], "illegal move Z9"),
        ([str(view), "--iterations", "0"], "expected a whole number"),
        ([str(view), "--seconds", "0"], "not a number of seconds above 0"),
    ):
        done = run_process("hint", "agency", *arguments)
        assert done.code == 2
        assert message in done.err
        assert len(done.err.splitlines()) == 1
