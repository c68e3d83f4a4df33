"""Writes docs/api_fields.md from the comments of the .proto files, and the tables of views in the pages of the games.

`python docs/make_fields.py`. What a field of a declared game is, its words say (`fields.NAME.meaning`).
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from machiavel.engines import games, load
from machiavel.engines.views import BY_SPECTATORS, FOLLOWS, FORGOTTEN, NEVER, Field

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "api_fields.md"
BLOCK = re.compile(r"((?:^//[^\n]*\n)+)^(?:message|enum) (\w+) \{(\}|.*?^\})", re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r"((?:^\s*//.*\n)+)\s*(?:(optional|repeated)\s+)?(?:([\w.]+|map<[\w, ]+>)\s+)?(\w+) = \d+;", re.MULTILINE)


TABLE = re.compile(r"(<!-- the fields of a view -->\n).*?(<!-- end -->)", re.DOTALL)


def declared() -> dict[str, Any]:
    """The games with a page here whose views are declared."""
    plugins = {name: load(name).plugin for name in games() if (ROOT / "docs" / f"{name}.md").exists()}
    return {name: plugin for name, plugin in plugins.items() if plugin.views is not None}


def meanings() -> dict[tuple[str, str], str]:
    """What a field of a view is, by its message and its name."""
    result = {}
    for name, plugin in declared().items():
        for field in plugin.views.fields:
            key = f"fields.{field.name}.meaning"
            if key in plugin.phrases():
                result[f"{name.capitalize()}View", field.name] = capital(plugin.phrases()(key, "en")) + "."
    return result


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def view_table(plugin: Any) -> str:
    """A row for each field of a game's view."""
    rows = ["| field | type | what it is | left out |", "|---|---|---|---|"]
    for field in plugin.views.fields:
        null = " or null" * (field.own and "null" not in field.type.name)
        meaning = plugin.phrases()(f"fields.{field.name}.meaning", "en")
        rows.append(f"| `{field.name}` | {field.type.name}{null} | {meaning} | {left_out(plugin, field)} |")
    return "\n".join(rows) + "\n"


def left_out(plugin: Any, field: Field) -> str:
    key = f"fields.{field.name}.left_out"
    if key in plugin.phrases():
        text: str = plugin.phrases()(key, "en")
        return text
    if field.left_out.kind == "usual":
        return f"`{json.dumps(field.left_out.value)}`"
    return {NEVER: "never", BY_SPECTATORS: "by spectators", FOLLOWS: "derived", FORGOTTEN: "forgotten"}[field.left_out]


MEANINGS = meanings()


def words(comment: str) -> str:
    """A comment as one line of a table."""
    return " ".join(line.strip().removeprefix("//").strip() for line in comment.strip().splitlines()).replace("|", "\\|")


def sections(text: str) -> Iterator[str]:
    for matched in BLOCK.finditer(text):
        comment, name, body = matched.groups()
        yield f"### {name}\n\n{words(comment)}\n"
        entries = [(entry, MEANINGS.get((name, entry[4])) or words(entry[1])) for entry in ENTRY.finditer(body)]
        rows = [f"| `{entry[4]}` | {kind(entry)} | {text} |" for entry, text in entries]
        if rows:
            yield "\n".join(["| | | |", "|---|---|---|", *rows]) + "\n"


def kind(entry: re.Match[str]) -> str:
    return " ".join(part for part in (entry[2], entry[3]) if part)


def page() -> str:
    lines = [
        "# Every field of the API\n",
        "Made of the comments in `proto/` by `python docs/make_fields.py`. [api.md](api.md) tells how to use them.\n",
    ]
    for proto in sorted((ROOT / "proto/machiavel/v1").glob("*.proto")):
        lines.append(f"## {proto.name}\n")
        lines += sections(proto.read_text(encoding="utf-8"))
    return "\n".join(lines)


def game_page(name: str, plugin: Any) -> tuple[Path, str]:
    """The page of a game with its table of fields made anew."""
    path = ROOT / "docs" / f"{name}.md"
    return path, TABLE.sub(lambda found: found[1] + view_table(plugin) + found[2], path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    for name, plugin in declared().items():
        path, text = game_page(name, plugin)
        path.write_text(text, encoding="utf-8")
