"""Bond's table: what it tells is what happened, and it shows all its seat may know."""

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console, RenderableType

from machiavel.engines import LANGUAGES, State, load
from machiavel.search import make_bot
from machiavel.server.cli.tables import TableSetting
from machiavel.server.cli.tables.bond import BondTable
from machiavel.server.cli.tables.bond_entries import read_entry
from machiavel.server.cli.tables.bond_story import card_drawn, spies_turned_up, worth_of
from machiavel.server.cli.tables.bond_words import BOND_TEXTS
from tests.engines.bond.table import lay, seen

FormStep = tuple[State, dict[str, Any], int, str, dict[str, Any]]


def steps(players: int, seed: int, watcher: int = 0) -> Iterator[FormStep]:
    """A match of random players: the state after each move, and the move and the views as one seat saw them."""
    state = load("bond").new(players, seed=seed)
    bot = make_bot(f"random:seed={seed}")
    after = seen(state, watcher)
    while (seat := state.seat_to_move) is not None:
        state.play(bot.choose(state.view(seat)))
        before, after = after, seen(state, watcher)
        yield state, before, seat, state.observed_moves(watcher)[-1], after


def matches(count: int = 5) -> Iterator[FormStep]:
    for players in range(2, 7):
        for seed in range(count):
            yield from steps(players, seed, watcher=seed % players)


def table_of(state: State, seat: int, language: str) -> BondTable:
    game, rules = state.game, state.rules

    def label(move: str) -> str:
        return game.move_labels(rules, move)[language]

    bots = ["" if other == seat else "random" for other in range(state.players)]
    return BondTable(TableSetting(language, seat, bots, dict(rules.options), label))


def shown(*things: RenderableType, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None, markup=False, highlight=False)
    for thing in things:
        console.print(thing)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert isinstance(text, str)
    return text


def told(state: State, watcher: int, moves: str, language: str = "en") -> str:
    """What the seat is told of the last of these moves."""
    *first, last = moves.split()
    for move in first:
        state.play(move)
    table, before, seat = table_of(state, watcher, language), seen(state, watcher), state.seat_to_move
    state.play(last)
    return shown(*table.tell(before, seat, state.observed_moves(watcher)[-1], seen(state, watcher)), width=200)


def test_spies_turned_up_are_those_that_leave_the_unseen() -> None:
    turned = 0
    for _, before, _, move, after in matches():
        spies = spies_turned_up(before, move, after)
        known = sum(before["attack"]["spies"].count(value) for value in (2, 3, 4, 5, 6, 7, 8)) if before["attack"] else 0
        lost = sum(hand["spies"] for hand in before["hands"]) + before["pile"]["spies"]
        lost -= sum(hand["spies"] for hand in after["hands"]) + after["pile"]["spies"]
        if move == "go":
            assert len(spies) == len(before["attack"]["spies"]) and lost == 0 and known in {0, len(spies)}
        elif not move.startswith(("spy", "add")):
            assert len(spies) == lost
        elif move.startswith("spy") and int(move[-1]) == before["turn"]:
            assert len(spies) == 1
        else:
            assert spies == []
        turned += len(spies)
    assert turned > 200


def test_the_card_drawn_is_the_one_that_came_into_the_hand() -> None:
    drawn = 0
    for state, before, _, move, after in matches():
        me = after["seat"]
        if before["turn"] == after["turn"] or after["turn"] != me or state.is_over or not before["pile"]["count"]:
            continue
        if before["pile"]["count"] == 1 and move.startswith("deck"):
            continue
        stolen = spies_turned_up(before, move, after) if move.startswith(f"steal:{me}>") else []
        sort, mark = card_drawn(before, stolen, after)
        assert mark in after["hand"][sort]
        drawn += 1
    assert drawn > 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_view_of_whole_matches_can_be_drawn_and_every_move_told(language: str) -> None:
    for players in range(2, 7):
        table = None
        for state, before, seat, move, after in steps(players, 5, watcher=1):
            if table is None:
                table = table_of(state, 1, language)
                assert table.tell(None, None, None, before)
            assert shown(*table.tell(before, seat, move, after)).strip()
            if after["mover"] != 1:
                continue
            moves = state.legal_moves(1)
            text = shown(table.draw(after), table.choices(after, moves), table.question(after))
            for number, choice in enumerate(moves, 1):
                assert f"{number} {choice}" in " ".join(text.split())
            assert all(len(line) <= 80 for line in text.splitlines())
            for nonsense in ("frog", "taunt:Z", "lair:9"):
                assert table.why_not(after, nonsense)
        assert state.is_over
        assert table is not None and table.help()
        assert shown(table.result(after, [1])) and shown(table.result(after, [0, 1]))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [40, 60])
