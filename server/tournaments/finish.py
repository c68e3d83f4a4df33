"""The end of a tournament: what decides it, and its summary and report."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from machiavel.server.tournaments.game_journal import read_header, read_results
from machiavel.server.tournaments.plan import Plan
from machiavel.server.tournaments.results import Results

__all__ = ["SUMMARY", "finish", "judge_of"]

SUMMARY = "summary.json"


def judge_of(plan: Plan) -> Callable[[Results], int | None] | None:
    """How many deals decide the plan's test, if it has one and any do."""
    if plan.sprt is None:
        return None
    from machiavel.server.tournaments.sprt import Sprt  # noqa: PLC0415 - scipy takes long to load

    test = Sprt(**plan.sprt)

    def judge(results: Results) -> int | None:
        verdict = test.judge(results)
        return None if verdict.decision is None else verdict.deals

    return judge


def finish(folder: Path, language: str = "en") -> dict[str, Any] | None:
    """Writes summary and report of the deals that are whole, if any are; the summary."""
    from machiavel.server.tournaments import summary  # noqa: PLC0415 - scipy takes long to load

    results, timings = read_results(folder)
    whole = results.only_whole_deals()
    return summary.write(folder, whole, timings, read_header(folder), language=language) if len(whole) else None
