"""Citadel's table: what it tells is what happened, and it shows all its seat may know."""

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console, RenderableType

from machiavel.engines import State, load
from machiavel.engines.citadel.labels import label
from machiavel.search import make_bot
from machiavel.server.cli.parts import make_table
from machiavel.server.games.citadel.entries import read_entry
from machiavel.server.games.citadel.table import CitadelTable
from tests.conformance.cases import CURIOUS

GAME = load("citadel")
FormStep = tuple[State, dict[str, Any], int, str, dict[str, Any]]


def steps(players: int, seed: int, **options: Any) -> Iterator[FormStep]:
    """A match of greedy and random players: the state after each move, the move, and the views before and after it."""
    state = GAME.new(players, seed=seed, **options)
    bots = [make_bot("greedy"), make_bot(f"random:seed={seed}")]
    after = state.view(0).to_json()["view"]
    while (seat := state.seat_to_move) is not None:
        move = bots[len(state.moves) % 5 == 0].choose(state.view(seat))
        state.play(move)
        before, after = after, state.view(0).to_json()["view"]
        yield state, before, seat, state.moves[-1], after


def table_of(state: State, seat: int, language: str) -> CitadelTable:
    bots = ["" if other == seat else "random" for other in range(state.players)]
    table = make_table(GAME, state.rules, language, seat, bots)
    assert isinstance(table, CitadelTable)
    return table


def shown(*things: RenderableType, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None, markup=False, highlight=False)
    for thing in things:
        console.print(thing)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert isinstance(text, str)
    return text


def test_the_game_has_a_table_of_its_own() -> None:
    assert isinstance(make_table(GAME, GAME.make_rules(1), "en", 0, [""]), CitadelTable)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("width", [40, 80, 120])
def test_every_room_pawn_treasure_and_trap_is_drawn(language: str, width: int) -> None:
    for number, (state, _, _, _, after) in enumerate(steps(3, 1)):
        if number % 9 or after["phase"] == "over":
            continue
        table = table_of(state, 0, language)
        text = shown(table.draw(after), width=width)
        house = state.rules.tables.house
        for name in house.room_names[language]:
            assert name.split()[0] in text
        for kind, room in zip(house.type_names[language], house.types, strict=True):
            on = sum(trap == room and where not in after["off"] for where, trap in after["traps"].items())
            assert text.count(f"[{kind}]") == on
        assert text.count("◆") >= 6 and ("▼" in text or width < 70)
        assert all(len(line) <= width for line in text.splitlines())


def test_doors_and_markers_stand_where_they_are() -> None:
    state = GAME.new(1, seed=1, characters=["edward"])
    state.play("go:gallery")
    before = shown(table_of(state, 0, "en").draw(state.view(0).to_json()["view"]))
    state.play("unlock:green")
    after = shown(table_of(state, 0, "en").draw(state.view(0).to_json()["view"]))
    assert "b▒▒g" in before and "b──g" not in before and "b──g" in after
    assert before.count("▒") == after.count("▒") + 2


