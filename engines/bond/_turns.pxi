# Turns of bond (R3): cards drawn, the pile's top, whose turn it is, lairs built.


cdef inline void put(const Rules *rules, uint64_t *heap, uint32_t kind) noexcept nogil:
    heap[0] = heap_with(heap[0], rules.field[kind], kind)


cdef inline void take(const Rules *rules, uint64_t *heap, uint32_t kind) noexcept nogil:
    heap[0] = heap_without(heap[0], rules.field[kind], kind)


cdef inline uint32_t drawn_kind(const Rules *rules, machiavel_luck *luck, uint32_t purpose, uint32_t counter, uint64_t heap,
                                uint32_t count) noexcept nogil:
    """A card out of a heap of so many, any as likely as another."""
    cdef machiavel_rng rng
    cdef uint32_t quick = MACHIAVEL_QUICK | MACHIAVEL_SEEDED
    if luck.flags & quick == quick and luck.laid_count == 0:
        rng = machiavel_luck_stream(luck, purpose, counter)
        return rules.kind[nth_card_of_many(heap, machiavel_below(&rng, count))]
    return laid_kind(rules, luck, purpose, counter, heap)


cdef inline uint32_t laid_kind(const Rules *rules, machiavel_luck *luck, uint32_t purpose, uint32_t counter,
                               uint64_t heap) noexcept nogil:
    cdef uint8_t items[CARDS]
    cdef uint32_t n = 0
    while heap:
        items[n] = rules.kind[first_card(heap)]
        n += 1
        heap &= heap - 1
    return machiavel_draw(luck, purpose, counter, items, n)


cdef inline void hand_out(const Rules *rules, State *state, uint32_t seat, uint32_t kind) noexcept nogil:
    """A card of the pile goes into a hand; its back is seen."""
    cdef Table *table = &state.table
    cdef bint is_spy = is_a_spy(kind)
    take(rules, &state.pile, kind)
    put(rules, &state.hands[seat], kind)
    table.pile_count -= 1
    table.pile_spies -= is_spy
    table.hand_spies[seat] += is_spy
    table.hand_others[seat] += not is_spy
    table.with_spies |= is_spy << seat


cdef inline bint is_a_spy(uint32_t kind) noexcept nogil:
    return kind - FIRST_SPY < <uint32_t> COPIES


cdef inline void show_top(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    """The back of the card that now lies on top is seen (R2.3)."""
    cdef Table *table = &state.table
    state.top_card = 0
    table.top = NO_TOP
    if table.pile_count:
        state.top_card = <uint8_t> drawn_kind(
            rules, luck, LUCK_PILE, rules.pile_size - table.pile_count, state.pile, table.pile_count
        )
        table.top = SPY_TOP if is_a_spy(state.top_card) else OTHER_TOP


# ---- Turns (R3) ----

cdef inline void begin_turn(const Rules *rules, State *state, uint32_t seat, machiavel_luck *luck) noexcept nogil:
    cdef Table *table = &state.table
    table.turn = <uint8_t> seat
    table.mover = <uint8_t> seat
    table.phase = LAIR
    state.turns += 1
    if table.pile_count:  # R3.1
        table.idle = 0
        hand_out(rules, state, seat, state.top_card)
        show_top(rules, state, luck)
    else:
        table.idle += 1


cdef inline uint32_t left_of(const Rules *rules, uint32_t seat) noexcept nogil:
    return 0 if seat + 1 == rules.seats else seat + 1


cdef inline void end_turn(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    if state.table.idle == rules.seats:  # R7.3
        end_match(&state.table)
    else:
        begin_turn(rules, state, left_of(rules, state.table.turn), luck)


cdef inline void end_match(Table *table) noexcept nogil:
    table.phase = OVER
    table.mover = NOBODY


cdef inline void choose_lair(const Rules *rules, State *state, uint32_t move) noexcept nogil:
    """R3.2."""
    cdef Table *table = &state.table
    cdef uint32_t seat = table.mover, kind = move - PLAY_LAIR
    cdef uint64_t lairs
    table.phase = SPY
    if move == SKIP:
        return
    lairs = table.lairs[seat]
    take(rules, &state.hands[seat], kind)
    take(rules, &table.unseen, kind)
    put(rules, &lairs, kind)
    table.lairs[seat] = <uint32_t> lairs
    table.lair_value[seat] += rules.value[kind]
    table.with_lair |= 1 << seat
    table.hand_others[seat] -= 1
    table.idle = 0
