"""What happened in a game, as messages: told from the views of one viewer, and from nothing else."""

from dataclasses import dataclass, field
from functools import lru_cache

from machiavel import v1
from machiavel.engines import LANGUAGES, Engine, SeenMove, State, Teller, View
from machiavel.server.service.wire import text_message

__all__ = ["by_viewer", "events_of", "last_events"]

KEPT = 512  # steps: all who watch a match from one seat, or as spectators, are told the same


@dataclass(frozen=True)
class ViewStep:
    """From one view of a viewer to the next. Two that look the same are told the same."""

    plugin: Engine
    digest: str  # of the rules
    seat: int | None
    before: bytes | None
    move: SeenMove | None
    after: bytes
    views: tuple[View | None, View] = field(compare=False)


def events_of(before: View | None, move: SeenMove | None, after: View) -> list[v1.GameEvent]:
    """What happened between two views of one viewer; `before` and `move` are None at the beginning of a match.

    The move is one as that viewer saw it. Raises IncompatibleEngine for an event that the game has not declared.
    """
    earlier = None if before is None else before.to_bytes()
    return told(ViewStep(after.game.plugin, after.rules.digest, after.seat, earlier, move, after.to_bytes(), (before, after)))


@lru_cache(maxsize=KEPT)
def told(step: ViewStep) -> list[v1.GameEvent]:
    before, after = step.views
    earlier = None if before is None else before.to_json()["view"]
    seen = after.to_json()["view"]
    tellers = {one: Teller(step.plugin, after.rules, one, step.seat) for one in LANGUAGES}
    result = []
    for event in tellers[LANGUAGES[0]].events(earlier, step.move, seen):
        text = {language: teller.text(seen, event) for language, teller in tellers.items()}
        message = v1.GameEvent(kind=event.kind, text=text_message(text))
        message.fields.update(event.fields)
        result.append(message)
    return result


def last_events(before: State | None, after: State, viewer: int | None) -> list[v1.GameEvent]:
    """What happened with the last move, or how the match begins, as one viewer saw it; `before` is the match without it."""
    text = after.last_move(viewer)
    if before is None or text is None or before.seat_to_move is None:
        return events_of(None, None, after.view(viewer))
    return events_of(before.view(viewer), SeenMove(before.seat_to_move, text), after.view(viewer))


def by_viewer(before: State | None, after: State) -> list[v1.ViewerEvents]:
    """The same for each seat, and for a spectator."""
    return [v1.ViewerEvents(seat=viewer, events=last_events(before, after, viewer)) for viewer in (*range(after.players), None)]
