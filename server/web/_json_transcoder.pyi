from collections.abc import Callable, Mapping, Sequence

class JsonField:
    """How a field is written. A map's key and value are the first two fields of its entries' table."""

    def __init__(
        self,
        number: int,
        label: bytes,
        kind: str,
        is_repeated: bool,
        is_map: bool,
        is_optional: bool,
        names: Mapping[int, bytes] | None = None,
        write: Callable[[bytes], bytes] | None = None,
        table: MessageTable | None = None,
    ) -> None:
        """`label` is `"name":`. `kind` is one of bool, int32, int64, double, string, enum, message and other.

        `names` are those of an enumeration, by number, as JSON. `write` makes JSON of the bytes of what is `other`.
        """

class MessageTable:
    """How the messages of a kind are written."""

    def fill(self, fields: Sequence[JsonField]) -> None:
        """Says what there is to write, in this order; a table may be referred to before."""
    def write(self, data: bytes) -> bytes:
        """JSON of a serialized message, whose maps are in order."""
