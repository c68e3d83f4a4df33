"""The parts of a game in the terminal: its table and its form."""

import io
from collections import Counter
from collections.abc import Iterator
from typing import Any

from rich.console import Console, RenderableType

from machiavel.engines import LANGUAGES
from machiavel.engines.conformance import Chapter, Finding, Trial
from machiavel.server.cli.parts import make_table
from machiavel.server.forms import make_form

__all__ = ["CHAPTER"]

CHAPTER = Chapter("parts")
WIDTHS = (80, 120)
DRAWN = 0.2  # of the positions in which a seat is asked: drawing takes longest


def drawn(what: RenderableType, width: int) -> str:
    """A part of a table as a terminal of that width shows it."""
    file = io.StringIO()
    Console(file=file, width=width, color_system=None, markup=False, emoji=False, highlight=False).print(what)
    return file.getvalue()


@CHAPTER.check()
def table(trial: Trial) -> Iterator[Finding]:
    """The table loads, tells whole matches and draws them in every language, and knows every legal move by its text."""
    players = trial.case.players
    for number, seed in enumerate(trial.seeds(1)):
        for turn, language in enumerate(LANGUAGES):
            yield from told_and_drawn(trial, seed, language, (number + turn) % players)


def told_and_drawn(trial: Trial, seed: int, language: str, seat: int) -> Iterator[Finding]:
    """A match at the table of one seat: all of it is told, and some of its positions are drawn."""
    bots = ["" if other == seat else "random" for other in range(trial.case.players)]
    shown = make_table(trial.game, trial.case.rules, language, seat, bots)
    width = WIDTHS[seat % len(WIDTHS)]
    is_whole = all(word and meaning for word, meaning in shown.help())
    yield from trial.expect(is_whole, f"help in {language}, each word with its meaning", shown.help())
    before: dict[str, Any] = {}
    mover = None
    for state, draw in trial.walk(seed):
        seen = state.view(seat).to_json()["view"]
        lines = [line.plain for line in shown.tell(before or None, mover, state.last_move(seat), seen)]
        yield from trial.expect(all(line.strip() for line in lines), f"words in {language} for what happened", lines, seat)
        trial.counts["lines"] += len(lines)
        if seat in state.seats_to_move and draw.random() < DRAWN:
            moves = state.legal_moves(seat)
            told = drawn(shown.draw(seen), width), drawn(shown.choices(seen, moves), width), shown.question(seen)
            yield from trial.expect(all(part.strip() for part in told), f"table, choices and question in {language}", told, seat)
            for move in moves:
                yield from trial.equal(shown.read(seen, move), move, f"the move that is meant by {move}", seat)
            trial.counts["tables"] += 1
        before, mover = seen, state.seat_to_move
    winners = [other for other, share in enumerate(state.utilities) if share == max(state.utilities) > 0]
    yield from trial.expect(drawn(shown.result(before, winners), width).strip(), f"a result in {language}", "nothing", seat)


@CHAPTER.check()
def form(trial: Trial) -> Iterator[Finding]:
    """The form loads; every question has a key of its own, and words and help in every language."""
    steps = make_form(trial.game).steps
    keys = Counter(step.key for step in steps)
    yield from trial.expect(steps, "questions", "none")
    yield from trial.expect(max(keys.values(), default=0) <= 1, "a key of its own for every question", dict(keys))
    for step in steps:
        trial.counts["questions"] += 1
        for language in LANGUAGES:
            for what, texts in (("question", step.question), ("help", step.help)):
                yield from trial.expect(texts.get(language), f"the {what} of {step.key} in {language}", dict(texts))
