"""The door described for programs: OpenAPI 3.1, made of the descriptors of the services and the comments of the .proto files."""

import json
import re
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import grpc
from google.protobuf import descriptor_pool

from machiavel import v1
from machiavel.server.web.connect import NAMES
from machiavel.server.web.openapi_schemas import Schema, Schemas, reference

__all__ = ["document"]

OURS = "/machiavel."
REASON = "machiavel.v1.ErrorReason"
PREFIX = "ERROR_REASON_"
# What every call may come to, beside what its comment names.
ALWAYS = ("BAD_REQUEST", "BAD_TOKEN", "MESSAGE_TOO_LARGE", "TOO_BUSY", "SHUTTING_DOWN", "NO_TIME", "FAULT", "UNKNOWN_ENCODING")
CAPITALS = re.compile(r"\b[A-Z][A-Z_]+[A-Z]\b")
SENTENCE = re.compile(r".+?[.:](?= |$)")

ABOUT = """\
The calls of the service as plain HTTP: the Connect protocol with JSON. Every call is a POST of one JSON object, and answers one.

- Numbers of 64 bits are texts; numbers are taken as well. Durations are texts such as `"1.5s"`, times are RFC 3339.
- A request may leave out what is 0 or empty, and may name fields as the .proto files do (`rules_version`). A field that there is not is refused by its name. `null` counts as left out.
- Descriptions name fields as the .proto files do: `seats_to_move` is `seatsToMove` here.
- Answers hold what is 0 or empty too, and leave out only what is unset. Fields may be added: ignore those you do not know.
- An error has a status of HTTP, and an object that says what is wrong and what would be right: see `Error`.
- A stream is a POST of one envelope (a byte 0, the length in four bytes, the highest first, and the JSON) of type `application/connect+json`. It answers 200 and envelopes of the same form; the last has 2 as its first byte, and holds `EndOfStream`.
- `Connect-Timeout-Ms` is the deadline, and so the time to think.
"""  # noqa: E501 - Markdown


def document(paths: Iterable[str]) -> bytes:
    """The description of these calls, each `/package.Service/Method`; only those of this project are described."""
    comments = json.loads(files(v1).joinpath("comments.json").read_text("utf-8"))
    examples = json.loads(files(__package__ or "").joinpath("examples.json").read_text("utf-8"))
    methods = [method_at(path) for path in paths if path.startswith(OURS)]
    schemas = Schemas(comments, [method.input_type for method in methods])
    reasons = statuses_of(comments)
    services = {method.containing_service.full_name: method.containing_service for method in methods}
    result = {
        "openapi": "3.1.0",
        "info": {
            "title": "Machiavel",
            "version": version("machiavel"),
            "description": ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"bearer": []}],
        "tags": [{"name": service.name, "description": comments[name]} for name, service in services.items()],
        "paths": {
            f"/{method.containing_service.full_name}/{method.name}": {
                "post": operation(method, comments[method.full_name], schemas, reasons, examples)
            }
            for method in methods
        },
    }
    result["components"] = components(schemas, comments)
    return json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode()


def method_at(path: str) -> Any:
    service, _, name = path.removeprefix("/").partition("/")
    return descriptor_pool.Default().FindServiceByName(service).methods_by_name[name]


def statuses_of(comments: Mapping[str, str]) -> dict[str, int]:
    """The status of HTTP for each reason: its comment begins with the code of gRPC."""
    result = {}
    for name in v1.ErrorReason.keys()[1:]:
        code = comments[f"{REASON}.{name}"].partition(":")[0]
        result[name.removeprefix(PREFIX)] = NAMES[grpc.StatusCode[code]][1]
    return result


def operation(
    method: Any, comment: str, schemas: Schemas, reasons: Mapping[str, int], examples: Mapping[str, Mapping[str, Any]]
) -> Schema:
    name = f"{method.containing_service.name}.{method.name}"
    example = examples.get(name, {})
    sentence = SENTENCE.match(comment)
    streams = method.server_streaming
    return {
        "operationId": name.replace(".", "_"),
        "tags": [method.containing_service.name],
        "summary": sentence[0].rstrip(".:") if sentence else comment,
        "description": comment,
        "parameters": [{"$ref": f"#/components/parameters/{name}"} for name in ("timeout", "version", "request")],
        "requestBody": {"required": True, "content": content(schemas.refer(method.input_type), example.get("request"), streams)},
        "responses": {
            "200": {
                "description": "The stream, whose end tells whether all went well." if streams else "The answer.",
                "headers": {"x-request-id": {"$ref": "#/components/headers/request"}} if not streams else {},
                "content": content(schemas.refer(method.output_type), example.get("response"), streams),
            },
            **({} if streams else failures(comment, reasons)),
            "default": {"$ref": "#/components/responses/Failed"},
        },
    }


