"""Why a move is recommended, in plain sentences: each number in them is one of the recommendation's, rounded.

docs/hints.md tells what every sentence means and when it is said.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from machiavel.engines import LANGUAGES, View
from machiavel.search.facets import Difference, Facet, Facets
from machiavel.search.recommendation import Candidate, Recommendation
from machiavel.search.sentences import SENTENCES, share_text

__all__ = ["Explanation", "Figure", "Sentence", "Writer", "are_close", "explain", "forced_kind"]

FEW_VISITS = 20  # below them, nothing is said of what a move leads to
WITHIN = 1.96  # standard errors: 95 % intervals


@dataclass(frozen=True)
class Figure:
    """A number that a sentence quotes: of that candidate its `win_chance`, its `margin`, or the metric of that name."""

    move: str
    name: str
    value: float


@dataclass(frozen=True)
class Sentence:
    """One sentence in every language. `kind` is one of docs/hints.md; the figures stand in the order in which they are quoted."""

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
    """Why the best move is the best, from nothing but the view and what was found from it.

    With metrics in the recommendation (`explain`) it says what the move leads to, else how likely it wins.
    """
    writer = Writer(view)
    facets, best = writer.facets, recommendation.candidates[0]
    others = [one for one in recommendation.candidates[1:] if one.visits]
    if recommendation.stopped == "forced":
        sentences = [writer.sentence(forced_kind(view), best)]
    else:
        sentences = writer.reasons(best, [one for one in others if one.visits >= FEW_VISITS])
        if not sentences and not (others and are_close(best, others[0])):
            sentences = [writer.sentence(chance_kind(view, recommendation, others), best)]
        if others:
            sentences += writer.rivalry(others[0], best, is_reasoned=sentences[0].kind == "reasons" if sentences else False)
    return Explanation(tuple(sentences), facets.labels(), facets.headline, facets.headline_label())


def forced_kind(view: View) -> str:
    """Of the only candidate: there is no other move, or none was asked for."""
    return "only_move" if len(view.legal_moves()) == 1 else "only_asked"


def chance_kind(view: View, recommendation: Recommendation, others: Sequence[Candidate]) -> str:
    """What can be said of the best move's chance by itself."""
    best = recommendation.candidates[0]
    is_ahead = all(one.win_chance <= best.win_chance for one in others)
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


def margin(one: Candidate) -> float:
    """Half the 95 % interval of its win chance."""
    return WITHIN * one.win_chance_error