def test_a_narrow_screen_loses_no_number_and_no_card(width: int, language: str) -> None:
    for state, _, _, _, after in steps(6, 5, watcher=1):
        if after["mover"] != 1:
            continue
        table = table_of(state, 1, language)
        text = shown(table.draw(after), table.choices(after, state.legal_moves(1)), width=width)
        assert not re.search(r"\w…", text)
        assert all(len(line) <= width for line in text.splitlines())
        for move in state.legal_moves(1):
            assert move in text
        for sort, marks in after["hand"].items():
            word = BOND_TEXTS[language][{"lairs": "card_lair", "spies": "card_spy", "doublers": "card_doubler"}[sort]]
            for mark in marks:
                assert f" {word.format(mark=mark)} " in text


def test_an_escape_a_capture_and_a_taunt_are_told() -> None:
    hands = ["spy:5 spy:3", "lair:4 doubler:A", "doubler:A"]
    opening = "lair:4 end skip end skip "
    state = lay(3, hands, first=1)
    assert "Too strong for the lair of Seat 1 (4)" in told(state, 2, opening + "spy:5>1 go")
    state = lay(3, hands, first=1)
    text = told(state, 1, opening + "spy:3>1 go", "fr")
    assert "On retourne : 3." in text and "Tu le captures (repaire 4)." in text
    assert worth_of(seen(state)["attack"]) == 3
    assert "vaut maintenant 6" in told(state.copy(), 2, "taunt:A let let", "fr")
    foiled = told(state, 1, "taunt:A foil")
    assert "Seat 2 foils it with the other A" in foiled and "your lair is destroyed" in foiled


def test_what_lies_face_down_is_not_told_before_its_time() -> None:
    hands = ["spy:3 spy:2", "lair:4 lair:1", ""]
    opening = "lair:4 end skip end skip "
    assert "3" not in told(lay(3, hands, first=1), 2, opening + "spy:3>1").replace("Seat", "")
    assert "a spy of 3" in told(lay(3, hands, first=1), 0, opening + "spy:3>1")
    state = lay(3, hands, first=1)
    told(state, 2, opening + "spy:3>1")
    drawn = shown(table_of(state, 2, "en").draw(seen(state, 2)), width=120)
    assert "by face down" in drawn
    assert "by 3" in shown(table_of(state, 0, "en").draw(seen(state, 0)), width=120)
    assert "3 + 2" in told(state, 2, "add:2 go")


def test_a_draw_is_told_by_its_back_and_ones_own_by_its_face() -> None:
    state = lay(2, ["lair:1"], "lair:2 spy:7 doubler:B")
    assert "Seat 1 draws a card: a spy." in told(state.copy(), 0, "skip end")
    assert "you draw spy 7" in told(state, 1, "skip end")
    assert "Seat 0 draws a card: no spy." in told(state, 1, "skip end")


def test_both_languages_have_the_same_texts_with_the_same_parts() -> None:
    def parts(text: str) -> set[str]:
        return set(re.findall(r"{(\w+)}", text))

    assert BOND_TEXTS["en"].keys() == BOND_TEXTS["fr"].keys()
    for key, text in BOND_TEXTS["en"].items():
        assert parts(text) == parts(BOND_TEXTS["fr"][key]), key


ENTRIES = {
    "lair": {"lair:3": ["lair 3", "repaire 3", "Lair:3"], "skip": ["skip", "none", "rien", "no", "non"]},
    "spy": {
        "spy:5>2": ["spy 5 2", "spy 5 > 2", "espion 5 chez 2", "espion de 5 chez le joueur 2", "SPY:5>2"],
        "steal:1>0": ["steal 1 0", "vole 1 > 0", "steal from seat 1 to 0"],
        "deck>2": ["deck 2", "pioche 2", "deck > 2", "pile to 2"],
        "end": ["end", "fin", "no"],
    },
    "add": {"add:4": ["add 4", "ajoute 4", "spy 4", "espion 4"], "go": ["go", "ok", "c'est tout"[6:], "non"]},
    "captured": {"kill": ["kill", "tue", "tuer"], "taunt:C": ["taunt C", "c", "doubler C", "ridiculise c", "C"]},
    "foil": {"foil": ["foil", "contre"], "let": ["let", "laisse", "no"]},
}


@pytest.mark.parametrize("phase", ENTRIES)
def test_what_can_mean_one_thing_only_is_understood(phase: str) -> None:
    for move, entries in ENTRIES[phase].items():
        for entry in entries:
            assert read_entry({"phase": phase}, entry) == move


@pytest.mark.parametrize(
    "entry", ["frog", "", "spy", "spy 5", "lair", "lair 3 3", "kill it", "taunt", "steal 1", "deck", "€ 5", "go 2"]
)
def test_anything_else_is_left_for_the_game_to_refuse(entry: str) -> None:
    assert read_entry({"phase": "spy"}, entry) == entry
