"""Why a move is recommended, in plain sentences: each number in them is one of the recommendation's, rounded.

docs/hints.md tells what every sentence means and when it is said.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from machiavel.engines import LANGUAGES, View
from machiavel.search.facets import Facet, Facets, Told
from machiavel.search.recommendation import Candidate, Recommendation
from machiavel.search.sentences import SENTENCES, share_text

__all__ = ["Explanation", "Figure", "Sentence", "are_close", "explain"]

FEW_VISITS = 20  # below them, nothing is said of what a move leads to
WITHIN = 1.96  # standard errors: 95 % intervals


@dataclass(frozen=True)
class Figure:
    """A number that a sentence quotes: of that candidate its `win_chance`, `win_chance_error`, or the metric of that name."""

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


def explain(view: View, found: Recommendation) -> Explanation:
    """Why the best move is the best, from nothing but the view and what was found from it.

    With metrics in the recommendation (`explain`) it says what the move leads to, else how likely it wins.
    """
    writer = Writer(view)
    facets = writer.facets
    best, rival = found.candidates[0], next((one for one in found.candidates[1:] if one.visits), None)
    if found.stopped == "forced":
        sentences = [writer.sentence("only_move", best)]
    else:
        reasons = writer.reasons(best, [one for one in found.candidates[1:] if one.visits >= FEW_VISITS])
        close = rival is not None and are_close(best, rival)
        sentences = [*reasons]
        if rival is not None:
            sentences += writer.against(rival, best)
        if rival is not None and close:
            sentences.append(writer.close(best, rival))
        elif not reasons:
            is_first = found.stopped == "running" or best.visits < FEW_VISITS
            sentences.insert(0, writer.sentence("so_far" if is_first else "best_chance", best))
        elif rival is not None and len(sentences) == 1:
            sentences.append(writer.sentence("behind", best, rival))
    return Explanation(tuple(sentences), facets.labels(), facets.headline, facets.headline_label())


def are_close(one: Candidate, other: Candidate) -> bool:
    """Whether the 95 % intervals of their win chances meet."""
    return abs(one.win_chance - other.win_chance) <= WITHIN * (one.win_chance_error + other.win_chance_error)


def significant(difference: float, *errors: float) -> bool:
    return abs(difference) > WITHIN * math.sqrt(sum(error * error for error in errors))


def is_drawback(best: Candidate, told: Told) -> bool:
    """Whether it is no merit of the best move, but what it costs."""
    _, facet, theirs = told
    return (best.metrics[facet.name] - theirs) * facet.good < 0


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
        told: list[Told] = []
        for facet in self.facets.all:
            ours = best.metrics[facet.name]
            theirs = sum(one.metrics[facet.name] for one in others) / len(others)
            error = math.sqrt(sum(facet.error(one) ** 2 for one in others)) / len(others)
            effect = facet.effect(ours - theirs)
            if facet.is_worth_saying(effect) and significant(ours - theirs, facet.error(best), error):
                told.append((effect, facet, theirs))
        chosen = sorted(self.facets.most(told, 2), key=lambda one: is_drawback(best, one))
        if not chosen:
            return []
        texts = {language: self.reason_text(best, chosen, language) for language in LANGUAGES}
        figures = tuple(Figure(best.move, facet.name, best.metrics[facet.name]) for _, facet, _ in chosen)
        return [Sentence("reasons", texts, figures)]

    def reason_text(self, best: Candidate, chosen: Sequence[Told], language: str) -> str:
        words, parts, said_worlds = SENTENCES[language], [], False
        for _, facet, theirs in chosen:
            value = best.metrics[facet.name]
            if not facet.is_share:
                parts.append(self.facets.amount(facet, value, language))
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
        drawbacks = [is_drawback(best, one) for one in chosen]
        key = "reasons_but" if drawbacks[0] < drawbacks[1] else "reasons_two"
        return words[key].format(move=move, first=parts[0], second=parts[1])

    def against(self, rival: Candidate, best: Candidate) -> list[Sentence]:
        """What the rival does better than the best move, and what worse; none where nothing is known to differ."""
        if not (rival.metrics and best.metrics) or min(rival.visits, best.visits) < FEW_VISITS:
            return []
        gains: list[Told] = []
        losses: list[Told] = []
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
        return words["against"].format(clause=self.facets.compared(facet, ours > theirs, language), **quoted)

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
        figures = tuple(Figure(about[who].move, name, float(getattr(about[who], name))) for who, name in order)
        return Sentence(kind, texts, figures)


QUOTED: Mapping[str, Sequence[tuple[str, str]]] = {
    "only_move": (),
    **dict.fromkeys(("so_far", "best_chance", "same", "same_so_far"), (("best", "win_chance"), ("best", "win_chance_error"))),
    "close": (("best", "win_chance"), ("best", "win_chance_error"), ("rival", "win_chance"), ("rival", "win_chance_error")),
    **dict.fromkeys(("behind", "ahead"), (("rival", "win_chance"), ("best", "win_chance"))),
}


def error_text(one: Candidate, language: str) -> str:
    """A standard error in points of win chance; never none, for there always is some."""
    return share_text(max(one.win_chance_error, 0.01), language)
