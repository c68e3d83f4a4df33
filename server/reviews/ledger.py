"""The judgements of a review on disk, a line each as they are made, so that a review that was stopped goes on where it was."""

import contextlib
import fcntl
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from machiavel.engines import GameError, Record
from machiavel.search import Judgement, Review, Transcript
from machiavel.search.search_run import release

__all__ = ["JUDGEMENTS", "BadLedger", "Ledger", "header_of", "opened"]

JUDGEMENTS = "judgements.jsonl"


class BadLedger(GameError):
    """A folder cannot take this review."""


class Ledger:
    """What was judged before, and where the rest is written. One command at a time has it open."""

    def __init__(self, file: IO[str], known: list[Judgement]) -> None:
        self.file = file
        self.known = known

    def add(self, one: Judgement) -> None:
        self.file.write(line(one.to_json()))
        self.file.flush()


def header_of(transcript: Transcript, review: Review) -> dict[str, Any]:
    """All that judgements depend on."""
    return {
        "type": "review",
        "record": digest_of(transcript.record),
        "seats": sorted(transcript.seats),
        "iterations": review.iterations,
        "parameters": asdict(review.parameters),
        "engine": release(),
    }


def digest_of(record: Record) -> str:
    """The SHA-256 of a record, however its JSON was written."""
    text = json.dumps(record.to_json(), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@contextlib.contextmanager
def opened(folder: Path, header: Mapping[str, Any], transcript: Transcript, *, resume: bool) -> Iterator[Ledger]:
    """The ledger of a folder, made where there is none; raises BadLedger, or OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / JUDGEMENTS
    with path.open("a+", encoding="utf-8", newline="\n") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadLedger(f"{path}: another command is writing to it") from None
        lines = whole_lines(file)
        if not lines:
            file.write(line(header))
            file.flush()
        elif not resume:
            raise BadLedger(f"{path}: is there already; expected --resume to go on with it, or another folder")
        yield Ledger(file, known_of(path, lines, header, transcript))


def whole_lines(file: IO[str]) -> list[str]:
    """The lines that were written to their ends; what is left of another is cut off."""
    file.seek(0)
    text = file.read()
    whole = text[: text.rfind("\n") + 1]
    if len(whole) < len(text):
        file.truncate(len(whole.encode()))
    return whole.splitlines()


def known_of(path: Path, lines: list[str], header: Mapping[str, Any], transcript: Transcript) -> list[Judgement]:
    if not lines:
        return []
    found = parsed(path, 1, lines[0])
    for name, value in header.items():
        if not isinstance(found, dict) or found.get(name) != value:
            raise BadLedger(f"{path}: line 1: {name} is not that of this review; expected another folder")
    choices = set(transcript.choices)
    known: dict[int, Judgement] = {}
    for number, text in enumerate(lines[1:], 2):
        try:
            one = Judgement.from_json(parsed(path, number, text))
        except GameError as error:
            raise BadLedger(f"{path}: line {number}: {error}") from None
        if (one.ply, one.seat) not in choices or one.move != transcript.moves[one.ply]:
            raise BadLedger(f"{path}: line {number}: judges another move than the record has there")
        known[one.ply] = one
    return list(known.values())


def parsed(path: Path, number: int, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BadLedger(f"{path}: line {number}: is no JSON; expected a ledger of reviews, or another folder") from None


def line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
