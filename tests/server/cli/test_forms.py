"""Views typed in step by step: every question can be corrected, and only what is needed is asked."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import load
from machiavel.engines.citadel.house import COLOURS
from machiavel.server.forms import make_form
from machiavel.server.forms.steps import Form, unaccented
from tests.engines.games import INSTALLED, players_of
from tests.server.cli.command import Ran, Runner

Json = dict[str, Any]
AGENCY = ["3", "", "martha wxt jean", "", "4", "G8 Y12 M3", "4", "B7", "", "", "4 3 6", "1 0 2", "0 3 0", "", ""]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    return Runner(monkeypatch, capsys)


def typed(run: Runner, game: str, entries: list[str], tmp_path: Path, *flags: str) -> tuple[Ran, Json]:
    """What a person typed, agreed to; the view it made."""
    file = tmp_path / "view.json"
    ran = run("hint", game, "--iterations", "60", "--lang", "en", "--save", str(file), *flags, entries=[*entries, ""])
    return ran, json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def test_a_view_of_agency_is_typed_in_and_gets_a_hint(run: Runner, tmp_path: Path) -> None:
    ran, view = typed(run, "agency", AGENCY, tmp_path, "--what-about", "Y12")
    assert ran.code == 0, ran.err
    assert "win chance" in ran.out and "points of the round" in ran.out
    seen = view["view"]
    assert (seen["seat"], seen["order"], seen["table"]) == (0, [2, 0, 1], [[2, "B7"]])
    assert sum(seen["plan_points"]) == 13
    again = run("hint", "agency", str(tmp_path / "view.json"), "--iterations", "60", "--lang", "en", "--what-about", "Y12")
    assert again.out == ran.out[ran.out.index("move ") :]


def test_questions_without_an_answer_say_so_and_yes_is_oui_in_french(run: Runner) -> None:
    ran = run("hint", "agency", "--lang", "fr", entries=["", "3", "", "=", "q"])
    assert ran.code == 0
    assert "Il faut une réponse ici\N{NO-BREAK SPACE}; ? en dit plus." in ran.out
    assert "cartes Pouvoir\N{NO-BREAK SPACE}? [oui]" in ran.out
    assert "cartes Pouvoir\N{NO-BREAK SPACE}? oui" in ran.out


def test_words_of_either_language_answer_what_bond_asks(run: Runner, tmp_path: Path) -> None:
    views = []
    for phase, top in (("spy", "other"), ("attaque", "autre"), ("2", "2")):
        entries = ["3", phase, "s5 s3 l2 l2 dC dA dB", "", "4 - 3", "3+3 2+4", "", top]
        views.append(typed(run, "bond", entries, tmp_path)[1])
        (tmp_path / "view.json").unlink()
    assert views[0] == views[1] == views[2] != {}
    assert "attaque" in run("hint", "bond", "--lang", "fr", entries=["3", "spies"]).out


def test_only_what_is_needed_is_asked(run: Runner, tmp_path: Path) -> None:
    ran, view = typed(run, "agency", ["2", "n", "", "1", "M1 B2 G3 Y4 Y5 Y6", "6", ""], tmp_path)
    assert ran.code == 0, ran.err
    assert view["view"]["leader"] == 0
    for word in ("agents", "Who is who", "Green", "WXT", "martha"):
        assert word not in ran.out


def test_every_step_can_be_taken_back_asked_about_and_corrected(run: Runner, tmp_path: Path) -> None:
    entries = [
        *AGENCY[:5],
        "G8 G8",
        "?",
        "Z9",
        "G8 Y12",
        "G8 Y12 M4",
        "<",
        "=",
        "G8 Y12 M3",
        "4",
        "Y12",
        *AGENCY[7:],
        "4",
        "0 1 0",
        "",
    ]
    ran, view = typed(run, "agency", [*AGENCY[:5], *entries[5:]], tmp_path)
    assert ran.code == 0, ran.err
    assert "G8 is given twice" in ran.out
    assert "Cards as G8 M3 Y12" in ran.out
    assert "Z9: expected cards" in ran.out
    assert "2 are given; expected 3" in ran.out
    assert "Y12 is in your hand already" in ran.out
    assert view["view"]["hand"] == ["M3", "G8", "Y12"]
    assert view["view"]["medals"] == [0, 1, 0]


def test_what_clashes_is_told_and_asked_again(run: Runner, tmp_path: Path) -> None:
    entries = [*AGENCY[:-1], "3 4", "4 3 6"]
    ran, view = typed(run, "agency", entries, tmp_path)
    assert ran.code == 0, ran.err
    assert "gone: names 2 plans, but trick is 4" in ran.out
    assert view["view"]["pile"][0] == "4"


def test_leaving_and_the_end_of_the_input_are_no_error(run: Runner, tmp_path: Path) -> None:
    for entries in (["q"], ["3", "q"], ["3"], AGENCY):
        ran = run("hint", "agency", "--lang", "en", entries=entries)
        assert ran.code == 0
        assert "win chance" not in ran.out


def test_it_is_asked_in_french_too(run: Runner) -> None:
    french = [*AGENCY[:5], "V8 J12 M3", *AGENCY[6:], ""]
    ran = run("hint", "agency", "--iterations", "60", "--lang", "fr", entries=french)
    assert ran.code == 0, ran.err
    assert "Combien de joueurs" in ran.out and "chances de gagner" in ran.out


def test_bond_is_typed_in(run: Runner, tmp_path: Path) -> None:
    hands = ["3", "spy", "l3 s5 s2 dC dA l1 l2", "0 3 0", "2 3+4 -", "2+4 2+4", "s3", "other"]
    ran, view = typed(run, "bond", hands, tmp_path)
    assert ran.code == 0, ran.err
    seen = view["view"]
    assert seen["phase"] == "spy" and seen["mover"] == 0
    assert seen["hand"] == {"lairs": [1, 2, 3], "spies": [2, 5], "doublers": ["A", "C"]}
    assert seen["pile"]["top"] == "other"


def test_a_captured_spy_of_bond_is_typed_in(run: Runner, tmp_path: Path) -> None:
    entries = ["2", "captured", "s2 dC dA", "", "2+4 -", "2+4", "", "spy", "1", "5", "0", "B"]
    ran, view = typed(run, "bond", entries, tmp_path)
    assert ran.code == 0, ran.err
    assert view["view"]["attack"]["taunts"] == ["B"]
    assert view["view"]["attack"] | {"source": "steal", "victim": 0, "attacker": 1} == view["view"]["attack"]


@pytest.mark.parametrize(("origin", "source"), [("main", "hand"), ("pioche", "deck"), ("Hand", "hand")])
def test_where_a_spy_of_bond_comes_from_is_said_in_either_language(run: Runner, tmp_path: Path, origin: str, source: str) -> None:
    entries = ["2", "captured", "s2 dC dA", "", "2+4 -", "2+5", "", "spy", "1", "5", origin, ""]
    ran, view = typed(run, "bond", entries, tmp_path)
    assert ran.code == 0, ran.err
    assert view["view"]["attack"]["source"] == source


def test_whist_is_typed_in(run: Runner, tmp_path: Path) -> None:
    ran, view = typed(run, "whist", ["3", "", "H", "HA H2 C3 C4 D5 D6 SK", "C9"], tmp_path)
    assert ran.code == 0, ran.err
    assert (view["view"]["seat"], view["view"]["leader"], view["view"]["table"]) == (1, 0, [[0, "C9"]])
    ran, view = typed(run, "whist", ["4", "6", "S", "HA H2 C3", "0 1 3", "D9", "1 0 0 2", ""], tmp_path)
    assert ran.code == 0, ran.err
    assert (view["view"]["leader"], view["view"]["contenders"]) == (3, [0, 1, 3])


def test_citadel_is_typed_in(run: Runner, tmp_path: Path) -> None:
    state = load("citadel").new(2, seed=3)
    state.play(state.legal_moves()[0])
    seen = state.view(0).to_json()["view"]
    order = [*seen["characters"][seen["active"] :], *seen["characters"][: seen["active"]]]
    tiles = [" ".join(map(str, (seen["treasures"][colour][name] for name in ("id", "room", "clock")))) for colour in COLOURS]
    entries = ["2", "", " ".join(order), "", seen["professor"], str(seen["time"]), *tiles]
    entries += [" ".join(seen["traps"].values()), " ".join(seen["off"]), "", "", "", "", " ".join(seen["shown"]), "", "", ""]
    ran, view = typed(run, "citadel", entries, tmp_path)
    assert ran.code == 0, ran.err
    assert "the team's chance" in ran.out
    assert view["view"]["treasures"] == seen["treasures"]


@pytest.mark.parametrize("spelled", [str, unaccented], ids=["accents", "no accents"])
def test_citadel_is_typed_in_by_the_french_names_of_things(run: Runner, tmp_path: Path, spelled: Callable[[str], str]) -> None:
    state = load("citadel").new(1, seed=3, characters=["leroy"])
    seen, house = state.view(0).to_json()["view"], state.rules.tables.house
    french: dict[str, str] = {}
    for ids, names in ((house.rooms, house.room_names), (house.types, house.type_names), (house.treasures, house.treasure_names)):
        french |= {one: spelled(name.replace(" ", "_")) for one, name in zip(ids, names["fr"], strict=True)}
    tiles = [[seen["treasures"][colour][name] for name in ("id", "room", "clock")] for colour in COLOURS]
    entries = ["1", "", "leroy", "dehors", french[seen["professor"]], "0"]
    entries += [f"{french[tile]} {french[room]} {clock}" for tile, room, clock in tiles]
    entries += [" ".join(french[trap] for trap in seen["traps"].values()), " ".join(french[room] for room in seen["off"])]
    entries += ["porte", "bureau:rouge galerie:vert", "", "", "", "x", " ".join(seen["shown"]), "", "", ""]
    ran, view = typed(run, "citadel", entries, tmp_path, "--lang", "fr")
    assert ran.code == 0, ran.err
    told = ran.out.replace("\N{NO-BREAK SPACE}", " ")
    assert "porte : il faut des portes, comme bureau:rouge" in told and "x : il faut" in told
    assert view["view"]["open"] == ["main_hall:blue", "observatory:blue"]
    assert (view["view"]["treasures"], view["view"]["traps"]) == (seen["treasures"], seen["traps"])


@pytest.mark.parametrize("trump", ["C", "c", "trèfle", "Trefle", "clubs"])
def test_trump_is_a_letter_or_a_word(run: Runner, tmp_path: Path, trump: str) -> None:
    ran, view = typed(run, "whist", ["2", "", trump, "HT D5 C9 S2 SQ D9 CA", "", ""], tmp_path)
    assert ran.code == 0, ran.err
    assert view["view"]["trump"] == "C"


@pytest.fixture
def plain_whist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(load("whist").plugin), "form", None)


# What lies at a table of hearts when seat 1 is third to play to a trick of clubs.
HEARTS_IN_A_TRICK = [
    *("no", "1", "C3 CJ D4 D6 H5 H6 H8 HK", "7 8 8 7", "", "", "S2 - - CT"),
    *("C2 C4 C6 C7 C8 C9 CA D3 D8 DT DJ DQ HT S6 S8 S9 ST SQ SK SA", "clubs", "0 0 0 14", "", "no", ""),
]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_hearts_is_typed_in(run: Runner, tmp_path: Path, language: str) -> None:
    ran, view = typed(run, "hearts", HEARTS_IN_A_TRICK, tmp_path, "--lang", language)

    assert ran.code == 0, ran.err
    assert {"en": "jack of clubs", "fr": "valet de trèfle"}[language] in ran.out
    assert view["view"]["ply"] == 0  # nobody counts the moves at a table
    assert (view["view"]["to_move"], view["view"]["led"], view["view"]["points"]) == ([1], "clubs", [0, 0, 0, 14])


def test_which_cards_to_pass_at_hearts_is_asked_with_the_hand_alone(run: Runner, tmp_path: Path) -> None:
    hand = "C2 C3 CJ D4 D6 H5 H6 H8 HK S2 S3 SK SA"
    ran, view = typed(run, "hearts", ["", "", hand, *[""] * 11], tmp_path)

    assert ran.code == 0, ran.err
    assert "Pass the ace of spades" in ran.out
    assert (view["view"]["hands"][0], view["view"]["to_move"], view["view"]["choosing"]) == (hand.split(), [0, 1, 2, 3], True)


def test_liars_dice_is_typed_in(run: Runner, tmp_path: Path) -> None:
    ran, view = typed(run, "liars_dice", ["3", "", "4 4 1", "", "", "8", "4", "2", "", ""], tmp_path)

    assert ran.code == 0, ran.err
    assert "Call liar" in ran.out or "call liar" in ran.out
    assert (view["view"]["cups"][0], view["view"]["bidder"], view["view"]["to_move"]) == ([4, 4, 1], 2, [0])


@pytest.mark.usefixtures("plain_whist")
def test_a_game_without_a_form_of_its_own_is_asked_field_by_field(run: Runner, tmp_path: Path) -> None:
    fresh = load("whist").new(2, seed=0).view(0).to_json()["view"]
    hand = " ".join(fresh["hand"]).lower()  # all else is as at the beginning of a match
    ran, view = typed(run, "whist", ["2", *[""] * 8, hand, "", ""], tmp_path)
    assert ran.code == 0, ran.err
    assert view["view"] == fresh
    assert "Which seat is yours" in ran.out and "Your hand: " in ran.out
    assert "voids" not in ran.out  # nobody says at a table what follows, or need not be known


@pytest.mark.usefixtures("plain_whist")
def test_of_any_game_an_answer_that_cannot_be_is_told_at_once_in_the_language_that_is_read(run: Runner, tmp_path: Path) -> None:
    hand = " ".join(load("whist").new(2, seed=0).view(0).to_json()["view"]["hand"])
    ran, _ = typed(run, "whist", ["2", "2", "", "", "", "X", *[""] * 4, "-", "", "Z9", hand, "", ""], tmp_path, "--lang", "fr")
    assert ran.code == 0, ran.err
    assert "Atout\N{NO-BREAK SPACE}: vaut 'X'" in ran.out and "main\N{NO-BREAK SPACE}: contient 'Z9'" in ran.out


@pytest.mark.parametrize("game", INSTALLED)
def test_all_questions_are_there_in_both_languages(game: str) -> None:
    form: Form = make_form(load(game))
    keys = [step.key for step in form.steps]
    assert len(set(keys)) == len(keys)
    for step in form.steps:
        for texts in (step.question, step.help):
            assert texts["en"] and texts["fr"]
        assert step.question["en"] != step.question["fr"]
    assert not [place for place in form.places.values() if place not in keys]


@pytest.mark.parametrize("game", INSTALLED)
def test_whatever_is_typed_the_command_ends_well(run: Runner, game: str) -> None:
    rng = random.Random(game)
    words = [
        "3",
        "",
        "?",
        "<",
        "=",
        "4",
        "0 0 0",
        "G8 Y12 M3",
        "zz",
        "lair",
        "l3 s5",
        "martha wxt jean",
        "-",
        "H",
        "HA",
        "2+4 2+4",
        "y",
        "n",
        "é",
        "9" * 40,
    ]
    for _ in range(15):
        ran = run("hint", game, "--iterations", "20", entries=[rng.choice(words) for _ in range(60)])
        assert ran.code == 0, (ran.out, ran.err)
        assert "Traceback" not in ran.err


def test_an_answer_is_given_again_by_its_number_and_what_clashes_is_shown(run: Runner, tmp_path: Path) -> None:
    entries = [
        *AGENCY[:7],
        "B7 B8 B9",
        "B7",
        "=99",
        "=2",
        "n",
        "=4",
        "5",
        "G8 Y12",
        "",
        "",
        "=1",
        "3",
        "4 3 60",
        "1 0 2",
        "0 3 0",
    ]
    ran = run("hint", "agency", "--iterations", "60", "--lang", "fr", entries=[*entries, "", "", "q"])
    assert "tu en donnes 3 ; il en faut de 0 à 2" in " ".join(ran.out.split())
    assert "Cette réponse n’existe pas" in ran.out
    assert "[oui]" in ran.out
    told = " ".join(ran.out.split())
    assert "vue : plan_points : " in told and " 67" in told
    assert "En cause :" in told and "Les points en plans de chaque joueur, dans cette manche ? 4 3 60" in told
    assert ran.code == 0


@pytest.mark.parametrize("game", INSTALLED)
def test_what_is_read_as_yes_or_no_is_shown_as_such(game: str) -> None:
    assert all(
        step.is_yes_or_no for step in make_form(load(game)).steps if step.usual({"players": players_of(game)}) in {"y", "n"}
    )
