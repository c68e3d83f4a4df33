"""`machiavel play --server`: two terminals, one table, bots in the other seats; `machiavel matches`."""

import contextlib
import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from machiavel.clients import commitment, connect
from machiavel.engines import Record, load
from machiavel.engines.phrases import typeset
from tests.engines.games import INSTALLED, players_of
from tests.server.cli.command import COMMAND, Runner, environment, run_process
from tests.server.cli.serving import serving
from tests.server.cli.terminal import CTRL_C, Terminal

PATIENCE = 120


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving("--think", "0.02") as (result, _):
        yield result


class Pipe:
    """A command that is talked to line by line, as a program would."""

    def __init__(self, *arguments: str) -> None:
        command = [*COMMAND, *arguments, "--json"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment())
        self.lines: list[dict[str, Any]] = []

    def read(self) -> dict[str, Any] | None:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            return None
        self.lines.append(json.loads(line))
        return self.lines[-1]

    def read_until(self, kind: str) -> dict[str, Any]:
        while (line := self.read()) is not None:
            if line["type"] == kind:
                return line
        raise AssertionError((self.lines, self.process.stderr and self.process.stderr.read()))

    def write(self, entry: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{entry}\n")
        self.process.stdin.flush()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):  # of what it was not read
                stream.close()


@contextmanager
def piped(*arguments: str) -> Iterator[Pipe]:
    pipe = Pipe(*arguments)
    try:
        yield pipe
    finally:
        pipe.close()


ONES = "1\n" * 400


# ---- By pipes ----


@pytest.mark.parametrize("game", INSTALLED)
def test_a_match_on_the_server_is_played_to_its_end_and_recorded(address: str, tmp_path: Path, game: str) -> None:
    file = tmp_path / "match.json"
    arguments = ["play", game, "--server", address, "--bots", "greedy", "--think", "0.02", "--record", str(file), "--json"]
    ran = run_process(*arguments, entries=ONES, timeout=PATIENCE)
    assert (ran.code, ran.err) == (0, "")
    table, match, view, *rest, end = ran.objects
    assert (table["type"], table["code"], match["type"], view["type"]) == ("table", None, "match", "view")
    assert (match["bots"], match["seat"]) == ([None, *["greedy"] * (players_of(game) - 1)], 0)
    # What a bot's foil makes needless while it is on its way is too late; in other games nobody answers for others.
    late = [line["error"] for line in rest if line["type"] == "late"]
    assert set(late) <= ({"NotToMove", "StaleVersion", "MatchOver"} if game == "bond" else set())
    assert {line["type"] for line in rest} <= {"ask", "move", "view", "late"}
    assert (end["type"], end["reason"], end["record"]) == ("end", "over", str(file))
    plies = [line["ply"] for line in rest if line["type"] == "move"]
    first = plies[0]  # a bot may have been quicker than the first look at the table
    assert plies == list(range(first, first + len(plies)))
    state = load(game).replay(Record.from_json(file.read_text(encoding="utf-8")))
    assert (list(state.utilities), str(state.seed), len(state.moves)) == (end["utilities"], end["seed"], first + len(plies))
    seen = [line["view"] for line in rest if line["type"] == "view"]
    assert seen[-1] == json.loads(json.dumps(state.view(0).to_json()["view"]))
    assert [line["move"] for line in rest if line["type"] == "move"] == list(state.observed_moves(0)[first:])


def test_two_people_at_one_table_with_a_bot_between_them(address: str) -> None:
    with ExitStack() as stack:
        host = stack.enter_context(
            piped("play", "whist", "--server", address, "--bots", "greedy", "open", "--think", "0.02", "--name", "Ada")
        )
        code = host.read_until("table")["code"]
        assert host.read_until("waiting")["seats"] == [2]
        guest = stack.enter_context(piped("play", "--server", address, "--join", code, "--name", "Bo"))
        assert guest.read_until("table")["host"] is None
        joined = host.read_until("seat")
        assert (joined["seat"], joined["name"]) == (2, "Bo")
        assert guest.read_until("match")["names"] == ["Ada", "", "Bo"]
        assert guest.lines[-1]["seat"] == 2
        for pipe in (host, guest):
            pipe.write(ONES)
            pipe.process.stdin.close()  # type: ignore[union-attr]
        ends = [pipe.read_until("end") for pipe in (host, guest)]
        assert {end["reason"] for end in ends} == {"over"}
        assert ends[0]["utilities"] == ends[1]["utilities"]
        assert ends[0]["seed"] == ends[1]["seed"]
        plies = [[line["ply"] for line in pipe.lines if line["type"] == "move"] for pipe in (host, guest)]
        assert plies[0][-1] == plies[1][-1]


