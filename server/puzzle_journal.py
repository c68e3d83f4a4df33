"""What a search for puzzles has found, a line for each match, so that a search that was stopped goes on where it was."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from machiavel.engines import Game, GameError
from machiavel.search.puzzle_finder import FinderSettings, MatchFinding, different
from machiavel.search.puzzles import Puzzle
from machiavel.search.search_run import release
from machiavel.server.journal import BadJournal, FileJournal, Journal, JournalKind, Tell, ignore, row_of, values

__all__ = ["PuzzleJournal", "journal_path", "search_header"]

KIND = JournalKind("puzzles", key=lambda row: row["match"])


def journal_path(output: Path) -> Path:
    """Where what is found stands until the set is made of it: beside the set."""
    return output.with_name(f"{output.name}.found.jsonl")


def search_header(game: Game, settings: FinderSettings) -> dict[str, Any]:
    """All that what is found depends on."""
    return {
        "type": "puzzles",
        "game": game.name,
        "rules_version": game.rules_version,
        "digests": {str(players): game.make_rules(players).digest for players in settings.players},
        "settings": settings.to_json(),
        "engine": release(),
    }


class PuzzleJournal:
    """The matches that were looked at. One command at a time has it open."""

    def __init__(self, journal: Journal) -> None:
        """Raises BadJournal."""
        self._journal = journal
        self.matches: set[int] = set()
        self.puzzles: list[Puzzle] = []
        for line, row in values(journal):
            try:
                self._take(int(row["match"]), [Puzzle.from_json(one) for one in row["puzzles"]])
            except (GameError, LookupError, TypeError, ValueError) as error:
                raise BadJournal(f"{journal.name}: line {line}: {error}") from None

    @classmethod
    @contextlib.contextmanager
    def opened(cls, path: Path, header: Mapping[str, Any], *, resume: bool, tell: Tell = ignore) -> "Iterator[PuzzleJournal]":
        """The journal at that path, made where there is none; raises BadJournal, or OSError.

        `tell` is told if the last match was not written to its end, and is played again.
        """
        journal = FileJournal(path, KIND)
        if not resume and journal.is_begun:
            raise BadJournal(f"{path}: is there already; expected --resume to go on with it, or another --output")
        with journal.open(header, tell):
            yield cls(journal)

    def add(self, finding: MatchFinding) -> None:
        self._journal.append(row_of(finding.to_json()))
        self._take(finding.match, finding.puzzles)

    def distinct(self) -> int:
        """How many of them ask something that no other does."""
        return len(different(self.puzzles))

    def _take(self, match: int, puzzles: Sequence[Puzzle]) -> None:
        if match not in self.matches:
            self.matches.add(match)
            self.puzzles += puzzles
