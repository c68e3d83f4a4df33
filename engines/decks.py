"""Reading decks: TOML files and objects, with errors that name file, key and what would be right."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from machiavel.engines.errors import BadDeck, BadOption
from machiavel.engines.plugin import Option

__all__ = ["DECK_OPTION", "DeckReader", "builtin_decks", "read_deck"]

DECK_OPTION = Option(
    "deck",
    "house",
    {
        "en": "the name of a shipped deck, or its tables; in Python and on the command line also a TOML file",
        "fr": "le nom d'un jeu de cartes fourni, ou ses tables ; en Python et en ligne de commande, un fichier TOML aussi",
    },
    {"en": "the cards to play with", "fr": "les cartes avec lesquelles on joue"},
)


def builtin_decks(package: str) -> tuple[str, ...]:
    """The names of the decks that a game ships."""
    return tuple(
        sorted(file.name.removesuffix(".toml") for file in (files(package) / "decks").iterdir() if file.name.endswith(".toml"))
    )


def read_deck(package: str, option: object) -> tuple[str, Mapping[str, Any]]:
    """The tables of a deck and where they came from: the name of a shipped deck, a Path to a file, or the tables themselves."""
    if isinstance(option, Mapping):
        return "(given as tables)", option
    if isinstance(option, Path):
        source, text = str(option), None
        try:
            text = option.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadDeck(source, "file", f"cannot be read: {error}") from None
    elif isinstance(option, str) and option in builtin_decks(package):
        source = option
        text = (files(package) / "decks" / f"{option}.toml").read_text(encoding="utf-8")
    else:
        shipped = f"one of {', '.join(builtin_decks(package))}"
        raise BadOption(
            "deck", option, f"{shipped}, a Path to a TOML file, or its tables", as_json=f"{shipped}, or the tables of a deck"
        )
    try:
        return source, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadDeck(source, "file", f"is no TOML: {error}") from None


class DeckReader:
    """Takes values out of a deck's tables, key by key, checking each; `done` complains of keys nobody took."""

    def __init__(self, source: str, tables: Mapping[str, Any], path: str = "") -> None:
        self.source = source
        self._tables = tables
        self._path = path
        self._taken: set[str] = set()

    def bad(self, key: str, problem: str) -> BadDeck:
        return BadDeck(self.source, self._path + key, problem)

    def take(self, key: str, kind: type, expected: str, default: Any = None) -> Any:
        """The value of a key, of that kind; without a default it must be there."""
        self._taken.add(key)
        if key not in self._tables:
            if default is None:
                raise self.bad(key, f"is missing; expected {expected}")
            return default
        value = self._tables[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.bad(key, f"is {value!r}; expected {expected}")
        return value

    def number(self, key: str, least: int, most: int, default: int | None = None) -> int:
        expected = f"a whole number from {least} to {most}"
        value: int = self.take(key, int, expected, default)
        if not least <= value <= most:
            raise self.bad(key, f"is {value}; expected {expected}")
        return value

    def text(self, key: str, expected: str, default: str | None = None) -> str:
        value: str = self.take(key, str, expected, default)
        return value

    def choice(self, key: str, choices: tuple[str, ...], default: str | None = None) -> str:
        value = self.text(key, f"one of {', '.join(choices)}", default)
        if key in self._tables and value not in choices:
            raise self.bad(key, f"is {value!r}; expected one of {', '.join(choices)}")
        return value

    def table(self, key: str, expected: str = "a table") -> "DeckReader":
        return DeckReader(self.source, self.take(key, Mapping, expected), f"{self._path}{key}.")

    def tables(self, key: str, expected: str = "an array of tables") -> list["DeckReader"]:
        value = self.take(key, list, expected)
        for number, table in enumerate(value):
            if not isinstance(table, Mapping):
                raise self.bad(f"{key}[{number}]", f"is {table!r}; expected a table")
        return [DeckReader(self.source, table, f"{self._path}{key}[{number}].") for number, table in enumerate(value)]

    def done(self) -> None:
        for key in self._tables:
            if key not in self._taken:
                raise self.bad(str(key), f"is unknown; keys here: {', '.join(sorted(self._taken))}")
