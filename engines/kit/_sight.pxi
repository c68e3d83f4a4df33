# What a seat sees, as a view, as a key, and what it alone learns from others' moves.

cdef void view(const void *rules_, const void *state_, int seat, void *view_) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const uint8_t *state = <const uint8_t *> state_
    cdef uint8_t *view = <uint8_t *> view_
    cdef const Field *field
    cdef uint32_t i, n
    cdef int64_t value
    memcpy(view, state, rules.public_end)
    memcpy(view + rules.public_end, rules.blank + rules.public_end, rules.view_size - rules.public_end)
    view[<int> KIT_SEAT] = <uint8_t> seat
    for n in range(rules.first_private, rules.field_count):
        field = &rules.fields[n]
        for i in range(field.count):
            if sees(field, state, i, seat):
                memcpy(view + field.offset + i * field.width, state + field.offset + i * field.width, field.width)
            elif field.hidden:
                value = load(field, state, i)
                view[field.hidden + i] = <uint8_t> number_in(rules, field, value)
                if field.kind == CARD and value < 0:  # that there is none is no secret
                    store(field, view, i, value)


cdef uint64_t view_key(const void *rules_, const void *state_, int seat) noexcept nogil:
    """The public part as it lies, then what the seat sees besides, and how much it does not see where."""
    cdef const Rules *rules = <const Rules *> rules_
    cdef const uint8_t *state = <const uint8_t *> state_
    cdef const Field *field
    cdef uint8_t known[LARGEST_VIEW + 8]
    cdef uint32_t i, n, size = 0
    for i in range(rules.run_count):
        memcpy(known + size, state + rules.runs[i].offset, rules.runs[i].size)
        size += rules.runs[i].size
    for n in range(rules.first_private, rules.field_count):
        field = &rules.fields[n]
        if field.forgets:
            continue
        for i in range(field.count):
            if sees(field, state, i, seat):
                memcpy(known + size, state + field.offset + i * field.width, field.width)
                size += field.width
            elif field.hidden:
                known[size] = <uint8_t> number_in(rules, field, load(field, state, i))
                size += 1
    memset(known + size, 0, 8)
    return machiavel_hash(known, (size + 7) & ~<uint32_t> 7,
                          machiavel_hash(state, rules.key_prefix, <uint64_t> (seat + 1)))


# ---- What others let a seat see ----

cdef uint64_t private_observation(const void *rules_, const void *before_, machiavel_move move, const void *after_,
                                  int seat) noexcept nogil:
    """It follows from what the seat sees before and after."""
    cdef const Rules *rules = <const Rules *> rules_
    cdef const uint8_t *before = <const uint8_t *> before_
    cdef const uint8_t *after = <const uint8_t *> after_
    cdef const Field *field
    cdef uint64_t key = 0
    cdef uint64_t[3] learnt
    cdef uint32_t i, n
    for n in range(rules.first_private, rules.field_count):
        field = &rules.fields[n]
        if field.seen == NOBODY:
            continue
        for i in range(field.count):
            if not sees(field, after, i, seat):
                continue
            learnt[2] = <uint64_t> load(field, after, i)
            if sees(field, before, i, seat) and not is_news(rules, field, before, after, i, seat, &learnt[2]):
                continue
            learnt[0] = n
            learnt[1] = i
            key += machiavel_hash(learnt, sizeof(learnt), 1)
    return key


cdef bint is_news(const Rules *rules, const Field *field, const uint8_t *before, const uint8_t *after, uint32_t index, int seat,
                  uint64_t *value) noexcept nogil:
    """Whether what the seat has seen all along became something else by another's doing; of its own cards, those received."""
    cdef const Deck *deck = &rules.decks[field.deck]
    cdef int64_t then = load(field, before, index), now = <int64_t> value[0]
    if now == then:
        return False
    if field.owned == field.room or <int> owner_of(field, index) != seat:
        return True
    if field.is_zone:
        value[0] = without(deck, as_set(field, deck, now), as_set(field, deck, then))
        return value[0] and others_gave(rules, field.deck, before, after, seat)
    return field.kind != DICE and mover_of(before) != seat  # its dice were rolled, as cards are dealt


cdef inline uint64_t as_set(const Field *field, const Deck *deck, int64_t value) noexcept nogil:
    if field.kind == CARDS:
        return <uint64_t> value
    return <uint64_t> 1 << <uint32_t> value * deck.bits if 0 <= value < deck.kinds else 0


cdef bint others_gave(const Rules *rules, uint32_t deck, const uint8_t *before, const uint8_t *after, int seat) noexcept nogil:
    """Whether cards left a place of another seat that is hidden from this one; where all are dealt anew, none seem to."""
    cdef const Field *field
    cdef uint32_t i, n
    for n in range(rules.first_private, rules.field_count):
        field = &rules.fields[n]
        if not field.is_zone or field.deck != deck or field.owned == field.room:
            continue
        for i in range(field.count):
            if <int> owner_of(field, i) != seat and not sees(field, before, i, seat) and (
                number_in(rules, field, load(field, before, i)) > number_in(rules, field, load(field, after, i))
            ):
                return True
    return False


cdef uint64_t without(const Deck *deck, uint64_t cards, uint64_t others) noexcept nogil:
    """The cards but for those among others; of kinds, as many fewer."""
    cdef uint64_t left = 0, have, less
    cdef uint32_t kind
    if deck.bits == 1:
        return cards & ~others
    for kind in range(16):
        have = cards >> 4 * kind & 15
        less = others >> 4 * kind & 15
        if have > less:
            left |= (have - less) << 4 * kind
    return left
