"""What people type at citadel's table, in the notation of moves."""

from collections.abc import Mapping

from machiavel.engines.citadel.house import COLOURS, House

__all__ = ["read_entry"]

VERBS: Mapping[str, str] = {
    **dict.fromkeys(("go", "move", "enter", "aller", "va", "entrer"), "go"),
    **dict.fromkeys(("unlock", "open", "ouvrir", "ouvre", "déverrouiller"), "unlock"),
    **dict.fromkeys(("disarm", "désactiver", "désactive"), "disarm"),
    **dict.fromkeys(("take", "prendre", "prends", "récupérer"), "take"),
    **dict.fromkeys(("end", "fin", "finir"), "end"),
    **dict.fromkeys(("keep", "garder", "garde"), "keep"),
    **dict.fromkeys(("card", "play", "carte", "jouer", "joue"), "card"),
    **dict.fromkeys(("activate", "activer", "active"), "activate"),
    **dict.fromkeys(("reroll", "relancer", "relance"), "reroll"),
    **dict.fromkeys(("choose", "choisir", "choisis"), "choose"),
    **dict.fromkeys(("power", "pouvoir"), "power"),
    "bonus": "bonus",
}
WORDS: Mapping[str, str] = {
    **dict(zip(("rouge", "vert", "verte", "bleu", "bleue"), ("red", "green", "green", "blue", "blue"), strict=True)),
    **dict(zip(("professeur", "couleur", "horloge", "passe"), ("professor", "colour", "clock", "enough"), strict=True)),
}


def read_entry(house: House, entry: str) -> str:
    """The move that is meant; the entry itself where it could be none."""
    text = entry.strip().casefold()
    known = names_of(house)
    if text in known and known[text] in house.rooms:
        return f"go:{known[text]}"
    verb, _, rest = text.replace(":", " ", 1).partition(" ")
    if verb not in VERBS:
        return entry
    result = [VERBS[verb]]
    for part in filter(None, map(str.strip, rest.split(":"))):
        result += split(known, part)
    return ":".join(result)


def split(known: Mapping[str, str], text: str) -> list[str]:
    """The ids in some words, each as long as can be."""
    words, result = text.split(), []
    while words:
        count = next((count for count in range(len(words), 0, -1) if " ".join(words[:count]) in known), 1)
        phrase = " ".join(words[:count])
        result.append(known.get(phrase, WORDS.get(phrase, phrase)))
        words = words[count:]
    return result


def names_of(house: House) -> dict[str, str]:
    """Ids by what things are called, in any language."""
    result = {colour: colour for colour in COLOURS}
    for ids, names in (
        (house.types, house.type_names),
        (house.characters, house.character_names),
        (house.cards, house.card_names),
        (house.rooms, house.room_names),
    ):
        for each in names.values():
            result |= {name.casefold(): one for name, one in zip(each, ids, strict=True)}
        result |= {one: one for one in ids}
    # People call each other by first names.
    return result | {
        full.casefold().partition(" ")[0]: one for one, full in zip(house.characters, house.character_names["en"], strict=True)
    }
