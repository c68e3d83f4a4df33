# What a seat of bond sees (R8): views, their keys, and what a move tells one seat alone.


cdef inline uint64_t committed_of(const State *state, int seat) noexcept nogil:
    """The spies face down, which their owner alone knows (R8.2)."""
    return state.committed if state.table.turn == seat else 0


cdef void view(const void *rules, const void *state_, int seat, void *view_) noexcept nogil:
    cdef const State *state = <const State *> state_
    cdef View *view = <View *> view_
    view.table = state.table
    view.hand = state.hands[seat] if seat >= 0 else 0
    view.committed = committed_of(state, seat)
    view.seat = <int8_t> seat
    memset(view.spare, 0, sizeof(view.spare))


cdef uint64_t view_key(const void *rules, const void *state_, int seat) noexcept nogil:
    """The table without what is past, such as the order of taunts; the hand; the spies face down."""
    cdef const State *state = <const State *> state_
    cdef uint64_t[KEYED + 2] known
    memcpy(known, &state.table, KEYED * sizeof(uint64_t))
    known[KEYED] = state.hands[seat] if seat >= 0 else 0
    known[KEYED + 1] = committed_of(state, seat)
    return machiavel_hash(known, sizeof(known), <uint64_t> seat)


cdef uint64_t private_observation(const void *rules, const void *before_, machiavel_move move, const void *after,
                                  int seat) noexcept nogil:
    """Which spies it put face down, their owner alone knows."""
    cdef const Table *before = &(<const State *> before_).table
    cdef const Table *now = &(<const State *> after).table
    if before.mover != seat or now.phase != ADD:
        return 0
    return machiavel_fold(<uint64_t> move + <uint64_t> 0x9e3779b97f4a7c15, <uint64_t> 0xe7037ed1a0b428db)