def test_a_match_that_was_left_can_be_come_back_to(address: str, tmp_path: Path) -> None:
    arguments = ["play", "whist", "--server", address, "--bots", "greedy", "--think", "0.02"]
    left = run_process(*arguments, "--json", entries="1\n1\nq\n", timeout=PATIENCE).objects
    assert (left[-1]["reason"], left[-1]["seed"], left[-1]["record"]) == ("left", None, None)
    back = ["play", "--server", address, "--back", left[0]["back"]]
    file = tmp_path / "match.json"
    rest = run_process(*back, "--json", "--record", str(file), entries=ONES, timeout=PATIENCE).objects
    assert rest[-1]["reason"] == "over"
    plies = [next(line["ply"] for line in lines if line["type"] == "move") for lines in (left, rest)]
    assert plies[1] >= plies[0] + len([line for line in left if line["type"] == "move"])
    again = run_process(*back, "--json", timeout=PATIENCE).objects
    assert (again[-1]["reason"], again[-1]["seed"]) == ("over", rest[-1]["seed"])
    assert load("whist").replay(Record.from_json(file.read_text(encoding="utf-8"))).is_over
    told = run_process(*back, "--lang", "fr", timeout=PATIENCE)
    assert (told.code, told.err) == (0, "")
    assert "Graine de la partie\N{NO-BREAK SPACE}: " in told.out
    assert "La donne est bien celle à laquelle le serveur s’était engagé" in told.out


def test_wrong_entries_are_refused_as_at_a_table_of_ones_own(address: str) -> None:
    arguments = ["play", "whist", "--server", address, "--bots", "greedy", "--think", "0.02"]
    ran = run_process(*arguments, "--json", entries="frog\n99\nq\n", timeout=PATIENCE)
    refused = [line for line in ran.objects if line["type"] == "refused"]
    assert [(line["entry"], line["error"]) for line in refused] == [("frog", "NotAMove"), ("99", "NotAMove")]
    assert all(line["message"] and line["legal"] for line in refused)
    french = run_process(*arguments, "--lang", "fr", entries="frog\nq\n", timeout=PATIENCE)
    assert typeset("« frog » n’est pas un coup. Possible maintenant : ", "fr") in french.out
    assert "Pour revenir\N{NO-BREAK SPACE}: machiavel play --server" in french.out


def test_a_choice_is_taken_back_at_a_table_for_practice(address: str) -> None:
    flags = ("--server", address, "--bots", "greedy", "greedy", "--think", "0.02")
    with piped("play", "whist", *flags, "--practice") as pipe:
        first = pipe.read_until("ask")
        pipe.write("undo")
        pipe.read_until("nothing_to_take_back")
        pipe.write(first["legal"][0])
        pipe.read_until("ask")
        pipe.write("undo")
        assert pipe.read_until("taken_back")["moves"] >= 3
        assert pipe.read_until("ask")["legal"] == first["legal"]
    with piped("play", "whist", *flags) as pipe:
        pipe.read_until("ask")
        pipe.write("undo")
        assert pipe.read_until("refused")["error"] == "NotAMove"


def test_hints_are_for_tables_that_were_set_up_with_them(address: str) -> None:
    arguments = ["play", "whist", "--server", address, "--bots", "greedy", "--think", "0.02"]
    none = run_process(*arguments, entries="hint\n? 1\nq\n", timeout=PATIENCE)
    assert none.out.count("There are no hints at this table: it was set up without --hints.") == 2
    told = run_process(*arguments, "--hints", "--lang", "fr", entries="conseil\nq\n", timeout=PATIENCE)
    assert "Pas de conseils" not in told.out and " %" in told.out


