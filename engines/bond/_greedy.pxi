# A rule of thumb for bond: what an attack, a taunt, a lair card is worth in points, by what is known of the unseen.
#
# Reads only what the mover sees: the table, its own hand, the spies it has put face down itself.

# Points, found by play among greedy seats and against random ones.
cdef double TAUNTING = 1.3  # what a spy captured brings its owner in the end, times its value
cdef double RUIN = 0.8  # of a lair, for each point of its value
cdef double THRIFT = 0.3  # of a spy that leaves the hand, for each point of its value
cdef double FOILING = 0.9  # how likely a seat foils that can
cdef double BUILDING = 0.5  # of a lair, for each point it grows by up to ENOUGH
cdef double ENOUGH = 10
cdef double VICTORY = 25
cdef double GREEDINESS = 1.5  # how steeply the weight rises with a point


cdef struct Mind:  # what the mover knows, put together once
    const Rules *rules
    const State *state
    uint32_t seat
    uint64_t unseen  # by the mover
    double rivalry  # how much a point matters that another one gets


cdef void weights(const void *rules_, const void *state_, const machiavel_move *moves, uint32_t count,
                  float *weights) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const State *state = <const State *> state_
    cdef byte phase = state.table.phase
    cdef uint32_t i
    cdef double worth, best = -1e9
    cdef double worths[MAX_MOVES]
    cdef Mind mind
    mind.rules = rules
    mind.state = state
    mind.seat = state.table.mover
    mind.unseen = without(rules, without(rules, state.table.unseen, state.hands[mind.seat]), state.committed)
    mind.rivalry = 1.0 / (rules.seats - 1)
    for i in range(count):
        if phase == LAIR:
            worth = worth_of_lair(&mind, moves[i])
        elif phase == SPY:
            worth = worth_of_attack(&mind, moves[i])
        elif phase == ADD:
            worth = worth_of_adding(&mind, moves[i])
        elif phase == CAPTURED:
            worth = worth_of_taunt(&mind, moves[i])
        else:  # to let it pass leaves the points to the owner
            worth = 3 if moves[i] == FOIL_TAUNT else 0
        worths[i] = worth
        best = max(best, worth)
    for i in range(count):
        weights[i] = <float> exponential(GREEDINESS * (worths[i] - best))


cdef inline uint64_t without(const Rules *rules, uint64_t heap, uint64_t cards) noexcept nogil:
    cdef uint32_t kind
    while cards:
        kind = rules.kind[first_card(cards)]
        heap = heap_without(heap, rules.field[kind], kind)
        cards &= cards - 1
    return heap


cdef double worth_of_lair(const Mind *mind, uint32_t move) noexcept nogil:
    """What is built up to ENOUGH counts; a card more is better kept for the next lair."""
    cdef double before = mind.state.table.lair_value[mind.seat], after
    if move == SKIP:
        return 0
    after = before + mind.rules.value[move - PLAY_LAIR]
    return BUILDING * (min(after, ENOUGH) - before) if before < ENOUGH else -BUILDING


cdef double worth_of_attack(const Mind *mind, uint32_t move) noexcept nogil:
    cdef uint32_t what, target, kind
    if move == END:
        return 0
    what = (move - ATTACK) // SEATS
    target = (move - ATTACK) % SEATS
    if what >= STOLEN:
        return worth_of_blind_spy(mind, target)
    kind = what + FIRST_SPY
    if target == mind.seat:
        return fate(mind, target, mind.rules.value[kind]) - THRIFT * mind.rules.value[kind]
    return worth_of_march(mind, target, kind, 0)


cdef double worth_of_adding(const Mind *mind, uint32_t move) noexcept nogil:
    cdef const Table *table = &mind.state.table
    cdef uint32_t sum = 0
    cdef uint64_t left = mind.state.committed
    while left:
        sum += mind.rules.value[mind.rules.kind[first_card(left)]]
        left &= left - 1
    if move == GO:
        return fate(mind, table.target, sum)
    return worth_of_march(mind, table.target, move - ADD_SPY + FIRST_SPY, sum)


cdef double worth_of_march(const Mind *mind, uint32_t target, uint32_t kind, uint32_t sum) noexcept nogil:
    """Spies from that kind down join those of a sum already on the way, until they are too strong for the lair or used up."""
    cdef const Rules *rules = mind.rules
    cdef uint64_t left = heap_without(mind.state.hands[mind.seat], rules.field[kind], kind)
    cdef uint32_t sent = rules.value[kind]
    left &= SPIES & (rules.field[kind] | (rules.field[kind] - 1))
    while left and sum + sent <= mind.state.table.lair_value[target]:
        kind = rules.kind[last_card(left)]
        left = heap_without(left, rules.field[kind], kind)
        sent += rules.value[kind]
    return fate(mind, target, sum + sent) - THRIFT * sent


cdef double worth_of_blind_spy(const Mind *mind, uint32_t target) noexcept nogil:
    """A spy that may be any unseen one."""
    cdef uint64_t left = mind.unseen & SPIES
    cdef uint32_t count = 0
    cdef double sum = 0
    while left:
        sum += fate(mind, target, mind.rules.value[mind.rules.kind[first_card(left)]])
        count += 1
        left &= left - 1
    return sum / count if count else 0


cdef double fate(const Mind *mind, uint32_t target, uint32_t value) noexcept nogil:
    """What it is worth to the mover that spies of that value come into that lair."""
    cdef const Table *table = &mind.state.table
    cdef double worth = -RUIN * table.lair_value[target]
    if value <= table.lair_value[target]:
        worth = TAUNTING * value
        if table.points[target] + value >= GOAL:
            worth += VICTORY
    return worth if target == mind.seat else -mind.rivalry * worth


cdef double worth_of_taunt(const Mind *mind, uint32_t move) noexcept nogil:
    """To kill what wins; else what doubling brings, and what a foil costs."""
    cdef const Table *table = &mind.state.table
    cdef uint32_t value = <uint32_t> table.value << table.taunt_count
    cdef double foiled
    if move == KILL:
        return value + (2 * VICTORY if table.points[mind.seat] + value >= GOAL else 0)
    foiled = chance_of_foil(mind, move - TAUNT)
    if table.points[mind.seat] + 2 * value >= GOAL:
        value += 10
    return (1 - foiled) * 2 * value - foiled * RUIN * table.lair_value[mind.seat]


cdef double chance_of_foil(const Mind *mind, uint32_t letter) noexcept nogil:
    """Only if the other Doubler is neither gone nor in the mover's own hand, and not in the pile."""
    cdef const Table *table = &mind.state.table
    cdef uint32_t seat, held = 0
    if mind.unseen >> FIRST_DOUBLER + 2 * letter & 1 == 0:
        return 0
    for seat in range(mind.rules.seats):
        if seat != mind.seat:
            held += table.hand_others[seat]
    return FOILING * held / (held + table.pile_count - table.pile_spies)
