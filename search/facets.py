"""What a game's metrics say of moves, for one view: its quantities by seat, with their words filled in."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from machiavel.engines import LANGUAGES, View
from machiavel.engines.hints import HintWords, Quantity
from machiavel.engines.phrases import of_name, to_name, typeset
from machiavel.search.recommendation import Candidate
from machiavel.search.sentences import ELISION, VOWELS, amount_text, plural_of, share_text

__all__ = ["Difference", "Facet", "Facets", "to_whom"]

# How much is worth a word: a difference between shares, and one between amounts in their spreads.
LEAST_SHARE, LEAST_AMOUNT = 0.05, 0.1
# How a difference between shares ranks beside one between amounts: what is told is what differs most by this measure.
SHARE_SCALE = 2.0

Difference = tuple[float, "Facet", float]  # how much it matters, in what, and the value that is compared with


@dataclass(frozen=True)
class Facet:
    """A quantity of one seat; `name` is the metric's own."""

    quantity: Quantity
    name: str
    other: int | None  # the seat that `{other}` stands for
    group: str

    @property
    def is_share(self) -> bool:
        return self.quantity.is_share

    @property
    def good(self) -> int:
        return self.quantity.good

    def effect(self, difference: float) -> float:
        """How much a difference matters."""
        scale = SHARE_SCALE if self.is_share else 1 / self.quantity.spread
        return abs(difference) * scale * self.quantity.weight

    def is_worth_saying(self, effect: float) -> bool:
        least = LEAST_SHARE * SHARE_SCALE if self.is_share else LEAST_AMOUNT
        return effect >= least * self.quantity.weight

    def error(self, one: Candidate) -> float:
        """The standard error of a candidate's mean."""
        if not self.is_share:
            return self.quantity.spread / math.sqrt(one.visits)
        # Agresti and Coull: a share of 0 or 1 is not known without error.
        count = one.visits + 4
        share = min(1.0, max(0.0, (one.metrics[self.name] * one.visits + 2) / count))
        return math.sqrt(share * (1 - share) / count)


class Facets:
    """All facets of a view; none where the game declares no words."""

    def __init__(self, view: View) -> None:
        plugin, self.view = view.game.plugin, view
        self.plugin = plugin
        self.seen = view.to_json()["view"]
        self.words: HintWords | None = plugin.hint_words(view.rules)
        known = set(plugin.metrics(view.rules))
        seat = view.seat or 0
        self.all: tuple[Facet, ...] = tuple(
            facet for quantity in (self.words.quantities if self.words else ()) for facet in self.of(quantity, seat, known)
        )
        headline = self.words.headline.format(me=seat) if self.words and self.words.headline else None
        self.headline = headline if headline in known else None
        self.contexts: dict[tuple[str | None, str], Mapping[str, str]] = {}  # by move and language

    def of(self, quantity: Quantity, seat: int, known: set[str]) -> Sequence[Facet]:
        others = [other for other in range(self.view.players) if other != seat] if "{other}" in quantity.metric else [None]
        named = [(other, quantity.metric.format(me=seat, other=other)) for other in others]
        return [
            Facet(quantity, name, other, quantity.group.format(me=seat, other=other)) for other, name in named if name in known
        ]

    def most(self, differences: Sequence[Difference], count: int) -> list[Difference]:
        """Those that matter most, one of each group."""
        result: list[Difference] = []
        for one in sorted(differences, key=lambda one: (-one[0], one[1].name)):
            if len(result) < count and all(one[1].group != other[1].group for other in result):
                result.append(one)
        return result

    def without_said(self, chosen: Sequence[Difference], move: str) -> list[Difference]:
        """Of two of which one says what the other would, that one alone."""
        replaced = {one[1].quantity.replaces.format(**self.context(move, "en")) for one in chosen if one[1].quantity.replaces}
        return [one for one in chosen if one[1].group not in replaced]

    # ---- Words ----

    def labels(self) -> Mapping[str, Mapping[str, str]]:
        return {
            facet.name: {language: self.fill(facet, facet.quantity.label[language], language) for language in LANGUAGES}
            for facet in self.all
        }

    def headline_label(self) -> Mapping[str, str]:
        return self.words.headline_label if self.words else dict.fromkeys(LANGUAGES, "")

    def worlds(self, language: str) -> str:
        return self.words.worlds[language] if self.words else ""

    def phrase(self, move: str, form: str, language: str) -> str:
        """A move as part of a sentence, in one of the forms of `Engine.move_phrase`."""
        return self.plugin.move_phrase(self.view.rules, self.seen, move, (language, form))

    def clause(self, facet: Facet, move: str, language: str, often: str = "") -> str:
        """What a share is a share of, with an adverb where the clause has its place, or behind it."""
        says = facet.quantity.says[language] or IT[language].format(does=facet.quantity.does[language])
        adverb = often and f" {often}"
        return self.fill(facet, says if "{often}" in says else says + "{often}", language, move, often=adverb)

    def never(self, facet: Facet, move: str, language: str) -> str:
        quantity = facet.quantity
        if quantity.never[language]:
            return self.fill(facet, quantity.never[language], language, move)
        if quantity.says[language]:
            return NEVER[language].format(clause=self.clause(facet, move, language))
        return negated(self.fill(facet, quantity.does[language], language, move), language)

    def compared(self, facet: Facet, move: str, language: str, *, is_more: bool) -> str:
        """Of an amount: that it is more, or less, with that move."""
        quantity = facet.quantity
        text = (quantity.more if is_more else quantity.less)[language]
        return self.fill(facet, text if quantity.says[language] else IT[language].format(does=text), language, move)

    def amount(self, facet: Facet, move: str, value: float, language: str) -> str:
        text = amount_text(value, language)
        says = facet.quantity.says[language] or IT[language].format(does=facet.quantity.does[language])
        return self.fill(facet, says, language, move, value=text, s=plural_of(text, language))

    def number(self, facet: Facet, value: float, language: str) -> str:
        return share_text(value, language) if facet.is_share else amount_text(value, language)

    def context(self, move: str | None, language: str) -> Mapping[str, str]:
        """What clauses are filled with, where they are about a move or about none."""
        key = (move, language)
        if key not in self.contexts:
            rules = self.view.rules
            self.contexts[key] = (
                self.plugin.hint_context(rules, self.seen, language)
                if move is None
                else self.plugin.move_context(rules, self.seen, move, language)
            )
        return self.contexts[key]

    def fill(self, facet: Facet, text: str, language: str, move: str | None = None, **parts: str) -> str:
        parts |= self.context(move, language)
        if facet.other is not None:
            name = self.plugin.seat_name(self.view.rules, self.seen, facet.other, language)
            parts |= {"other": name, "to": to_whom(name, language), "of": of_name(name, language)}
        return typeset(text.format(**parts), language)


# A clause whose subject is the move, and the same of what never happens.
IT: Mapping[str, str] = {"en": "it {does}", "fr": "ça {does}"}
# What never happens and has no words for that.
NEVER: Mapping[str, str] = {"en": "it never happens that {clause}", "fr": "jamais {clause}"}


def negated(does: str, language: str) -> str:
    if language == "en":
        return f"it never {does}"
    return f"jamais ça n{ELISION[does[:1] in VOWELS]}{does}"


def to_whom(name: str, language: str) -> str:
    """Somebody something is left to."""
    return f"to {name}" if language == "en" else to_name(name, language)
