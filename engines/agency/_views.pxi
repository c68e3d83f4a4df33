# What a seat of agency sees (R10): views, their keys, and what a move tells one seat alone.


cdef inline size_t keyed_size(const Table *table) noexcept nogil:
    """The part of the table that matters for what is still to come, in whole words."""
    return <size_t> (<const char *> &table.half_passes - <const char *> table) // 8 * 8


cdef inline uint32_t giver_to(const Rules *rules, uint32_t seat) noexcept nogil:
    return seat - 1 if seat else rules.seats - <uint32_t> 1


cdef inline bint exchanged(const Table *table, uint32_t half_trick) noexcept nogil:
    """Whether the cards given in that trick have changed hands."""
    return table.phase != PASS or half_trick != table.trick % HALF


cdef void view(const void *rules_, const void *state_, int seat, void *view_) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const State *state = <const State *> state_
    cdef View *view = <View *> view_
    cdef uint32_t half_trick, giver
    memset(view, 0, sizeof(View))
    view.table = state.table
    view.seat = <int8_t> seat
    memset(view.gave, NO_CARD, HALF)
    memset(view.received, NO_CARD, HALF)
    if seat < 0:
        return
    view.hand = state.hands[seat]
    if state.table.look_trick != NO_CARD and state.table.looker == seat:
        view.look_cards = state.look_cards
    giver = giver_to(rules, seat)
    for half_trick in range(HALF):
        view.gave[half_trick] = state.given[half_trick][seat]
        if exchanged(&state.table, half_trick):
            view.received[half_trick] = state.given[half_trick][giver]


cdef uint64_t view_key(const void *rules, const void *state_, int seat) noexcept nogil:
    """The table without its history, and what the seat knows: its hand, and of others' hands what it has seen or given."""
    cdef const State *state = <const State *> state_
    cdef uint64_t known[4]
    cdef uint32_t half_trick
    known[0] = <uint64_t> <uint32_t> seat
    known[1] = known[2] = known[3] = 0
    if seat >= 0:
        known[1] = state.hands[seat]
        if state.table.look_trick != NO_CARD and state.table.looker == seat:
            known[0] |= <uint64_t> (state.table.look_target + 1) << 32
            known[2] = state.look_cards & ~state.table.seen
        if state.table.half_passes or state.table.given:
            for half_trick in range(HALF):
                if state.given[half_trick][seat] != NO_CARD:
                    known[3] |= card(state.given[half_trick][seat])
            known[3] &= ~state.table.seen
    return machiavel_hash(known, sizeof(known), machiavel_hash(&state.table, keyed_size(&state.table), 0))


cdef uint64_t private_observation(const void *rules_, const void *before_, machiavel_move move, const void *after_,
                                  int seat) noexcept nogil:
    """Only a look (R6.5) and a pass (R7.5) tell somebody more than everybody."""
    cdef const Rules *rules = <const Rules *> rules_
    cdef const State *before = <const State *> before_
    cdef const State *after = <const State *> after_
    cdef uint64_t learnt = 0
    cdef uint32_t half_trick = before.table.trick % HALF
    cdef uint8_t received
    if seat < 0 or move < LOOK_AT:
        return 0
    if move < PASS_CARD:
        if before.table.mover == seat:
            learnt = machiavel_fold(after.look_cards ^ <uint64_t> 0x9e3779b97f4a7c15, <uint64_t> 0xe7037ed1a0b428db)
        return learnt
    if before.table.mover == seat:
        learnt = machiavel_fold(<uint64_t> move, <uint64_t> 0x8bb84b93962eacc9)
    if after.table.phase != PASS:
        received = after.given[half_trick][giver_to(rules, seat)]
        learnt += machiavel_fold(<uint64_t> received + 1, <uint64_t> 0x4b33a62ed433d4a3)
    return learnt
