"""Names of release 0.1.0 still work, and say what they are called now."""

import importlib
import sys

import pytest

from machiavel import search
from machiavel.search import match_runner


@pytest.mark.parametrize(("old", "new"), sorted(search.OLD_NAMES.items()))
def test_an_old_name_is_the_new_class_and_warns(old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"search.{old} is called {new} now; the old name goes with") as caught:
        assert getattr(search, old) is getattr(search, new)
    assert caught[0].filename == __file__


def test_a_name_that_never_was_is_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Ratign'"):
        _ = search.Ratign  # type: ignore[attr-defined]  # and a type checker sees it


def test_the_old_module_of_matches_has_what_it_had_and_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "machiavel.search.matches", raising=False)
    with pytest.warns(DeprecationWarning, match=r"search\.matches is called machiavel\.search\.match_runner now"):
        old = importlib.import_module("machiavel.search.matches")
    assert {name: getattr(old, name) for name in old.__all__} == {
        name: getattr(match_runner, {"Matches": "MatchResults"}.get(name, name)) for name in old.__all__
    }
    of_0_1_0 = ["Contestant", "Interval", "Matches", "bootstrap", "contestant", "play_matches", "rotations", "seatings_of"]
    assert old.__all__ == of_0_1_0
