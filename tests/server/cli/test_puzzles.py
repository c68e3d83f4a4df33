"""`machiavel puzzles`: what it finds, writes, goes on with and refuses."""

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from machiavel.engines import load
from machiavel.search.puzzles import read_puzzles
from tests.server.cli.command import COMMAND, Runner, environment

# Every few matches of bond have one, even with little thinking.
QUICK = "--players 3 --bots random --iterations 200 --threads 1"


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "bond.json"


def journal(output: Path) -> Path:
    return output.with_name(f"{output.name}.found.jsonl")


def test_it_writes_a_set_that_reads_back_and_says_who_solves_it(run: Runner, output: Path) -> None:
    ran = run(f"puzzles bond --count 1 --pool 2 --output {output} {QUICK}")
    assert (ran.code, ran.err) == (0, "")
    result = read_puzzles(load("bond"), output)
    assert (len(result.puzzles), result.dropped) == (1, 0)
    assert f"1 puzzles of bond in {output}" in " ".join(ran.out.split())
    solves = [line.split()[:2] for line in ran.out.splitlines() if "%" in line]
    assert [int(level) for level, _ in solves] == [1, 3, 5, 7, 9]
    assert (result.made["seed"], result.made["found"], result.made["checks"]["iterations"]) == (0, 2, 200)


def test_puzzles_that_are_dropped_make_room_for_others(run: Runner, output: Path) -> None:
    run(f"puzzles bond --count 1 --pool 2 --output {output} {QUICK}")
    (first,) = read_puzzles(load("bond"), output).puzzles
    assert run(f"puzzles bond --count 1 --pool 2 --output {output} {QUICK} --resume --drop {first.id}").code == 0
    (second,) = read_puzzles(load("bond"), output).puzzles
    assert second.id != first.id
    ran = run(f"puzzles bond --count 1 --pool 2 --output {output} {QUICK} --resume --drop nothing")
    assert ran.code == 2 and "--drop nothing: is none of the puzzles found; expected ids of some" in ran.err


def test_rare_kinds_are_looked_for_apart_and_join_the_others(run: Runner, output: Path) -> None:
    apart = output.with_name("apart.json")
    run(f"puzzles bond --count 1 --pool 1 --output {output} {QUICK}")
    (common,) = read_puzzles(load("bond"), output).puzzles
    kind = next(kind for kind in ("kill", "lair") if kind != common.kind)
    run(f"puzzles bond --count 1 --pool 1 --output {apart} {QUICK} --kinds {kind}")
    (rare,) = read_puzzles(load("bond"), apart).puzzles
    assert rare.kind == kind
    ran = run(f"puzzles bond --count 2 --pool 1 --output {output} {QUICK} --resume --also {apart}")
    result = read_puzzles(load("bond"), output)
    assert (ran.code, ran.err, {one.id for one in result.puzzles}) == (0, "", {common.id, rare.id})
    assert result.made["also"] == 1
    assert "No such file" in run(f"puzzles bond --output {output} {QUICK} --resume --also nowhere.json").err


def test_in_french_and_as_json(run: Runner, output: Path) -> None:
    ran = run(f"puzzles bond --count 1 --pool 1 --output {output} {QUICK} --lang fr")
    assert f"1 problèmes de bond dans {output}" in " ".join(ran.out.split())
    other = output.with_name("other.json")
    header, one, end = run(f"puzzles bond --count 1 --pool 1 --output {other} {QUICK} --json").objects
    assert (header["type"], header["game"], header["settings"]["players"]) == ("puzzles", "bond", [3])
    assert one["type"] == "puzzle" and one["best"] in {move for move, _, _ in one["moves"]}
    assert (end["type"], end["count"], end["file"]) == ("end", 1, str(other))
    assert other.read_text(encoding="utf-8") == output.read_text(encoding="utf-8")


def test_more_threads_find_the_same(run: Runner, output: Path) -> None:
    run(f"puzzles bond --count 2 --pool 2 --output {output} {QUICK}")
    one = {row["match"]: row for row in map(json.loads, journal(output).read_text(encoding="utf-8").splitlines()[1:])}
    output.unlink()
    journal(output).unlink()
    run(f"puzzles bond --count 2 --pool 2 --output {output} {QUICK.replace('--threads 1', '--threads 3')}")
    three = {row["match"]: row for row in map(json.loads, journal(output).read_text(encoding="utf-8").splitlines()[1:])}
    assert any(one[match]["puzzles"] for match in one.keys() & three.keys())
    assert all(one[match] == three[match] for match in one.keys() & three.keys())


