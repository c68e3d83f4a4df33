"""Matches to review, and their reviews."""

from functools import cache

from machiavel.engines import load
from machiavel.search import Judgement, Review, SearchParameters, Story, Transcript, story_of
from tests.search.records import record_of


@cache
def reviewed(game: str, players: int = 3) -> tuple[Transcript, tuple[Judgement, ...], Story]:
    """A whole random match."""
    transcript = Transcript(record_of(game, players))
    judgements = tuple(Review(transcript, 30, SearchParameters(seed=1)))
    return transcript, judgements, story_of(transcript, judgements)


def lone_seat() -> tuple[Transcript, tuple[Judgement, ...], Story]:
    """A match begun, in which one seat of several had a choice."""
    state = load("whist").new(3, seed=2)
    state.play(state.legal_moves()[0])
    transcript = Transcript(state.record())
    judgements = tuple(Review(transcript, 30))
    return transcript, judgements, story_of(transcript, judgements)
