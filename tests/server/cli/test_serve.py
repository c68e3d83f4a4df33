"""`machiavel serve` listens until it is told to end; `hint` can let it think."""

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

import pytest
import trustme

from machiavel.clients import BadToken, connect
from machiavel.engines import load
from machiavel.server.service.config import Config
from tests.server.cli.command import COMMAND, Runner, environment, run_process
from tests.server.cli.serving import serving

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as (result, _):
        yield result


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_without_an_error(number: signal.Signals) -> None:
    with serving() as (address, process):
        with connect(address) as service:
            assert service.list_games()
        process.send_signal(number)
        assert process.wait(30) == 0
        assert process.stderr.read() == ""


def test_a_hangup_makes_it_read_its_tokens_again(tmp_path: Path) -> None:
    path, token, other = tmp_path / "tokens.toml", "the-token-of-ada-before", "the-token-of-ada-afterwards"
    path.write_text(f'[tokens]\nada = "{token}"\n', encoding="utf-8")
    with serving("--tokens", str(path)) as (address, process), connect(address, token=other) as service:
        with pytest.raises(BadToken):
            service.list_games()
        path.write_text(f'[tokens]\nada = "{other}"\n', encoding="utf-8")
        process.send_signal(signal.SIGHUP)
        for _ in range(600):
            try:
                assert service.list_games()
                break
            except BadToken:
                time.sleep(0.05)
        assert service.list_games()
        path.write_text("", encoding="utf-8")
        process.send_signal(signal.SIGHUP)
        told = json.loads(process.stderr.readline())
        assert told["event"] == "reload_failed"
        assert told["problem"].startswith(f"tokens: {path}: expected a table [tokens]")
        assert service.list_games()


EARLY = """
import os, signal, sys
from machiavel.server import garbage
from machiavel.server.cli import main
load = garbage.load_games
def load_games():
    os.kill(os.getpid(), signal.SIGHUP)
    load()
garbage.load_games = load_games
sys.exit(main(sys.argv[1:]))
"""


