"""Games as the command line names them: installed ones by name, others by the path of their Python file."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from machiavel.engines import Game, UnknownGame, add_file, load
from machiavel.engines.distributions import entries
from machiavel.engines.registry import file_of
from machiavel.server.cli.arguments import UsageError
from machiavel.server.cli.command_texts import TEXTS, Words, language_of_environment
from machiavel.server.cli.output import say_warning

__all__ = ["add_game_files", "add_game_files_flag", "file_named_in", "game_named", "host_game_files", "is_game_file"]

SUFFIX = ".py"
BOTS = "--bots"  # the flag that takes several words, among them files of bots


def is_game_file(text: str) -> bool:
    """Whether a text names a file: it ends in .py, or has a slash."""
    return text.endswith(SUFFIX) or "/" in text


def game_named(text: str, language: str | None = None) -> Game:
    """The installed game of that name, or that of a file, which `load` then knows by its name, too.

    Where an installed game has the same name, the file's takes its place in this process, and stderr says so. Raises UnknownGame,
    IncompatibleEngine or BadGameFile.
    """
    if is_game_file(text):
        game = add_file(Path(text).expanduser(), instead=True)
        if is_another_installed(game):
            words = Words(TEXTS, language or language_of_environment())
            say_warning(words("file_instead", name=game.name, path=text))
        return game
    try:
        return load(text)
    except UnknownGame as error:
        beside = f"./{text}{SUFFIX}"
        if Path(beside).is_file():
            raise UsageError(f"{error}; a game in a file is named by its path: {beside}") from None
        raise


def is_another_installed(game: Game) -> bool:
    """Whether the name of a file's game is that of an installed one, from elsewhere than this file."""
    for entry in entries(game.name):
        try:
            if getattr(entry.load(), "path", None) != file_of(game.name):
                return True
        except (ImportError, AttributeError):
            return True  # it cannot be loaded, and is installed all the same
    return False


def file_named_in(words: Sequence[str]) -> Game | None:
    """The game of the first Python file among the words of a command line, before they are read; None where there is none."""
    flag = ""
    for before, word in zip(("", *words), words, strict=False):
        flag = word if word.startswith("-") else flag
        is_value = before.startswith("--") or flag == BOTS
        if word.endswith(SUFFIX) and not word.startswith("-") and not is_value:
            return add_file(Path(word).expanduser(), instead=True)
    return None


# ---- For commands that find out from a record, or from others, which game is meant ----


def add_game_files_flag(parser: argparse.ArgumentParser, told: str) -> None:
    parser.add_argument("--game", action="append", default=[], dest="game_files", metavar="FILE.py", help=told)


def add_game_files(texts: Sequence[str], language: str | None = None) -> None:
    """Games of files that stand in for installed ones, as `game_named` has it; raises UsageError for what is no file."""
    for text in texts:
        if not is_game_file(text):
            raise UsageError(f"--game {text}: expected the path of a file, such as ./{text}{SUFFIX}; installed games are known")
        game_named(text, language)


def host_game_files(texts: Sequence[str]) -> list[Game]:
    """Games of files beside the installed ones; raises BadGameFile where one has the name of another.

    Their rules are made for each number of players: what is wrong with some is told now, and no caller waits for a compiler.
    """
    for text in texts:
        if not is_game_file(text):
            raise UsageError(f"--game {text}: expected the path of a file, such as ./{text}{SUFFIX}; installed games are served")
    games = [add_file(Path(text).expanduser()) for text in texts]
    for game in games:
        for players in game.players:
            game.make_rules(players)
    return games
