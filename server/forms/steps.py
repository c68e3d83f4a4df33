"""Steps of a form: a question, how its answer is read, when it is asked at all, and what it is where nobody says."""

import json
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from machiavel.engines import Game, Phrases, Rules
from machiavel.engines.fields import Kind
from machiavel.engines.phrases import Wording, load_phrases
from machiavel.server.forms.answer_shapes import AnswerShape, shape_of, shaped

__all__ = [
    "PHRASES",
    "Answers",
    "Form",
    "FormStep",
    "Questions",
    "Read",
    "Texts",
    "Wrong",
    "as_json",
    "by_seat",
    "choice",
    "everybody",
    "item_of",
    "items_of",
    "listed",
    "players_step",
    "seat",
    "seats_in",
    "several",
    "unaccented",
    "whole",
    "yes",
]

Answers = dict[str, Any]  # by step, as far as given
Texts = Mapping[str, str]  # by language
Read = Callable[[Answers, str], Any]
Count = int | Callable[[Answers], int] | None  # of things: as the answers before have it


PHRASES = load_phrases("machiavel.server.forms")


class Wrong(Exception):
    """An answer that cannot be, in words of each language."""

    def __init__(self, en: str, fr: str = "") -> None:
        super().__init__(en)
        self.texts: Texts = en.texts if isinstance(en, Wording) else {"en": en, "fr": fr}


def wrong(key: str, **parts: object) -> Wrong:
    """An answer that cannot be, in words that all forms share."""
    return Wrong(PHRASES.wording(key, **parts))


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


def whole(least: int, most: int, step: int = 1) -> Read:
    def read(_: Answers, entry: str) -> int:
        if entry.isascii() and entry.isdigit() and int(entry[:9]) in range(least, most + 1, step):
            return int(entry[:9])
        raise wrong("number" if step == 1 else "multiple", entry=entry, least=least, most=most, step=step)

    return shaped(read, AnswerShape("number", least, most, step))


YES, NO = {"y", "yes", "o", "oui", "1", "true"}, {"n", "no", "non", "0", "false"}


def yes(_: Answers, entry: str) -> bool:
    if entry.casefold() in YES | NO:
        return entry.casefold() in YES
    raise wrong("yes_or_no", entry=entry)


shaped(yes, AnswerShape("yes_or_no"))


def everybody(answers: Answers) -> str:
    return " ".join(map(str, range(answers["players"])))


def seats_in(answers: Answers, entry: str) -> list[int]:
    """The seats that are still in, ascending; yours is one of them."""
    result = sorted({seat(answers, word) for word in listed(entry)})
    if 0 not in result or len(result) < 2:
        raise wrong("seats_in")
    return result


def seat(answers: Answers, entry: str) -> int:
    result: int = whole(0, answers["players"] - 1)(answers, entry)
    return result


SEAT = AnswerShape("seat")
shaped(seat, SEAT)
shaped(seats_in, AnswerShape("several", inside=SEAT))


