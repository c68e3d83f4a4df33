"""Cards: where they are, in positions and in worlds."""

from collections.abc import Iterator

from machiavel.engines.conformance import Chapter, Finding, NotTried, Trial
from machiavel.engines.kit.proofs.kit_cases import KitCase

__all__ = ["CHAPTER"]

CHAPTER = Chapter("cards")


@CHAPTER.check()
def places_of_cards(trial: Trial) -> Iterator[Finding]:
    """No card is in two places at once, nor more often than its deck has it, in positions and in worlds."""
    case = KitCase(trial)
    if not case.description.decks:
        raise NotTried("the game has no cards")
    for number, seed in enumerate(trial.seeds(8)):
        for state, _ in trial.walk(seed):
            yield from trial.expect(
                not (problem := case.facts.too_many(state.to_bytes())), "each card in one place", f"{problem}{case.at('apply')}"
            )
            for seat in trial.case.observers if number < trial.scaled(3) else ():
                world = state.view(seat).determinize(number)
                trial.counts["worlds"] += 1
                yield from trial.expect(
                    not (problem := case.facts.too_many(world.to_bytes())),
                    "each card in one place of a world",
                    f"{problem}{case.at('determinize')}",
                    seat,
                )
