"""The programs on the page about the first seat are played, or at least read, as they stand."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import tree_sitter_c_sharp
from gdtoolkit.parser import parser as gdscript
from lark.exceptions import LarkError
from tree_sitter import Language, Parser

from machiavel.clients import connect
from tests.docs.page import DOCS, blocks, javascript, run
from tests.server.service.hosted import Hosted, config, hosted

PAGE = DOCS / "first_bot.md"
TOKEN = "-".join(["a", "token", "of", "some", "length"])
WAIT = 100.0  # seconds
RESULTS = re.compile(r"results by seat: [\d.]+ [\d.]+ [\d.]+\n\d+ moves\n")


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    tokens = tmp_path_factory.mktemp("tokens") / "tokens.toml"
    tokens.write_text(f'[tokens]\nada = "{TOKEN}"\n', encoding="utf-8")
    with hosted(web="127.0.0.1:0", tokens=str(tokens)) as result:
        yield result


def program(language: str) -> str:
    (result,) = blocks(PAGE, language)
    return result


def quick(text: str) -> str:
    """Bots that answer as fast as they may, so that the test is over soon."""
    return text.replace('"0.1s"', '"0.02s"').replace("think=0.1", "think=0.02").replace("thinkMs: 100", "thinkMs: 20")


def shorter(text: str) -> str:
    """The same with a game that is over sooner."""
    return text.replace("whist", "liars_dice")


def test_the_seat_in_the_shell_is_played_to_its_end(guarded: Hosted) -> None:
    text = shorter(quick(program("bash"))).replace("sleep 0.3", "sleep 0.02")
    assert RESULTS.fullmatch(run(guarded, "bash", "-c", text, TOKEN=TOKEN))


def test_the_seat_in_the_shell_says_what_is_wrong(guarded: Hosted) -> None:
    with pytest.raises(AssertionError, match="CreateMatch: unauthenticated: "):
        run(guarded, "bash", "-c", program("bash"), TOKEN=TOKEN[:-1])


def test_the_seat_in_python_is_played_to_its_end(guarded: Hosted) -> None:
    assert RESULTS.fullmatch(run(guarded, sys.executable, "-c", quick(program("python")), TOKEN=TOKEN))


def test_the_seat_in_javascript_is_played_to_its_end(guarded: Hosted, tmp_path: Path) -> None:
    assert RESULTS.fullmatch(javascript(guarded, quick(program("js")), tmp_path, TOKEN=TOKEN))


def is_c_sharp(text: str) -> bool:
    tree = Parser(Language(tree_sitter_c_sharp.language())).parse(text.encode())
    return not tree.root_node.has_error


def is_gdscript(text: str) -> bool:
    try:
        gdscript.parse(text)
    except LarkError:
        return False
    return True


def test_the_seat_in_c_sharp_has_no_error_of_syntax() -> None:
    text = program("csharp")
    assert is_c_sharp(text)
    assert not is_c_sharp(text.replace("while (true)", "while true"))
    assert not is_c_sharp(text.replace("return answer;", "return answer"))


def test_the_seat_in_gdscript_has_no_error_of_syntax() -> None:
    text = program("gdscript")
    assert is_gdscript(text)
    assert not is_gdscript(text.replace("while true:", "while true"))
    assert not is_gdscript(text.replace(":= 0.2", ":== 0.2"))


def test_what_no_compiler_looks_at_calls_what_the_others_call() -> None:
    """Paths and names of fields in C# and GDScript are those of the shell's program, which is run."""
    played = program("bash")
    for language in ("csharp", "gdscript"):
        methods = re.findall(r'"MatchService/(\w+)"', program(language))
        assert set(methods) == {"CreateMatch", "GetMatch", "PlayMove"} <= set(re.findall(r"call (\w+)", played))
        for name in ("seatTokens", "expectedVersion", "requestId", "snapshot", "position", "MATCH_PHASE_OVER", "aborted"):
            assert name in program(language)
            assert name in played


def test_the_lines_for_a_match_of_ones_own_run(server: Hosted) -> None:
    (line,) = blocks(PAGE, "sh")
    done = subprocess.run(["bash", "-n", "-c", line], check=False)
    assert done.returncode == 0
    assert '"best"' in run(server, "bash", "-c", line.replace("curl ", "curl --silent "))


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


def until(is_so: Callable[[], bool]) -> None:
    ends = time.monotonic() + WAIT
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_the_seats_outlast_a_restart_of_the_server(tmp_path: Path) -> None:
    ports = {"listen": f"127.0.0.1:{free_port()}", "web": f"127.0.0.1:{free_port()}"}
    settings = config(**ports, storage=f"sqlite:///{tmp_path / 'matches.sqlite3'}", drain=0)
    server = Hosted(settings)
    try:
        with ThreadPoolExecutor(3) as threads:
            shell, python, script = (shorter(program(language)) for language in ("bash", "python", "js"))
            played = [
                threads.submit(run, server, "bash", "-c", shell),
                threads.submit(run, server, sys.executable, "-c", python),
                threads.submit(javascript, server, script, tmp_path),
            ]
            with connect(server.address) as service:
                until(lambda: len(list(service.list_matches())) == len(played))
            server.stop()
            server = Hosted(settings)
            assert all(RESULTS.fullmatch(one.result(WAIT)) for one in played)
    finally:
        server.stop()
