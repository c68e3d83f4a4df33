# What a seat of citadel sees (R12): all there is. What nobody knows is not in a state; it is drawn when it is revealed.


cdef void view(const void *rules, const void *state, int seat, void *view_) noexcept nogil:
    cdef View *view = <View *> view_
    view.table = (<const State *> state).table
    view.seat = <int8_t> seat
    memset(view.spare, 0, sizeof(view.spare))


cdef void determinize(const void *rules, const void *view, machiavel_rng *rng, void *world_) noexcept nogil:
    """R12.2: the decks and the dice to come are luck's, and a world's later luck is its own."""
    cdef State *world = <State *> world_
    memset(world, 0, sizeof(State))
    world.table = (<const View *> view).table


cdef uint64_t view_key(const void *rules, const void *state, int seat) noexcept nogil:
    """The table without its history."""
    cdef const Table *table = &(<const State *> state).table
    cdef uint64_t start = <uint64_t> (seat + 1)
    if table.phase == DICE:
        start |= <uint64_t> table.dice[0] << 8 | <uint64_t> table.dice[1] << 16 | <uint64_t> table.dice[2] << 24
    return machiavel_hash(table, KEYED, start)
