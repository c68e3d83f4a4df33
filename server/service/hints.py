"""Explanations and comparisons as messages of the API."""

from machiavel import v1
from machiavel.engines import View
from machiavel.search import Comparison, Explanation, Sentence
from machiavel.server.service.wire import candidate_message, text_message

__all__ = ["comparison_message", "explanation_message"]


def explanation_message(found: Explanation) -> v1.Explanation:
    return v1.Explanation(
        sentences=map(sentence_message, found.sentences),
        labels={name: text_message(label) for name, label in found.labels.items()},
        headline=found.headline or "",
        headline_label=text_message(found.headline_label) if found.headline else None,
    )


def comparison_message(view: View, found: Comparison) -> v1.Comparison:
    return v1.Comparison(
        asked=candidate_message(view, found.asked),
        best=candidate_message(view, found.best),
        sentences=map(sentence_message, found.sentences),
    )


def sentence_message(found: Sentence) -> v1.Sentence:
    figures = [v1.Figure(move=one.move, name=one.name, value=one.value) for one in found.figures]
    return v1.Sentence(kind=found.kind, text=text_message(found.texts), figures=figures)
