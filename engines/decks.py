"""Reading decks: TOML files and objects, with errors that name file, key and what would be right."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

from machiavel.engines.errors import BadDeck, BadOption, Problem, shown
from machiavel.engines.fields import Place, RecordOf, problem_text
from machiavel.engines.phrases import Phrases
from machiavel.engines.plugin import Option, Rules
from machiavel.engines.table_reader import TableReader

__all__ = ["DECK_OPTION", "Deck", "DeckReader", "builtin_decks", "read_deck"]

ID = re.compile(r"[a-z][a-z0-9_]*")

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


class Deck:
    """The tables of a deck that a RecordOf declares; raises BadDeck for what is not so, with its key.

    The ids of its entries come first, since other entries name them: `ids`, then `values`, then `expect` for what the types
    cannot say. Its problems are texts of the game, `problems.KEY`.
    """

    def __init__(self, source: str, tables: Mapping[str, Any], phrases: Phrases) -> None:
        self.source = source
        self.tables = tables
        self.phrases = phrases

    def ids(self, path: str, reserved: Sequence[str] = ()) -> tuple[str, ...]:
        """The ids of the entries at a path such as `characters.cards`, each once; those that have none are left out."""
        result: list[str] = []
        for key, entry in entries("", self.tables, path.split(".")):
            if "id" not in entry:
                continue
            name = entry["id"]
            if not isinstance(name, str) or not ID.fullmatch(name) or name in reserved:
                raise BadDeck(self.source, f"{key}.id", problem_text("id", value=shown(name), reserved=", ".join(reserved)))
            if name in result:
                raise BadDeck(self.source, f"{key}.id", problem_text("id_again", value=shown(name)))
            result.append(name)
        return tuple(result)

    def values(self, schema: RecordOf, known: Any) -> dict[str, Any]:
        """All values by key; `known` is what the schema's kinds find in the tables of rules."""
        problems: list[Problem] = []
        result = Place(Rules(None, 0, {}, "", known), "", problems).whole(schema, self.tables)
        for problem in problems:
            raise BadDeck(self.source, problem.field, problem.problem)
        return dict(result)

    def expect(self, is_so: object, key: str, problem: str, /, **parts: object) -> None:
        """Refuses a key where something is not as it must be."""
        if not is_so:
            raise BadDeck(self.source, key, self.phrases.wording(f"problems.{problem}", **parts))


def entries(key: str, table: Mapping[str, Any], path: Sequence[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The tables in arrays at a path, each with its key; what is no table is passed over."""
    if not path:
        yield key, table
        return
    inside = table.get(path[0])
    for number, entry in enumerate(inside if isinstance(inside, list) else ()):
        if isinstance(entry, Mapping):
            yield from entries(f"{key}.{path[0]}[{number}]".lstrip("."), entry, path[1:])


class DeckReader(TableReader):
    """Takes values out of a deck's tables."""

    def error(self, path: str, problem: str) -> BadDeck:
        return BadDeck(self.source, path, problem)

    def entries(self, key: str, expected: str, known_from: str) -> Iterator[Self]:
        """The tables of an array; once the caller has taken what it needs of one, it must still say where it is known from."""
        for entry in self.tables(key, expected):
            yield entry
            entry.text("provenance", known_from)
            entry.done()
