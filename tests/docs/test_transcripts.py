"""The transcripts are what a rehearsal answers: every call that there is, streams, and errors."""

import copy
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from machiavel.v1 import bot_service_pb2, game_service_pb2, match_service_pb2, server_service_pb2, tournament_service_pb2
from tests.docs.page import DOCS

FILES = sorted((DOCS / "transcripts").glob("*.jsonl"))
SERVICES = (bot_service_pb2, game_service_pb2, match_service_pb2, server_service_pb2, tournament_service_pb2)
MOST_BYTES = 1 << 19


def made_by(name: str) -> Any:
    """A program of the documentation, as a module."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKING = made_by("make_transcripts")


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def fixed(line: dict[str, Any], back: dict[str, Any]) -> dict[str, Any]:
    """What comes back, without what varies."""
    varies, answer = line.get("varies", ()), copy.deepcopy(back.get("answer"))
    for place in varies if answer else ():
        *way, name = place.split(".")
        part: Any = answer
        for one in way:
            part = part[one]
        part.pop(name, None)
    kept = {name: back[name] for name in ("status", "answers", "end") if name in back and name not in varies}
    return kept | {"answer": answer}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_rehearsal_answers_as_it_is_written(file: Path, tmp_path: Path) -> None:
    with MAKING.rehearsal(str(tmp_path)) as door:
        for line in lines_of(file):
            assert fixed(line, door.post(line)) == fixed(line, line), line["path"]


def test_every_call_is_there_and_every_file_is_one_that_is_made() -> None:
    assert {file.stem for file in FILES} == set(MAKING.FILES)
    answered = {line["path"] for file in FILES for line in lines_of(file) if line["status"] == 200}
    calls = {
        f"/{service.full_name}/{method.name}"
        for module in SERVICES
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    assert calls - answered == set()
    assert sum(file.stat().st_size for file in FILES) < MOST_BYTES


def test_errors_tell_what_is_wrong_and_nothing_is_a_fault() -> None:
    lines = [line for file in FILES for line in lines_of(file)]
    refused = [line for line in lines if line["status"] != 200]
    assert len(refused) > 10 and all(400 <= line["status"] < 500 or line["status"] == 501 for line in refused)
    assert [line for line in lines if "error" in line.get("end", {})]
    reasons = {one["debug"]["reason"] for line in refused for one in line["answer"]["details"] if "reason" in one["debug"]}
    assert {"UNKNOWN_GAME", "BAD_OPTION", "BAD_REQUEST", "NOT_A_MOVE", "ILLEGAL_MOVE", "BAD_RECORD", "BAD_BOT"} <= reasons
    assert {"NO_ACCESS", "BAD_CODE", "STALE_VERSION", "NOT_TO_MOVE", "UNKNOWN_METHOD"} <= reasons
