# Worlds of bond: a view with its holes filled, distributed as all that its seat knows says (R8).
#
# Spies and other cards are known apart by their backs, and of each sort any deal of what is unseen is as likely as any other.
# Spies committed face down by somebody else are the one exception: `commit_unseen`.

cdef enum:
    ATTEMPTS = 100000  # then the spies are put face down in the only order that always goes


cdef void determinize(const void *rules_, const void *view_, machiavel_rng *rng, void *world_) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const View *view = <const View *> view_
    cdef const Table *table = &view.table
    cdef State *world = <State *> world_
    cdef machiavel_rng own = rng[0]  # in a register
    cdef uint64_t spies, others
    cdef uint32_t seat, spies_left, others_left
    world.table = view.table
    memset(world.hands, 0, sizeof(State) - sizeof(Table))
    spies = others = without_heap(rules, without_heap(rules, table.unseen, view.hand), view.committed)
    spies &= SPIES
    others &= ~SPIES
    spies_left = count_cards(spies)
    others_left = count_cards(others)
    world.committed = view.committed
    if table.committed and view.seat != table.turn:
        commit_unseen(rules, table, &own, &spies, world)
        spies_left -= table.committed + table.hand_spies[table.turn]
    for seat in range(rules.seats):
        if <int> seat == view.seat:
            world.hands[seat] = view.hand
            continue
        if world.committed == 0 or seat != table.turn:
            world.hands[seat] |= drawn_cards(rules, &own, &spies, spies_left, table.hand_spies[seat])
            spies_left -= table.hand_spies[seat]
        world.hands[seat] |= drawn_cards(rules, &own, &others, others_left, table.hand_others[seat])
        others_left -= table.hand_others[seat]
    world.pile = spies | others
    if table.top == SPY_TOP:
        world.top_card = rules.kind[nth_card_of_many(spies, machiavel_below(&own, spies_left))]
    elif table.top != NO_TOP:
        world.top_card = rules.kind[nth_card_of_many(others, machiavel_below(&own, others_left))]
    rng[0] = own


cdef inline uint64_t without_heap(const Rules *rules, uint64_t heap, uint64_t cards) noexcept nogil:
    cdef uint32_t kind
    while cards:
        kind = rules.kind[first_card(cards)]
        heap = heap_without(heap, rules.field[kind], kind)
        cards &= cards - 1
    return heap


cdef inline uint64_t drawn_cards(const Rules *rules, machiavel_rng *rng, uint64_t *pool, uint32_t left,
                                 uint32_t count) noexcept nogil:
    """A uniform draw of `count` cards out of the pool, which holds `left`."""
    cdef uint64_t from_pool = pool[0], drawn = 0
    cdef uint32_t kind
    while count:
        kind = rules.kind[nth_card_of_many(from_pool, machiavel_below(rng, left))]
        from_pool = heap_without(from_pool, rules.field[kind], kind)
        drawn = heap_with(drawn, rules.field[kind], kind)
        left -= 1
        count -= 1
    pool[0] = from_pool
    return drawn


cdef void commit_unseen(const Rules *rules, const Table *table, machiavel_rng *rng, uint64_t *pool, State *world) noexcept nogil:
    """The spies that the active seat has put face down, and those it has left (R4.4, R4.5).

    Before it began, any deal to it was as likely as any other. Then it chose, each time uniformly, among the kinds it could: so a
    hand counts as often as it is dealt, times the chance that it goes so far.
    """
    cdef uint64_t from_pool, hand, kinds, bit
    cdef uint32_t count = table.committed + table.hand_spies[table.turn], left = count_cards(pool[0]), attempt, i, kind
    for attempt in range(ATTEMPTS):
        from_pool = pool[0]
        hand = drawn_cards(rules, rng, &from_pool, left, count)
        world.committed = 0
        kinds = hand & rules.firsts
        for i in range(table.committed):
            if kinds == 0:
                break
            if attempt + 1 < ATTEMPTS:
                kind = nth_card_of_many(kinds, machiavel_below(rng, count_cards(kinds)))
            else:
                kind = rules.kind[nth_card_of_many(hand, table.committed + table.hand_spies[table.turn] - i - 1)]
            bit = <uint64_t> 1 << kind
            hand = heap_without(hand, rules.field[kind], kind)
            world.committed = heap_with(world.committed, rules.field[kind], kind)
            kinds = hand & rules.firsts & (bit | (bit - 1))
        else:
            break
    pool[0] = from_pool
    world.hands[table.turn] = hand
