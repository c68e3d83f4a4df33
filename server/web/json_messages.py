"""Messages as ProtoJSON: the JSON of the door, both ways."""

from machiavel.server.web.json_reading import read_json
from machiavel.server.web.json_writing import json_of, write_json

__all__ = ["json_of", "read_json", "write_json"]
