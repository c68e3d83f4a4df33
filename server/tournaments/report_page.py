"""report.html: the tournament on one page that needs nothing else, in light and dark, on a phone, in English or French."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import log10
from typing import Any

from machiavel.engines import load
from machiavel.server.tournaments.charts import Scale, axis, bars, dots, heat, meter
from machiavel.server.tournaments.interesting import ShownGame, first_games, interesting_games
from machiavel.server.tournaments.report_style import SCRIPT, STYLE
from machiavel.server.tournaments.report_texts import REPORT_TEXTS
from machiavel.server.tournaments.results import Results

__all__ = ["report_page"]

FIRST = 200  # games that are listed one by one
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def report_page(summary: Mapping[str, Any], times: Mapping[str, Any], results: Results, language: str) -> str:
    """Of whole deals, their summary and times."""
    return Page(summary, times, results, language).whole()


class Page:
    """One report."""

    def __init__(self, summary: Mapping[str, Any], times: Mapping[str, Any], results: Results, language: str) -> None:
        self.summary = summary
        self.times = {one["bot"]: one for one in times["bots"]}
        self.results = results
        self.language = language
        self.texts = REPORT_TEXTS[language]
        self.bots: list[Mapping[str, Any]] = summary["bots"]
        self.order = sorted(range(len(self.bots)), key=lambda bot: (self.bots[bot]["rank"], bot))

    def say(self, key: str, **parts: object) -> str:
        """A text with parts that are HTML already."""
        return escape(self.texts[key], quote=False).format(**parts)

    def number(self, value: float | None, digits: int = 0, *, sign: bool = False) -> str:
        if value is None:
            return "–"
        text = f"{round(value, digits) + 0.0:{'+' if sign else ''},.{digits}f}".replace("-", "−")
        return text.replace(",", "\u202f").replace(".", ",") if self.language == "fr" else text

    def name(self, bot: int) -> str:
        return named(self.bots[bot]["bot"])

    def percents(self, some: Mapping[str, float | None]) -> Mapping[str, float | None]:
        return {key: None if value is None else 100 * value for key, value in some.items()}

    def interval(self, some: Mapping[str, float | None] | None, digits: int, *, sign: bool = False) -> str:
        if some is None or some["low"] is None:
            return "–"
        return f"{self.number(some['low'], digits, sign=sign)} … {self.number(some['high'], digits, sign=sign)}"

    def whole(self) -> str:
        title = load(self.summary["tournament"]["game"]).plugin.titles[self.language]
        heading = self.say("title", game=escape(title))
        parts = [
            self.ratings(),
            self.sprt(),
            self.teams() if self.summary["cooperative"] else "",
            self.pairs(),
            self.distributions(),
            self.seats(),
            self.time(),
            self.games(),
        ]
        return (
            f'<!doctype html>\n<html lang="{self.language}">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="color-scheme" content="light dark">\n<title>{heading}</title>\n'
            f"<style>{STYLE}</style>\n</head>\n<body>\n"
            f"<header>\n<h1>{heading}</h1>\n<p>{self.facts()}</p>\n{self.headline()}\n</header>\n<main>\n"
            + "\n".join(part for part in parts if part)
            + f"\n</main>\n<footer><p>{self.say('how', command='<code>machiavel report</code>')}</p></footer>\n"
            f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
        )

    def facts(self) -> str:
        counts = {"bots": len(self.bots), "players": self.results.players, "deals": self.summary["deals"]}
        counts |= {"games": self.summary["games"], "plies": self.summary["plies"]["mean"]}
        return " · ".join(self.count(key, round(value)) for key, value in counts.items())

    def count(self, key: str, count: int) -> str:
        """So many of something, by the texts for one and for more."""
        one, more = self.texts[f"count_{key}"].split("|")
        return escape(one if count == 1 else more, quote=False).format(count=self.number(count))

    def headline(self) -> str:
        """Who is ahead, and whether that may be chance."""
        if len(self.bots) < 2:
            return ""
        best, second = self.order[:2]
        pair = next(pair for pair in self.summary["pairs"] if sorted(pair["bots"]) == sorted((best, second)))
        is_sure = pair["elo"]["low"] is not None and pair["elo"]["low"] * pair["elo"]["high"] > 0
        ahead = self.number(abs(pair["elo"]["value"]))
        text = self.say("winner_sure" if is_sure else "winner", bot=self.name(best), other=self.name(second), elo=ahead)
        doubt = "" if is_sure else f" – {self.say('unsure')}"
        return f'<p class="headline">{text}{doubt}.</p>'

    def ratings(self) -> str:
        level = self.number(100 * self.summary["level"])
        anchor = self.summary["anchor"]
        zero = self.say("mean") if anchor is None else self.name(anchor)
        scale = Scale([value for bot in self.bots for value in bot["elo"].values() if value is not None] + [0.0])
        is_rated = len(self.bots) > 1
        has_points = any(bot["points"] for bot in self.bots)
        has_faults = any(bot["faults"] for bot in self.bots)
        score = "success" if self.summary["cooperative"] else "score"
        elo = ["", "elo", self.say("interval", level=level)] * is_rated
        heads = ["rank", "bot", *elo, score, *["points"] * has_points, "seats_taken", *["faults"] * has_faults]
        rows = []
        for at in self.order:
            bot = self.bots[at]
            cells = [cell(str(bot["rank"]), "rank"), head(self.name(at)), *self.rating_cells(bot, scale) * is_rated]
            cells += [cell(f"{self.number(100 * bot['utility']['value'], 1)} %")]
            cells += [cell(self.number(bot["points"]["value"], 1) if bot["points"] else "–")] * has_points
            cells += [cell(self.number(bot["seats"]))]
            cells += [cell(self.number(bot["faults"]))] * has_faults
            rows.append(cells)
        foot = ["<td></td>", "<td></td>", cell(axis(scale, self.number), "chart"), *["<td></td>"] * (len(heads) - 3)]
        key = "ratings_alone" if not is_rated else "ratings_together" if self.summary["cooperative"] else "ratings_help"
        text = self.say(key, level=level, zero=zero)
        return self.section("ratings", text, self.table(heads, [*rows, *[foot] * is_rated], "wide ratings"))

    def rating_cells(self, bot: Mapping[str, Any], scale: Scale) -> list[str]:
        elo = bot["elo"]
        chart = cell(dots(scale, elo["value"], elo["low"], elo["high"], 0.0), "chart")
        return [chart, cell(f"<strong>{self.number(elo['value'], sign=True)}</strong>"), cell(self.interval(elo, 0, sign=True))]

    def sprt(self) -> str:
        test = self.summary["sprt"]
        if not test:
            return ""
        numbers = {key: self.number(test[key], 2 if key in {"llr", "lower", "upper"} else 0) for key in ("llr", "lower", "upper")}
        elo = self.number(test[test["decision"] or "elo1"], sign=True)
        hypotheses = {key: self.number(test[key], sign=True) for key in ("elo0", "elo1")}
        names = {"bot": self.name(0), "deals": self.number(test["deals"]), "elo": elo, "other": hypotheses["elo1"]}
        text = self.say(f"sprt_{test['decision'] or 'open'}", **(names | hypotheses))
        errors = {key: self.number(test[key], 3) for key in ("alpha", "beta")}
        return self.section("sprt", text, f"<p>{self.say('sprt_llr', **numbers, **errors)}</p>")

    def pairs(self) -> str:
        if len(self.bots) < 2:
            return ""
        together = self.summary["cooperative"]
        cells: dict[tuple[int, int], tuple[float, str]] = {}
        for pair in self.summary["pairs"]:
            one, other = pair["bots"]
            some = pair["success" if together else "share"]
            if some is not None:
                value = some["value"] if together else some["value"] - 0.5
                cells[one, other], cells[other, one] = self.heat_text(value), self.heat_text(-value)
        most = max((abs(value) for value, _ in cells.values()), default=0.0)
        rows = []
        for at in self.order:
            row = [head(f'<span class="rank">{self.bots[at]["rank"]}</span> {self.name(at)}')]
            for other in self.order:
                result = cells.get((at, other))
                row.append(f"<td {heat(result[0], most)}>{result[1]}</td>" if result else "<td>·</td>")
            rows.append(row)
        heads = ["bot", *(str(self.bots[at]["rank"]) for at in self.order)]
        grid = self.table(heads, rows, "heatmap")
        return self.section("pairs", self.say("leads_help" if together else "pairs_help"), grid + self.pair_table())

    def heat_text(self, value: float) -> tuple[float, str]:
        percent = 100 * value
        return value, self.number(percent, 1, sign=True) if self.summary["cooperative"] else self.number(50 + percent, 1)

    def pair_table(self) -> str:
        level = self.say("interval", level=self.number(100 * self.summary["level"]))
        has_margin = any(pair["margin"] for pair in self.summary["pairs"])
        kind = "success" if self.summary["cooperative"] else "share"
        heads = ["pair", "lead", level, "chance", kind, level, *["margin", level] * has_margin, "games"]
        rows = []
        for pair in self.summary["pairs"]:
            some = None if pair[kind] is None else self.percents(pair[kind])
            row = [
                head(f"{self.name(pair['bots'][0])} – {self.name(pair['bots'][1])}"),
                cell(self.number(pair["elo"]["value"], sign=True)),
                cell(self.interval(pair["elo"], 0, sign=True)),
                cell(self.number(100 * pair["above"], 1)),
                cell("–" if some is None else self.number(some["value"], 1, sign=kind == "success")),
                cell(self.interval(some, 1, sign=kind == "success")),
            ]
            margin = pair["margin"]
            row += [
                cell(self.number(margin and margin["value"], 2, sign=True)),
                cell(self.interval(margin, 2, sign=True)),
            ] * has_margin
            rows.append([*row, cell(self.number(pair["games"]))])
        return details(self.say("every_pair"), self.table(heads, rows, "wide"))

    def teams(self) -> str:
        teams = sorted(self.summary["teams"], key=lambda team: -team["success"]["value"])
        values = [100 * value for team in teams for value in team["success"].values() if value is not None]
        scale = Scale(values)
        rows = []
        for team in teams:
            some = self.percents(team["success"])
            names = " + ".join(
                (f"{team['bots'].count(bot)} × " if team["bots"].count(bot) > 1 else "") + self.name(bot)
                for bot in sorted(set(team["bots"]))
            )
            chart = dots(scale, some["value"] or 0.0, some["low"], some["high"])
            numbers = [f"{self.number(some['value'], 1)} %", self.interval(some, 1), self.number(team["games"])]
            rows.append([head(names), cell(chart, "chart"), *map(cell, numbers)])
        rows.append(["<td></td>", cell(axis(scale, self.number), "chart"), *["<td></td>"] * 3])
        level = self.say("interval", level=self.number(100 * self.summary["level"]))
        return self.section("teams", "", self.table(["team", "", "success", level, "games"], rows, "wide ratings"))

    def distributions(self) -> str:
        points = self.summary["points"]
        if not points:
            return ""
        lows = [self.number(edge) for edge in points["edges"][:-1]]
        help_text = self.say("distributions_help", low=lows[0], high=self.number(points["edges"][-1] - 1))
        charts = [
            f"<figure>{bars(points['counts'][bot], lows)}<figcaption>{self.name(bot)}</figcaption></figure>" for bot in self.order
        ]
        rows = [
            [head(low), *(cell(self.number(points["counts"][bot][row])) for bot in self.order)] for row, low in enumerate(lows)
        ]
        heads = ["from_points", *(self.bots[bot]["bot"] for bot in self.order)]
        table = details(self.say("distribution_table"), self.table(heads, rows, "wide"))
        return self.section("distributions", help_text, f'<div class="figures">{"".join(charts)}</div>{table}')

    def seats(self) -> str:
        seats = [self.percents(seat) for seat in self.summary["seats"]]
        if not seats:
            return ""
        fair = 100 / self.results.players
        scale = Scale([fair, *(value for seat in seats for value in seat.values() if value is not None)])
        rows = []
        for number, seat in enumerate(seats):
            chart = dots(scale, seat["value"] or 0.0, seat["low"], seat["high"], fair)
            rows.append(
                [head(str(number)), cell(chart, "chart"), cell(self.number(seat["value"], 1)), cell(self.interval(seat, 1))]
            )
        rows.append(["<td></td>", cell(axis(scale, lambda tick: self.number(tick, 1)), "chart"), "<td></td>", "<td></td>"])
        level = self.say("interval", level=self.number(100 * self.summary["level"]))
        table = self.table(["seat", "", "won", level], rows, "wide ratings")
        bots = [
            [
                head(self.name(bot)),
                *(cell(self.number(None if won is None else 100 * won, 1)) for won in self.bots[bot]["by_seat"]),
            ]
            for bot in self.order
        ]
        heads = ["bot", *(f"{self.texts['seat']} {seat}" for seat in range(len(seats)))]
        more = details(self.say("by_seat"), self.table(heads, bots, "wide"))
        return self.section("seats", self.say("seats_help", fair=self.number(fair, 1)), table + more)

    def time(self) -> str:
        told = {bot: self.times.get(self.bots[bot]["bot"]) for bot in self.order}
        means = [one["mean"] for one in told.values() if one and one["mean"]]
        if not means:
            return ""
        low, high = log10(min(means)) - 0.5, log10(max(means))
        rows = []
        for bot, one in told.items():
            if not one or not one["mean"]:
                rows.append([head(self.name(bot)), *["<td>–</td>"] * 4])
                continue
            chart = meter((log10(one["mean"]) - low) / (high - low))
            numbers = [self.duration(one["mean"]), self.duration(one["slowest"]), self.number(one["moves"])]
            rows.append([head(self.name(bot)), cell(chart, "chart"), *map(cell, numbers)])
        table = self.table(["bot", "", "mean_time", "slowest", "moves"], rows, "wide ratings")
        return self.section("time", self.say("time_help"), table)

    def duration(self, seconds: float) -> str:
        unit, factor = next(
            (unit, factor) for unit, factor in (("s", 1), ("ms", 1e3), ("us", 1e6)) if seconds * factor >= 1 or unit == "us"
        )
        value = seconds * factor
        return f"{self.number(value, 0 if value >= 100 else 1 if value >= 10 else 2)} {self.say(unit)}"

    def games(self) -> str:
        elo = [bot["elo"]["value"] for bot in self.bots]
        chosen = [(self.say(why), game) for why, game in interesting_games(self.results, elo)]
        rows = [[head(why), *self.game_cells(game)] for why, game in chosen]
        heads = ["why", "deal", "seating", "seated", "winners", "command"]
        first = [self.game_cells(game) for game in first_games(self.results, FIRST)]
        form = (
            f'<form class="lookup"><strong>{self.say("look_up")}</strong> '
            f'<label>{self.say("deal")} <input name="deal" type="number" min="0" value="0"></label> '
            f'<label>{self.say("seating")} <input name="seating" type="number" min="0" value="0"></label> '
            f'<output><code>{replay("D", "S")}</code></output> <button type="button" hidden>{self.say("copy")}</button></form>'
        )
        table = self.table(heads, rows, "wide games") if rows else ""
        more = details(self.say("first_games", count=self.number(len(first))), self.table(heads[1:], first, "wide games"))
        return self.section("list", self.say("list_help"), form + table + more)

    def game_cells(self, game: ShownGame) -> list[str]:
        seats = ", ".join(self.name(bot) for bot in game.seats)
        if self.summary["cooperative"]:
            winners = self.say("success") if game.winners else self.say("nobody")
        else:
            winners = ", ".join(f"{self.name(game.seats[seat])} ({seat})" for seat in game.winners) or self.say("nobody")
        cells = [cell(str(game.deal)), cell(str(game.seating)), cell(seats, "names"), cell(winners, "names")]
        return [*cells, cell(f"<code>{replay(game.deal, game.seating)}</code>", "names")]

    def section(self, key: str, text: str, body: str) -> str:
        help_text = f'<p class="help">{text}</p>' if text else ""
        return f'<section aria-labelledby="{key}"><h2 id="{key}">{self.say(key)}</h2>{help_text}{body}</section>'

    def table(self, heads: Sequence[str], rows: Iterable[Sequence[str]], kind: str) -> str:
        """Heads are keys of texts, or texts."""
        titles = [f'<th scope="col">{self.say(key) if key in self.texts else named(key)}</th>' for key in heads]
        body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
        heading = f"<thead><tr>{''.join(titles)}</tr></thead>"
        return f'<div class="scroll" tabindex="0"><table class="{kind}">{heading}<tbody>{body}</tbody></table></div>'


def named(spec: str) -> str:
    """A bot's spec, which may break where its parameters do."""
    text = escape(spec)
    for sign in (",", ":", "="):
        text = text.replace(sign, f"{sign}<wbr>")
    return f"<span class=bot>{text}</span>"


def cell(text: str, kind: str = "") -> str:
    return f'<td class="{kind}">{text}</td>' if kind else f"<td>{text}</td>"


def head(text: str) -> str:
    return f'<th scope="row">{text}</th>'


def details(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>{body}</details>"


def replay(deal: object, seating: object) -> str:
    return f"machiavel replay games.jsonl --deal {deal} --seating {seating}"
