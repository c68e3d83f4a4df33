"""`machiavel review`: what it shows, writes, goes on with and refuses."""

import json
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from machiavel.search import LABELS, Review, SearchParameters, Transcript, story_of
from machiavel.server.reviews.review_texts import sentence
from tests.engines.games import INSTALLED
from tests.search.records import record_of
from tests.server.cli.command import COMMAND, Runner, environment


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return written(tmp_path, "whist")


def written(folder: Path, game: str) -> Path:
    path = folder / f"{game}.json"
    path.write_text(json.dumps(record_of(game).to_json()), encoding="utf-8")
    return path


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", INSTALLED)
def test_a_review_shows_moves_seats_chances_and_moments(run: Runner, tmp_path: Path, game: str, language: str) -> None:
    ran = run(f"review {written(tmp_path, game)} --iterations 20 --lang {language}")
    assert (ran.code, ran.err) == (0, "")
    transcript = Transcript(record_of(game))
    judgements = list(Review(transcript, 20))
    story = story_of(transcript, judgements)
    shown = " ".join(ran.out.split())
    for number, one in enumerate(story.moments, 1):
        assert " ".join(f"{number}. {sentence(transcript, one, language)}".split()) in shown
    assert {"en": "What decided the match", "fr": "Ce qui a décidé de la partie"}[language] in ran.out
    numbers = [line.split()[0] for line in ran.out.splitlines() if line[:5].strip().isdigit()]
    assert numbers[: len(judgements)] == [str(one.ply + 1) for one in judgements]
    assert set("▁▂▃▄▅▆▇█") & set(ran.out)


def test_mistakes_alone(run: Runner, record: Path) -> None:
    ran = run(f"review {record} --iterations 400 --mistakes")
    judgements = list(Review(Transcript(record_of("whist")), 400))
    wanted = [str(one.ply + 1) for one in judgements if LABELS[one.label] > 0]
    table = ran.out.split("\n\n")[0].splitlines()[1:] if wanted else []
    assert [line.split()[0] for line in table if line[:5].strip().isdigit()] == wanted


def test_as_json_it_streams_and_ends_with_the_summary(run: Runner, record: Path) -> None:
    ran = run(f"review {record} --iterations 30 --seed 4 --json")
    first, *moves, last = ran.objects
    here = list(Review(Transcript(record_of("whist")), 30, SearchParameters(seed=4)))
    assert (first["type"], first["game"], first["total"]) == ("review", "whist", len(here))
    assert [{**one, "type": "move"} for one in moves] == [{"type": "move", **one.to_json()} for one in here]
    assert last["type"] == "summary"
    assert {name for one in last["moments"] for name in one["text"]} == {"en", "fr"}


def test_the_threads_change_nothing(run: Runner, record: Path) -> None:
    assert len({run(f"review {record} --iterations 30 --threads {threads} --json").out for threads in (1, 2, 7)}) == 1


def test_some_seats(run: Runner, record: Path) -> None:
    ran = run(f"review {record} --iterations 10 --seats 2 0 --json")
    assert {one["seat"] for one in ran.objects if one["type"] == "move"} == {0, 2}


def test_plainly_there_are_digits_for_blocks(run: Runner, record: Path) -> None:
    out = run(f"review {record} --iterations 10 --plain").out
    assert out.isascii() or not set(out) & set("▁▂▃▄▅▆▇█·")


def test_where_blocks_cannot_be_shown_there_are_digits(record: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "review", str(record), "--iterations", "10"],
        capture_output=True,
        timeout=60,
        check=True,
        env=environment(PYTHONIOENCODING="ascii", PYTHONUTF8="0"),
    )
    assert b"seat 0" in done.stdout
    assert b"????" not in done.stdout


# ---- Files ----


