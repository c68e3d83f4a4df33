"""What draws and asks for a game: parts that its engine names as text, since engines import nothing of the server."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from machiavel.engines import Game, IncompatibleEngine, Rules, Teller
from machiavel.engines.phrases import in_language
from machiavel.server.cli.asking.anything import any_form
from machiavel.server.cli.asking.steps import Form
from machiavel.server.cli.tables import Seen, ShownField, Table, TableSetting
from machiavel.server.cli.tables.fallback import FallbackTable

__all__ = ["make_form", "make_table"]


def make_table(game: Game, rules: Rules, language: str, seat: int, bots: Sequence[str]) -> Table:
    """A game's table for the person at that seat; one that fits any game where it has none of its own.

    `bots` are the names of the others, by seat; empty for the person.
    """

    def label(move: str) -> str:
        return game.move_labels(rules, move)[language]

    def why_not(seen: Seen, move: str) -> str:
        plugin = game.plugin
        why = plugin.why_illegal(rules, plugin.view_bytes(rules, seen), plugin.parse_move(rules, move)[0])
        return str(in_language(why, language))

    teller = Teller(game.plugin, rules, language, seat)
    fields = shown_fields(game, language)
    make = FallbackTable if game.plugin.table is None else part_named(game, game.plugin.table)
    table: Table = make(TableSetting(language, seat, bots, dict(rules.options), label, teller, fields, why_not))
    return table


def shown_fields(game: Game, language: str) -> list[ShownField]:
    """The fields of a declared game that have a zone, named by `fields.NAME.label` and `fields.NAME.names` of its words."""
    schema = game.plugin.views
    if schema is None:
        return []
    phrases = game.plugin.phrases()
    result = []
    for one in schema.fields:
        key = f"fields.{one.name}"
        label = phrases(f"{key}.label", language) if f"{key}.label" in phrases else one.name.replace("_", " ").capitalize()
        if one.zone:
            names = phrases.under(f"{key}.names", language)
            result.append(ShownField(one.name, one.zone, label, one.type.describe(), names))
    return result


def make_form(game: Game) -> Form:
    """The questions of a game; those of any game where it has none of its own."""
    make = any_form if game.plugin.form is None else part_named(game, game.plugin.form)
    form: Form = make(game)
    return form


def part_named(game: Game, name: str) -> Any:
    """What a game calls `module:name`; raises IncompatibleEngine where it is not there."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise IncompatibleEngine(game.name, f"its part {name!r} cannot be imported: {error}") from error
