"""Writes docs/api_fields.md from the comments of the .proto files: `python docs/make_fields.py`."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "api_fields.md"
BLOCK = re.compile(r"((?:^//[^\n]*\n)+)^(?:message|enum) (\w+) \{(\}|.*?^\})", re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r"((?:^\s*//.*\n)+)\s*(?:(optional|repeated)\s+)?(?:([\w.]+|map<[\w, ]+>)\s+)?(\w+) = \d+;", re.MULTILINE)


def words(comment: str) -> str:
    """A comment as one line of a table."""
    return " ".join(line.strip().removeprefix("//").strip() for line in comment.strip().splitlines()).replace("|", "\\|")


def sections(text: str) -> Iterator[str]:
    for matched in BLOCK.finditer(text):
        comment, name, body = matched.groups()
        yield f"### {name}\n\n{words(comment)}\n"
        rows = [f"| `{entry[4]}` | {kind(entry)} | {words(entry[1])} |" for entry in ENTRY.finditer(body)]
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


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
