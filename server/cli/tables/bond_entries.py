"""What people type at bond's table, in the notation of moves."""

import re
from collections.abc import Mapping

from machiavel.server.cli.tables.setting import Seen

__all__ = ["read_entry"]

VERBS: Mapping[str, str] = {
    **dict.fromkeys(("lair", "repaire"), "lair"),
    **dict.fromkeys(("skip", "none", "rien", "passe", "passer"), "skip"),
    **dict.fromkeys(("spy", "espion", "send", "envoie", "envoyer"), "spy"),
    **dict.fromkeys(("steal", "vole", "voler", "prends", "prendre"), "steal"),
    **dict.fromkeys(("deck", "pile", "pioche"), "deck"),
    **dict.fromkeys(("end", "fin", "finir"), "end"),
    **dict.fromkeys(("add", "ajoute", "ajouter"), "add"),
    **dict.fromkeys(("go", "ok", "tout"), "go"),
    **dict.fromkeys(("kill", "tue", "tuer"), "kill"),
    **dict.fromkeys(("taunt", "doubler", "ridiculise", "ridiculiser"), "taunt"),
    **dict.fromkeys(("foil", "contre", "contrer"), "foil"),
    **dict.fromkeys(("let", "laisse", "laisser"), "let"),
}
NOTHING: Mapping[str, str] = {"lair": "skip", "spy": "end", "add": "go", "foil": "let"}
WORDS = re.compile(r"[^\W\d_]+|\d+")
FILLERS = frozenset("of de du le la seat joueur into onto to on sur chez from à the with avec".split())


def read_entry(view: Seen, entry: str) -> str:
    """The move that is meant; the entry itself where it could be none, or several."""
    said = [word for word in WORDS.findall(entry.casefold()) if word not in FILLERS]
    if not said:
        return entry
    verb, rest = VERBS.get(said[0], ""), said[1:]
    numbers = [str(int(word)) for word in rest if word.isascii() and word.isdigit()]
    letters = [word.upper() for word in rest if len(word) == 1 and word.isalpha()]
    if len(numbers) + len(letters) != len(rest):
        return entry
    if said[0] in {"no", "non", "n"} and not rest and view["phase"] in NOTHING:
        return NOTHING[view["phase"]]
    if len(said) == 1 and len(said[0]) == 1 and said[0].isalpha() and view["phase"] == "captured":
        return f"taunt:{said[0].upper()}"
    if verb in {"spy", "steal"} and len(numbers) == 2 and not letters:
        return f"{verb}:{numbers[0]}>{numbers[1]}"
    if verb == "deck" and len(numbers) == 1 and not letters:
        return f"deck>{numbers[0]}"
    if verb in {"lair", "add"} and len(numbers) == 1 and not letters:
        return f"{verb}:{numbers[0]}"
    if verb == "spy" and view["phase"] == "add" and len(numbers) == 1 and not letters:
        return f"add:{numbers[0]}"
    if verb == "taunt" and len(letters) == 1 and not numbers:
        return f"taunt:{letters[0]}"
    if verb in {"skip", "end", "go", "kill", "foil", "let"} and not rest:
        return verb
    return entry
