"""The ledger: a game is on disk once or not at all, and everything in it replays."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from machiavel.engines import load
from machiavel.server.tournaments.batches import points_of
from machiavel.server.tournaments.ledger import GAMES, Ledger, read_game, read_plan, read_results
from machiavel.server.tournaments.plan import BadLedger
from tests.server.tournaments.running import games_of, make, play

GAME_COUNTS = {"agency": (2, 4), "bond": (2, 5), "citadel": (1, 3), "whist": (2, 4)}


@pytest.mark.parametrize(("game", "players"), [(game, players) for game, counts in GAME_COUNTS.items() for players in counts])
def test_every_line_replays_to_the_result_it_tells(game: str, players: int, tmp_path: Path) -> None:
    plan = make(game, ["random", "greedy"], players)
    play(plan, tmp_path, 3)
    results, _ = read_results(tmp_path)
    assert len(results) == 3 * plan.schedule.games_a_deal
    for number in range(len(results)):
        found = read_game(tmp_path / GAMES, lambda line, _deal, _seating, wanted=number + 1: line == wanted)  # type: ignore[misc]
        assert found is not None
        state = load(game).replay(found.record)
        assert state.is_over
        assert np.array_equal(np.array(state.utilities, np.float32), results.utilities[number])
        assert len(state.moves) == results.plies[number]
        assert found.seats == tuple(results.seats[number].tolist())
        assert (found.deal, found.seating) == (results.deals[number], results.seatings[number])


@pytest.mark.parametrize(("game", "name"), [("agency", "points_{}"), ("whist", "tricks_{}"), ("citadel", "saved")])
def test_scores_of_seats_are_the_game_s_own(game: str, name: str, tmp_path: Path) -> None:
    play(make(game, ["random"], 2), tmp_path, 3)
    results, _ = read_results(tmp_path)
    for number, points in enumerate(results.points.tolist(), start=1):
        found = read_game(tmp_path / GAMES, lambda line, _deal, _seating, number=number: line == number)  # type: ignore[misc]
        assert found is not None
        metrics = load(game).replay(found.record).metrics
        assert points == [metrics[name.format(seat)] for seat in range(2)]


def test_a_game_that_counts_no_points_has_none() -> None:
    points = points_of(["rounds"], np.ones((3, 1), np.float32), 2)
    assert points.shape == (3, 2)
    assert np.isnan(points).all()


def test_a_finished_ledger_is_in_order_and_a_second_run_adds_nothing(tmp_path: Path) -> None:
    plan = make("whist", ["random", "greedy"], 2)
    play(plan, tmp_path, 40, "threads:2")
    first = games_of(tmp_path)
    keys = [(game["deal"], game["seating"]) for game in map(json.loads, first.splitlines()[1:])]
    assert keys == [(deal, seating) for deal in range(40) for seating in range(2)]
    outcome = play(plan, tmp_path, 40)
    assert outcome.reason == "played"
    assert games_of(tmp_path) == first


def test_more_deals_go_on_where_the_ledger_ends(tmp_path: Path) -> None:
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
    with pytest.raises(BadLedger, match="line 4 is no game"):
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
    with pytest.raises(BadLedger, match=f"its {field} is"):
        play(make("agency", players=3, **(given | change)), tmp_path, 2)  # type: ignore[arg-type]
    assert games_of(tmp_path) == before


def test_two_cannot_add_to_a_ledger_at_once(tmp_path: Path) -> None:
    plan = make("whist", ["random", "greedy"], 3)
    with Ledger.open(tmp_path, plan), pytest.raises(BadLedger, match="another command"), Ledger.open(tmp_path, plan):
        pass


@pytest.mark.parametrize("text", ["", "{}\n", '{"tournament":7}\n', '{"tournament":{"game":"whist"}}\n', "no JSON\n"])
def test_what_is_no_ledger_is_told(text: str, tmp_path: Path) -> None:
    (tmp_path / GAMES).write_text(text)
    with pytest.raises(BadLedger, match="first line is no tournament"):
        read_plan(tmp_path / GAMES)


def test_a_plan_survives_its_json(tmp_path: Path) -> None:
    plan = make("agency", ["random", "level3:seed=4@20ms"], 4, seed=1 << 100, form="gauntlet", sample=0)
    assert type(plan).from_json(json.loads(json.dumps(plan.to_json()))) == plan
    assert plan.rules.digest == plan.digest
