# The rules of agency in play, in the order of RULES.md: dealing, powers, tricks, rounds, the match.


# ---- Dealing (R2) ----

cdef void deal(const void *rules_, machiavel_luck *luck, void *state_) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef State *state = <State *> state_
    cdef Table *table = &state.table
    cdef uint8_t items[PILE_SIZE]
    cdef uint32_t i
    memset(state, 0, sizeof(State))
    if rules.powers:
        if rules.agents_given:
            memcpy(table.agents, rules.agents, SEATS)
        else:  # R2.1
            memcpy(items, rules.agent_pool, SEATS)
            machiavel_shuffle(luck, LUCK_AGENTS, 0, items, rules.agent_pool_size, rules.seats)
            memcpy(table.agents, items, rules.seats)
    for i in range(rules.seats):
        items[i] = <uint8_t> i
    table.leader = machiavel_draw(luck, LUCK_LEADER, 0, items, rules.seats)  # R2.5
    memcpy(items, rules.plans, rules.plan_count)
    for i in range(rules.seats if rules.powers else 0):
        items[rules.plan_count + i] = <uint8_t> (FIRST_POWER + table.agents[i])
    sort(items, rules.plan_count + (rules.seats if rules.powers else 0))
    begin_round(rules, state, luck, items, rules.plan_count + (rules.seats if rules.powers else 0))


cdef inline void sort(uint8_t *items, uint32_t count) noexcept nogil:
    """Insertion sort: a shuffle must begin from one order, however its items came together."""
    cdef uint32_t i, j
    cdef uint8_t item
    for i in range(1, count):
        item = items[i]
        j = i
        while j > 0 and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item


cdef inline void begin_round(const Rules *rules, State *state, machiavel_luck *luck, uint8_t *shuffled,
                             uint32_t count) noexcept nogil:
    """Deal, put the shuffled cards under the pile (R2.2, R2.3, R9.4), open the first trick; clean is all but pile and match."""
    cdef Table *table = &state.table
    cdef uint8_t deck[64]
    cdef uint32_t i, seat, at = 0
    cdef uint64_t hand
    for i in range(rules.card_count):
        deck[i] = <uint8_t> i
    machiavel_shuffle(luck, LUCK_CARDS, table.round, deck, rules.card_count, TRICKS * rules.seats)
    for seat in range(rules.seats):
        hand = 0
        for i in range(HALF):
            hand |= card(deck[at + i])
        state.hands[seat] = hand
        hand = 0
        for i in range(HALF, TRICKS):
            hand |= card(deck[at + i])
        state.reserves[seat] = hand
        at += TRICKS
    machiavel_shuffle(luck, LUCK_PILE, table.round, shuffled, count, count)
    table.pile_split = table.pile_end
    for i in range(count):
        state.pile[table.pile_end + i] = shuffled[i]
        table.pile_shown[table.pile_end + i] = HIDDEN
        table.pile_unseen[1][shuffled[i]] += 1
    table.pile_end += <uint8_t> count
    if table.pile_split == 0:  # nothing was left over
        see_top(state)
    begin_half(state)
    open_trick(rules, state)


cdef inline void begin_half(State *state) noexcept nogil:
    cdef Table *table = &state.table
    table.half_passes = 0
    table.half_voids = 0
    memset(table.half_order, 0, sizeof(table.half_order))
    memset(table.half_cards, 0, sizeof(table.half_cards))
    memset(table.half_accomplice, NO_CARD, sizeof(table.half_accomplice))
    memset(table.half_stake, NO_CARD, sizeof(table.half_stake))
    table.look_trick = NO_CARD
    table.looker = 0
    table.look_target = 0
    state.look_cards = 0
    memset(state.given, NO_CARD, sizeof(state.given))
    table.stake = NO_CARD
    table.last = NOBODY
    table.martha = NOBODY
    table.jean = NOBODY


# ---- The start of a trick (R4.1, R6) ----

cdef inline uint8_t clockwise(const Rules *rules, uint32_t seat) noexcept nogil:
    return <uint8_t> (seat + 1 if seat + 1 < rules.seats else 0)


cdef inline void ask(Table *table, uint8_t phase, uint8_t seat) noexcept nogil:
    table.phase = phase
    table.mover = seat