def test_the_picture_is_written_and_named(run: Runner, record: Path, tmp_path: Path) -> None:
    ran = run(f"review {record} --iterations 10 --svg {tmp_path / 'match.svg'}")
    assert ran.out.rstrip().endswith("match.svg")
    assert ET.parse(tmp_path / "match.svg").getroot().tag.endswith("svg")  # noqa: S314 - our own picture


def test_a_folder_keeps_everything_and_is_gone_on_with(run: Runner, record: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    whole = run(f"review {record} --iterations 30 --output {folder} --json")
    files = {name: (folder / name).read_bytes() for name in ("judgements.jsonl", "summary.json", "review.svg")}
    lines = files["judgements.jsonl"].splitlines(keepends=True)
    (folder / "judgements.jsonl").write_bytes(b"".join(lines[:7]) + lines[7][:9])
    (folder / "summary.json").unlink()
    again = run(f"review {record} --iterations 30 --output {folder} --resume --json")
    assert again.out == whole.out
    assert {name: (folder / name).read_bytes() for name in files} == files


def test_of_several_records_one_is_taken(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text("".join(json.dumps(record_of(game).to_json()) + "\n" for game in ("whist", "bond")), encoding="utf-8")
    assert run(f"review {file} --iterations 10 --number 2 --json").objects[0]["game"] == "bond"
    for flags, words in (("", "holds 2 records"), ("--number 3", "expected 1 to 2")):
        ran = run(f"review {file} {flags}")
        assert ran.code == 2
        assert words in ran.err


def test_a_record_may_stand_on_several_lines_and_come_from_stdin(run: Runner) -> None:
    text = json.dumps(record_of("whist").to_json(), indent=2)
    assert run("review - --iterations 10 --json", entries=text).objects[0]["game"] == "whist"


def test_what_play_writes_can_be_reviewed(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "played.json"
    run(f"play whist --players 2 --bots random:seed=1 --seed 3 --record {path}", entries=["1"] * 100)
    assert run(f"review {path} --iterations 10").code == 0


# ---- What is wrong ----


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ("--seats 3", "--seats 3: expected seats from 0 to 2"),
        ("--iterations 0", "expected a whole number, 1 to"),
        ("--threads 0", "expected a whole number, 1 to 256"),
        ("--resume", "expected --output"),
        ("--number 2", "there is one record"),
        ("--svg /nowhere/at/all.svg --iterations 5", "/nowhere/at/all.svg: cannot be written"),
        ("--output /dev/null/x", "--output /dev/null/x"),
    ],
)
def test_a_wrong_flag_is_told_in_one_line(run: Runner, record: Path, flags: str, words: str) -> None:
    ran = run(f"review {record} {flags}")
    assert ran.code == 2
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no JSON"),
        ("[]", "expected an object"),
        ('{"game": "whist"}', "digest: is missing"),
        (json.dumps(record_of("whist").to_json() | {"moves": []}), "moves: is empty"),
        (json.dumps(record_of("whist").to_json() | {"moves": ["zz"]}), "moves[0]"),
        (json.dumps(record_of("whist").to_json() | {"game": "chess"}), "unknown game"),
    ],
)
def test_what_is_no_record_is_refused(run: Runner, tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "wrong.json"
    file.write_text(text, encoding="utf-8")
    ran = run(f"review {file}")
    assert ran.code == 2
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_file_that_is_not_there(run: Runner, tmp_path: Path) -> None:
    assert "expected a file with a record" in run(f"review {tmp_path / 'none.json'}").err


def test_a_folder_with_another_review_is_refused(run: Runner, record: Path, tmp_path: Path) -> None:
    run(f"review {record} --iterations 10 --output {tmp_path / 'kept'}")
    for flags, words in (
        ("--iterations 10", "expected --resume"),
        ("--iterations 11 --resume", "holds another review: iterations 10, not 11"),
    ):
        ran = run(f"review {record} --output {tmp_path / 'kept'} {flags}")
        assert ran.code == 2
        assert words in ran.err
