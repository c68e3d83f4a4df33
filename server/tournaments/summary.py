"""What a tournament comes to: summary.json, the same bytes for the same games; timings.json; report.html."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from machiavel.engines import BadOption
from machiavel.server.tournaments.ratings import RESAMPLES, Ratings, rate
from machiavel.server.tournaments.report_page import report_page
from machiavel.server.tournaments.resampling import LEVEL, ErrorBar
from machiavel.server.tournaments.results import Results, Timings
from machiavel.server.tournaments.sprt import Sprt
from machiavel.server.tournaments.statistics import Statistics, statistics_of

__all__ = ["REPORT", "SUMMARY", "TIMINGS", "canonical", "summarise", "timings_json", "write"]

SUMMARY, TIMINGS, REPORT = "summary.json", "timings.json", "report.html"
FORMAT = 1
# Digits after the point: fewer than the last bits in which two libraries of arithmetic may differ.
ELO_DIGITS, SHARE_DIGITS, POINT_DIGITS = 2, 5, 3


def write(
    folder: Path,
    results: Results,
    timings: Timings,
    header: Mapping[str, Any],
    *,
    language: str = "en",
    anchor: int | None = None,
    ranking: str = "utilities",
) -> dict[str, Any]:
    """Writes the three files into the folder of the games, whole deals only, and returns the summary."""
    results = results.only_whole_deals()
    summary = summarise(results, header, anchor=anchor, ranking=ranking)
    times = timings_json(timings)
    replace_file(folder / SUMMARY, canonical(summary))
    replace_file(folder / TIMINGS, canonical(times))
    replace_file(folder / REPORT, report_page(summary, times, results, language))
    return summary


def summarise(
    results: Results,
    header: Mapping[str, Any],
    *,
    anchor: int | None = None,
    ranking: str = "utilities",
    resamples: int = RESAMPLES,
) -> dict[str, Any]:
    """All figures, rounded; nothing in it depends on when, where or how fast the games were played."""
    if not len(results):
        raise BadOption("deals", 0, "at least one deal played in all its seatings")
    ratings = rate(results, resamples=resamples, anchor=anchor, ranking=ranking)
    told = statistics_of(results, resamples=resamples)
    test = header.get("sprt")
    return {
        "format": FORMAT,
        "tournament": dict(header),
        "cooperative": results.is_cooperative,
        "deals": ratings.deals,
        "games": len(results),
        "level": LEVEL,
        "resamples": resamples,
        "ranking": ranking,
        "anchor": anchor,
        "bots": bots_json(results, ratings, told),
        "pairs": pairs_json(ratings, told),
        "seats": [interval_json(seat, SHARE_DIGITS) for seat in told.seats],
        "teams": [
            {"bots": list(team.bots), "games": team.games, "success": interval_json(team.success, SHARE_DIGITS)}
            for team in told.teams
        ],
        "points": {"edges": told.edges.tolist(), "counts": told.counts.tolist()} if len(told.edges) else None,
        "plies": {
            "mean": round(float(results.plies.mean(dtype=np.float64)), POINT_DIGITS),
            "least": int(results.plies.min()),
            "most": int(results.plies.max()),
        },
        "sprt": sprt_json(Sprt(**test), results) if test else None,
    }


def bots_json(results: Results, ratings: Ratings, told: Statistics) -> list[dict[str, Any]]:
    result = []
    for number, (rating, score) in enumerate(zip(ratings.bots, told.scores, strict=True)):
        by_seat = [None if np.isnan(one) else round(float(one), SHARE_DIGITS) for one in told.by_seat[number]]
        result.append(
            {
                "bot": rating.bot,
                "rank": 1 + sum(other.elo.value > rating.elo.value for other in ratings.bots),
                "elo": interval_json(rating.elo, ELO_DIGITS),
                "utility": interval_json(score.utility, SHARE_DIGITS),
                "points": None if score.points is None else interval_json(score.points, POINT_DIGITS),
                "seats": score.seats,
                "by_seat": None if results.is_cooperative else by_seat,
                "faults": score.faults,
            }
        )
    return result


def pairs_json(ratings: Ratings, told: Statistics) -> list[dict[str, Any]]:
    """Of every two bots, as the first sees it."""
    met = {(pair.one, pair.other): pair for pair in told.pairs}
    result = []
    for one in range(len(ratings.bots)):
        for other in range(one + 1, len(ratings.bots)):
            pair, lead = met.get((one, other)), told.leads.get((one, other))
            result.append(
                {
                    "bots": [one, other],
                    "elo": interval_json(ratings.difference(one, other), ELO_DIGITS),
                    "above": round(ratings.above(one, other), 4),
                    "games": pair.games if pair else 0,
                    "share": interval_json(pair.share, SHARE_DIGITS) if pair and pair.share else None,
                    "margin": interval_json(pair.margin, POINT_DIGITS) if pair and pair.margin else None,
                    "success": interval_json(lead, SHARE_DIGITS) if lead else None,
                }
            )
    return result


def sprt_json(test: Sprt, results: Results) -> dict[str, Any]:
    verdict = test.judge(results)
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "decision": verdict.decision,
        "deals": verdict.deals,
        "llr": round(verdict.llr, 3),
        "lower": round(verdict.lower, 3),
        "upper": round(verdict.upper, 3),
        "elo": None if verdict.elo is None else round(verdict.elo, ELO_DIGITS),
    }


def interval_json(some: ErrorBar, digits: int) -> dict[str, float | None]:
    def short(value: float | None) -> float | None:
        return None if value is None else round(value, digits) + 0.0  # no negative zero

    return {"value": short(some.value), "low": short(some.low), "high": short(some.high)}


def timings_json(timings: Timings) -> dict[str, Any]:
    """Seconds; what a machine took, which never repeats."""
    return {
        "bots": [
            {
                "bot": bot,
                "moves": int(moves),
                "seconds": round(float(seconds), 6),
                "mean": round(float(seconds / moves), 9) if moves else None,
                "slowest": round(float(slowest), 9) if moves else None,
            }
            for bot, moves, seconds, slowest in zip(timings.bots, timings.moves, timings.seconds, timings.slowest, strict=True)
        ]
    }


def canonical(value: Mapping[str, Any]) -> str:
    """Sorted keys, one way to write everything."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False) + "\n"


def replace_file(path: Path, text: str) -> None:
    """All of it, or what was there before."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
