"""Styles: each changes what it says it changes, where the game has room for it, and costs nobody else anything."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from machiavel.engines import BadOption, games, load
from machiavel.search import Limits, SearchParameters, all_styles, make_bot, recommend
from machiavel.search.bots import BadBot
from machiavel.search.match_runner import MatchResults, play_matches
from machiavel.search.styles import PLAIN, STYLES, styles_of
from tests.engines.games import players_of
from tests.search.positions import open_view

FLOATS = NDArray[np.float64]
WEAK = "ismcts:iterations=60,policy=uniform,prior=0,exploration=2,sharpness=1,slack=0.5"


def played(game: str, bot: str, players: int, deals: int, **options: Any) -> MatchResults:
    """The bot in every seat in turn, among plain ones."""
    iterations = 100
    bots = [f"ismcts:iterations={iterations},{bot}", f"ismcts:iterations={iterations},reuse=false"]
    return play_matches(load(game), bots, players, deals, 3, **options)


def of_bot(results: MatchResults, metric: str, bot: int = 0) -> FLOATS:
    """A quantity of a bot's seat, by deal."""
    names = [f"{metric}_{seat}" for seat in range(results.seatings.shape[1])]
    values = np.stack([results.metrics[:, :, results.metric_names.index(name)] for name in names], axis=2)
    return np.asarray(np.where(results.seatings == bot, values, 0.0).sum(axis=2).mean(axis=1))


def is_more(first: FLOATS, second: FLOATS) -> bool:
    """Whether the first is above the second, deal by deal, beyond doubt."""
    ahead = first - second
    return bool(ahead.mean() > 2 * ahead.std(ddof=1) / len(ahead) ** 0.5)


@pytest.mark.parametrize(
    ("game", "style", "metric", "sign", "deals"),
    [
        ("agency", "cautious", "yellows", -1, 60),
        ("bond", "points", "points", 1, 20),
        pytest.param("bond", "points", "points", 1, 60, marks=pytest.mark.slow),
        ("whist", "points", "tricks", 1, 100),
    ],
)
def test_a_style_brings_more_of_what_it_goes_for(game: str, style: str, metric: str, sign: int, deals: int) -> None:
    options = {"medals": 1} if game == "agency" else {}
    plain, styled = (of_bot(played(game, f"reuse=false,style={name}", 3, deals, **options), metric) for name in (PLAIN, style))
    assert is_more(sign * styled, sign * plain)


@pytest.mark.slow
def test_a_spoiler_of_bond_gives_others_fewer_points() -> None:
    plain, styled = (of_bot(played("bond", f"reuse=false,style={name}", 3, 40), "points", bot=1) for name in (PLAIN, "spoiler"))
    assert is_more(plain, styled)


@pytest.mark.parametrize(
    ("game", "metric", "deals"),
    [
        ("whist", "tricks", 50),
        pytest.param("whist", "tricks", 100, marks=pytest.mark.slow),
        pytest.param("agency", "points", 30, marks=pytest.mark.slow),
    ],
)
def test_a_team_player_leaves_the_weakest_more(game: str, metric: str, deals: int) -> None:
    """At a table with one that plays better, and one that plays much worse."""
    result = {}
    for style in (PLAIN, "team-player"):
        bots = [f"ismcts:iterations=100,reuse=false,style={style}", "ismcts:iterations=400", WEAK]
        result[style] = of_bot(play_matches(load(game), bots, 3, deals, 11), metric, bot=2)
    assert is_more(result["team-player"], result[PLAIN])


@pytest.mark.parametrize("game", games())
def test_styles_are_those_the_game_has_room_for(game: str) -> None:
    styles = styles_of(game)
    assert set(styles) <= set(STYLES) - {PLAIN}
    measured = set(load(game).plugin.metrics(load(game).make_rules(players_of(game))))
    for style in styles.values():
        assert style.own > 0
        assert style.own + sum(term.weight for term in style.terms) == pytest.approx(1)
        assert set(style.help) == {"en", "fr"} and all(style.help.values())
        for term in style.terms:
            assert f"{term.metric}_0" in measured
    for name in set(STYLES) - set(styles) - {PLAIN}:
        with pytest.raises(BadOption, match="style"):
            SearchParameters(style=name).for_game(load(game))
    assert [style for style in all_styles() if style.game == game] == list(styles.values())


def test_a_style_that_there_is_not_is_refused() -> None:
    with pytest.raises(BadBot, match="style cannot be 'wild'; expected one of plain"):
        make_bot("ismcts:style=wild")
    for wrong in ("wild", None, 3):
        with pytest.raises(BadOption, match="style"):
            SearchParameters(style=wrong).check()  # type: ignore[arg-type]


@pytest.mark.parametrize("game", games())
def test_plain_is_what_was_there_before_and_a_style_tells_true_utilities(game: str) -> None:
    view = open_view(game, 3)
    plain = recommend(view, Limits(iterations=300), SearchParameters(seed=2))
    assert plain == recommend(view, Limits(iterations=300), SearchParameters(seed=2, style=PLAIN))
    for name in styles_of(game):
        styled = recommend(view, Limits(iterations=3000), SearchParameters(seed=2, style=name))
        assert styled.parameters.style == name
        assert all(0 <= one.utility <= 1 for one in styled.candidates)


def test_bots_keep_no_tree_in_a_style() -> None:
    assert not make_bot("ismcts:style=cautious").reuse  # type: ignore[attr-defined]
    assert not make_bot("level4:style=cautious").reuse  # type: ignore[attr-defined]
    assert make_bot("level4").reuse  # type: ignore[attr-defined]
    assert make_bot("level4:style=points,seed=3").spec == "level4:style=points,reuse=false,seed=3"
