"""How plausible the others' moves are in a world of agency: as a player would say it."""

from statistics import fmean
from typing import Any

from machiavel.engines import State
from machiavel.engines.conformance.engine_struct import likelihood_of
from tests.engines.agency.table import GAME, lay, play, play_to, seen

AGENTS = ["belton", "wxt", "moignons"]


def worlds(state: State, seat: int, count: int = 300) -> list[tuple[dict[str, Any], float]]:
    """Worlds of what the seat sees, told whole, and how plausible each is."""
    result = [state.view(seat).determinize(number) for number in range(count)]
    return [(world.truth(), likelihood_of(world, seat)) for world in result]


def mauves(hand: list[str]) -> int:
    return sum(card[0] == "M" for card in hand)


def average(result: list[float]) -> float:
    assert len(result) > 20
    return fmean(result)


def test_who_let_a_dear_plan_go_probably_has_no_mauve() -> None:
    state = play(lay(3, ["B1 B2", "B3 B4", "G1 B5"], pile="6 6", agents=AGENTS), "B2 B4 G1")
    drawn = worlds(state, 0, 1000)
    could = average([plausible for world, plausible in drawn if mauves(world["hands"][2])])
    could_not = average([plausible for world, plausible in drawn if not {card[0] for card in world["hands"][2]} & {"M", "B"}])

    assert could < 0.7 * could_not


def test_who_spent_a_mauve_on_nothing_probably_has_little_else() -> None:
    state = play(lay(3, ["M9 B2", "M1 B4", "G1 B5"], pile="1 1 1+pass_left", agents=AGENTS), "M9 M1")
    drawn = worlds(state, 2)
    others = average([plausible for world, plausible in drawn if mauves(world["hands"][1]) == 0])
    more = average([plausible for world, plausible in drawn if mauves(world["hands"][1]) >= 2])

    assert others < more


def test_a_hidden_gift_is_probably_a_useless_card() -> None:
    state = play(lay(3, ["B1 B2", "B3 B4", "G1 B5"], pile="1+pass_left", agents=AGENTS), "pass:B1 pass:B3 pass:G1")
    drawn = worlds(state, 0)
    mauve = average([plausible for world, plausible in drawn if world["given"][0][1][0] == "M"])
    other = average([plausible for world, plausible in drawn if world["given"][0][1][0] != "M"])

    assert seen(state, 0)["half"][0]["received"] == "G1" and mauve < 0.5 * other


def test_a_card_given_away_is_no_longer_missed() -> None:
    """Seat 1 gave its mauve card to seat 2 before the trick, so that it could not play it."""
    state = lay(3, ["M1 B2", "M10 B4", "B5 B6"], pile="1+pass_left 6", agents=AGENTS)
    play(state, "pass:M1 pass:M10 pass:B5 B2 B4 M10")
    drawn = worlds(state, 2)

    assert seen(state, 2)["half"][0]["received"] == "M10"
    kept = average([plausible for world, plausible in drawn if mauves(world["hands"][1]) > 1])
    none = average([plausible for world, plausible in drawn if mauves(world["hands"][1]) == 1])
    assert kept < none  # the one it was given is in every world


def test_before_others_answer_every_world_is_as_good() -> None:
    state = lay(3, pile="2 2", agents=AGENTS)
    assert {plausible for _, plausible in worlds(state, 0, 20)} == {1}

    state.play(state.legal_moves()[0])
    assert {plausible for _, plausible in worlds(state, 1, 20)} == {1}


def test_r5_4_what_was_played_says_nothing_of_the_reserves() -> None:
    state = play_to(lay(3, pile="2 2", agents=AGENTS), 1, 4)
    assert len({plausible for _, plausible in worlds(state, 0, 50)}) > 10

    play_to(state, 1, 7)
    assert seen(state)["half"] == [] or len(seen(state)["half"]) == 1
    assert {plausible for _, plausible in worlds(state, 0, 20)} == {1}


def test_who_forgot_what_past_tricks_were_for_judges_them_not() -> None:
    state = play(lay(3, ["B1 B2", "B3 B4", "G1 B5"], pile="6 6", agents=AGENTS), "B2 B4 G1")
    data: dict[str, Any] = state.view(0).to_json()
    for name in ("stake", "martha", "jean"):
        del data["view"]["half"][0][name]
    view = GAME.view_from_json(data)

    assert view.to_json()["view"]["half"][0]["stake"] is None
    assert GAME.view_from_json(view.to_json()) == view
    assert {likelihood_of(view.determinize(number), 0) for number in range(20)} == {1}
    assert len({plausible for _, plausible in worlds(state, 0, 20)}) > 5
