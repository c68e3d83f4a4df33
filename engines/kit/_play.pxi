# A match: deal, who is to move, what may be played, what it does, what it comes to.

cdef uint32_t seats(const void *rules) noexcept nogil:
    return (<const Rules *> rules).seats


cdef uint32_t max_plies(const void *rules) noexcept nogil:
    return (<const Rules *> rules).longest


cdef inline uint32_t ply_of(const uint8_t *state) noexcept nogil:
    return state[<int> KIT_PLY] | <uint32_t> state[KIT_PLY + 1] << 8


cdef inline void set_ply(uint8_t *state, uint32_t ply) noexcept nogil:
    state[<int> KIT_PLY] = <uint8_t> ply
    state[KIT_PLY + 1] = <uint8_t> (ply >> 8)


cdef inline int mover_of(const uint8_t *state) noexcept nogil:
    return <int8_t> state[<int> KIT_MOVER]


cdef void deal(const void *rules_, machiavel_luck *luck, void *state_) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef uint8_t *state = <uint8_t *> state_
    cdef kit_call call
    cdef Where where
    memcpy(state, rules.empty, rules.state_size)
    begin_call(&call, rules, luck)
    rules.deal(&call, state)
    settle(rules, &call, state, luck)
    if call.fault:
        where = at_state(rules, IN_DEAL, rules.empty, -1, -1, luck)
        keep_fault(rules, &call, &where)
        set_faulted(state)


cdef void sort_dice(const Rules *rules, uint8_t *state) noexcept nogil:
    """Rows whose order says nothing, the highest first."""
    cdef const Field *field
    cdef uint32_t i, j, n
    cdef int64_t value
    for n in range(rules.field_count):
        field = &rules.fields[n]
        if not field.is_sorted:
            continue
        for i in range(field.count):
            value = load(field, state, i)
            j = i
            while j % field.row and load(field, state, j - 1) < value:
                store(field, state, j, load(field, state, j - 1))
                j -= 1
            store(field, state, j, value)


cdef inline void settle(const Rules *rules, kit_call *call, uint8_t *state, const machiavel_luck *luck) noexcept nogil:
    """The header after a call: who is asked is told one way only, and a match ends in time. And rows of dice are in order."""
    cdef uint32_t asked = state[<int> KIT_ASKED]
    cdef int mover = mover_of(state)
    if rules.sorts_dice:
        sort_dice(rules, state)
    if asked:
        if mover < 0:
            asked = 0
        elif asked & (asked - 1) == 0:
            mover = <int> first_card(asked)
            asked = 0
        state[<int> KIT_ASKED] = <uint8_t> asked
        state[<int> KIT_MOVER] = <uint8_t> mover
    if mover < 0:
        state[<int> KIT_FLAGS] = 0
    else:
        if state[<int> KIT_FLAGS] and not luck.flags & MACHIAVEL_STOP_AT_HORIZON:
            state[<int> KIT_FLAGS] = 0
        if mover >= <int> rules.seats:
            set_fault(call, KIT_BAD_INDEX, mover, rules.seats)
        elif ply_of(state) >= rules.longest and state[<int> KIT_FLAGS] == 0:
            set_fault(call, KIT_ENDLESS, rules.longest, 0)


cdef int to_move(const void *rules, const void *state_) noexcept nogil:
    cdef const uint8_t *state = <const uint8_t *> state_
    cdef int mover = mover_of(state)
    if mover < 0:
        return MACHIAVEL_OVER
    return MACHIAVEL_AT_HORIZON if state[<int> KIT_FLAGS] else mover


cdef uint32_t seats_to_move(const void *rules, const void *state_) noexcept nogil:
    cdef const uint8_t *state = <const uint8_t *> state_
    cdef int mover = to_move(rules, state_)
    if mover < 0:
        return 0
    return state[<int> KIT_ASKED] if state[<int> KIT_ASKED] else <uint32_t> 1 << mover


# ---- Moves ----

cdef inline uint64_t kinds_of(const Rules *rules, kit_call *call, uint64_t cards) noexcept nogil:
    """The moves, as bits from `call.first` on, that `legal` returned; 0 after a fault."""
    if cards == 0:
        set_fault(call, KIT_NO_MOVE, -1, 0)
    elif call.first + last_card(cards) >= rules.reserved:
        set_fault(call, KIT_BAD_MOVE, call.first + last_card(cards), rules.reserved)
        return 0
    return cards


cdef uint32_t sorted_moves(const Rules *rules, kit_call *call, machiavel_move *moves) noexcept nogil:
    """What `legal` yielded, ascending; 0 after a fault."""
    cdef uint32_t i, j, count = call.count
    cdef machiavel_move move
    if count == 0:
        set_fault(call, KIT_NO_MOVE, -1, 0)
    if count > rules.max_moves:
        set_fault(call, KIT_TOO_MANY_MOVES, count, rules.max_moves)
    if call.fault:
        return 0
    for i in range(count):
        move = call.moves[i]
        if move >= rules.reserved:
            set_fault(call, KIT_BAD_MOVE, move, rules.reserved)
            return 0
        j = i
        while j and moves[j - 1] > move:
            moves[j] = moves[j - 1]
            j -= 1
        if j and moves[j - 1] == move:
            set_fault(call, KIT_SAME_MOVE, move, 0)
            return 0
        moves[j] = move
    return count


