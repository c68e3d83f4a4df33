# Attacks of bond and what becomes of them (R4 to R6): spies sent, captured, taunted, foiled.

# ---- Attacks (R4) ----

cdef inline uint32_t attackers(const Rules *rules, const State *state, uint32_t seat) noexcept nogil:
    """What can attack (R4.1), as bits: own spies by kind, STOLEN + the seats that hold one, TOP."""
    cdef const Table *table = &state.table
    cdef uint32_t own = <uint32_t> ((state.hands[seat] & rules.firsts & SPIES) >> FIRST_SPY)
    return own | (table.with_spies & ~(1 << seat)) << STOLEN | <uint32_t> (table.top == SPY_TOP) << TOP


cdef inline void attack(const Rules *rules, State *state, uint32_t move, machiavel_luck *luck) noexcept nogil:
    cdef Table *table = &state.table
    cdef uint32_t seat = table.mover, what, kind
    if move == END:
        end_turn(rules, state, luck)
        return
    what = (move - ATTACK) // SEATS
    table.target = <uint8_t> ((move - ATTACK) % SEATS)
    table.idle = 0
    if what < STOLEN:
        table.source = HAND
        if table.target != seat:  # R4.4: face down until `go`
            commit(rules, state, what + FIRST_SPY)
            table.phase = ADD
            return
        kind = what + FIRST_SPY
        take_spy(rules, state, seat, kind)
    elif what < TOP:  # R4.2
        table.source = STEAL
        table.victim = <uint8_t> (what - STOLEN)
        kind = drawn_kind(
            rules, luck, LUCK_STEAL, state.steals, state.hands[table.victim] & SPIES, table.hand_spies[table.victim]
        )
        state.steals += 1
        take_spy(rules, state, table.victim, kind)
    else:  # R4.3
        table.source = DECK
        kind = state.top_card
        take(rules, &state.pile, kind)
        table.pile_count -= 1
        table.pile_spies -= 1
        show_top(rules, state, luck)
    show_spy(rules, table, kind)
    resolve(rules, state, luck)


cdef inline void take_spy(const Rules *rules, State *state, uint32_t seat, uint32_t kind) noexcept nogil:
    """A spy leaves a hand."""
    cdef Table *table = &state.table
    take(rules, &state.hands[seat], kind)
    table.hand_spies[seat] -= 1
    if table.hand_spies[seat] == 0:
        table.with_spies &= ~(1 << seat)


cdef inline void show_spy(const Rules *rules, Table *table, uint32_t kind) noexcept nogil:
    take(rules, &table.unseen, kind)
    put(rules, &table.spies, kind)
    table.value += rules.value[kind]


cdef inline void commit(const Rules *rules, State *state, uint32_t kind) noexcept nogil:
    take_spy(rules, state, state.table.mover, kind)
    put(rules, &state.committed, kind)
    state.table.committed += 1


cdef inline uint64_t addable(const Rules *rules, const State *state, uint32_t seat) noexcept nogil:
    """The kinds of spies that may join those face down: none stronger than the weakest of them (R4.5)."""
    cdef uint64_t weakest = state.committed & -state.committed
    return state.hands[seat] & rules.firsts & SPIES & (weakest | (weakest - 1))


cdef inline void add_or_go(const Rules *rules, State *state, uint32_t move, machiavel_luck *luck) noexcept nogil:
    cdef Table *table = &state.table
    cdef uint64_t left
    if move != GO:
        commit(rules, state, move - ADD_SPY + FIRST_SPY)
        return
    left = state.committed
    while left:
        show_spy(rules, table, rules.kind[first_card(left)])
        left &= left - 1
    state.committed = 0
    table.committed = 0
    resolve(rules, state, luck)


