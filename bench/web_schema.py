"""Holds the door against its own /openapi.json: `python -m bench.web_schema` runs schemathesis (`pip install --group schema`).

Requests are made of the schemas, and broken on purpose; answers are held against them. A server is honest with 501, 503 and 504.
What is legal in a game no schema can say, so that a good request may be refused with 400. More flags go to schemathesis.
"""

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.service import listening

SERVE = ("--web", "127.0.0.1:0", "--seconds", "0.05", "--seconds-most", "0.2", "--matches", "50")
STREAM = "application/connect+json"
HOOKS = "SCHEMATHESIS_HOOKS"
SETTINGS = """
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", 501, 503, 504]

[checks.positive_data_acceptance]
enabled = false

# A stream answers 200 before it is read; its end tells of errors.
[[operations]]
include-operation-id-regex = "_(AnalyzeMoves|ReviewGame|WatchMatch|WatchTournament)$"
checks.negative_data_rejection.enabled = false
"""


# ---- In the process of schemathesis: envelopes, of which OpenAPI cannot tell ----


def hook() -> None:
    import schemathesis  # noqa: PLC0415

    # It takes whatever ends in +json for JSON.
    schemathesis.serializer("application/json")(serialized)
    schemathesis.deserializer("application/json")(deserialized)
    schemathesis.hook("before_load_schema")(before_load_schema)


def serialized(context: Any, value: Any) -> bytes:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return b"\0" + len(data).to_bytes(4, "big") + data if context.case.media_type == STREAM else data


def deserialized(_: object, response: Any) -> Any:
    is_stream = STREAM in response.headers.get("content-type", [""])[0]
    return list(opened(response.content)) if is_stream else json.loads(response.content)


def before_load_schema(_: object, raw_schema: dict[str, Any]) -> None:
    """Has the messages of streams in the place of envelopes."""
    for path in raw_schema["paths"].values():
        asked = path["post"]["requestBody"]["content"].get(STREAM)
        if asked is not None:
            answered = path["post"]["responses"]["200"]["content"][STREAM]
            end = {"$ref": "#/components/schemas/EndOfStream"}
            asked["schema"] = asked["x-envelope"]
            answered["schema"] = {"type": "array", "items": {"anyOf": [answered["x-envelope"], end]}}


def opened(content: bytes) -> Any:
    while content:
        size = int.from_bytes(content[1:5], "big")
        yield json.loads(content[5 : 5 + size])
        content = content[5 + size :]


# ---- The command ----


async def run(more: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "schemathesis.toml")
        settings.write_text(SETTINGS)
        async with listening(*SERVE, "--tournaments", folder, "--tournament-games", "20") as told:
            program = str(Path(sys.executable).with_name("schemathesis"))
            command = [program, "--config-file", str(settings), "run", f"{told['web']}/openapi.json"]
            flags = ["--phases=examples,coverage,fuzzing", "--continue-on-failure", *more]
            environment = {**os.environ, HOOKS: "bench.web_schema", "PYTHONPATH": str(Path.cwd())}
            process = await asyncio.create_subprocess_exec(*command, *flags, env=environment, cwd=folder)
            return await process.wait()


if __name__ == "__main__":
    raise SystemExit(asyncio.run(run(sys.argv[1:])))
if os.environ.get(HOOKS) == __name__:
    hook()
