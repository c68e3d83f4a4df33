"""What the parameters of a search may be stands in one table, for a search as for a bot's text."""

from typing import Any

import pytest

from machiavel.engines import BadOption
from machiavel.search import KINDS, BadBot, SearchParameters, make_bot
from machiavel.search.levels import LEVELS
from machiavel.search.parameters import BOUNDS, CHOICES


def test_what_a_parameter_may_be_stands_once() -> None:
    """A bot's text takes what a search takes, and no more."""
    seen = set()
    for kind in KINDS.values():
        if kind.name not in {"ismcts", "pimc", *(f"level{number}" for number in LEVELS)}:
            continue
        for parameter in kind.parameters:
            if parameter.name in BOUNDS:
                assert (parameter.least, parameter.most) == BOUNDS[parameter.name]
                seen.add(parameter.name)
            if parameter.name in CHOICES:
                assert set(parameter.choices) <= set(CHOICES[parameter.name])
    assert seen == set(BOUNDS) - {"threads"}


@pytest.mark.parametrize("name", sorted(BOUNDS))
def test_bounds_hold_for_a_text_as_for_a_search(name: str) -> None:
    least, most = BOUNDS[name]

    def checked(value: Any) -> None:
        SearchParameters(**{name: value}).check()

    for value in (least, most):
        checked(value)
    for value in (least - 1, most + 1):
        with pytest.raises(BadOption, match=f"from {least} to {most}"):
            checked(value)
        if name != "threads":
            with pytest.raises(BadBot, match=f"from {least} to {most}"):
                make_bot(f"{'pimc' if name == 'worlds' else 'ismcts'}:{name}={value}")