def test_the_clock_shows_the_time_and_the_markers() -> None:
    for state, _, _, _, after in steps(2, 4):
        lines = shown(table_of(state, 0, "en").draw(after)).splitlines()
        hours = next(number for number, line in enumerate(lines) if "XII" in line and "III★" in line)
        column = lines[hours - 1].index("▼")
        assert (column - 2) // 5 == after["time"] // 5
        clocks = [treasure["clock"] // 5 for treasure in after["treasures"].values() if treasure]
        assert lines[hours + 1].count("◆") == len(clocks)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_it_tells_the_move_the_dice_and_what_came_of_them(language: str) -> None:
    words = {"en": ("roll", "Too late", "save"), "fr": ("les dés", "Trop tard", "sauve")}[language]
    told = ""
    for seed in range(4):
        for state, before, seat, move, after in steps(3, seed):
            text = shown(*table_of(state, 0, language).tell(before, seat, move, after), width=300)
            told += text
            if before["professor"] != after["professor"]:
                assert re.search(r"Professor Evil|professeur Evil", text)
            if move == "end":
                assert words[0] in text
            assert text.count(words[1]) == len(after["lost"]) - len(before["lost"])
            assert text.count(words[2]) == len(after["saved"]) - len(before["saved"])
    assert all(word in told for word in words)
    assert "{" not in told


@pytest.mark.parametrize("seeds", [4, pytest.param(8, marks=pytest.mark.slow)])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_phase_is_asked_in_words_and_every_choice_listed(language: str, seeds: int) -> None:
    phases = set()
    for seed in range(seeds):
        for state, _, _, _, after in steps(2, seed, deck=CURIOUS):
            if state.is_over:
                continue
            table = table_of(state, state.seat_to_move or 0, language)
            phases.add(after["phase"])
            assert "{" not in table.question(after) and table.question(after)
            text = shown(table.choices(after, state.legal_moves()), width=160)
            for number, move in enumerate(state.legal_moves(), start=1):
                assert f"{number} {label(state.rules.tables.house, move, language, after)}" in text
    assert phases == {"act", "card", "dice", "activate"}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_end_is_told(language: str) -> None:
    *_, (state, _, _, _, after) = steps(2, 3)
    text = shown(table_of(state, 0, language).result(after, [0, 1] if after["result"] == "won" else []))
    won = {"en": "the team wins", "fr": "l’équipe a gagné"}[language]
    assert (won in text) == (after["result"] == "won")
    view = after | {"result": "lost", "lost": after["lost"][:2], "saved": []}
    assert {"en": "A hundred turns", "fr": "Cent tours"}[language] in shown(table_of(state, 0, language).result(view, []))


@pytest.mark.parametrize(
    ("entry", "move"),
    [
        ("library", "go:library"),
        ("bibliothèque", "go:library"),
        ("go main hall", "go:main_hall"),
        ("aller salle de bal", "go:ballroom"),
        ("unlock red", "unlock:red"),
        ("ouvrir verte", "unlock:green"),
        ("prendre", "take"),
        ("fin", "end"),
        ("card second wind", "card:second_wind"),
        ("carte Second souffle", "card:second_wind"),
        ("card master key study red", "card:master_key:study:red"),
        ("card:master_key:study:red", "card:master_key:study:red"),
        ("activate Irene", "activate:irene"),
        ("activer Leroy Johnson", "activate:leroy"),
        ("reroll professor+clock", "reroll:professor+clock"),
        ("bonus", "bonus"),
        ("go to the library", "go:library"),
        ("va dans l’armurerie", "go:armoury"),
        ("BIBLIOTHEQUE", "go:library"),
        ("unlock the red door", "unlock:red"),
        ("relance le dé du professeur et le dé de l’horloge", "reroll:professor+clock"),
        ("Passe-partout", "card:master_key"),
        ("Destiny", "activate:destiny"),
        ("what?", "what?"),
    ],
)
def test_what_a_person_types_is_understood(entry: str, move: str) -> None:
    assert read_entry(GAME.make_rules(1).tables.house, entry) == move


def test_a_choice_is_typed_as_it_is_listed_or_by_what_a_card_is_used_on() -> None:
    state = GAME.new(1, seed=1, characters=["edward"])
    table, view = table_of(state, 0, "fr"), state.view(0).to_json()["view"]
    table.choices(view, state.legal_moves())
    assert table.read(view, "Entrer dans la galerie par la fenêtre") == "go:gallery"
    state.play("card:master_key:study:red")
    view = state.view(0).to_json()["view"]
    table.choices(view, state.legal_moves())
    assert table.read(view, "déverrouiller la porte entre le bureau et la chambre forte") == "card:master_key:study:blue"
    assert table.read(view, "bureau verte") == "card:master_key:study:green"
    assert table.read(view, "en rester là") == table.read(view, "stop") == "card:master_key:enough"


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("players", range(1, 6))
def test_the_map_fits_into_80_columns_in_both_languages(language: str, players: int) -> None:
    state = GAME.new(players, seed=1)
    text = shown(table_of(state, 0, language).draw(state.view(0).to_json()["view"]))
    assert text.count("▒▒") == 10  # eight doors beside each other, and two that are not on the map
    assert "…" not in text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_refusals_have_reasons_in_both_languages(language: str) -> None:
    state = GAME.new(1, seed=1, characters=["edward"])
    table, view = table_of(state, 0, language), state.view(0).to_json()["view"]
    reasons = {table.why_not(view, f"go:{room}") for room in ("laboratory", "vault")}
    inside = view | {"places": ["gallery"]}
    reasons |= {table.why_not(inside, "go:conservatory"), table.why_not(inside, "go:vault")}
    reasons |= {table.why_not(view | {"phase": phase}, "end") for phase in ("card", "dice", "activate")}
    reasons |= {table.why_not(view | {"actions": 0}, "take"), table.why_not(view | {"played": "master_key"}, "card:joker")}
    assert len(reasons) == 9 and "" not in reasons
    assert len(table.help()) >= 7


def test_a_house_without_room_for_a_map_is_a_list() -> None:
    house = {**CURIOUS, "rooms": [{**room, "place": [0, number]} for number, room in enumerate(CURIOUS["rooms"])]}
    state = GAME.new(1, seed=1, deck=house)
    text = shown(table_of(state, 0, "en").draw(state.view(0).to_json()["view"]))
    assert text.count("▒") >= 36 and "Also next to" not in text
