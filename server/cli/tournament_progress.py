"""A tournament as it goes on: a table that changes, or a line now and then where there is no terminal."""

import contextlib
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live as Screen
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines.phrases import typeset_all
from machiavel.server.cli.command_texts import Texts, Words
from machiavel.server.tournaments.standings import Standing, standings
from machiavel.server.tournaments.tournament_run import Progress, Tournament

__all__ = ["ProgressDisplay", "show_live", "summary_table"]

SHOWN_EVERY = 0.25  # seconds
LINE_EVERY = 10.0
RATED_SHARE = 0.05  # of the time that may go into the ratings


class ProgressDisplay(Protocol):
    """Shows progress."""

    def update(self, progress: Progress) -> None:
        """Called often; shows something now and then."""


@contextlib.contextmanager
def show_live(tournament: Tournament, language: str, *, plain: bool) -> Iterator[ProgressDisplay]:
    """What fits the terminal; on stderr, for stdout is for results."""
    words = Words(TEXTS, language)
    if plain or not sys.stderr.isatty():
        yield ProgressLines(tournament, words)
        return
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    with Screen(console=console, auto_refresh=False, transient=True) as screen:
        yield ProgressTable(tournament, words, screen)


class RatingCache:
    """Ratings that are made again only as often as they are worth the time."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._next = 0.0
        self._found: list[Standing] = []

    def standings(self) -> list[Standing]:
        begun = time.monotonic()
        if begun >= self._next:
            self._found = standings(self._tournament.results().only_whole_deals())
            taken = time.monotonic() - begun
            self._next = begun + taken / RATED_SHARE
        return self._found


class ProgressTable:
    """A table that changes in its place."""

    def __init__(self, tournament: Tournament, words: Words, screen: Screen) -> None:
        self._rated = RatingCache(tournament)
        self._words = words
        self._screen = screen
        self._next = 0.0

    def update(self, progress: Progress) -> None:
        now = time.monotonic()
        if now < self._next and progress.played < progress.total:
            return
        self._next = now + SHOWN_EVERY
        table = standings_table(self._rated.standings(), self._words)
        self._screen.update(Group(table, Text(progress_line(progress, self._words), style="dim")), refresh=True)


class ProgressLines:
    """A line now and then."""

    def __init__(self, tournament: Tournament, words: Words) -> None:
        self._rated = RatingCache(tournament)
        self._words = words
        self._next = time.monotonic() + LINE_EVERY

    def update(self, progress: Progress) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + LINE_EVERY
        first = ", ".join(f"{one.bot} {elo(one)}" for one in self._rated.standings()[:3])
        with contextlib.suppress(OSError):  # nobody reads: no reason to stop
            sys.stderr.write(f"{progress_line(progress, self._words)}{': ' if first else ''}{first}\n")
            sys.stderr.flush()


def progress_line(progress: Progress, words: Words) -> str:
    share = f"{progress.played:,}/{progress.total:,} ({progress.played / max(1, progress.total):.0%})"
    left = progress.seconds_left
    parts = [words("games", share=share)]
    if left is not None and progress.played < progress.total:
        parts.append(words("left", time=span(left)))
    if progress.seconds > 0:
        parts.append(words("rate", rate=f"{(progress.played - progress.begun_with) / progress.seconds:,.1f}"))
    if progress.lost:
        parts.append(words("lost", count=progress.lost))
    return " · ".join(parts)


def span(seconds: float) -> str:
    """Hours, minutes, seconds."""
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def standings_table(rows: list[Standing], words: Words) -> RenderableType:
    grid = Grid(box=None, padding=(0, 2), header_style="bold")
    for key in ("bot", "elo", "score", "seats"):
        grid.add_column(words(key), justify="left" if key == "bot" else "right", overflow="fold")
    for one in rows:
        grid.add_row(Text(one.bot), elo(one), f"{one.score:.3f} ±{one.error:.3f}", f"{one.seats:,}")
    return grid


def elo(one: Standing) -> str:
    if one.elo is None:
        return "–"
    return f"{one.elo:+.0f}" if one.elo_error is None else f"{one.elo:+.0f} ±{one.elo_error:.0f}"


def summary_table(summary: Mapping[str, Any], folder: Path, language: str) -> RenderableType:
    """Who did how well in the end, the best first, with intervals; and where more is told."""
    words = Words(TEXTS, language)
    grid = Grid(box=None, padding=(0, 2), header_style="bold")
    keys = ["bot", "elo", "score", "seats"]
    faulty = any(one["faults"] for one in summary["bots"])
    for key in [*keys, "faults"] if faulty else keys:
        grid.add_column(words(key), justify="left" if key == "bot" else "right", overflow="fold")
    for one in sorted(summary["bots"], key=lambda one: int(one["rank"])):
        rating = interval(one["elo"], "+.0f") if len(summary["bots"]) > 1 else "–"  # there is nobody to compare it with
        cells = [rating, interval(one["utility"], ".3f"), f"{one['seats']:,}"]
        grid.add_row(Text(one["bot"]), *cells, *([f"{one['faults']:,}"] if faulty else []))
    test = summary["sprt"]
    lines = [] if test is None else [words("test", decision=test["decision"] or words("open"), deals=test["deals"])]
    lines += [words("report", path=folder / "report.html"), words("replay", folder=folder)]
    return Group(grid, *(Text(line, style="dim") for line in lines))


def interval(result: Mapping[str, float | None], form: str) -> str:
    value, low, high = (None if result[key] is None else format(result[key], form) for key in ("value", "low", "high"))
    return f"{value}" if low is None or high is None else f"{value} [{low}, {high}]"


WRITTEN: Texts = {
    "en": {
        "bot": "bot",
        "elo": "Elo",
        "score": "wins a seat",
        "seats": "seats",
        "games": "{share} games",
        "left": "{time} left",
        "rate": "{rate} games/s",
        "lost": "workers lost: {count}",
        "faults": "faults",
        "test": "The test accepts {decision}, after {deals} deals",
        "open": "neither hypothesis",
        "report": "Everything: {path}",
        "replay": "Any game: machiavel replay {folder} --game N",
    },
    "fr": {
        "bot": "bot",
        "elo": "Elo",
        "score": "gains par place",
        "seats": "places",
        "games": "{share} parties",
        "left": "encore {time}",
        "rate": "{rate} parties/s",
        "lost": "processus perdus : {count}",
        "faults": "fautes",
        "test": "Le test retient {decision}, après {deals} donnes",
        "open": "aucune des deux hypothèses",
        "report": "Tout le reste : {path}",
        "replay": "Une partie : machiavel replay {folder} --game N",
    },
}
TEXTS = typeset_all(WRITTEN)
