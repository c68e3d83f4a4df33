"""What the service tells about itself: its log and its metrics. Neither ever holds a word of a request or an answer."""

import atexit
import contextlib
import functools
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.service.config import BadConfig, Config, host_and_port
from machiavel.server.service.exporter import Exporter

__all__ = ["Telemetry", "make_log", "nowhere"]

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
QUIET = 5.0  # seconds between two lines that say the same about the storage
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
WATCH_BUCKETS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 1, 2.5, 5, 10, 30)


class Telemetry:
    """One log and one registry a server; the log goes to stderr, if there is one, unless it is given another stream."""

    def __init__(self, config: Config, stream: TextIO | None = None, clock: Clock = SYSTEM_CLOCK) -> None:
        self.clock = clock
        self.log = make_log(config, stream or sys.stderr or nowhere())
        self.registry = CollectorRegistry()
        self.calls = Counter(
            "machiavel_calls", "Calls ended, by code and reason.", ("method", "code", "reason"), registry=self.registry
        )
        self.seconds = Histogram(
            "machiavel_call_seconds", "How long calls took.", ("method",), buckets=BUCKETS, registry=self.registry
        )
        self.running = Gauge("machiavel_searches_running", "Searches under way.", registry=self.registry)
        self.waiting = Gauge("machiavel_searches_waiting", "Searches in line.", registry=self.registry)
        self.matches = Gauge("machiavel_matches", "Hosted matches that are not over.", registry=self.registry)
        self.watchers = Gauge("machiavel_watchers", "Streams that watch matches and tournaments.", registry=self.registry)
        self.watched_seconds = Histogram(
            "machiavel_watched_seconds",
            "How long after an event of a match the last who watched it had it.",
            buckets=WATCH_BUCKETS,
            registry=self.registry,
        )
        self.bots_late = Counter(
            "machiavel_bots_late", "Answers of hosted bots that no search was ready for.", registry=self.registry
        )
        self.faults_of_storage = Counter(
            "machiavel_storage_faults", "Failed attempts to read or write matches.", registry=self.registry
        )
        self.removed = Counter(
            "machiavel_matches_removed", "Hosted matches kept for long enough, by phase.", ("phase",), registry=self.registry
        )
        self.storage_told: dict[str, float] = {}  # when, by what was told
        self.exporter: Exporter | None = None
        if config.metrics:
            host, port = host_and_port(config.metrics, "metrics")
            try:
                self.exporter = Exporter(host, port, self.registry)
            except OSError as error:
                raise BadConfig(f"metrics: {config.metrics} cannot be had: {error.strerror or error}") from None

    def call(self, method: str, code: str, reason: str, seconds: float, **who: str) -> None:
        name = method.rpartition("/")[2]
        self.calls.labels(name, code, reason).inc()
        self.seconds.labels(name).observe(seconds)
        self.log.info("call", method=method, code=code, reason=reason, ms=round(1000 * seconds, 3), **who)

    def fault(self, request_id: str, method: str, kind: str, frames: Sequence[str]) -> None:
        self.log.error("fault", request=request_id, method=method, kind=kind, frames=frames)

    def game_fault(self, request_id: str, method: str, game: str, kind: str, frames: Sequence[str]) -> None:
        """A rule in a game's file went wrong; `frames` is where in it."""
        self.log.error("game_fault", request=request_id, method=method, game=game, kind=kind, frames=frames)

    def reloaded(self, tokens: int, limits: int) -> None:
        self.log.info("reloaded", tokens=tokens, callers_with_limits=limits)

    def reload_failed(self, problem: str) -> None:
        """What was read before still holds."""
        self.log.error("reload_failed", problem=problem)

    def page_missing(self, problem: str) -> None:
        self.log.warning("page_missing", problem=problem)

    def puzzles_dropped(self, game: str, problem: str) -> None:
        self.log.warning("puzzles_dropped", game=game, problem=problem)

    # ---- Of hosted matches: a match's name, but neither a seat nor anything that happens in it ----

    def storage_failed(self, problem: str) -> None:
        """The same again only after so many seconds: while a storage fails, every bot tries again and again."""
        self.faults_of_storage.inc()
        now = self.clock.monotonic()
        self.storage_told = {one: when for one, when in self.storage_told.items() if now - when < QUIET}
        if problem not in self.storage_told:
            self.storage_told[problem] = now
            self.log.error("storage_failed", problem=problem)

    def retention(self, over: float, idle: float) -> None:
        self.log.info("retention", keep_over_days=over, keep_idle_days=idle)

    def matches_removed(self, phase: str, count: int) -> None:
        self.removed.labels(phase).inc(count)
        self.log.info("matches_removed", phase=phase, count=count)

    def mode_changed(self, *, read_only: bool, draining: bool) -> None:
        self.log.warning("mode_changed", read_only=read_only, draining=draining)

    def erased(self, whose: str, **what: Any) -> None:
        """Of a person the name is not told: it is gone everywhere else."""
        self.log.warning("erased", whose=whose, **what)

    def tournament_failed(self, tournament: str, problem: str) -> None:
        self.log.error("tournament_failed", tournament=tournament, problem=problem)

    def matches_unplayable(self, game: str, count: int, problem: str) -> None:
        self.log.warning("matches_unplayable", game=game, count=count, problem=problem)

    def match_failed(self, match: str, kind: str, frames: Sequence[str]) -> None:
        self.log.error("match_failed", match=match, kind=kind, frames=frames)

    def bot_failed(self, match: str, kind: str, frames: Sequence[str]) -> None:
        self.log.error("bot_failed", match=match, kind=kind, frames=frames)

    def watched(self, seconds: float) -> None:
        self.watched_seconds.observe(seconds)

    def bot_late(self) -> None:
        self.bots_late.inc()

    def close(self) -> None:
        if self.exporter is not None:
            self.exporter.close()


class LogLines:
    """Writes lines. Where that fails, as on a full disk, what is told of goes on all the same."""

    def __init__(self, file: TextIO) -> None:
        self.file = file

    def write(self, line: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            self.file.write(f"{line}\n")  # in one piece, for several threads write
            self.file.flush()

    debug = info = warning = error = write


@functools.cache
def nowhere() -> TextIO:
    """Takes the log of a process without stderr. There is one, which stays open to the end."""
    stream = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    atexit.register(stream.close)
    return stream


def make_log(config: Config, stream: TextIO) -> Any:
    """A logger of its own, so that whoever embeds the server keeps theirs."""
    render: Any = structlog.processors.JSONRenderer(ensure_ascii=False)
    if config.log_format == "console":
        # Plain tracebacks: those that are drawn show local variables, and so cards.
        render = structlog.dev.ConsoleRenderer(colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback)
    return structlog.wrap_logger(
        LogLines(stream),
        processors=[structlog.processors.add_log_level, structlog.processors.TimeStamper("iso", utc=True), render],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[config.log_level]),
        context_class=dict,
        cache_logger_on_first_use=False,
    )
