"""The journal: a game is on disk once or not at all, and everything in it replays."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from machiavel.engines import load
from machiavel.server.journal import BadJournal
from machiavel.server.tournaments._lines import game_lines, read_lines
from machiavel.server.tournaments.batches import points_of
from machiavel.server.tournaments.game_journal import GAMES, KINDS, GameJournal, read_game, read_plan, read_results
from machiavel.server.tournaments.results import COLUMNS
from tests.server.tournaments.running import games_of, make, play

GAME_COUNTS = {"agency": (2, 4), "bond": (2, 5), "citadel": (1, 3), "whist": (2, 4)}


@pytest.mark.parametrize(("game", "players"), [(game, players) for game, counts in GAME_COUNTS.items() for players in counts])
def test_every_line_replays_to_the_result_it_tells(game: str, players: int, tmp_path: Path) -> None:
    plan = make(game, ["random", "greedy"], players)
    play(plan, tmp_path, 3)
    results, _ = read_results(tmp_path)
    assert len(results) == 3 * plan.schedule.games_a_deal
    for number in range(len(results)):
        result = read_game(tmp_path / GAMES, lambda line, _deal, _seating, wanted=number + 1: line == wanted)  # type: ignore[misc]
        assert result is not None
        state = load(game).replay(result.record)
        assert state.is_over
        assert np.array_equal(np.array(state.utilities, np.float32), results.utilities[number])
        assert len(state.moves) == results.plies[number]
        assert result.seats == tuple(results.seats[number].tolist())
        assert (result.deal, result.seating) == (results.deals[number], results.seatings[number])


@pytest.mark.parametrize(("game", "name"), [("agency", "points_{}"), ("whist", "tricks_{}"), ("citadel", "saved")])
def test_scores_of_seats_are_the_game_s_own(game: str, name: str, tmp_path: Path) -> None:
    play(make(game, ["random"], 2), tmp_path, 3)
    results, _ = read_results(tmp_path)
    for number, points in enumerate(results.points.tolist(), start=1):
        result = read_game(tmp_path / GAMES, lambda line, _deal, _seating, number=number: line == number)  # type: ignore[misc]
        assert result is not None
        metrics = load(game).replay(result.record).metrics
        assert points == [metrics[name.format(seat)] for seat in range(2)]


def test_a_game_that_counts_no_points_has_none() -> None:
    points = points_of(["rounds"], np.ones((3, 1), np.float32), 2)
    assert points.shape == (3, 2)
    assert np.isnan(points).all()


@pytest.mark.parametrize(
    "rewritten",
    [
        lambda line: line.replace(b'"plies"', b'"faults":[3,0,1],"plies"'),
        lambda line: line.replace(b'"plies"', b'"note":"","plies"'),
        lambda line: line.replace(b'"points":[', b'"points":[ '),
        lambda line: re.sub(rb'"points":\[\d+', b'"points":[1e-7', line),
        lambda line: line,
    ],
    ids=["another order", "a field", "a blank", "an exponent", "as they are"],
)
def test_lines_that_another_hand_wrote_are_read_as_json(rewritten: Callable[[bytes], bytes], tmp_path: Path) -> None:
    play(make("whist", ["random", "greedy"], 3), tmp_path, 8)
    header, *lines = games_of(tmp_path).splitlines(keepends=True)
    lines[5:20:2] = [rewritten(line) for line in lines[5:20:2]]
    (tmp_path / GAMES).write_bytes(b"".join([header, *lines]))
    results, _ = read_results(tmp_path)
    assert len(results) == len(lines)
    for row, line in enumerate(lines):
        game = json.loads(line)
        result = [getattr(results, name)[row].tolist() for name in COLUMNS]
        assert result[:3] + result[5:] == [
            game["deal"],
            game["seating"],
            game["seats"],
            game["plies"],
            game.get("faults", [0] * 3),
        ]
        assert results.utilities[row].tolist() == np.array(game["utilities"], np.float32).tolist()
        assert results.points[row].tolist() == np.array(game["points"], np.float32).tolist()


def test_any_number_is_read_as_it_was_written() -> None:
    rng = np.random.default_rng(3)
    count, players = 5000, 3
    kinds = rng.integers(0, 5, (count, players))
    drawn: list[NDArray[Any]] = [
        1e-3 + rng.random((count, players)),
        1 / rng.integers(1, 9, (count, players)),
        rng.integers(-99, 99, (count, players)) / 4,
    ]
    drawn += [rng.integers(0, 1 << 24, (count, players)), np.full((count, players), np.nan)]
    points = np.choose(kinds, drawn).astype(np.float32)
    utilities = np.abs(points[::-1]).copy()
    deals, seatings = rng.integers(0, 10**7, count), rng.integers(0, 20_000, count)
    seats, plies = rng.integers(0, 64, (count, players)), np.ones(count, np.uint32)
    faults = (rng.integers(0, 9, (count, players)) * (rng.random((count, 1)) < 0.3)).astype(np.uint32)
    columns: tuple[Any, ...] = (deals, seatings, seats, utilities, points, plies, faults)
    lines = game_lines(deals, seatings, seats, utilities, points, plies, faults, np.zeros(count, np.uint16), [b'"\xc3\xa9"'])
    result: list[Any] = [np.empty_like(column) for column in columns]
    assert read_lines(lines, *result) == count
    for was, now in zip(columns, result, strict=True):
        assert np.array_equal(was, now, equal_nan=was.dtype == np.float32)


@pytest.mark.parametrize("end", range(1, 90, 4))
def test_half_a_line_is_none(end: int) -> None:
    line = b'{"deal":3,"seating":1,"seats":[0,1],"utilities":[0.5,0.5],"points":[3,null],"plies":2,"moves":["a","b"]}\n'
    columns = [np.zeros(shape, kind) for shape, kind in zip([1, 1, (1, 2), (1, 2), (1, 2), 1, (1, 2)], KINDS, strict=True)]
    assert read_lines(line, *columns) == 1
    assert read_lines(line[:end] + b"\n", *columns) == 0
    assert read_lines(line[:end] + line[end + 1 :], *columns) == 0 or line[end : end + 1].isalnum()


def test_a_finished_journal_is_in_order_and_a_second_run_adds_nothing(tmp_path: Path) -> None:
    plan = make("whist", ["random", "greedy"], 2)
    play(plan, tmp_path, 40, "threads:2")
    first = games_of(tmp_path)
    keys = [(game["deal"], game["seating"]) for game in map(json.loads, first.splitlines()[1:])]
    assert keys == [(deal, seating) for deal in range(40) for seating in range(2)]
    outcome = play(plan, tmp_path, 40)
    assert outcome.reason == "played"
    assert games_of(tmp_path) == first


def test_more_deals_go_on_where_the_journal_ends(tmp_path: Path) -> None:
    plan = make("whist", ["random", "greedy"], 3)
    play(plan, tmp_path / "apart", 10)
    play(plan, tmp_path / "apart", 25)
    play(plan, tmp_path / "together", 25)
    assert games_of(tmp_path / "apart") == games_of(tmp_path / "together")


def shuffled(data: bytes) -> bytes:
    header, *games = data.splitlines(keepends=True)
    return header + b"".join(games[1::2] + games[::2])


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[:-200],
        lambda data: data[: data.index(b"\n") + 40],
        lambda data: data[: data.index(b"\n")],
        lambda data: data + b'{"deal":9',
        lambda data: data + b"\0" * 4096,
        lambda data: b"",
        shuffled,
    ],
    ids=["no end", "half a game", "hardly a game", "half a header", "begun", "zeros", "nothing", "another order"],
)
def test_whatever_a_sudden_end_leaves_is_gone_on_with(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    plan = make("whist", ["random", "greedy"], 3)
    play(plan, tmp_path / "whole", 8)
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / GAMES).write_bytes(damage(games_of(tmp_path / "whole")))
    play(plan, tmp_path / "torn", 8)
    assert games_of(tmp_path / "torn") == games_of(tmp_path / "whole")


def test_damage_in_the_middle_is_told_and_left_alone(tmp_path: Path) -> None:
    plan = make("whist", ["random", "greedy"], 3)
    play(plan, tmp_path, 8)
    lines = games_of(tmp_path).splitlines(keepends=True)
    lines[3] = b"?" * len(lines[3])
    (tmp_path / GAMES).write_bytes(b"".join(lines))
    with pytest.raises(BadJournal, match="line 4 is no game"):
        play(plan, tmp_path, 9)
    assert games_of(tmp_path) == b"".join(lines)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"seed": 8}, "seed"),
        ({"bots": ["random", "level1"]}, "bots"),
        ({"seatings": "rotations"}, "seatings"),
        ({"options": {"medals": 1}}, "medals"),
        ({"sprt": {"elo0": 0.0, "elo1": 10.0, "alpha": 0.05, "beta": 0.05}}, "sprt"),
    ],
)
def test_another_tournament_in_the_same_folder_is_refused(change: dict[str, object], field: str, tmp_path: Path) -> None:
    given: dict[str, object] = {"bots": ["random", "greedy"], "seed": 7}
    play(make("agency", players=3, **given), tmp_path, 2)  # type: ignore[arg-type]
    before = games_of(tmp_path)
    with pytest.raises(BadJournal, match=f"another tournament: {field} "):
        play(make("agency", players=3, **(given | change)), tmp_path, 2)  # type: ignore[arg-type]
    assert games_of(tmp_path) == before


def test_two_cannot_add_to_a_journal_at_once(tmp_path: Path) -> None:
    plan = make("whist", ["random", "greedy"], 3)
    with GameJournal.open(tmp_path, plan), pytest.raises(BadJournal, match="another command"), GameJournal.open(tmp_path, plan):
        pass


@pytest.mark.parametrize("text", ["", "{}\n", '{"tournament":7}\n', '{"tournament":{"game":"whist"}}\n', "no JSON\n"])
def test_what_is_no_journal_is_told(text: str, tmp_path: Path) -> None:
    (tmp_path / GAMES).write_text(text)
    with pytest.raises(BadJournal, match="first line is no tournament"):
        read_plan(tmp_path / GAMES)


def test_a_plan_survives_its_json(tmp_path: Path) -> None:
    plan = make("agency", ["random", "level3:seed=4@20ms"], 4, seed=1 << 100, form="gauntlet", sample=0)
    assert type(plan).from_json(json.loads(json.dumps(plan.to_json()))) == plan
    assert plan.rules.digest == plan.digest


@pytest.mark.parametrize(
    "wrong", [{"options": {}}, {"options": {"players": 10**9}}, {"options": {"players": "?"}}, {"sprt": {"alpha": 10**400}}]
)
def test_a_first_line_that_no_tournament_has_is_refused(wrong: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / GAMES
    path.write_text(f"{json.dumps({'tournament': make('whist', ['random'], 2).to_json() | wrong})}\n")
    with pytest.raises(BadJournal, match="its first line is no tournament"):
        read_results(tmp_path)
