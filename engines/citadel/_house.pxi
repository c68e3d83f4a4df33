# The house of citadel: what players can do in it (R4), and the professor's ways (R9).


cdef inline uint16_t entries(const Rules *rules, const Table *table, uint32_t place) noexcept nogil:
    """The rooms that whoever stands there may go into, as bits (R4.1, R4.2)."""
    cdef uint32_t colour
    cdef uint32_t rooms = 0
    if place == OUTSIDE:
        rooms = rules.windows
    else:
        for colour in range(COLOURS):
            rooms |= (table.open >> rules.doors[place][colour] & 1) << rules.exits[place][colour]
    return <uint16_t> (rooms & ~(<uint32_t> 1 << table.professor))


cdef inline uint32_t acts_of(const Rules *rules, const Table *table, uint32_t place) noexcept nogil:
    """What whoever stands there may do for an action, as bits of acts (R4)."""
    cdef uint32_t acts = entries(rules, table, place), colour
    if place == OUTSIDE:
        return acts
    for colour in range(COLOURS):
        acts |= (~table.open >> rules.doors[place][colour] & 1) << UNLOCK + colour
        if table.spot[colour] == place and not table.guards[colour] & ~table.off:  # R4.5
            acts |= <uint32_t> 1 << TAKE
    return acts | (~<uint32_t> table.off >> place & 1) << DISARM


cdef inline uint16_t open_rooms(const Rules *rules, const Table *table) noexcept nogil:
    """Those with an open door or a window, not the professor's (R4.2, R7)."""
    cdef uint32_t rooms = rules.windows, doors = table.open, door = 0
    while doors:
        if doors & 1:
            rooms |= (<uint32_t> 1 << rules.sides[door][0]) | (<uint32_t> 1 << rules.sides[door][1])
        doors >>= 1
        door += 1
    return <uint16_t> (rooms & ~(<uint32_t> 1 << table.professor))


# ---- The professor ----

cdef inline void enter(State *state, uint8_t room) noexcept nogil:
    """R9.3."""
    cdef Table *table = &state.table
    cdef uint32_t seat
    table.professor = room
    table.off &= <uint16_t> ~(1 << room)
    for seat in range(SEATS):
        if table.place[seat] == room:
            table.place[seat] = OUTSIDE
            state.fled[seat] += 1


cdef inline void leave_by(const Rules *rules, State *state, uint32_t colour) noexcept nogil:
    """One chevron (R9.1)."""
    cdef Table *table = &state.table
    table.open &= ~(<uint32_t> 1 << rules.doors[table.professor][colour])
    enter(state, rules.exits[table.professor][colour])


cdef inline void take_passage(const Rules *rules, State *state, uint32_t colour) noexcept nogil:
    """R9.2."""
    cdef uint8_t room = <uint8_t> state.table.spot[colour]
    state.table.open &= ~rules.doors_of[room]
    enter(state, room)
