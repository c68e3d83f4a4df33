"""`machiavel tournament` and `machiavel replay`: what is asked, refused, told and shown."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from machiavel.engines import load
from machiavel.server.tournaments.game_journal import GAMES, read_game, read_header, read_results
from tests.server.cli.command import COMMAND, Runner, environment

SMALL = "tournament whist --bots greedy random --deals 4 --seed 3 --executor threads:1 --output"


def test_it_tells_who_won_how_much_and_keeps_the_games(run: Runner, tmp_path: Path) -> None:
    done = run(f"{SMALL} {tmp_path}/out")
    assert done.code == 0, done.err
    assert "greedy" in done.out
    assert "random" in done.out
    results, timings = read_results(tmp_path / "out")
    assert len(results) == 8
    assert timings.bots == ("greedy", "random")
    assert read_header(tmp_path / "out")["seed"] == "3"
    assert f"{tmp_path}/out/report.html" in "".join(done.out.split())
    for name in ("summary.json", "timings.json", "report.html"):
        assert (tmp_path / "out" / name).stat().st_size


def test_bots_with_long_names_are_told_apart(run: Runner, tmp_path: Path) -> None:
    alike = "ismcts:iterations=20,exploration=0.7,policy=uniform,prior=0.25,seed=123456789,megabytes=4,reuse=false"
    bots = f"{alike},variant=single {alike},variant=multi"
    ran = run(f"tournament kuhn --bots {bots} --deals 2 --seed 1 --executor threads:1 --output {tmp_path / 'long'} --plain")

    assert ran.code == 0, ran.err
    shown = "".join(line.split("  ")[1].strip() for line in ran.out.splitlines() if line.startswith("  "))
    assert all(bot in shown for bot in bots.split()), ran.out


def test_json_is_one_object_a_line(run: Runner, tmp_path: Path) -> None:
    done = run(f"{SMALL} {tmp_path}/out --json")
    assert done.code == 0, done.err
    kinds = [line["type"] for line in done.objects]
    assert kinds[0] == "tournament"
    assert kinds[1:] == ["summary", "end"]
    assert {one["bot"] for one in done.objects[1]["bots"]} == {"greedy", "random"}
    assert done.objects[0]["bots"] == ["greedy", "random"]
    assert done.objects[-1] == {"type": "end", "reason": "played", "games": 8, "of": 8, "deals": None, "lost": 0}


def test_a_second_run_plays_nothing_and_tells_the_same(run: Runner, tmp_path: Path) -> None:
    first = run(f"{SMALL} {tmp_path}/out")
    games = (tmp_path / "out" / GAMES).read_bytes()
    second = run(f"{SMALL} {tmp_path}/out")
    assert second.code == 0
    assert (tmp_path / "out" / GAMES).read_bytes() == games
    assert second.out.splitlines()[:3] == first.out.splitlines()[:3]
    third = run(f"tournament whist --bots greedy random --deals 6 --executor threads:1 --resume --output {tmp_path}/out")
    assert third.code == 0, third.err
    assert len(read_results(tmp_path / "out")[0]) == 12
    fewer = run(f"tournament whist --bots greedy random --deals 5 --executor threads:1 --resume --output {tmp_path}/out")
    assert (fewer.code, "--deals 5: expected at least 6: so many deals have games already" in fewer.err) == (2, True)
    assert len(read_results(tmp_path / "out")[0]) == 12


def test_a_seed_that_is_not_given_is_drawn(run: Runner, tmp_path: Path) -> None:
    command = "tournament whist --bots greedy random --deals 1 --executor threads:1 --output"
    assert run(f"{command} {tmp_path}/one").code == run(f"{command} {tmp_path}/two").code == 0
    assert read_header(tmp_path / "one")["seed"] != read_header(tmp_path / "two")["seed"]


def test_tables_come_from_a_file(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "tables.toml").write_text('tables = [["greedy", "random", "random"], [1, 0, 0]]\n')
    command = f"tournament whist --bots greedy random --players 3 --deals 2 --executor threads:1 --format {tmp_path}/tables.toml"
    assert run(f"{command} --output {tmp_path}/out").code == 0
    assert read_results(tmp_path / "out")[0].seats.tolist() == [[0, 1, 1], [1, 0, 0]] * 2
    assert run(f"{command} --seatings all --output {tmp_path}/all").code == 0
    assert len(read_results(tmp_path / "all")[0]) == 12


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("tables = 7", "expected tables ="),
        ("tables = []", "at least one table"),
        ('tables = [["greedy"]]', "a list of 2 bots, one a seat"),
        ('tables = [["greedy", "clever"]]', "a bot of this tournament"),
        ("tables = [[0, 2]]", "its number from 0 to 1"),
        ("tables = [[0, true]]", "its number from 0 to 1"),
        ("table = [[0, 1]]", "expected tables ="),
        ("tables = [", "--format"),
    ],
)
def test_tables_that_cannot_be_are_refused(text: str, problem: str, run: Runner, tmp_path: Path) -> None:
    (tmp_path / "tables.toml").write_text(text)
    done = run(f"{SMALL} {tmp_path}/out --format {tmp_path}/tables.toml")
    assert done.code == 2
    assert problem in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("--bots greedy clever", "there is no bot 'clever'"),
        ("--bots greedy greedy", "each bot once"),
        ("--bots greedy random@0s", "a time for a move"),
        ("--players 9", "whist is for 2 to 7 players"),
        ("--executor cores", "--executor cores: expected processes"),
        ("--format knockout", "--format knockout: expected round-robin"),
        ("--format missing.toml", "No such file"),
        ("--sample 5", "at most 1"),
        ("--deals 0", "a whole number, 1 to"),
        ("--option cards=4", "whist has no option"),
        ("--seed none", "--seed"),
        ("--sprt elo0=0", "expected elo0=E,elo1=E"),
        ("--sprt elo0=0,elo1=x", "'elo1=x' is none of"),
        ("--sprt elo0=5,elo1=0", "more than elo0"),
        ("--bots greedy random level1 --sprt elo0=0,elo1=10", "two bots, not 3"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is_made(change: str, problem: str, run: Runner, tmp_path: Path) -> None:
    done = run(f"{SMALL} {tmp_path}/out {change}")
    assert done.code == 2
    assert problem in done.err, done.err
    assert not (tmp_path / "out").exists()


def test_another_tournament_in_the_folder_is_refused(run: Runner, tmp_path: Path) -> None:
    run(f"{SMALL} {tmp_path}/out")
    other = run(f"{SMALL} {tmp_path}/out --seed 4")
    assert (other.code, 'seed "3", not "4"; take another folder' in other.err) == (2, True)
    drawn = run(f"tournament whist --bots greedy random --deals 4 --executor threads:1 --output {tmp_path}/out")
    assert (drawn.code, "holds games already; --resume goes on with them" in drawn.err) == (2, True)
    drawn = run(f"tournament whist --bots greedy level1 --deals 4 --executor threads:1 --output {tmp_path}/out")
    assert (drawn.code, 'bots ["greedy", "random"], not ["greedy", "level1"]' in drawn.err) == (2, True)
    resumed = run(f"{SMALL} {tmp_path}/out --seed 4 --resume")
    assert (resumed.code, 'seed "3", not "4"' in resumed.err) == (2, True)


def test_a_test_that_is_decided_ends_it(run: Runner, tmp_path: Path) -> None:
    done = run(f"{SMALL} {tmp_path}/out --deals 3000 --sprt elo0=0,elo1=50 --json")
    assert done.code == 0, done.err
    end = done.objects[-1]
    assert end["reason"] == "decided"
    assert end["deals"] == len(read_results(tmp_path / "out")[0]) // 2 < 3000
    again = run(f"{SMALL} {tmp_path}/out --deals 3000 --sprt elo0=0,elo1=50 --json --resume")
    assert again.objects[-1]["deals"] == end["deals"]


def test_a_folder_that_cannot_be_made_is_told(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run(f"{SMALL} {tmp_path}/file/out")
    assert done.code == 2
    assert "Not a directory" in done.err


@pytest.mark.parametrize(("deals", "most"), [(200, 20_000), (40, 40_000)], ids=["for the games", "for the report"])
def test_a_full_disk_is_told_and_what_was_played_is_gone_on_with(deals: int, most: int, run: Runner, tmp_path: Path) -> None:
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}));"
    program = f"{limited} import sys; from machiavel.server.cli import main; sys.exit(main(sys.argv[1:]))"
    command = f"{SMALL} {tmp_path}/out --deals {deals}"
    line = [sys.executable, "-c", program, *command.split()]
    done = subprocess.run(line, capture_output=True, text=True, env=environment(), check=False, timeout=120)
    assert done.returncode == 2, done.stderr
    assert f"--output {tmp_path}/out: File too large; the games played are kept, and --resume goes on with them" in done.stderr
    assert not [path for path in (tmp_path / "out").iterdir() if path.name.startswith(".")]
    assert not (tmp_path / "out" / "report.html").exists()
    again = run(f"{command} --resume")
    assert again.code == 0, again.err
    assert len(read_results(tmp_path / "out")[0]) == 2 * deals


def test_a_terminal_shows_a_table_that_changes(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [*COMMAND, *f"{SMALL} {tmp_path}/out --lang fr".split()]
    command[command.index("4")] = "400"
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True, env=environment(COLUMNS="100"))
    os.close(theirs)
    seen = b""
    while True:
        try:
            more = os.read(ours, 4096)
        except OSError:
            break
        if not more:
            break
        seen += more
    out, _ = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode == 0
    assert "parties" in seen.decode()
    assert "greedy" in seen.decode()
    assert "greedy" in out
    assert "\x1b" not in out


# ---- replay ----


@pytest.fixture
def played(run: Runner, tmp_path: Path) -> Path:
    assert (
        run(f"tournament agency --bots greedy random --deals 2 --seed 5 --executor threads:1 --output {tmp_path}/out").code == 0
    )
    return tmp_path / "out"


def test_a_game_is_shown_move_by_move(run: Runner, played: Path) -> None:
    done = run(f"replay {played}/games.jsonl --game 2")
    assert done.code == 0, done.err
    assert "seat 0: random" in done.out
    assert "You play" in done.out
    assert "End of the match" in done.out
    same = run(f"replay {played} --deal 0 --seating 1")
    assert same.out == done.out
    assert "Fin de la partie" in run(f"replay {played} --game 2 --lang fr").out
    brief = run(f"replay {played} --game 2 --moves")
    assert len(brief.out) < len(done.out) / 2


def test_every_game_has_a_table_to_be_shown_on(run: Runner, tmp_path: Path) -> None:
    for game in ("bond", "citadel", "whist"):
        folder = tmp_path / game
        assert run(f"tournament {game} --bots random --players 2 --deals 1 --executor threads:1 --output {folder}").code == 0
        for seat in (0, 1):
            done = run(f"replay {folder} --seat {seat}")
            assert done.code == 0, done.err
            assert len(done.out.splitlines()) > 10


def test_a_replay_shows_one_seat_what_it_saw(run: Runner, played: Path) -> None:
    done = run(f"replay {played} --game 1 --seat 1 --json")
    assert done.code == 0
    lines = done.objects
    assert [line["type"] for line in lines[:2]] == ["match", "view"]
    assert lines[0]["bots"] == ["greedy", "random"]
    results, _ = read_results(played)
    assert lines[-1]["utilities"] == pytest.approx(results.utilities[0].tolist())
    views = [line["view"] for line in lines if line["type"] == "view"]
    assert {view["seat"] for view in views} == {1}
    assert any(line["move"] == "pass:?" for line in lines if line["type"] == "move" and line["seat"] == 0)


def test_a_record_is_shown_as_well(run: Runner, tmp_path: Path) -> None:
    state = load("whist").new(2, seed=4)
    while not state.is_over:
        state.play(state.legal_moves()[0])
    (tmp_path / "match.json").write_text(json.dumps(state.record().to_json()))
    done = run(f"replay {tmp_path}/match.json --json")
    assert done.code == 0, done.err
    assert [line["move"] for line in done.objects if line["type"] == "move"] == list(state.moves)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("--game 9999", "holds no such game; it has "),
        ("--deal 0 --game 1", "name two games"),
        ("--seating 1", "the seating of which deal"),
        ("--seat 2", "the seats are 0 to 1"),
    ],
)
def test_what_cannot_be_shown_is_refused(arguments: str, problem: str, run: Runner, played: Path) -> None:
    done = run(f"replay {played} {arguments}")
    assert done.code == 2
    assert problem in done.err


def test_a_game_is_reviewed_as_its_record_is(run: Runner, played: Path, tmp_path: Path) -> None:
    game = read_game(played / GAMES, lambda number, _deal, _seating: number == 3)
    assert game is not None
    (tmp_path / "match.json").write_text(json.dumps(game.record.to_json()))
    alone = run(f"review {tmp_path}/match.json --iterations 5 --json")
    assert alone.code == 0, alone.err
    for name in (played, played / GAMES):
        assert run(f"review {name} --number 3 --iterations 5 --json").out == alone.out


@pytest.mark.parametrize(
    ("flags", "problem"), [("", "expected --number with one of its games, 1 to "), ("--number 9999", "holds no such game")]
)
def test_which_game_to_review_must_be_told(flags: str, problem: str, run: Runner, played: Path) -> None:
    done = run(f"review {played} {flags}")
    assert done.code == 2
    assert problem in done.err


def test_a_game_that_was_changed_does_not_replay(run: Runner, played: Path) -> None:
    path = played / GAMES
    header, *games = path.read_text().splitlines()
    game = json.loads(games[0])
    game["moves"] = game["moves"][1:]
    path.write_text("\n".join([header, json.dumps(game, separators=(",", ":"))]) + "\n")
    done = run(f"replay {played}")
    assert done.code == 2
    assert "moves[" in done.err
    assert done.out == ""
