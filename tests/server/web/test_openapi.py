"""The description of the door is whole, and true of every message."""

import asyncio
import json
import re
import runpy
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import HealthCheck, given, settings

from machiavel import v1
from machiavel.server.web.json_messages import read_json, write_json
from machiavel.server.web.openapi import document
from tests.packaging.project import ROOT
from tests.server.service.good_requests import good_requests
from tests.server.web.arbitrary import SERVICES, messages, requests_and_responses

METHODS = {f"/{service.full_name}/{method.name}": method for service in SERVICES for method in service.methods}
PAGE: Any = json.loads(document(METHODS))
SCHEMAS: Any = PAGE["components"]["schemas"]
NOT_FINITE = {"NaN", "Infinity", "-Infinity"}


def problems(schema: Any, data: Any, path: str) -> Iterator[str]:
    """What is wrong with JSON by a schema, as far as those of the page go."""
    if "$ref" in schema:
        yield from problems(SCHEMAS[schema["$ref"].rpartition("/")[2]], data, path)
        return
    kinds = schema.get("type", ())
    kinds = {kinds} if isinstance(kinds, str) else set(kinds)
    if "number" in kinds and data in NOT_FINITE:
        return  # which no answer has
    if kinds and not kinds & kinds_of(data):
        yield f"{path}: {data!r} is none of {kinds}"
    elif "enum" in schema and data not in schema["enum"] and not isinstance(data, int):
        yield f"{path}: {data!r} is none of {schema['enum']}"
    elif isinstance(data, str) and "pattern" in schema and not re.search(schema["pattern"], data):
        yield f"{path}: {data!r} is not like {schema['pattern']}"
    elif isinstance(data, list):
        for number, item in enumerate(data):
            yield from problems(schema.get("items", {}), item, f"{path}[{number}]")
    elif isinstance(data, dict):
        yield from (f"{path}.{name} is missing" for name in schema.get("required", ()) if name not in data)
        known, others = schema.get("properties", {}), schema.get("additionalProperties", "properties" not in schema)
        for name, value in data.items():
            if name not in known and others is False:
                yield f"{path}.{name} is not described"
            elif name in known or isinstance(others, dict):
                yield from problems(known.get(name, others), value, f"{path}.{name}")


def kinds_of(data: Any) -> set[str]:
    if isinstance(data, bool) or data is None:
        return {"boolean"} if data is not None else {"null"}
    if isinstance(data, int):
        return {"integer", "number", "string"}  # an unknown number of an enumeration
    return {float: {"number"}, str: {"string"}, list: {"array"}, dict: {"object"}}[type(data)]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(messages(requests_and_responses()))
def test_every_message_is_as_its_schema_says(message: Message) -> None:
    schema = SCHEMAS[message.DESCRIPTOR.name]
    assert not list(problems(schema, json.loads(write_json(message)), message.DESCRIPTOR.name))


def test_real_requests_are_as_their_schemas_say() -> None:
    for _, message in good_requests():
        name = message.DESCRIPTOR.name
        assert not list(problems(SCHEMAS[name], json.loads(write_json(message)), name))


def test_what_is_not_as_the_schema_says_is_found() -> None:
    for wrong in ({"record": 1}, {"record": {"moves": [1.5]}}, {"x": 1}, {"record": {"options": {"x": 1}}}):
        assert list(problems(SCHEMAS["GetStateRequest"], wrong, ""))
    assert list(problems(SCHEMAS["GetStateResponse"], {"state": {}}, ""))


def test_every_call_is_described_once_with_its_messages_and_errors() -> None:
    assert set(PAGE["paths"]) == set(METHODS)
    names = [path["post"]["operationId"] for path in PAGE["paths"].values()]
    assert len(set(names)) == len(names)
    for path, method in METHODS.items():
        call = PAGE["paths"][path]["post"]
        (content,) = call["requestBody"]["content"].values()
        schema = content.get("x-envelope", content.get("schema"))
        assert schema["$ref"].endswith(f"/{method.input_type.name}")
        assert call["description"]
        assert "default" in call["responses"]


def test_a_call_names_the_reasons_of_its_failures_by_their_status() -> None:
    failures = PAGE["paths"]["/machiavel.v1.GameService/GetState"]["post"]["responses"]
    assert failures["400"]["description"] == "Reasons: BAD_RECORD, BAD_REQUEST."
    assert failures["404"]["description"] == "Reasons: UNKNOWN_GAME."
    assert failures["401"]["description"] == "Reasons: BAD_TOKEN."


def test_every_reference_leads_somewhere() -> None:
    for reference in set(re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(PAGE))):
        part = PAGE
        for name in reference.split("/"):
            part = part[name]


def test_every_field_and_value_is_told_of() -> None:
    for name, schema in SCHEMAS.items():
        for field, inside in schema.get("properties", {}).items():
            assert inside.get("description") or name.startswith(("Error", "EndOfStream")), (name, field)
    for reason in v1.ErrorReason.keys()[1:]:
        assert f"`{reason.removeprefix('ERROR_REASON_')}`" in SCHEMAS["ErrorReason"]["description"]


def test_the_examples_are_what_a_server_in_a_rehearsal_answers() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "make_examples.py"))
    written = json.loads((ROOT / "server" / "web" / "examples.json").read_text("utf-8"))
    assert asyncio.run(script["examples"]()) == written, "run docs/make_examples.py"


EXAMPLES = [
    pytest.param(path, side, id=f"{path.rpartition('/')[2]}-{side}")
    for path, call in PAGE["paths"].items()
    for side in ("request", "response")
    if "application/json" in call["post"]["requestBody"]["content"]
]


@pytest.mark.parametrize(("path", "side"), EXAMPLES)
def test_every_call_with_one_answer_has_examples_that_are_its_messages(path: str, side: str) -> None:
    call = PAGE["paths"][path]["post"]
    part = call["requestBody"] if side == "request" else call["responses"]["200"]
    example = part["content"]["application/json"]["example"]
    kind = METHODS[path].input_type if side == "request" else METHODS[path].output_type
    assert not list(problems(SCHEMAS[kind.name], example, kind.name))
    assert read_json(json.dumps(example).encode(), GetMessageClass(kind)).IsInitialized()
