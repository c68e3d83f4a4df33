"""Puzzles over the wire: pages without solutions, moves that are tried, sets that no longer fit."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from machiavel import engines, v1
from machiavel.clients import BadRequest, Client, IllegalMove, NotAMove, UnknownGame, connect
from machiavel.engines.kit.engine import KitEngine
from machiavel.search import PuzzleSet, puzzles_of
from machiavel.search.puzzle_finder import varied
from machiavel.search.puzzles import set_text
from machiavel.server.service import game_service, puzzle_messages, wire
from tests.search.puzzle_sets import SETS, found
from tests.server.service.hosted import hosted


def all_pages(service: Client, game: str, **more: Any) -> Iterator[v1.ListPuzzlesResponse]:
    token = ""
    while True:
        page = service.list_puzzles(game, page_token=token, **more)
        yield page
        token = page.next_page_token
        if not token:
            return


@pytest.mark.parametrize("game", SETS)
def test_a_games_puzzles_come_page_by_page_as_they_lie_beside_the_game(service: Client, game: str) -> None:
    pages = list(all_pages(service, game, page_size=33))
    here = puzzles_of(game).puzzles
    assert [len(one.puzzles) for one in pages] == [33, 33, 33, 1]
    assert {(one.total, one.dropped) for one in pages} == {(100, 0)}
    for there, one in zip([puzzle for page in pages for puzzle in page.puzzles], here, strict=True):
        assert (there.id, there.game, there.players, there.seat, there.level) == (one.id, game, one.players, one.seat, one.level)
        assert [move.text for move in there.moves] == [move.move for move in one.moves]
        assert all(move.label.en and move.label.fr for move in there.moves)
        assert there.question.en.endswith("What do you play?") and there.question.fr.endswith("Que joues-tu\N{NO-BREAK SPACE}?")
        assert v1.PuzzleStage.Name(there.stage) == f"PUZZLE_STAGE_{one.stage.upper()}"
        sent = wire.read_view(there.view).to_json()
        told = {name: sent["view"][name] for name in one.view["view"]}  # views may tell more than when the puzzles were made
        assert {**sent, "view": told} == one.view


def test_a_page_is_for_so_many_players_if_asked(service: Client) -> None:
    for players in engines.load("bond").players:
        shown = [one for page in all_pages(service, "bond", players=players) for one in page.puzzles]
        assert shown and {one.players for one in shown} == {players}
        assert [one.id for one in shown] == [one.id for one in puzzles_of("bond").puzzles if one.players == players]


@pytest.mark.parametrize("game", SETS)
def test_the_best_move_solves_and_any_other_does_not_and_both_have_the_reasons(service: Client, game: str) -> None:
    for puzzle in service.list_puzzles(game, page_size=5).puzzles:
        one = puzzles_of(game).by_id[puzzle.id]
        right, silent = service.check_puzzle(puzzle, one.best), service.check_puzzle(puzzle)
        wrong = service.check_puzzle(puzzle, next(move.text for move in puzzle.moves if move.text != one.best))
        assert (right.solved, wrong.solved, silent.solved) == (True, False, False)
        assert (right.tried.text, silent.HasField("tried")) == (one.best, False) and wrong.tried.text != one.best
        for answer in (right, wrong, silent):
            assert answer.best.text == answer.chances[0].move.text == one.best
            chances = {chance.move.text: (chance.win_chance, chance.win_chance_error) for chance in answer.chances}
            assert chances == {move.move: (move.win_chance, move.win_chance_error) for move in one.moves}
            assert [chance.win_chance for chance in answer.chances] == sorted((a for a, _ in chances.values()), reverse=True)
            assert [(said.text.en, said.text.fr) for said in answer.sentences] == [
                (said["en"], said["fr"]) for said in one.sentences
            ]
            assert {tries.level: tries.share for tries in answer.tries} == one.solved


@pytest.mark.parametrize("game", SETS)
def test_a_list_says_nothing_of_the_solution(service: Client, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same puzzles with other best moves, chances and reasons give the same bytes."""
    whole = puzzles_of(game)
    other = [
        replace(
            one,
            best=one.moves[number % len(one.moves)].move,
            moves=tuple(replace(move, win_chance=0.5, win_chance_error=0.1) for move in one.moves),
            sentences=({"kind": "reasons", "en": "No.", "fr": "Non."},),
            solved=dict.fromkeys(one.solved, 0.25),
            lead=0.5,
        )
        for number, one in enumerate(whole.puzzles)
    ]
    there = service.list_puzzles(game, page_size=100).SerializeToString(deterministic=True)
    monkeypatch.setattr(puzzle_messages, "puzzles_of", lambda _: PuzzleSet(game, tuple(other)))
    here = puzzle_messages.PuzzleMessages(lambda *_: None).page(v1.ListPuzzlesRequest(game=game, page_size=100))
    assert here.SerializeToString(deterministic=True) == there


