"""Puzzles: what counts as one, the spread of a set, its file, and the sets that ship."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import View, load, registry
from machiavel.engines.kit import box
from machiavel.search import Puzzle, PuzzleMove, puzzles_of
from machiavel.search.puzzle_checks import CheckSettings, PositionChecks, SearchStopped
from machiavel.search.puzzle_finder import FinderSettings, PuzzleFinder, varied
from machiavel.search.puzzles import LEAD, BadPuzzles, puzzle_id, read_puzzles, set_text
from machiavel.search.recommendation import Recommendation
from tests.search.puzzle_sets import EASY, SETS, found
from tests.server.game_file import changed


class ScriptedChecks(PositionChecks):
    """Searches come out as they are told: by the move searched alone, or None for all moves, a chance a seed."""

    def __init__(self, settings: CheckSettings, script: Mapping[str, Sequence[float]], *, in_one: Mapping[str, float]) -> None:
        super().__init__(settings)
        self.script, self.in_one = script, in_one

    def search(self, view: View, iterations: int, seed: int, moves: Sequence[str] | None = None) -> Recommendation:
        real = super().search(view, 40, seed, moves)
        names = [one.move for one in real.candidates]
        chances = {name: self.in_one[name] if moves is None else self.script[name][min(seed, 3) - 1] for name in names}
        told = [replace(one, win_chance=chances[one.move], win_chance_error=0.001) for one in real.candidates]
        told.sort(key=lambda one: -one.win_chance)
        return replace(real, best=told[0].move, candidates=tuple(told), iterations=iterations)


def view_of_two_moves() -> View:
    state = load("kuhn").new(2, seed=1)
    return state.view(state.seat_to_move)


def checked(script: Mapping[str, Sequence[float]], in_one: Mapping[str, float]) -> Any:
    settings = CheckSettings(iterations=10, seeds=(1, 2, 3), levels=())
    view = view_of_two_moves()
    return ScriptedChecks(settings, script, in_one=in_one).check(view, "bet")


# ---- What counts ----


def test_a_move_far_ahead_under_every_seed_is_a_puzzle_with_the_least_lead_and_mean_chances() -> None:
    result = checked({"bet": [0.60, 0.62, 0.64], "pass": [0.40, 0.41, 0.48]}, {"bet": 0.6, "pass": 0.4})
    assert (result.best, round(result.lead, 6)) == ("bet", 0.16)
    assert {one.move: round(one.win_chance, 6) for one in result.moves} == {"bet": 0.62, "pass": 0.43}
    assert [one.move for one in result.moves] == view_of_two_moves().legal_moves()
    assert "62 %" in result.sentences[0]["en"] and "62\N{NO-BREAK SPACE}%" in result.sentences[0]["fr"]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_lead_that_is_too_small_under_one_seed_is_none(seed: int) -> None:
    behind = [0.40, 0.40, 0.40]
    behind[seed] = 0.51
    assert checked({"bet": [0.6, 0.6, 0.6], "pass": behind}, {"bet": 0.6, "pass": 0.4}) is None


def test_a_lead_that_may_be_luck_is_none() -> None:
    just = 0.6 - LEAD - 0.001  # and its standard error is 0.0014
    assert checked({"bet": [0.6] * 3, "pass": [just] * 3}, {"bet": 0.6, "pass": 0.4}) is None


def test_a_move_that_only_looks_worse_because_it_was_tried_less_is_as_good() -> None:
    assert checked({"bet": [0.6] * 3, "pass": [0.6] * 3}, {"bet": 0.6, "pass": 0.1}) is None


def test_a_lead_of_moves_searched_alone_is_not_enough_either() -> None:
    assert checked({"bet": [0.6] * 3, "pass": [0.3] * 3}, {"bet": 0.6, "pass": 0.55}) is None


def test_what_the_lowest_level_nearly_always_finds_is_left_out_and_what_the_highest_misses() -> None:
    view = view_of_two_moves()
    checks = PositionChecks(CheckSettings(iterations=10, levels=(1, 9), tries=10))
    for shares, is_kept in (({1: 0.7, 9: 1.0}, False), ({1: 0.4, 9: 0.4}, False), ({1: 0.4, 9: 0.5}, True)):
        script = ScriptedChecks(checks.settings, {"bet": [0.6] * 3, "pass": [0.3] * 3}, in_one={"bet": 0.6, "pass": 0.3})
        script.share_of = lambda _view, level, _best, shares=shares: shares[level]  # type: ignore[method-assign, misc]
        assert (script.check(view, "bet") is not None) == is_kept


def test_a_puzzle_follows_from_the_view_alone() -> None:
    finder = PuzzleFinder(load("whist"), FinderSettings((3,), seed=5, bots=("random",), checks=EASY.checks))
    puzzle = found("whist", 1, 3)[0]
    view = load("whist").view_from_json(puzzle.view)
    for seed in range(3):
        other = view.determinize(seed)
        again = PositionChecks(EASY.checks).check(other.view(other.seat_to_move), puzzle.best)
        assert again is not None and (again.best, again.moves, again.sentences) == (puzzle.best, puzzle.moves, puzzle.sentences)
    finder.stop()


# ---- The finder ----


def test_a_match_has_the_same_puzzle_whatever_else_is_looked_at() -> None:
    puzzle = found()[0]
    finder = PuzzleFinder(load("kuhn"), EASY, threads=2)
    by_match = {}
    for finding in finder.findings(known={0, 1}):
        by_match[finding.match] = finding
        if len(by_match) == puzzle.source.match + 4:
            break
    assert not {0, 1} & by_match.keys()
    assert puzzle in by_match[puzzle.source.match].puzzles


def test_a_puzzle_tells_the_match_it_comes_from() -> None:
    puzzle = found("whist", 1, 3)[0]
    finder = PuzzleFinder(load("whist"), FinderSettings((3,), seed=5, bots=("random",), checks=EASY.checks))
    assert puzzle in finder.finding(puzzle.source.match).puzzles
    opening = load("whist").new(3, seed=puzzle.source.deal)
    hand = set(opening.view(puzzle.seat).to_json()["view"]["hand"])
    held = set(puzzle.view["view"]["hand"])
    assert puzzle.view["view"]["ply"] == puzzle.source.ply < puzzle.source.plies and held
    assert held <= hand or puzzle.view["view"]["round"] > 1


def test_a_stopped_finder_looks_at_nothing_more() -> None:
    finder = PuzzleFinder(load("whist"), EASY)
    finder.stop()
    with pytest.raises(SearchStopped):
        finder.finding(0)
    assert list(finder.findings()) == []


# ---- A set ----


def made_up(number: int, **changes: Any) -> Puzzle:
    one = found()[0]
    source = replace(one.source, match=number)
    moves = tuple(PuzzleMove(f"{number}.{at}", 0.5 - at / 5, 0.01) for at in range(2))
    return replace(one, **{"id": f"{number:012x}", "best": moves[0].move, "moves": moves, "source": source, **changes})


def test_a_set_is_spread_over_players_stages_and_difficulty_and_goes_from_easy_to_hard() -> None:
    common = [made_up(number, players=2, stage="late", level=3) for number in range(50)]
    rare = [made_up(50 + number, players=3, stage=stage, level=9) for number, stage in enumerate(("early", "middle", "late"))]
    chosen = varied([*common, *rare], 6)
    assert {one.id for one in rare} <= {one.id for one in chosen}
    assert [one.level for one in chosen] == [3, 3, 3, 9, 9, 9]
    assert varied([*rare, *common], 6) == chosen


def test_no_two_of_a_set_ask_the_same() -> None:
    one = made_up(1)
    assert varied([one, replace(one, id="2" * 12, source=replace(one.source, match=2))], 5) == [one]


# ---- Its file ----


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "puzzles.json"
    path.write_text(set_text(load("kuhn"), varied(found(), 9), {"by": "a test"}), encoding="utf-8")
    return path


def with_changes(file: Path, **changes: Any) -> Path:
    data = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**data, **changes}), encoding="utf-8")
    return file


def test_a_file_gives_back_the_puzzles_but_for_what_is_rounded(file: Path) -> None:
    result = read_puzzles(load("kuhn"), file)
    assert (result.dropped, result.problems, result.made) == (0, (), {"by": "a test"})
    for one, before in zip(result.puzzles, varied(found(), 9), strict=True):
        assert one.to_json() == before.to_json()
        assert (one.id, one.view, one.best, one.source) == (before.id, before.view, before.best, before.source)
    assert result.by_id[result.puzzles[0].id] is result.puzzles[0]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": 2}, "has format 2; this release reads format 1; make new ones with: machiavel puzzles kuhn"),
        ({"game": "whist"}, "holds puzzles of whist; expected those of kuhn"),
        ({"rules_version": 99}, "is for version 99 of the rules; kuhn has 1; make new ones with: machiavel puzzles kuhn"),
        ({"puzzles": {}}, "the file: puzzles is '{}'; expected a list"),
        ({"digests": None}, "the file: digests is 'None'; expected an object"),
    ],
)
def test_a_file_for_something_else_is_refused_with_what_would_be_right(file: Path, changes: Any, said: str) -> None:
    with pytest.raises(BadPuzzles) as refused:
        read_puzzles(load("kuhn"), with_changes(file, **changes))
    assert str(refused.value) == f"{file}: {said}"


@pytest.mark.parametrize("text", ["", "[", "[]", '"puzzles"', "[" * 100_000])
def test_what_is_no_file_of_puzzles_is_refused(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadPuzzles, match="expected"):
        read_puzzles(load("kuhn"), file)
    file.unlink()
    with pytest.raises(BadPuzzles, match="No such file"):
        read_puzzles(load("kuhn"), file)


def test_puzzles_of_other_rules_are_left_out_with_a_word(file: Path) -> None:
    result = read_puzzles(load("kuhn"), with_changes(file, digests={"2": "00"}))
    assert (result.puzzles, result.dropped) == ((), 2)
    assert result.problems == (
        f"{file}: puzzles left out: 2: kuhn with 2 players has other rules, options or cards than when it was made",
    )


def spoiled(**changes: Any) -> dict[str, Any]:
    return {**varied(found(), 9)[0].to_json(), **changes}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (3, "a puzzle is '3'; expected an object"),
        (spoiled(players=7), "is for 7 players; kuhn has 2 to 2"),
        (spoiled(id="0" * 12), "was changed by hand"),
        (spoiled(best="fold"), "was changed by hand"),
        (spoiled(moves=[["bet", 0.5, 0.1]]), "other moves are legal than when it was made"),
        (spoiled(moves=[["bet", 2, 0.1]]), "expected a move, its win chance and the error of that"),
        (spoiled(lead="much"), "lead is 'much'; expected a number"),
        (spoiled(seat=-1), "seat is '-1'; expected a whole number, at least 0"),
        (spoiled(sentences=[{"kind": "reasons", "en": "x"}]), "expected an object with kind, en, fr"),
        (spoiled(view={"game": "kuhn"}), ""),
    ],
)
def test_a_spoiled_puzzle_is_left_out_with_a_word_and_the_others_stay(file: Path, row: Any, said: str) -> None:
    whole = varied(found(), 9)[1].to_json()
    result = read_puzzles(load("kuhn"), with_changes(file, puzzles=[row, whole]))
    assert ([one.to_json() for one in result.puzzles], result.dropped) == ([whole], 1)
    assert said in result.problems[0]


def test_a_game_in_a_file_has_the_puzzles_beside_it_until_its_rules_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_loaded", "_files", "_texts"):
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))
    kuhn = (Path(box.__file__).parent / "games" / "kuhn.py").read_text(encoding="utf-8")
    path = tmp_path / "ours.py"
    path.write_text(kuhn.replace('name, version = "kuhn"', 'name, version = "ours"'), encoding="utf-8")
    game = registry.add_file(path)
    assert puzzles_of("ours").puzzles == ()
    puzzles = next(filter(None, (PuzzleFinder(game, EASY).finding(number).puzzles for number in range(20))))[:1]
    (tmp_path / "ours.puzzles.json").write_text(set_text(game, puzzles, {}), encoding="utf-8")
    registry.add_file(changed(path, '"cards in the deck"', '"how many cards there are"'))
    assert [one.id for one in puzzles_of("ours").puzzles] == [one.id for one in puzzles] != []
    registry.add_file(changed(path, "Option(3, least=3", "Option(3, least=2"))
    result = puzzles_of("ours")
    assert (result.puzzles, result.dropped) == ((), 1) and "other rules, options or cards" in result.problems[0]


# ---- Those that ship ----


@pytest.mark.parametrize("game", SETS)
def test_a_game_brings_a_hundred_puzzles_that_fit_it(game: str) -> None:
    result = puzzles_of(game)
    assert (len(result.puzzles), result.dropped, result.problems) == (100, 0, ())
    assert len({one.id for one in result.puzzles}) == 100
    for one in result.puzzles:
        chances = sorted((move.win_chance for move in one.moves), reverse=True)
        assert one.best_move.win_chance == chances[0] >= chances[1] + LEAD
        assert one.lead >= LEAD and puzzle_id(one.view) == one.id
        assert one.solved[1] < 0.7 and one.solved[9] >= 0.5
        assert all(sentence[language] for sentence in one.sentences for language in ("en", "fr"))


@pytest.mark.parametrize("game", SETS)
def test_a_set_is_of_every_number_of_players_and_stage_and_higher_levels_solve_more(game: str) -> None:
    puzzles = puzzles_of(game).puzzles
    assert {one.players for one in puzzles} == set(load(game).players)
    assert {one.stage for one in puzzles} == {"early", "middle", "late"}
    low, middle, high = (sum(one.solved[level] for one in puzzles) for level in (1, 5, 9))
    assert low + 10 < middle < high
    assert max(Counter((one.source.match, one.stage) for one in puzzles).values()) == 1


def test_kuhn_has_none() -> None:
    assert puzzles_of("kuhn").puzzles == () and not puzzles_of("kuhn").problems
