"""What is asked of a person at a table of bond."""

import re
from typing import Any

from machiavel.engines import Game
from machiavel.server.cli.asking.steps import (
    Answers,
    Form,
    FormStep,
    Wrong,
    by_seat,
    choice,
    listed,
    players_step,
    several,
    whole,
)

__all__ = ["bond_form"]

CARD = re.compile(r"(lair|repaire|spy|espion|doubler|[lrsed])[ :]*([0-9]{1,2}|[a-i])(?![a-z0-9])")
SORTS = {
    "l": "lairs",
    "lair": "lairs",
    "r": "lairs",
    "repaire": "lairs",
    "s": "spies",
    "spy": "spies",
    "e": "spies",
    "espion": "spies",
    "d": "doublers",
    "doubler": "doublers",
}
PHASES = ("lair", "spy", "add", "captured", "foil")
CARDS = {
    "en": "As l3 s5 dC: lairs of 3, spies of 5, Doublers with C; each card by itself.",
    "fr": "Comme r3 e5 dC : repaires de 3, espions de 5, Doublers avec C ; chaque carte à part.",
}
SEAT = {"en": "A seat from 0, which is you, clockwise.", "fr": "Un joueur à partir de 0, c'est toi, dans le sens horaire."}
PLACES = {"turn": "turn", "attack": "spies", "mover": "turn"}


def bond_form(game: Game) -> Form:
    return Form(game, [players_step(game), *STEPS], lambda answers: {"players": answers["players"]}, view, PLACES)


def read_heap(_: Answers, entry: str) -> dict[str, list[Any]]:
    result: dict[str, list[Any]] = {"lairs": [], "spies": [], "doublers": []}
    text = entry.casefold().replace(",", " ").strip()
    rest = CARD.sub("", text).strip()
    for sort, mark in CARD.findall(text):
        name = SORTS.get(sort)
        if name is None or (name == "doublers") == mark.isdigit():
            rest = f"{sort}{mark}"
        else:
            result[name].append(mark.upper() if name == "doublers" else int(mark))
    if rest:
        raise Wrong(f"{rest}: expected cards, as l3 s5 dC", f"{rest} : il faut des cartes, comme r3 e5 dC")
    return result


def read_lair(_: Answers, word: str) -> list[int]:
    if word in {"-", "0"}:
        return []
    values = word.split("+")
    if not all(value.isascii() and value.isdigit() and len(value) < 3 for value in values):
        raise Wrong(f"{word}: expected a lair, as 2+3, or - for none", f"{word} : il faut un repaire, comme 2+3, ou - pour aucun")
    return sorted(int(value) for value in values)


def read_backs(_: Answers, word: str) -> dict[str, int]:
    matched = re.fullmatch(r"([0-9]{1,2})\+([0-9]{1,2})", word)
    if matched is None:
        raise Wrong(f"{word}: expected spies+others, as 2+4", f"{word} : il faut espions+autres, comme 2+4")
    return {"spies": int(matched[1]), "others": int(matched[2])}


def other_count(answers: Answers) -> int:
    return int(answers["players"]) - 1


def read_seat(answers: Answers, entry: str) -> int:
    return int(whole(0, answers["players"] - 1)(answers, entry))


def read_letter(_: Answers, word: str) -> str:
    if len(word) == 1 and word.upper() in "ABCDEFGHI":
        return word.upper()
    raise Wrong(f"{word}: expected a letter, A to I", f"{word} : il faut une lettre, de A à I")


def backs_reader(answers: Answers, entry: str) -> list[dict[str, int]]:
    result = [read_backs(answers, word) for word in listed(entry)]
    if len(result) != other_count(answers):
        expected = other_count(answers)
        raise Wrong(
            f"{len(result)} are given; expected one for each of {expected} others",
            f"il y en a {len(result)} ; il en faut un pour chacun des {expected} autres",
        )
    return result


def asked(*phases: str) -> Any:
    return lambda answers: answers.get("phase") in phases


def is_over_the_pile(answers: Answers) -> bool:
    return bool(answers.get("top") == "none")


