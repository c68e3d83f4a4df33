"""What searches must do with any engine, in the least arena there is, and the hints made of what they find."""

import random
import re
from collections.abc import Iterator

from machiavel.engines import LANGUAGES, View
from machiavel.engines.conformance import Chapter, Finding, Trial
from machiavel.search._search import Search, root_moves
from machiavel.search.explaining import explain
from machiavel.search.limits import Limits
from machiavel.search.parameters import SearchParameters
from machiavel.search.search_run import recommend

__all__ = ["CHAPTER"]

CHAPTER = Chapter("search")
LEAST = 1  # byte asked for: an arena of a megabyte, for less is never made
SMALL_GAME = 500  # nodes: all there are
ITERATIONS = 200  # of a search for a hint
UNFILLED = re.compile(r"[{}\[\]]")


def open_view(trial: Trial) -> View:
    """A position with a choice, as its mover sees it."""
    result = [state for state in trial.sample(20, salt=1) if not state.is_over]
    widest = max(result, key=lambda state: len(state.legal_moves()))
    return trial.at(widest).view(widest.seat_to_move)


@CHAPTER.check()
def full_arena(trial: Trial) -> Iterator[Finding]:
    """A search whose arena is full gives nodes up and goes on: every visit is counted once, in every variant."""
    for variant in ("single", "multi", "pimc"):
        view = open_view(trial)
        parameters = SearchParameters(variant=variant, worlds=4, seed=1).for_game(trial.game)
        search = Search(view, root_moves(view), parameters, LEAST, explain=True)
        most = trial.scaled(60_000)
        while search.iterations < most and not search.statistics()["given_up"]:
            search.run(min(most, search.iterations + 2000), None)
        search.run(search.iterations + trial.scaled(4000), None)
        trial.counts["iterations"] += search.iterations
        figures = search.statistics()
        few = figures["given_up"] or figures["nodes"] < SMALL_GAME
        yield from trial.expect(few, f"nodes given up in a full arena, variant {variant}", figures)
        visits = sum(look[0] for look in search.look(1, 8))
        yield from trial.equal(visits, search.iterations, f"visits of all moves, variant {variant}")
        looks = [look[:2] for look in search.look()]
        inside = all(0 <= total <= visits for visits, total in looks)
        yield from trial.expect(inside, f"as much won as visited at most, variant {variant}", looks)


@CHAPTER.check()
def kept_tree(trial: Trial) -> Iterator[Finding]:
    """A tree is kept from move to move through a match, in an arena that is too small for it."""
    state = trial.at(trial.new(3))
    seat = state.seat_to_move
    rng = random.Random(3)
    view = state.view(seat)
    parameters = SearchParameters(variant="single", seed=1).for_game(trial.game)
    search = Search(view, root_moves(view), parameters, LEAST)
    moved = 0
    while not state.is_over and moved < 12:
        if state.seat_to_move == seat:
            trial.at(state)
            view = state.view(seat)
            search.go_on(view, root_moves(view), moved)
            search.run(trial.scaled(3000), None)
            trial.counts["iterations"] += search.iterations
            visits = [look[0] for look in search.look(1, 4)]
            yield from trial.equal(search.iterations, trial.scaled(3000), "iterations")
            yield from trial.expect(sum(visits) >= search.iterations, f"{search.iterations} visits at least", sum(visits))
            state.play(state.legal_moves()[visits.index(max(visits))])
            moved += 1
        else:
            state.play(rng.choice(state.legal_moves()))
    yield from trial.expect(moved, "a seat that comes to move", "it never did")


@CHAPTER.check()
def whole_hints(trial: Trial) -> Iterator[Finding]:
    """A hint is the same for every world of a view, and its sentences are whole in every language."""
    for number, state in enumerate(trial.positions(12)):
        if state.is_over:
            continue
        seat = state.seat_to_move
        told = []
        for shown in (state, state.view(seat).determinize(number)):
            view = shown.view(seat)
            found = recommend(view, Limits(iterations=ITERATIONS), SearchParameters(seed=5), explain=True)
            told.append((found.to_json(), explain(view, found).to_json()))
        trial.counts["hints"] += 1
        yield from trial.equal(told[1], told[0], "the hint in another world of the same view", seat)
        for sentence in told[0][1]["sentences"]:
            for language in LANGUAGES:
                text = sentence.get(language, "")
                yield from trial.expect(text and not UNFILLED.search(text), f"a whole sentence in {language}", text, seat)
