# States and views as Python numbers.

HEADER_NAMES = ("ply", "mover", "asked", "flags", "seat")


cdef object nested(list values, object lengths):
    """A flat list as lists in lists; of no lengths its only value."""
    for length in reversed(lengths[1:]):
        values = [values[i:i + length] for i in range(0, len(values), length)]
    return values if lengths else values[0]


cdef list flat(object values, object lengths):
    if not lengths:
        return [values]
    if len(lengths) == 1:
        return list(values)
    return [value for part in values for value in flat(part, lengths[1:])]


cdef dict header_of(const uint8_t *bytes_):
    return {
        "ply": ply_of(bytes_),
        "mover": mover_of(bytes_),
        "asked": bytes_[<int> KIT_ASKED],
        "flags": bytes_[<int> KIT_FLAGS],
        "seat": <int8_t> bytes_[<int> KIT_SEAT],
    }


cdef void put_header(dict fields, uint8_t *bytes_) except *:
    set_ply(bytes_, fields["ply"])
    bytes_[<int> KIT_MOVER] = <uint8_t> <int> fields["mover"]
    bytes_[<int> KIT_ASKED] = fields["asked"]
    bytes_[<int> KIT_FLAGS] = fields.get("flags", 0)
    bytes_[<int> KIT_SEAT] = <uint8_t> <int> fields.get("seat", 0)


cdef object element(const Field *field, const uint8_t *bytes_, uint32_t index):
    cdef int64_t value = load(field, bytes_, index)
    return <uint64_t> value if field.width == 8 and not field.is_signed else value


cdef void put_element(const Field *field, uint8_t *bytes_, uint32_t index, object value) except *:
    if field.width == 8 and not field.is_signed:
        store(field, bytes_, index, <int64_t> <uint64_t> value)
    else:
        store(field, bytes_, index, value)
