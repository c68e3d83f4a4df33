"""What people type at a table, matched with all the ways in which a move may be said."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import product

from machiavel.engines.phrases import Phrases

__all__ = ["meant", "ways"]

WORD = re.compile(r"[^\W\d_]+|\d+")


def meant(entry: str, spoken: Mapping[str, Iterable[str]]) -> str:
    """What is said so, of what may be said in these ways; the entry itself where it is nothing, or several things.

    Capitals, accents and punctuation do not count, nor do spaces between letters and digits.
    """
    words = folded(entry)
    found = [notation for notation, said in spoken.items() if words and any(folded(way) == words for way in said)]
    return found[0] if len(found) == 1 else entry


def ways(texts: Phrases, key: str, **parts: Iterable[str]) -> list[str]:
    """How a thing is said in any language, each part of it in any of its own ways; in the text `|` stands between them."""
    said = (
        way.strip()
        for language in texts.languages
        for chosen in product(*parts.values())
        for way in texts(key, language, **dict(zip(parts, chosen, strict=True))).split("|")
    )
    return list(dict.fromkeys(said))


def folded(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    letters = (letter for letter in plain if not unicodedata.combining(letter))
    return [word.lstrip("0") or word for word in WORD.findall("".join(letters))]
