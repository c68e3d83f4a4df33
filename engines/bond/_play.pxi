# The rules of bond in play: dealing, what may be played, playing it.


# ---- Dealing (R2) ----

cdef void deal(const void *rules_, machiavel_luck *luck, void *state_) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef State *state = <State *> state_
    cdef Table *table = &state.table
    cdef uint8_t items[SEATS]
    cdef uint32_t seat
    memset(state, 0, sizeof(State))
    table.unseen = state.pile = (<uint64_t> 1 << CARDS) - 1
    table.pile_count = CARDS
    table.pile_spies = COPIES
    clear_attack(table)
    deal_hands(rules, state, luck)
    show_top(rules, state, luck)
    for seat in range(rules.seats):
        items[seat] = <uint8_t> seat
    begin_turn(rules, state, machiavel_draw(luck, LUCK_FIRST, 0, items, rules.seats), luck)  # R2.4


cdef void deal_hands(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    """R2.2. What the seed brings in playouts is one stream; a host's cards come one by one."""
    cdef machiavel_rng rng = machiavel_luck_stream(luck, LUCK_HANDS, 0)
    cdef uint32_t quick = MACHIAVEL_QUICK | MACHIAVEL_SEEDED, seat, place = 0, kind, _i
    cdef bint is_quick = luck.flags & quick == quick and luck.laid_count == 0
    for seat in range(rules.seats):
        for _i in range(rules.hand_size):
            if is_quick:
                kind = rules.kind[nth_card_of_many(state.pile, machiavel_below(&rng, CARDS - place))]
            else:
                kind = laid_kind(rules, luck, LUCK_HANDS, place, state.pile)
            place += 1
            hand_out(rules, state, seat, kind)


# ---- Moves ----

cdef int to_move(const void *rules, const void *state_) noexcept nogil:
    cdef int mover = (<const State *> state_).table.mover
    return MACHIAVEL_OVER if mover == NOBODY else mover


cdef uint32_t legal_moves(const void *rules_, const void *state_, int seat, machiavel_move *moves) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const State *state = <const State *> state_
    cdef const Table *table = &state.table
    cdef uint32_t n = 1
    if table.phase == LAIR:
        moves[0] = SKIP
        return n + list_moves(state.hands[seat] & rules.firsts & LAIRS, PLAY_LAIR, 1, &moves[n])
    if table.phase == SPY:
        moves[0] = END
        return n + list_attacks(attackers(rules, state, seat), table.with_lair, &moves[n])
    if table.phase == ADD:
        moves[0] = GO
        return n + list_moves(addable(rules, state, seat) >> FIRST_SPY, ADD_SPY, 1, &moves[n])
    if table.phase == CAPTURED:
        moves[0] = KILL
        return n + list_moves(tauntable(state, seat), TAUNT, 2, &moves[n])
    n = letters_held(state, seat) >> 2 * table.taunt & 1
    moves[0] = FOIL_TAUNT
    moves[n] = LET
    return n + 1


cdef inline uint32_t list_moves(uint64_t bits, uint32_t base, uint32_t step, machiavel_move *moves) noexcept nogil:
    cdef uint32_t n = 0
    while bits:
        moves[n] = <machiavel_move> (base + first_card(bits) // step)
        n += 1
        bits &= bits - 1
    return n


cdef inline uint32_t list_attacks(uint32_t what, uint32_t lairs, machiavel_move *moves) noexcept nogil:
    cdef uint32_t n = 0
    while what and lairs:
        n += list_moves(lairs, ATTACK + SEATS * first_card(what), 1, &moves[n])
        what &= what - 1
    return n


cdef void apply(const void *rules, void *state_, machiavel_move move, machiavel_luck *luck) noexcept nogil:
    play(<const Rules *> rules, <State *> state_, move, luck)


cdef inline void play(const Rules *rules, State *state, uint32_t move, machiavel_luck *luck) noexcept nogil:
    cdef byte phase = state.table.phase
    state.table.ply += 1
    if phase == LAIR:
        choose_lair(rules, state, move)
    elif phase == SPY:
        attack(rules, state, move, luck)
    elif phase == ADD:
        add_or_go(rules, state, move, luck)
    elif phase == CAPTURED:
        kill_or_taunt(rules, state, move, luck)
    else:
        foil_or_let(rules, state, move, luck)


# ---- Playing at random ----

cdef uint32_t playout(const void *rules_, void *state_, machiavel_rng *rng, machiavel_luck *luck) noexcept nogil:
    """The moves of `legal_moves` by number, without listing them."""
    cdef const Rules *rules = <const Rules *> rules_
    cdef State *state = <State *> state_
    cdef Table *table = &state.table
    cdef machiavel_rng own = rng[0]  # in a register
    cdef uint32_t before = table.ply, pick
    cdef uint64_t bits
    cdef byte phase = table.phase
    while phase != OVER:
        if phase == LAIR:
            bits = state.hands[table.mover] & rules.firsts & LAIRS
            pick = machiavel_below(&own, 1 + count_cards(bits))
            choose_lair(rules, state, PLAY_LAIR + nth_card(bits, pick - 1) if pick else SKIP)
        elif phase == SPY:
            attack(rules, state, random_attack(rules, state, &own), luck)
        elif phase == FOIL:
            bits = letters_held(state, table.mover) >> 2 * table.taunt & 1
            pick = machiavel_below(&own, 1 + <uint32_t> bits)
            foil_or_let(rules, state, FOIL_TAUNT if pick < bits else LET, luck)
        elif phase == CAPTURED:
            bits = tauntable(state, table.mover)
            pick = machiavel_below(&own, 1 + count_cards(bits))
            kill_or_taunt(rules, state, TAUNT + nth_card(bits, pick - 1) // 2 if pick else KILL, luck)
        else:
            bits = addable(rules, state, table.mover) >> FIRST_SPY
            pick = machiavel_below(&own, 1 + count_cards(bits))
            add_or_go(rules, state, ADD_SPY + nth_card(bits, pick - 1) if pick else GO, luck)
        table.ply += 1
        phase = table.phase
    rng[0] = own
    return table.ply - before


cdef inline uint32_t random_attack(const Rules *rules, const State *state, machiavel_rng *rng) noexcept nogil:
    cdef uint32_t what = attackers(rules, state, state.table.mover), lairs = rules.lairs[state.table.with_lair], pick
    pick = machiavel_below(rng, 1 + count_cards(what) * lairs)
    if pick == 0:
        return END
    what = nth_card_of_many(what, (pick - 1) // lairs)
    return ATTACK + SEATS * what + nth_card(state.table.with_lair, (pick - 1) % lairs)
