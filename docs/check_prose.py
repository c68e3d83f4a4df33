"""Checks that pages read well: `python docs/check_prose.py [FILE …]` names each page whose sentences are too long or too tangled.

Code, tables, headings and quotes do not count. Pages of figures, generated pages and the changelog are left out.
"""

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_WORDS = 20.0  # a sentence, on average
MOST_SEMICOLONS = 5.0  # in 100 sentences
FEWEST_SENTENCES = 8  # a shorter page is not judged

LEFT_OUT = ("docs/api_fields.md", "docs/evidence/", "CHANGELOG.md")
FRENCH = "/fr.md"  # the bounds are those of English
# Written before there was this check. A page that passes must leave the list.
OLD_PAGES = {
    "CONTRIBUTING.md",
    "clients/README.md",
    "docs/agency.md",
    "docs/api.md",
    "docs/bond.md",
    "docs/calibration.md",
    "docs/citadel.md",
    "docs/cli.md",
    "docs/development.md",
    "docs/engines.md",
    "docs/hints.md",
    "docs/levels.md",
    "docs/matches.md",
    "docs/python.md",
    "docs/reviews.md",
    "docs/search.md",
    "docs/tournaments.md",
    "engines/agency/RULES.md",
    "engines/bond/RULES.md",
    "engines/citadel/RULES.md",
    "engines/whist/RULES.md",
}

BLOCKS = re.compile(r"```.*?```|~~~.*?~~~|<!--.*?-->", re.DOTALL)
NOT_PROSE = re.compile(r"\s*(\||#|!\[|<|>| {4})")
ITEM = re.compile(r"^\s*([-*]|\d+\.)\s+", re.MULTILINE)
END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`*\[“\"])")


def sentences(text: str) -> list[str]:
    """The sentences of a Markdown page; each item of a list begins one."""
    lines = [line for line in BLOCKS.sub("", text).splitlines() if line.strip() and not NOT_PROSE.match(line)]
    joined = re.sub(r"\s+", " ", ITEM.sub(". ", "\n".join(lines)))
    return [sentence for sentence in END.split(joined) if len(sentence.split()) > 3]


def problem_of(text: str) -> str:
    """What is wrong with a page, and what would be right; empty where nothing is."""
    every = sentences(text)
    if len(every) < FEWEST_SENTENCES:
        return ""
    words = sum(len(sentence.split()) for sentence in every) / len(every)
    semicolons = 100 * sum(sentence.count(";") for sentence in every) / len(every)
    if words <= MOST_WORDS and semicolons <= MOST_SEMICOLONS:
        return ""
    longest = max(every, key=lambda sentence: len(sentence.split()))
    return (
        f"{words:.1f} words a sentence (at most {MOST_WORDS:g}), {semicolons:.0f} semicolons in 100 sentences "
        f"(at most {MOST_SEMICOLONS:g}); the longest: {longest[:100]}…"
    )


def pages() -> list[str]:
    """The Markdown pages that are judged, by their paths in the project."""
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S607
    return [page for page in listed.splitlines() if not page.startswith(LEFT_OUT) and not page.endswith(FRENCH)]


def complaints(texts: Mapping[str, str]) -> list[str]:
    """One line for each page that is above a bound, and for each old one that no longer is."""
    lines = []
    for page, text in texts.items():
        problem = problem_of(text)
        if problem and page not in OLD_PAGES:
            lines.append(f"{page}: {problem}")
        if not problem and page in OLD_PAGES:
            lines.append(f"{page}: keeps to the bounds now; take it off OLD_PAGES in docs/check_prose.py")
    return lines


def main(arguments: Sequence[str]) -> int:
    names = arguments or pages()
    wrong = complaints({name: (ROOT / name).read_text(encoding="utf-8") for name in names})
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
