"""Tournaments on the page: from the start page to the report and the review of a game, and where there are none."""

import re
from pathlib import Path

from tests.page.browser import driven
from tests.server.service.hosted import hosted

LEVELS = ["Level 1", "Level 1 · cautious", "Level 3"]


def test_a_tournament_is_started_watched_read_and_another_one_cancelled(tmp_path: Path) -> None:
    with hosted(think=0.02, web="127.0.0.1:0", tournaments=str(tmp_path / "kept")) as server:
        seen = driven("tournament", str(server.server.web_address))

    assert seen["faults"] == []
    assert "twice" in seen["twice"] and not seen["couldStart"]
    assert seen["size"] == "6 games a deal, 18 in all"
    assert seen["heading"] == "The Agency: a tournament"
    assert seen["sections"] == ["Ratings", "Pair by pair", "Points", "Seats", "Games"]
    assert sorted(name[2:].strip() for name in seen["bots"]) == LEVELS
    assert seen["heard"] == ["Over: 18 games played"]
    assert len(seen["first"]) == len(seen["second"]) == 6
    assert seen["winners"] >= 6
    assert seen["review"]["address"].endswith("/1/1")
    assert seen["review"]["table"] == 1
    # Whom each seat plays in agency, and which bot it is.
    bots = [re.sub(r".* \((.*)\)", r"\1", seat) for seat in seen["review"]["seats"]]
    assert "".join(bots) == seen["second"][1].replace("won", "")
    assert seen["live"] == ["Who is ahead so far"]
    assert seen["cancelled"].startswith("Cancelled after ") and seen["cancelled"].endswith(" of 72,000 games")
    assert seen["before"] == [seen["cancelled"], "Over: 18 games played"]
    assert seen["after"] == ["Over: 18 games played"]


def test_a_server_without_tournaments_says_so() -> None:
    with hosted(web="127.0.0.1:0") as server:
        seen = driven("noTournaments", str(server.server.web_address))

    assert seen["faults"] == []
    assert [one["title"] for one in seen["seen"]] == ["This server keeps no tournaments", "Ce serveur ne garde pas de tournois"]
    assert all(one["forms"] == one["asksForToken"] == one["onStartPage"] == 0 for one in seen["seen"])


def test_a_guest_is_asked_for_a_token(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text('[tokens]\nanna = "0123456789abcdef"\n')
    kept = str(tmp_path / "kept")
    with hosted(web="127.0.0.1:0", tokens=str(tokens), guests=True, tournaments=kept) as server:
        seen = driven("noTournaments", str(server.server.web_address))

    assert seen["faults"] == []
    assert [one["title"] for one in seen["seen"]] == [
        "Tournaments take a token of this server",
        "Pour les tournois, il faut un jeton de ce serveur",
    ]
    assert all(one["forms"] == 0 and one["asksForToken"] == one["onStartPage"] == 1 for one in seen["seen"])
