"""Explanations and comparisons, as they are asked for and as messages of the API."""

from typing import Any

from machiavel import v1
from machiavel.engines import NotToMove, View
from machiavel.search import Candidate, Comparison, Explanation, Recommendation, Sentence, compare, explain, move_meant
from machiavel.server.service.refusals import located
from machiavel.server.service.search_queue import SearchQueue, SearchRequest
from machiavel.server.service.wire import candidate_message, text_message

__all__ = ["asked_about", "comparison_message", "explanation_message", "fields_of"]


async def asked_about(move: str, asked: SearchRequest, search_queue: SearchQueue) -> tuple[Candidate | None, SearchRequest]:
    """The move of `what_about` as a search found it, and the question with the time that is left."""
    if not move:
        return None, asked
    with located(lambda error: "seat" if isinstance(error, NotToMove) else "what_about"):
        meant = move_meant(asked.view, move)
    return await search_queue.measure(asked, meant)


def fields_of(view: View, found: Recommendation, about: Candidate | None, *, explained: bool) -> dict[str, Any]:
    """What an answer says in words: why, where that was asked, and how the move asked about compares."""
    return {
        "explanation": explanation_message(explain(view, found)) if explained else None,
        "comparison": None if about is None else comparison_message(view, compare(view, found, about)),
    }


def comparison_message(view: View, found: Comparison) -> v1.Comparison:
    return v1.Comparison(
        asked=candidate_message(view, found.asked),
        best=candidate_message(view, found.best),
        sentences=map(sentence_message, found.sentences),
    )


def explanation_message(found: Explanation) -> v1.Explanation:
    return v1.Explanation(
        sentences=map(sentence_message, found.sentences),
        labels={name: text_message(label) for name, label in found.labels.items()},
        headline=found.headline or "",
        headline_label=text_message(found.headline_label) if found.headline else None,
    )


def sentence_message(found: Sentence) -> v1.Sentence:
    figures = [v1.Figure(move=one.move, name=one.name, value=one.value) for one in found.figures]
    return v1.Sentence(kind=found.kind, text=text_message(found.texts), figures=figures)
