"""Why a move is recommended, in plain sentences: each number in them is one of the recommendation's, rounded.

docs/hints.md tells what every sentence means and when it is said.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from machiavel.engines import LANGUAGES, View
from machiavel.engines.phrases import typeset
from machiavel.search.facets import Difference, Facet, Facets
from machiavel.search.recommendation import Candidate, Recommendation
from machiavel.search.sentences import SENTENCES, asked_about, sentence_case, share_text, than

__all__ = ["Explanation", "Figure", "Sentence", "Writer", "are_close", "explain", "forced_kind"]

FEW_VISITS = 20  # below them, nothing is said of what a move leads to
FAR = 0.05  # a difference of win chances that one would rather hear of
WITHIN = 1.96  # standard errors: 95 % intervals


@dataclass(frozen=True)
class Figure:
    """A number that a sentence quotes, if only as `never` or `for certain`: that candidate's `win_chance`, or a metric of its."""

    move: str
    name: str
    value: float


@dataclass(frozen=True)
class Sentence:
    """What there is to say of one thing, in every language. `kind` is one of docs/hints.md; figures stand as they are quoted."""

    kind: str
    texts: Mapping[str, str]
    figures: tuple[Figure, ...]

    def to_json(self) -> dict[str, Any]:
        figures = [{"move": one.move, "name": one.name, "value": one.value} for one in self.figures]
        return {"kind": self.kind, **self.texts, "figures": figures}


@dataclass(frozen=True)
class Explanation:
    """One to three sentences; and what the metrics they speak of are called, by name and language."""

    sentences: tuple[Sentence, ...]
    labels: Mapping[str, Mapping[str, str]]
    headline: str | None  # the metric that stands beside each win chance
    headline_label: Mapping[str, str]

    def to_json(self) -> dict[str, Any]:
        return {
            "sentences": [one.to_json() for one in self.sentences],
            "labels": {name: dict(label) for name, label in self.labels.items()},
            "headline": None if self.headline is None else {"metric": self.headline, **self.headline_label},
        }


def explain(view: View, recommendation: Recommendation) -> Explanation:
    """What to play, and why that is the best, from nothing but the view and what was found from it.

    With metrics in the recommendation (`explain`) it says what the move leads to, else how likely it wins.
    """
    writer = Writer(view)
    facets, best = writer.facets, recommendation.candidates[0]
    others = [one for one in recommendation.candidates[1:] if one.visits]
    if recommendation.stopped == "forced":
        sentences = [writer.verdict(forced_kind(view), best)]
    else:
        rival = others[0] if others else None
        opening = writer.opening(
            chance_kind(view, recommendation, others), best, rival, is_running=recommendation.stopped == "running"
        )
        sentences = [writer.reasons(opening, best, [one for one in others if one.visits >= FEW_VISITS])]
        if rival is not None:
            sentences += writer.rivalry(rival, best, said=sentences[0].figures)
    return Explanation(tuple(sentences), facets.labels(), facets.headline, facets.headline_label())


def forced_kind(view: View) -> str:
    """Of the only candidate: there is no other move, or none was asked for."""
    return "only_move" if len(view.legal_moves()) == 1 else "only_asked"


def chance_kind(view: View, recommendation: Recommendation, others: Sequence[Candidate]) -> str:
    """What can be said of the best move's chance by itself."""
    best = recommendation.candidates[0]
    is_ahead = all(one.win_chance <= best.win_chance or are_close(best, one) for one in others)
    if recommendation.stopped == "running" or best.visits < FEW_VISITS or not is_ahead:
        return "so_far"
    return "best_chance" if len(recommendation.candidates) == len(view.legal_moves()) else "best_of_some"


def are_close(one: Candidate, other: Candidate) -> bool:
    """Whether the 95 % intervals of their win chances meet."""
    return abs(one.win_chance - other.win_chance) <= margin(one) + margin(other)


def significant(difference: float, *errors: float) -> bool:
    return abs(difference) > WITHIN * math.sqrt(sum(error * error for error in errors))


def worth(best: Candidate, difference: Difference) -> float:
    """Above 0: a merit of the best move; below: what it costs."""
    _, facet, theirs = difference
    return (best.metrics[facet.name] - theirs) * facet.good


