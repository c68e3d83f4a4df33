# The pile of agency (R3): what lies on it, what has been seen of it, what is taken from it.


cdef inline void see(State *state, uint32_t place) noexcept nogil:
    """A card of the pile is seen by everybody."""
    cdef Table *table = &state.table
    cdef uint8_t kind = state.pile[place]
    if table.pile_shown[place] == HIDDEN:
        table.pile_shown[place] = kind
        table.pile_unseen[place >= table.pile_split][kind] -= 1


cdef inline void see_top(State *state) noexcept nogil:
    if state.table.pile_top < state.table.pile_end:
        see(state, state.table.pile_top)


cdef inline void take_top(State *state) noexcept nogil:
    """The top card leaves the pile; the next one is seen (R3.1)."""
    cdef Table *table = &state.table
    state.pile[table.pile_top] = 0
    table.pile_shown[table.pile_top] = 0
    table.pile_top += 1
    if table.pile_top == table.pile_split:  # the upper part is used up
        table.pile_split = 0
    see_top(state)


cdef inline int take_lowest_plan(State *state) noexcept nogil:
    """Martha's plan (R6.2): the lowest plan of the pile; power cards below it have been seen and stay. Returns its kind."""
    cdef Table *table = &state.table
    cdef uint32_t place = table.pile_end
    cdef uint8_t kind
    while place > table.pile_top:
        place -= 1
        see(state, place)
        kind = state.pile[place]
        if kind >= FIRST_POWER:
            continue
        table.pile_end -= 1
        memmove(&state.pile[place], &state.pile[place + 1], table.pile_end - place)
        memmove(&table.pile_shown[place], &table.pile_shown[place + 1], table.pile_end - place)
        state.pile[table.pile_end] = 0
        table.pile_shown[table.pile_end] = 0
        if table.pile_split > place:
            table.pile_split -= 1
        see_top(state)
        return kind
    return NO_CARD
