"""Matches kept in memory: for trying out and for tests; the end of the process is the end of them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from machiavel.server.storage.contract import (
    Conflict,
    Event,
    Header,
    LastActivity,
    Retention,
    SavedResponse,
    Step,
    StoredMatch,
    Write,
    no_step,
)
from machiavel.server.storage.kept_bytes import MATCH, size_of_write, size_of_writes

__all__ = ["MemoryStorage"]


class MemoryMatch:
    """A match."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.events: dict[int, Event] = {}
        self.answers: dict[tuple[str, bytes], SavedResponse] = {}
        self.deleted = False

    @property
    def size(self) -> int:
        if self.deleted:
            return 0
        return MATCH + len(self.header.setup.encode()) + size_of_writes(self.events.values(), list(self.answers.values()))

    @property
    def last(self) -> LastActivity:
        time = self.events[max(self.events)].time if self.events else self.header.created
        return LastActivity(self.header.match, self.header.created, time)

    def copy(self) -> "MemoryMatch":
        copy = MemoryMatch(self.header)
        copy.events, copy.answers, copy.deleted = dict(self.events), dict(self.answers), self.deleted
        return copy


class MemoryStorage:
    """Keeps matches as long as it lives."""

    def __init__(self, step: Step = no_step) -> None:
        self.step = step
        self.bytes_kept = Counter[str]()  # by account
        self.matches: dict[str, MemoryMatch] = {}
        self.codes: dict[bytes, str] = {}
        self.creations: dict[tuple[str, bytes], str] = {}

    def write(self, writes: Sequence[Write]) -> None:
        matches, codes, creations = self.matches, self.codes, self.creations
        touched = {one.match: matches[one.match].copy() for one in writes if one.match in matches and not one.purge}
        new_codes: dict[bytes, str] = {}
        new_creations: dict[tuple[str, bytes], str] = {}
        for one in writes:
            self.add(one, touched, new_codes, new_creations)
        self.step("written")
        for one in writes:
            before = matches.get(one.match)
            if before is not None and (one.delete or one.purge):
                self.bytes_kept[before.header.caller] -= before.size
            elif before is not None and one.rewritten is not None:
                self.bytes_kept[before.header.caller] += touched[one.match].size - before.size
            elif one.match in touched:
                self.bytes_kept[touched[one.match].header.caller] += size_of_write(one)
        matches.update(touched)
        codes.update(new_codes)
        creations.update(new_creations)
        for one in writes:
            if one.purge:
                matches.pop(one.match, None)
                self.creations = {key: match for key, match in self.creations.items() if match != one.match}
            if one.delete or one.purge:
                self.codes = {code: match for code, match in self.codes.items() if match != one.match}
        self.step("committed")

    def add(
        self, one: Write, touched: dict[str, MemoryMatch], codes: dict[bytes, str], creations: dict[tuple[str, bytes], str]
    ) -> None:
        header = one.header
        if one.purge:
            return
        if header is not None:
            if one.match in touched or header.code in self.codes or header.code in codes:
                raise Conflict(one.match)
            touched[one.match] = MemoryMatch(header)
            if header.code is not None:
                codes[header.code] = one.match
        kept = touched.get(one.match)
        if kept is None or kept.deleted:
            raise Conflict(one.match)
        if one.rewritten is not None:
            kept.header = one.rewritten.header
            kept.events = {event.seq: event for event in one.rewritten.events}
            kept.answers = {(answer.actor, answer.request): answer for answer in one.rewritten.answers}
        for event in one.events:
            if event.seq in kept.events:
                raise Conflict(f"{one.match} {event.seq}")
            kept.events[event.seq] = event
        for answer in (one.answer, one.creation):
            if answer is not None:
                if (answer.actor, answer.request) in kept.answers:
                    raise Conflict(f"{one.match} {answer.actor}")
                kept.answers[answer.actor, answer.request] = answer
        if one.creation is not None:
            key = (kept.header.account, one.creation.request)
            if key in self.creations or key in creations:
                raise Conflict(one.match)
            creations[key] = one.match
        if one.phase is not None:
            kept.header = replace(kept.header, phase=one.phase)
        if one.summary is not None:
            kept.header = replace(kept.header, summary=one.summary)
        if one.delete:
            kept.header = replace(kept.header, setup="{}", summary="{}", code=None, phase="over")
            kept.events, kept.answers, kept.deleted = {}, {}, True

    def load(self, match: str) -> StoredMatch | None:
        kept = self.matches.get(match)
        if kept is None:
            return None
        events = tuple(kept.events[seq] for seq in sorted(kept.events))
        return StoredMatch(kept.header, events, tuple(kept.answers.values()), kept.deleted)

    def by_code(self, code: bytes) -> str | None:
        return self.codes.get(code)

    def by_creation(self, account: str, request: bytes) -> str | None:
        return self.creations.get((account, request))

    def listed(self, account: str | None, phase: str | None, before: tuple[int, str] | None, most: int) -> list[Header]:
        result = [
            kept.header
            for kept in self.matches.values()
            if not kept.deleted
            and (account is None or kept.header.account == account)
            and (phase is None or kept.header.phase == phase)
            and (before is None or (kept.header.created, kept.header.match) < before)
        ]
        return sorted(result, key=lambda one: (one.created, one.match), reverse=True)[:most]

    def lasts(self, phase: str, before: int, after: tuple[int, str] | None, most: int) -> list[LastActivity]:
        result = [
            kept.last
            for kept in self.matches.values()
            if not kept.deleted
            and kept.header.phase == phase
            and kept.header.created < before
            and (after is None or (kept.header.created, kept.header.match) > after)
        ]
        return sorted(result, key=lambda one: (one.created, one.match))[:most]

    def names(self) -> Iterator[str]:
        return iter(sorted(match for match, kept in self.matches.items() if not kept.deleted))

    def belonging(self, account: str) -> list[str]:
        return sorted(match for match, kept in self.matches.items() if kept.header.account == account)

    def kept(self) -> Mapping[str, int]:
        return dict(self.bytes_kept)

    def retention(self) -> Retention:
        return Retention()

    def look(self) -> None:
        pass

    def close(self) -> None:
        pass
