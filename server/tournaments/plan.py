"""What a tournament is: everything its games depend on, and nothing of how or how long it is played."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from machiavel.engines import BadOption, Game, GameError, Rules, load
from machiavel.engines.record import parse_seed
from machiavel.engines.registry import file_of
from machiavel.server.journal import BadJournal
from machiavel.server.tournaments.schedule import ALL_UP_TO, FORMATS, SEATINGS, Schedule, lineups_of

__all__ = ["MOST_BOTS", "Plan", "TimedSpec", "make_plan"]

MOST_BOTS, MOST_PLAYERS = 64, 8
TIMED = re.compile(r"(?P<spec>.*)@(?P<number>\d+(?:\.\d+)?)(?P<unit>ms|s)", re.DOTALL)


@dataclass(frozen=True)
class TimedSpec:
    """A bot, and how long it may take for a move."""

    spec: str
    seconds: float | None

    @classmethod
    def read(cls, text: str) -> Self:
        """`SPEC` or `SPEC@0.5s`, `SPEC@20ms`; raises BadOption."""
        matched = TIMED.fullmatch(text.strip())
        if matched is None:
            return cls(text.strip(), None)
        seconds = float(matched["number"]) / (1000 if matched["unit"] == "ms" else 1)
        if not 0 < seconds <= 3600:
            raise BadOption("bots", text, "a time for a move, above 0 and at most 3600s, after the @")
        return cls(matched["spec"], seconds)


@dataclass(frozen=True)
class Plan:
    """The first line of a journal. Equal plans have equal games, whatever plays them."""

    game: str
    rules_version: int
    digest: str
    options: Mapping[str, Any]  # complete, players included
    bots: tuple[str, ...]
    seed: int
    format: str
    tables: tuple[tuple[int, ...], ...]  # where the format is `tables`, else empty
    seatings: str
    sample: int
    sprt: Mapping[str, float] | None = None  # the hypotheses and errors of a test that ends it

    @property
    def players(self) -> int:
        return int(self.options["players"])

    @cached_property
    def rules(self) -> Rules:
        """Raises BadJournal where this release, or the file of the game, has other rules."""
        game = load(self.game)
        options = dict(self.options)
        try:
            rules = game.make_rules(options.pop("players"), **options)
        except (GameError, KeyError) as error:
            raise BadJournal(f"the options of the tournament make no rules: {error}") from error
        if rules.digest != self.digest or game.rules_version != self.rules_version:
            source = file_of(self.game)
            has = "this release has" if source is None else f"{source} has now: digest {self.digest}, not {rules.digest}"
            raise BadJournal(f"the tournament is by other rules of {self.game} than {has}")
        return rules

    @cached_property
    def loaded(self) -> Game:
        return load(self.game)

    @cached_property
    def schedule(self) -> Schedule:
        cooperative = self.loaded.is_cooperative
        if self.format == "tables":
            lineups: Sequence[tuple[int, ...]] = self.tables
        else:
            lineups = lineups_of(self.format, len(self.bots), self.players, is_cooperative=cooperative)
        return Schedule(self.players, len(self.bots), tuple(lineups), self.seatings, self.sample, self.seed)

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "rules_version": self.rules_version,
            "digest": self.digest,
            "options": dict(self.options),
            "bots": list(self.bots),
            "seed": str(self.seed),
            "format": self.format,
            "tables": [list(table) for table in self.tables],
            "seatings": self.seatings,
            "sample": self.sample,
            "sprt": None if self.sprt is None else dict(self.sprt),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Raises BadJournal."""
        try:
            if not 1 <= int(data["options"]["players"]) <= MOST_PLAYERS:
                raise ValueError(f"{data['options']['players']} players")
            return cls(
                game=str(data["game"]),
                rules_version=int(data["rules_version"]),
                digest=str(data["digest"]),
                options=dict(data["options"]),
                bots=tuple(map(str, data["bots"])),
                seed=parse_seed(data["seed"]),
                format=str(data["format"]),
                tables=tuple(tuple(map(int, table)) for table in data["tables"]),
                seatings=str(data["seatings"]),
                sample=int(data["sample"]),
                sprt=None if data["sprt"] is None else {name: float(value) for name, value in data["sprt"].items()},
            )
        except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise BadJournal(f"its first line is no tournament: {error}") from None


def make_plan(
    game: Game,
    rules: Rules,
    bots: Sequence[str],
    seed: int,
    *,
    form: str = "round-robin",
    tables: Sequence[Sequence[str | int]] = (),
    seatings: str | None = None,
    sample: int = 0,
    sprt: Mapping[str, float] | None = None,
) -> Plan:
    """Checks what the command line or a caller wants; raises BadOption or BadBot."""
    specs = tuple(bot.strip() for bot in bots)
    if not 1 <= len(specs) <= MOST_BOTS:
        raise BadOption("bots", len(specs), f"1 to {MOST_BOTS} of them")
    twice = next((spec for number, spec in enumerate(specs) if spec in specs[:number]), None)
    if twice is not None:
        raise BadOption(
            "bots", twice, "each bot once: it sits at a table as often as the format says; seeds tell two of a kind apart"
        )
    if form not in FORMATS:
        raise BadOption("format", form, f"{', '.join(FORMATS)}, or a file with tables")
    numbers = tuple(as_numbers(table, specs, rules.players) for table in tables)
    if form == "tables" and not numbers:
        raise BadOption("tables", [], "at least one table")
    usual = "given" if form == "tables" else "all" if rules.players <= ALL_UP_TO else "balanced"
    if seatings is not None and seatings not in SEATINGS:
        raise BadOption("seatings", seatings, ", ".join(SEATINGS))
    plan = Plan(
        game.name,
        game.rules_version,
        rules.digest,
        json.loads(json.dumps(dict(rules.options))),
        specs,
        seed,
        form,
        numbers if form == "tables" else (),
        seatings or usual,
        sample,
        sprt,
    )
    plan.schedule.of(0)
    return plan


def as_numbers(table: Sequence[str | int], bots: Sequence[str], players: int) -> tuple[int, ...]:
    """A table of specs, or of numbers of bots."""
    if isinstance(table, str) or len(table) != players:
        raise BadOption("tables", list(table), f"a list of {players} bots, one a seat")
    result = []
    for bot in table:
        if isinstance(bot, str) and bot.strip() in bots:
            result.append(bots.index(bot.strip()))
        elif isinstance(bot, int) and not isinstance(bot, bool) and 0 <= bot < len(bots):
            result.append(bot)
        else:
            raise BadOption("tables", bot, f"a bot of this tournament, or its number from 0 to {len(bots) - 1}")
    return tuple(result)