def unaccented(text: str) -> str:
    """Small letters without accents, as many people type."""
    letters = unicodedata.normalize("NFKD", text.casefold().replace("’", "'").replace("œ", "oe"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def choice(*names: str, french: Sequence[str] = ()) -> Read:
    """One of these names, or of those in French in the same order, or its number from 1; accents and capitals do not count."""
    known_names = {unaccented(word): name for words in (french, names) for word, name in zip(words, names, strict=False)}

    def read(_: Answers, entry: str) -> str:
        word = unaccented(entry.replace(" ", "_"))
        if word in known_names:
            return known_names[word]
        if word.isascii() and word.isdigit() and 1 <= int(word[:9]) <= len(names):
            return names[int(word[:9]) - 1]
        known = Wording({"en": ", ".join(names), "fr": ", ".join(french or names)})
        raise wrong("choice", entry=entry, known=known)

    called = [{"en": name, "fr": word} for name, word in zip(names, french or names, strict=True)]
    return shaped(read, AnswerShape("choice", choices=list(zip(names, called, strict=True))))


def several(one: Read, count: Callable[[Answers], int] | None = None) -> Read:
    """A list of answers of one kind, none twice where they are texts; so many of them, if that is known."""

    def read(answers: Answers, entry: str) -> list[Any]:
        result = [one(answers, word) for word in listed(entry)]
        if count is not None and len(result) != count(answers):
            raise wrong("count", given=len(result), expected=count(answers))
        for item in result:
            if isinstance(item, str) and result.count(item) > 1:
                raise wrong("twice", item=item)
        return result

    return shaped(read, AnswerShape("several", inside=shape_of(one)))


def by_seat(one: Read, *, once: bool = False) -> Read:
    """An answer for every player, from yourself on clockwise; with `once` none twice."""
    each = several(one)

    def read(answers: Answers, entry: str) -> list[Any]:
        result: list[Any] = each(answers, entry) if once else [one(answers, word) for word in listed(entry)]
        if len(result) != answers["players"]:
            raise wrong("by_seat", given=len(result), expected=answers["players"])
        return result

    return shaped(read, AnswerShape("by_seat", inside=shape_of(one)))


SHOWN = ("hand", "table", "seen")  # the answers in which a thing may be, and then nowhere else


def item_of(kind: Kind, rules: Rules | None = None, fold: Callable[[str], str] = str.upper) -> Read:
    """One thing of a kind, such as a card, as its text; `fold` makes its notation of what was typed."""
    any_rules: Any = rules

    def read(_: Answers, word: str) -> str:
        text = fold(word)
        if text not in kind.numbers(any_rules):
            known = kind.known(any_rules) if kind.expected is None else kind.expected(any_rules)
            raise wrong("choice" if kind.expected is None else "item", entry=word, known=known, expected=known)
        return text

    return shaped(read, AnswerShape("thing", thing=kind))


def items_of(key: str, one: Read, least: Count = 0, most: Count = None) -> Read:
    """The things of one answer, such as the cards of a hand: each once, and nowhere else; so many, as far as that is known."""

    def read(answers: Answers, entry: str) -> list[str]:
        result: list[str] = several(one)(answers, entry)
        for item in result:
            for other in SHOWN:
                if other != key and item in answers.get(other, ()):
                    raise wrong(other, item=item)
        low, high = (number(answers) if callable(number) else number for number in (least, most))
        if high is not None and not (low or 0) <= len(result) <= high:
            raise wrong("count" if low == high else "range", given=len(result), expected=high, least=low, most=high)
        return result

    return shaped(read, AnswerShape("things", thing=shape_of(one).thing))


def players_step(game: Game) -> FormStep:
    least, most = min(game.players), max(game.players)
    return step_of(PHRASES, "players", whole(least, most), least=least, most=most)


def as_json(_: Answers, entry: str) -> Any:
    try:
        return json.loads(entry)
    except (ValueError, RecursionError):
        raise wrong("json", entry=entry) from None


# ---- Steps whose texts are a game's ----


def step_of(phrases: Phrases, key: str, read: Read, **parts: object) -> FormStep:
    question, help_text = (phrases.wording(f"form.{key}.{name}", **parts) for name in ("question", "help"))
    return FormStep(key, question.texts, help_text.texts, read)


class Questions:
    """Makes the steps of a game's form: their texts are `form.KEY.question` and `form.KEY.help` of the game."""

    def __init__(self, phrases: Phrases) -> None:
        self._phrases = phrases

    def ask(
        self,
        key: str,
        read: Read,
        *,
        needed: Callable[[Answers], bool] = lambda _: True,
        usual: str | Callable[[Answers], str | None] | None = None,
        is_yes_or_no: bool = False,
        **parts: object,
    ) -> FormStep:
        """`usual` is the entry that stands for none, or makes it of the answers before; `parts` fill holes of the texts.

        What `yes` reads is known to be yes or no.
        """
        given = usual if callable(usual) else lambda _: usual
        step = step_of(self._phrases, key, read, **parts)
        return replace(step, is_needed=needed, usual=given, is_yes_or_no=is_yes_or_no or read is yes)

    def wrong(self, key: str, **parts: object) -> Wrong:
        """An answer that cannot be: `form.wrong.KEY`."""
        return Wrong(self._phrases.wording(f"form.wrong.{key}", **parts))
