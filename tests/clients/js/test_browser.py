"""The client in Chromium: streams, what a closed page leaves, and who may call from where."""

import json
from typing import Any

import pytest

from tests.clients.js.pages import pages
from tests.engines.games import INSTALLED


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pages(tmp_path_factory.mktemp("pages")) as driven:
        return driven.drive("cases")


def test_an_analysis_updates_the_page(seen: Any) -> None:
    *updates, last = seen["analysis"]["finals"]

    assert len(updates) > 2
    assert not any(updates)
    assert last
    assert seen["analysis"]["shown"].split()[1].isdigit()


def test_a_page_that_is_closed_ends_its_search(seen: Any) -> None:
    """With room for one search, another one was answered afterwards; it would have run for half a minute."""
    assert seen["closed"] == 1


def test_an_error_is_the_servers_own_in_a_page_too(seen: Any) -> None:
    assert seen["analysis"]["error"] == {"name": "UnknownGame", "code": "NOT_FOUND", "known": list(INSTALLED)}


def test_a_match_goes_on_after_a_reload(seen: Any) -> None:
    before, after = seen["reloaded"]["before"], seen["reloaded"]["after"]

    assert before == {"played": 3, "utilities": []}
    assert after["played"] > 0
    assert sum(after["utilities"]) == pytest.approx(1)


def test_a_page_of_a_foreign_origin_gets_nothing(seen: Any) -> None:
    assert seen["refused"] == {"name": "ShuttingDown", "code": "UNAVAILABLE", "reason": ""}


def test_a_page_that_calls_the_server_by_a_foreign_name_is_refused(seen: Any) -> None:
    called = seen["host"]["called"]

    assert (seen["host"]["status"], called["status"]) == (403, 403)
    assert json.loads(called["text"])["details"][0]["debug"]["reason"] == "FOREIGN_HOST"


def test_the_page_of_the_guide_plays_a_match_to_its_end(seen: Any) -> None:
    told = seen["guide"]["told"].splitlines()

    assert seen["guide"]["clicks"] > 5
    assert len(told) > seen["guide"]["clicks"]
    assert told[-1] == "The match is over."
