"""`machiavel bench playouts`."""

import pytest

from machiavel.engines import GameError
from machiavel.server.cli import bench_playouts as bench
from tests.server.cli.command import Runner

FIELDS = "bench game players options threads until playouts seconds playouts_per_s plies_per_s seed"


def test_a_bench_is_one_object_with_its_figures(run: Runner) -> None:
    (result,) = run("bench playouts --players 3 --iterations 5000 --seed 7 --json").objects

    assert list(result) == FIELDS.split()
    assert (result["game"], result["players"], result["threads"], result["until"]) == ("agency", 3, 1, "end")
    assert (result["playouts"], result["seed"]) == (5000, 7)
    assert result["playouts_per_s"] == pytest.approx(5000 / result["seconds"], rel=0.01)


def test_every_number_of_players_is_measured_unless_told_otherwise(run: Runner) -> None:
    objects = run("bench playouts --iterations 100 --until horizon --json").objects

    assert [result["players"] for result in objects] == [2, 3, 4, 5]
    assert {result["until"] for result in objects} == {"horizon"}


def test_a_bench_stops_in_time(run: Runner) -> None:
    (result,) = run("bench playouts --players 2 --seconds 0.2 --threads 2 --json").objects

    assert 0.2 <= result["seconds"] < 2
    assert result["playouts"] > 0


def test_options_of_the_game_are_played_and_told(run: Runner) -> None:
    command = "bench playouts --players 2 --iterations 100 --json --option"
    (short,) = run(command, "medals=1").objects

    assert short["options"] == {"medals": 1}
    assert run(command, "medals=0").err == "machiavel: error: --option medals=0: expected a whole number from 1 to 9\n"


def test_people_get_a_table(run: Runner) -> None:
    ran = run("bench playouts --players 2 --iterations 1000")

    assert "playouts/s" in ran.out
    assert "1,000" in ran.out
    assert not ran.err


def test_any_number_of_threads_plays_the_same_games(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    chunks: list[list[tuple[int, int]]] = []
    really = bench.Work.next_chunk

    def watched(work: bench.Work) -> tuple[int, int] | None:
        chunk = really(work)
        if chunk is not None:
            chunks[-1].append(chunk)
        return chunk

    monkeypatch.setattr(bench.Work, "next_chunk", watched)
    for threads in ("1", "3"):
        chunks.append([])
        run(f"bench playouts --players 2 --iterations 9000 --seed 5 --threads {threads}")

    alone, together = chunks
    assert sorted(alone) == sorted(together)
    assert len({seed for seed, _ in alone}) == len(alone) == 5
    assert sum(size for _, size in alone) == 9000


def test_an_error_in_a_thread_is_the_commands_error(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(work: bench.Work) -> None:
        work.error = GameError("no luck today")

    monkeypatch.setattr(bench.Work, "run", broken)

    ran = run("bench playouts --players 2 --iterations 10")

    assert (ran.code, ran.err) == (2, "machiavel: error: no luck today\n")


SEARCH_FIELDS = "bench game players threads variant iterations_per_s playouts_per_s share seed iterations"


def test_a_search_bench_is_a_line_a_case_with_both_rates(run: Runner) -> None:
    objects = run("bench search --players 3 --iterations 2000 --seed 7 --variant multi --json").objects

    assert [list(result) for result in objects] == [SEARCH_FIELDS.split()] * len(objects)
    assert {"agency", "whist"} <= {result["game"] for result in objects}
    for result in objects:
        assert (result["players"], result["threads"], result["variant"], result["iterations"]) == (3, 1, "multi", 2000)
        assert result["share"] == pytest.approx(result["iterations_per_s"] / result["playouts_per_s"], abs=0.001)


def test_a_search_bench_stops_in_time_on_every_thread(run: Runner) -> None:
    (result,) = run("bench search --game whist --players 2 --seconds 0.2 --threads 2 --json").objects

    assert (result["bench"], result["threads"]) == ("search", 2)
    assert result["iterations"] > 0
    assert "share" in run("bench search --game whist --players 2 --iterations 500").out


def test_a_game_for_other_players_is_refused_unless_every_game_is_asked_for(run: Runner) -> None:
    assert run("bench search --game agency --players 7 --iterations 9").err == (
        "machiavel: error: --players 7: agency is for 2 to 5 players\n"
    )
    assert {result["game"] for result in run("bench search --players 7 --iterations 9 --json").objects} == {"whist"}
    assert "no game is for so many" in run("bench search --players 99 --iterations 9").err


def test_the_signature_repeats_and_is_one_hash_over_the_games_named(run: Runner) -> None:
    (whist,) = run("bench signature --game whist --json").objects
    (again,) = run("bench signature --game whist --json").objects
    (agency,) = run("bench signature --game agency --json").objects
    (both,) = run("bench signature --game whist agency --json").objects

    assert whist == again
    assert len(whist["signature"]) == 16
    assert len({whist["signature"], agency["signature"], both["signature"]}) == 3
    assert both["searches"] == whist["searches"] + agency["searches"]
    assert whist["searches"] > 50
