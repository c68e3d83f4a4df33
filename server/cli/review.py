"""`machiavel review`: each move of a record judged by what its seat knew, and what decided the match."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from machiavel.engines import BadOption, Record
from machiavel.search import Judgement, Review, SearchParameters, Story, Transcript, story_of
from machiavel.search.parameters import BOUNDS, VARIANTS
from machiavel.server.cli.arguments import UsageError, add_json, add_language, number
from machiavel.server.cli.command_texts import language_of_environment
from machiavel.server.cli.game_files import add_game_files, add_game_files_flag
from machiavel.server.cli.output import json_line, people, say_warning
from machiavel.server.cli.replay import game_of, games_in, journal_of
from machiavel.server.cli.review_page import show
from machiavel.server.reviews.judgements import header_of, opened
from machiavel.server.reviews.review_texts import REVIEW_TEXTS, sentence
from machiavel.server.reviews.svg import svg

__all__ = ["add_command"]

EPILOG = """\
A record is what `machiavel play --record` writes; a file may hold several, one a line, and --number takes one of them, as it does
of a tournament, by its folder or its games.jsonl. Moves are judged one by one by what their seat saw then; moves without a choice
are not. The same record, iterations and seed give the same review, on any number of threads. docs/reviews.md tells what
the labels mean.

examples:
  machiavel review match.json
  machiavel review match.json --seats 0 --mistakes --lang fr
  machiavel review first --number 17
  machiavel review match.json --game ./mygame.py
  machiavel review match.json --iterations 20000 --svg match.svg
  machiavel review match.json --output review/            stopped with Ctrl-C, and
  machiavel review match.json --output review/ --resume   goes on where it was