def rank(value: float) -> int:
    """Merits come first, then what is neither, then drawbacks."""
    return 0 if value > 0 else 1 if value == 0 else 2


def beside(worths: Sequence[float]) -> str:
    """How two clauses are joined, the one that is worth more first; what is neither good nor bad stands by itself."""
    first, second = map(rank, worths)
    return "reasons_beside" if 1 in {first, second} else "reasons_and" if first == second else "reasons_but"


def margin(one: Candidate) -> float:
    """Half the 95 % interval of its win chance."""
    return WITHIN * one.win_chance_error


class Writer:
    """Composes sentences about moves of one view."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.facets = Facets(view)

    # ---- What moves lead to ----

    def reasons(self, opening: Sentence, best: Candidate, others: Sequence[Candidate]) -> Sentence:
        """What to play and, where something sets it apart from the mean of the others, what that is."""
        others = [one for one in others if one.metrics]
        if not best.metrics or best.visits < FEW_VISITS or not others:
            return opening
        differences: list[Difference] = []
        for facet in self.facets.all:
            ours = best.metrics[facet.name]
            theirs = sum(one.metrics[facet.name] for one in others) / len(others)
            error = math.sqrt(sum(facet.error(one) ** 2 for one in others)) / len(others)
            effect = facet.effect(ours - theirs)
            # What is neither good nor bad is told where it happens; what the move itself says, such as a kill, is not.
            is_told = not facet.is_share or (ours > theirs and self.facets.clause(facet, best.move, "en") != "")
            tells = facet.good != 0 or is_told
            if tells and facet.is_worth_saying(effect) and significant(ours - theirs, facet.error(best), error):
                differences.append((effect, facet, theirs))
        chosen = sorted(self.two_of(differences, best), key=lambda one: rank(worth(best, one)))
        chosen = self.facets.without_said(chosen, best.move)
        if not chosen:
            return opening
        texts = {language: f"{opening.texts[language]} {self.reason_text(best, chosen, language)}" for language in LANGUAGES}
        figures = tuple(Figure(best.move, facet.name, best.metrics[facet.name]) for _, facet, _ in chosen)
        return Sentence("reasons", texts, opening.figures + figures)

    def two_of(self, differences: Sequence[Difference], best: Candidate) -> list[Difference]:
        """Those that matter most, a merit among them: without any there is no reason to give."""
        merits = self.facets.most([one for one in differences if worth(best, one) > 0], 1)
        result = self.facets.most(differences, 2)
        if not merits or any(worth(best, one) > 0 for one in result):
            return result if merits else []
        return self.facets.most([*merits, result[0]], 2) if result[0][1].group != merits[0][1].group else merits

    def reason_text(self, best: Candidate, chosen: Sequence[Difference], language: str) -> str:
        if len(chosen) == 2 and all(facet.is_share and best.metrics[facet.name] == 1 for _, facet, _ in chosen):
            key = "reasons_sure_but" if worth(best, chosen[0]) > 0 > worth(best, chosen[1]) else "reasons_sure"
            return joined(key, [self.facets.clause(facet, best.move, language) for _, facet, _ in chosen], language)
        parts: list[str] = []
        said_worlds = False
        for _, facet, theirs in chosen:
            value = best.metrics[facet.name]
            if not facet.is_share and value >= theirs:
                parts.append(self.facets.amount(facet, best.move, value, language))
            elif not facet.is_share or value in {0, 1} or value < theirs:
                parts.append(self.comparison(facet, best, theirs, (), language))
            else:
                clause, share = self.facets.clause(facet, best.move, language), share_text(value, language)
                key = "share_again" if said_worlds else "share"
                worlds = self.facets.worlds(language)
                parts.append(SENTENCES[language][key].format(clause=clause, share=share, worlds=worlds))
                said_worlds = True
        return joined("reasons" if len(parts) == 1 else beside([worth(best, one) for one in chosen]), parts, language)

    def comparison(self, facet: Facet, one: Candidate, theirs: float, against: Sequence[float], language: str) -> str:
        """That something happens more or less often with a move, or is more or less; `against` is what is quoted beside it."""
        words, value = SENTENCES[language], one.metrics[facet.name]
        if facet.is_share and value == 0:
            return self.facets.never(facet, one.move, language)
        if facet.is_share and value == 1:
            clause = self.facets.clause(facet, one.move, language)
            return words["always_long" if re.search(r" (?:and|et) ", clause) else "always"].format(clause=clause)
        amount = self.facets.number(facet, value, language)
        for other in against:
            amount = words["against"].format(ours=amount, theirs=self.facets.number(facet, other, language))
        if not facet.is_share:
            clause = self.facets.compared(facet, one.move, language, is_more=value > theirs)
            return words["average"].format(clause=clause, amount=amount)
        if facet.quantity.more[language]:
            clause = self.facets.compared(facet, one.move, language, is_more=value > theirs)
        else:
            often = words["more_often" if value > theirs else "less_often"]
            clause = self.facets.clause(facet, one.move, language, often)
        return words["amount"].format(clause=clause, amount=amount)

    def rivalry(self, rival: Candidate, best: Candidate, said: Sequence[Figure]) -> list[Sentence]:
        """The second move beside the best: how likely it wins, and what it does otherwise."""
        kind = "close" if are_close(best, rival) else "behind" if rival.win_chance < best.win_chance else "unsettled"
        return [self.verdict(kind, best, rival), *self.against(kind, rival, best, said)]

    def against(
        self, kind: str, rival: Candidate, best: Candidate, said: Sequence[Figure] = (), *, is_first: bool = False
    ) -> list[Sentence]:
        """What the rival does better than the best move, and what worse; none where nothing is known to differ.

        `kind` is what was said of its chance; a number of the best move that was said before is not said again. `is_first` as in
        `verdict`: the rival is a move somebody asked about.
        """
        if not (rival.metrics and best.metrics) or min(rival.visits, best.visits) < FEW_VISITS:
            return []
        gains: list[Difference] = []
        losses: list[Difference] = []
        for facet in self.facets.all:
            ours, theirs = rival.metrics[facet.name], best.metrics[facet.name]
            effect = facet.effect(ours - theirs)
            if not facet.is_worth_saying(effect) or not significant(ours - theirs, facet.error(rival), facet.error(best)):
                continue
            if facet.good:
                (gains if (ours > theirs) == (facet.good > 0) else losses).append((effect, facet, theirs))
        chosen = [*self.facets.most(gains, 1), *self.facets.most(losses, 1)]
        if not chosen:
            return []
        if len(chosen) == 2 and chosen[0][1].group == chosen[1][1].group:
            chosen = [max(chosen, key=lambda one: one[0])]
        is_contrary = (kind == "behind" and not losses) or (kind in {"ahead", "unsettled"} and not gains)
        about = "asked" if is_first else "rival"
        key = f"{about}_but" if len(chosen) == 2 else "rival_still" if is_contrary else about
        told = {figure.name for figure in said if figure.move == best.move}
        quoted = [(facet, [theirs] if is_quotable(facet, rival, theirs, told) else []) for _, facet, theirs in chosen]
        texts = {
            language: joined(
                key,
                [self.comparison(facet, rival, best.metrics[facet.name], others, language) for facet, others in quoted],
                language,
            )
            for language in LANGUAGES
        }
        figures = []
        for facet, others in quoted:
            figures.append(Figure(rival.move, facet.name, rival.metrics[facet.name]))
            figures += [Figure(best.move, facet.name, other) for other in others]
        return [Sentence("rival", texts, tuple(figures))]

    # ---- How likely they win ----

    def opening(self, kind: str, best: Candidate, rival: Candidate | None, *, is_running: bool) -> Sentence:
        """What to play."""
        if kind == "so_far":
            keys = ("so_far", "so_far_nothing") if is_running else ("best_chance", "best_without")
            return self.told(kind, keys[best.win_chance == 0], best)
        is_sure = best.win_chance == 1
        if is_sure and rival is not None and rival.win_chance == 1:
            return self.told(kind, "best_as_sure", best)
        if is_sure:
            return self.told(kind, "best_sure", best)
        return self.told(kind, "best_lost" if best.win_chance == 0 else kind, best)

    def verdict(self, kind: str, best: Candidate, rival: Candidate | None = None, *, is_first: bool = False) -> Sentence:
        """What is said of a move by its chance; `is_first`: nothing was said of the best one's."""
        chances = (best.win_chance, -1.0 if rival is None else rival.win_chance)
        key = f"{kind}_than" if is_first and kind.startswith("only") else kind
        if kind == "close":
            key = close_key(*chances, is_first=is_first)
        elif kind == "behind":
            key = behind_key(*chances, is_first=is_first)
        elif kind.startswith("same") and best.win_chance in {0, 1}:
            key = "same_sure" if best.win_chance else "same_lost"
        return self.told(kind, key, best, rival, is_asked=is_first or kind.startswith("same"))

    def told(self, kind: str, key: str, best: Candidate, rival: Candidate | None = None, *, is_asked: bool = False) -> Sentence:
        """`is_asked`: it answers a question about the rival or, without one, about the best move."""
        about = {"best": best, "rival": rival or best}
        texts = {}
        for language in LANGUAGES:
            what, is_what_named = self.subject(about["rival"].move, language)
            named, is_named = self.subject(best.move, language)
            text = SENTENCES[language][key].format(
                do=self.facets.phrase(best.move, "do", language),
                what=asked_about(what, language, is_named=is_what_named) if is_asked else what,
                best=named,
                than=than(named, language, is_named=is_named),
                chance=share_text(best.win_chance, language),
                rival_chance=share_text(about["rival"].win_chance, language),
            )
            texts[language] = typeset(sentence_case(text), language)
        figures = tuple(Figure(about[who].move, "win_chance", about[who].win_chance) for who in QUOTED.get(key, ()))
        return Sentence(kind, texts, figures)

    def subject(self, move: str, language: str) -> tuple[str, bool]:
        """A move as what a sentence is about, and whether that is its name."""
        text = self.facets.phrase(move, "subject", language)
        return text, text != self.facets.phrase(move, "doing", language)


