"""The page in Chromium: whole matches by clicks and by keys, hints, reviews, breaks, and what one seat's browser may have."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import load
from tests.packaging.project import ROOT
from tests.page.browser import driven
from tests.page.elsewhere import serving
from tests.server.service.hosted import hosted

LANTERNS = Path(__file__).parent / "files" / "lanterns.py"
CARDS = [f"lantern-{word}-{number:02d}" for number, word in enumerate(["amber", "birch", "cedar", "delta", "ember", "frost"] * 4)]
GAMES = ("agency", "bond", "citadel", "whist", "hearts", "liars_dice", "kuhn")
STANDS_MS = 1_200  # what a hint says stands so long while its search runs
WITH_A_TABLE = {path.parents[1].name for path in (ROOT / "server/games").glob("*/page/Table.tsx")}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with hosted(think=0.02, web="127.0.0.1:0") as server:
        assert server.server.web_address is not None
        yield server.server.web_address


def title(game: str) -> str:
    return str(load(game).plugin.titles["en"])


def is_whole(seen: Any) -> None:
    """A match was played to its end, and the page did nothing that it may not."""
    assert seen["faults"] == []
    assert seen["headline"]
    assert seen["told"] > 0


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_by_clicks_on_what_lies_on_the_table(address: str, game: str) -> None:
    seen = driven("match", address, game=title(game))

    is_whole(seen)
    assert seen["answers"] > 0
    assert seen["means"]["list"] == seen["means"]["key"] == 0
    assert (game in seen["drawn"]) == (game in WITH_A_TABLE)  # so none has given way to the generic one


@pytest.mark.parametrize("game", ["agency", "liars_dice", "hearts"])
def test_a_whole_match_is_played_by_the_keyboard_alone(address: str, game: str) -> None:
    seen = driven("keyboard", address, game=title(game))

    is_whole(seen)
    assert seen["means"]["key"] == seen["answers"] > 0


@pytest.mark.parametrize("game", ["liars_dice", "citadel", "bond"])
def test_on_a_phone_single_moves_and_the_hint_are_within_reach_wherever_one_looks(address: str, game: str) -> None:
    seen = driven("thumb", address, game=title(game), answers=12)

    assert seen["faults"] == seen["hidden"] == []
    assert seen["single"] >= 6


@pytest.mark.parametrize(("pace", "motion", "least"), [("normal", "full", 5.0), ("normal", "none", 5.0), ("fast", "none", 0.0)])
def test_when_a_bid_is_doubted_all_cups_lie_open_until_one_has_read_it(
    address: str, pace: str, motion: str, least: float
) -> None:
    seen = driven("doubted", address, pace=pace, motion=motion)

    assert seen["faults"] == []
    by_button, by_itself = seen["seen"]
    assert by_itself["lasted"] > 1000 * least
    assert least == 0 or by_button["lasted"] < by_itself["lasted"] - 1000
    for call, dice in ((by_button, 9), (by_itself, 8)):
        found = re.compile(rf"{call['marked']} found under the cups; (you|Louise|Lorenzo) bid 2\s×\s3\.")
        assert call["lying"] == dice and call["isOpen"] == (least > 0)
        assert call["after"] == [f"{call['marked']} found"]
        assert len([line for line in seen["log"] if found.fullmatch(line)]) > 0
        if call["isOpen"]:
            count, loss = call["said"]
            assert call["found"] == call["after"] and found.fullmatch(count)
            assert re.fullmatch(r"(You lose|(Louise|Lorenzo) loses) a die; [12] left\.", loss)


def test_a_hint_settles_says_why_and_is_followed(address: str) -> None:
    seen = driven("hint", address, game=title("whist"))

    assert seen["faults"] == []
    assert seen["candidates"] >= 3 and seen["marks"] >= 3
    assert seen["settles"]
    assert seen["unseen"] == 1
    assert seen["best"] in seen["said"] and seen["best"] in seen["told"]
    assert len(seen["bars"]) >= 3 and all(abs(bar["drawn"] - bar["told"]) <= 1 for bar in seen["bars"])
    assert seen["left"] == 0  # who has followed a hint asks for the next one when it is wanted
    assert len(seen["about"]) > 20


@pytest.mark.parametrize("game", ["agency", "whist"])
def test_a_hint_stays_calm_while_its_search_runs(address: str, game: str) -> None:
    seen = driven("calm", address, game=title(game))

    assert seen["faults"] == []
    assert len(seen["bars"]) >= 3  # bars settle
    most = 2 + seen["lasted"] // STANDS_MS  # what was told at first, and the last answer
    assert len(seen["orders"]) <= most and len(seen["words"]) <= most
    assert seen["shift"] <= 0.02, seen["nodes"]


@pytest.mark.parametrize(
    ("language", "bot", "back", "gone"),
    [
        ("en", "bot plays, level 2", "Louise plays again.", "gave up"),
        ("fr", "un bot joue, niveau 2", "Louise rejoue.", "a abandonné"),
    ],
)
def test_who_leaves_is_told_at_the_seat_in_the_log_and_for_a_while_above_the_table(
    address: str, language: str, bot: str, back: str, gone: str
) -> None:
    seen = driven("leaves", address, game="whist", language=language)

    assert seen["faults"] == []
    assert [seen[what]["seat"] for what in ("takenOver", "back", "forfeited")] == [bot, "", gone]
    assert seen["back"]["log"] == back
    for told in (seen["takenOver"], seen["back"], seen["forfeited"]):
        assert "Louise" in told["log"] and told["banner"] == told["log"]


def test_who_is_waited_for_long_is_spoken_of(address: str) -> None:
    seen = driven("waits", address, game="whist", minutes=3)

    assert seen["faults"] == []
    assert seen["seen"] == ["", "", "no answer for 2 min", "no answer for 3 min"]


def test_a_match_that_is_over_is_reviewed_and_so_is_a_record_out_of_a_file(address: str, tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    command = [sys.executable, "-m", "machiavel.server.cli", "play", "kuhn", "--seed", "3", "--record", str(record), "--json"]
    subprocess.run(command, input="1\n" * 20, check=True, capture_output=True, text=True, timeout=120)
    moves = json.loads(record.read_text(encoding="utf-8"))["moves"]

    seen = driven("review", address, game=title("hearts"), record=str(record), folder=str(tmp_path))

    assert seen["faults"] == []
    assert seen["whole"]["moves"] > 50 and seen["whole"]["graph"] > 4
    assert len(set(seen["steps"])) == 5
    assert seen["again"]["moves"] == len(moves)
    assert "JSON" in seen["refused"]


def test_a_server_that_is_killed_in_the_middle_of_a_match_and_a_reload_are_survived(tmp_path: Path) -> None:
    seen = driven("restart", game=title("hearts"), python=sys.executable, folder=str(tmp_path))

    is_whole(seen)
    assert (seen["before"], seen["middle"]) == (3, 2)
    assert seen["banner"]
    assert seen["before"] + seen["middle"] + seen["after"] in {13, 14}  # thirteen cards, after three were passed at once or none


def test_two_browsers_at_one_table_have_nothing_of_each_others_cards() -> None:
    with serving("--game", str(LANTERNS)) as address:
        seen = driven("two", address, title="Lanterns", cards=CARDS)

    assert seen["faults"] == seen["leaks"] == seen["shared"] == seen["inAddress"] == []
    assert seen["hands"] == seen["ownSent"] == [6, 6]  # so what is sent is heard
    assert seen["unheard"] == [0, 0]
    assert seen["apart"]
    assert seen["looks"] >= 4
    assert all(seen["headlines"])


def test_a_game_from_elsewhere_has_a_table(tmp_path: Path) -> None:
    source, target = tmp_path / "kuhn_elsewhere", tmp_path / "installed"
    shutil.copytree(ROOT / "tests" / "kuhn_elsewhere", source, ignore=shutil.ignore_patterns("__pycache__"))
    options = ("--quiet", "--no-index", "--no-build-isolation", "--no-deps", "--target", target)
    subprocess.run([sys.executable, "-m", "pip", "install", *options, source], check=True, timeout=300)
    with serving(path=str(target)) as address:
        seen = driven("match", address, fragment="#/setup/kuhn_elsewhere")

    is_whole(seen)
