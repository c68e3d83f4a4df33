# Treasures and the clock of citadel: new ones (R5), saves, moves of the markers and losses (R10), the end (R1).


cdef inline uint8_t one_of(machiavel_luck *luck, uint32_t purpose, uint32_t counter, uint32_t items) noexcept nogil:
    """A draw from a set of bits."""
    cdef uint8_t list[TILES]
    cdef uint32_t count = 0
    while items:
        list[count] = <uint8_t> first_card(items)
        items &= items - 1
        count += 1
    return machiavel_draw(luck, purpose, counter, list, count)


cdef inline uint16_t guards_of(const Rules *rules, const Table *table, uint32_t tile) noexcept nogil:
    """The rooms whose traps protect a tile, as bits."""
    cdef uint32_t types = rules.types[tile], kind
    cdef uint32_t rooms = 0
    for kind in range(TYPES):
        if types >> kind & 1:
            rooms |= table.of_type[kind]
    return <uint16_t> rooms


cdef inline void put_out(const Rules *rules, State *state, uint32_t colour, uint32_t before, machiavel_luck *luck) noexcept nogil:
    """A new treasure (R5.1); so many came before."""
    cdef Table *table = &state.table
    cdef uint32_t gone = table.saved | table.lost, other
    for other in range(COLOURS):
        if table.tile[other] != NOTHING:
            gone |= <uint32_t> 1 << table.tile[other]
    table.tile[colour] = one_of(luck, LUCK_TILE, before, rules.tiles & ~gone)
    table.spot[colour] = one_of(luck, LUCK_LOCATION, before, ~<uint32_t> table.locations & ((1 << ROOMS) - 1))
    table.locations |= <uint16_t> (1 << table.spot[colour])
    table.left[colour] = rules.spaces[table.tile[colour]]
    table.guards[colour] = guards_of(rules, table, table.tile[colour])


cdef inline void finish(State *state) noexcept nogil:
    """R1: nothing that was under way goes on."""
    cdef Table *table = &state.table
    cdef uint32_t colour
    table.phase = OVER
    table.mover = NOBODY
    table.actions = 0
    table.held = 0
    table.power_used = 0
    table.activated = 0
    table.list = NOTHING
    table.step = 0
    table.chooses = 0
    memset(table.rerolls, 0, 3)
    memset(table.throws, 0, 3)
    for colour in range(COLOURS):
        if table.tile[colour] == NOTHING:
            table.left[colour] = 0
        elif table.left[colour] <= 0:  # lost as well, but the match was over before
            table.left[colour] += SPACES


cdef inline void clear(const Rules *rules, State *state, uint32_t colour, machiavel_luck *luck) noexcept nogil:
    """The treasure of a colour is gone, and counted; a new one, or the end (R1.1)."""
    cdef Table *table = &state.table
    table.tile[colour] = NOTHING
    table.spot[colour] = NOTHING
    table.guards[colour] = 0
    if table.saved_count == TREASURES or table.lost_count == TREASURES:
        finish(state)
    else:
        put_out(rules, state, colour, 2 + <uint32_t> table.saved_count + table.lost_count, luck)


cdef inline void save(const Rules *rules, State *state, uint32_t room, machiavel_luck *luck) noexcept nogil:
    """R5.2."""
    cdef Table *table = &state.table
    cdef uint32_t colour = 0
    while table.spot[colour] != room:
        colour += 1
    table.saved |= <uint32_t> 1 << table.tile[colour]
    table.saved_count += 1
    table.off &= <uint16_t> ~table.guards[colour]
    clear(rules, state, colour, luck)


cdef inline void lose_reached(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    """R10.2 and R10.3, once a marker has been moved."""
    cdef Table *table = &state.table
    cdef uint32_t colour
    cdef uint32_t reached = (table.left[0] <= 0) | (table.left[1] <= 0) << 1 | (table.left[2] <= 0) << 2
    for colour in range(COLOURS):
        if reached >> colour & 1 and table.phase != OVER:
            table.lost |= <uint32_t> 1 << table.tile[colour]
            table.lost_count += 1
            clear(rules, state, colour, luck)


cdef inline bint pass_time(const Rules *rules, State *state, uint32_t spaces, machiavel_luck *luck) noexcept nogil:
    """The time marker goes on; says whether a power is to be turned up (R8.2)."""
    cdef Table *table = &state.table
    cdef uint32_t colour, from_gate = (table.time + <uint32_t> GATE) % (2 * GATE)  # spaces since III or IX
    table.time = <uint8_t> ((table.time + spaces) % SPACES)
    for colour in range(COLOURS):
        table.left[colour] -= <uint8_t> spaces
    lose_reached(rules, state, luck)
    return table.phase != OVER and from_gate + spaces >= 2 * GATE and table.up != (1 << rules.seats) - 1


cdef inline void turn_time_back(State *state, uint32_t spaces) noexcept nogil:
    """R7.9."""
    cdef Table *table = &state.table
    cdef uint32_t colour
    table.time = <uint8_t> ((table.time + SPACES - spaces) % SPACES)
    for colour in range(COLOURS):
        table.left[colour] += <uint8_t> spaces


cdef inline bint may_grow(const Table *table, uint32_t colour, uint32_t spaces) noexcept nogil:
    """Whether that treasure would still have at most 55 minutes left (R7.9, R7.11)."""
    return table.left[colour] + <int32_t> spaces < SPACES