# Whose chances a sentence quotes, in this order.
QUOTED: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("best_chance", "best_of_some", "best_sure", "so_far"), ("best",)),
    **dict.fromkeys(("same", "same_of_some", "same_so_far", "same_sure"), ("best",)),
    **dict.fromkeys(("close_than", "behind_little_than"), ("best",)),
    **dict.fromkeys(("close_about", "close_above", "close_perhaps", "close_perhaps_above"), ("rival",)),
    **dict.fromkeys(("behind", "behind_never", "unsettled"), ("rival",)),
    **dict.fromkeys(("close_sure", "close_sure_than"), ("best", "rival")),
    **dict.fromkeys(("close_about_than", "close_above_than"), ("rival", "best")),
    **dict.fromkeys(("close_perhaps_than", "close_perhaps_above_than"), ("rival", "best")),
    **dict.fromkeys(("ahead", "behind_than", "behind_never_than", "behind_never_sure"), ("rival", "best")),
}


def close_key(chance: float, rival_chance: float, *, is_first: bool) -> str:
    """A rival that is far below, or above, is as good for all that is known, and no more."""
    is_same = share_text(chance, "en") == share_text(rival_chance, "en")
    if chance == rival_chance == 1:
        key = "close_sure"
    elif abs(chance - rival_chance) >= FAR:
        key = "close_perhaps" if rival_chance < chance else "close_perhaps_above"
    elif is_first and chance == rival_chance == 0:
        key = "close_lost"
    elif is_same or (rival_chance in {0, 1} and not is_first):
        key = "close"
    else:
        key = "close_about" if rival_chance < chance else "close_above"
    return f"{key}_than" if is_first else key


def behind_key(chance: float, rival_chance: float, *, is_first: bool) -> str:
    if rival_chance == 0:
        return "behind_never" if not is_first else "behind_never_sure" if chance == 1 else "behind_never_than"
    is_same = share_text(chance, "en") == share_text(rival_chance, "en")
    key = "behind_little" if is_same else "behind"
    return f"{key}_than" if is_first else key


def is_quotable(facet: Facet, rival: Candidate, theirs: float, told: Collection[str]) -> bool:
    """Whether the best move's number stands beside the rival's: not again, and no `never` against something."""
    return facet.name not in told and not (facet.is_share and (theirs in {0, 1} or rival.metrics[facet.name] in {0, 1}))


def joined(key: str, clauses: Sequence[str], language: str) -> str:
    """A sentence of one clause, or of two."""
    text = SENTENCES[language][key].format(**dict(zip(("first", "second"), clauses, strict=False)))
    return typeset(sentence_case(text), language)
