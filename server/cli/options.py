"""The options of a game on the command line, and its errors in the words of the command line."""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from machiavel.engines import BadOption, Game, IncompatibleEngine, Option, games, load
from machiavel.server.cli.arguments import UsageError
from machiavel.server.cli.game_files import file_named_in

__all__ = ["add_game_flags", "add_options", "flag_of", "game_flags", "game_options", "player_range", "says_options"]

FLAG = "option:"  # what the name of an option follows, where its flag leaves the value


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=pair,
        metavar="NAME=VALUE",
        help="an option of the game; VALUE is JSON, or else a text. May be repeated; `machiavel games` lists them",
    )


def add_game_flags(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """A flag for each option of each game; help lists those of the game, or the file with one, that the words name.

    Where a flag of the command itself has the name, or that of another game is another kind, `--option` remains.
    """
    file = file_named_in(words)
    named = next((word for word in words if word in games()), None) if file is None else file.name
    for name in sorted(games(), key=lambda name: name != named):
        with suppress(IncompatibleEngine):  # the game that is played complains when it is loaded
            options = load(name).plugin.options
            group = parser.add_argument_group(f"options of {name}") if name == named and options else parser
            for option in options:
                with suppress(argparse.ArgumentError):
                    add_flag(group, option, help_of(option) if name == named else argparse.SUPPRESS)


def add_flag(group: Any, option: Option, told: str) -> None:
    flag, place, metavar = flag_of(option.name), FLAG + option.name, option.name[0].upper()
    if isinstance(option.default, bool):
        group.add_argument(flag, dest=place, action=argparse.BooleanOptionalAction, default=None, help=told)
    elif option.is_by_seat:
        group.add_argument(flag, dest=place, nargs="+", metavar=metavar, help=told)
    else:
        kind = str if isinstance(option.default, str) else plain_value
        group.add_argument(flag, dest=place, type=kind, metavar=metavar, help=told)


def help_of(option: Option) -> str:
    default = "" if option.default is None else f" ({text_of(option.default)})"
    return f"{option.help['en']}: {option.expected['en']}{default}".replace("%", "%%")


def game_flags(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of games that were given by flags of their own."""
    given = {name.removeprefix(FLAG): value for name, value in vars(arguments).items() if name.startswith(FLAG)}
    return {name: value for name, value in given.items() if value is not None}


def flag_of(name: str, value: Any = None) -> str:
    """The flag of an option, as it is given to have that value."""
    return f"--{'no-' if value is False else ''}{name.replace('_', '-')}"


def pair(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, not {text!r}")
    return name, plain_value(value)


def plain_value(text: str) -> Any:
    """The value of a JSON text, or the text itself."""
    try:
        return json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError):
        return text


def refuse(constant: str) -> None:
    """NaN and its kind are no JSON."""
    raise ValueError(constant)


def game_options(game: Game, pairs: Sequence[tuple[str, Any]], flags: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are given, by flags of their own or as pairs; the game checks their values."""
    result = dict(flags)
    known = {option.name for option in game.plugin.options}
    for name, value in pairs:
        if name in result:
            raise UsageError(f"option {name!r} is given twice")
        result[name] = value
    for name, value in result.items():
        if name not in known:
            raise UsageError(f"{game.name} has no option {name!r}; its options: {', '.join(sorted(known)) or 'none'}")
        if name == "deck" and isinstance(value, str) and (Path(value).suffix or Path(value).exists()):
            result[name] = Path(value)
    return result


@contextmanager
def says_options(game: Game, flags: Mapping[str, Any]) -> Iterator[None]:
    """Inside, an option that cannot be is complained of as it was given."""
    try:
        yield
    except BadOption as error:
        name = error.option
        if name == "deck" and isinstance(error.value, str):
            shipped = next((option.default for option in game.plugin.options if option.name == name), None)
            problem = f"there is no such file; expected a TOML file, or the name of a shipped deck, such as {shipped}"
        else:
            problem = f"expected {error.expected}"
        raise UsageError(f"{as_given(name, error.value, flags)}: {problem}") from error


def as_given(name: str, value: Any, flags: Mapping[str, Any]) -> str:
    if name not in flags:
        return f"--option {name}={text_of(value)}"
    given = [] if isinstance(value, bool) else value if isinstance(value, list) else [value]
    return " ".join([flag_of(name, value), *map(text_of, given)])


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def player_range(game: Game) -> str:
    least, most = min(game.players), max(game.players)
    return f"{least} to {most} players" if least < most else f"{least} players"
