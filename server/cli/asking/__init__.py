"""Views typed in step by step by a person at a real table: forms of questions, one a game."""

from collections.abc import Callable, Mapping

from machiavel.engines import Game
from machiavel.server.cli.asking.agency import agency_form
from machiavel.server.cli.asking.anything import any_form
from machiavel.server.cli.asking.bond import bond_form
from machiavel.server.cli.asking.citadel import citadel_form
from machiavel.server.cli.asking.interview import interview
from machiavel.server.cli.asking.steps import Form
from machiavel.server.cli.asking.whist import whist_form

__all__ = ["interview", "make_form"]

FORMS: Mapping[str, Callable[[Game], Form]] = {
    "agency": agency_form,
    "bond": bond_form,
    "citadel": citadel_form,
    "whist": whist_form,
}


def make_form(game: Game) -> Form:
    """The questions of a game; those of any game where it has none of its own."""
    return FORMS.get(game.name, any_form)(game)
