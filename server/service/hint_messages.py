"""Explanations and comparisons, as they are asked for and as messages of the API."""

from typing import Any

from machiavel import v1
from machiavel.engines import NotToMove, View
from machiavel.search import (
    Candidate,
    Comparison,
    Explanation,
    Recommendation,
    Sentence,
    UnseenMap,
    compare,
    explain,
    move_meant,
)
from machiavel.server.service.refusals import located
from machiavel.server.service.search_queue import SearchQueue, SearchRequest
from machiavel.server.service.wire import candidate_message, text_message

__all__ = ["asked_about", "comparison_message", "explanation_message", "fields_of", "unseen_message"]


async def asked_about(move: str, asked: SearchRequest, search_queue: SearchQueue) -> tuple[Candidate | None, SearchRequest]:
    """The move of `what_about` as a search found it, and the question with the time that is left."""
    if not move:
        return None, asked
    with located(lambda error: "seat" if isinstance(error, NotToMove) else "what_about"):
        meant = move_meant(asked.view, move)
    return await search_queue.measure(asked, meant)


def fields_of(
    view: View, recommendation: Recommendation, about: Candidate | None, unseen: UnseenMap | None, *, explained: bool
) -> dict[str, Any]:
    """What stands beside a recommendation, as far as it was asked for: why, how a move compares, where unseen cards are."""
    return {
        "explanation": explanation_message(explain(view, recommendation)) if explained else None,
        "comparison": None if about is None else comparison_message(view, compare(view, recommendation, about)),
        "unseen": None if unseen is None else unseen_message(unseen),
    }


def comparison_message(view: View, comparison: Comparison) -> v1.Comparison:
    return v1.Comparison(
        asked=candidate_message(view, comparison.asked),
        best=candidate_message(view, comparison.best),
        sentences=map(sentence_message, comparison.sentences),
    )


def explanation_message(explanation: Explanation) -> v1.Explanation:
    return v1.Explanation(
        sentences=map(sentence_message, explanation.sentences),
        labels={name: text_message(label) for name, label in explanation.labels.items()},
        headline=explanation.headline or "",
        headline_label=text_message(explanation.headline_label) if explanation.headline else None,
    )


def unseen_message(unseen: UnseenMap) -> v1.UnseenMap:
    return v1.UnseenMap(
        places=[
            v1.HiddenPlace(field=one.field, seat=one.seat, index=one.index, label=text_message(one.label), size=one.size)
            for one in unseen.places
        ],
        things=[
            v1.UnseenThing(
                name=one.name,
                kind=one.kind,
                count=one.count,
                expected=one.expected,
                chance=() if one.chance == one.expected else one.chance,
            )
            for one in unseen.things
        ],
        worlds=unseen.worlds,
        effective_worlds=unseen.effective_worlds,
        standard_error=unseen.standard_error,
        weighed_by=unseen.weighed_by,
    )


def sentence_message(sentence: Sentence) -> v1.Sentence:
    figures = [v1.Figure(move=one.move, name=one.name, value=one.value) for one in sentence.figures]
    return v1.Sentence(kind=sentence.kind, text=text_message(sentence.texts), figures=figures)
