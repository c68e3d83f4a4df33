"""Writes serialized messages as ProtoJSON, by tables made once for every kind of message."""

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize, PyBytes_Size
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.math cimport isfinite, isnan, signbit
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdio cimport snprintf
from libc.string cimport memcpy, strlen

cdef extern from "Python.h":
    char* PyOS_double_to_string(double value, char format_code, int precision, int flags, int* type) except NULL
    int Py_DTSF_ADD_DOT_0

cdef enum:
    MOST_FIELDS = 128  # of a message
    MOST_NUMBER = 256  # that a field may have


cdef enum Kind:
    BOOL
    INT32
    INT64
    DOUBLE
    STRING
    ENUM
    MESSAGE
    OTHER  # a message that Python writes


cdef struct Text:
    char* data
    Py_ssize_t size
    Py_ssize_t room


cdef int grow(Text* text, Py_ssize_t more) except -1:
    """Makes room for so many bytes."""
    cdef Py_ssize_t room
    cdef char* data
    if text.size + more > text.room:
        room = 2 * (text.size + more)
        data = <char*>PyMem_Realloc(text.data, room)
        if data is NULL:
            raise MemoryError
        text.data, text.room = data, room
    return 0


cdef inline int put(Text* text, const char* data, Py_ssize_t size) except -1:
    grow(text, size)
    memcpy(text.data + text.size, data, size)
    text.size += size
    return 0


cdef inline int put_byte(Text* text, char byte) except -1:
    grow(text, 1)
    text.data[text.size] = byte
    text.size += 1
    return 0


cdef int put_bytes(Text* text, bytes data) except -1:
    return put(text, PyBytes_AsString(data), PyBytes_Size(data))


cdef int put_string(Text* text, const uint8_t* data, Py_ssize_t size) except -1:
    """In quotes, as `json` escapes it."""
    cdef Py_ssize_t begin = 0, at
    cdef uint8_t byte
    cdef char escaped[8]
    put_byte(text, b'"')
    for at in range(size):
        byte = data[at]
        if byte >= 32 and byte != 34 and byte != 92:
            continue
        put(text, <const char*>data + begin, at - begin)
        begin = at + 1
        escaped[0] = 92
        escaped[1] = byte
        if byte == 10:
            escaped[1] = b"n"
        elif byte == 13:
            escaped[1] = b"r"
        elif byte == 9:
            escaped[1] = b"t"
        elif byte == 8:
            escaped[1] = b"b"
        elif byte == 12:
            escaped[1] = b"f"
        elif byte < 32:
            snprintf(escaped, 8, "\\u%04x", <int>byte)
            put(text, escaped, 6)
            continue
        put(text, escaped, 2)
    put(text, <const char*>data + begin, size - begin)
    return put_byte(text, b'"')


cdef int put_whole(Text* text, int64_t value) except -1:
    cdef char digits[24]
    cdef int at = 24
    cdef uint64_t rest = <uint64_t>value if value >= 0 else 0 - <uint64_t>value
    while True:
        at -= 1
        digits[at] = <char>(48 + rest % 10)
        rest //= 10
        if rest == 0:
            break
    if value < 0:
        at -= 1
        digits[at] = b"-"
    return put(text, digits + at, 24 - at)


cdef int put_double(Text* text, double value) except -1:
    """The shortest text that is read as this number, as Python has it."""
    cdef int64_t scaled, whole
    cdef int digits
    cdef char decimals[8]
    cdef char* made
    # Of up to four decimals, which most are; two numbers of at most 15 digits are never the same double.
    if -1e9 < value < 1e9 and (value > 1e-4 or value < -1e-4):
        scaled = <int64_t>(value * 1e4 + (0.5 if value > 0 else -0.5))
        if <double>scaled / 1e4 == value:
            if scaled < 0:
                put_byte(text, b"-")
                scaled = -scaled
            whole = scaled // 10000
            scaled -= whole * 10000
            put_whole(text, whole)
            decimals[0] = b"."
            for digits in range(4, 0, -1):
                decimals[digits] = <char>(48 + scaled % 10)
                scaled //= 10
            digits = 4
            while digits > 1 and decimals[digits] == 48:
                digits -= 1
            return put(text, decimals, digits + 1)
    if not isfinite(value):
        if isnan(value):
            return put(text, b'"NaN"', 5)
        return put(text, b'"-Infinity"', 11) if value < 0 else put(text, b'"Infinity"', 10)
    if value == 0 and not signbit(value):
        return put(text, b"0.0", 3)
    made = PyOS_double_to_string(value, b"r", 0, Py_DTSF_ADD_DOT_0, NULL)
    try:
        return put(text, made, strlen(made))
    finally:
        PyMem_Free(made)


cdef struct Wire:
    const uint8_t* data
    Py_ssize_t at
    Py_ssize_t end


