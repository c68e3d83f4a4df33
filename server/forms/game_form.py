"""The form of a game."""

from machiavel.engines import Game
from machiavel.server.forms.anything import any_form
from machiavel.server.forms.steps import Form
from machiavel.server.game_parts import part_named

__all__ = ["make_form"]


def make_form(game: Game) -> Form:
    """The questions of a game; those of any game where it has none of its own."""
    make = any_form if game.plugin.form is None else part_named(game, game.plugin.form)
    form: Form = make(game)
    return form
