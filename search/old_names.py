"""Names of an earlier release, which still work and say what to write instead."""

import warnings

__all__ = ["warn_of_old"]


def warn_of_old(name: str, new: str) -> None:
    """Called by what has the old name: the warning points at the line that uses it."""
    warnings.warn(f"{name} is called {new} now; the old name goes with release 0.3", DeprecationWarning, stacklevel=3)
