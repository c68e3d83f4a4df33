"""Hints over the wire: the sentences and comparisons made here, streamed from vague to settled."""

import pytest

from machiavel.clients import BadRequest, Client, IllegalMove, NotAMove
from machiavel.search import Limits, SearchParameters, compare, explain, measure, recommend
from machiavel.server.service import hint_messages, wire
from machiavel.v1 import StopReason
from tests.engines.games import INSTALLED
from tests.search.pairs import state_pairs
from tests.search.positions import asked, states
from tests.server.service.hosted import in_time

SEARCH = "ismcts:seed=3"


@pytest.mark.parametrize("name", INSTALLED)
def test_an_explanation_and_a_comparison_are_those_made_here(service: Client, name: str) -> None:
    view = asked(next(states(name, seed=6, least=2)))
    move = view.legal_moves()[-1]
    answer = service.recommend_move(wire.view_message(view), bot=SEARCH, iterations=400, explain=True, what_about=move)
    recommendation = recommend(view, Limits(iterations=400), SearchParameters(seed=3), explain=True)
    about = measure(view, move, Limits(iterations=100), SearchParameters(seed=3))
    assert answer.recommendation == wire.recommendation_message(view, recommendation)
    assert answer.explanation == hint_messages.explanation_message(explain(view, recommendation))
    assert answer.comparison == hint_messages.comparison_message(view, compare(view, recommendation, about))
    assert all(sentence.text.en and sentence.text.fr for sentence in answer.explanation.sentences)


def test_neither_is_there_unless_asked_for(service: Client) -> None:
    view = asked(next(states("whist", seed=6)))
    plain = service.recommend_move(wire.view_message(view), bot=SEARCH, iterations=50)
    assert not plain.HasField("explanation")
    assert not plain.HasField("comparison")
    compared = service.recommend_move(wire.view_message(view), bot=SEARCH, iterations=50, what_about=view.legal_moves()[0])
    assert not compared.HasField("explanation")
    assert compared.HasField("comparison")


def test_an_analysis_is_explained_all_the_way(service: Client) -> None:
    view = asked(next(states("agency", seed=4)))
    move = view.legal_moves()[-1]
    answers = list(service.analyze_moves(wire.view_message(view), seconds=1.2, interval=0.05, explain=True, what_about=move))
    assert len(answers) >= 2
    for answer in answers:
        assert 1 <= len(answer.explanation.sentences) <= 3
        assert 1 <= len(answer.comparison.sentences) <= 2
        assert answer.comparison.best == answer.recommendation.candidates[0]
        assert answer.comparison.asked.move.text == move or answer.comparison.sentences[0].kind.startswith("same")
    assert [answer.final for answer in answers] == [False] * (len(answers) - 1) + [True]
    assert answers[-1].recommendation.stopped == StopReason.STOP_REASON_TIME


def test_the_deadline_holds_with_a_move_asked_about(service: Client) -> None:
    view = asked(next(states("bond", seed=4)))
    answer = in_time(lambda: service.recommend_move(wire.view_message(view), what_about=view.legal_moves()[0], timeout=0.5))
    assert answer.recommendation.stopped == StopReason.STOP_REASON_TIME
    assert answer.comparison.sentences


def test_a_move_that_cannot_be_asked_about_is_refused_by_its_field(service: Client) -> None:
    state = wire.state_message(next(states("whist", seed=2)))
    with pytest.raises(NotAMove) as nothing:
        service.recommend_move(state, what_about="zz", iterations=10)
    assert list(nothing.value.fields) == ["what_about"]
    illegal = next(card for card in ("C2", "D2", "H2", "S2", "C3") if card not in texts(service, state))
    with pytest.raises(IllegalMove) as caught:
        service.recommend_move(state, what_about=illegal, iterations=10)
    assert list(caught.value.fields) == ["what_about"]
    with pytest.raises(BadRequest) as quick:
        service.recommend_move(state, bot="greedy", what_about=texts(service, state)[0])
    assert list(quick.value.fields) == ["what_about"]


def texts(service: Client, state: object) -> list[str]:
    return [move.text for seat in service.legal_moves(state) for move in seat.moves]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["agency", "bond", "whist"])
def test_what_is_said_is_the_same_for_deals_that_differ_in_what_is_hidden(service: Client, name: str) -> None:
    for first, second, seat in state_pairs(name, 6):
        told = set()
        for state in (first, second):
            answer = service.recommend_move(
                wire.state_message(state),
                seat=seat,
                bot=SEARCH,
                iterations=120,
                explain=True,
                what_about=state.view(seat).legal_moves()[-1],
            )
            told.add(
                answer.explanation.SerializeToString(deterministic=True) + answer.comparison.SerializeToString(deterministic=True)
            )
        assert len(told) == 1
