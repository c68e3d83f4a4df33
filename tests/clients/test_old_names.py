"""Names of release 0.1.0 still work, and say what they are called now."""

import pytest

from machiavel import clients


@pytest.mark.parametrize(("old", "new"), sorted(clients.OLD_NAMES.items()))
def test_an_old_name_is_the_new_class_and_warns(old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"{old} is called {new} now"):
        assert getattr(clients, old) is getattr(clients, new)


def test_a_name_that_never_was_is_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Tabel'"):
        _ = clients.Tabel  # type: ignore[attr-defined]  # and a type checker sees it


def test_the_old_way_back_to_a_match_is_the_new_one() -> None:
    with (
        clients.connect("127.0.0.1:1") as service,
        pytest.warns(DeprecationWarning, match=r"Client\.table is called session now"),
    ):
        session = service.table("match", "token", 1)

    assert (type(session), session.match, session.token, session.seat) == (clients.SeatSession, "match", "token", 1)
