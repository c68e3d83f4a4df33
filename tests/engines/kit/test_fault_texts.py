"""What an author reads when a function goes wrong: as Python tells it, with file, line, function and the line itself."""

from pathlib import Path

import pytest

from machiavel.engines import BadView, GameFault
from machiavel.engines.kit.fault_kinds import FaultKind
from machiavel.engines.kit.game_fields import KIT_PHRASES
from machiavel.engines.kit.loading import load_file
from tests.engines.kit.authors import HIGHEST, load_text

FAULTS = Path(__file__).parent / "faults"
UNTOLD = "ses règles ont une erreur, que l’hôte peut trouver avec machiavel check-game"
TOLD = {
    "bad_index_by_a_little": (
        "IndexError: list index out of range "
        "(bad_index_by_a_little.py:35, in apply: self.points[seat + size(self.table) // 5] += 1)"
    ),
    "own_exception": (
        "ValueError: a sixth card is not foreseen "
        '(own_exception.py:34, in apply: raise ValueError("a sixth card is not foreseen"))'
    ),
    "no_move": "legal(0) has no move for that seat, and the game is not over (no_move.py:28, in legal)",
    "endless_game": "the game is not over after 200 moves; `longest` says that it is (endless_game.py:31, in apply)",
}


@pytest.mark.parametrize("mode", ["llvm", "interpreted"])
@pytest.mark.parametrize("name", sorted(TOLD))
def test_a_fault_is_told_as_python_tells_it(name: str, mode: str) -> None:
    game = load_file(FAULTS / f"{name}.py", mode=mode)
    with pytest.raises(GameFault) as caught:
        game.playouts(200, seed=1, players=2)

    assert caught.value.what == TOLD[name]
    assert str(caught.value) == f"the game {game.name} went wrong: {TOLD[name]}"


def test_what_the_kit_tells_itself_is_told_in_french_too() -> None:
    with pytest.raises(GameFault) as caught:
        load_file(FAULTS / "no_move.py").playouts(200, seed=1, players=2)

    assert caught.value.message("fr") == (
        "le jeu no_move a un défaut\N{NO-BREAK SPACE}: legal(0) n’a aucun coup pour ce joueur, et la partie n’est pas finie "
        "(no_move.py:28, dans legal)"
    )


def test_a_fault_has_a_kind_and_a_place_without_a_value_and_a_text_that_tells_neither() -> None:
    for name, kind, place in (
        ("own_exception", "ValueError", "own_exception.py:34 apply"),
        ("no_move", "no_move", "no_move.py:28 legal"),
    ):
        with pytest.raises(GameFault) as caught:
            load_file(FAULTS / f"{name}.py").playouts(200, seed=1, players=2)
        untold = caught.value.without_details()

        assert (caught.value.kind, caught.value.place) == (kind, place)
        assert (untold.kind, untold.place) == ("", "")
        assert untold.message("fr") == f"le jeu {name} a un défaut\N{NO-BREAK SPACE}: {UNTOLD}"


def test_every_kind_of_fault_has_words() -> None:
    assert {f"faults.{kind.name.lower()}" for kind in FaultKind if kind is not FaultKind.FINE} <= set(KIT_PHRASES.keys())


def test_a_move_that_meets_a_fault_changes_nothing(tmp_path: Path) -> None:
    text = HIGHEST.replace("self.gone |= one(card)", "self.gone |= one(card)\n        assert self.ply < 2")
    state = load_text(tmp_path, text).new(2, seed=1)
    for _ in range(2):
        state.play(state.legal_moves()[0])
    before = state.to_bytes()

    with pytest.raises(GameFault, match=r"AssertionError \(mine\.py:\d+, in apply: assert self\.ply < 2\)"):
        state.play(state.legal_moves()[0])
    assert state.to_bytes() == before
    assert len(state.moves) == 2


