"""The rules a click away from a table, beside it, in both languages; the match goes on meanwhile."""

from collections.abc import Iterator

import pytest

from machiavel.engines import load
from tests.page.browser import driven
from tests.server.service.hosted import hosted


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with hosted(think=0.02, web="127.0.0.1:0") as server:
        assert server.server.web_address is not None
        yield server.server.web_address


@pytest.mark.parametrize(
    ("game", "look", "language"), [("whist", "desktop", "en"), ("agency", "desktop", "en"), ("bond", "phone", "fr")]
)
def test_the_rules_are_read_beside_the_table(address: str, game: str, look: str, language: str) -> None:
    title = str(load(game).plugin.titles[language])

    seen = driven("rulesBeside", address, game=title, look=look, language=language)

    assert seen["faults"] == []
    assert seen["at"] == seen["left"]  # nobody left the match
    assert title.replace("\u00a0", " ") in seen["title"].replace("\u00a0", " ")
    assert seen["focused"] and seen["expanded"] == "true" and seen["isOpen"]
    assert len(seen["chapters"]) > 2 and seen["chapter"] == seen["chapters"][2]
    assert seen["answers"] == (1 if look == "desktop" else 0)
    assert not seen["moved"]
    assert seen["back"].startswith("rules-button")
