"""The client in JavaScript has the calls and the errors of the one in Python."""

import json
import re
import subprocess
from pathlib import Path

import pytest

import machiavel.clients
from machiavel.clients import AsyncClient, AsyncHostSession, AsyncSeatSession, ServiceError
from tests.clients.js.programs import ENVIRONMENT, NODE, PACKAGE

PROGRAM = """
import * as all from {};
const methods = (made) => Object.getOwnPropertyNames(made.prototype);
const told = {{ exported: Object.keys(all) }};
for (const name of ["Client", "HostSession", "SeatSession"]) told[name] = methods(all[name]);
told.Client.push(...methods(Object.getPrototypeOf(all.Client)));
console.log(JSON.stringify(told));
"""
# An old name; and what only Python's own functions for bots use.
OF_PYTHON = {"table", "watch_on"}


@pytest.fixture(scope="module")
def offered() -> dict[str, list[str]]:
    program = PROGRAM.format(json.dumps(str(PACKAGE / "dist" / "node.js")))
    command: list[str | Path] = [NODE, "--input-type=module", "--eval", program]
    result: dict[str, list[str]] = json.loads(subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=True).stdout)
    return result


def in_camel_case(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


@pytest.mark.parametrize(
    ("name", "kind"), [("Client", AsyncClient), ("SeatSession", AsyncSeatSession), ("HostSession", AsyncHostSession)]
)
def test_every_method_has_its_twin(offered: dict[str, list[str]], name: str, kind: type) -> None:
    public = {method for method in vars(kind) if method[0] != "_"} - OF_PYTHON

    assert public
    assert {in_camel_case(method) for method in public} <= set(offered[name])


def test_every_error_has_its_twin(offered: dict[str, list[str]]) -> None:
    names = [name for name in machiavel.clients.__all__ if isinstance(getattr(machiavel.clients, name), type)]
    errors = [name for name in names if issubclass(getattr(machiavel.clients, name), ServiceError)]

    assert len(errors) > 40
    assert set(errors) <= set(offered["exported"])
    assert {"BotFault", "commitment", "connect", "serveBot"} <= set(offered["exported"])