def test_who_takes_too_long_is_told_so_and_watches_on(address: str) -> None:
    arguments = ["play", "whist", "--server", address, "--bots", "greedy", "--think", "0.02", "--move-time", "3"]
    with piped(*arguments) as pipe:
        pipe.read_until("ask")
        assert (seat := pipe_until_forfeit(pipe, address))["forfeited"]
        assert (seat["seat"], seat["bot"]) == (0, "greedy")
        assert pipe.read_until("end")["reason"] == "over"


def pipe_until_forfeit(pipe: Pipe, address: str) -> dict[str, Any]:
    """Answers once the server has given the seat up, which the person is told then."""
    back = pipe.lines[0]["back"]
    match, token = back.split(":", 1)
    with connect(address) as service:
        for answer in service.session(match, token).watch():
            if answer.HasField("snapshot") and answer.snapshot.match.seats[0].forfeited:
                break
            if answer.event.HasField("seat") and answer.event.seat.forfeited:
                break
    pipe.write("1")
    assert pipe.read_until("late")["error"] in {"SeatHeld", "MatchOver"}
    return pipe.read_until("seat")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("play whist --bots nobody --server {}", "there is no bot 'nobody'"),
        ("play whist --seed 5 --server {}", "--seed: a server draws its deals itself; leave it out"),
        ("play --server {}", "GAME is missing; expected one, or --join CODE"),
        ("play whist --join AAAAA --server {}", "--join: the match is set up already; leave out whist"),
        ("play --join AAAAA --medals 3 --server {}", "--join: the match is set up already; leave out --medals"),
        ("play --join AAAAA --back m:t --server {}", "--join: the match is set up already; leave out --back"),
        ("play --join AAAAAAAAAA --server {}", "code"),
        ("play --back nonsense --server {}", "--back nonsense: expected MATCH:TOKEN"),
        ("play --back no:thing --server {}", "there is no such match"),
        ("play whist --players 9 --server {}", "--players 9: whist is for 2 to 7 players"),
        ("play whist --join AAAAA", "--join: is for a match on a server; expected --server HOST:PORT besides"),
        ("play whist --think 3", "--think: is for a match on a server"),
        ("matches --server {} --export nonsense", "--export nonsense: expected MATCH:TOKEN"),
        ("matches --server {} --delete no:thing", "there is no such match"),
        ("matches", "--server"),
    ],
)
def test_what_cannot_be_is_one_line(run: Runner, address: str, arguments: str, message: str) -> None:
    done = run(arguments.format(address))
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


# ---- In terminals ----

TOLD = {
    "en": (
        "Others join with: machiavel play --server ",
        "Still open: seat 1",
        "Type a move",
        "You play",
        "End of the match",
        "Seed of",
        "Enter r for another",
        "Waiting for the others",
    ),
    "fr": (
        "Pour venir jouer\N{NO-BREAK SPACE}: machiavel play --server ",
        "Encore libre\N{NO-BREAK SPACE}: joueur 1",
        "Tape un coup",
        "Tu joues",
        "Fin de la partie",
        "Graine",
        "Tape r pour une revanche",
        "En attente des autres",
    ),
}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.slow), "fr"])
def test_two_terminals_share_a_table_and_a_rematch(address: str, language: str) -> None:
    code_line, waiting, opening, played, over, seed, another, waits = TOLD[language]
    flags = ("--lang", language, "--server", address)
    bots = ("--bots", "open", "greedy", "--think", "0.02", "--medals", "1", "--no-powers")
    with ExitStack() as stack:
        host = Terminal("play", "agency", *flags, *bots)
        stack.callback(host.close)
        host.wait_for(waiting)
        code = host.text.split(code_line)[1].split("--join ")[1].split()[0].removesuffix("\x1b[0m")
        guest = Terminal("play", "--join", code, "--name", "Zoé", *flags)
        stack.callback(guest.close)
        for terminal in (host, guest):
            terminal.wait_for(opening)
        assert "Zoé" in host.text
        alternate(host, guest, over)
        for terminal in (host, guest):
            terminal.wait_for(another)
            assert terminal.text.count(opening) == 1
        host.send(b"r\r")
        host.wait_for(waits)
        guest.send(b"r\r")
        for terminal in (host, guest):
            terminal.wait_for(opening, after=terminal.text.index(another))
            terminal.send(CTRL_C)
            assert terminal.end() == 130
            assert terminal.is_clean()
            assert played in terminal.text
            assert seed in terminal.text
            assert "Traceback" not in terminal.text


