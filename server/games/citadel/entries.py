"""What people type at citadel's table, in the notation of moves."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from machiavel.engines import LANGUAGES
from machiavel.engines.citadel.house import House
from machiavel.engines.phrases import load_phrases

__all__ = ["folded", "read_entry"]

VERBS = {"go", "unlock", "disarm", "take", "end", "keep", "card", "activate", "reroll", "choose", "power", "bonus"}
UNWRITTEN = {"go", "unlock", "disarm"}  # before what a card is used on


def folded(text: str) -> str:
    """Without accents, capitals, elided articles and the like."""
    letters = (sign for sign in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(sign))
    return " ".join(re.sub(r"\b[ld]['’]|['’]s\b|[:_.]", " ", "".join(letters)).split())


def read_entry(house: House, entry: str, view: Mapping[str, Any] | None = None) -> str:
    """The move that is meant; the entry itself where it could be none."""
    known, words = vocabulary(house), folded(entry).split()
    said: list[str] = []
    while words:
        count = next((count for count in range(len(words), 1, -1) if " ".join(words[:count]) in known), 1)
        phrase = " ".join(words[:count])
        said += [known[phrase]] if phrase in known else ["+".join(known.get(part, part) for part in phrase.split("+"))]
        words = words[count:]
    said = [one for one in said if one != "nothing"]
    if not said:
        return entry
    if view is not None and view["phase"] == "card" and said[0] not in {"card", "bonus"}:
        source = view["under_way"]["source"]
        return ":".join([*(["card"] if source != "bonus" else []), source, *said[said[0] in UNWRITTEN :]])
    for verb, ids in (("go", house.rooms), ("card", house.cards), ("activate", house.characters)):
        if said[0] in ids:
            said = [verb, *said]
    if said[0] == "reroll":
        said = ["reroll", "+".join(said[1:])]
    return ":".join(said) if said[0] in VERBS else entry


def vocabulary(house: House) -> Mapping[str, str]:
    """What there is to say, in every language, and what it means in the notation."""
    phrases, result = load_phrases("machiavel.engines.citadel"), dict[str, str]()
    for language in LANGUAGES:
        for meaning, words in phrases.under("typed", language).items():
            result |= {folded(word): meaning for word in words.split()}
    for ids, names in (
        (house.types, house.type_names),
        (house.characters, {"first": [name.partition(" ")[0] for name in house.character_names["en"]], **house.character_names}),
        (house.cards, house.card_names),
        (house.rooms, house.room_names),
    ):
        for each in (ids, *names.values()):
            result |= {folded(name): one for name, one in zip(each, ids, strict=True)}
    return result
