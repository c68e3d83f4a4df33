"""What people type at bond's table, in the notation of moves."""

import re

from machiavel.engines.phrases import load_phrases
from machiavel.server.cli.tables.setting import Seen

__all__ = ["read_entry"]

FORMS = {"lair": "lair:{}", "spy": "spy:{}>{}", "steal": "steal:{}>{}", "deck": "deck>{}", "add": "add:{}", "taunt": "taunt:{}"}
BARE = ("skip", "end", "go", "kill", "foil", "let")
NO = {"lair": "skip", "spy": "end", "add": "go", "foil": "let"}
WORDS = re.compile(r"[^\W\d_]+|\d+")
PHRASES = load_phrases("machiavel.engines.bond")
SPOKEN = {  # in whatever language: the word of a move, `no` or `fillers`
    word: key
    for language in PHRASES.languages
    for key, words in PHRASES.under("entries", language).items()
    for word in words.split()
}


def read_entry(view: Seen, entry: str) -> str:
    """The move that is meant; the entry itself where it could be none, or several."""
    said = [SPOKEN.get(word, word) for word in WORDS.findall(entry.casefold())]
    verb, *marks = [word for word in said if word != "fillers"] or [""]
    phase = view["phase"]
    if verb == "no":
        verb = NO.get(phase, verb)
    elif phase == "captured" and len(verb) == 1 and not marks:
        verb, marks = "taunt", [verb]
    elif phase == "add" and verb == "spy":
        verb = "add"
    form, fits = FORMS.get(verb, verb), re.compile("[a-z]" if verb == "taunt" else "[0-9]+").fullmatch
    is_move = verb in {*FORMS, *BARE} and form.count("{}") == len(marks) and all(map(fits, marks))
    return form.format(*(mark.upper().lstrip("0") or "0" for mark in marks)) if is_move else entry
