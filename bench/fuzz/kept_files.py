"""Files that a server keeps, as somebody may have changed them: databases of matches, journals of tournaments."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from bench.fuzz.files import OneFile
from machiavel.engines import GameError
from machiavel.server.storage import StorageFailed, open_storage
from machiavel.server.tournaments.game_journal import GAMES, read_game, read_results
from machiavel.server.tournaments.standings import standings

__all__ = ["database_seeds", "databases", "journal_seeds", "journals"]

BEFORE = Path(__file__).parents[2] / "tests/before/0.1.0/matches.sqlite3"
MOST = 1 << 14  # bytes of a journal to begin with


def databases() -> Callable[[bytes], None]:
    file = OneFile("matches.db")

    def read(data: bytes) -> None:
        path = file.write(data)
        with suppress(StorageFailed):
            storage = open_storage(f"sqlite:///{path}")
            try:
                for match in storage.listed(None, None, None, 100):
                    storage.load(match.match)
            finally:
                storage.close()

    return read


def database_seeds() -> list[bytes]:
    """One of an older release, with matches, and what this one makes of it."""
    file = OneFile("matches.db")
    storage = open_storage(f"sqlite:///{file.write(BEFORE.read_bytes())}")
    storage.close()
    return [BEFORE.read_bytes(), Path(file.path).read_bytes()]


def journals() -> Callable[[bytes], None]:
    """The games of a tournament, as compiled code reads them, and what they come to."""
    file = OneFile(GAMES)

    def read(data: bytes) -> None:
        path = Path(file.write(data))
        with suppress(GameError):
            read_game(path, lambda number, *_: number == 2)
        with suppress(GameError):
            standings(read_results(path.parent)[0].only_whole_deals())

    return read


def journal_seeds() -> list[bytes]:
    """The first games of some, each to its end."""
    texts = [file.read_bytes()[:MOST] for file in sorted(BEFORE.parent.glob(f"tournaments/**/{GAMES}"))]
    return [text[: text.rindex(b"\n") + 1] for text in texts]
