"""Views typed in step by step by a person at a real table: forms of questions, one a game."""

from machiavel.server.forms.game_form import make_form

__all__ = ["make_form"]
