"""What draws a game in the terminal."""

from collections.abc import Sequence

from machiavel.engines import Game, Rules, Teller
from machiavel.engines.phrases import in_language
from machiavel.server.cli.tables import Seen, ShownField, Table, TableSetting
from machiavel.server.cli.tables.fallback import FallbackTable
from machiavel.server.game_parts import part_named

__all__ = ["make_table"]


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
            result.append(ShownField(one.name, one.zone, label, one.type.describe(), names, one.shown_while))
    return result