cdef inline void resolve(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    """R5.1, R5.2."""
    cdef Table *table = &state.table
    if table.value > table.lair_value[table.target]:
        note(state, ESCAPED)
        escape(rules, state, luck)
        return
    table.phase = CAPTURED
    table.mover = table.target


cdef inline void note(State *state, uint8_t outcome) noexcept nogil:
    """Worlds count turns from the one they begin in, matches from 1."""
    if state.turns == 0:
        state.outcome = outcome


cdef inline void escape(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    """R5.2: the spies and the whole lair are discarded, and the Doublers with them."""
    cdef Table *table = &state.table
    table.lairs[table.target] = 0
    table.lair_value[table.target] = 0
    table.with_lair &= ~(1 << table.target)
    state.wrecked[table.target] += 1
    end_attack(rules, state, luck)


cdef inline void end_attack(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    cdef Table *table = &state.table
    table.gone += <uint8_t> count_cards(table.spies)
    clear_attack(table)
    if table.gone == COPIES:  # R7.2
        end_match(table)
    else:
        end_turn(rules, state, luck)


cdef inline void clear_attack(Table *table) noexcept nogil:
    cdef uint32_t i
    table.spies = 0
    table.value = 0
    table.letters = 0
    table.target = NOBODY
    table.victim = NOBODY
    table.source = NO_SOURCE
    table.taunt = NO_LETTER
    table.taunt_count = 0
    for i in range(LETTERS):
        table.taunts[i] = 0


# ---- Captures (R5, R6) ----

cdef inline uint32_t letters_held(const State *state, uint32_t seat) noexcept nogil:
    """The first copies of the Doublers in a hand, two bits a letter."""
    return <uint32_t> (state.hands[seat] >> FIRST_DOUBLER) & 0x15555


cdef inline uint32_t tauntable(const State *state, uint32_t seat) noexcept nogil:
    """R6.1: Doublers of letters not yet on the spy, two bits a letter."""
    cdef uint32_t held = letters_held(state, seat), used = state.table.letters
    while used:
        held &= ~(<uint32_t> 1 << 2 * first_card(used))
        used &= used - 1
    return held


cdef inline void take_doubler(const Rules *rules, State *state, uint32_t seat, uint32_t letter) noexcept nogil:
    """A Doubler is played from a hand."""
    take(rules, &state.hands[seat], FIRST_DOUBLER + 2 * letter)
    take(rules, &state.table.unseen, FIRST_DOUBLER + 2 * letter)
    state.table.hand_others[seat] -= 1


cdef inline void kill_or_taunt(const Rules *rules, State *state, uint32_t move, machiavel_luck *luck) noexcept nogil:
    cdef Table *table = &state.table
    cdef uint32_t owner = table.mover
    if move != KILL:  # R6.2
        table.taunt = <uint8_t> (move - TAUNT)
        take_doubler(rules, state, owner, table.taunt)
        table.phase = FOIL
        table.mover = <uint8_t> left_of(rules, owner)
        return
    table.points[owner] += <uint32_t> table.value << table.taunt_count  # R5.3
    state.killed[owner] += <uint8_t> count_cards(table.spies)
    note(state, KILLED)
    if table.points[owner] >= GOAL:  # R7.1
        table.gone += <uint8_t> count_cards(table.spies)
        clear_attack(table)
        end_match(table)
    else:
        end_attack(rules, state, luck)


cdef inline void foil_or_let(const Rules *rules, State *state, uint32_t move, machiavel_luck *luck) noexcept nogil:
    cdef Table *table = &state.table
    cdef uint32_t seat = table.mover
    if move == FOIL_TAUNT:  # R6.4
        take_doubler(rules, state, seat, table.taunt)
        state.foiled[table.target] += 1
        note(state, FOILED)
        escape(rules, state, luck)
        return
    seat = left_of(rules, seat)
    table.mover = <uint8_t> seat
    if seat == table.target:  # R6.3
        table.letters |= <uint16_t> (1 << table.taunt)
        table.taunts[table.taunt_count] = table.taunt
        table.taunt_count += 1
        table.taunt = NO_LETTER
        table.phase = CAPTURED
