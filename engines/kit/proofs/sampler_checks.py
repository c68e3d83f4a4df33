"""Worlds against samplers: those of a deal against deals, those of a view against earlier ones carried on by the moves seen."""

import random
from collections.abc import Iterator, Sequence

from machiavel.engines.conformance import Chapter, Finding, Trial
from machiavel.engines.kit.proofs.kit_cases import KitCase
from machiavel.engines.kit.proofs.sampling import PlayedMatch, difference

__all__ = ["CHAPTER"]

CHAPTER = Chapter("samplers")
DEALS = 6000  # of all seats and the spectator together
MATCHES = 4
PLACES = 3  # of a match in which worlds are compared, and as many seats, or the spectator
SEATS = 3
STEPS = 8  # of a match, after which worlds are compared with those carried on from the view before
POSITIONS = 60  # of which it is told how their worlds are drawn
WORLDS = 300  # drawn in each way
FEWEST = 50  # that must come through to be compared


@CHAPTER.check()
def equal_deals(trial: Trial) -> Iterator[Finding]:
    """Worlds of what is seen of a deal are as deals are: what is hidden lies everywhere as often."""
    case = KitCase(trial)
    for seat in trial.case.observers:
        deals, worlds = [], []
        for seed in trial.seeds(DEALS // len(trial.case.observers)):
            state = trial.new(seed)
            deals.append(state.to_bytes())
            worlds.append(state.view(seat).determinize(seed ^ 1).to_bytes())
        trial.counts["worlds"] += len(worlds)
        trial.note(f"{len(deals)} deals from seed {trial.seeds(1)[0]}")
        found = difference(case.facts.of, deals, worlds)
        if found is not None:
            why = f"the deal is not the one that worlds suppose, and no determinize says how it is{case.at('deal')}"
            if case.has("determinize"):
                why = f"they are not drawn as often as they are dealt{case.at('determinize')}"
            yield trial.finding(
                f"worlds of {who(seat)} first view, drawn for {len(deals):,} deals, to be as the deals were ({case.sampler})",
                f"{found} deals: {why}",
                seat,
            )


@CHAPTER.check()
def earlier_views(trial: Trial) -> Iterator[Finding]:
    """Worlds hold what earlier views and the moves seen since tell, neither more nor less, and each as often: no view forgets."""
    case = KitCase(trial)
    draw = random.Random(str(trial.case))
    wanted = trial.scaled(WORLDS)
    for seed in trial.seeds(MATCHES):
        match = PlayedMatch(trial, seed)
        for last, seat, firsts in places(match, trial.case.observers, draw):
            state = trial.at(match.states[last])
            first, carried = match.earliest(seat, firsts, last, wanted, draw)
            if len(carried) < min(FEWEST, wanted):
                trial.counts["rare views"] += 1
                continue
            view = state.view(seat)
            drawn = [view.determinize(number).to_bytes() for number in range(wanted)]
            trial.counts["worlds"] += len(carried) + len(drawn)
            found = difference(case.facts.of, (world.to_bytes() for world in carried), drawn)
            if found is None:
                continue
            expected = f"worlds of {who(seat)} view as its view after {first} moves and the moves seen since allow them"
            if found.is_known and not case.has("determinize"):
                why = f"the view forgets what could be known: let a field keep it, such as a mask for within={case.at('apply')}"
            elif found.is_known:
                why = f"determinize contradicts what was seen, or no mask for within= keeps it{case.at('determinize')}"
            else:
                why = f"they are not drawn as often as they are dealt{case.at('determinize')}"
            yield trial.finding(f"{expected} ({case.sampler})", f"{found} carried on: {why}", seat)


def places(
    match: PlayedMatch, observers: Sequence[int | None], draw: random.Random
) -> Iterator[tuple[int, int | None, Sequence[int]]]:
    """After how many moves worlds are compared, for whom, and after how many the views may stand that they are carried on from.

    From far away little comes through in a long match. So at more places from the view before: there is seen what a move shows.
    """
    plies = range(1, len(match.states) - 1)
    for last in sorted(draw.sample(plies, min(len(plies), PLACES))):
        for seat in draw.sample(observers, min(SEATS, len(observers))):
            yield last, seat, (0, last // 2, last - 1)
    for last in sorted(draw.sample(plies, min(len(plies), STEPS))):
        others = [seat for seat in observers if seat != match.states[last - 1].seat_to_move]
        yield last, draw.choice(others), (last - 1,)


@CHAPTER.check()
def exact_samplers(trial: Trial) -> Iterator[Finding]:
    """Whether worlds are drawn exactly as often as they are dealt, or nearly so: told, and not judged."""
    case = KitCase(trial)
    before = case.plugin.runtime.samplers_used()
    worlds = 0
    for number, state in enumerate(trial.positions(POSITIONS)):
        for seat in trial.case.observers:
            state.view(seat).determinize(number)
            worlds += 1
    trial.counts["worlds"] += worlds
    trial.tell(case.sampled(worlds, before))
    yield from ()


def who(seat: int | None) -> str:
    return "the spectator's" if seat is None else f"seat {seat}'s"