"""
SUMMARY, PICTURE = "summary.json", "review.svg"


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "review",
        help="how a match was played, move by move",
        description="Each move of a match judged by what its seat knew, and the moments that decided it.",
        epilog=EPILOG,
    )
    parser.add_argument(
        "record", metavar="RECORD.json", help="a file with the record of a match, or a tournament; - for standard input"
    )
    parser.add_argument(
        "--number", type=number(1), metavar="N", help="which of several records, or games, in the file, the first being 1"
    )
    parser.add_argument("--seats", nargs="+", type=number(0), metavar="S", help="whose moves to judge (everybody's)")
    parser.add_argument("--iterations", type=number(1, 10**9), default=2000, metavar="N", help="how much to think a move (2000)")
    parser.add_argument("--variant", choices=VARIANTS, help="kind of search (what proved strongest in the game)")
    parser.add_argument("--seed", type=number(*BOUNDS["seed"]), default=0, metavar="S", help="luck of the searches (0)")
    parser.add_argument(
        "--threads", type=number(*BOUNDS["threads"]), metavar="T", help="moves judged at once (as many as there are cores)"
    )
    parser.add_argument("--mistakes", action="store_true", help="list inaccuracies, mistakes and blunders alone")
    add_game_files_flag(parser, "the file of the record's game, where it is not installed; may be repeated")
    parser.add_argument("--svg", metavar="FILE", help="draw the win chances there")
    parser.add_argument("--output", metavar="DIR", help="keep everything there, each judgement as it is made")
    parser.add_argument("--resume", action="store_true", help="--output goes on with what is there")
    parser.add_argument("--plain", action="store_true", help="without colours and blocks")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.resume and not arguments.output:
        raise UsageError("--resume: expected --output with the folder of the review to go on with")
    add_game_files(arguments.game_files, arguments.lang)
    transcript = transcript_of(arguments)
    parameters = SearchParameters(variant=arguments.variant, seed=arguments.seed)
    header = header_of(transcript, Review(transcript, arguments.iterations, parameters))
    language = arguments.lang or language_of_environment()
    folder = None if arguments.output is None else Path(arguments.output)
    with (
        written(arguments.output),
        nullcontext()
        if folder is None
        else opened(folder, header, transcript, resume=arguments.resume, tell=say_warning) as kept,
    ):
        known = [] if kept is None else kept.known
        review = Review(transcript, arguments.iterations, parameters, threads=arguments.threads, known=known)
        if arguments.json:
            json_line({**header, "game": transcript.game.name, "moves": len(transcript.moves), "total": len(transcript.choices)})
        judgements = []
        for one in watched(review):
            if kept is not None and one.ply not in review.known:
                kept.add(one)
            if arguments.json:
                json_line({"type": "move", **one.to_json()})
            judgements.append(one)
    story = story_of(transcript, judgements)
    files = pictures(arguments, transcript, judgements, story, language)
    if arguments.json:
        json_line({"type": "summary", **summary_of(transcript, story)})
    else:
        show(transcript, judgements, story, language, mistakes=arguments.mistakes, plain=arguments.plain)
        for path in files:
            people(plain=arguments.plain).print(REVIEW_TEXTS[language]["written"].format(path=path), style="dim")
    return 0


def transcript_of(arguments: argparse.Namespace) -> Transcript:
    record = read_record(arguments.record, arguments.number)
    try:
        return Transcript(record, arguments.seats)
    except BadOption as error:
        if error.option != "seats":
            raise
        raise UsageError(f"--seats {error.value}: expected {error.expected}") from None


def read_record(name: str, wanted: int | None) -> Record:
    """The record of a file: its only one, or that of so many lines; raises UsageError or BadRecord."""
    try:
        journal = None if name == "-" else journal_of(Path(name))
        if journal is not None:
            return record_in(journal, wanted)
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or "is no text"
        raise UsageError(f"{getattr(error, 'filename', None) or name}: {problem}; expected a file with a record") from None
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or not is_object(lines[0]):  # one record, on as many lines as it likes
        if wanted not in {None, 1}:
            raise UsageError(f"--number {wanted}: there is one record in {name}")
        return Record.from_json(text)
    if wanted is None:
        raise UsageError(f"{name}: holds {len(lines)} records; expected --number with one of 1 to {len(lines)}")
    if wanted > len(lines):
        raise UsageError(f"--number {wanted}: expected 1 to {len(lines)}, the records in {name}")
    return Record.from_json(lines[wanted - 1])


def record_in(journal: Path, wanted: int | None) -> Record:
    """The record of a tournament's game, by its place; raises UsageError, BadJournal."""
    if wanted is None:
        raise UsageError(f"{journal}: is a tournament; expected --number with one of its games, 1 to {games_in(journal)}")
    return game_of(journal, lambda number, _deal, _seating: number == wanted).record


def is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def watched(review: Review) -> Iterator[Judgement]:
    """The judgements; a terminal is told how far it is."""
    errors = Console(stderr=True)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("", total=len(review.transcript.choices))
        for one in review:
            progress.update(task, advance=1, description=f"{one.ply + 1}/{len(review.transcript.moves)}")
            yield one


@contextmanager
def written(output: str | None) -> Iterator[None]:
    """What cannot be written to the folder is complained of as it was given."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if output is None or error.filename is None:
            raise
        raise UsageError(f"--output {output}: {error.strerror}: {error.filename}") from None


def pictures(
    arguments: argparse.Namespace, transcript: Transcript, judgements: list[Judgement], story: Story, language: str
) -> list[Path]:
    """Writes what is asked for; returns where."""
    result = [] if arguments.svg is None else [Path(arguments.svg)]
    drawn = svg(transcript, judgements, story, language)
    summary = json.dumps(summary_of(transcript, story), ensure_ascii=False, indent=1) + "\n"
    files = dict.fromkeys(result, drawn)
    if arguments.output is not None:
        folder = Path(arguments.output)
        files |= {folder / PICTURE: drawn, folder / SUMMARY: summary}
    for path, text in files.items():
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
    return list(files)


def summary_of(transcript: Transcript, story: Story) -> dict[str, Any]:
    result = story.to_json()
    for data, one in zip(result["moments"], story.moments, strict=True):
        data["text"] = {language: sentence(transcript, one, language) for language in REVIEW_TEXTS}
    return result
