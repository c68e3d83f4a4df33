"""Steps of a form: a question, how its answer is read, when it is asked at all, and what it is where nobody says."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from machiavel.engines import Game

__all__ = [
    "Answers",
    "Form",
    "FormStep",
    "Texts",
    "Wrong",
    "as_json",
    "by_seat",
    "choice",
    "listed",
    "players_step",
    "several",
    "whole",
    "yes",
]

Answers = dict[str, Any]  # by step, as far as given
Texts = Mapping[str, str]  # by language
Read = Callable[[Answers, str], Any]


class Wrong(Exception):
    """An answer that cannot be, in words of each language."""

    def __init__(self, en: str, fr: str) -> None:
        super().__init__(en)
        self.texts: Texts = {"en": en, "fr": fr}


@dataclass(frozen=True)
class FormStep:
    """`usual` is the entry that stands for none; None: there must be an answer."""

    key: str
    question: Texts
    help: Texts
    read: Read
    is_needed: Callable[[Answers], bool] = lambda _: True
    usual: Callable[[Answers], str | None] = lambda _: None
    is_yes_or_no: bool = False


@dataclass(frozen=True)
class Form:
    """The questions of a game in their order, and what becomes of the answers.

    `options` and `view` make JSON of the answers; `places` tells which question a field of the view belongs to.
    """

    game: Game
    steps: Sequence[FormStep]
    options: Callable[[Answers], dict[str, Any]]
    view: Callable[[Answers], dict[str, Any]]
    places: Mapping[str, str] = field(default_factory=dict)

    def data(self, answers: Answers) -> dict[str, Any]:
        head = {"game": self.game.name, "rules_version": self.game.rules_version}
        return head | {"options": self.options(answers), "view": self.view(answers)}

    def place(self, path: str) -> str | None:
        """The step of a field such as `hands[1].spies`."""
        name = path.partition(".")[0].partition("[")[0]
        wanted = self.places.get(name, name)
        return wanted if any(step.key == wanted for step in self.steps) else None


# ---- Answers of one kind or another ----


def listed(entry: str) -> list[str]:
    """The words of an entry, however they are set apart."""
    return entry.replace(",", " ").replace(";", " ").split()


def whole(least: int, most: int) -> Read:
    def read(_: Answers, entry: str) -> int:
        if entry.isascii() and entry.isdigit() and least <= int(entry[:9]) <= most:
            return int(entry[:9])
        raise Wrong(f"{entry}: expected a number from {least} to {most}", f"{entry} : il faut un nombre de {least} à {most}")

    return read


YES, NO = {"y", "yes", "o", "oui", "1", "true"}, {"n", "no", "non", "0", "false"}


def yes(_: Answers, entry: str) -> bool:
    if entry.casefold() in YES | NO:
        return entry.casefold() in YES
    raise Wrong(f"{entry}: expected yes or no", f"{entry} : il faut oui ou non")


def choice(*names: str, french: Sequence[str] = ()) -> Read:
    """One of these names, or of those in French in the same order, or its number from 1."""

    def read(_: Answers, entry: str) -> str:
        word = entry.casefold().replace(" ", "_")
        if word in names:
            return word
        if word in french:
            return names[french.index(word)]
        if word.isascii() and word.isdigit() and 1 <= int(word[:9]) <= len(names):
            return names[int(word[:9]) - 1]
        raise Wrong(f"{entry}: expected one of {', '.join(names)}", f"{entry} : il faut un de {', '.join(french or names)}")

    return read


def several(one: Read, count: Callable[[Answers], int] | None = None) -> Read:
    """A list of answers of one kind, none twice where they are texts; so many of them, if that is known."""

    def read(answers: Answers, entry: str) -> list[Any]:
        result = [one(answers, word) for word in listed(entry)]
        if count is not None and len(result) != count(answers):
            expected = count(answers)
            raise Wrong(f"{len(result)} are given; expected {expected}", f"il y en a {len(result)} ; il en faut {expected}")
        for item in result:
            if isinstance(item, str) and result.count(item) > 1:
                raise Wrong(f"{item} is given twice", f"{item} est donné deux fois")
        return result

    return read


def by_seat(one: Read) -> Read:
    """An answer for every player, from yourself on clockwise."""

    def read(answers: Answers, entry: str) -> list[Any]:
        result = [one(answers, word) for word in listed(entry)]
        if len(result) != answers["players"]:
            expected = answers["players"]
            raise Wrong(
                f"{len(result)} are given; expected one for each of {expected} players",
                f"il y en a {len(result)} ; il en faut un pour chacun des {expected} joueurs",
            )
        return result

    return read


def players_step(game: Game) -> FormStep:
    least, most = min(game.players), max(game.players)
    return FormStep(
        "players",
        {
            "en": f"How many players, you included? ({least} to {most})",
            "fr": f"Combien de joueurs, toi compris ? (de {least} à {most})",
        },
        {
            "en": "You are seat 0 here; the others are counted clockwise from you.",
            "fr": "Tu es ici le joueur 0 ; les autres se comptent à partir de toi, dans le sens horaire.",
        },
        whole(least, most),
    )


def as_json(_: Answers, entry: str) -> Any:
    try:
        return json.loads(entry)
    except (ValueError, RecursionError):
        raise Wrong(f"{entry}: expected JSON", f"{entry} : il faut du JSON") from None
