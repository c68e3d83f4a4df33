"""Summary and report: the same bytes for the same games, and a page that needs nothing but itself."""

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter

import numpy as np
import pytest

from bench.ratings import Design
from machiavel.server.cli import main
from machiavel.server.tournaments.report_texts import REPORT_TEXTS
from machiavel.server.tournaments.results import Timings
from machiavel.server.tournaments.statistics import statistics_of
from machiavel.server.tournaments.summary import canonical, summarise, write
from tests.server.tournaments.made_up import DESIGN, HEADER, made_up

TEAMS = Design("", (0.0, 0.4, -0.3), [(0, 0), (1, 1), (2, 2), (0, 2)], 0, together=True)
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"}
PROGRAM = """
import numpy as np
from bench.ratings import Design, turned
from machiavel.server.tournaments.summary import canonical, summarise
from tests.server.tournaments.made_up import DESIGN, HEADER
print(canonical(summarise(DESIGN.play(40, np.random.default_rng(1)), HEADER)))
"""


class Reader(HTMLParser):
    """Complains of tags that do not match."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: dict[str, int] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def timings(bots: tuple[str, ...]) -> Timings:
    count = len(bots)
    return Timings(bots, np.full(count, 100), np.linspace(0.0001, 20, count), np.full(count, 0.5))


def test_the_summary_is_the_same_on_any_number_of_threads() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=os.environ | {"OPENBLAS_NUM_THREADS": threads, "PYTHONHASHSEED": threads},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(told) == 1
    assert json.loads(told.pop())["deals"] == 40


def test_a_deal_that_is_not_whole_counts_for_nothing(tmp_path: Path) -> None:
    results = DESIGN.play(12, np.random.default_rng(1))
    whole = summarise(results.where(results.deals < 11), HEADER)
    torn = results.where(np.arange(len(results)) < len(results) - 1)
    assert write(tmp_path, torn, timings(results.bots), HEADER) == whole
    assert (tmp_path / "summary.json").read_text() == canonical(whole)


def test_what_pairs_won_of_each_other_is_counted_seat_by_seat() -> None:
    games = [(0, (0, 1, 1), (1.0, 0.0, 0.0)), (0, (1, 0, 1), (0.5, 0.5, 0.0)), (1, (1, 1, 0), (1.0, 0.0, 0.0))]
    told = statistics_of(made_up(games, 2), resamples=50)
    share = told.share(0, 1)
    assert share is not None
    # The one met the other in six pairs of seats and was paid 2 + 1 of the 2 + 1 + 0.5 + 1 of those.
    assert share.value == pytest.approx(3 / 4.5)
    assert told.pairs[0].games == 6
    assert told.scores[0].utility.value == pytest.approx(0.5)
    assert told.scores[1].seats == 6


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("design", [DESIGN, TEAMS])
def test_a_report_is_one_page_that_asks_for_nothing(tmp_path: Path, design: Design, language: str) -> None:
    results = design.play(15, np.random.default_rng(1))
    write(tmp_path, results, timings(results.bots), HEADER, language=language)
    page = (tmp_path / "report.html").read_text()
    reader = Reader()
    reader.feed(page)
    assert not reader.open
    assert not re.search(r"https?:|\bsrc=|\bhref=|@import|url\(", page)
    assert f'<html lang="{language}">' in page
    assert page.count("<svg") == page.count('aria-hidden="true"') > 0
    assert "{" not in re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.DOTALL)
    assert "nan" not in re.sub(r"<[^>]*>", " ", page).split()


def test_names_of_bots_are_text_and_nothing_else(tmp_path: Path) -> None:
    results = made_up([(0, (0, 1), (1.0, 0.0)), (1, (1, 0), (1.0, 0.0))], 2)
    results = type(results)(**(vars(results) | {"bots": ("<b>&{x}", "</script><script>")}))
    write(tmp_path, results, timings(results.bots), HEADER)
    page = (tmp_path / "report.html").read_text()
    assert "<b>" not in page
    assert page.count("<script>") == 1


@pytest.mark.parametrize(("language", "facts"), [("en", "1 bot · 2 players · 3 deals"), ("fr", "1 bot · 2 joueurs · 3 donnes")])
def test_a_bot_alone_is_not_rated(language: str, facts: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["tournament", "whist", "--bots", "greedy", "--players", "2", "--deals", "3", "--executor", "threads:1"]
    assert main([*command, "--lang", language, "--output", str(tmp_path)]) == 0
    assert re.search(r"greedy +– +0\.500", capsys.readouterr().out)
    page = (tmp_path / "report.html").read_text()
    assert facts in page
    assert "Elo" not in page


def test_both_languages_say_the_same_things() -> None:
    def fields(text: str) -> set[str | None]:
        return {name for _, name, _, _ in Formatter().parse(text)} - {None}

    english, french = REPORT_TEXTS["en"], REPORT_TEXTS["fr"]
    assert english.keys() == french.keys()
    assert {key for key in english if fields(english[key]) != fields(french[key])} == set()


def test_report_remakes_what_the_games_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "games")
    played = ["tournament", "agency", "--bots", "greedy", "random:seed=1", "--players", "2", "--deals", "6", "--seed", "3"]
    assert main([*played, "--executor", "threads:1", "--output", folder, "--json"]) == 0
    capsys.readouterr()
    assert main(["report", folder, "--json", "--anchor", "greedy"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["type"], told["deals"], told["anchor"], told["bots"][0]["elo"]["value"]) == ("report", 6, 0, 0)
    before = (tmp_path / "games/summary.json").read_bytes()
    assert main(["report", folder, "--lang", "fr", "--anchor", "greedy"]) == 0
    assert (tmp_path / "games/summary.json").read_bytes() == before
    assert '<html lang="fr">' in (tmp_path / "games/report.html").read_text()
    assert main(["report", folder, "--anchor", "nobody"]) == 2
    assert "--anchor nobody: expected a bot of the tournament: greedy, random:seed=1" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "nowhere")]) == 2
