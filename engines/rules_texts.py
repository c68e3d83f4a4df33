"""The rules as players read them: Markdown, from the folder `rules/` beside a game's code."""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files

from machiavel.engines.distributions import home_pages, origin

__all__ = ["no_rules_text", "rules_file", "rules_summary"]

NOTHING: Mapping[str, str] = {
    "en": "{game} brings no rules to read in English{others}.",
    "fr": "{game} est fourni sans règles à lire en français{others}.",
}
OTHERS: Mapping[str, str] = {"en": ", only in: {languages}", "fr": ", seulement dans ces langues\N{NO-BREAK SPACE}: {languages}"}
FROM: Mapping[str, str] = {
    "en": "It comes from the distribution {origin}: look there, or ask its authors.",
    "fr": "Il vient de la distribution {origin}\N{NO-BREAK SPACE}: cherche de ce côté, ou demande à ses auteurs.",
}
OPTIONS: Mapping[str, str] = {
    "en": "`machiavel games` tells how many can play, and with which options.",
    "fr": "`machiavel games` dit à combien on y joue, et avec quelles options.",
}

HEADING, FIRST_TITLE = re.compile(r"^## .*$", re.MULTILINE), re.compile(r"^# .*$", re.MULTILINE)
BLANK_LINE, MARKS, GAP, END_OF_SENTENCE = (re.compile(text) for text in (r"\n\s*\n", r"[*`]", r"\s*\n\s*", r"(?<=[.!?…])\s+"))
LONGEST_AIM = 150  # characters; the first sentence is told however long it is


def rules_file(package: str | None, language: str) -> str | None:
    """`rules/LANGUAGE.md` in a package; None where there is none."""
    file = None if package is None else files(package) / "rules" / f"{language}.md"
    return file.read_text(encoding="utf-8") if file is not None and file.is_file() else None


def rules_summary(markdown: str) -> str:
    """What a game is about and how long a match takes: rules say for whom they are and for how long first, then the aim."""
    head, aim = (*HEADING.split(markdown), "")[:2]
    told: list[str] = []
    for sentence in sentences_of(aim):
        if told and len(" ".join([*told, sentence])) > LONGEST_AIM:
            break
        told.append(sentence)
    return " ".join([*told, *sentences_of(FIRST_TITLE.sub("", head))[1:]])


def sentences_of(text: str) -> list[str]:
    """Those of the first paragraph, without marks of Markdown."""
    paragraph = GAP.sub(" ", MARKS.sub("", BLANK_LINE.split(text.strip())[0]))
    result: list[str] = []
    for part in filter(None, END_OF_SENTENCE.split(paragraph)):
        if result and not part[0].isupper():
            result[-1] += f" {part}"
        else:
            result.append(part)
    return result


def no_rules_text(game: str, title: str, language: str, others: Sequence[str]) -> str:
    """What is said instead: that there are none, in which languages there are, and where else to look."""
    only = OTHERS[language].format(languages=", ".join(others)) if others else ""
    lines = [f"# {title}", NOTHING[language].format(game=game, others=only)]
    source = origin(game)
    if source:
        pages = home_pages(game)
        lines.append(
            "\n".join([FROM[language].format(origin=source), *(["", *(f"- <{page}>" for page in pages)] if pages else [])])
        )
    return "\n\n".join([*lines, OPTIONS[language]]) + "\n"
