"""A server with games whose rules go wrong: who asks is told, and everybody else is served as before."""

import time
from collections.abc import Iterator

import pytest

from machiavel import v1
from machiavel.clients import Client, GameFault, connect
from tests.engines.kit.planted import FAULTS
from tests.server.cli.serving import serving

SERVED = ("division", "endless_loop", "own_exception", "answer_out_of_range")


@pytest.fixture(scope="module")
def service() -> Iterator[Client]:
    games = [word for name in SERVED for word in ("--game", str(FAULTS[name].path))]
    with serving(*games, "--think", "0.05") as (address, process), connect(address) as result:
        yield result
        assert process.poll() is None


@pytest.mark.parametrize("name", SERVED)
def test_a_recommendation_says_what_went_wrong_and_where(service: Client, name: str) -> None:
    state = service.new_state(name, 2, seed=1)

    with pytest.raises(GameFault) as caught:
        service.recommend_move(state, bot="ismcts", iterations=2000)

    fault = FAULTS[name]
    assert fault.says in caught.value.what
    assert fault.where in caught.value.what
    assert str(caught.value).startswith(f"the game {name} went wrong: ")
    other = service.new_state("whist", 2, seed=1)
    assert service.recommend_move(other, bot="ismcts", iterations=100).recommendation.iterations == 100


@pytest.mark.parametrize("name", SERVED)
def test_a_hosted_match_tells_whoever_plays_such_a_move_that_its_host_can_find_what_is_wrong(service: Client, name: str) -> None:
    match = service.create_match(name, ["person", "person"])
    places = [match.at(seat) for seat in match.tokens]

    def play_out() -> None:
        for _ in range(8):
            place = next(place for place in places if place.seat in place.get().position.seats_to_move)
            place.play(place.get().position.moves[0].text)

    with pytest.raises(GameFault) as caught:
        play_out()

    assert caught.value.what == "its rules have a mistake, which the host can find with machiavel check-game"
    other = service.create_match("whist", ["person", "person"])
    assert other.at(0).get().position.view.game == "whist"


def test_a_bot_that_cannot_search_plays_by_the_rule_of_thumb(service: Client) -> None:
    match = service.create_match("division", ["person", "ismcts:iterations=2000"])
    (place,) = (match.at(seat) for seat in match.tokens)

    for position in place.turns(patience=20):
        if position.ply >= 2:
            break
        place.play(position.moves[0].text)

    assert position.ply == 2


@pytest.mark.parametrize("name", ["division", "endless_loop"])
def test_a_match_of_bots_that_goes_wrong_is_over_and_all_seats_have_the_same(service: Client, name: str) -> None:
    match = service.create_match(name, ["random", "random"])
    began = time.monotonic()
    while (last := match.get().match).phase != v1.MatchPhase.MATCH_PHASE_OVER:
        assert time.monotonic() - began < 20
        time.sleep(0.05)

    assert list(last.utilities) == [0.5, 0.5]
