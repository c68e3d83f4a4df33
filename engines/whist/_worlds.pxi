# What a seat of whist sees (R6), and the worlds it must hold possible.


cdef void view(const void *rules, const void *state_, int seat, void *view_) noexcept nogil:
    cdef const State *state = <const State *> state_
    cdef View *view = <View *> view_
    view.table = state.table
    view.hand = state.hands[seat] if seat >= 0 else 0
    view.seat = <int8_t> seat
    memset(view.spare, 0, sizeof(view.spare))


cdef uint64_t view_key(const void *rules, const void *state_, int seat) noexcept nogil:
    """The table without its history, and the hand."""
    cdef const State *state = <const State *> state_
    cdef uint64_t known[4]
    memcpy(known, &state.table, KEYED)
    known[3] = state.hands[seat] if seat >= 0 else 0
    return machiavel_hash(known, sizeof(known), <uint64_t> seat)


# ---- Worlds ----

cdef enum:
    EXACT_ATTEMPTS = 20000  # then the first deal that fits is taken
    ATTEMPTS = 60000  # then none fits: the view contradicts itself


cdef struct Unseen:  # hands to be filled, those with the fewest cards to choose from first
    uint64_t pool
    uint32_t of_suit[SUITS]
    uint32_t count
    uint8_t seat[SEATS]
    uint8_t size[SEATS]
    uint8_t voids[SEATS]  # suits, as bits
    uint64_t possible[SEATS]
    uint32_t most_ways[SEATS]  # to fill the hand, however those before it are filled


cdef void determinize(const void *rules_, const void *view_, machiavel_rng *rng, void *world_) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const View *view = <const View *> view_
    cdef const Table *table = &view.table
    cdef State *world = <State *> world_
    cdef machiavel_rng own = rng[0]
    cdef uint64_t pool = rules.suit_cards[NO_SUIT] & ~(table.seen | view.hand)
    cdef uint32_t i, seat = table.mover, voids = table.voids
    if view.seat >= 0:
        voids &= ~(<uint32_t> 15 << 4 * view.seat)
    world.table = view.table
    memset(world.hands, 0, sizeof(world.hands))
    memset(world.tricks, 0, sizeof(world.tricks))
    world.first = 0
    world.first_safe = 0
    memset(world.spare, 0, sizeof(world.spare))
    if table.held:
        if voids:
            fill_around_voids(rules, view, rng, world)
        else:
            for i in range(table.contender_count):
                if <int> seat != view.seat:
                    world.hands[seat] = take_cards(&own, &pool, table.held - (i >= table.to_come))
                seat = rules.next_seat[table.contenders][seat]
            rng[0] = own
    if view.seat >= 0:
        world.hands[view.seat] = view.hand


cdef void fill_around_voids(const Rules *rules, const View *view, machiavel_rng *rng, State *world) noexcept nogil:
    """Fill one hand after the other with a uniform draw of what it may hold (R6.2).

    How many draws there are for a hand depends on those before it, so each is kept with a chance proportional to their number,
    else all begins anew: all deals that fit are equally likely. Most often the number is the same whatever came before.
    """
    cdef Unseen unseen
    cdef uint32_t attempt
    list_unseen(rules, view, &unseen)
    for attempt in range(ATTEMPTS):
        if fill(rules, &unseen, rng, attempt < EXACT_ATTEMPTS, world):
            return
    for attempt in range(unseen.count):
        unseen.possible[attempt] = unseen.pool
    fill(rules, &unseen, rng, False, world)


cdef void list_unseen(const Rules *rules, const View *view, Unseen *unseen) noexcept nogil:
    cdef const Table *table = &view.table
    cdef uint32_t i, j, suit, voids, choice, seat = table.mover
    cdef uint64_t possible
    cdef uint32_t choices[SEATS]
    unseen.pool = rules.suit_cards[NO_SUIT] & ~(table.seen | view.hand)
    for suit in range(SUITS):
        unseen.of_suit[suit] = count_cards(unseen.pool & rules.suit_cards[suit])
    unseen.count = 0
    for i in range(table.contender_count):
        if <int> seat != view.seat:
            voids = table.voids >> 4 * seat & 15
            possible = unseen.pool
            choice = 0
            for suit in range(SUITS):
                if voids >> suit & 1:
                    possible &= ~rules.suit_cards[suit]
                else:
                    choice += unseen.of_suit[suit]
            j = unseen.count
            while j > 0 and choices[j - 1] > choice:
                choices[j] = choices[j - 1]
                unseen.possible[j] = unseen.possible[j - 1]
                unseen.voids[j] = unseen.voids[j - 1]
                unseen.seat[j] = unseen.seat[j - 1]
                unseen.size[j] = unseen.size[j - 1]
                j -= 1
            choices[j] = choice
            unseen.possible[j] = possible
            unseen.voids[j] = <uint8_t> voids
            unseen.seat[j] = <uint8_t> seat
            unseen.size[j] = <uint8_t> (table.held - (i >= table.to_come))
            unseen.count += 1
        seat = rules.next_seat[table.contenders][seat]
    for i in range(unseen.count):
        unseen.most_ways[i] = rules.ways[choices[i] - min(choices[i], least_taken(unseen, i))][unseen.size[i]]


cdef uint32_t least_taken(const Unseen *unseen, uint32_t i) noexcept nogil:
    """How many of the cards that the i-th hand may hold go to the hands before it, at least.

    All but those that can go elsewhere: to the suits that the i-th hand has not. How many these can be, Hall's theorem says:
    whatever some of these suits hold, and whatever the hands take that may hold any of the others; the least of all such sums.
    """
    cdef uint32_t banned = unseen.voids[i], some = banned, suit, j, sum, elsewhere = CARDS, taken = 0
    for j in range(i):
        taken += unseen.size[j]
    while True:
        sum = 0
        for suit in range(SUITS):
            if some >> suit & 1:
                sum += unseen.of_suit[suit]
        for j in range(i):
            if banned & ~some & ~unseen.voids[j]:
                sum += unseen.size[j]
        elsewhere = min(elsewhere, sum)
        if some == 0:
            return taken - min(taken, elsewhere)
        some = (some - 1) & banned


cdef bint fill(const Rules *rules, const Unseen *unseen, machiavel_rng *rng, bint exact, State *world) noexcept nogil:
    """One attempt; False where a hand cannot be filled, or is not kept."""
    cdef uint64_t pool = unseen.pool, possible, hand
    cdef uint32_t i, ways
    for i in range(unseen.count):
        possible = pool & unseen.possible[i]
        ways = rules.ways[count_cards(possible)][unseen.size[i]]
        if ways == 0 or (exact and ways < unseen.most_ways[i] and machiavel_below(rng, unseen.most_ways[i]) >= ways):
            return False
        hand = take_cards(rng, &possible, unseen.size[i])
        world.hands[unseen.seat[i]] = hand
        pool &= ~hand
    return True
