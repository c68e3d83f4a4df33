"""Bots: who plays, and how well. Knows the games' contract and nothing above it."""

from machiavel.search.bots import KINDS, NO_LIMITS, BadBot, Bot, BotKind, Limits, Parameter, make_bot

__all__ = ["KINDS", "NO_LIMITS", "BadBot", "Bot", "BotKind", "Limits", "Parameter", "make_bot"]
