"""What players read: the moves, cards and backs of bond in words."""

from collections.abc import Callable, Mapping
from typing import Any

from machiavel.engines.bond.deck import SORTS
from machiavel.engines.bond.schema import PHRASES
from machiavel.engines.hints import MoveParts, name_forms

__all__ = ["about_card", "attack_ends", "move_words", "no_attack", "parts_of_move", "value_label"]

Name = Callable[[int], str]  # of a seat
ATTACK_ENDS = ("killed", "escaped", "foiled")


def move_words(text: str, language: str, seat: Callable[[str], Callable[[str], str]]) -> str:
    """`spy:5>2` in words, or `spy:?>2`; `seat` names one in a form, such as `of`."""
    what, _, target = text.partition(">")
    word, _, mark = what.partition(":")
    key = f"moves.hidden_{word}" if mark == "?" else f"moves.{word}"
    return PHRASES(key, language, mark=mark, victim=seat(mark), target=seat(target))


def value_label(kind: str, value: Any, language: str, form: str) -> str:
    """A value of an event; empty for one that is not this game's own."""
    if kind in {*SORTS, "letter"}:
        kind, value = "card", f"{SORTS[-1] if kind == 'letter' else kind}:{value}"
    if kind == "card":
        sort, _, mark = value.partition(":")
        key = f"a_card.{sort}" if form == "a" else f"cards.{sort}"
        return mark if form == "mark" else PHRASES(key, language, mark=mark)
    if kind == "doubling":
        return PHRASES(f"times.{value if value < 3 else 'more'}", language, count=value)
    return PHRASES(f"backs.{value}", language) if kind == "back" else ""


def about_card(kind: str, text: str, language: str) -> str:
    """What a card does, by its sort; empty for what is no sort of cards."""
    sort = SORTS[-1] if kind == "letter" else kind
    return PHRASES(f"about.{sort}", language, mark=text) if sort in SORTS else ""


# ---- Hints ----


def no_attack(language: str) -> Mapping[str, str]:
    return {"target": ""} | {end: PHRASES(f"phrases.no_attack.{end}", language) for end in ATTACK_ENDS}


def attack_ends(seen: Mapping[str, Any], move: str, language: str, name: Name) -> Mapping[str, str]:
    """How the attack of this turn ends: the one that the move makes, or that is under way."""
    attack, target = seen["attack"], move.partition(">")[2]
    if attack is None and not target:
        return no_attack(language)
    count = 1 if attack is None else len(attack["spies"]) + move.startswith("add:")
    owner = int(target) if target else attack["target"]
    lair = lair_phrase(seen, owner, language, name)
    ends = {end: PHRASES(f"phrases.attack.{end}", language, lair=lair, count=count) for end in ATTACK_ENDS}
    said = {"kill": "killed", "foil": "foiled"}.get(move)
    return {"target": str(owner)} | ends | ({said: ""} if said else {})  # what the move says need not be said again


def parts_of_move(seen: Mapping[str, Any], move: str, language: str, name: Name) -> MoveParts:
    said, _, target = move.partition(">")
    word, _, mark = said.partition(":")
    parts: dict[str, object] = {"lair": lair_phrase(seen, int(target), language, name)} if target else {}
    if mark == "?":
        return f"hidden_{word}", parts
    if word != "steal":
        return word, parts | {"mark": mark}
    if int(mark) == seen["seat"]:
        return "steal_me", parts
    if mark == target:
        parts["lair"] = PHRASES("phrases.lairs.own", language)
    return word, parts | {"victim": name_forms(name(int(mark)), language)}


def lair_phrase(seen: Mapping[str, Any], seat: int, language: str, name: Name) -> str:
    """Whose lair it is."""
    if seat == seen["seat"]:
        return PHRASES("phrases.lairs.mine", language)
    return PHRASES("phrases.lairs.of", language, who=name_forms(name(seat), language))
