"""What earlier releases left behind; tests take copies, so that nothing here ever changes."""

import json
import math
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

__all__ = ["GAMES", "RELEASE", "copied", "differences", "rows"]

RELEASE = Path(__file__).parent / "0.1.0"
GAMES = ("agency", "bond", "citadel", "whist")


def rows(name: str) -> list[dict[str, Any]]:
    """The lines of a file of JSON."""
    return [json.loads(line) for line in (RELEASE / name).read_text(encoding="utf-8").splitlines()]


def copied(name: str, folder: Path) -> Path:
    """A copy of a file or folder, to be written to."""
    source, target = RELEASE / name, folder / Path(name).name
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copyfile(source, target)
    return target


def differences(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Where something new does not say what the old says. It may say more, and tell people so in other words."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name, value in old.items():
            if name not in new:
                yield f"{path}.{name}: is gone, it was {value!r}"
            elif name not in {"en", "fr"}:
                yield from differences(value, new[name], f"{path}.{name}")
            elif not new[name]:
                yield f"{path}.{name}: says nothing"
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(one, other, f"{path}[{number}]")
    elif isinstance(old, float) and isinstance(new, int | float):
        if not math.isclose(old, new, rel_tol=1e-9, abs_tol=1e-12):
            yield f"{path}: {old} became {new}"
    elif old != new:
        yield f"{path}: {old!r} became {new!r}"
