"""What players read: the moves, effects, cards and powers of citadel in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from machiavel.engines.citadel.house import CLOCK_FACES, PROFESSOR_FACES, House
from machiavel.engines.citadel.lists import EFFECTS, EffectList, grouped

__all__ = ["COLOUR_NAMES", "DIE_NAMES", "ability_words", "effect_words", "face_words", "list_words", "treasure_label"]

COLOUR_NAMES: Mapping[str, Sequence[str]] = {"en": ("red", "green", "blue"), "fr": ("rouge", "vert", "bleu")}
DIE_NAMES: Mapping[str, Sequence[str]] = {
    "en": ("professor's die", "colour die", "clock die"),
    "fr": ("dé du professeur", "dé des couleurs", "dé de l'horloge"),
}

# One effect, and several of the kind; {n} is how many, {amount} its minutes or dice.
EFFECT_WORDS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "en": {
        "step": ("move once", "move up to {n} times"),
        "leap": ("move to any room with an open door or a window", "{n} times: move to any room with an open door or a window"),
        "shadow": (
            "from inside, move to a room next to the professor's, doors or not",
            "{n} times, from inside: move to a room next to the professor's, doors or not",
        ),
        "unlock_here": ("unlock a door of your room", "unlock up to {n} doors of your room"),
        "unlock_near": (
            "unlock a door of your room or of one next to it",
            "unlock up to {n} doors of your room or of those next to it",
        ),
        "unlock_anywhere": ("unlock any door", "unlock up to {n} doors anywhere"),
        "disarm_near": (
            "disarm the trap of your room or of one next to it",
            "disarm up to {n} traps, in your room or next to it",
        ),
        "disarm_anywhere": ("disarm any trap", "disarm up to {n} traps anywhere"),
        "disarm_type": ("disarm all traps of one type", "disarm all traps of up to {n} types"),
        "lure": (
            "make the professor leave by a door of your choice",
            "make the professor go through up to {n} doors of your choice",
        ),
        "hold": ("the professor does not move this turn", "the professor does not move this turn"),
        "time_back": ("turn the clock back by {amount} minutes", "turn the clock back by {amount} minutes, {n} times"),
        "time_on": ("the clock goes on by {amount} minutes", "the clock goes on by {amount} minutes, {n} times"),
        "marker_on": ("gain {amount} minutes for one treasure", "gain {amount} minutes for a treasure, up to {n} times"),
        "extra": ("one more action", "{n} more actions"),
        "reroll": (
            "see the dice, then roll up to {amount} of them again",
            "see the dice, then roll up to {amount} of them again, {n} times",
        ),
        "choose": ("see the dice, then turn one as you like", "see the dice, then turn up to {n} as you like"),
        "anyone_goes": ("one player, you or another, moves once", "players of your choice move, {n} times in all"),
        "anyone_acts": ("one player, you or another, takes an action", "players of your choice take {n} actions in all"),
    },
    "fr": {
        "step": ("se déplacer une fois", "se déplacer jusqu'à {n} fois"),
        "leap": (
            "aller dans n'importe quelle pièce ayant une porte ouverte ou une fenêtre",
            "{n} fois : aller dans n'importe quelle pièce ayant une porte ouverte ou une fenêtre",
        ),
        "shadow": (
            "de l'intérieur, aller dans une pièce adjacente au professeur, portes ou non",
            "{n} fois, de l'intérieur : aller dans une pièce adjacente au professeur, portes ou non",
        ),
        "unlock_here": ("déverrouiller une porte de sa pièce", "déverrouiller jusqu'à {n} portes de sa pièce"),
        "unlock_near": (
            "déverrouiller une porte de sa pièce ou d'une pièce adjacente",
            "déverrouiller jusqu'à {n} portes de sa pièce ou des pièces adjacentes",
        ),
        "unlock_anywhere": ("déverrouiller n'importe quelle porte", "déverrouiller jusqu'à {n} portes n'importe où"),
        "disarm_near": (
            "désactiver le piège de sa pièce ou d'une pièce adjacente",
            "désactiver jusqu'à {n} pièges dans sa pièce ou à côté",
        ),
        "disarm_anywhere": ("désactiver n'importe quel piège", "désactiver jusqu'à {n} pièges n'importe où"),
        "disarm_type": ("désactiver tous les pièges d'un type", "désactiver tous les pièges de {n} types au plus"),
        "lure": (
            "faire sortir le professeur par une porte de son choix",
            "faire franchir au professeur jusqu'à {n} portes de son choix",
        ),
        "hold": ("le professeur ne bouge pas ce tour-ci", "le professeur ne bouge pas ce tour-ci"),
        "time_back": ("reculer l'horloge de {amount} minutes", "reculer l'horloge de {amount} minutes, {n} fois"),
        "time_on": ("l'horloge avance de {amount} minutes", "l'horloge avance de {amount} minutes, {n} fois"),
        "marker_on": ("gagner {amount} minutes pour un trésor", "gagner {amount} minutes pour un trésor, jusqu'à {n} fois"),
        "extra": ("une action de plus", "{n} actions de plus"),
        "reroll": (
            "voir les dés, puis en relancer jusqu'à {amount}",
            "voir les dés, puis en relancer jusqu'à {amount}, {n} fois",
        ),
        "choose": ("voir les dés, puis en tourner un à son gré", "voir les dés, puis en tourner jusqu'à {n} à son gré"),
        "anyone_goes": (
            "un joueur au choix, soi-même compris, se déplace",
            "des joueurs au choix se déplacent, {n} fois en tout",
        ),
        "anyone_acts": ("un joueur au choix, soi-même compris, fait une action", "des joueurs au choix font {n} actions en tout"),
    },
}
TIMED = {EFFECTS.index(name) for name in ("time_back", "time_on", "marker_on")}


def effect_words(kind: int, amount: int, count: int, language: str) -> str:
    one, several = EFFECT_WORDS[language][EFFECTS[kind]]
    return (one if count == 1 else several).format(n=count, amount=5 * amount if kind in TIMED else amount)


def list_words(effects: EffectList, language: str) -> str:
    """A card or a bonus, effect by effect."""
    then = {"en": "; then ", "fr": " ; puis "}[language]
    return then.join(effect_words(kind, amount, count, language) for (kind, amount), count in grouped(effects))


def ability_words(house: House, character: int, language: str) -> str:
    (kind, amount), cost = house.abilities[character]
    what = effect_words(kind, amount, 1, language)
    if EFFECTS[kind] in {"reroll", "choose"}:
        return {"en": f"every turn: {what}", "fr": f"à chaque tour : {what}"}[language]
    price = {
        "en": ["free", "for an action", f"for {cost} actions"],
        "fr": ["sans action", "pour une action", f"pour {cost} actions"],
    }[language][min(cost, 2)]
    return {"en": f"once a turn, {price}: {what}", "fr": f"une fois par tour, {price} : {what}"}[language]


def face_words(die: int, face: int, language: str) -> str:
    """A face by the engine's numbers."""
    if die == 0:
        name = PROFESSOR_FACES[face]
        if name in {"5", "10"}:
            return f"{name} min"
        return {"en": {"passage": "secret passage"}, "fr": {"passage": "passage secret"}}[language].get(name, "»" * (1 + face))
    return COLOUR_NAMES[language][face] if die == 1 else f"{CLOCK_FACES[face]} min"


def treasure_label(house: House, colour: int, treasure: Mapping[str, Any] | None, language: str) -> str:
    """The treasure of a colour, by both; None: there is none any more."""
    name = COLOUR_NAMES[language][colour]
    bare = {"en": f"the {name} treasure", "fr": f"le trésor {name}"}[language]
    if treasure is None:
        return bare
    return f"{bare} ({house.treasure_names[language][house.treasures.index(treasure['id'])]})"
