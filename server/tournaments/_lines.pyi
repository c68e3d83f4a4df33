import numpy as np
from numpy.typing import NDArray

def game_lines(
    deals: NDArray[np.int64],
    seatings: NDArray[np.int64],
    seats: NDArray[np.int64],
    utilities: NDArray[np.float32],
    points: NDArray[np.float32],
    plies: NDArray[np.uint32],
    faults: NDArray[np.uint32],
    moves: NDArray[np.uint16],
    texts: list[bytes],
) -> bytes:
    """A line a game, one after the other; `moves` stand so too, and `texts` hold each move as JSON, by its number.

    The numbers of moves must lie within `texts`.
    """

def read_lines(
    text: bytes | bytearray | memoryview,
    deals: NDArray[np.int64],
    seatings: NDArray[np.int64],
    seats: NDArray[np.int64],
    utilities: NDArray[np.float32],
    points: NDArray[np.float32],
    plies: NDArray[np.uint32],
    faults: NDArray[np.uint32],
) -> int:
    """Fills in the numbers of the games at the beginning of a text; how many.

    It ends where the lines or the room for them end, and at a line that is not just as `game_lines` writes it.
    """
