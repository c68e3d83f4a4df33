"""Clients in JavaScript that nobody here wrote: calls go to one process of Node as lines of JSON."""

import base64
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

from google.rpc import status_pb2

from tests.ways_in.way import LEAVES_AFTER, Case, Outcome

__all__ = ["Callers", "ScriptWay"]

HERE = Path(__file__).parent
CLIENTS = HERE.parents[1] / "clients" / "js"
NODE = Path(sys.executable).parents[1] / "node" / "node"


class Callers:
    """The process that makes the calls; it trusts whom `authority` names, a file of certificates."""

    def __init__(self, authority: str = "") -> None:
        self.environment = os.environ | ({"NODE_EXTRA_CA_CERTS": authority} if authority else {})

    def __enter__(self) -> Self:
        command = [NODE, HERE / "callers.mjs", CLIENTS]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment, text=True, encoding="utf-8"
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate(timeout=30)
        assert self.process.returncode == 0

    def ask(self, call: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(call) + "\n")
        self.process.stdin.flush()
        outcome: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert "fault" not in outcome, outcome["fault"]
        return outcome


class ScriptWay:
    """One of the clients, at one server: the URLs of its two ports."""

    def __init__(self, callers: Callers, way: str, native: str, web: str) -> None:
        self.callers = callers
        self.call = {"way": way, "native": native, "web": web, "leavesMs": LEAVES_AFTER * 1000}

    def run(self, case: Case) -> Outcome:
        service, _, method = case.method.partition(".")
        call = self.call | {
            "service": service,
            "method": method,
            "request": base64.b64encode(case.request.SerializeToString()).decode(),
            "headers": case.headers,
        }
        if case.timeout is not None:
            call["timeoutMs"] = round(case.timeout * 1000)
        if case.leaves_after is not None:
            call["leavesAfter"] = case.leaves_after
        outcome = self.callers.ask(call)
        answers = [case.answer_class.FromString(base64.b64decode(one)) for one in outcome["answers"]]
        details = [(one["type"], base64.b64decode(one["value"])) for one in outcome["details"]]
        if outcome.get("packed"):
            text = outcome["packed"]
            status = status_pb2.Status.FromString(base64.b64decode(text + "=" * (-len(text) % 4)))
            details = [(one.TypeName(), one.value) for one in status.details]
        return Outcome(code_of(outcome["code"]), outcome["message"], details, answers)


def code_of(name: str) -> str:
    """gRPC's name of a code, of Connect's such as NotFound."""
    if name.isupper():
        return name
    text = "".join(f"_{letter}" if letter.isupper() else letter for letter in name).strip("_").upper()
    return "CANCELLED" if text == "CANCELED" else text
