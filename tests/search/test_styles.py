"""Styles: each changes what it says it changes, where the game has room for it, and costs nobody else anything."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from machiavel.engines import BadOption, games, load
from machiavel.search import Limits, SearchParameters, all_styles, make_bot, recommend
from machiavel.search.bots import BadBot
from machiavel.search.matches import Matches, play_matches
from machiavel.search.styles import PLAIN, STYLES, styles_of
from tests.search.positions import open_view

FLOATS = NDArray[np.float64]


def played(game: str, bot: str, players: int, deals: int, **options: Any) -> Matches:
    """The bot in every seat in turn, among plain ones."""
    iterations = 100
    bots = [f"ismcts:iterations={iterations},{bot}", f"ismcts:iterations={iterations},reuse=false"]
    return play_matches(load(game), bots, players, deals, 3, **options)


def of_seat(found: Matches, metric: str) -> FLOATS:
    """A quantity of the first bot's seat, by deal."""
    names = [f"{metric}_{seat}" for seat in range(found.seatings.shape[1])]
    values = np.stack([found.metrics[:, :, found.metric_names.index(name)] for name in names], axis=2)
    return np.asarray(np.where(found.seatings == 0, values, 0.0).sum(axis=2).mean(axis=1))


def of_others(found: Matches, metric: str) -> FLOATS:
    names = [f"{metric}_{seat}" for seat in range(found.seatings.shape[1])]
    values = np.stack([found.metrics[:, :, found.metric_names.index(name)] for name in names], axis=2)
    return np.asarray(np.where(found.seatings == 0, 0.0, values).sum(axis=2).mean(axis=1))


def is_more(first: FLOATS, second: FLOATS) -> bool:
    """Whether the first is above the second, deal by deal, beyond doubt."""
    ahead = first - second
    return bool(ahead.mean() > 2 * ahead.std(ddof=1) / len(ahead) ** 0.5)


@pytest.mark.parametrize(
    ("game", "style", "metric", "sign", "options"),
    [
        ("agency", "cautious", "yellows", -1, {"medals": 1}),
        ("agency", "points", "points", 1, {"medals": 1}),
        ("bond", "points", "points", 1, {}),
        ("whist", "points", "tricks", 1, {}),
    ],
)
def test_a_style_brings_more_of_what_it_goes_for(
    game: str, style: str, metric: str, sign: int, options: dict[str, object]
) -> None:
    deals = 300 if game == "agency" else 100
    plain, styled = (of_seat(played(game, f"reuse=false,style={name}", 3, deals, **options), metric) for name in (PLAIN, style))
    assert is_more(sign * styled, sign * plain)


def test_the_cautious_of_bond_give_others_fewer_points() -> None:
    plain, styled = (of_others(played("bond", f"reuse=false,style={name}", 3, 100), "points") for name in (PLAIN, "cautious"))
    assert is_more(plain, styled)


@pytest.mark.parametrize("game", ["agency", "bond", "whist"])
def test_a_spoiler_gives_its_own_chances_up_to_hurt_another(game: str) -> None:
    """Measured on the rival that the search itself takes for the strongest, by what its best moves leave of that rival's win."""
    spoilt, left = 0.0, 0.0
    for number in range(30):
        view = open_view(game, number, players=3)
        moves = {}
        for style in (PLAIN, "spoiler"):
            found = recommend(view, Limits(iterations=600), SearchParameters(seed=number, style=style))
            moves[style] = found.best, {one.move: one.utility for one in found.candidates}
        plain = moves[PLAIN][1]
        left += max(plain.values())
        spoilt += plain[moves["spoiler"][0]]
    assert spoilt < left


@pytest.mark.parametrize("game", games())
def test_styles_are_those_the_game_has_room_for(game: str) -> None:
    found = styles_of(game)
    assert set(found) <= set(STYLES) - {PLAIN}
    measured = set(load(game).plugin.metrics(load(game).make_rules(3)))
    for style in found.values():
        assert style.own > 0
        assert style.own + style.rival + style.weakest + sum(term.weight for term in style.terms) == pytest.approx(1)
        assert set(style.help) == {"en", "fr"} and all(style.help.values())
        for term in style.terms:
            assert (term.metric if term.whose == "table" else f"{term.metric}_0") in measured
    for name in set(STYLES) - set(found) - {PLAIN}:
        with pytest.raises(BadOption, match="style"):
            SearchParameters(style=name).for_game(load(game))
    assert [style for style in all_styles() if style.game == game] == list(found.values())


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


def test_where_two_play_a_spoiler_is_plain() -> None:
    """That the other one loses is that oneself wins."""
    for number in range(10):
        view = open_view("whist", number, players=2)
        plain, spoiler = (
            recommend(view, Limits(iterations=500), SearchParameters(seed=1, style=style)) for style in (PLAIN, "spoiler")
        )
        assert [(one.move, one.visits) for one in plain.candidates] == [(one.move, one.visits) for one in spoiler.candidates]


def test_bots_keep_no_tree_in_a_style() -> None:
    assert not make_bot("ismcts:style=spoiler").reuse  # type: ignore[attr-defined]
    assert not make_bot("level4:style=spoiler").reuse  # type: ignore[attr-defined]
    assert make_bot("level4").reuse  # type: ignore[attr-defined]
    assert make_bot("level4:style=points,seed=3").spec == "level4:style=points,reuse=false,seed=3"


def test_a_team_player_leaves_the_weakest_more() -> None:
    """Of three seats, one of which plays at random and one much better."""
    others = ["ismcts:iterations=300,reuse=false", "random"]
    weakest = [
        play_matches(load("whist"), [f"ismcts:iterations=120,reuse=false,style={style}", *others], 3, 150, 3).scores(2)
        for style in ("team-player", PLAIN)
    ]
    assert is_more(*weakest)
