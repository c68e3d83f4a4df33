"""How many lines a game takes in Python, and what is counted apart: `python -m bench.game_lines [--against FOLDER]`.

Counted: the engine's modules, its table and its form. Apart: what players read (labels, words), what is told of a match (events,
which are rules), and the compiled rules. Blank lines and comments count, as `wc -l` has it.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COLUMNS = ("engine", "table", "form", "sum", "events", "words in Python", "words as data", "compiled")
WORDS = {"labels.py", "phrasing.py", "words.py", "agency_words.py", "bond_words.py", "citadel_words.py"}


def games_of(root: Path) -> list[str]:
    return sorted(path.parent.name for path in (root / "engines").glob("*/RULES.md"))


def lines(paths: Sequence[Path]) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def counts(root: Path, game: str) -> Mapping[str, int]:
    """By column; a game's parts in the terminal lay in two other folders once."""
    engine = list((root / "engines" / game).glob("*.py"))
    own = list((root / "server/games" / game).glob("*.py"))
    tables = [path for path in own if path.name != "form.py"] + list((root / "server/cli/tables").glob(f"{game}*.py"))
    forms = [path for path in own if path.name == "form.py"] + list((root / "server/forms").glob(f"{game}.py"))
    told = [path for path in engine if path.name == "events.py"]
    words = [path for path in (*engine, *tables) if path.name in WORDS]
    apart = {*told, *words}
    result = {
        "engine": lines([path for path in engine if path not in apart]),
        "table": lines([path for path in tables if path not in apart]),
        "form": lines(forms),
        "events": lines(told),
        "words in Python": lines(words),
        "words as data": lines([*(root / "engines" / game).glob("words/*.toml"), root / "engines" / game / "hints.toml"]),
        "compiled": lines([path for ending in ("pyx", "pxd", "pxi") for path in (root / "engines" / game).glob(f"*.{ending}")]),
    }
    return result | {"sum": result["engine"] + result["table"] + result["form"]}


def table(root: Path) -> str:
    """The counts of every game, and their sums, as Markdown."""
    rows = {game: counts(root, game) for game in games_of(root)}
    rows["all"] = {name: sum(row[name] for row in rows.values()) for name in COLUMNS}
    head = f"| game | {' | '.join(COLUMNS)} |\n|---|{'--:|' * len(COLUMNS)}\n"
    return head + "".join(f"| {game} | {' | '.join(f'{row[name]:,}' for name in COLUMNS)} |\n" for game, row in rows.items())


def main() -> None:
    parser = argparse.ArgumentParser(description="Count the lines of the games.")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout, to be counted as well")
    arguments = parser.parse_args()
    for root in [ROOT] if arguments.against is None else [arguments.against, ROOT]:
        print(f"{'before' if root == arguments.against else 'now'}\n\n{table(root)}")


if __name__ == "__main__":
    main()
