"""Bots and their search: who plays, and how well. Knows the games' contract and nothing above it."""

from typing import TYPE_CHECKING, Any

from machiavel.search.bots import KINDS, BadBot, Bot, BotKind, Parameter, make_bot, ratings_of_kind
from machiavel.search.comparing import Comparison, compare, measure, move_meant
from machiavel.search.explaining import Explanation, Figure, Sentence, explain
from machiavel.search.levels import LevelRating
from machiavel.search.limits import NO_LIMITS, UNTIL_STOPPED, Limits
from machiavel.search.old_names import warn_of_old
from machiavel.search.parameters import SearchParameters
from machiavel.search.puzzles import Puzzle, PuzzleMove, PuzzleSet, puzzles_of
from machiavel.search.recommendation import Candidate, Recommendation
from machiavel.search.reviews import LABELS, Judgement, Review, Transcript
from machiavel.search.scheduler import Job, Scheduler, SchedulerClosed
from machiavel.search.search_run import Memory, recommend
from machiavel.search.story import Moment, Point, SeatStory, Story, story_of
from machiavel.search.styles import Style, all_styles
from machiavel.search.unseen_maps import HiddenPlace, UnseenMap, UnseenThing, unseen_map

__all__ = [
    "KINDS",
    "LABELS",
    "NO_LIMITS",
    "UNTIL_STOPPED",
    "BadBot",
    "Bot",
    "BotKind",
    "Candidate",
    "Comparison",
    "Explanation",
    "Figure",
    "HiddenPlace",
    "Job",
    "Judgement",
    "LevelRating",
    "Limits",
    "Memory",
    "Moment",
    "Parameter",
    "Point",
    "Puzzle",
    "PuzzleMove",
    "PuzzleSet",
    "Recommendation",
    "Review",
    "Scheduler",
    "SchedulerClosed",
    "SearchParameters",
    "SeatStory",
    "Sentence",
    "Story",
    "Style",
    "Transcript",
    "UnseenMap",
    "UnseenThing",
    "all_styles",
    "compare",
    "explain",
    "make_bot",
    "measure",
    "move_meant",
    "puzzles_of",
    "ratings_of_kind",
    "recommend",
    "story_of",
    "unseen_map",
]

OLD_NAMES = {"Rating": "LevelRating"}

if TYPE_CHECKING:  # a function would make a type checker content with any name
    Rating = LevelRating
else:

    def __getattr__(name: str) -> Any:
        """What a name of release 0.1.0 is called now."""
        if name not in OLD_NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        warn_of_old(f"machiavel.search.{name}", OLD_NAMES[name])
        return globals()[OLD_NAMES[name]]
