"""A game of the kit compiled and interpreted: the same, by its matches and by searches of it, and how fast each is."""

import random
import time
from collections.abc import Iterator, Sequence

from machiavel.engines import Game, GameFault, State
from machiavel.engines.conformance import Chapter, ConformanceCase, Finding, NotTried, Trial
from machiavel.engines.kit.proofs import KitCase
from machiavel.search._search import Search, root_moves
from machiavel.search.limits import Limits
from machiavel.search.parameters import SearchParameters
from machiavel.search.search_run import recommend

__all__ = ["CHAPTERS"]

MODES, SPEED = Chapter("modes"), Chapter("speed")
CHAPTERS = (MODES, SPEED)
MATCHES = 12
SEARCHES = 3
ITERATIONS = 300
MEGABYTES = 64
SECONDS = 0.5  # for each figure
FEW, MOST = 8, 1 << 22  # playouts or iterations
TICK = 1e-6  # seconds


def other_case(trial: Trial) -> ConformanceCase:
    """The same case interpreted; raises NotTried where the game is interpreted anyway."""
    kit = KitCase(trial)
    if kit.mode == "interpreted":
        raise NotTried("the game is interpreted, since it cannot be compiled here: llvmlite or gcc would do")
    return ConformanceCase(kit.interpreted_game(), trial.case.players, trial.case.options)


@MODES.check()
def equal_modes(trial: Trial) -> Iterator[Finding]:
    """Compiled and interpreted, matches are the same: states, views, keys, legal moves, weights, worlds and results."""
    other = other_case(trial)
    for seed in trial.seeds(MATCHES):
        there = other.new(seed)
        for here, draw in trial.walk(seed):
            told = [looked_at(state, trial.case.observers, seed) for state in (here, there)]
            for (what, seat, compiled), (_, _, interpreted) in zip(*told, strict=True):
                yield from trial.equal(compiled, interpreted, f"{what}, as interpreted", seat)
            if not here.is_over:
                # `walk` plays on with the same draw.
                again = random.Random()
                again.setstate(draw.getstate())
                there.play(again.choice(here.legal_moves()))
    first = trial.seeds(1)[0]
    trial.note(f"games in bulk from seed {first}")
    rules = [case.game.playouts(trial.scaled(20), first, players=case.players, **case.options) for case in (trial.case, other)]
    yield from trial.equal(rules[0].utilities.tolist(), rules[1].utilities.tolist(), "results in bulk, as interpreted")
    yield from trial.equal(rules[0].plies.tolist(), rules[1].plies.tolist(), "moves of games in bulk, as interpreted")


def looked_at(state: State, observers: Sequence[int | None], seed: int) -> list[tuple[str, int | None, object]]:
    """All that can be seen of a position: what, of whom, and its value."""
    result: list[tuple[str, int | None, object]] = [("the state", None, state.to_bytes().hex())]
    for seat in observers:
        result += [
            ("the view", seat, state.seen_by(seat).hex()),
            ("the key of the view", seat, state.view_key(seat)),
            ("a world", seat, state.view(seat).determinize(seed).to_bytes().hex()),
        ]
    result += [("legal moves", seat, state.legal_moves(seat)) for seat in sorted(state.seats_to_move)]
    if state.is_over:
        return [*result, ("the result", None, (state.utilities, state.metrics))]
    return [*result, ("weights", state.seat_to_move, state.weights())]


@MODES.check()
def equal_searches(trial: Trial) -> Iterator[Finding]:
    """Compiled and interpreted, a search with a seed finds the same candidates."""
    other = other_case(trial)
    iterations = trial.scaled(ITERATIONS)
    for seed in trial.seeds(SEARCHES):
        match = [state.copy() for state, _ in trial.walk(seed) if not state.is_over]
        here = trial.at(match[seed % len(match)])
        there = other.game.deal(other.rules, seed=seed)
        for move in here.moves:
            there.play(move)
        seat = here.seat_to_move
        told = [
            recommend(state.view(seat), Limits(iterations=iterations), SearchParameters(seed=5)).to_json()
            for state in (here, there)
        ]
        trial.counts["iterations"] += 2 * iterations
        for answer in told:
            answer.pop("seconds", None)
        yield from trial.equal(told[0], told[1], "the recommendation, as interpreted", seat)


@SPEED.check()
def measured_speed(trial: Trial) -> Iterator[Finding]:
    """How fast it is, by CPU time: told, and not judged."""
    kit = KitCase(trial)
    games = {kit.mode: trial.game}
    if kit.mode != "interpreted":
        games["interpreted"] = kit.interpreted_game()
    figures = []
    for mode, game in games.items():
        try:
            iterations, playouts = iterations_a_second(game, trial), playouts_a_second(game, trial)
        except GameFault as fault:
            yield trial.finding("a search without a fault", fault.what)
            return
        figures.append(f"{mode}, {iterations:,.0f} iterations and {playouts:,.0f} playouts a second")
    options = "".join(f", {name}={value}" for name, value in trial.case.options.items())
    trial.tell(f"{trial.case.players} players{options}: {'; '.join(figures)}")


def playouts_a_second(game: Game, trial: Trial) -> float:
    count, took = FEW, 0.0
    while took < SECONDS / 4 and count < MOST:
        count *= 4
        began = time.process_time()
        game.playouts(count, trial.seeds(1)[0], players=trial.case.players, **trial.case.options)
        took = time.process_time() - began
    return count / max(took, TICK)


def iterations_a_second(game: Game, trial: Trial) -> float:
    state = game.new(trial.case.players, seed=trial.seeds(1)[0], **trial.case.options)
    view = state.view(state.seat_to_move)
    search = Search(view, root_moves(view), SearchParameters(seed=1).for_game(game), MEGABYTES << 20)
    began = time.process_time()
    search.run(None, time.monotonic() + SECONDS)
    return search.iterations / max(time.process_time() - began, TICK)
