"""The judgements of a review on disk, a line each as they are made, so that a review that was stopped goes on where it was."""

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from machiavel.engines import GameError, Record
from machiavel.search import Judgement, Review, Transcript
from machiavel.search.search_run import release
from machiavel.server.journal import BadJournal, FileJournal, Journal, JournalKind, Tell, ignore, row_of, values

__all__ = ["JUDGEMENTS", "Judgements", "digest_of", "digest_of_seen", "header_of", "opened"]

JUDGEMENTS = "judgements.jsonl"
KIND = JournalKind("review", key=lambda row: row["ply"])


class Judgements:
    """What was judged before, and where the rest is written. One command at a time has it open."""

    def __init__(self, journal: Journal, transcript: Transcript) -> None:
        self.known = known_of(journal, transcript)
        self._journal = journal

    def add(self, one: Judgement) -> None:
        self._journal.append(row_of(one.to_json()))


def header_of(transcript: Transcript, review: Review) -> dict[str, Any]:
    """All that judgements depend on; of a review of given seats nothing else."""
    return {
        "type": "review",
        "record": digest_of(transcript.record) if transcript.is_whole else digest_of_seen(transcript),
        "seats": sorted(transcript.seats),
        "iterations": review.iterations,
        "parameters": asdict(review.parameters),
        "engine": release(),
    }


def digest_of(record: Record) -> str:
    """The SHA-256 of a record, however its JSON was written."""
    text = json.dumps(record.to_json(), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of_seen(transcript: Transcript) -> str:
    """The SHA-256 of what the seats under review saw of the match, and of nothing else."""
    end, digest = transcript.end, hashlib.sha256(transcript.end.rules.digest.encode())
    for seat in sorted(transcript.seats):
        digest.update("".join(f"{move}\n" for move in end.observed_moves(seat)).encode() + end.seen_by(seat))
    for decision in transcript.decisions():
        digest.update(decision.view.to_bytes())
    return digest.hexdigest()


@contextlib.contextmanager
def opened(
    folder: Path, header: Mapping[str, Any], transcript: Transcript, *, resume: bool, tell: Tell = ignore
) -> Iterator[Judgements]:
    """The judgements of a folder, made where there is none; raises BadJournal, or OSError.

    `tell` is told if the last judgement was not written to its end, and is made again.
    """
    journal = FileJournal(folder / JUDGEMENTS, KIND)
    if not resume and journal.is_begun:
        raise BadJournal(f"{journal.path}: is there already; expected --resume to go on with it, or another folder")
    with journal.open(as_begun(journal, header, transcript), tell):
        yield Judgements(journal, transcript)


def as_begun(journal: FileJournal, header: Mapping[str, Any], transcript: Transcript) -> Mapping[str, Any]:
    """The header as the release that began the review wrote it: 0.1.0 had the digest of the whole record for given seats, too."""
    whole = digest_of(transcript.record)
    is_old = journal.is_begun and not transcript.is_whole and journal.header().get("record") == whole
    return {**header, "record": whole} if is_old else header


def known_of(journal: Journal, transcript: Transcript) -> list[Judgement]:
    choices = set(transcript.choices)
    known: dict[int, Judgement] = {}
    for line, row in values(journal):
        try:
            one = Judgement.from_json(row)
        except GameError as error:
            raise BadJournal(f"{journal.name}: line {line}: {error}") from None
        if (one.ply, one.seat) not in choices or one.move != transcript.moves[one.ply]:
            raise BadJournal(f"{journal.name}: line {line}: judges another move than the record has there")
        known.setdefault(one.ply, one)
    return list(known.values())
