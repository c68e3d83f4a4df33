"""Worlds: what a seat must hold possible, and how plausible the others' moves are in them."""

from collections.abc import Iterator

from machiavel.engines import State
from machiavel.engines.conformance.checks import Chapter
from machiavel.engines.conformance.engine_struct import likelihood_of
from machiavel.engines.conformance.trial import Finding, Trial, walk

__all__ = ["CHAPTER"]

CHAPTER = Chapter("worlds")


@CHAPTER.check()
def fitting_worlds(trial: Trial) -> Iterator[Finding]:
    """Every world gives back the view it was drawn from, its key, and who is asked."""
    for number, state in enumerate(trial.positions(20)):
        for seat in trial.case.observers:
            view = state.view(seat)
            yield from trial.equal(view.seat, seat, "seat of the view", seat)
            for seed in range(number, number + 3):
                world = view.determinize(seed)
                trial.counts["worlds"] += 1
                yield from trial.expect(
                    world.view(seat) == view, "a world that gives back the view", world.view(seat).to_json()["view"], seat
                )
                yield from trial.equal(world.view_key(seat), state.view_key(seat), f"key in the world of seed {seed}", seat)
                yield from trial.equal(
                    world.seats_to_move, state.seats_to_move, f"who is asked in the world of seed {seed}", seat
                )
                yield from trial.equal(world.seat_to_move, state.seat_to_move, f"who moves in the world of seed {seed}", seat)


def future(trial: Trial, world: State) -> bytes:
    """What nobody but the world knows: its bytes, or what comes of it where these hide nothing."""
    if trial.game.plugin.hides_nothing:
        *_, (world, _) = walk(world, 0)
    return world.to_bytes()


@CHAPTER.check()
def drawn_worlds(trial: Trial) -> Iterator[Finding]:
    """Worlds differ, so they are drawn, and are not the truth."""
    for seed in trial.seeds(5):
        state = trial.at(trial.new(seed))
        truth = future(trial, state.copy())
        for seat in trial.case.observers:
            view = state.view(seat)
            drawn = {future(trial, view.determinize(number)) for number in range(40)}
            trial.counts["worlds"] += 40
            is_truth = ", and it is the truth" if drawn == {truth} else ""
            yield from trial.expect(len(drawn) > 1, "different worlds of 40 seeds", f"always the same{is_truth}", seat)


@CHAPTER.check()
def nothing_hidden(trial: Trial) -> Iterator[Finding]:
    """A deal hides something from somebody, exactly where the engine does not say that states hide nothing."""
    hides_nothing = trial.game.plugin.hides_nothing
    is_shown = all(
        state.view(seat).determinize(1).to_bytes() == state.to_bytes()
        for state in (trial.at(trial.new(seed)) for seed in trial.seeds(5))
        for seat in trial.case.observers
    )
    yield from trial.equal(is_shown, hides_nothing, "whether worlds of a deal are the deal itself, as `hides_nothing` says")


@CHAPTER.check()
def repeated_worlds(trial: Trial) -> Iterator[Finding]:
    """The same view and seed give the same world, also from a world of that view."""
    for state in trial.positions(5):
        for seat in trial.case.observers:
            world = state.view(seat).determinize(5)
            same = state.view(seat).determinize(5).to_bytes() == world.to_bytes()
            yield from trial.expect(same, "the same world of the same view and seed", seat=seat)
            same = world.view(seat).determinize(6).to_bytes() == state.view(seat).determinize(6).to_bytes()
            yield from trial.expect(same, "the same world from the view in a world", seat=seat)


@CHAPTER.check()
def playable_worlds(trial: Trial) -> Iterator[Finding]:
    """Every world can be played to its end."""
    for number, state in enumerate(trial.positions(8)):
        for seat in trial.case.observers:
            *_, (last, _) = walk(state.view(seat).determinize(number), number)
            trial.counts["worlds"] += 1
            yield from trial.expect(last.is_over, "the end", seat=seat)
            yield from trial.equal(len(last.utilities), trial.case.players, "utilities", seat)


@CHAPTER.check(needs="likelihood")
def plausibility(trial: Trial) -> Iterator[Finding]:
    """Every world is more than impossible and at most certain, and always equally plausible."""
    for state in trial.positions(20):
        for seat in range(trial.case.players):
            for world in (state, state.view(seat).determinize(0)):
                plausible = likelihood_of(world, seat)
                yield from trial.expect(0 < plausible <= 1, "a likelihood above 0, and at most 1", plausible, seat)
                again = likelihood_of(world, seat), likelihood_of(world.copy(), seat)
                yield from trial.equal(again, (plausible, plausible), "the likelihood once more", seat)


@CHAPTER.check(needs="likelihood")
def plausibility_at_first(trial: Trial) -> Iterator[Finding]:
    """While nobody else has moved, all worlds are equally plausible."""
    for seed in trial.seeds(10):
        state = trial.at(trial.new(seed))
        seat = state.seat_to_move
        if seat is not None:
            said = {likelihood_of(state.view(seat).determinize(number), seat) for number in range(10)}
            yield from trial.expect(len(said) == 1, "one likelihood for all worlds before anybody has moved", sorted(said), seat)


@CHAPTER.check(needs="likelihood")
def plausibility_later(trial: Trial) -> Iterator[Finding]:
    """Some worlds are more plausible than others, once others have moved."""
    for state in trial.positions(30):
        for seat in range(trial.case.players):
            if len({likelihood_of(state.view(seat).determinize(number), seat) for number in range(10)}) > 1:
                return
    yield from trial.expect(False, "worlds that are not equally plausible", "all were")


@CHAPTER.check(needs="private_observation")
def private_observations(trial: Trial) -> Iterator[Finding]:
    """What a seat alone learns by a move follows from what it sees."""
    learnt, pointer = trial.case.contract.private_observation, trial.case.pointer

    def observation(before: State, text: str, seat: int) -> tuple[bytes, int]:
        move = before.resolve(text)
        after = before.copy()
        after.play(text)
        return after.seen_by(seat), learnt(pointer, before.to_bytes(), move, after.to_bytes(), seat)

    for seed in trial.seeds(3):
        for state, draw in trial.walk(seed):
            for seat in range(trial.case.players) if not state.is_over else ():
                world = state.view(seat).determinize(seed)
                text = draw.choice(state.legal_moves())
                if text in world.legal_moves():
                    seen, here = observation(state, text, seat)
                    same, there = observation(world, text, seat)
                    trial.counts["observations"] += 1
                    yield from trial.expect(
                        here == there or seen != same, f"the same hash for {text}, where the seat sees the same", there, seat
                    )
