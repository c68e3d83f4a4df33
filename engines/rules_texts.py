"""The rules as players read them: Markdown, from the folder `rules/` beside a game's code."""

from collections.abc import Mapping, Sequence
from importlib.resources import files

from machiavel.engines.distributions import home_pages, origin

__all__ = ["no_rules_text", "rules_file"]

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


def rules_file(package: str | None, language: str) -> str | None:
    """`rules/LANGUAGE.md` in a package; None where there is none."""
    file = None if package is None else files(package) / "rules" / f"{language}.md"
    return file.read_text(encoding="utf-8") if file is not None and file.is_file() else None


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