cdef inline void open_trick(const Rules *rules, State *state) noexcept nogil:
    """Execute the powers on top, in the order drawn, until one needs a choice or a plan is on top (R6.0)."""
    cdef Table *table = &state.table
    cdef uint8_t agent, seat
    while state.pile[table.pile_top] >= FIRST_POWER:
        agent = state.pile[table.pile_top] - FIRST_POWER
        seat = 0
        while table.agents[seat] != agent:
            seat += 1
        if agent == BELTON:
            ask(table, LEAD, seat)
            return
        if agent == MOIGNONS:
            ask(table, LOOK, seat)
            return
        if agent == MARTHA:
            table.martha = seat
        elif agent == JEAN:
            table.jean = seat
        else:  # WXT, R6.3
            table.last = seat
            if table.leader == seat:
                table.leader = clockwise(rules, seat)
        take_top(state)
    fix_trick(rules, state)


cdef inline void fix_trick(const Rules *rules, State *state) noexcept nogil:
    """Stake and playing order are fixed (R4.1)."""
    cdef Table *table = &state.table
    cdef uint32_t _i, n = 0, half_trick = table.trick % HALF
    cdef uint8_t seat = table.leader
    table.stake = state.pile[table.pile_top]
    table.accomplice = rules.accomplice[table.stake]
    state.staked[table.accomplice] += 1
    for _i in range(rules.seats):
        if seat != table.last:
            table.order[n] = seat
            n += 1
        seat = clockwise(rules, seat)
    if n < rules.seats:
        table.order[n] = table.last
    memcpy(table.half_order[half_trick], table.order, SEATS)
    table.half_accomplice[half_trick] = table.accomplice if table.accomplice >= FOLLOW_SUIT else 0
    table.half_stake[half_trick] = table.stake
    if table.martha != NOBODY:
        table.half_stake[half_trick] |= MARTHA_AT_WORK
    if table.jean != NOBODY:
        table.half_stake[half_trick] |= JEAN_AT_WORK
    if table.accomplice == PASS_LEFT:
        ask(table, PASS, 0)  # R7.5
    else:
        ask(table, PLAY, table.order[0])


# ---- Moves ----

cdef int to_move(const void *rules, const void *state_) noexcept nogil:
    cdef const Table *table = &(<const State *> state_).table
    if table.phase < OVER:
        return table.mover
    return MACHIAVEL_OVER if table.phase == OVER else MACHIAVEL_AT_HORIZON


cdef uint32_t seats_to_move(const void *rules, const void *state_) noexcept nogil:
    cdef const Table *table = &(<const State *> state_).table
    if table.phase == PASS:
        return ((<uint32_t> 1 << (<const Rules *> rules).seats) - 1) & ~<uint32_t> table.given
    return <uint32_t> 1 << table.mover if table.phase < OVER else 0


cdef inline uint64_t playable(const Rules *rules, const State *state, uint32_t seat) noexcept nogil:
    """Any card of the hand (R4.2), but under follow_suit the colour led (R7.4)."""
    cdef uint64_t hand = state.hands[seat], suited
    if state.table.accomplice == FOLLOW_SUIT and state.table.played:
        suited = hand & rules.colour_cards[state.table.led]
        if suited:
            return suited
    return hand


cdef uint32_t legal_moves(const void *rules_, const void *state_, int seat, machiavel_move *moves) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const State *state = <const State *> state_
    cdef uint32_t other, base = PASS_CARD, n = 0
    cdef uint64_t cards
    if state.table.phase == LEAD:
        for other in range(rules.seats):
            moves[other] = <machiavel_move> (LEAD_SEAT + other)
        return rules.seats
    if state.table.phase == LOOK:
        for other in range(rules.seats):
            if other != <uint32_t> seat:
                moves[n] = <machiavel_move> (LOOK_AT + other)
                n += 1
        return n
    cards = state.hands[seat]
    if state.table.phase == PLAY:
        base = 0
        cards = playable(rules, state, seat)
    while cards:
        moves[n] = <machiavel_move> (base + first_card(cards))
        n += 1
        cards &= cards - 1
    return n