def test_a_hangup_that_comes_before_it_listens_makes_it_read_its_tokens_once_it_does(tmp_path: Path) -> None:
    path, token = tmp_path / "tokens.toml", "the-token-of-ada-before"
    path.write_text(f'[tokens]\nada = "{token}"\n', encoding="utf-8")
    command = [sys.executable, "-c", EARLY, "serve", "--listen", "127.0.0.1:0", "--storage", "memory:", "--tokens", str(path)]
    with subprocess.Popen(
        [*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            with connect(json.loads(process.stdout.readline())["address"], token=token) as service:
                assert service.list_games()
            assert any('"reloaded"' in line for line in process.stderr)
        finally:
            process.kill()


def test_it_ends_with_its_terminal() -> None:
    child, terminal = pty.fork()
    if not child:
        os.execvpe(COMMAND[0], [*COMMAND, "serve", "--listen", "127.0.0.1:0", "--storage", "memory:"], environment())  # noqa: S606
    text = b""
    while b"Machiavel listens on" not in text:
        text += os.read(terminal, 4096)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_settings_are_checked_without_a_port_or_a_storage(run: Runner, tmp_path: Path) -> None:
    path, storage = tmp_path / "server.toml", tmp_path / "new" / "matches.sqlite3"
    path.write_text(f'storage = "sqlite:///{storage}"\n[callers.ada]\ncalls = 5\n', encoding="utf-8")
    done = run("serve", "--config", str(path), "--check-config")
    assert (done.code, done.out) == (0, "The settings are right, and so are the files that they name.\n")
    done = run("serve", "--config", str(path), "--check-config", "--json", "--calls", "7")
    told = json.loads(done.out)
    assert (told["settings"]["calls"], told["callers"]) == (7, {"ada": {"calls": 5}})
    assert not storage.parent.exists()


@contextmanager
def printing(*arguments: str) -> Iterator[Callable[[], str]]:
    """Reads the lines that a server in a process of its own prints."""
    command = [*COMMAND, "serve", "--listen", "127.0.0.1:0", "--log-level", "error", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment()) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline
        finally:
            process.kill()


def test_where_the_metrics_are_is_told_beside_the_address() -> None:
    with printing("--metrics", "127.0.0.1:0", "--json") as line:
        metrics = json.loads(line())["metrics"]
        assert urllib.request.urlopen(f"http://{metrics}/metrics", timeout=60).status == 200
    with printing("--json") as line:
        assert json.loads(line())["metrics"] is None
    with printing("--metrics", "127.0.0.1:0") as line:
        assert line().startswith("Machiavel listens on 127.0.0.1:")
        matched = re.fullmatch(r"Metrics are at http://(127\.0\.0\.1:\d+)/metrics\n", line())
        assert matched
        assert urllib.request.urlopen(f"http://{matched[1]}/metrics", timeout=60).status == 200


def test_where_the_web_door_is_is_told_beside_the_address() -> None:
    with printing("--web", "127.0.0.1:0", "--json") as line:
        told = json.loads(line())
        matched = re.fullmatch(r"http://(127\.0\.0\.1:\d+)", told["web"])
        assert matched
        assert told["page"] == f"http://{matched[1]}/"
        assert urllib.request.urlopen(f"http://{matched[1]}/readyz", timeout=60).status == 200
    with printing("--json") as line:
        told = json.loads(line())
        assert (told["web"], told["page"]) == (None, None)
    with printing("--web", "127.0.0.1:0") as line:
        assert line().startswith("Machiavel listens on 127.0.0.1:")
        page = re.fullmatch(r"Play in a browser: http://(127\.0\.0\.1:\d+)/\n", line())
        assert page
        assert b"<!doctype html>" in urllib.request.urlopen(f"http://{page[1]}/", timeout=60).read()
        assert line() == f"Programs and curl call http://{page[1]}\n"


def test_a_rehearsal_says_what_it_is() -> None:
    with printing("--rehearsal", "7") as line:
        assert line().startswith("Machiavel listens on 127.0.0.1:")
        assert line().startswith("A rehearsal: whoever knows the seed knows every card")


def test_a_second_server_is_told_where_the_first_keeps_its_matches_and_what_to_give(tmp_path: Path) -> None:
    """Each of them where matches are kept unless it is said otherwise."""
    alone = {name: value for name, value in environment(XDG_STATE_HOME=str(tmp_path)).items() if name != "MACHIAVEL_STORAGE"}
    command = [*COMMAND, "serve", "--listen", "127.0.0.1:0", "--json", "--log-level", "error"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=alone) as first:
        try:
            assert first.stdout is not None
            assert first.stdout.readline()
            second = subprocess.run(command, capture_output=True, text=True, timeout=60, env=alone, check=False)
            file = tmp_path / "machiavel" / "matches.sqlite3"
            assert (second.returncode, second.stdout) == (2, "")
            assert second.stderr == (
                f"machiavel: error: storage: {file}: another server (process {first.pid}) keeps its matches there; "
                "expected a file that this server alone writes to, --storage sqlite:///FILE, "
                "or --storage memory: which forgets its matches at the end\n"
            )
            with subprocess.Popen(
                [*command, "--storage", f"sqlite:///{tmp_path / 'other.sqlite3'}"], stdout=subprocess.PIPE, text=True, env=alone
            ) as other:
                assert other.stdout is not None
                assert other.stdout.readline()
                other.terminate()
        finally:
            first.terminate()


def test_make_run_greets_with_a_match_the_pages_address_and_three_things_to_try(tmp_path: Path) -> None:
    folder = tmp_path / "played here"
    make = ["make", "--no-print-directory", "--dry-run", "run", "ARGS=--listen 127.0.0.1:0 --web 127.0.0.1:0"]
    home = os.environ | {"XDG_STATE_HOME": str(folder)}
    last = subprocess.run(make, cwd=ROOT, env=home, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    assert last.startswith(".venv/bin/machiavel serve ")
    command = [*COMMAND, *shlex.split(last)[1:]]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment()) as process:
        try:
            assert process.stdout is not None
            lines: list[str] = []
            while "Three things" not in (lines or [""])[-1]:
                lines.append(process.stdout.readline())
                assert lines[-1], lines
            tries = [process.stdout.readline().strip() for _ in range(3)]
        finally:
            process.send_signal(signal.SIGINT)
    assert any("won." in line for line in lines)
    (page,) = (line.split()[-1] for line in lines if line.startswith("Play in a browser: "))
    assert any(line.startswith(f"Open {page} in a browser") for line in lines)
    assert (folder / "machiavel" / "tournaments").is_dir()
    assert all(line.startswith(".venv/bin/") and "127.0.0.1:" in line for line in tries)


def test_commands_reach_a_server_with_a_token_and_a_certificate_of_its_own(run: Runner, tmp_path: Path) -> None:
    authority, token = trustme.CA(), "-".join(["a", "token", "of", "some", "length"])
    own = authority.issue_cert("127.0.0.1")
    own.private_key_pem.write_to_path(tmp_path / "key.pem")
    own.cert_chain_pems[0].write_to_path(tmp_path / "cert.pem")
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    (tmp_path / "tokens.toml").write_text(f'[tokens]\nada = "{token}"\n', encoding="utf-8")
    files = (
        "--tls-certificate",
        f"{tmp_path}/cert.pem",
        "--tls-key",
        f"{tmp_path}/key.pem",
        "--tokens",
        f"{tmp_path}/tokens.toml",
    )
    with serving(*files, "--storage", "memory:") as (address, _):
        done = run(f"matches --server {address} --tls-root {tmp_path}/ca.pem --token {token}")
        assert (done.code, done.out) == (0, "There are no matches.\n")
        done = run(f"matches --server {address} --tls-root {tmp_path}/ca.pem")
        assert done.code == 2
        assert "--token or MACHIAVEL_TOKEN gives it one" in done.err
        done = run(f"matches --server {address} --tls-root {tmp_path}/none.pem")
        assert done.code == 2
        assert f"--tls-root {tmp_path}/none.pem: cannot be read" in done.err


def test_the_help_explains_every_setting(run: Runner) -> None:
    text = run("serve", "--help").out
    for one in fields(Config):
        assert f"--{one.name.replace('_', '-')}" in text
        assert f"[MACHIAVEL_{one.name.upper()}]" in " ".join(text.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--listen 0.0.0.0:7788", "can be reached from other machines"),
        ("--rehearsal 7 --listen 0.0.0.0:7788 --plaintext", "in a rehearsal every token can be foretold"),
        ("--queue many", "--queue: is 'many'; expected a whole number"),
        ("--tokens nowhere.toml", "nowhere.toml: cannot be read"),
        ("--config nowhere.toml", "nowhere.toml: cannot be read"),
        ("--tokens nowhere.toml --check-config", "nowhere.toml: cannot be read"),
        ("--web 127.0.0.1:0 --web-origins play --check-config", "web_origins"),
        ("--storage sqlite:////dev/null/matches.sqlite3 --check-config", "storage: /dev/null: cannot be written to"),
        ("--greet --tokens tokens.toml", "--greet: comes without a token"),
    ],
)
def test_a_setting_that_cannot_be_is_one_line(run: Runner, arguments: str, message: str) -> None:
    done = run(f"serve {arguments}")
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_hint_of_the_server_is_the_hint_given_here(address: str, tmp_path: Path) -> None:
    state = load("bond").new(3, seed=4)
    while len(state.legal_moves()) < 3:
        state.play(state.legal_moves()[0])
    file = tmp_path / "view.json"
    file.write_text(json.dumps(state.view(state.seat_to_move).to_json()), encoding="utf-8")
    arguments = ["hint", "bond", str(file), "--iterations", "300", "--seed", "5"]
    here, there = run_process(*arguments), run_process(*arguments, "--server", address)
    assert (there.code, there.out) == (0, here.out)
    of_json = run_process(*arguments, "--json", "--server", address).objects[0]
    assert of_json["candidates"] == run_process(*arguments, "--json").objects[0]["candidates"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("play whist --bots nobody --server {}", "there is no bot 'nobody'"),
        ("play whist --server games.example:1 --token a-token-of-some-length", "in the clear"),
    ],
)
def test_what_the_server_refuses_is_one_line(address: str, arguments: str, message: str) -> None:
    done = run_process(*arguments.format(address).split(), entries="1\n" * 200)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1
