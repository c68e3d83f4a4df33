"""What may be told of a fault."""

import traceback

__all__ = ["frames_of"]


def frames_of(error: BaseException) -> list[str]:
    """Where an error came from. Neither its message nor any variable: either may hold a hidden card."""
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)]
