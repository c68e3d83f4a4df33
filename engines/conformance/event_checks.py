"""Events: what a game tells of a move, from the views of one seat and from nothing else."""

import json
from collections.abc import Iterator
from typing import Any

from machiavel.engines import LANGUAGES, GameEvent, SeenMove, State, Teller
from machiavel.engines.conformance.checks import Chapter
from machiavel.engines.conformance.trial import Finding, NotTried, Trial

__all__ = ["CHAPTER"]

CHAPTER = Chapter("events")
PREFIX = "events."
Step = tuple[State, dict[str, Any] | None, SeenMove | None, dict[str, Any]]


@CHAPTER.check()
def event_words(trial: Trial) -> Iterator[Finding]:
    """Every kind of event has its text, and every text its event."""
    kinds = declared(trial)
    worded = {key.removeprefix(PREFIX).partition(".")[0] for key in trial.game.plugin.phrases().keys() if key.startswith(PREFIX)}  # noqa: SIM118
    trial.counts["kinds"] += len(kinds)
    yield from trial.equal(worded, set(kinds), "the events that have texts")


@CHAPTER.check()
def told_events(trial: Trial) -> Iterator[Finding]:
    """Every event is declared, with its fields and their types, and is told in every language to every seat and spectator."""
    declared(trial)
    rules = trial.case.rules
    for seed in trial.seeds(3):
        for seat in trial.case.observers:
            tellers = [Teller(trial.game.plugin, rules, language, seat) for language in LANGUAGES]
            for _, before, move, after in steps(trial, seed, seat):
                for teller in tellers:
                    for event in teller.events(before, move, after):
                        trial.counts["events"] += 1
                        text = teller.text(after, event)
                        yield from trial.expect(
                            text.strip(), f"words in {teller.language} for {event.kind}", "an empty text", seat
                        )


@CHAPTER.check()
def secrecy_of_events(trial: Trial) -> Iterator[Finding]:
    """What a seat is told follows from its own views: in another world of the same views it is the same."""
    declared(trial)
    plugin, rules = trial.game.plugin, trial.case.rules
    for seed in trial.seeds(3):
        for seat in trial.case.observers:
            teller = Teller(plugin, rules, LANGUAGES[0], seat)
            other = Teller(plugin, rules, LANGUAGES[0], None)
            for state, before, move, after in steps(trial, seed, seat):
                told = as_json(teller.events(before, move, after))
                world = state.view(seat).determinize(seed)
                # What an engine keeps from call to call is that of another match now.
                other.events(None, None, seen_by(world, None))
                again = as_json(teller.events(before, move, seen_by(world, seat)))
                trial.counts["pairs"] += 1
                yield from trial.equal(again, told, "the events told in another world of the same view", seat)


def declared(trial: Trial) -> Any:
    kinds = trial.game.plugin.event_kinds
    if not kinds:
        raise NotTried("the game tells no events")
    return kinds


def steps(trial: Trial, seed: int, seat: int | None) -> Iterator[Step]:
    """A match as one seat sees it: at each position the view before, the move, and the view after."""
    before, mover = None, None
    for state, _ in trial.walk(seed):
        after, text = seen_by(state, seat), state.last_move(seat)
        yield state, before, None if mover is None or text is None else SeenMove(mover, text), after
        before, mover = after, state.seat_to_move


def seen_by(state: State, seat: int | None) -> dict[str, Any]:
    view: dict[str, Any] = state.view(seat).to_json()["view"]
    return view


def as_json(told: list[GameEvent]) -> str:
    return json.dumps([[event.kind, event.fields] for event in told], default=dict)
