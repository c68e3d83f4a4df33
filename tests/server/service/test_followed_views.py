"""FollowView: the view after a move, what must be asked for, what happened; in a place for searches, and ended with its call."""

import random
import time
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import MessageToDict
from google.protobuf.struct_pb2 import Value

from machiavel.clients import BadRequest, BadView, Client, IllegalMove, NotAMove, NoTime, NotToMove
from machiavel.v1 import FollowAnswer, FollowViewRequest, FollowViewResponse, State, View
from tests.engines.games import INSTALLED, players_of

Step = tuple[View, str, int, View, list[str]]  # a view, the move as it was seen, who made it, the view after it, what was told


def journey(service: Client, name: str, moves: int, seed: int = 3) -> Iterator[Step]:
    """What each seat saw of the first moves of a match."""
    draw = random.Random(seed)
    state: State = service.new_state(name, players_of(name), seed=seed)
    while not state.over and state.ply < moves:
        mover, players = state.seat_to_move, state.record.options.players
        seats: list[int | None] = [*range(players), None]
        before = [service.get_view(state, seat).view for seat in seats]
        move = draw.choice(service.legal_moves(state)[0].moves).text
        state = service.apply_move(state, move).state
        for view, seat in zip(before, seats, strict=True):
            seen = service.get_view(state, seat, events=True)
            yield view, seen.observed_moves[-1], mover, seen.view, [event.text.en for event in seen.events]


def json_at(view: View, place: str) -> Any:
    """What stands at a place of a view without a message of its own, or of one whose place is a field."""
    seen: Any = MessageToDict(view, preserving_proto_field_name=True)
    seen = seen.get("other") or seen[view.game]
    for step in place.replace("]", "").replace("[", ".").split("."):
        seen = seen[int(step)] if isinstance(seen, list) else seen.get(step)
    return seen["cards"] if isinstance(seen, dict) and set(seen) == {"cards"} else seen


@pytest.mark.parametrize("name", INSTALLED)
def test_a_view_is_carried_on_over_the_wire(service: Client, name: str) -> None:
    known = 0
    for view, move, mover, after, events in journey(service, name, 4):
        answer = service.follow_view(view, move, mover)
        assert answer.worlds > 0
        assert answer.HasField("view") != bool(answer.questions)
        if answer.HasField("view"):
            known += 1
            assert answer.view == after
            assert [event.text.en for event in answer.events] == events
            assert list(answer.seats_to_move) == list(service.follow_view(view, move).seats_to_move)
    assert known


def test_what_was_asked_for_is_answered_and_one_goes_on(service: Client) -> None:
    asked = 0
    for view, move, _, after, events in journey(service, "kuhn", 9, seed=1):
        answers: dict[str, Any] = {}
        answer = service.follow_view(view, move)
        while answer.questions:
            first = answer.questions[0]
            assert first.label.fr
            answers[first.place] = json_at(after, first.place)
            answer = service.follow_view(view, move, answers=answers)
            asked += 1
        assert answer.view == after
        assert [event.text.en for event in answer.events] == events
        service.follow_view(answer, "bet") if answer.seats_to_move else None
    assert asked


def test_a_question_tells_what_is_known_and_what_may_be(service: Client) -> None:
    steps = journey(service, "whist", 60, seed=2)
    question = next(one for view, move, *_ in steps for one in service.follow_view(view, move).questions if one.place == "trump")
    assert [value.string_value for value in question.possible] == ["C", "D", "H", "S"]
    assert question.label.en == "Trumps"


@pytest.mark.parametrize("name", INSTALLED)
def test_what_may_come_next_is_told_to_each_seat_as_it_sees_it(service: Client, name: str) -> None:
    for view, move, mover, *_ in journey(service, name, 4):
        (upcoming,) = service.legal_moves(view, upcoming=True)
        assert upcoming.seat == mover
        assert move in [one.text for one in upcoming.moves] or "?" in upcoming.moves[0].text
        assert all(one.label.en and one.label.fr for one in upcoming.moves)


