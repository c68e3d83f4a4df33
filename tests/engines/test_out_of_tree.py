"""Engines from elsewhere: built, installed, found by entry point, and refused where they break the contract."""

import ctypes
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from machiavel.engines import Game, IncompatibleEngine, UnknownGame, games, load
from machiavel.engines.agency import ENGINE, AgencyEngine
from machiavel.engines.conformance.engine_struct import OPTIONAL, REQUIRED, Contract, capsule_of, contract_of

ROOT = Path(__file__).resolve().parents[2]
VERSION = contract_of(ENGINE).abi_version
SIZE = ctypes.sizeof(Contract)


def run(target: Path, *command: str | Path, cwd: Path = ROOT) -> str:
    """Run this Python in a folder, where `target` is importable, and return what it prints."""
    path = os.pathsep.join(filter(None, [str(target), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(
        [sys.executable, *command],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": path},
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example, as one makes it to start an engine of one's own."""
    copy = tmp_path_factory.mktemp("source") / "kuhn_elsewhere"
    shutil.copytree(ROOT / "tests/kuhn_elsewhere", copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


@pytest.fixture(scope="module")
def kuhn(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the copy; return the folder it is installed in."""
    target = tmp_path_factory.mktemp("installed")
    options = ("--quiet", "--no-index", "--no-build-isolation", "--no-deps")
    run(source, "-m", "pip", "install", *options, "--target", target, source)
    return target


def test_it_is_loaded_by_its_entry_point(kuhn: Path) -> None:
    program = (
        "import machiavel.engines as engines, machiavel_kuhn_elsewhere\n"
        "print(engines.load('kuhn_elsewhere'), *engines.games())\n"
        "print(machiavel_kuhn_elsewhere.__file__)"
    )
    result, where = run(kuhn, "-c", program).splitlines()

    assert result == f"<game kuhn_elsewhere> {' '.join(sorted({*games(), 'kuhn_elsewhere'}))}"
    assert Path(where).is_relative_to(kuhn)


def test_it_plays_by_its_rules(kuhn: Path) -> None:
    out = run(kuhn, "-m", "pytest", "-p", "no:cacheprovider", "tests/kuhn_elsewhere/test_kuhn_elsewhere.py")

    assert " passed" in out and "skipped" not in out


def test_its_tests_run_in_the_copy_it_was_installed_from(kuhn: Path, source: Path) -> None:
    out = run(kuhn, "-m", "pytest", "-p", "no:cacheprovider", "test_kuhn_elsewhere.py", cwd=source)

    assert " passed" in out and "skipped" not in out


def test_its_option_is_a_flag_like_any_other(kuhn: Path) -> None:
    command = ("-m", "machiavel.server.cli", "play", "kuhn_elsewhere", "--seed", "1", "--json")
    match, view, *_ = run(kuhn, *command, "--option", "cards=13").splitlines()

    assert json.loads(match)["players"] == 2
    assert json.loads(view)["options"] == {"players": 2, "cards": 13}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("--bots greedy greedy", "--bots names 2 bots, which makes 3 players: kuhn_elsewhere is for 2 players"),
        ("--option cards=2", "--option cards=2: expected a whole number from 3 to 13"),
        ("--medals 1", "kuhn_elsewhere has no option 'medals'; its options: cards"),
    ],
)
def test_what_it_cannot_do_is_told_in_the_words_of_the_command_line(kuhn: Path, arguments: str, problem: str) -> None:
    program = "import sys; from machiavel.server.cli import main; sys.stderr = sys.stdout; main(sys.argv[1:])"

    out = run(kuhn, "-c", program, "play", "kuhn_elsewhere", *arguments.split())

    assert out == f"machiavel: error: {problem}\n"


def test_it_passes_the_conformance_suite(kuhn: Path) -> None:
    out = run(kuhn, "-m", "pytest", "-p", "no:cacheprovider", "tests/conformance", "-k", "kuhn_elsewhere")

    assert " passed" in out and "skipped" not in out


def test_its_conformance_is_told_in_words_without_a_checkout(kuhn: Path, tmp_path: Path) -> None:
    out = run(kuhn, "-m", "machiavel.server.cli", "check-game", "kuhn_elsewhere", "--json", cwd=tmp_path)

    game, *results, end = map(json.loads, out.splitlines())
    assert (game["origin"], game["cases"]) == ("machiavel-kuhn-elsewhere 1.0.0", [{"players": 2, "options": {}}])
    assert all(one["type"] == "result" and one["proves"] for one in results)
    assert end["findings"] == 0
    assert end["holds"] > 40


# ---- What is refused ----


class Planted(AgencyEngine):
    """The agency engine with a struct of its own."""

    def __init__(self, contract: Contract, name: bytes = b"machiavel.engine") -> None:
        self.owned = contract, name
        self.capsule = capsule_of(contract, name)


def copied() -> Contract:
    return Contract.from_buffer_copy(contract_of(ENGINE))


def refusal(plugin: AgencyEngine) -> str:
    with pytest.raises(IncompatibleEngine) as caught:
        Game(plugin)
    assert caught.value.name == "agency"
    assert "engine 'agency' cannot be loaded" in str(caught.value)
    return caught.value.what


def test_a_copied_struct_is_as_good() -> None:
    assert Game(Planted(copied())).playouts(10, players=3).plies.all()


def test_another_version_of_the_contract_is_refused_with_both_versions() -> None:
    contract = copied()
    contract.abi_version = VERSION + 6

    what = refusal(Planted(contract))
    assert f"contract {VERSION + 6} of {SIZE} bytes" in what
    assert f"contract {VERSION} of {SIZE} bytes" in what


def test_another_size_of_the_struct_is_refused_with_both_sizes() -> None:
    contract = copied()
    contract.struct_size = SIZE - 16

    what = refusal(Planted(contract))
    assert f"contract {VERSION} of {SIZE - 16} bytes" in what
    assert f"contract {VERSION} of {SIZE} bytes" in what


def test_an_engine_built_before_faults_were_told_is_played_as_ever() -> None:
    contract = copied()
    contract.struct_size = SIZE - 8
    ctypes.memset(ctypes.addressof(contract) + SIZE - 8, 0xFF, 8)  # behind the end of its struct
    game = Game(Planted(contract))

    assert game.playouts(10, players=3).plies.all()
    assert game.new(3, seed=1).legal_moves()


def test_a_capsule_of_another_name_is_refused() -> None:
    assert "machiavel.engine" in refusal(Planted(copied(), b"machiavel.rules"))


def test_what_is_no_capsule_at_all_is_refused() -> None:
    plugin = Planted(copied())
    for other in (None, 7, object()):
        plugin.capsule = other
        assert "machiavel.engine" in refusal(plugin)


@pytest.mark.parametrize("name", [name for name, _ in REQUIRED])
def test_a_missing_function_is_refused(name: str) -> None:
    contract = copied()
    offset = getattr(Contract, name).offset
    ctypes.memset(ctypes.addressof(contract) + offset, 0, ctypes.sizeof(ctypes.c_void_p))

    assert "function" in refusal(Planted(contract))


def test_an_optional_function_may_be_missing() -> None:
    contract = copied()
    for name, _ in OPTIONAL:
        ctypes.memset(ctypes.addressof(contract) + getattr(Contract, name).offset, 0, ctypes.sizeof(ctypes.c_void_p))
    game = Game(Planted(contract))

    assert game.playouts(10, players=3).plies.all()
    assert game.new(3, seed=1).metrics == {}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("state_size", 0),
        ("state_size", 1 << 17),
        ("view_size", 0),
        ("max_moves", 0),
        ("max_moves", 999),
        ("move_limit", 0),
    ],
)
def test_sizes_out_of_bounds_are_refused(field: str, value: int) -> None:
    contract = copied()
    setattr(contract, field, value)

    refusal(Planted(contract))


def test_a_struct_of_another_name_is_refused() -> None:
    contract = copied()
    contract.name = b"bridge"

    assert "bridge" in refusal(Planted(contract))


def plant(folder: Path, name: str, target: str) -> None:
    """An installed distribution with nothing but an entry point."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[machiavel.engines]\n{name} = {target}\n")


def test_an_entry_point_that_is_no_engine_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, "oddity", "collections:OrderedDict")
    monkeypatch.syspath_prepend(tmp_path)

    assert "oddity" in games()
    with pytest.raises(IncompatibleEngine, match=r"'oddity'.*entry point is type, not an Engine"):
        load("oddity")


def test_an_unknown_game_names_those_there_are() -> None:
    with pytest.raises(UnknownGame, match="agency") as caught:
        load("chess")

    assert caught.value.known == games()
