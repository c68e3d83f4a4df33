"""A disk that takes no more."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def full() -> Iterator[None]:
    """No file of this process may be written beyond its first two thousand bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