def test_it_goes_on_where_it_was_and_comes_to_the_same_set(run: Runner, output: Path) -> None:
    run(f"puzzles bond --count 1 --pool 1 --output {output} {QUICK}")
    before = journal(output).read_text(encoding="utf-8")
    ran = run(f"puzzles bond --count 2 --pool 2 --output {output} {QUICK} --resume")
    assert ran.code == 0 and journal(output).read_text(encoding="utf-8").startswith(before)
    straight = output.with_name("straight.json")
    run(f"puzzles bond --count 2 --pool 2 --output {straight} {QUICK}")
    assert straight.read_text(encoding="utf-8") == output.read_text(encoding="utf-8")


@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGKILL])
def test_a_search_that_is_killed_loses_only_the_match_under_way(output: Path, way: signal.Signals) -> None:
    words = f"puzzles bond --count 10000 --output {output} {QUICK}".split()
    with subprocess.Popen([*COMMAND, *words], env=environment(), stderr=subprocess.PIPE, text=True) as process:
        while not journal(output).exists() or journal(output).read_bytes().count(b"\n") < 4:
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(way)
        _, told = process.communicate(timeout=60)
    assert process.returncode == (130 if way == signal.SIGINT else -9)
    assert ("go on with: machiavel puzzles bond" in told and "--resume" in told) == (way == signal.SIGINT)
    kept = [json.loads(line)["match"] for line in journal(output).read_text(encoding="utf-8").splitlines()[1:4]]
    assert kept == [0, 1, 2] and not output.exists()
    done = subprocess.run(
        [*COMMAND, *f"puzzles bond --count 1 --pool 1 --output {output} {QUICK} --resume".split()], env=environment(), check=True
    )
    assert done.returncode == 0 and read_puzzles(load("bond"), output).puzzles


def test_where_there_are_none_nothing_is_written(run: Runner, output: Path) -> None:
    ran = run(f"puzzles kuhn --count 5 --output {output} --iterations 100")
    assert ran.code == 0 and not output.exists()
    assert "no puzzles were found in" in ran.err


def test_time_ends_it_with_what_there_is(run: Runner, output: Path) -> None:
    ran = run(f"puzzles bond --count 500 --minutes 0.03 --output {output} {QUICK}")
    assert ran.code == 0
    assert "of 500 that were wanted; --resume goes on, with more --minutes" in ran.err or "no puzzles were found" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("chess", "chess"),
        ("bond --players 9", "--players 9: bond is for 2 to 6 players"),
        ("bond --bots deepest", "there is no bot 'deepest'"),
        ("bond --count 0", "expected a whole number, 1 to 10000"),
        ("bond --minutes 0", "above 0"),
        (f"bond --output {__file__}/all.json", f"--output {__file__}/all.json: "),
        ("./none.py", "none.py"),
    ],
)
def test_what_cannot_be_is_refused_with_what_would_be_right(run: Runner, tmp_path: Path, words: str, said: str) -> None:
    ran = run(f"puzzles {words} --iterations 5", *([] if "--output" in words else [f"--output {tmp_path / 'x.json'}"]))
    assert ran.code == 2 and ran.out == ""
    assert said in ran.err


def test_a_set_and_a_journal_are_never_written_over_unasked(run: Runner, output: Path) -> None:
    output.write_text("mine", encoding="utf-8")
    ran = run(f"puzzles bond --output {output} {QUICK}")
    assert ran.code == 2 and "is there already; expected --resume to write it anew, or another file" in ran.err
    assert output.read_text(encoding="utf-8") == "mine"
    output.unlink()
    run(f"puzzles bond --count 1 --pool 1 --output {output} {QUICK}")
    output.unlink()
    ran = run(f"puzzles bond --count 1 --output {output} {QUICK}")
    assert ran.code == 2 and "is there already; expected --resume to go on with it, or another --output" in ran.err
    ran = run(f"puzzles bond --count 1 --output {output} {QUICK} --seed 4 --resume")
    assert ran.code == 2 and "holds another puzzles" in ran.err and "seed 0, not 4" in ran.err