def test_a_view_without_a_deal_is_a_bad_view_and_no_fault(tmp_path: Path) -> None:
    changes = {
        'seen_by="owner")': 'seen_by="owner", within="may")\n    may = Cards(DECK, each_seat=True, zone=False)',
        "for seat in self.every_seat():\n": "for seat in self.every_seat():\n            self.may[seat] = DECK.all\n",
    }
    text = HIGHEST
    for old, new in changes.items():
        text = text.replace(old, new, 1)
    game = load_text(tmp_path, text)
    data = game.new(3, layout={"hands": [["H2", "H3", "H4"], ["H5", "H6", "H7"], ["S5", "S6", "S7"]]}).view(0).to_json()
    data["view"]["may"] = [["H2", "H3", "H4"], ["S2", "S3", "S4", "S5"], ["S2", "S3", "S4", "S5"]]

    with pytest.raises(BadView, match="contradicts itself: no deal gives what it shows"):
        game.view_from_json(data)
    assert game.new(3, seed=1).legal_moves()


def test_a_view_that_brings_good_rules_to_a_fault_is_a_bad_view(tmp_path: Path) -> None:
    """In three tricks nobody has four points, so no match comes to a fifth."""
    text = HIGHEST.replace("top = Count(most=12)", "top = Count(most=12)\n    points = Count(each_seat=True, most=4)")
    text = text.replace(
        "        self.gone |= one(card)\n", "        self.gone |= one(card)\n        self.points[self.mover] += 1\n"
    )
    game = load_text(tmp_path, text)
    view = game.new(2, seed=1).view(0).to_json()
    assert game.view_from_json(view).legal_moves()

    for points, where in (([4, 0], "points[0] would be 5"), ([0, 3], "points[1] would be 5")):
        data = view | {"view": view["view"] | {"points": points}}
        with pytest.raises(BadView) as caught:
            game.view_from_json(data)
        assert caught.value.problem.startswith("shows what no match comes to: OverflowError: ")
        assert where in caught.value.problem
        assert "aucune partie" in caught.value.message("fr")


@pytest.mark.parametrize("mode", ["llvm", "interpreted"])
@pytest.mark.parametrize("name", ["own_exception", "division", "answer_out_of_range", "endless_game"])
def test_rules_that_go_wrong_in_matches_are_told_for_a_good_view_that_was_typed_in(name: str, mode: str) -> None:
    game = load_file(FAULTS / f"{name}.py", mode=mode)
    view = game.new(2, seed=1).view(0)

    with pytest.raises(GameFault) as caught:
        game.view_from_json(view.to_json())

    assert f"{name}.py:" in caught.value.what
    assert game.view_from_bytes(view.rules, view.to_bytes()).legal_moves()


# What stands in the class, what `result` gives by seat, and what is said of it.
SHARES = {
    "a negative share": ("", "seat - 1", "result() gave seat 0 the share -1; expected 0 or more"),
    "points outside worth": (
        "worth = (-2, 2)",
        "2 + seat",
        "result() gave seat 1 the share 3; expected -2 or more, and 2 at most",
    ),
    "points without worth": (
        "cooperative = True",
        "4",
        "result() gave seat 0 the share 4; expected 0 to 1, where all play together; for points say worth = (least, most)",
    ),
    "a team that does not share": (
        "cooperative = True",
        "0.5 * seat",
        "result() gave seat 1 the share 0.5, and seat 0 0; expected the same for everybody, where all play together",
    ),
}


@pytest.mark.parametrize("mode", ["llvm", "interpreted"])
@pytest.mark.parametrize("case", sorted(SHARES))
def test_a_share_that_is_none_is_told_with_what_it_may_be(tmp_path: Path, case: str, mode: str) -> None:
    of_class, share, said = SHARES[case]
    path = tmp_path / "shares.py"
    text = (FAULTS / "sound.py").read_text(encoding="utf-8")
    text = text.replace("    longest = 8\n", f"    longest = 8\n    {of_class}\n")
    path.write_text(text.replace("shares[seat] = self.points[seat]", f"shares[seat] = {share}"), encoding="utf-8")

    with pytest.raises(GameFault) as caught:
        load_file(path, mode=mode).playouts(10, seed=1, players=2)

    assert caught.value.what.startswith(f"{said} (shares.py:"), caught.value.what
    assert f"joueur {said.split('seat ')[1][0]}" in caught.value.message("fr")