cdef inline uint32_t listed(const Rules *rules, kit_call *call, uint8_t *state, int seat, machiavel_move *moves) noexcept nogil:
    """The legal moves, ascending; 0 after a fault."""
    cdef int64_t answer
    cdef uint64_t kinds
    cdef uint32_t n = 0, first
    call.count = 0
    answer = rules.legal(call, state, seat)
    if call.fault:
        return 0
    if answer == -1:
        return sorted_moves(rules, call, moves)
    kinds = kinds_of(rules, call, <uint64_t> answer)
    first = <uint32_t> call.first
    while kinds:
        moves[n] = <machiavel_move> (first + first_card(kinds))
        n += 1
        kinds &= kinds - 1
    return n


cdef uint32_t legal_moves(const void *rules_, const void *state, int seat, machiavel_move *moves) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef kit_call call
    cdef Where where
    cdef uint32_t count
    begin_call(&call, rules, NULL)
    count = listed(rules, &call, <uint8_t *> state, seat, moves)
    if count:
        return count
    where = at_state(rules, IN_LEGAL, <const uint8_t *> state, -1, seat, NULL)
    if call.fault == KIT_NO_MOVE:
        call.a = seat
    keep_fault(rules, &call, &where)
    moves[0] = <machiavel_move> rules.reserved
    return 1


cdef inline uint32_t begin_play(uint8_t *state) noexcept nogil:
    """The seats that are still asked while the mover answers: itself no longer. 0: only the mover was asked."""
    cdef uint32_t asked = state[<int> KIT_ASKED]
    if asked:
        asked &= ~(<uint32_t> 1 << mover_of(state))
        state[<int> KIT_ASKED] = <uint8_t> asked
    return asked


cdef inline void end_play(const Rules *rules, kit_call *call, uint8_t *state, uint32_t asked, int mover,
                          const machiavel_luck *luck) noexcept nogil:
    """The header after a move: who of those still asked is next, unless the author says otherwise."""
    cdef uint32_t still
    cdef int now
    set_ply(state, ply_of(state) + 1)
    if asked:
        now = mover_of(state)
        still = state[<int> KIT_ASKED]
        if now == mover and still:
            state[<int> KIT_MOVER] = <uint8_t> first_card(still)
        elif now >= 0 and still and now != <int> first_card(still):
            state[<int> KIT_ASKED] = 0  # another seat is to move instead of those that were still asked
    settle(rules, call, state, luck)


cdef inline void play(const Rules *rules, kit_call *call, uint8_t *state, int64_t move,
                      const machiavel_luck *luck) noexcept nogil:
    """The author's `apply`, and the header around it."""
    cdef int mover = mover_of(state)
    cdef uint32_t asked = begin_play(state)
    rules.apply(call, state, move)
    if call.fault == KIT_FINE:
        end_play(rules, call, state, asked, mover, luck)


cdef void apply(const void *rules_, void *state_, machiavel_move move, machiavel_luck *luck) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef uint8_t *state = <uint8_t *> state_
    cdef uint8_t before[LARGEST_STATE]
    cdef kit_call call
    cdef Where where
    if move >= rules.reserved or mover_of(state) < 0:
        set_faulted(state)
        return
    memcpy(before, state, rules.state_size)
    begin_call(&call, rules, luck)
    play(rules, &call, state, move, luck)
    if call.fault:
        where = at_state(rules, IN_APPLY, before, move, mover_of(before), luck)
        keep_fault(rules, &call, &where)
        set_faulted(state)


cdef uint32_t playout(const void *rules_, void *state_, machiavel_rng *rng, machiavel_luck *luck) noexcept nogil:
    """Without a copy of each state on the way: after a fault the same moves are played once more, one by one."""
    cdef const Rules *rules = <const Rules *> rules_
    cdef uint8_t *state = <uint8_t *> state_
    cdef uint8_t before[LARGEST_STATE]
    cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
    cdef machiavel_rng own = rng[0]
    cdef kit_call call
    cdef int64_t plies
    cdef int mover
    cdef bint is_one
    memcpy(before, state, rules.state_size)
    begin_call(&call, rules, luck)
    is_one = rules.playout is not NULL and not rules.sorts_dice  # a compiled playout knows nothing of dice in order
    plies = rules.playout(&call, state, &own) if is_one else play_on(rules, &call, state, &own, luck)
    if call.fault == KIT_FINE:
        rng[0] = own
        return <uint32_t> plies
    memcpy(state, before, rules.state_size)
    plies = 0
    while True:
        mover = to_move(rules, state)
        if mover < 0:
            return <uint32_t> plies
        apply(rules, state, moves[machiavel_below(rng, legal_moves(rules, state, mover, moves))], luck)
        plies += 1


cdef int64_t play_on(const Rules *rules, kit_call *call, uint8_t *state, machiavel_rng *rng,
                     const machiavel_luck *luck) noexcept nogil:
    cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
    cdef int64_t plies = 0, answer
    cdef uint64_t kinds
    cdef uint32_t count
    cdef int64_t move
    while to_move(rules, state) >= 0:
        call.fuel = KIT_FUEL
        call.count = 0
        answer = rules.legal(call, state, mover_of(state))
        if call.fault:
            break
        if answer == -1:
            count = sorted_moves(rules, call, moves)
            if count == 0:
                break
            move = moves[machiavel_below(rng, count)]
        else:
            kinds = kinds_of(rules, call, <uint64_t> answer)
            if kinds == 0:
                break
            count = count_cards(kinds)
            move = call.first + nth_card_of_many(kinds, machiavel_below(rng, count))
        call.fuel = KIT_FUEL
        play(rules, call, state, move, luck)
        if call.fault:
            break
        plies += 1
    return plies
