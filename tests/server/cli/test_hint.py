"""`machiavel hint` ranks the moves of a view, and takes nothing that is none."""

import json
from pathlib import Path

import pytest

from machiavel.engines import State, load
from machiavel.search import unseen_map
from tests.server.cli.command import Runner, run_process


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


def test_the_hint_ranks_every_move_and_repeats_itself(run: Runner, state: State, view: Path) -> None:
    done = run("hint", "agency", str(view), "--iterations", "2000", "--json")
    assert done.code == 0
    data = json.loads(done.out)
    assert {candidate["move"] for candidate in data["candidates"]} == set(state.legal_moves())
    assert data["best"] == data["candidates"][0]["move"]
    again = run("hint", "agency", "-", "--iterations", "2000", "--json", entries=view.read_text(encoding="utf-8"))
    assert again.out == done.out


def test_a_hint_is_told_in_both_languages(run: Runner, view: Path) -> None:
    english = run("hint", "agency", str(view), "--iterations", "500", "--lang", "en").out
    french = run("hint", "agency", str(view), "--iterations", "500", "--lang", "fr").out
    assert "win chance" in english
    assert "chances de gagner" in french
    (_, colour, rank), (_, french_rank, french_colour) = (told.splitlines()[1].split()[:3] for told in (english, french))
    assert (french_rank, french_colour) == (rank, {"mauve": "mauve", "blue": "bleu", "green": "vert", "yellow": "jaune"}[colour])
    assert f"Play the {colour} {rank} (" in english and f"Joue le {rank} {french_colour} (" in french


def test_where_unseen_cards_are_is_told_as_a_table_in_both_languages_and_as_json(run: Runner, state: State, view: Path) -> None:
    """One's own cards are in no line of it, and each column says how much is there."""
    flags = ("hint", "agency", str(view), "--iterations", "20")
    english, french = (run(*flags, "--unseen", "--lang", language).out for language in ("en", "fr"))
    other = next(seat for seat in range(3) if seat != state.seat_to_move)
    cards = len(state.truth()["hands"][other])
    assert f"hand ({cards})" in " ".join(english.split())
    assert "not dealt" in english.casefold() and "distribuées" in french
    assert "From 1,000 worlds" in english and "1\N{NO-BREAK SPACE}000 mondes" in french
    assert "unseen" not in run(*flags, "--lang", "en").out

    data = json.loads(run(*flags, "--json").out)["unseen"]
    assert data == unseen_map(state.view(state.seat_to_move)).to_json()
    assert {one["name"] for one in data["things"]}.isdisjoint(state.truth()["hands"][state.seat_to_move or 0])


def test_what_about_these_moves_only(run: Runner, state: State, view: Path) -> None:
    some = state.legal_moves()[:2]
    done = run("hint", "agency", str(view), "--iterations", "300", "--json", "--moves", *some)
    assert {candidate["move"] for candidate in json.loads(done.out)["candidates"]} == set(some)


def test_moves_are_named_as_at_the_table(view: Path, state: State) -> None:
    first, second = state.legal_moves()[:2]
    colour, rank = {"M": "mauve", "B": "bleu", "G": "vert", "Y": "jaune"}[first[0]], first[1:]
    flags = ("--moves", f"{rank} {colour}", second.lower(), "--what-about", f"{colour} {rank}", "--iterations", "100", "--json")
    done = run_process("hint", "agency", str(view), *flags)
    assert done.code == 0, done.err
    data = json.loads(done.out)
    assert {candidate["move"] for candidate in data["candidates"]} == {first, second}
    assert data["comparison"]["asked"]["move"] == first


def test_numbers_have_the_marks_of_the_language(view: Path) -> None:
    english, french = (
        run_process("hint", "agency", str(view), "--iterations", "9000", "--lang", language).out.splitlines()[1]
        for language in ("en", "fr")
    )
    for mark, other in ((".", ","), (",", "\N{NO-BREAK SPACE}")):
        assert mark in english
        assert other in french
    assert "." not in french


def test_long_moves_are_shown_whole(tmp_path: Path) -> None:
    state = load("citadel").new(2, seed=1)
    file = tmp_path / "view.json"
    file.write_text(json.dumps(state.view(state.seat_to_move).to_json()), encoding="utf-8")
    shown = run_process("hint", "citadel", str(file), "--iterations", "30").out.split()
    assert max(map(len, state.legal_moves())) > 30
    assert set(state.legal_moves()) <= set(shown)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "view: is no JSON"),
        ("[]", "view: expected an object"),
        ('{"game": "agency"}', "view: options: is missing"),
    ],
)
def test_what_is_no_view_is_refused(run: Runner, text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "view.json"
    file.write_text(text, encoding="utf-8")
    done = run("hint", "agency", str(file))
    assert done.code == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_other_mistakes_are_told_in_one_line(run: Runner, state: State, view: Path, tmp_path: Path) -> None:
    out_of_turn = tmp_path / "other.json"
    other = next(seat for seat in range(3) if seat != state.seat_to_move)
    out_of_turn.write_text(json.dumps(state.view(other).to_json()), encoding="utf-8")
    for arguments, message in (
        ([str(tmp_path / "none.json")], "expected a file with a view"),
        ([str(out_of_turn)], f"seat {other} is not to move"),
        ([str(view), "--moves", "Z9"], "'Z9' is not a move; expected a card"),
        ([str(view), "--players", "3"], "--players: is for a view that is asked for"),
        ([str(view), "--save", str(tmp_path / "kept.json")], "--save: is for a view that is asked for"),
        ([str(view), "--iterations", "0"], "expected a whole number"),
        ([str(view), "--seconds", "0"], "not a number of seconds above 0"),
    ):
        done = run("hint", "agency", *arguments)
        assert done.code == 2
        assert message in done.err
        assert len(done.err.splitlines()) == 1
