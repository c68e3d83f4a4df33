"""BotService plays, advises, and stays within its limits."""

import random
from dataclasses import astuple

import pytest

from machiavel import engines
from machiavel.clients import Client, Fault, NoTime, ServiceError
from machiavel.engines.phrases import typeset
from machiavel.search import KINDS, Limits, SearchParameters, all_styles, make_bot, ratings_of_kind, recommend
from machiavel.server.service import wire
from machiavel.v1 import Recommendation, StopReason
from tests.engines.games import INSTALLED
from tests.search.positions import states
from tests.server.service.hosted import in_time


def test_the_bots_are_listed_with_their_parameters(service: Client) -> None:
    response = service.list_bots()
    assert [bot.name for bot in response] == list(KINDS)
    for bot in response:
        assert [parameter.name for parameter in bot.parameters] == [one.name for one in KINDS[bot.name].parameters]
        assert bot.help.en and bot.help.fr
        told = [(one.game, one.players, one.elo, one.low, one.high) for one in bot.ratings]
        assert told == [astuple(one) for one in ratings_of_kind(KINDS[bot.name])]


def test_in_brief_bots_have_neither_ratings_nor_words_of_their_parameters(service: Client) -> None:
    for bot, brief in zip(service.list_bots(), service.list_bots(brief=True), strict=True):
        bot.ClearField("ratings")
        for parameter in bot.parameters:
            for words in ("unset", "expected", "help"):
                parameter.ClearField(words)
        assert brief == bot
    assert list(service.list_styles())  # which are told otherwise


def test_styles_are_listed_by_game(service: Client) -> None:
    told = [(one.game, one.name, one.help.en, one.help.fr) for one in service.list_styles()]
    assert told == [(one.game, one.name, one.help["en"], typeset(one.help["fr"], "fr")) for one in all_styles()]


@pytest.mark.parametrize("name", INSTALLED)
@pytest.mark.parametrize(
    "bot", ["random:seed=4", "greedy", "ismcts:iterations=80,seed=4", "pimc:iterations=80,seed=4", "level2:seed=4"]
)
def test_a_bot_plays_over_the_wire_what_it_plays_here(service: Client, name: str, bot: str) -> None:
    for _, state in zip(range(4), states(name, seed=5, least=2), strict=False):
        view = state.view(state.seat_to_move)
        answer = service.recommend_move(wire.view_message(view), bot=bot)
        assert answer.move.text == make_bot(bot).choose(view)


@pytest.mark.parametrize("name", INSTALLED)
def test_a_recommendation_is_the_one_made_here(service: Client, name: str) -> None:
    view = next((state.view(state.seat_to_move) for state in states(name, seed=6, least=2)), None)
    assert view is not None
    answer = service.recommend_move(wire.view_message(view), bot="ismcts:seed=3", iterations=300, explain=True)
    here = recommend(view, Limits(iterations=300), SearchParameters(seed=3), explain=True)
    assert answer.recommendation == wire.recommendation_message(view, here)
    assert answer.recommendation.stopped == StopReason.STOP_REASON_ITERATIONS
    assert answer.recommendation.candidates[0].metrics


def test_a_level_thinks_as_much_as_its_level_and_no_more(service: Client) -> None:
    state = wire.state_message(next(states("whist", seed=2)))
    alone = service.recommend_move(state, bot="level1").recommendation.iterations
    assert service.recommend_move(state, bot="level1", iterations=10**6, seconds=30).recommendation.iterations == alone
    assert service.recommend_move(state, bot="level1", iterations=alone // 2).recommendation.iterations == alone // 2


def test_without_limits_the_deadline_is_the_time_to_think(service: Client) -> None:
    state = wire.state_message(next(states("whist", seed=2)))
    answer = in_time(lambda: service.recommend_move(state, timeout=0.4))
    assert answer.recommendation.stopped == StopReason.STOP_REASON_TIME
    assert answer.recommendation.iterations > 0


def test_some_moves_alone(service: Client) -> None:
    state = next(states("bond", seed=4))
    some = state.legal_moves()[:2]
    recommendation = service.recommend_move(wire.state_message(state), moves=some, iterations=50).recommendation
    assert {one.move.text for one in recommendation.candidates} == set(some)


def test_one_legal_move_is_not_searched(service: Client) -> None:
    draw = random.Random(1)
    state = engines.load("whist").new(2, seed=1)
    while len(state.legal_moves()) > 1:
        state.play(draw.choice(state.legal_moves()))
    recommendation = service.recommend_move(wire.state_message(state), seconds=30).recommendation
    assert recommendation.stopped == StopReason.STOP_REASON_FORCED


def test_an_analysis_ends_with_exactly_one_final_answer(service: Client) -> None:
    state = wire.state_message(next(states("agency", seed=4)))
    answers = list(service.analyze_moves(state, seconds=0.5, interval=0.05))
    assert [answer.final for answer in answers] == [False] * (len(answers) - 1) + [True]
    assert all(answer.recommendation.stopped == StopReason.STOP_REASON_RUNNING for answer in answers[:-1])
    counts = [answer.recommendation.iterations for answer in answers]
    assert counts == sorted(counts)


def test_an_analysis_that_repeats_itself_ends_with_the_same_bytes(service: Client) -> None:
    state = wire.state_message(next(states("bond", seed=4)))

    def final() -> Recommendation:
        *_, last = service.analyze_moves(state, bot="ismcts:seed=8", iterations=400)
        return last.recommendation

    assert final().SerializeToString(deterministic=True) == final().SerializeToString(deterministic=True)


def test_a_deadline_that_leaves_no_time_is_said_so(service: Client) -> None:
    state = wire.state_message(next(states("whist", seed=2)))
    with pytest.raises(NoTime):
        service.recommend_move(state, timeout=0.001)


def test_no_error_of_a_caller_is_a_fault_of_the_server(service: Client) -> None:
    state = wire.state_message(next(states("whist", seed=2)))
    for arguments in ({"bot": "nobody"}, {"iterations": 0}, {"moves": ["zz"]}, {"bot": "greedy", "moves": ["zz"]}):
        with pytest.raises(ServiceError) as caught:
            service.recommend_move(state, **arguments)
        assert not isinstance(caught.value, Fault)
        assert caught.value.fields
