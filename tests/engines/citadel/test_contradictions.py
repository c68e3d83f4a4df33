"""Views typed in: what may be left out, what may be told in any order, and what cannot be is refused with its field."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from machiavel.engines import LANGUAGES, BadView
from tests.engines.citadel.table import GAME, deal, moves, play, seen, situation, with_effects

Seen = dict[str, Any]


def typed(change: Callable[[Seen], Any], **changes: Any) -> dict[str, Any]:
    data = situation(2, **changes).view(0).to_json()
    change(data["view"])
    return data


def without(data: dict[str, Any], field: str) -> dict[str, Any]:
    part = copy.deepcopy(data)
    del part["view"][field]
    return part


def test_what_is_forgotten_or_as_usual_may_be_left_out() -> None:
    state = deal(2)
    play(state, "go:gallery", "end")
    data = state.view(1).to_json()
    needed = {"seat", "active", "places", "professor", "time", "traps", "off", "treasures", "shown"}
    for field in data["view"]:
        if field in needed:
            with pytest.raises(BadView, match=f"{field}: is missing"):
                GAME.view_from_json(without(data, field))
        elif field != "discards":
            again = GAME.view_from_json(without(data, field))
            assert again.legal_moves() == state.legal_moves(1), field
    assert data["view"]["discards"]  # with none of them, fewer cards were drawn than turns have passed
    with pytest.raises(BadView, match="turn: is 2; the cards drawn fit"):
        GAME.view_from_json(without(data, "discards"))
    assert GAME.view_from_json(without(without(data, "discards"), "turn")).legal_moves() == state.legal_moves(1)


def test_lists_of_things_on_the_table_may_be_in_any_order() -> None:
    data = (
        situation(2, places=["vault", None], off=["vault", "gallery", "library"], open=["gallery:red", "main_hall:red"])
        .view(0)
        .to_json()
    )
    turned = copy.deepcopy(data)
    for field in ("off", "open", "shown"):
        turned["view"][field].reverse()
    turned["view"]["traps"] = dict(reversed(list(turned["view"]["traps"].items())))
    assert GAME.view_from_json(turned) == GAME.view_from_json(data)


def test_fields_of_objects_may_be_in_any_order() -> None:
    def turned(value: Any) -> Any:
        return {name: turned(one) for name, one in reversed(value.items())} if isinstance(value, dict) else value

    state = deal(2)
    while not state.is_over:
        assert GAME.view_from_json(turned(state.view(0).to_json())) == state.view(0)
        state.play(state.legal_moves()[-1])


def test_the_turn_left_out_is_the_least_that_fits_the_cards() -> None:
    data = typed(
        lambda view: (
            view.pop("turn"),
            view.pop("ply"),
            view.update(discards=[["on_his_heels", "second_wind"], ["master_key", "cut_wire"]]),
        )
    )
    assert GAME.view_from_json(data).to_json()["view"]["turn"] == 3


ALL_OF_EDWARD = ["master_key", "bunch_of_keys", "door_wedge", "cut_wire", "jammed_lock", "clockwork_hand"]

CONTRADICTIONS: dict[str, tuple[Callable[[Seen], Any], str]] = {
    "an unknown field": (lambda v: v.update(colour="red"), "colour: is unknown"),
    "a seat too many": (lambda v: v.update(seat=2), "seat: is 2; expected a whole number from 0 to 1"),
    "a phase there is not": (lambda v: v.update(phase="night"), "phase: is 'night'; expected one of act"),
    "another's turn": (lambda v: v.update(active=1), "shown: .* two cards of the character whose turn it is"),
    "a character twice": (lambda v: v.update(characters=["nathan", "nathan"]), "characters: .* each once"),
    "characters against the option": (lambda v: v.update(characters=["edward", "nathan"]), "the option says otherwise"),
    "in the professor's room": (
        lambda v: v.update(places=["laboratory", None]),
        r"places\[0\]: is 'laboratory', where the professor is",
    ),
    "in no room": (lambda v: v.update(places=["attic", None]), r"places\[0\]: is 'attic'; expected one of main_hall"),
    "a door's second name": (
        lambda v: v.update(open=["library:blue"]),
        "open: holds 'library:blue'; expected some of main_hall:red",
    ),
    "a door twice": (lambda v: v.update(open=["main_hall:red", "main_hall:red"]), "open: holds main_hall:red twice"),
    "five saws": (lambda v: v["traps"].update(study="saw"), "traps: are not those of the house: 4 padlock, 3 saw"),
    "a room without trap": (
        lambda v: v["traps"].pop("study"),
        "traps: expected an object with one of padlock, .* for each of main_hall",
    ),
    "a minute between": (lambda v: v.update(time=7), "time: is 7; expected a multiple of 5 from 0 to 55"),
    "a marker on the time marker": (
        lambda v: v["treasures"]["red"].update(clock=0),
        "treasures.red.clock: is where the time marker is",
    ),
    "two in one room": (lambda v: v["treasures"]["red"].update(room="study"), "treasures: two are in one room"),
    "a treasure twice": (
        lambda v: v["treasures"]["red"].update(id="mona_lisa"),
        "treasures.green.id: is 'mona_lisa', which is elsewhere",
    ),
    "a treasure gone": (lambda v: v.update(saved=["mona_lisa"]), "treasures.green.id: is 'mona_lisa', which is elsewhere"),
    "saved and lost": (lambda v: v.update(saved=["excalibur"], lost=["excalibur"]), "lost: holds a treasure that is saved"),
    "a treasure not played with": (lambda v: v["treasures"]["red"].update(id="crown_jewels"), "crown_jewels is not played with"),
    "no treasure": (lambda v: v["treasures"].update(red=None), "treasures: expected one of each colour"),
    "a match that should be over": (
        lambda v: v.update(lost=["excalibur", "magna_carta", "sabre", "tide_glass"]),
        "phase: .* it is 'over'",
    ),
    "too many lost": (
        lambda v: v.update(lost=["excalibur", "magna_carta", "sabre", "tide_glass", "hope_diamond"]),
        "ends with 4 of either",
    ),
    "a location not drawn": (lambda v: v.update(locations=["vault"]), "locations: expected those of the treasures"),
    "a location too many": (lambda v: v.update(locations=["vault", "study", "cellar", "gallery"]), "locations: .* 3 in all"),
    "a card twice": (lambda v: v.update(shown=["sprint", "sprint"]), "shown: "),
    "a card of another": (lambda v: v.update(shown=["sprint", "joker"]), "shown: "),
    "a card played that was not shown": (lambda v: v.update(played="follow_me"), "played: .* one of the two shown"),
    "an odd pile": (lambda v: v.update(discards=[["follow_me"], []]), r"discards\[0\]: .* two cards are drawn a turn"),
    "a pile of another": (
        lambda v: v.update(discards=[["joker", "coin_toss"], []]),
        r"discards\[0\]: .* expected cards of nathan",
    ),
    "piles that no turns leave": (
        lambda v: v.update(discards=[["follow_me", "second_wind"], []]),
        "discards: are not such as turns",
    ),
    "a turn that does not fit": (lambda v: v.update(turn=2), "turn: is 2; the cards drawn fit the turns 1 "),
    "a turn too many": (lambda v: v.update(turn=101), "turn: is 101"),
    "fewer moves than turns": (lambda v: v.update(turn=7, ply=5, discards=[[], ALL_OF_EDWARD]), "ply: is 5"),
    "too many actions": (lambda v: v.update(actions=9), "actions: is 9; expected a whole number from 0 to"),
    "a power of nobody": (lambda v: v.update(powers=[True]), "powers: "),
    "turned up and face down": (lambda v: v.update(activated=True), "activated: is true, but that power is face down"),
    "under way without a card": (
        lambda v: v.update(under_way={"source": "sprint", "effect": 1}),
        "under_way: .* expected null in 'act'",
    ),
    "nothing under way": (lambda v: v.update(phase="card"), "under_way: is null"),
    "dice without dice": (lambda v: v.update(phase="dice", actions=0, chooses=1, throws=[1, 1, 1]), "dice: are null"),
    "dice without a right": (lambda v: v.update(phase="dice", actions=0), "rerolls: expected a right left"),
    "actions in dice": (lambda v: v.update(phase="dice", chooses=1), "actions: is 3; nothing of the turn is left"),
    "half a die": (lambda v: v.update(dice={"professor": "1"}), "dice: .* professor, colour, clock"),
    "a face there is not": (lambda v: v.update(dice={"professor": "4", "colour": "red", "clock": 5}), "dice.professor: is '4'"),
    "a power to turn up, and none": (
        lambda v: v.update(phase="activate", actions=0, powers=[True, True]),
        "there is nothing to choose",
    ),
    "won": (lambda v: v.update(result="won"), "result: is 'won'; the rest of the view makes it None"),
    "true for one": (lambda v: v.update(ply=True), "ply: is True"),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_contradiction_is_refused(name: str) -> None:
    change, problem = CONTRADICTIONS[name]
    with pytest.raises(BadView, match=problem):
        GAME.view_from_json(typed(change))


SEVERAL: dict[str, tuple[Callable[[Seen], Any], list[str]]] = {
    "what is unknown, missing and no such value": (
        lambda v: (v.update(colour="red", seat=2, phase="night"), v.pop("time"), v["treasures"]["red"].update(room="attic")),
        ["colour", "time", "seat", "phase", "treasures.red.room"],
    ),
    "each place, the traps and the pile": (
        lambda v: (v.update(places=["laboratory"] * 2, discards=[["follow_me"], []]), v["traps"].update(study="saw")),
        ["places[0]", "places[1]", "traps", "discards[0]"],
    ),
    "each treasure": (
        lambda v: (v["treasures"]["red"].update(clock=0), v["treasures"]["green"].update(clock=0, id="crown_jewels")),
        ["treasures.red.clock", "treasures.green.clock", "treasures"],
    ),
    "the score and what it comes to": (
        lambda v: v.update(saved=["excalibur", "magna_carta", "sabre", "tide_glass"], lost=["excalibur"], played="follow_me"),
        ["phase", "lost", "played"],
    ),
    "what is left of a turn that is over": (
        lambda v: v.update(phase="dice", power_used=True),
        ["actions", "power_used", "rerolls", "throws[0]"],
    ),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_all_that_is_wrong_is_told_at_once_in_both_languages(name: str) -> None:
    change, fields = SEVERAL[name]
    with pytest.raises(BadView) as caught:
        GAME.view_from_json(typed(change))
    assert [problem.field for problem in caught.value.problems] == fields
    assert (caught.value.field, caught.value.problem) == (fields[0], caught.value.problems[0].problem)
    english, french = (caught.value.messages(language) for language in LANGUAGES)
    assert len(english) == len(french) == len(fields)
    assert not set(english) & set(french)


def test_what_is_under_way_must_be_so() -> None:
    options = with_effects({"do": "extra"}, {"do": "unlock_here"}, {"do": "hold"})
    state = play(situation(places=["gallery"], options=options), "card:sprint")
    data = state.view(0).to_json()
    assert data["view"]["under_way"] == {"source": "sprint", "effect": 1}
    assert GAME.view_from_json(data) == state.view(0)
    wrong = [
        ({"source": "skylight", "effect": 1}, "which is not the card played"),
        ({"source": "sprint", "effect": 0}, "expected a whole number from 1 to 3"),
        ({"source": "sprint", "effect": 2}, "that effect needs nothing"),
        ({"source": "sprint", "effect": 3}, "the list has 3 effects"),
        ({"source": "sprint"}, "an object with source, effect"),
    ]
    for way, problem in wrong:
        with pytest.raises(BadView, match=problem):
            GAME.view_from_json(data | {"view": data["view"] | {"under_way": way}})
    with pytest.raises(BadView, match="there is nothing to choose"):
        GAME.view_from_json(data | {"view": data["view"] | {"places": [None]}})


def test_a_power_turned_up_under_a_card_needs_a_clock_that_went_on() -> None:
    options = with_effects({"do": "time_on", "minutes": 5}, {"do": "extra"})
    state = play(situation(2, time=10, options=options), "card:sprint")
    data = state.view(1).to_json()
    assert GAME.view_from_json(data) == state.view(1) and seen(state)["phase"] == "activate"
    wrong = data["view"] | {"under_way": {"source": "sprint", "effect": 2}}
    with pytest.raises(BadView, match="does not move the clock on"):
        GAME.view_from_json(data | {"view": wrong})


def test_a_person_at_a_real_table_gets_a_hint_from_what_lies_there() -> None:
    view = seen(situation(1, places=["vault"], off=["gallery", "laboratory", "vault", "library", "ballroom", "study"]))
    told = {
        name: value
        for name, value in view.items()
        if name not in {"ply", "turn", "locations", "throws", "dice", "mover", "result"}
    }
    options = deal(1).view(0).to_json()["options"]
    data = {"game": "citadel", "rules_version": 1, "options": options, "view": told | {"seat": 0}}
    result = GAME.view_from_json(data)
    weights = result.determinize(0).weights()
    assert max(weights, key=weights.__getitem__) == "take" and moves(result.determinize(0), "take") == [""]
