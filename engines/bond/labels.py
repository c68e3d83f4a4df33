"""What players read: the moves of bond in words."""

from collections.abc import Mapping

__all__ = ["move_label"]

HIDDEN = "?"  # instead of a value that not everybody sees

LABELS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "lair": "play lair card {mark}",
        "skip": "no lair card",
        "spy": "spy of {mark} onto the lair of seat {target}",
        "hidden_spy": "a hidden spy onto the lair of seat {target}",
        "steal": "an unseen spy of seat {mark} onto the lair of seat {target}",
        "deck": "the spy on the pile onto the lair of seat {target}",
        "end": "no spy",
        "add": "a spy of {mark} goes with them",
        "hidden_add": "a hidden spy goes with them",
        "go": "that is all: turn them up",
        "kill": "kill the spy",
        "taunt": "taunt the spy with Doubler {mark}",
        "foil": "foil it with the other Doubler",
        "let": "let it pass",
    },
    "fr": {
        "lair": "jouer une carte Repaire {mark}",
        "skip": "pas de carte Repaire",
        "spy": "un espion de {mark} dans le repaire du joueur {target}",
        "hidden_spy": "un espion caché dans le repaire du joueur {target}",
        "steal": "un espion caché du joueur {mark} dans le repaire du joueur {target}",
        "deck": "l'espion de la pioche dans le repaire du joueur {target}",
        "end": "pas d'espion",
        "add": "un espion de {mark} les accompagne",
        "hidden_add": "un espion caché les accompagne",
        "go": "c'est tout : on les retourne",
        "kill": "tuer l'espion",
        "taunt": "ridiculiser l'espion avec le Doubler {mark}",
        "foil": "faire échouer avec l'autre Doubler",
        "let": "laisser faire",
    },
}


def move_label(text: str, language: str) -> str:
    """`spy:5>2` in words, or `spy:?>2`."""
    move, _, target = text.partition(">")
    word, _, mark = move.partition(":")
    if mark == HIDDEN:
        word = f"hidden_{word}"
    return LABELS[language][word].format(mark=mark, target=target)