cdef int read_varint(Wire* wire, uint64_t* result) except -1:
    cdef int shift = 0
    cdef uint8_t byte
    result[0] = 0
    while wire.at < wire.end and shift < 64:
        byte = wire.data[wire.at]
        wire.at += 1
        result[0] |= <uint64_t>(byte & 127) << shift
        if byte < 128:
            return 0
        shift += 7
    raise ValueError("a number is cut")


cdef int read_size(Wire* wire, Py_ssize_t* result) except -1:
    cdef uint64_t size
    read_varint(wire, &size)
    if size > <uint64_t>(wire.end - wire.at):
        raise ValueError("a field is cut")
    result[0] = <Py_ssize_t>size
    return 0


cdef int read_double(Wire* wire, double* result) except -1:
    if wire.end - wire.at < 8:
        raise ValueError("a number is cut")
    memcpy(result, wire.data + wire.at, 8)
    wire.at += 8
    return 0


cdef int skip(Wire* wire, int form) except -1:
    cdef uint64_t number
    cdef Py_ssize_t size = 0
    if form == 0:
        read_varint(wire, &number)
        return 0
    if form == 2:
        read_size(wire, &size)
    elif form == 1 or form == 5:
        size = 8 if form == 1 else 4
    else:
        raise ValueError("a field of a form that there is not")
    if wire.end - wire.at < size:
        raise ValueError("a field is cut")
    wire.at += size
    return 0


KINDS = {
    "bool": BOOL,
    "int32": INT32,
    "int64": INT64,
    "double": DOUBLE,
    "string": STRING,
    "enum": ENUM,
    "message": MESSAGE,
    "other": OTHER,
}


cdef class MessageTable:
    """How the messages of a kind are written."""

    cdef list fields
    cdef int places[MOST_NUMBER]  # by number, one more than the place among the fields

    def __init__(self) -> None:
        self.fields = []

    def fill(self, fields: list) -> None:
        """Says what there is to write, in this order; a table may be referred to before."""
        cdef JsonField field
        if len(fields) > MOST_FIELDS:
            raise ValueError(f"{len(fields)} fields; expected at most {MOST_FIELDS}")
        self.fields = fields
        for at in range(MOST_NUMBER):
            self.places[at] = 0
        for at, field in enumerate(fields):
            if field.number >= MOST_NUMBER:
                raise ValueError(f"a field has the number {field.number}; expected less than {MOST_NUMBER}")
            self.places[field.number] = at + 1

    def write(self, data: bytes) -> bytes:
        """JSON of a serialized message, whose maps are in order."""
        cdef Text text = Text(NULL, 0, 0)
        cdef Wire wire = Wire(<const uint8_t*>PyBytes_AsString(data), 0, PyBytes_Size(data))
        try:
            grow(&text, 2 * wire.end + 256)
            self.put_message(&text, wire)
            return PyBytes_FromStringAndSize(text.data, text.size)
        finally:
            PyMem_Free(text.data)

    cdef int find(self, Wire wire, Py_ssize_t* begins) except -1:
        """Where each field begins, its tag included; -1 where it is unset."""
        cdef Py_ssize_t at, begin
        cdef uint64_t tag, number
        cdef int place
        for at in range(len(self.fields)):
            begins[at] = -1
        while wire.at < wire.end:
            begin = wire.at
            read_varint(&wire, &tag)
            number = tag >> 3
            place = self.places[number] if number < MOST_NUMBER else 0
            if place and begins[place - 1] < 0:
                begins[place - 1] = begin
            skip(&wire, <int>(tag & 7))
        return 0

    cdef int put_message(self, Text* text, Wire wire) except -1:
        cdef Py_ssize_t begins[MOST_FIELDS]
        cdef Py_ssize_t at
        cdef JsonField field
        cdef uint64_t tag
        cdef bint is_first = True
        self.find(wire, begins)
        put_byte(text, b"{")
        for at in range(len(self.fields)):
            field = <JsonField>self.fields[at]
            if begins[at] < 0 and field.is_optional:
                continue
            if not is_first:
                put_byte(text, b",")
            is_first = False
            put_bytes(text, field.label)
            wire.at = begins[at]
            if begins[at] < 0:
                field.put_zero(text)
            elif field.is_map:
                field.put_map(text, wire)
            elif field.is_repeated:
                field.put_list(text, wire)
            else:
                read_varint(&wire, &tag)
                field.put_value(text, &wire, <int>(tag & 7))
        return put_byte(text, b"}")

    cdef int put_entry(self, Text* text, Wire wire) except -1:
        """Of a map: its key as a text, and its value."""
        cdef Py_ssize_t begins[MOST_FIELDS]
        cdef JsonField key = <JsonField>self.fields[0]
        cdef JsonField value = <JsonField>self.fields[1]
        cdef uint64_t tag
        self.find(wire, begins)
        cdef bint is_bare = key.kind == BOOL or key.kind == INT32
        if is_bare:
            put_byte(text, b'"')
        wire.at = begins[0]
        if begins[0] < 0:
            key.put_zero(text)
        else:
            read_varint(&wire, &tag)
            key.put_value(text, &wire, 0)
        if is_bare:
            put_byte(text, b'"')
        put_byte(text, b":")
        wire.at = begins[1]
        if begins[1] >= 0:
            read_varint(&wire, &tag)
            return value.put_value(text, &wire, 0)
        if value.kind == MESSAGE:
            return value.table.put_message(text, Wire(wire.data, 0, 0))
        return value.put_zero(text)


