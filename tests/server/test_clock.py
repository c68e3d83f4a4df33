"""The server reads the time in one place."""

import ast
import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

from machiavel.server.clock import SYSTEM_CLOCK
from tests.server.clocks import FakeClock

SERVER = Path(__file__).parents[2] / "server"
CLOCK = SERVER / "clock.py"
WALL = {
    "time": {"time", "time_ns", "localtime", "gmtime", "ctime", "strftime", "asctime", "clock_gettime", "clock_gettime_ns"},
    "datetime": {"now", "utcnow", "today"},
    "date": {"today"},
}
CLOCKED = ("matches", "storage", "service")  # nothing there reads any other clock either
NAMES = {name for names in WALL.values() for name in names}


def reads(source: str) -> Iterator[str]:
    """Where the wall clock is read, under whatever name its module was imported."""
    tree = ast.parse(source)
    imports = [one for one in ast.walk(tree) if isinstance(one, ast.Import)]
    modules = {alias.asname or alias.name: alias.name for one in imports for alias in one.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            if node.module == "time":
                yield from (f"from time import {alias.name}" for alias in node.names if alias.name in WALL["time"])
            if node.module == "datetime":
                modules |= {alias.asname or alias.name: alias.name for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = node.value
            name = owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
            if node.attr in WALL.get(modules.get(name, name), set()):
                yield ast.unparse(node)


def test_nothing_but_the_clock_reads_the_wall_clock() -> None:
    result = {
        f"{path.relative_to(SERVER)}: {read}"
        for path in SERVER.rglob("*.py")
        if path != CLOCK
        for read in reads(path.read_text("utf-8"))
    }
    assert not result
    assert set(reads(CLOCK.read_text("utf-8"))) == {"time.time_ns"}


def test_matches_storage_and_services_have_no_clock_of_their_own() -> None:
    for folder in CLOCKED:
        for path in (SERVER / folder).rglob("*.py"):
            names = {
                alias.name
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
                if isinstance(node, ast.Import | ast.ImportFrom)
                for alias in node.names
            } | {node.module for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)}
            assert not names & {"time", "datetime"}, path
            calls = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
            assert not [call for call in calls if isinstance(call, ast.Attribute) and call.attr == "time"], path  # of a loop


def test_a_reader_of_the_wall_clock_is_found_under_any_name() -> None:
    for source in (
        "import time\ntime.time()",
        "import time as t\nmark = t.time_ns",
        "from time import time_ns as mark",
        "import datetime\ndatetime.datetime.now()",
        "import datetime as dt\ndt.datetime.now(dt.UTC)",
        "from datetime import datetime\ndatetime.utcnow()",
        "from datetime import datetime as d, date\nd.now()\n",
        "from datetime import date\ndate.today()",
    ):
        assert list(reads(source)), source
    assert not list(reads("import time\ntime.monotonic()\nself.now()\nround.time()"))


def test_the_systems_clock_is_the_machines() -> None:
    assert abs(SYSTEM_CLOCK.wall() - time.time_ns()) < 60 * 10**9
    assert abs(SYSTEM_CLOCK.monotonic() - time.monotonic()) < 60
    asyncio.run(rung())


async def rung() -> None:
    done = asyncio.Event()
    SYSTEM_CLOCK.call_later(0.0, done.set)
    async with asyncio.timeout(60):
        await done.wait()
        await SYSTEM_CLOCK.sleep(0.0)


def test_a_fake_clock_goes_on_when_it_is_told_to() -> None:
    async def scenario() -> list[str]:
        clock, told = FakeClock(5), list[str]()
        clock.call_later(2.0, lambda: told.append(f"second at {clock.monotonic()}"))
        clock.call_later(1.0, lambda: clock.call_later(0.5, lambda: told.append(f"first at {clock.monotonic()}")))
        clock.call_later(1.0, lambda: told.append("never")).cancel()
        sleeper = asyncio.create_task(clock.sleep(3.0))
        await asyncio.sleep(0)
        clock.go_on(2.5)
        clock.set_wall(0)
        await asyncio.sleep(0)
        assert not sleeper.done()
        clock.go_on(0.5)
        await sleeper
        assert (clock.wall(), clock.monotonic(), clock.waiting) == (5 * 10**8, 3.0, [])
        return told

    assert asyncio.run(scenario()) == ["first at 1.5", "second at 2.0"]