class Writer:
    """Composes sentences about moves of one view."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.facets = Facets(view)

    # ---- What moves lead to ----

    def reasons(self, best: Candidate, others: Sequence[Candidate]) -> list[Sentence]:
        """What most sets the best move apart from the mean of the others, in one sentence; none where nothing does."""
        others = [one for one in others if one.metrics]
        if not best.metrics or best.visits < FEW_VISITS or not others:
            return []
        differences: list[Difference] = []
        for facet in self.facets.all:
            ours = best.metrics[facet.name]
            theirs = sum(one.metrics[facet.name] for one in others) / len(others)
            error = math.sqrt(sum(facet.error(one) ** 2 for one in others)) / len(others)
            effect = facet.effect(ours - theirs)
            if facet.is_worth_saying(effect) and significant(ours - theirs, facet.error(best), error):
                differences.append((effect, facet, theirs))
        chosen = sorted(self.two_of(differences, best), key=lambda one: rank(worth(best, one)))
        if not chosen:
            return []
        texts = {language: self.reason_text(best, chosen, language) for language in LANGUAGES}
        figures = tuple(Figure(best.move, facet.name, best.metrics[facet.name]) for _, facet, _ in chosen)
        return [Sentence("reasons", texts, figures)]

    def two_of(self, differences: Sequence[Difference], best: Candidate) -> list[Difference]:
        """Those that matter most, a merit among them: without any there is no reason to give."""
        merits = self.facets.most([one for one in differences if worth(best, one) > 0], 1)
        result = self.facets.most(differences, 2)
        if not merits or any(worth(best, one) > 0 for one in result):
            return result if merits else []
        return self.facets.most([*merits, result[0]], 2) if result[0][1].group != merits[0][1].group else merits

    def reason_text(self, best: Candidate, chosen: Sequence[Difference], language: str) -> str:
        words, parts, said_worlds = SENTENCES[language], [], False
        for _, facet, theirs in chosen:
            value = best.metrics[facet.name]
            if not facet.is_share:
                is_less = value < theirs
                parts.append(self.less(facet, value, language) if is_less else self.facets.amount(facet, value, language))
                continue
            share = share_text(value, language)
            is_only = value < theirs and share != share_text(0, language)
            key = ("only_share" if is_only else "share") + ("_again" if said_worlds else "")
            does = self.facets.does(facet, language)
            worlds = self.facets.worlds(language)
            parts.append(words[key].format(does=does, share=share, worlds=worlds))
            said_worlds = True
        move = self.facets.subject(best.move, language)
        if len(parts) == 1:
            return words["reasons"].format(move=move, first=parts[0])
        drawbacks = [worth(best, one) < 0 for one in chosen]
        key = "reasons_but" if drawbacks[0] < drawbacks[1] else "reasons_two"
        return words[key].format(move=move, first=parts[0], second=parts[1])

    def less(self, facet: Facet, value: float, language: str) -> str:
        clause = self.facets.compared(facet, language, is_more=False)
        return SENTENCES[language]["amount_less"].format(clause=clause, amount=self.facets.number(facet, value, language))

    def rivalry(self, rival: Candidate, best: Candidate, *, is_reasoned: bool) -> list[Sentence]:
        """The second move beside the best: what it does otherwise, and how likely it wins where that does not tell it."""
        told = self.against(rival, best)
        if are_close(best, rival):
            return [*told, self.close(best, rival)]
        if rival.win_chance > best.win_chance:
            return [*told, self.sentence("unsettled", best, rival)]
        if self.is_praise(told[0]) if told else is_reasoned:
            return [*told, self.sentence("behind", best, rival)]
        return told

    def against(self, rival: Candidate, best: Candidate) -> list[Sentence]:
        """What the rival does better than the best move, and what worse; none where nothing is known to differ."""
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
        texts = {language: self.rival_text(rival, best, [one[1] for one in chosen], language) for language in LANGUAGES}
        figures = tuple(Figure(one.move, facet.name, one.metrics[facet.name]) for _, facet, _ in chosen for one in (rival, best))
        return [Sentence("rival", texts, figures)]

    def is_praise(self, told: Sentence) -> bool:
        """Whether a rival's sentence has no word of what it does worse, which would come last."""
        ours, theirs = told.figures[-2:]
        facet = next(one for one in self.facets.all if one.name == ours.name)
        return (ours.value > theirs.value) == (facet.good > 0)

    def rival_text(self, rival: Candidate, best: Candidate, facets: Sequence[Facet], language: str) -> str:
        words = SENTENCES[language]
        parts = [self.comparison(facet, rival.metrics[facet.name], best.metrics[facet.name], language) for facet in facets]
        move = self.facets.subject(rival.move, language)
        if len(parts) == 1:
            return words["rival_one"].format(move=move, first=parts[0])
        return words["rival_two"].format(move=move, first=parts[0], second=parts[1])

    def comparison(self, facet: Facet, ours: float, theirs: float, language: str) -> str:
        words = SENTENCES[language]
        quoted = {"ours": self.facets.number(facet, ours, language), "theirs": self.facets.number(facet, theirs, language)}
        if facet.is_share:
            key = "more_often" if ours > theirs else "less_often"
            return words[key].format(does=self.facets.does(facet, language), **quoted)
        return words["against"].format(clause=self.facets.compared(facet, language, is_more=ours > theirs), **quoted)

    # ---- How likely they win ----

    def close(self, best: Candidate, rival: Candidate) -> Sentence:
        return self.sentence("close", best, rival)

    def sentence(self, kind: str, best: Candidate, rival: Candidate | None = None) -> Sentence:
        """A sentence about win chances."""
        texts, order = {}, QUOTED[kind]
        for language in LANGUAGES:
            parts = {"move": self.facets.subject(best.move, language)}
            parts |= {"chance": share_text(best.win_chance, language), "error": error_text(best, language)}
            if rival is not None:
                parts |= {"rival": self.facets.subject(rival.move, language)}
                parts |= {"rival_chance": share_text(rival.win_chance, language), "rival_error": error_text(rival, language)}
            texts[language] = SENTENCES[language][kind].format(**parts)
        about = {"best": best, "rival": rival or best}
        values = {who: {"win_chance": one.win_chance, "margin": margin(one)} for who, one in about.items()}
        figures = tuple(Figure(about[who].move, name, values[who][name]) for who, name in order)
        return Sentence(kind, texts, figures)


QUOTED: Mapping[str, Sequence[tuple[str, str]]] = {
    "only_move": (),
    "only_asked": (),
    **dict.fromkeys(
        ("so_far", "best_chance", "best_of_some", "same", "same_of_some", "same_so_far"),
        (("best", "win_chance"), ("best", "margin")),
    ),
    "close": (("best", "win_chance"), ("best", "margin"), ("rival", "win_chance"), ("rival", "margin")),
    **dict.fromkeys(("behind", "ahead", "unsettled"), (("rival", "win_chance"), ("best", "win_chance"))),
}


def error_text(one: Candidate, language: str) -> str:
    """Its margin in points of win chance; never none, for there always is some."""
    return share_text(max(margin(one), 0.01), language)