cdef class JsonField:
    """How a field is written. A map's key and value are the first two fields of its entries' table."""

    cdef readonly int number
    cdef Kind kind
    cdef bint is_repeated, is_map, is_optional
    cdef bytes label  # `"name":`
    cdef object names  # of an enumeration, by number: JSON as bytes
    cdef object write  # of what Python writes: from bytes to bytes
    cdef MessageTable table

    def __init__(
        self,
        number: int,
        label: bytes,
        kind: str,
        is_repeated: bool,
        is_map: bool,
        is_optional: bool,
        names: object = None,
        write: object = None,
        table: MessageTable | None = None,
    ) -> None:
        self.number, self.label, self.kind, self.table = number, label, KINDS[kind], table
        self.is_repeated, self.is_map, self.is_optional = is_repeated, is_map, is_optional
        self.names, self.write = names, write

    cdef int put_value(self, Text* text, Wire* wire, int form) except -1:
        """The value that comes next."""
        cdef uint64_t number
        cdef double real
        cdef Py_ssize_t size
        cdef Wire inside
        if self.kind == DOUBLE:
            read_double(wire, &real)
            return put_double(text, real)
        if self.kind == STRING or self.kind == MESSAGE or self.kind == OTHER:
            read_size(wire, &size)
            inside = Wire(wire.data, wire.at, wire.at + size)
            wire.at += size
            if self.kind == STRING:
                return put_string(text, inside.data + inside.at, size)
            if self.kind == MESSAGE:
                return self.table.put_message(text, inside)
            return put_bytes(text, self.write(PyBytes_FromStringAndSize(<const char*>inside.data + inside.at, size)))
        read_varint(wire, &number)
        return self.put_number(text, number)

    cdef int put_number(self, Text* text, uint64_t number) except -1:
        if self.kind == BOOL:
            return put(text, b"true", 4) if number else put(text, b"false", 5)
        if self.kind == ENUM:
            name = self.names.get(<int32_t>number)
            return put_whole(text, <int32_t>number) if name is None else put_bytes(text, name)
        if self.kind == INT32:
            return put_whole(text, <int32_t>number)
        put_byte(text, b'"')
        put_whole(text, <int64_t>number)
        return put_byte(text, b'"')

    cdef int put_zero(self, Text* text) except -1:
        if self.is_map:
            return put(text, b"{}", 2)
        if self.is_repeated:
            return put(text, b"[]", 2)
        if self.kind == DOUBLE:
            return put(text, b"0.0", 3)
        if self.kind == STRING:
            return put(text, b'""', 2)
        if self.kind == OTHER:
            return put_bytes(text, self.write(b""))
        return self.put_number(text, 0)

    cdef int put_list(self, Text* text, Wire wire) except -1:
        """All values from here on; those of a field stand together, packed where they are numbers."""
        cdef uint64_t tag
        cdef Py_ssize_t size, end = wire.end
        cdef bint is_first = True
        put_byte(text, b"[")
        while wire.at < end:
            read_varint(&wire, &tag)
            if tag >> 3 != <uint64_t>self.number:
                break
            if tag & 7 == 2 and self.kind < STRING or tag & 7 == 2 and self.kind == ENUM:
                read_size(&wire, &size)
                wire.end = wire.at + size
                while wire.at < wire.end:
                    if not is_first:
                        put_byte(text, b",")
                    is_first = False
                    self.put_value(text, &wire, 0)
                wire.end = end
                continue
            if not is_first:
                put_byte(text, b",")
            is_first = False
            self.put_value(text, &wire, <int>(tag & 7))
        return put_byte(text, b"]")

    cdef int put_map(self, Text* text, Wire wire) except -1:
        """All entries from here on, in the order of their keys."""
        cdef uint64_t tag
        cdef Py_ssize_t size
        cdef Wire inside
        cdef bint is_first = True
        put_byte(text, b"{")
        while wire.at < wire.end:
            read_varint(&wire, &tag)
            if tag >> 3 != <uint64_t>self.number:
                break
            read_size(&wire, &size)
            inside = Wire(wire.data, wire.at, wire.at + size)
            wire.at += size
            if not is_first:
                put_byte(text, b",")
            is_first = False
            self.table.put_entry(text, inside)
        return put_byte(text, b"}")
