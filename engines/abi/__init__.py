"""The contract between games and everything that plays them: `machiavel_abi.h`, and its declarations for Cython."""

from pathlib import Path

__all__ = ["get_include"]


def get_include() -> str:
    """Return the folder that holds `machiavel_abi.h`."""
    return str(Path(__file__).resolve().parent)
