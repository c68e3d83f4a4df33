"""What a game's metrics say of moves, for one view: its quantities by seat, with their words filled in."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from machiavel.engines import LANGUAGES, View
from machiavel.engines.hints import HintWords, Quantity
from machiavel.search.recommendation import Candidate
from machiavel.search.sentences import amount_text, plural_of, share_text, to_whom

__all__ = ["Difference", "Facet", "Facets"]

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
        self.contexts = {language: plugin.hint_context(view.rules, self.seen, language) for language in LANGUAGES}

    def of(self, quantity: Quantity, seat: int, known: set[str]) -> Sequence[Facet]:
        others = [other for other in range(self.view.players) if other != seat] if "{other}" in quantity.metric else [None]
        named = [(other, quantity.metric.format(me=seat, other=other)) for other in others]
        return [Facet(quantity, name, other, quantity.group.format(other=other)) for other, name in named if name in known]

    def most(self, differences: Sequence[Difference], count: int) -> list[Difference]:
        """Those that matter most, one of each group."""
        result: list[Difference] = []
        for one in sorted(differences, key=lambda one: (-one[0], one[1].name)):
            if len(result) < count and all(one[1].group != other[1].group for other in result):
                result.append(one)
        return result

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

    def subject(self, move: str, language: str) -> str:
        rules = self.view.rules
        return str(self.plugin.move_subject(rules, self.seen, self.plugin.parse_move(rules, move)[0], language))

    def does(self, facet: Facet, language: str) -> str:
        return self.fill(facet, facet.quantity.does[language], language)

    def compared(self, facet: Facet, language: str, *, is_more: bool) -> str:
        quantity = facet.quantity
        return self.fill(facet, (quantity.more if is_more else quantity.less)[language], language)

    def amount(self, facet: Facet, value: float, language: str) -> str:
        text = amount_text(value, language)
        return self.fill(facet, facet.quantity.does[language], language, value=text, s=plural_of(text, language))

    def number(self, facet: Facet, value: float, language: str) -> str:
        return share_text(value, language) if facet.is_share else amount_text(value, language)

    def fill(self, facet: Facet, text: str, language: str, **parts: str) -> str:
        parts |= self.contexts[language]
        if facet.other is not None:
            name = self.plugin.seat_name(self.view.rules, self.seen, facet.other, language)
            parts |= {"other": name, "to": to_whom(name, language)}
        return text.format(**parts)
