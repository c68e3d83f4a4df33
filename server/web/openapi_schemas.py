"""JSON Schema of messages: what the door takes and answers as JSON."""

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["Schema", "Schemas", "reference"]

Schema = dict[str, Any]
WHOLE = r"^(0|-?[1-9]\d{0,18})$"

# What JSON has something else for.
SPECIAL: Mapping[str, Schema] = {
    "google.protobuf.Duration": {
        "type": "string",
        "pattern": r"^-?\d{1,12}(\.\d{1,9})?s$",
        "description": "Seconds, with up to nine decimals.",
        "examples": ["1.5s"],
    },
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time", "description": "A time, in UTC."},
    "google.protobuf.Struct": {"type": "object", "additionalProperties": True, "description": "An object of the game's own."},
    "google.protobuf.ListValue": {"type": "array", "description": "A list of the game's own."},
    "google.protobuf.Value": {"description": "Any JSON, of the game's own."},
}


def reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


class Schemas:
    """The schemas of messages and enumerations, collected as they are referred to; `comments` are by full name.

    A message that only answers have says what is always there. One that requests may have as well says instead that no other
    field may stand in it.
    """

    def __init__(self, comments: Mapping[str, str], requests: Iterable[Any]) -> None:
        self.comments = comments
        self.asked: set[str] = set()
        for request in requests:
            self.reach(request)
        self.made: dict[str, Schema] = {}

    def reach(self, descriptor: Any) -> None:
        """Notes all messages that may stand in one."""
        if descriptor.full_name not in self.asked:
            self.asked.add(descriptor.full_name)
            for field in descriptor.fields:
                if field.message_type is not None:
                    self.reach(field.message_type)

    def refer(self, descriptor: Any) -> Schema:
        """A reference to a message or an enumeration, whose schema is made if need be."""
        name = descriptor.full_name.removeprefix("machiavel.v1.").removeprefix("google.protobuf.")
        if name not in self.made:
            self.made[name] = {}  # it may hold itself
            self.made[name] = self.enum(descriptor) if hasattr(descriptor, "values_by_name") else self.message(descriptor)
        return reference(name)

    def enum(self, descriptor: Any) -> Schema:
        lines = [self.comments.get(descriptor.full_name, "")]
        lines += [f"- `{value.name}`: {self.comments[f'{descriptor.full_name}.{value.name}']}" for value in descriptor.values]
        return {"type": "string", "enum": [value.name for value in descriptor.values], "description": "\n".join(lines)}

    def message(self, descriptor: Any) -> Schema:
        if descriptor.full_name in SPECIAL:
            return dict(SPECIAL[descriptor.full_name])
        result: Schema = {"type": "object"}
        description = [self.comments[descriptor.full_name]] if descriptor.full_name in self.comments else []
        choices = [[f"`{field.json_name}`" for field in oneof.fields] for oneof in descriptor.oneofs]
        description += [f"At most one of {', '.join(names)}." for names in choices if len(names) > 1]
        if description:
            result["description"] = " ".join(description)
        result["properties"] = {field.json_name: self.field(field) for field in descriptor.fields}
        if descriptor.full_name in self.asked:
            result["additionalProperties"] = False
        elif always := [field.json_name for field in descriptor.fields if not field.has_presence]:
            result["required"] = always
        return result

    def field(self, field: Any) -> Schema:
        description = self.comments.get(field.full_name, "")
        kind = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            key, value = (kind.fields_by_name[name] for name in ("key", "value"))
            result: Schema = {"type": "object", "additionalProperties": self.value(value)}
            if key.type != key.TYPE_STRING:
                result["propertyNames"] = {"pattern": WHOLE}
        elif field.is_repeated:
            result = {"type": "array", "items": self.value(field)}
        else:
            result = self.value(field)
        return {**result, "description": description} if description else result

    def value(self, field: Any) -> Schema:
        if field.message_type is not None or field.enum_type is not None:
            return self.refer(field.message_type or field.enum_type)
        if field.type in {field.TYPE_INT64, field.TYPE_UINT64}:
            is_asked = field.containing_type.full_name in self.asked
            return {
                "type": ["string", "integer"] if is_asked else "string",
                "format": "int64",
                "pattern": r"^(0|-?[1-9]\d{0,18})$",
            }
        return {
            field.TYPE_BOOL: {"type": "boolean"},
            field.TYPE_STRING: {"type": "string"},
            field.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
            field.TYPE_DOUBLE: {"type": "number", "format": "double"},
            field.TYPE_INT32: {"type": "integer", "format": "int32"},
        }[field.type].copy()
