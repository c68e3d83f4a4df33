"""What ListPuzzles and CheckPuzzle tell of the puzzles that a game brings."""

from collections.abc import Callable, Mapping, Sequence

from machiavel import engines, v1
from machiavel.engines import LANGUAGES, Game, MoveError, View
from machiavel.engines.phrases import typeset
from machiavel.search import Puzzle, PuzzleSet, move_meant, puzzles_of
from machiavel.server.service import wire
from machiavel.server.service.refusals import BadRequest, located

__all__ = ["PuzzleMessages", "puzzle_check"]

USUAL, MOST = 20, 100
QUESTIONS: Mapping[str, Mapping[str, str]] = {
    "en": {"several": "{players} players, and you are {who}. What do you play?", "alone": "You play alone. What do you play?"},
    "fr": {"several": "{players} joueurs ; tu es {who}. Que joues-tu ?", "alone": "Tu joues en solitaire. Que joues-tu ?"},
}


class PuzzleMessages:
    """The puzzles of each game as messages, made when they are first asked for."""

    def __init__(self, tell: Callable[[str, str], object]) -> None:
        """`tell` hears of puzzles that are left out: the game, and why."""
        self.tell = tell
        self._made: dict[str, tuple[PuzzleSet, Sequence[v1.Puzzle]]] = {}

    def page(self, request: v1.ListPuzzlesRequest) -> v1.ListPuzzlesResponse:
        """Raises UnknownGame and BadRequest."""
        game = game_of(request.game)
        size = request.page_size or USUAL
        if not 1 <= size <= MOST:
            raise BadRequest("page_size", f"is {size}; expected 1 to {MOST}")
        if request.players and request.players not in game.players:
            least, most = game.players[0], game.players[-1]
            raise BadRequest("players", f"is {request.players}; {game.name} is for {least} to {most}; 0 stands for all")
        shown = [one for one in self.of(game) if request.players in {0, one.players}]
        begin = 0
        if request.page_token:
            places = {one.id: place for place, one in enumerate(shown)}
            if request.page_token not in places:
                raise BadRequest("page_token", "is no page; expected next_page_token of the page before, or nothing")
            begin = places[request.page_token] + 1
        end = begin + size
        return v1.ListPuzzlesResponse(
            puzzles=shown[begin:end],
            next_page_token=shown[end - 1].id if end < len(shown) else "",
            total=len(shown),
            dropped=puzzles_of(game.name).dropped,
        )

    def of(self, game: Game) -> Sequence[v1.Puzzle]:
        """All of a game's puzzles."""
        found = puzzles_of(game.name)
        if game.name not in self._made or self._made[game.name][0] is not found:
            for problem in found.problems:
                self.tell(game.name, problem)
            self._made[game.name] = found, tuple(puzzle_message(game, one) for one in found.puzzles)
        return self._made[game.name][1]


def puzzle_check(request: v1.CheckPuzzleRequest) -> v1.CheckPuzzleResponse:
    """Raises UnknownGame, BadRequest, and what `move_meant` does."""
    game = game_of(request.game)
    puzzle = puzzles_of(game.name).by_id.get(request.puzzle)
    if puzzle is None:
        raise BadRequest("puzzle", f"is no puzzle of {game.name}; expected the id of one that ListPuzzles tells")
    view = game.view_from_json(puzzle.view)
    chances = sorted(puzzle.moves, key=lambda one: (one.move != puzzle.best, -one.win_chance))
    response = v1.CheckPuzzleResponse(
        best=wire.move_message(view, puzzle.best),
        chances=[
            v1.PuzzleChance(
                move=wire.move_message(view, one.move), win_chance=one.win_chance, win_chance_error=one.win_chance_error
            )
            for one in chances
        ],
        sentences=[
            v1.Sentence(kind=one["kind"], text=wire.text_message({language: one[language] for language in LANGUAGES}))
            for one in puzzle.sentences
        ],
        tries=[v1.PuzzleTries(level=level, share=share) for level, share in sorted(puzzle.solved.items())],
    )
    if request.move:
        with located(lambda error: "move" if isinstance(error, MoveError) else "puzzle"):
            tried = move_meant(view, request.move)
        response.tried.CopyFrom(wire.move_message(view, tried))
        response.solved = tried == puzzle.best
    return response


def game_of(name: str) -> Game:
    with located(lambda _: "game"):
        return engines.load(name)


def puzzle_message(game: Game, puzzle: Puzzle) -> v1.Puzzle:
    view = game.view_from_json(puzzle.view)
    message = v1.Puzzle(
        id=puzzle.id,
        game=game.name,
        players=puzzle.players,
        seat=puzzle.seat,
        question=wire.text_message({language: question(view, language) for language in LANGUAGES}),
        moves=[wire.move_message(view, one.move) for one in puzzle.moves],
        level=puzzle.level,
        stage=v1.PuzzleStage.Value(f"PUZZLE_STAGE_{puzzle.stage.upper()}"),
    )
    wire.put_view(message.view, view)
    return message


def question(view: View, language: str) -> str:
    texts = QUESTIONS[language]
    if view.players == 1:
        return typeset(texts["alone"], language)
    who = view.game.plugin.seat_name(view.rules, view.to_json()["view"], view.seat or 0, language)
    return typeset(texts["several"].format(players=view.players, who=who), language)