def content(schema: Schema, example: Any, streams: bool) -> Schema:
    if not streams:
        return {"application/json": {"schema": schema, **({} if example is None else {"example": example})}}
    # What an envelope holds, which OpenAPI has no word for.
    described = {
        "type": "string",
        "format": "binary",
        "description": "Envelopes; `x-envelope` is the JSON in each.",
    }
    return {"application/connect+json": {"schema": described, "x-envelope": schema}}


def failures(comment: str, reasons: Mapping[str, int]) -> Schema:
    """What may go wrong, by status: what each call may come to, and what the comment names."""
    named = [name for name in [*CAPITALS.findall(comment), *ALWAYS] if name in reasons]
    by_status: dict[int, list[str]] = {}
    for reason in dict.fromkeys(named):
        by_status.setdefault(reasons[reason], []).append(reason)
    return {
        str(status): {
            "description": f"Reasons: {', '.join(names)}.",
            "content": {"application/json": {"schema": reference("Error")}},
        }
        for status, names in sorted(by_status.items())
    }


def components(schemas: Schemas, comments: Mapping[str, str]) -> Schema:
    reasons = [name.removeprefix(PREFIX) for name in v1.ErrorReason.keys()[1:]]
    told = [f"- `{name}`: {comments[f'{REASON}.{PREFIX}{name}']}" for name in reasons]
    text = {"type": "string"}
    texts = {"type": "object", "additionalProperties": text}
    return {
        "securitySchemes": {
            "bearer": {
                "type": "http",
                "scheme": "bearer",
                "description": "Where the server has tokens.",
            }
        },
        "parameters": {
            "timeout": {
                "name": "Connect-Timeout-Ms",
                "in": "header",
                "description": "The deadline, in milliseconds from now; for calls that think it is the time to think.",
                "schema": {"type": "integer", "minimum": 0, "maximum": 9_999_999_999},
            },
            "version": {
                "name": "Connect-Protocol-Version",
                "in": "header",
                "description": "The version of the protocol; may be left out.",
                "schema": {"type": "string", "enum": ["1"]},
            },
            "request": {
                "name": "X-Request-Id",
                "in": "header",
                "description": "What the log calls this call; anything else than 1 to 64 letters, digits and `_.:-` is replaced.",
                "schema": text,
            },
        },
        "headers": {"request": {"description": "What the log calls this call.", "schema": text, "required": True}},
        "responses": {
            "Failed": {
                "description": "What went wrong.",
                "content": {"application/json": {"schema": reference("Error")}},
            }
        },
        "schemas": {
            **dict(sorted(schemas.made.items())),
            "Error": {
                "type": "object",
                "description": "Why a call has failed.",
                "properties": {
                    "code": {**text, "enum": [name for name, _ in NAMES.values()], "description": "The kind of failure."},
                    "message": {**text, "description": "What is wrong and what would be right, in English, for who reads logs."},
                    "details": {"type": "array", "items": reference("ErrorDetail"), "description": "The same for programs."},
                },
                "required": ["code", "message"],
            },
            "ErrorDetail": {
                "type": "object",
                "description": "A detail of an error: one `google.rpc.ErrorInfo`, and what else there is to say.",
                "properties": {
                    "type": {**text, "description": "The kind of message, such as `google.rpc.ErrorInfo`."},
                    "value": {**text, "contentEncoding": "base64", "description": "The message, for who has its type."},
                    "debug": {
                        "description": "The same, to be read.",
                        "anyOf": [reference("ErrorInfo"), {"type": "object"}],
                    },
                },
                "required": ["type", "value"],
            },
            "ErrorInfo": {
                "type": "object",
                "description": "Why, in a word, and the fields that go with it.",
                "properties": {
                    "reason": reference("ErrorReason"),
                    "domain": {"type": "string", "const": "machiavel"},
                    "metadata": {**texts, "description": "By name: texts as they are, all else as JSON."},
                },
                "required": ["reason", "domain", "metadata"],
            },
            "ErrorReason": {"type": "string", "enum": reasons, "description": "\n".join(["Why.", *told])},
            "EndOfStream": {
                "type": "object",
                "description": "The last envelope of a stream.",
                "properties": {
                    "error": {**reference("Error"), "description": "Why it ended; absent where all went well."},
                    "metadata": {"type": "object", "additionalProperties": {"type": "array", "items": text}},
                },
            },
        },
    }