def test_a_game_without_puzzles_has_an_empty_page(service: Client) -> None:
    page = service.list_puzzles("kuhn")
    assert (list(page.puzzles), page.total, page.dropped, page.next_page_token) == ([], 0, 0, "")


def test_what_cannot_be_is_refused_by_its_field(service: Client) -> None:
    puzzle = service.list_puzzles("bond", page_size=1).puzzles[0]
    with pytest.raises(UnknownGame):
        service.list_puzzles("chess")
    for field, said, more in (
        ("page_size", "is 101; expected 1 to 100", {"page_size": 101}),
        ("page_size", "is -1; expected 1 to 100", {"page_size": -1}),
        ("page_token", "is no page; expected next_page_token", {"page_token": "x"}),
        ("players", "is 9; bond is for 2 to 6; 0 stands for all", {"players": 9}),
    ):
        with pytest.raises(BadRequest, match=said) as refused:
            service.list_puzzles("bond", **more)
        assert refused.value.field == field
    with pytest.raises(UnknownGame):
        service.check_puzzle(v1.Puzzle(game="chess", id=puzzle.id))
    with pytest.raises(BadRequest, match="is no puzzle of whist; expected the id of one that ListPuzzles tells"):
        service.check_puzzle(v1.Puzzle(game="whist", id=puzzle.id), "C2")
    with pytest.raises(NotAMove):
        service.check_puzzle(puzzle, "Ça n’est pas un coup")
    legal = {move.text for move in puzzle.moves}
    with pytest.raises(IllegalMove):
        service.check_puzzle(puzzle, next(move for move in ("kill", "end", "foil", "lair:1") if move not in legal))


def test_a_set_that_no_longer_fits_is_left_out_with_a_word_in_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kuhn = engines.load("kuhn")
    file = tmp_path / "kuhn.puzzles.json"
    data = json.loads(set_text(kuhn, varied(found(), 2), {}))
    file.write_text(json.dumps({**data, "digests": {"2": "of yesterday"}}), encoding="utf-8")
    monkeypatch.setattr(KitEngine, "puzzles_file", lambda self: file if self.name == "kuhn" else None)
    monkeypatch.setattr(puzzle_messages, "puzzles_of", puzzles_of.__wrapped__)  # type: ignore[attr-defined]
    told: list[tuple[str, str]] = []
    service = game_service.GameService(tell=lambda game, problem: told.append((game, problem)))
    page = service.puzzles.page(v1.ListPuzzlesRequest(game="kuhn"))
    assert (len(page.puzzles), page.total, page.dropped) == (0, 0, 2)
    assert [(game, "other rules, options or cards" in problem) for game, problem in told] == [("kuhn", True)]
    file.write_text("{}", encoding="utf-8")
    assert service.puzzles.page(v1.ListPuzzlesRequest(game="kuhn")).total == 0
    assert "expected a list" in told[-1][1]


def test_guests_may_solve_them(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text('[tokens]\nada = "a-token-of-some-length"\n', encoding="utf-8")
    with hosted(tokens=str(tokens), guests=True) as server, connect(server.address) as guest:
        (puzzle,) = guest.list_puzzles("bond", page_size=1).puzzles
        assert guest.check_puzzle(puzzle, puzzles_of("bond").by_id[puzzle.id].best).solved
