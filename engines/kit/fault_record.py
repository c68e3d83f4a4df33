"""The record of a fault: what an author's function was called with when it went wrong."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["FaultRecord"]


@dataclass(frozen=True, kw_only=True)
class FaultRecord:
    """The first fault of a thread, with all that repeats the call."""

    kind: int  # KIT_… in kit_call.h
    line: int  # in the author's file; 0: what the function answered was wrong, or nothing of the author's was
    a: int  # what they mean says the kind
    b: int
    function: str
    data: bytes  # the state before the call; of `determinize` the view
    move: int | None
    seat: int | None
    seed: int  # of the luck
    flags: int  # of the luck, as in machiavel_abi.h
    laid: Sequence[tuple[int, int, bytes]]  # luck laid out: purpose, counter, values
    rng: int  # in `determinize`: the stream's state
    is_whole: bool  # whether that is all there was of luck laid out
