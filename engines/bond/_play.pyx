"""The rules of bond in play, in the order of RULES.md: dealing, turns, attacks, captures, the end."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from machiavel.engines._cards cimport card, count_cards, first_card, nth_card, nth_card_of_many
from machiavel.engines._heaps cimport heap_with, heap_without
from machiavel.engines.abi cimport (
    MACHIAVEL_OVER,
    MACHIAVEL_QUICK,
    MACHIAVEL_SEEDED,
    machiavel_below,
    machiavel_draw,
    machiavel_luck,
    machiavel_luck_stream,
    machiavel_move,
    machiavel_rng,
)
from machiavel.engines.bond._state cimport (
    ADD,
    ADD_SPY,
    ATTACK,
    CAPTURED,
    CARDS,
    COPIES,
    DECK,
    END,
    FIRST_DOUBLER,
    FIRST_LAIR,
    FIRST_SPY,
    FOIL,
    FOIL_TAUNT,
    GO,
    GOAL,
    HAND,
    KILL,
    LAIR,
    LAIRS,
    LET,
    LETTERS,
    LUCK_FIRST,
    LUCK_HANDS,
    LUCK_PILE,
    LUCK_STEAL,
    NO_LETTER,
    NO_SOURCE,
    NO_TOP,
    NOBODY,
    OTHER_TOP,
    OVER,
    PLAY_LAIR,
    SEATS,
    SKIP,
    SPIES,
    SPY,
    SPY_TOP,
    STEAL,
    STOLEN,
    TAUNT,
    TOP,
    Rules,
    State,
    Table,
    byte,
)


cdef uint32_t seats(const void *rules) noexcept nogil:
    return (<const Rules *> rules).seats


cdef uint32_t max_plies(const void *rules) noexcept nogil:
    return (<const Rules *> rules).max_plies


# ---- Heaps of cards ----

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


cdef uint32_t laid_kind(const Rules *rules, machiavel_luck *luck, uint32_t purpose, uint32_t counter,
                        uint64_t heap) noexcept nogil:
    cdef uint8_t items[CARDS]
    cdef uint32_t n = 0
    while heap:
        items[n] = rules.kind[first_card(heap)]
        n += 1
        heap &= heap - 1
    return machiavel_draw(luck, purpose, counter, items, n)


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
        escape(rules, state, luck)
        return
    table.phase = CAPTURED
    table.mover = table.target


cdef inline void escape(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    """R5.2: the spies and the whole lair are discarded, and the Doublers with them."""
    cdef Table *table = &state.table
    table.lairs[table.target] = 0
    table.lair_value[table.target] = 0
    table.with_lair &= ~(1 << table.target)
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


# ---- The end (R7) ----

cdef void utilities(const void *rules_, const void *state_, float *utilities) noexcept nogil:
    """R7.4. Whoever has reached the goal has the most points, for all others are below it."""
    cdef const Rules *rules = <const Rules *> rules_
    cdef const Table *table = &(<const State *> state_).table
    cdef uint32_t seat, most = 0, winners = 0
    for seat in range(rules.seats):
        most = max(most, table.points[seat])
    for seat in range(rules.seats):
        winners += table.points[seat] == most
    for seat in range(rules.seats):
        utilities[seat] = <float> 1.0 / winners if table.points[seat] == most else <float> 0.0


cdef uint32_t metrics(const void *rules_, const void *root, const void *end_, float *metrics) noexcept nogil:
    """How the match ended, its turns; then per seat points, spies killed and captures foiled."""
    cdef const Rules *rules = <const Rules *> rules_
    cdef const State *end = <const State *> end_
    cdef const Table *table = &end.table
    cdef uint32_t seat, most = 0, n = 4
    for seat in range(rules.seats):
        most = max(most, table.points[seat])
        metrics[n] = table.points[seat]
        metrics[n + 1] = end.killed[seat]
        metrics[n + 2] = end.foiled[seat]
        n += 3
    metrics[0] = most >= GOAL
    metrics[1] = most < GOAL and table.gone == COPIES
    metrics[2] = most < GOAL and table.gone < COPIES
    metrics[3] = end.turns
    return n


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
