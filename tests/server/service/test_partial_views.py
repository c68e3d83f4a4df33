"""A view that a person typed in may leave out as much in a message as in JSON."""

import pytest

from machiavel.clients import BadView, Client
from machiavel.server.service import wire
from machiavel.v1 import AgencyOptions, AgencyPhase, AgencyView, Cards, Options, SeatCard, Texts, View
from tests.search.positions import asked, states

SEEN = AgencyView(
    seat=0,
    hand=Cards(cards=["G8", "Y12", "M3"]),
    stake="4",
    trick=4,
    table=[SeatCard(seat=2, card="B7")],
    plan_points=[4, 3, 6],
    greens=[1, 0, 2],
    yellows=[0, 3, 0],
)
OPTIONS = Options(players=3, agency=AgencyOptions(agents=Texts(texts=["martha", "wxt", "jean"])))


def view(**changes: object) -> View:
    seen = AgencyView()
    seen.CopyFrom(SEEN)
    for name, value in changes.items():
        seen.ClearField(name)  # type: ignore[arg-type]
        if isinstance(value, list):
            getattr(seen, name).extend(value)
        elif value is not None:
            setattr(seen, name, value)
    return View(game="agency", rules_version=1, options=OPTIONS, agency=seen)


def test_what_a_person_sees_is_enough_for_advice(service: Client) -> None:
    answer = service.recommend_move(view(), bot="ismcts:seed=1", iterations=200, explain=True)
    assert answer.move.text in SEEN.hand.cards
    assert answer.explanation.sentences


def test_it_is_the_view_that_json_makes_of_the_same(service: Client) -> None:
    read = wire.read_view(view())
    assert wire.read_view(wire.view_message(read)) == read
    assert read.to_json()["view"]["order"] == [2, 0, 1]
    told = wire.read_view(view(gone=["4", "3", "6"])).to_json()["view"]["segments"][0]["unseen"]
    assert [told.count(plan) for plan in ("4", "3", "6")] == [1, 2, 1]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"trick": None}, "trick"),
        ({"stake": None}, "stake"),
        ({"greens": None}, "greens"),
        ({"leader": 1}, "table[0]"),
        ({"phase": AgencyPhase.AGENCY_PHASE_LOOK}, "phase"),
        ({"gone": ["9"]}, "gone"),
    ],
)
def test_what_is_needed_or_clashes_is_named(service: Client, changes: dict[str, object], field: str) -> None:
    with pytest.raises(BadView) as caught:
        service.recommend_move(view(**changes), iterations=10)
    assert list(caught.value.fields) == [f"view.agency.{field}"]


def test_whole_views_are_what_they_were() -> None:
    for number, state in zip(range(200), states("agency", seed=8, least=1), strict=False):
        for seat in (state.seat_to_move, None):
            seen = state.view(seat)
            assert wire.read_view(wire.view_message(seen)) == seen, number


def test_views_of_finished_matches_are_what_they_were() -> None:
    for seed in range(20):
        state = asked(next(states("agency", seed=seed, least=1))).game.new(2 + seed % 4, seed=seed, medals=1)
        while not state.is_over:
            state.play(state.legal_moves()[seed % len(state.legal_moves())])
        assert wire.read_view(wire.view_message(state.view(0))) == state.view(0)
