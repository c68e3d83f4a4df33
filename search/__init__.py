"""Bots and their search: who plays, and how well. Knows the games' contract and nothing above it."""

from machiavel.search.bots import KINDS, BadBot, Bot, BotKind, Parameter, make_bot
from machiavel.search.limits import NO_LIMITS, Limits
from machiavel.search.recommendation import Candidate, Recommendation, SearchParameters, recommend

__all__ = [
    "KINDS",
    "NO_LIMITS",
    "BadBot",
    "Bot",
    "BotKind",
    "Candidate",
    "Limits",
    "Parameter",
    "Recommendation",
    "SearchParameters",
    "make_bot",
    "recommend",
]