def alternate(host: Terminal, guest: Terminal, over: str) -> None:
    """Each plays the first move of the list whenever it is asked, until both are told that it is over."""
    answered = {id(host): 0, id(guest): 0}
    while not all(over in terminal.text for terminal in (host, guest)):
        for terminal in (host, guest):
            terminal.look()
            asked = terminal.text.count("> ")
            if asked > answered[id(terminal)] and over not in terminal.text:
                answered[id(terminal)] = asked
                terminal.send(b"1\r")


def test_ctrl_c_leaves_a_clean_terminal_and_says_how_to_come_back(address: str) -> None:
    terminal = Terminal("play", "whist", "--server", address, "--bots", "open")
    try:
        terminal.wait_for("Still open")
        terminal.send(CTRL_C)
        assert terminal.end() == 130
        assert terminal.is_clean()
        assert "Come back with: machiavel play --server" in terminal.text
        assert "It can be removed with: machiavel matches --server" in terminal.text
        assert "Traceback" not in terminal.text
    finally:
        terminal.close()


def test_a_server_that_goes_away_is_waited_for_and_the_way_back_is_told(tmp_path: Path) -> None:
    from tests.server.matches.process import Served

    with Served(tmp_path / "matches.sqlite") as served:
        served.start()
        arguments = ("play", "whist", "--server", served.address, "--bots", "greedy", "--think", "0.02")
        with piped(*arguments) as pipe:
            pipe.read_until("ask")
            served.kill()
            pipe.write("1")
            served.start()
            pipe.write(ONES)
            pipe.process.stdin.close()  # type: ignore[union-attr]
            assert pipe.read_until("end")["reason"] == "over"


# ---- machiavel matches ----


def test_matches_are_listed_exported_and_removed(tmp_path: Path) -> None:
    with serving("--storage", "memory:") as (address, _):
        server = ("--server", address)
        assert run_process("matches", *server).out == "There are no matches.\n"
        over = run_process(
            "play", "whist", *server, "--bots", "greedy", "--think", "0.02", "--json", entries=ONES, timeout=PATIENCE
        )
        with piped("play", "bond", *server, "--bots", "open", "greedy", "--name", "Ada") as waiting:
            hosts = [over.objects[0]["host"], waiting.read_until("table")["host"]]

        listed = run_process("matches", *server, "--json").objects
        assert [(one["game"], one["phase"]) for one in listed] == [("bond", "waiting"), ("whist", "over")]
        assert [seat["kind"] for seat in listed[0]["seats"]] == ["person", "open", "bot"]
        french = run_process("matches", *server, "--lang", "fr").out.splitlines()
        assert "attend des joueurs" in french[0] and "Ada, quelqu’un, greedy" in french[0]
        assert "finie" in french[1]
        assert re.search(r"  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC  whist  ", french[1])

        exported = run_process("matches", *server, "--export", hosts[0])
        assert (exported.code, exported.err) == (0, "")
        assert load("whist").replay(Record.from_json(exported.out)).is_over
        early = run_process("matches", *server, "--export", hosts[1])
        assert (early.code, early.out) == (2, "")
        with connect(address) as service:
            match, token = hosts[0].split(":", 1)
            assert commitment(service.session(match, token).record()) == listed[1]["commitment"]

        assert run_process("matches", *server, "--delete", hosts[0]).out == f"Removed: {match}\n"
        assert len(run_process("matches", *server, "--json").objects) == 1
