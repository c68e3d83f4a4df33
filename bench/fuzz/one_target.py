"""Fuzzes one target with atheris, until its time is up or something is found: what `python -m bench.fuzz` starts."""

import importlib
import random
import sys
from collections.abc import Sequence
from typing import Any

__all__ = ["main"]

OWN = 0.6  # of the inputs are changed as the target knows how; the others as libFuzzer does


def main(arguments: Sequence[str]) -> None:
    """A target, then what libFuzzer takes."""
    name, *options = arguments
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["machiavel"]):
        from bench.fuzz.targets import TARGETS  # noqa: PLC0415

    target = TARGETS[name]
    read = target.make()

    def changed(data: bytes, most: int, seed: int) -> bytes:
        draw = random.Random(seed)
        if draw.random() < OWN:
            return target.change(bytes(data), draw)[:most]
        result: bytes = atheris.Mutate(data, most)
        return result

    atheris.Setup([sys.argv[0], *options], read, custom_mutator=changed)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
