"""`bench.histories` on a small scale: nothing is lost without a word, and a server that answers before it writes is found out."""

import asyncio
import sys
from pathlib import Path

import pytest

from bench import history_server
from bench.histories import Histories, parsed
from bench.history_table import BrokenHistory

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

HASTY = """
import asyncio, sys
from machiavel.server.cli import main
from machiavel.server.storage import AsyncStorage
read, write = AsyncStorage.read, AsyncStorage.write
late = set()
async def later(self, what):
    await asyncio.sleep(0.1)
    await write(self, *what)
async def hasty(self, *what):
    task = asyncio.create_task(later(self, what))
    late.add(task)
    task.add_done_callback(late.discard)
async def patient(self, *what):
    await asyncio.gather(*late)
    return await read(self, *what)
AsyncStorage.read, AsyncStorage.write = patient, hasty
sys.exit(main(sys.argv[1:]))
"""
LOST = "acknowledged|a watcher|answered otherwise"


def told(folder: Path, *arguments: str) -> None:
    async def run() -> None:
        histories = Histories(folder, 3, 1)
        try:
            await histories.run(parsed(arguments))
        finally:
            await histories.server.kill()
            await histories.channel.close(None)

    asyncio.run(run())


def without_kills(folder: Path) -> None:
    """Nothing is wrong with it then; raises BrokenHistory."""

    async def run() -> None:
        folder.mkdir()
        histories = Histories(folder, 3, 1)
        try:
            histories.must_start(await histories.start())
            await histories.begin()
            await histories.traffic(2.0)
            await histories.check_all()
            await histories.end()
            assert histories.count["acknowledged"] > 0
        finally:
            await histories.server.kill()
            await histories.channel.close(None)

    asyncio.run(run())


def test_a_server_that_is_killed_and_whose_files_are_spoiled_loses_nothing_without_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told(tmp_path, "--kills", "3", "--faults", "2")
    assert "nothing lost without a word" in capsys.readouterr().out


def test_a_server_that_answers_before_it_writes_has_a_broken_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_server, "LAUNCH", (sys.executable, "-c", HASTY, "serve"))
    without_kills(tmp_path / "unharmed")
    with pytest.raises(BrokenHistory, match=LOST):
        told(tmp_path, "--kills", "30", "--faults", "0")
