"""Views typed in step by step by a person at a real table: forms of questions, one a game."""

from machiavel.server.cli.asking.interview import interview

__all__ = ["interview"]
