"""Random bytes of the system, fetched many at a time: each fetch lets go of the interpreter, which a busy machine makes slow."""

import os
import threading

__all__ = ["EntropyPool", "drawn_bytes"]

FETCHED = 4096  # bytes


class EntropyPool:
    """For any thread. Each byte is given once; a process that forks goes on with bytes of its own."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.left = b""
        os.register_at_fork(after_in_child=self.forget)

    def draw(self, size: int) -> bytes:
        """So many bytes that nobody can foretell."""
        if size > FETCHED:
            return os.urandom(size)
        with self.lock:
            if len(self.left) < size:
                self.left = os.urandom(FETCHED)
            result, self.left = self.left[:size], self.left[size:]
        return result

    def forget(self) -> None:
        """Begins anew, in a child whose parent has the same bytes."""
        self.lock = threading.Lock()
        self.left = b""


drawn_bytes = EntropyPool().draw
