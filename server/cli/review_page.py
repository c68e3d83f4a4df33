"""A review on a terminal: the moves, how well each seat played, the win chances, what decided the match."""

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from machiavel.search import LABELS, Judgement, Story, Transcript
from machiavel.search.sentences import sentence_case
from machiavel.search.story import LEAST_SWING
from machiavel.server.cli.command_texts import Words, numeral
from machiavel.server.cli.output import people
from machiavel.server.reviews.review_texts import REVIEW_TEXTS, percent, sentence
from machiavel.server.reviews.strips import blocks, digits, held, marks

__all__ = ["show"]

STYLES = {"best": "green", "good": "", "inaccuracy": "yellow", "mistake": "magenta", "blunder": "bold red"}
SEATS = ("cyan", "magenta", "yellow", "green", "blue", "red", "white", "bright_black")
WIDEST, NARROWEST = 100, 10


def show(
    transcript: Transcript, judgements: Sequence[Judgement], story: Story, language: str, *, mistakes: bool, plain: bool
) -> None:
    console, words = people(plain=plain), Words(REVIEW_TEXTS, language)
    listed = [one for one in judgements if not mistakes or LABELS[one.label] > 0]
    if not judgements:
        console.print(words("none_judged"))
    if listed:
        console.print(moves(transcript, listed, words), "", sep="\n")
    console.print(seats(story, words), "", sep="\n")
    chances(console, transcript, story, words, plain=plain or not can_draw())
    console.print("", Text(words("moments"), style="bold"), sep="\n")
    for number, one in enumerate(story.moments, 1):
        console.print(f"{number}. {sentence(transcript, one, words.language)}")
    if not story.moments:
        console.print(words("no_moments", points=percent(LEAST_SWING)))


def moves(transcript: Transcript, judgements: Sequence[Judgement], words: Words) -> Grid:
    grid = Grid(box=None, padding=(0, 1), pad_edge=False)
    for name, side in (("number", "right"), ("seat", "right"), ("played", "left"), ("verdict", "left")):
        grid.add_column(words(name), justify="right" if side == "right" else "left")
    for name in ("loss", "chance"):
        grid.add_column(words(name), justify="right")
    grid.add_column(words("better"))
    for one in judgements:
        has_loss = one.loss > 0
        grid.add_row(
            str(one.ply + 1),
            str(one.seat),
            sentence_case(transcript.phrase(one.ply, one.move, "short", words.language)),
            Text(words(one.label), style=STYLES[one.label]),
            numeral(f"{100 * one.loss:.1f} ± {100 * one.error:.1f}", words.language) if has_loss else "–",
            f"{percent(one.played_chance)} %",
            sentence_case(transcript.phrase(one.ply, one.best, "short", words.language)) if has_loss else "",
        )
    return grid


def seats(story: Story, words: Words) -> Grid:
    """A line a seat: how many moves of each label, and what they come to."""
    grid = Grid(box=None, padding=(0, 1), pad_edge=False)
    grid.add_column(words("seat"), justify="right")
    for name in (*LABELS, "mean_loss", "accuracy", "result"):
        grid.add_column(words(name), justify="right", no_wrap=" " not in words(name))
    for seat in story.seats:
        grid.add_row(
            str(seat.seat),
            *(str(seat.labels[name]) for name in LABELS),
            "–" if seat.loss is None else numeral(f"{100 * seat.loss:.1f}", words.language),
            "–" if seat.accuracy is None else f"{percent(seat.accuracy)} %",
            "–" if seat.result is None else f"{percent(seat.result)} %",
        )
    return grid


def can_draw() -> bool:
    try:
        "█·".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def chances(console: Console, transcript: Transcript, story: Story, words: Words, *, plain: bool) -> None:
    plies = len(transcript.moves)
    names = [words("player", seat=seat.seat) for seat in story.seats]
    margin = max(map(len, names), default=0) + 1
    width = max(NARROWEST, min(WIDEST, console.width - margin - len(" 100 %")))
    console.print(Text(words("viewpoint"), style="dim"))
    for name, seat in zip(names, story.seats, strict=True):
        if not seat.chances:
            console.print(words("unchosen", seat=name))
            continue
        result = held(seat.chances, plies, width)
        last = f" {percent(seat.chances[-1].chance)} %"
        lines = [digits(result)] if plain else list(blocks(result))
        for number, line in enumerate(lines):
            is_last = number + 1 == len(lines)
            text = Text((name if is_last else "").ljust(margin), no_wrap=True)
            text.append(line, style="" if plain else SEATS[seat.seat % len(SEATS)])
            console.print(text.append(last if is_last else ""), crop=False, overflow="ignore")
    if story.moments:
        console.print(Text(" " * margin + marks(story.moments, plies, width)), crop=False, overflow="ignore")
