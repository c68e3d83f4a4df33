"""What may be told of a fault."""

import traceback

from machiavel.engines import GameFault

__all__ = ["frames_of", "kind_of"]


def kind_of(error: BaseException) -> str:
    """The type of an error; of a fault in a game's rules also what its author's code raised: `GameFault: IndexError`."""
    inner = error.kind if isinstance(error, GameFault) else ""
    return ": ".join(filter(None, (type(error).__name__, inner)))


def frames_of(error: BaseException) -> list[str]:
    """Where an error came from, which of a fault in a game's rules is the place in its author's file.

    Neither its message nor any variable: either may hold a hidden card.
    """
    if isinstance(error, GameFault) and error.place:
        return [error.place]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)]
