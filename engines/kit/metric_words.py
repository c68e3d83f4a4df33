"""What hints say of the quantities that a game of the kit measures: its author's `hints`, or words made of their names."""

from collections.abc import Mapping
from typing import Any

from machiavel.engines.hints import HintWords, Quantity
from machiavel.engines.kit.file_refusals import refused
from machiavel.engines.kit.game_description import GameDescription
from machiavel.engines.kit.game_fields import KIT_PHRASES
from machiavel.engines.kit.game_words import label_of_field, usual
from machiavel.engines.plugin import LANGUAGES

__all__ = ["hint_words_of"]

OTHER = "_other"  # behind the name of a metric: that of each other seat
TEXTS = ("says", "never", "more", "less", "does", "label")
NUMBERS: Mapping[str, tuple[type, ...]] = {
    "good": (int,),
    "weight": (int, float),
    "spread": (int, float),
    "kind": (str,),
    "group": (str,),
    "replaces": (str,),
}
TABLES = ("worlds", "headline")


def hint_words_of(game: GameDescription) -> HintWords | None:
    """What its metrics mean; None where there is nothing to say of any.

    Raises BadGameFile for hints of what it does not measure.
    """
    given = {language: table_of(game, language) for language in LANGUAGES}
    measured = ", ".join(game.metrics)
    known = [name + more for name in game.metrics for more in ("", OTHER)]
    for table in given.values():
        for name in table:
            if name not in known and name not in TABLES:
                raise refused("hints_of_what", game.path, game.line, name=name, known=measured)
    # What its author says nothing of is told where it is the number of a field.
    said = {name for table in given.values() for name in table} | game.fields.keys()
    quantities = [quantity(game, name, given) for name in known if name in said]
    if not quantities:
        return None
    worlds = {language: either(given, "worlds", language) or usual("hints.worlds", language) for language in LANGUAGES}
    headline = either(given, "headline", LANGUAGES[0])
    if headline is None:
        return HintWords(worlds, quantities)
    if headline not in game.metrics:
        raise refused("hints_of_what", game.path, game.line, name=headline, known=measured)
    labels = {language: label_of(game, headline, given, language) for language in LANGUAGES}
    return HintWords(worlds, quantities, f"{headline}_{{me}}", labels)


def table_of(game: GameDescription, language: str) -> Mapping[str, Any]:
    hints = game.words.get(language, {}).get("hints", {})
    if not isinstance(hints, Mapping):
        raise refused("hints_of_what", game.path, game.line, name=repr(hints), known=", ".join(game.metrics))
    return hints


def either(given: Mapping[str, Mapping[str, Any]], name: str, language: str) -> Any:
    """What is said in that language, or in another one."""
    return next((given[one][name] for one in (language, *LANGUAGES) if name in given[one]), None)


def label_of(game: GameDescription, name: str, given: Mapping[str, Mapping[str, Any]], language: str) -> str:
    """What a quantity is called: as its author says it, or by the field of its name."""
    own = (either(given, name, language) or {}).get("label")
    field_words = game.words.get(language, {}).get("fields", {}).get(name, {})
    return str(own or field_words.get("label", label_of_field(name)).lower())


def quantity(game: GameDescription, name: str, given: Mapping[str, Mapping[str, Any]]) -> Quantity:
    metric, is_other = name.removesuffix(OTHER), name.endswith(OTHER)
    said = {language: dict(either(given, name, language) or {}) for language in LANGUAGES}
    facts: dict[str, Any] = {}
    for table in said.values():
        for key, value in table.items():
            if key in NUMBERS and not isinstance(value, NUMBERS[key]):
                raise refused("bad_hint", game.path, game.line, key=f"hints.{name}.{key}", value=repr(value))
            if key not in NUMBERS and key not in TEXTS:
                known = ", ".join([*TEXTS, *NUMBERS])
                raise refused("unknown_hint", game.path, game.line, key=f"hints.{name}.{key}", known=known)
        facts |= {key: value for key, value in table.items() if key in NUMBERS}
    texts: dict[str, dict[str, str]] = {key: {} for key in TEXTS}
    for language in LANGUAGES:
        label = label_of(game, metric, given, language)
        for key in TEXTS:
            name_of_text = f"other_{key}" if is_other else key
            template = f"hints.{name_of_text}"
            is_usual = template in KIT_PHRASES and not said[language].get("does")
            texts[key][language] = str(said[language].get(key, usual(template, language, label=label) if is_usual else ""))
        texts["label"][language] = texts["label"][language] or label
    is_share = facts.get("kind", "amount") == "share"
    return Quantity(
        f"{metric}_{{other}}" if is_other else f"{metric}_{{me}}",
        texts["does"],
        texts["label"],
        is_share,
        facts.get("good", 0),
        facts.get("weight", 1.0),
        facts.get("spread", 1.0),
        facts.get("group", name),
        texts["more"] if not is_share or said[LANGUAGES[0]].get("more") else dict.fromkeys(LANGUAGES, ""),
        texts["less"] if not is_share or said[LANGUAGES[0]].get("less") else dict.fromkeys(LANGUAGES, ""),
        texts["says"],
        texts["never"],
        facts.get("replaces", ""),
    )
