"""The table of any game, at 80 columns, for games that are written in one file of Python."""

from pathlib import Path

import pytest

from machiavel.engines import Game, State
from machiavel.engines.kit import box
from machiavel.engines.kit.loading import load_file
from machiavel.server.cli.parts import make_table
from machiavel.server.cli.tables import Table
from tests.server.cli.drawing import drawn

FOLDER = Path(box.__file__).parent / "games"
LANGUAGES = ("en", "fr")


@pytest.fixture(scope="module", params=["hearts", "liars_dice"])
def game(request: pytest.FixtureRequest) -> Game:
    return load_file(FOLDER / f"{request.param}.py")


def table_of(state: State, language: str) -> Table:
    return make_table(state.game, state.rules, language, 0, ["", *["greedy"] * (state.players - 1)])


@pytest.mark.parametrize("language", LANGUAGES)
def test_whole_matches_are_drawn_within_eighty_columns(game: Game, language: str) -> None:
    state = game.new(max(game.players), seed=3)
    table, count = table_of(state, language), 0
    while not state.is_over:
        if state.seat_to_move == 0:
            seen = state.view(0).to_json()["view"]
            lines = drawn(table.draw(seen)) + drawn(table.choices(seen, state.legal_moves()))
            assert not any("None" in line or "{" in line for line in lines)
            count += 1
        moves = state.legal_moves()
        state.play(moves[len(moves) // 4])
    assert count > 3 and drawn(table.result(state.view(0).to_json()["view"], [0]))


def test_a_hand_is_a_line_of_its_own_and_of_the_others_it_is_told_how_much_they_hold() -> None:
    state = load_file(FOLDER / "hearts.py").new(4, seed=3, passing=False)
    seen = state.view(0).to_json()["view"]
    head, *lines = drawn(table_of(state, "en").draw(seen))
    others = [card for seat in (1, 2, 3) for card in state.view(seat).to_json()["view"]["hands"][seat]]

    assert "Pass three" not in head  # nobody does
    assert any(line.startswith("│ Hand: ") for line in lines)
    assert sum("13" in line for line in lines) == 4  # a row each
    assert not any(card in " ".join(lines) for card in others)
    assert not any("Aside" in line for line in lines)  # nothing lies there


def test_where_cards_are_passed_to_stands_there_while_they_are_passed() -> None:
    state = load_file(FOLDER / "hearts.py").new(4, seed=4)
    heads = []
    for _ in range(13):
        seen = state.view(0).to_json()["view"]
        heads.append(drawn(table_of(state, "fr").draw(seen))[0])
        state.play(state.legal_moves()[0])

    assert all("Passe trois cartes\N{NO-BREAK SPACE}: à gauche" in head for head in heads[:12])
    assert "trois cartes" not in heads[12] and "à gauche" not in heads[12]


def test_dice_are_shown_to_their_owner_alone_and_after_the_round_to_all() -> None:
    state = load_file(FOLDER / "liars_dice.py").new(3, seed=3)
    table = table_of(state, "fr")
    before = drawn(table.draw(state.view(0).to_json()["view"]))
    own = " ".join(map(str, state.view(0).to_json()["view"]["cups"][0]))
    state.play("9x6")
    state.play("liar")
    after = drawn(table.draw(state.view(0).to_json()["view"]))

    assert any(f"Sous le gobelet : {own}" in line.replace("\N{NO-BREAK SPACE}", " ") for line in before)
    assert not any("Au dernier doute" in line for line in before)
    assert sum(own in line for line in after) >= 1 and any("Au dernier doute" in line for line in after)


def test_many_moves_stand_in_columns_and_are_typed_as_before() -> None:
    state = load_file(FOLDER / "liars_dice.py").new(4, seed=3)
    seen, moves = state.view(0).to_json()["view"], state.legal_moves()
    table = table_of(state, "en")
    lines = drawn(table.choices(seen, moves))

    assert len(moves) == 72 and len(lines) < 26
    assert [table.read(seen, move) for move in moves] == moves
    assert [table.read(seen, typed) for typed in ("bid 3 × 4", "bid 3 4")] == ["3x4"] * 2