def test_what_may_come_next_is_asked_for_with_a_view_and_of_no_other_seat(service: Client) -> None:
    state = service.new_state("whist", 3, seed=7)
    mover = state.seat_to_move
    view = service.get_view(state, (mover + 1) % 3).view
    (upcoming,) = service.legal_moves(view, mover, upcoming=True)
    assert len(upcoming.moves) == 52 - len(view.whist.hand.cards)
    with pytest.raises(BadRequest) as record:
        service.legal_moves(state, upcoming=True)
    assert list(record.value.fields) == ["upcoming"]
    with pytest.raises(NotToMove) as other:
        service.legal_moves(view, (mover + 1) % 3, upcoming=True)
    assert list(other.value.fields) == ["seat"]
    with pytest.raises(BadRequest) as nobody:
        service.legal_moves(view, 7, upcoming=True)
    assert list(nobody.value.fields) == ["seat"]
    with pytest.raises(NoTime):
        service.legal_moves(service.get_view(service.new_state("agency", 5, seed=1), 0).view, upcoming=True, timeout=0.007)


# ---- What cannot be ----


def started(service: Client) -> tuple[View, str, int]:
    """A view of whist by who is not asked, a card it holds, and who is asked."""
    state = service.new_state("whist", 3, seed=7)
    mover = state.seat_to_move
    view = service.get_view(state, (mover + 1) % 3).view
    return view, view.whist.hand.cards[0], mover


def test_a_move_that_cannot_be_is_refused_by_its_field(service: Client) -> None:
    view, held, mover = started(service)
    with pytest.raises(IllegalMove) as illegal:
        service.follow_view(view, held)
    assert list(illegal.value.fields) == ["move"]
    with pytest.raises(NotAMove):
        service.follow_view(view, "Z9")
    with pytest.raises(NotToMove) as early:
        service.follow_view(view, held, (mover + 1) % 3)
    assert list(early.value.fields) == ["seat"]
    with pytest.raises(BadRequest) as seat:
        service.follow_view(view, held, 7)
    assert list(seat.value.fields) == ["seat"]
    with pytest.raises(grpc.RpcError, match="view: is missing; expected what the seat saw"):
        service.games.FollowView(FollowViewRequest(move=held), timeout=10)
    view.whist.trump = "X"
    with pytest.raises(BadView) as wrong:
        service.follow_view(view, held)
    assert list(wrong.value.fields) == ["view.whist.trump"]


def test_an_answer_that_cannot_be_is_refused_by_its_number(service: Client) -> None:
    view, move, *_ = next(step for step in journey(service, "kuhn", 9, seed=1) if service.follow_view(*step[:2]).questions)
    place = service.follow_view(view, move).questions[0].place
    with pytest.raises(BadView) as refused:
        service.follow_view(view, move, answers={place: "the ace of spades"})
    assert list(refused.value.fields) == ["answers[0].value"]
    with pytest.raises(BadView) as unasked:
        service.follow_view(view, move, answers={"shoe": 1})
    assert list(unasked.value.fields) == ["answers[0].value"]
    value = Value(number_value=1)
    for answers, field in (
        ([FollowAnswer(place=place, value=value)] * 2, "answers[1].place"),
        ([FollowAnswer(place=place)], "answers[0].value"),
        ([FollowAnswer(place=str(number), value=value) for number in range(65)], "answers"),
    ):
        with pytest.raises(grpc.RpcError) as error:
            service.games.FollowView(FollowViewRequest(view=view, move=move, answers=answers), timeout=10)
        assert field in str(error.value)


# ---- Time ----


def slow_question(service: Client) -> FollowViewRequest:
    state = service.new_state("agency", 5, seed=1)
    view = service.get_view(state, 0).view
    return FollowViewRequest(view=view, move=service.legal_moves(state)[0].moves[0].text)


def test_the_deadline_of_the_call_is_kept(service: Client) -> None:
    request = slow_question(service)
    with pytest.raises(NoTime):
        service.follow_view(request.view, request.move, timeout=0.012)


def test_a_call_that_is_cancelled_gives_its_place_back(service: Client) -> None:
    request = slow_question(service)
    for _ in range(20):
        call: Any = service.games.FollowView.future(request, timeout=10)
        call.cancel()
    began = time.monotonic()
    assert isinstance(service.games.FollowView(request, timeout=10), FollowViewResponse)
    assert time.monotonic() - began < 9
