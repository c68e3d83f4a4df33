"""What the subcommands' arguments have in common."""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from machiavel.engines import LANGUAGES
from machiavel.engines.record import SEEDS, parse_seed

__all__ = ["Parser", "UsageError", "add_json", "add_language", "number", "seconds", "seed"]


class UsageError(Exception):
    """The command line asks for something that cannot be; the message says what would be right."""


class Parser(argparse.ArgumentParser):
    """Errors are one line; examples keep their lines."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.update(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
        super().__init__(**kwargs)
        # Adds what depends on the words of the command line; called once, before they are read.
        self.prepare: Callable[[Sequence[str]], None] | None = None

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Complains at once, so that it is the subcommand's help that an unknown flag leads to."""
        if self.prepare is not None:
            prepare, self.prepare = self.prepare, None
            prepare(sys.argv[1:] if args is None else args)
        result, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return result, rest

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        if message:
            sys.stderr.write(message)
        raise SystemExit(status)


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object per line on stdout")


def add_language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lang", choices=LANGUAGES, help="language; by default French where the locale is, else English")


def number(least: int, most: int | None = None) -> Callable[[str], int]:
    """Reads a whole number between bounds that are both allowed."""
    expected = f"a whole number, {f'at least {least}' if most is None else f'{least} to {most}'}"

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least or (most is not None and value > most):
            raise argparse.ArgumentTypeError(f"expected {expected}, not {text!r}")
        return value

    return read


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return value


def seed(text: str) -> int:
    try:
        return parse_seed(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected {SEEDS}, not {text!r}") from None
