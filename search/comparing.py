"""“What about this move?”: a move of the person's choice, searched by itself and held against the best."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from machiavel.engines import IllegalMove, View
from machiavel.search.explaining import Sentence, Writer, are_close, forced_kind
from machiavel.search.limits import Limits
from machiavel.search.parameters import SearchParameters
from machiavel.search.recommendation import Candidate, Recommendation
from machiavel.search.search_run import DEFAULT_ITERATIONS, SearchRun, think

__all__ = ["PART", "Comparison", "compare", "measure", "move_meant", "shares_of"]

PART = 4  # the move asked about gets this part of the budget: one in so many


@dataclass(frozen=True)
class Comparison:
    """The move asked about and the best one, each as it was searched, and what there is to say of the difference."""

    asked: Candidate
    best: Candidate
    sentences: tuple[Sentence, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "asked": {**asdict(self.asked), "line": list(self.asked.line)},
            "best": {**asdict(self.best), "line": list(self.best.line)},
            "sentences": [one.to_json() for one in self.sentences],
        }


def move_meant(view: View, text: str) -> str:
    """The legal move of the view's seat that a text means; raises as `State.resolve` does, and NotToMove."""
    legal = view.legal_moves()
    plugin, rules = view.game.plugin, view.rules
    meant = [move for move in (plugin.move_text(rules, number) for number in plugin.parse_move(rules, text)) if move in legal]
    if len(meant) == 1:
        return str(meant[0])
    world = view.determinize(0)
    if world.seat_to_move == view.seat:
        return plugin.move_text(rules, world.resolve(text))  # it says what is wrong
    raise IllegalMove(text, view.seat or 0, "", legal)


def shares_of(limits: Limits, now: float) -> tuple[Limits, Limits]:
    """What the move asked about may take, and what the search of all moves; an amount of iterations that search has in full.

    So the advice itself is the same whether or not a move is asked about.
    """
    iterations = limits.iterations
    if iterations is None and limits.seconds is None and limits.deadline is None:
        iterations = DEFAULT_ITERATIONS
    end = limits.end(now)
    first = Limits(
        iterations=None if iterations is None else max(1, iterations // PART),
        deadline=None if end is None else now + max(0.0, end - now) / PART,
    )
    return first, Limits(iterations=iterations, deadline=end)


def measure(view: View, move: str, limits: Limits, parameters: SearchParameters | None = None) -> Candidate:
    """A move searched by itself, with the engine's metrics; raises as `recommend` does."""
    single = replace(parameters or SearchParameters(), threads=1)
    search_run = SearchRun(view, limits, single, [move], explain=True, insist=True)
    stopped = think(search_run, 0, lambda _: None, float("inf"))
    return search_run.answer(stopped).candidates[0]


def compare(view: View, recommendation: Recommendation, asked: Candidate) -> Comparison:
    """A move as `measure` found it, held against the best move of a recommendation."""
    writer, best = Writer(view), recommendation.candidates[0]
    if asked.move == best.move:
        if recommendation.stopped == "forced":
            return Comparison(best, best, (writer.verdict(forced_kind(view), best, is_first=True),))
        is_whole = len(recommendation.candidates) == len(view.legal_moves())
        kind = "same_so_far" if recommendation.stopped == "running" else "same" if is_whole else "same_of_some"
        return Comparison(best, best, (writer.verdict(kind, best),))
    kind = "close" if are_close(best, asked) else "behind" if asked.win_chance < best.win_chance else "ahead"
    verdict = writer.verdict(kind, best, asked, is_first=True)
    return Comparison(asked, best, (verdict, *writer.against(kind, asked, best, is_first=True)))
