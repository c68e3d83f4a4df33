"""Both distributions, installed by one command into a fresh environment, out of a fresh checkout."""

import shutil
import sys
import venv
from pathlib import Path

import pytest

from tests.engines.games import INSTALLED
from tests.packaging.project import ROOT, page_files, project_files, run

PLAY = """
import asyncio
from machiavel.clients import connect_async
from machiavel.server.service.app import Server
from machiavel.server.service.config import Config

async def play():
    async with Server(Config(listen="127.0.0.1:0", log_level="error")) as server, connect_async(server.address) as service:
        for game in await service.list_games():
            state = await service.new_state(game.name, min(game.players), seed=1)
            answer = await service.recommend_move(state, bot="ismcts:seed=1", iterations=20)
            print(game.name, (await service.apply_move(state, answer.move.text)).state.ply)

asyncio.run(play())
"""


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_one_command_installs_the_client_and_the_server(tmp_path: Path) -> None:
    """As README.md has it, after `make page`; pip gets what else is needed where it always does."""
    checkout = tmp_path / "checkout"
    for path in [*project_files(), *(ROOT / name for name in page_files())]:
        copy = checkout / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy, follow_symlinks=False)
    for link in (path for path in (ROOT / "clients").iterdir() if path.is_symlink()):
        if not (checkout / "clients" / link.name).exists():
            (checkout / "clients" / link.name).symlink_to(link.readlink())
    venv.create(tmp_path / "environment", with_pip=True, symlinks=True)
    python = tmp_path / "environment" / "bin" / "python"
    run([python, "-m", "pip", "install", "--quiet", "./clients", "."], checkout, timeout=1500)
    shutil.rmtree(checkout)
    assert run([python, "-c", PLAY], tmp_path).splitlines() == [f"{game} 1" for game in INSTALLED]
    program = "from machiavel.server.web.page_files import BUILT, page_files; print(*page_files(BUILT))"
    assert len(run([python, "-c", program], tmp_path).split()) == len(page_files())
    assert "citadel" in run([python.parent / "machiavel", "games"], tmp_path)
    assert sys.prefix not in run([python, "-m", "pip", "show", "--files", "machiavel", "machiavel-client"], tmp_path)
