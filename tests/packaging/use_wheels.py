"""Uses the wheels as somebody does who has no compiler: `python use_wheels.py --wheels dist PYTHON…`.

For each PYTHON it makes a fresh environment outside the checkout and installs both wheels there, from wheels alone and without
a compiler on the PATH. Then it plays whole games in bulk, a match in the terminal and a tournament, starts the service, lets
the client play every game over it, and fetches the page for browsers. All of it is seeded: every Python must give the same.
pip gets what else is needed where it always does. Needs nothing but Python, so that it may be copied to where another one is.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

BOTS = ("ismcts:iterations=50", "greedy", "random")
WAIT = 600  # seconds, where something is wrong

CLIENT = """
import sys
from machiavel.clients import connect

with connect(sys.argv[1]) as service:
    for game in service.list_games():
        state = service.new_state(game.name, max(game.players), seed=1)
        while not state.over:
            view = service.get_view(state, state.seat_to_move)
            move = service.recommend_move(view, bot="ismcts:seed=1", iterations=20).move.text
            state = service.apply_move(state, move).state
        print(f"{game.name} over the service: {state.ply} moves, utilities", *state.utilities)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheels", type=Path, default=Path("dist"), help="where both wheels lie (dist)")
    parser.add_argument("pythons", nargs="*", default=[sys.executable], metavar="PYTHON", help="by default this one")
    arguments = parser.parse_args()
    wheels = sorted(arguments.wheels.resolve().glob("*.whl"))
    if sorted(path.name.partition("-")[0] for path in wheels) != ["machiavel", "machiavel_client"]:
        parser.error(f"{arguments.wheels} holds no wheels of machiavel and machiavel-client, or more than those; make wheels")
    result = {}
    for python in arguments.pythons:
        with TemporaryDirectory(prefix="wheels-") as folder:
            version, results = use(python, wheels, Path(folder))
        print(f"{python}: {version}\n  " + "\n  ".join(results), flush=True)
        result[python] = results
    different = [python for python, results in result.items() if results != result[arguments.pythons[0]]]
    if different:
        print(f"not the same as {arguments.pythons[0]}: {', '.join(different)}", file=sys.stderr)
    return 1 if different else 0


def use(python: str, wheels: list[Path], folder: Path) -> tuple[str, list[str]]:
    """What was installed, and everything that must not differ."""
    run([python, "-m", "venv", folder / "environment"], folder)
    programs = folder / "environment" / "bin"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MACHIAVEL"))}
    environment |= {"PATH": str(programs), "CC": "false", "CXX": "false", "HOME": str(folder)}
    machiavel = programs / "machiavel"

    def ask(*command: object, told: str = "") -> str:
        return run(command, folder, environment, told)

    ask(programs / "python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:", *wheels)
    installed = ask(programs / "python", "-m", "pip", "list", "--format", "freeze", "--disable-pip-version-check").split()
    of_interest = [name for name in installed if name.partition("==")[0] in {"grpcio", "numpy", "scipy"}]
    version = f"{ask(programs / 'python', '--version').strip()}, {', '.join(of_interest)}"
    results = [ask(machiavel, "bench", "signature").strip()]
    for game in json.loads(ask(programs / "python", "-c", "import json, machiavel.engines as e; print(json.dumps(e.games()))")):
        ask(machiavel, "bench", "playouts", "--game", game, "--seconds", "0.2")
        ask(machiavel, "rules", game, "--lang", "fr", "--json")
    match = folder / "match.json"
    ask(machiavel, *"play agency --seed 7 --bots random:seed=1 --record".split(), match, told="1\n" * 1000)
    results.append(f"match of {len(json.loads(match.read_text(encoding='utf-8'))['moves'])} moves in the terminal")
    ask(machiavel, *"tournament whist --players 3 --deals 4 --seed 1 --output games --bots".split(), *BOTS)
    summary = json.loads((folder / "games" / "summary.json").read_text(encoding="utf-8"))
    results += [f"tournament: {row['bot']} {row['by_seat']}" for row in summary["bots"]]
    with serving(machiavel, folder, environment) as (address, door):
        results += ask(programs / "python", "-c", CLIENT, address).splitlines()
        files = re.findall(r'(?:src|href)="\.(/[^"]+)"', fetched(door, "/"))
        results.append(f"page: {', '.join(f'{name} {len(fetched(door, name))}' for name in files)}")
    return version, results


@contextmanager
def serving(machiavel: Path, folder: Path, environment: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The address of a server on this machine, and that of its door."""
    command = [str(machiavel), "serve", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--json"]
    command += ["--storage", "sqlite:///matches.db"]
    command += ["--log-level", "error"]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout is None:
                raise RuntimeError("the service has no output")
            told = json.loads(process.stdout.readline())
            yield told["address"], told["web"].removeprefix("http://")
        finally:
            process.terminate()
            process.wait(timeout=WAIT)


def fetched(door: str, path: str) -> str:
    with urllib.request.urlopen(f"http://{door}{path}", timeout=WAIT) as answer:
        return str(answer.read(), "utf-8")


def run(command: Iterable[object], folder: Path, environment: dict[str, str] | None = None, told: str = "") -> str:
    """What a command prints."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=environment,
        input=told,
        check=False,
        capture_output=True,
        text=True,
        timeout=WAIT,
    )
    if done.returncode:
        raise SystemExit(f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
