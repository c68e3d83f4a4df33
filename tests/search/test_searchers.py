"""A bot's text becomes a search in one place, with its own amount and luck."""

import pytest

from machiavel.engines import BadOption, load
from machiavel.search import KINDS, NO_LIMITS, Limits, make_bot
from machiavel.search.bots import SearchBot, searcher_of
from machiavel.search.levels import LEVELS, level_of
from machiavel.search.match_runner import contestant
from machiavel.search.specs import parse
from tests.engines.games import INSTALLED
from tests.search.positions import open_view

AMOUNTS = ("ismcts:iterations=500", "ismcts:iterations = 500", " ismcts: iterations =500 ", "pimc:iterations= 500 ,seed=3")
SOON = Limits(deadline=1.0)


def searcher(text: str, game: str = "whist", players: int = 3) -> SearchBot:
    result = searcher_of(make_bot(text), load(game), players)
    assert result is not None
    return result


# ---- What was said ----


@pytest.mark.parametrize("text", AMOUNTS)
def test_an_amount_that_is_said_counts_however_it_is_written(text: str) -> None:
    assert searcher(text).limits(SOON).iterations == 500
    assert contestant(load("whist"), text, seconds=1.0).iterations == 500


def test_the_parse_keeps_what_was_said_and_as_what() -> None:
    kind, values = parse(" ismcts: iterations = 05, reuse=TRUE", KINDS)
    assert values.said == {"iterations": "05", "reuse": "TRUE"}
    assert (values["iterations"], values["reuse"], values["seed"]) == (5, True, None)
    filled = values.filled(seed=9, iterations=7, unknown=1)
    assert (filled["seed"], filled["iterations"], filled.said) == (9, 5, values.said)
    assert "unknown" not in filled and values["seed"] is None
    assert set(values) == {parameter.name for parameter in kind.parameters}


def test_luck_that_is_given_leaves_what_depends_on_a_seed_that_is_said() -> None:
    kind, values = parse("ismcts", KINDS)
    made, said = kind.make(values.filled(seed=4)), make_bot("ismcts:seed=4")
    assert isinstance(made, SearchBot) and isinstance(said, SearchBot)
    assert made.parameters == said.parameters
    assert (made.reuse, said.reuse) == (True, False)


# ---- What ends a search ----


@pytest.mark.parametrize(
    ("text", "asked", "iterations"),
    [
        ("ismcts", NO_LIMITS, 2000),
        ("ismcts", SOON, None),
        ("ismcts", Limits(seconds=1.0), None),
        ("ismcts", Limits(iterations=70), 70),
        ("ismcts:iterations=30", NO_LIMITS, 30),
        ("ismcts:iterations=30", SOON, 30),
        ("ismcts:iterations=30", Limits(seconds=1.0), None),
        ("ismcts:iterations=30", Limits(iterations=70, deadline=1.0), 70),
        ("ismcts:iterations=2000", SOON, 2000),
    ],
)
def test_an_amount_stands_beside_a_deadline_and_gives_way_to_what_is_asked_for(
    text: str, asked: Limits, iterations: int | None
) -> None:
    result = searcher(text).limits(asked)
    assert result == Limits(iterations, asked.seconds, asked.deadline)


@pytest.mark.parametrize("game", INSTALLED)
@pytest.mark.parametrize("number", LEVELS)
def test_a_level_never_does_more_than_its_own_unless_it_uses_all_its_time(game: str, number: int) -> None:
    for players in load(game).players:
        level, result = level_of(number, game, players), searcher(f"level{number}:seed=1", game, players)
        own = None if level.uses_time else level.iterations
        assert result.limits().iterations == level.iterations
        assert result.limits(SOON).iterations == result.limits(Limits(seconds=1.0)).iterations == own
        assert result.limits(Limits(iterations=10**6)).iterations == (own or 10**6)
        assert result.limits(Limits(iterations=1)).iterations == 1
        assert (result.sharpness, result.slack) == (level.sharpness, level.slack)
        assert contestant(load(game), f"level{number}", players=players).iterations == level.iterations


@pytest.mark.parametrize("text", ["random", "greedy:", "random:seed=4"])
def test_a_bot_that_does_not_search_is_none(text: str) -> None:
    assert searcher_of(make_bot(text.rstrip(":")), load("whist"), 3) is None


def test_what_a_game_has_no_room_for_is_refused() -> None:
    with pytest.raises(BadOption, match="inference"):
        searcher("ismcts:inference=true", "citadel")


def test_every_way_to_ask_plays_the_same_move() -> None:
    view = open_view("whist", seed=3)
    bot = make_bot("ismcts:iterations = 60,seed=5")
    result = searcher_of(bot, view.game, view.players)
    assert result is not None
    assert result.choose(view) == bot.choose(view) == bot.choose(view, Limits(iterations=60))