cdef void apply(const void *rules_, void *state_, machiavel_move move, machiavel_luck *luck) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef State *state = <State *> state_
    cdef Table *table = &state.table
    if move < LEAD_SEAT:
        play_card(rules, state, move, luck)
        return
    table.ply += 1
    if move >= PASS_CARD:
        give(rules, state, <uint8_t> (move - PASS_CARD))
        return
    if move >= LOOK_AT:  # R6.5
        table.look_trick = table.trick % HALF
        table.looker = table.mover
        table.look_target = <uint8_t> (move - LOOK_AT)
        state.look_cards = state.hands[table.look_target]
    else:  # R6.1
        table.leader = <uint8_t> (move - LEAD_SEAT)
        if table.last == table.leader:
            table.last = NOBODY
    take_top(state)
    open_trick(rules, state)


cdef inline void give(const Rules *rules, State *state, uint8_t gift) noexcept nogil:
    """R7.5: asked from seat 0 on; hands change when all have given."""
    cdef Table *table = &state.table
    cdef byte *given = state.given[table.trick % HALF]
    cdef uint32_t seat
    given[table.mover] = gift
    table.given |= <uint8_t> (1 << table.mover)
    table.mover += 1
    if table.mover < rules.seats:
        return
    for seat in range(rules.seats):
        state.hands[seat] &= ~card(given[seat])
    for seat in range(rules.seats):
        state.hands[clockwise(rules, seat)] |= card(given[seat])
    table.given = 0
    table.half_passes += 1
    ask(table, PLAY, table.order[0])


cdef inline void play_card(const Rules *rules, State *state, uint32_t played, machiavel_luck *luck) noexcept nogil:
    cdef Table *table = &state.table
    cdef uint8_t seat = table.mover, strength, colour = rules.colour[played]
    cdef uint64_t bit = card(played)
    table.ply += 1
    state.hands[seat] &= ~bit
    table.seen |= bit
    if table.played == 0:
        table.led = colour
    elif table.accomplice == FOLLOW_SUIT and colour != table.led:
        table.half_voids = 1
    strength = rules.strength[table.accomplice][table.led][played]
    if strength > table.strength:
        table.strength = strength
        table.best = seat
    table.tally += rules.tally[played]
    table.cards[table.played] = <uint8_t> played
    table.half_cards[table.trick % HALF][table.played] = <uint8_t> played
    table.played += 1
    if table.played < rules.seats:
        table.mover = table.order[table.played]
    else:
        close_trick(rules, state, luck)


# ---- The end of a trick (R5) ----

