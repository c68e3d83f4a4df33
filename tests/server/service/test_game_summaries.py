"""ListGames says, where it is asked to, what each game is: a few words out of its rules, and a picture."""

from pathlib import Path

from machiavel import v1
from machiavel.clients import Client
from machiavel.engines import games, load
from machiavel.engines.kit.loading import load_file
from machiavel.engines.rules_texts import rules_summary
from machiavel.server.service.game_summaries import game_summary, summary_things
from tests.engines.kit.authors import HIGHEST, load_text

CARD, DIE, PLACE = (getattr(v1.ThingLook, f"THING_LOOK_{name}") for name in ("CARD", "DIE", "PLACE"))
LANTERNS = Path(__file__).parents[2] / "page" / "files" / "lanterns.py"

RULES = """# Whist

For 2 to 7 players. A match has up to
seven rounds.

## Aim

Stay in. Whoever takes **no trick** is out.
The last one wins.

## Cards

One pack of 52 cards.
"""


def drawn(name: str) -> list[tuple[int, str, str, str]]:
    return [(one.look, one.kind, one.suit.symbol, one.text) for one in summary_things(load(name).plugin)]


def test_a_game_is_its_aim_and_how_long_a_match_takes() -> None:
    assert rules_summary(RULES) == "Stay in. Whoever takes no trick is out. The last one wins. A match has up to seven rounds."


def test_it_is_told_in_whole_sentences_and_no_more_than_fit() -> None:
    long = "very " * 25 + "long."
    head = "# A\n\nFor 2.\n\n## Aim\n\n"
    assert rules_summary(f"{head}Short one. It is {long} And more of it {long}") == f"Short one. It is {long}"
    assert rules_summary(f"{head}It is {long}{long}") == f"It is {long}{long}"
    assert rules_summary("## Aim\n\nTake 3 … 4 or so. Or approx. five.") == "Take 3 … 4 or so. Or approx. five."
    assert rules_summary("") == rules_summary("# A\n") == ""


def test_every_game_that_comes_with_the_server_has_words_and_a_picture() -> None:
    for name in games():
        summary = game_summary(load(name))
        assert len(summary.text.en) > 30 and len(summary.text.fr) > 30
        assert len(summary.things) == 3


def test_a_picture_shows_what_lies_on_the_table() -> None:
    assert drawn("agency") == [(CARD, "card", symbol, "") for symbol in ("moon", "drop", "leaf")]
    assert drawn("hearts") == [(CARD, "card", symbol, "") for symbol in ("club", "diamond", "heart")]
    assert drawn("bond") == [(CARD, kind, "", "") for kind in ("lair", "spy", "doubler")]
    assert drawn("citadel") == [(PLACE, "room", "", "")] * 3
    assert drawn("liars_dice") == [(DIE, "", "", face) for face in "256"]
    assert drawn("kuhn") == [(CARD, "card", "", rank) for rank in "JQK"]


def test_a_game_without_rules_says_nothing_and_one_in_a_file_has_a_picture(tmp_path: Path) -> None:
    summary = game_summary(load_text(tmp_path, HIGHEST))

    assert (summary.text.en, summary.text.fr) == ("", "")
    assert [one.suit.symbol for one in summary.things] == ["heart", "spade"]
    assert not list(summary_things(load_file(LANTERNS).plugin))  # cards that are called by long names


def test_summaries_are_told_to_whoever_asks_for_them(service: Client) -> None:
    without, within = service.list_games(), service.list_games(summaries=True)

    assert not any(game.HasField("summary") for game in without)
    assert [game.summary for game in within] == [game_summary(load(game.name)) for game in within]
    for game in within:
        game.ClearField("summary")
    assert within == without