STEPS = [
    FormStep(
        "phase",
        {
            "en": "What are you asked: lair, spy, add, captured, foil?",
            "fr": "Que te demande-t-on : repaire, attaque, renfort, capture, parade ?",
        },
        {
            "en": "1 lair: a lair card or none. 2 spy: an attack or none. 3 add: another spy or none. 4 captured: kill or taunt."
            " 5 foil: foil or not.",
            "fr": "1 repaire : une carte Repaire ou non. 2 attaque : attaquer ou non. 3 renfort : un autre espion ou non."
            " 4 capture : tuer ou railler. 5 parade : déjouer ou non.",
        },
        choice(*PHASES, french=("repaire", "attaque", "renfort", "capture", "parade")),
    ),
    FormStep("hand", {"en": "Your hand?", "fr": "Ta main ?"}, CARDS, read_heap, usual=lambda _: ""),
    FormStep(
        "points",
        {"en": "Points of each player?", "fr": "Les points de chaque joueur ?"},
        {"en": "From yourself on clockwise, as 0 6 3.", "fr": "À partir de toi dans le sens horaire, comme 0 6 3."},
        by_seat(whole(0, 999)),
        usual=lambda answers: " ".join(["0"] * answers["players"]),
    ),
    FormStep(
        "lairs",
        {"en": "The lair of each player?", "fr": "Le repaire de chaque joueur ?"},
        {
            "en": "From yourself on clockwise, as 2+3 - 4; - is none.",
            "fr": "À partir de toi dans le sens horaire, comme 2+3 - 4 ; - pour aucun.",
        },
        by_seat(read_lair),
        usual=lambda answers: " ".join(["-"] * answers["players"]),
    ),
    FormStep(
        "hands",
        {
            "en": "Cards of the other players, as spies+others by their backs?",
            "fr": "Les cartes des autres joueurs, comme espions+autres d'après leur dos ?",
        },
        {"en": "From your left on clockwise, as 2+4 3+3.", "fr": "À partir de ta gauche dans le sens horaire, comme 2+4 3+3."},
        backs_reader,
    ),
    FormStep("discard", {"en": "The discard?", "fr": "La défausse ?"}, CARDS, read_heap, usual=lambda _: ""),
    FormStep(
        "top",
        {"en": "The back on top of the pile: spy, other, none?", "fr": "Le dos sur la pioche : espion, autre, aucun ?"},
        {
            "en": "1 spy, 2 another card, 3 none: the pile is empty.",
            "fr": "1 espion, 2 autre : une autre carte, 3 aucun : la pioche est vide.",
        },
        choice("spy", "other", "none", french=("espion", "autre", "aucun")),
    ),
    FormStep(
        "idle",
        {
            "en": "How many turns in a row, this one included, has nothing been played?",
            "fr": "Depuis combien de tours, celui-ci compris, rien n'a-t-il été joué ?",
        },
        {"en": "Since the pile is empty.", "fr": "Depuis que la pioche est vide."},
        whole(0, 6),
        lambda answers: is_over_the_pile(answers) and answers.get("phase") in {"lair", "spy"},
        lambda _: "1",
    ),
    FormStep(
        "turn",
        {"en": "Whose turn is it? (0 is you)", "fr": "À qui est le tour ? (0, c'est toi)"},
        SEAT,
        read_seat,
        asked("captured", "foil"),
    ),
    FormStep(
        "target",
        {"en": "Whose lair is attacked? (0 is you)", "fr": "Quel repaire est attaqué ? (0, c'est toi)"},
        SEAT,
        read_seat,
        asked("add", "foil"),
    ),
    FormStep(
        "spies",
        {"en": "The spies of the attack?", "fr": "Les espions de l'attaque ?"},
        {"en": "Their values, in the order they were sent.", "fr": "Leurs valeurs, dans l'ordre."},
        several(whole(1, 15)),
        asked("add", "captured", "foil"),
    ),
    FormStep(
        "victim",
        {
            "en": "Where do they come from: hand, deck, or the seat stolen from?",
            "fr": "D'où viennent-ils : hand (main), deck (pioche), ou le joueur volé ?",
        },
        {"en": "hand, deck or a seat.", "fr": "hand, deck ou un joueur."},
        lambda answers, entry: entry.casefold() if entry.casefold() in {"hand", "deck"} else read_seat(answers, entry),
        asked("captured", "foil"),
        lambda _: "hand",
    ),
    FormStep(
        "taunts",
        {"en": "Letters of the Doublers on the spy?", "fr": "Les lettres des Doublers sur l'espion ?"},
        {"en": "Those that stand, in the order played.", "fr": "Celles qui tiennent, dans l'ordre."},
        several(read_letter),
        asked("captured", "foil"),
        lambda _: "",
    ),
    FormStep(
        "taunt",
        {"en": "Which letter is asked about?", "fr": "Quelle lettre est en question ?"},
        {"en": "A to I.", "fr": "De A à I."},
        read_letter,
        asked("foil"),
    ),
]


def view(answers: Answers) -> dict[str, Any]:
    phase = answers["phase"]
    top = None if answers["top"] == "none" else answers["top"]
    result: dict[str, Any] = {
        "seat": 0,
        "phase": phase,
        "hand": answers["hand"],
        "points": answers["points"],
        "lairs": answers["lairs"],
    }
    result |= {
        "discard": answers["discard"],
        "hands": [{}, *answers["hands"]],
        "pile": {"top": top} | ({"count": 0} if top is None else {}),
    }
    result |= {"turn": answers.get("turn", 0)} | ({"idle": answers["idle"]} if "idle" in answers else {})
    if phase in {"add", "captured", "foil"}:
        result["attack"] = attack(answers)
    if phase == "foil":
        result["mover"] = 0
    return result


def attack(answers: Answers) -> dict[str, Any]:
    result = {"target": answers.get("target", 0), "spies": answers["spies"], "taunts": answers.get("taunts", [])}
    source = answers.get("victim", "hand")
    result |= {"source": source} if isinstance(source, str) else {"source": "steal", "victim": source}
    return result | ({"taunt": answers["taunt"]} if "taunt" in answers else {})