cdef inline void close_trick(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    cdef Table *table = &state.table
    cdef uint8_t winner = table.best
    cdef uint32_t seat
    if table.jean != winner:  # R6.4
        table.greens[winner] += table.tally & 255
        table.yellows[winner] += table.tally >> 8
    table.plan_points[winner] += rules.value[table.stake]
    take_top(state)
    if table.martha == winner:
        table.plan_points[winner] += rules.value[take_lowest_plan(state)]
    table.tricks[winner] += 1
    state.won[table.trick] = winner
    table.trick += 1
    table.latest[winner] = table.trick
    table.leader = winner
    clear_trick(table)
    if table.trick == TRICKS:
        end_round(rules, state, luck)
        return
    if table.trick == HALF:  # R5.4
        for seat in range(rules.seats):
            state.hands[seat] = state.reserves[seat]
            state.reserves[seat] = 0
        begin_half(state)
    open_trick(rules, state)


cdef inline void clear_trick(Table *table) noexcept nogil:
    memset(table.order, 0, SEATS)
    memset(table.cards, 0, SEATS)
    table.played = 0
    table.stake = NO_CARD
    table.accomplice = 0
    table.led = 0
    table.best = 0
    table.strength = 0
    table.tally = 0
    table.last = NOBODY
    table.martha = NOBODY
    table.jean = NOBODY


# ---- The end of a round and of the match (R8, R9) ----

cdef inline void end_round(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    cdef Table *table = &state.table
    cdef uint32_t seat
    cdef int32_t most_points = -32768
    cdef uint8_t least_green = 255, most_yellow = 0, winners = 0
    cdef bint over = False
    for seat in range(rules.seats):
        least_green = min(least_green, table.greens[seat])
        most_yellow = max(most_yellow, table.yellows[seat])
    for seat in range(rules.seats):  # R8.1 – R8.3
        table.last_points[seat] = table.plan_points[seat]
        if table.greens[seat] == least_green:
            table.last_points[seat] += rules.bonus
        if table.yellows[seat] == most_yellow:
            table.last_points[seat] -= rules.bonus
        most_points = max(most_points, table.last_points[seat])
    for seat in range(rules.seats):  # R8.4
        if table.last_points[seat] == most_points:
            winners |= <uint8_t> (1 << seat)
            table.medals[seat] += 1
            over = over or table.medals[seat] == rules.medals
    table.last_winners = winners
    state.tied_rounds += winners & (winners - 1) != 0
    if over:
        ask(table, OVER, NOBODY)
    elif luck.flags & MACHIAVEL_STOP_AT_HORIZON:
        ask(table, BETWEEN, NOBODY)
    else:
        next_round(rules, state, luck)


cdef inline uint8_t next_leader(const Rules *rules, const Table *table) noexcept nogil:
    """R9.3: of the round's winners the one who won the latest trick; if none won any, the first after the last trick's winner."""
    cdef uint32_t _i, seat = table.leader
    cdef uint8_t leader = NOBODY, latest = 0
    for _i in range(rules.seats):
        seat = clockwise(rules, seat)
        if table.last_winners >> seat & 1 and (leader == NOBODY or table.latest[seat] > latest):
            leader = <uint8_t> seat
            latest = table.latest[seat]
    return leader


cdef void next_round(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    """R9.4: what was taken from the pile is shuffled and goes under what is left."""
    cdef Table *table = &state.table
    cdef uint8_t left[KINDS]
    cdef uint8_t recycled[PILE_SIZE]
    cdef uint32_t i, seat, n = 0, remaining = table.pile_end - table.pile_top
    table.leader = next_leader(rules, table)
    memset(left, 0, KINDS)
    for i in range(table.pile_top, table.pile_end):
        left[state.pile[i]] += 1
    for i in range(rules.plan_count):
        if left[rules.plans[i]]:
            left[rules.plans[i]] -= 1
        else:
            recycled[n] = rules.plans[i]
            n += 1
    for seat in range(rules.seats if rules.powers else 0):
        if not left[FIRST_POWER + table.agents[seat]]:
            recycled[n] = FIRST_POWER + table.agents[seat]
            n += 1
    sort(recycled, n)
    memmove(state.pile, &state.pile[table.pile_top], remaining)
    memset(&state.pile[remaining], 0, PILE_SIZE - remaining)
    memmove(table.pile_shown, &table.pile_shown[table.pile_top], remaining)
    memset(&table.pile_shown[remaining], 0, PILE_SIZE - remaining)
    # The upper part has been used up: it began with fewer plans than a round takes.
    memcpy(table.pile_unseen[0], table.pile_unseen[1], KINDS)
    memset(table.pile_unseen[1], 0, KINDS)
    table.pile_top = 0
    table.pile_end = <uint8_t> remaining
    table.round += 1
    table.trick = 0
    table.seen = 0
    memset(table.greens, 0, SEATS)
    memset(table.yellows, 0, SEATS)
    memset(table.tricks, 0, SEATS)
    memset(table.latest, 0, SEATS)
    memset(table.plan_points, 0, sizeof(table.plan_points))
    begin_round(rules, state, luck, recycled, n)


# ---- Playing at random ----

cdef uint32_t hand_size(const Table *table, uint32_t seat) noexcept nogil:
    cdef uint32_t i, size
    if table.trick == TRICKS:
        return 0
    size = HALF - table.trick % HALF
    for i in range(table.played):
        if table.order[i] == seat:
            return size - 1
    return size


cdef uint32_t playout(const void *rules_, void *state_, machiavel_rng *rng, machiavel_luck *luck) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef State *state = <State *> state_
    cdef Table *table = &state.table
    cdef machiavel_move moves[16]
    cdef uint32_t before = table.ply, count
    cdef uint64_t cards
    while table.phase < OVER:
        if table.phase == PLAY:
            cards = playable(rules, state, table.mover)
            if table.accomplice == FOLLOW_SUIT:
                count = count_cards(cards)
            else:
                count = HALF - table.trick % HALF
            play_card(rules, state, nth_card(cards, machiavel_below(rng, count)), luck)
        else:
            count = legal_moves(rules, state, table.mover, moves)
            apply(rules, state, moves[machiavel_below(rng, count)], luck)
    return table.ply - before
