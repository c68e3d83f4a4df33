"""What is asked of a person at a table of bond."""

import re
from typing import Any

from machiavel.engines import Game
from machiavel.engines.bond.schema import CARD as ANY_CARD
from machiavel.engines.bond.schema import LAIR_CARD, LETTER, PHASES, PHRASES, SPY_CARD
from machiavel.server.forms import steps
from machiavel.server.forms.answer_shapes import AnswerShape, shaped
from machiavel.server.forms.steps import Answers, Form, Questions, by_seat, choice, item_of, several, whole

__all__ = ["bond_form"]

SORTS = {  # what a card is called where it is typed in, in whatever language
    word: sort
    for language in PHRASES.languages
    for sort, words in PHRASES.under("form.sorts", language).items()
    for word in words.split()
}
CARD = re.compile(rf"({'|'.join(sorted(SORTS, key=len, reverse=True))})[ :]*([0-9]{{1,2}}|[a-i])(?![a-z0-9])")
LAIR, BACKS = re.compile(r"[0-9]{1,2}(\+[0-9]{1,2})*"), re.compile(r"([0-9]{1,2})\+([0-9]{1,2})")
ORIGINS = {"hand": "hand", "deck": "deck", "main": "hand", "pioche": "deck"}
PLACES = {"turn": "turn", "attack": "spies", "mover": "turn"}
QUESTIONS = Questions(PHRASES)
MOST_HELD = 20  # cards of one back that are told at a tap


def bond_form(game: Game) -> Form:
    ask, letter = QUESTIONS.ask, item_of(LETTER)
    asked = [
        steps.players_step(game),
        ask("phase", choice(*PHASES[:-1], french=("repaire", "attaque", "renfort", "capture", "parade"))),
        ask("hand", heap, usual=""),
        ask("points", by_seat(whole(0, 999)), usual=lambda answers: " ".join("0" * answers["players"])),
        ask("lairs", by_seat(lair), usual=lambda answers: " ".join("-" * answers["players"])),
        ask("hands", shaped(several(backs, lambda answers: answers["players"] - 1), HANDS)),
        ask("discard", heap, usual=""),
        ask("top", choice("spy", "other", "none", french=("espion", "autre", "aucun"))),
        ask("idle", whole(0, 6), needed=may_be_idle, usual="1"),
        ask("turn", steps.seat, needed=in_phases("captured", "foil")),
        ask("target", steps.seat, needed=in_phases("add", "foil")),
        ask("spies", shaped(several(whole(1, 15)), SPIES), needed=in_phases("add", "captured", "foil")),
        ask("victim", origin, needed=in_phases("captured", "foil"), usual="hand"),
        ask("taunts", several(letter), needed=in_phases("captured", "foil"), usual=""),
        ask("taunt", letter, needed=in_phases("foil")),
    ]
    return Form(game, asked, lambda answers: {"players": answers["players"]}, view, PLACES)


def in_phases(*phases: str) -> Any:
    return lambda answers: answers.get("phase") in phases


def may_be_idle(answers: Answers) -> bool:
    """Over an empty pile nothing may have been played for a while."""
    return answers.get("top") == "none" and answers.get("phase") in {"lair", "spy"}


# ---- Answers ----


def heap(_: Answers, entry: str) -> dict[str, list[Any]]:
    """`l3 s5 dC`."""
    result: dict[str, list[Any]] = {"lairs": [], "spies": [], "doublers": []}
    text = entry.casefold().replace(",", " ").strip()
    rest = CARD.sub("", text).strip()
    for word, mark in CARD.findall(text):
        sort = SORTS[word]
        if (sort == "doublers") == mark.isdigit():
            rest = f"{word}{mark}"
        result[sort].append(int(mark) if mark.isdigit() else mark.upper())
    if rest:
        raise QUESTIONS.wrong("cards", entry=rest)
    return result


def lair(_: Answers, word: str) -> list[int]:
    """`2+3`, or `-` for none."""
    if word in {"-", "0"}:
        return []
    if not LAIR.fullmatch(word):
        raise QUESTIONS.wrong("lair", entry=word)
    return sorted(map(int, word.split("+")))


def backs(_: Answers, word: str) -> dict[str, int]:
    """`2+4`: spies and others."""
    matched = BACKS.fullmatch(word)
    if matched is None:
        raise QUESTIONS.wrong("backs", entry=word)
    return {"spies": int(matched[1]), "others": int(matched[2])}


shaped(heap, AnswerShape("things", thing=ANY_CARD, repeats=True))
shaped(lair, AnswerShape("several", inside=AnswerShape("thing", thing=LAIR_CARD), between="+", nothing="-"))
BACKS_OF_HAND = [
    AnswerShape("number", 0, MOST_HELD, label=PHRASES.wording(f"form.hands.{name}").texts) for name in ("spies", "others")
]
HANDS = AnswerShape("several", inside=AnswerShape("parts", parts=BACKS_OF_HAND, between="+"), others=True)
SPIES = AnswerShape("several", inside=AnswerShape("thing", thing=SPY_CARD))


def origin(answers: Answers, entry: str) -> Any:
    """Where spies come from; a seat was robbed of them."""
    return ORIGINS[entry.casefold()] if entry.casefold() in ORIGINS else steps.seat(answers, entry)


shaped(origin, AnswerShape("seat", choices=[(word, PHRASES.wording(f"form.victim.{word}").texts) for word in ("hand", "deck")]))


# ---- The view ----


def view(answers: Answers) -> dict[str, Any]:
    """You are seat 0."""
    phase, is_empty = answers["phase"], answers["top"] == "none"
    result: dict[str, Any] = {
        name: answers[name] for name in ("phase", "hand", "points", "lairs", "discard", "idle") if name in answers
    }
    result |= {"seat": 0, "turn": answers.get("turn", 0), "hands": [{}, *answers["hands"]]}
    result["pile"] = {"top": None, "count": 0} if is_empty else {"top": answers["top"]}
    if phase in {"add", "captured", "foil"}:
        source = answers.get("victim", "hand")
        origin = {"source": source} if isinstance(source, str) else {"source": "steal", "victim": source}
        attack = {name: answers[name] for name in ("spies", "taunts", "taunt") if name in answers}
        result["attack"] = {"target": answers.get("target", 0)} | attack | origin
    return result | ({"mover": 0} if phase == "foil" else {})
