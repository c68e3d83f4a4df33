"""Win chances as strips of text and as a picture: nothing is lost between the review and the drawing."""

import itertools
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from machiavel.search import LABELS, Moment, Point
from machiavel.server.reviews.review_texts import sentence
from machiavel.server.reviews.strips import blocks, digits, held, marks
from machiavel.server.reviews.svg import BOTTOM, COLOURS, HEIGHT, LEFT, RIGHT, TOP, WIDTH, svg
from tests.engines.games import INSTALLED, players_of
from tests.server.reviews.matches import lone_seat, reviewed

SVG = "{http://www.w3.org/2000/svg}"


# ---- Strips ----


def test_a_chance_is_held_until_the_next() -> None:
    points = [Point(2, 0.5), Point(3, 0.25), Point(10, 1.0)]
    assert held(points, 10, 10) == [None, None, 0.5, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 1.0]
    assert held(points, 10, 5) == [None, 0.25, 0.25, 0.25, 1.0]
    assert held(points, 10, 20)[4:8] == [0.5, 0.5, 0.25, 0.25]
    assert held([], 10, 3) == [None, None, None]


def test_blocks_have_sixteen_steps_and_show_what_is_not_known() -> None:
    upper, lower = blocks([None, 0.0, 0.25, 0.5, 0.75, 1.0])
    assert (upper, lower) == ("    ▄█", "·▁▄███")


def test_digits_are_tenths() -> None:
    assert digits([None, 0.0, 0.09, 0.1, 0.55, 0.999, 1.0]) == " 001599"


def test_moments_are_numbered_where_they_begin() -> None:
    moments = [Moment("swing", 0, ply, ply + 1, 0.0, 1.0) for ply in (0, 5, 10)]
    assert marks(moments, 10, 11) == "1    2    3"


# ---- The picture ----


def drawn(game: str, players: int = 3, language: str = "en") -> tuple[Any, str]:
    transcript, judgements, story = reviewed(game, players)
    text = svg(transcript, judgements, story, language)
    return ET.fromstring(text), text  # noqa: S314 - our own picture


@pytest.mark.parametrize(
    ("game", "players"), [*((game, players_of(game)) for game in INSTALLED), ("whist", 7), ("citadel", 1), ("bond", 6)]
)
def test_the_picture_has_a_line_a_seat_within_its_frame(game: str, players: int) -> None:
    root, _ = drawn(game, players)
    _, _, story = reviewed(game, players)
    lines = [one for one in root.iter(f"{SVG}path") if "chance" in one.attrib["class"]]
    assert len(lines) == sum(bool(seat.chances) for seat in story.seats)
    for one in lines:
        for command, number in re.findall(r"([MHV ])(-?[\d.]+)", one.attrib["d"]):
            low, high = (TOP, HEIGHT - BOTTOM) if command in "V " else (LEFT, WIDTH - RIGHT)
            assert low <= float(number) <= high
    assert len({one.attrib["class"] for one in lines}) == len(lines) == len({one.attrib["stroke-dasharray"] for one in lines})


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", INSTALLED)
def test_the_picture_can_be_read_aloud(game: str, language: str) -> None:
    transcript, judgements, story = reviewed(game)
    root, _ = drawn(game, language=language)
    assert root.attrib["role"] == "img"
    ids = {one.attrib["id"]: one for one in root.iter() if "id" in one.attrib}
    assert [ids[name].tag for name in root.attrib["aria-labelledby"].split()] == [f"{SVG}title", f"{SVG}desc"]
    told = ids["summary"].text or ""
    assert all(sentence(transcript, one, language) in told for one in story.moments)
    held_against = sum(LABELS[one.label] >= LABELS["mistake"] for one in judgements)
    slips = [one for one in root.iter() if one.attrib.get("class", "").startswith("slip")]
    assert len(slips) == held_against
    assert all(one.find(f"{SVG}title") is not None for one in slips)


def test_names_at_the_ends_do_not_cover_each_other() -> None:
    root, _ = drawn("whist", 7)
    places = sorted(float(one.attrib["y"]) for one in root.iter(f"{SVG}text") if "name" in one.attrib.get("class", ""))
    assert all(after - before >= 15 for before, after in itertools.pairwise(places))
    assert places[-1] <= HEIGHT - BOTTOM + 5


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels]
    return sum(share * one for share, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("pair", COLOURS)
def test_lines_stand_out_on_light_and_on_dark_pages(pair: tuple[str, str]) -> None:
    for colour, paper in zip(pair, ("#ffffff", "#161616"), strict=True):
        lights = sorted((luminance(colour), luminance(paper)))
        assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5


def test_nothing_in_a_title_breaks_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    transcript, *_ = reviewed("whist")
    monkeypatch.setattr(type(transcript.game.plugin), "titles", {"en": '<b> & "x"', "fr": "x"})
    root, _ = drawn("whist")
    assert '<b> & "x"' in (root.find(f"{SVG}title").text or "")


def test_a_match_hardly_begun_is_drawn_too() -> None:
    transcript, judgements, story = lone_seat()
    root = ET.fromstring(svg(transcript, judgements, story, "fr"))  # noqa: S314 - our own picture
    assert len(list(root.iter(f"{SVG}path"))) == 1
