# Worlds: what a view hides is drawn from what its seat must hold possible.

cdef enum:
    HOLES = 255
    ITEMS = 256  # cards of a deck that are not seen
    REJECTIONS = 300  # before the deals are counted
    MORE_REJECTIONS = 3000  # before a chain of swaps, where there are too many to be counted
    TRIES = 20000  # for a world that the author calls possible
    EFFORT = 20000000  # of all tries together: looks at cards
    TURN = 20  # a turn of a loop of the author's costs as much


cdef struct Hole:  # a place of a world, and how many hidden cards belong there
    uint32_t field
    uint32_t index
    uint32_t size
    uint32_t choice  # how many of the pool it can hold
    uint32_t most  # of them left, however the holes before it are filled
    uint64_t kinds  # that it can hold, as bits


cdef struct Pool:
    const Deck *deck
    uint64_t cards
    uint64_t kinds
    uint32_t count
    uint32_t wanted  # by all holes
    uint32_t hole_count
    uint32_t masked  # holes that cannot hold everything: they come first
    uint8_t items[ITEMS]  # the kind of each card, in any order
    Hole holes[HOLES]


cdef void determinize(const void *rules_, const void *view_, machiavel_rng *rng, void *world_) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const uint8_t *view = <const uint8_t *> view_
    cdef uint8_t *world = <uint8_t *> world_
    cdef uint64_t begun = 0, effort = 0
    cdef uint32_t attempt
    cdef int answer = IN_POSSIBLE
    cdef kit_call call
    cdef Where where
    if mover_of(view) >= <int> rules.seats or view[<int> KIT_ASKED] >> rules.seats:  # nobody who plays
        memcpy(world, view, rules.state_size)
        world[<int> KIT_SEAT] = 0
        set_faulted(world)
        return
    for attempt in range(TRIES):
        begun = rng.state
        answer = draw_world(rules, view, rng, world, &call, &effort)
        if answer == IN_DEAL:  # in none of the functions: all went well
            return
        if answer != IN_POSSIBLE or call.fault or effort > EFFORT:
            break
    if answer == IN_POSSIBLE:  # a fault of its own stays
        set_fault(&call, KIT_NO_WORLD, <int8_t> view[<int> KIT_SEAT], 1)
    where.function = answer
    where.move = -1
    where.seat = <int8_t> view[<int> KIT_SEAT]
    where.bytes = view
    where.size = rules.view_size
    where.luck = NULL
    where.rng = begun
    if answer == IN_POSSIBLE and call.fault != KIT_NO_WORLD:
        where.bytes = world
        where.size = rules.state_size
    keep_fault(rules, &call, &where)
    set_faulted(world)


cdef int draw_world(const Rules *rules, const uint8_t *view, machiavel_rng *rng, uint8_t *world, kit_call *call,
                    uint64_t *effort) noexcept nogil:
    """IN_DEAL where it is one; else the function that does not agree, or that met a fault. What it took is added to `effort`."""
    cdef int seat = <int8_t> view[<int> KIT_SEAT]
    cdef uint32_t deck
    call.fault = KIT_FINE
    memcpy(world, view, rules.state_size)
    world[<int> KIT_SEAT] = 0
    fill_numbers(rules, view, seat, rng, world)
    if rules.determinize is not NULL:
        begin_world_call(call, rules, rng, view)
        rules.determinize(call, world, seat)
        if call.fault:
            return IN_DETERMINIZE
        effort[0] += TURN * <uint64_t> (KIT_FUEL - call.fuel)
    for deck in range(rules.deck_count):
        if not fill_holes(rules, deck, view, rng, world, effort):
            call.a = seat
            call.b = 0
            call.line = 0
            call.fault = KIT_NO_WORLD
            return IN_DETERMINIZE
    if rules.possible is not NULL:
        begin_world_call(call, rules, rng, view)
        if not rules.possible(call, world, seat) or call.fault:
            effort[0] += TURN * <uint64_t> (KIT_FUEL - call.fuel)
            return IN_POSSIBLE
    return IN_DEAL


cdef void fill_numbers(const Rules *rules, const uint8_t *view, int seat, machiavel_rng *rng, uint8_t *world) noexcept nogil:
    """Dice, and what is no card: uniform in its range. Hidden cards are not there yet."""
    cdef const Field *field
    cdef uint32_t i, n
    for n in range(rules.first_private, rules.field_count):
        field = &rules.fields[n]
        if field.kind == CARDS:
            continue  # 0 in the view already
        if field.kind == DICE:
            roll_hidden(field, view, rng, world)
            continue
        for i in range(field.count):
            if sees(field, view, i, seat):
                continue
            if field.kind == CARD:
                store(field, world, i, field.absent)
            else:
                store(field, world, i, field.low + <int64_t> below_wide(rng, <uint64_t> (field.high - field.low)))


cdef uint64_t below_wide(machiavel_rng *rng, uint64_t most) noexcept nogil:
    """Uniform in 0 … most."""
    cdef uint64_t limit, drawn
    if most < <uint64_t> 1 << 31:
        return machiavel_below(rng, <uint32_t> most + 1)
    if most == <uint64_t> -1:
        return machiavel_next(rng)
    limit = <uint64_t> -1 - <uint64_t> -1 % (most + 1)
    while True:
        drawn = machiavel_next(rng)
        if drawn < limit:
            return drawn % (most + 1)


cdef void roll_hidden(const Field *field, const uint8_t *view, machiavel_rng *rng, uint8_t *world) noexcept nogil:
    cdef uint32_t i, j
    cdef int64_t value, other
    for i in range(field.count):
        if view[field.hidden + i] == 0:
            continue
        value = 1 + <int64_t> machiavel_below(rng, <uint32_t> field.high)
        if field.is_sorted:  # among those of its row that are hidden, too
            for j in range(i - i % field.row, i):
                if view[field.hidden + j]:
                    other = load(field, world, j)
                    if other < value:
                        store(field, world, j, value)
                        value = other
        store(field, world, i, value)


# ---- Cards ----

cdef uint64_t unseen_cards(const Rules *rules, uint32_t deck_, const uint8_t *bytes, const uint8_t *view) noexcept nogil:
    """The cards of a deck that are in none of its places; in a view (else NULL) hidden ones stand for none."""
    cdef const Deck *deck = &rules.decks[deck_]
    cdef const Field *field
    cdef uint64_t left = deck.all, there
    cdef uint32_t i, n
    for n in range(rules.field_count):
        field = &rules.fields[n]
        if not field.is_zone or field.deck != deck_:
            continue
        for i in range(field.count):
            if view is not NULL and field.hidden and view[field.hidden + i]:
                continue
            there = as_set(field, deck, load(field, bytes, i))
            left = left & ~there if deck.bits == 1 else without(deck, left, there)
    return left


cdef bint fill_holes(const Rules *rules, uint32_t deck, const uint8_t *view, machiavel_rng *rng, uint8_t *world,
                     uint64_t *effort) noexcept nogil:
    """False where no deal of the cards fits."""
    cdef Pool pool
    cdef machiavel_rng own
    cdef uint32_t drawn
    if not list_holes(rules, deck, view, world, &pool):
        return False
    if pool.hole_count == 0:
        return True
    own = rng[0]
    if pool.masked == 0:
        drawn = pool.wanted
        if drawn == pool.count:  # what is left is the last hole's
            drawn -= pool.holes[pool.hole_count - 1].size
        machiavel_shuffle_bytes(&own, pool.items, pool.count, drawn)
    elif not fill_masked(rules, &pool, &own, effort):
        return False
    rng[0] = own
    place_items(rules, &pool, world)
    return True


cdef bint list_holes(const Rules *rules, uint32_t deck_, const uint8_t *view, const uint8_t *world, Pool *pool) noexcept nogil:
    cdef const Deck *deck = &rules.decks[deck_]
    cdef const Field *field
    cdef Hole *hole
    cdef uint32_t i, n, size, there
    pool.deck = deck
    pool.hole_count = 0
    pool.masked = 0
    pool.wanted = 0
    for n in range(rules.first_private, rules.field_count):
        field = &rules.fields[n]
        if not field.is_zone or field.deck != deck_:
            continue
        for i in range(field.count):
            size = view[field.hidden + i]
            if size == 0:
                continue
            there = number_in(rules, field, load(field, world, i))  # what the author knows already
            if there > size or (field.kind == CARD and size > 1):
                return False
            if size == there:
                continue
            if pool.hole_count == HOLES:
                return False
            hole = &pool.holes[pool.hole_count]
            pool.hole_count += 1
            hole.field = n
            hole.index = i
            hole.size = size - there
            pool.wanted += hole.size
    if pool.hole_count == 0:
        return True
    pool.cards = unseen_cards(rules, deck_, world, NULL)
    if pool.wanted > size_of(deck, pool.cards):
        return False
    pool.count = list_kinds(deck, pool.cards, pool.items)
    pool.kinds = kinds_in(deck, pool.cards)
    find_masks(rules, world, pool)
    return True


cdef inline uint64_t kinds_in(const Deck *deck, uint64_t cards) noexcept nogil:
    """The kinds of a set, as bits."""
    return cards if deck.bits == 1 else kinds_in_bag(cards)


cdef inline uint32_t count_of(const Pool *pool, uint64_t kinds) noexcept nogil:
    """How many cards of the pool are of these kinds."""
    cdef uint32_t total = 0
    kinds &= pool.kinds
    if pool.deck.bits == 1:
        return count_cards(kinds)
    while kinds:
        total += pool.cards >> 4 * first_card(kinds) & 15
        kinds &= kinds - 1
    return total


cdef void find_masks(const Rules *rules, const uint8_t *world, Pool *pool) noexcept nogil:
    """What each hole can hold; those with the fewest cards to choose from come first, those that can hold everything last."""
    cdef const Field *field
    cdef const Field *masks
    cdef Hole hole
    cdef uint32_t i, j
    for i in range(pool.hole_count):
        hole = pool.holes[i]
        field = &rules.fields[hole.field]
        hole.kinds = pool.kinds
        if field.within >= 0:
            masks = &rules.fields[field.within]
            hole.kinds &= kinds_in(pool.deck, <uint64_t> load(masks, world, hole.index))  # of the same shape
        hole.choice = ITEMS
        if hole.kinds != pool.kinds:
            hole.choice = count_of(pool, hole.kinds)
            pool.masked += 1
        j = i
        while j and pool.holes[j - 1].choice > hole.choice:
            pool.holes[j] = pool.holes[j - 1]
            j -= 1
        pool.holes[j] = hole
    for i in range(pool.masked):
        pool.holes[i].most = pool.holes[i].choice - least_taken(pool, i)


cdef uint32_t least_taken(const Pool *pool, uint32_t i) noexcept nogil:
    """How many of the cards that the i-th hole can hold go to those before it, at least: all but those that can go elsewhere."""
    cdef uint64_t others = 0, kinds = pool.holes[i].kinds
    cdef uint32_t j, taken = 0, elsewhere = 0
    for j in range(i):
        taken += pool.holes[j].size
        others |= pool.holes[j].kinds & ~kinds
        elsewhere += min(pool.holes[j].size, count_of(pool, pool.holes[j].kinds & ~kinds))
    elsewhere = min(elsewhere, count_of(pool, others))
    return taken - min(taken, elsewhere)


cdef bint fill_masked(const Rules *rules, Pool *pool, machiavel_rng *rng, uint64_t *effort) noexcept nogil:
    cdef uint32_t attempt
    cdef int counted
    for attempt in range(REJECTIONS):
        if try_deal(pool, rng):
            return True
    counted = count_deal(pool, rng)
    effort[0] += WORK
    if counted >= 0:
        note_sampler(rules, 0)
        return counted
    for attempt in range(MORE_REJECTIONS):
        if try_deal(pool, rng):
            return True
    note_sampler(rules, 1)
    return chain_deal(pool, rng)


cdef bint try_deal(Pool *pool, machiavel_rng *rng) noexcept nogil:
    """Fill one hole after the other with a uniform draw of what it can hold.

    How many draws there are for a hole depends on those before it, so each is kept with a chance proportional to their number,
    else False: all deals that fit are equally likely.
    """
    cdef const Hole *hole
    cdef uint32_t at = 0, i, j, there, drawn
    cdef uint8_t item
    cdef double chance
    for i in range(pool.masked):
        hole = &pool.holes[i]
        there = at
        for j in range(at, pool.count):
            item = pool.items[j]
            if hole.kinds >> item & 1:
                pool.items[j] = pool.items[there]
                pool.items[there] = item
                there += 1
        there -= at
        if there < hole.size:
            return False
        if there < hole.most:
            chance = 1
            for j in range(hole.size):
                chance = chance * (there - j) / (hole.most - j)
            if (machiavel_next(rng) >> 11) * (1.0 / 9007199254740992.0) >= chance:
                return False
        machiavel_shuffle_bytes(rng, pool.items + at, there, hole.size)
        at += hole.size
    drawn = pool.wanted - at
    if pool.hole_count > pool.masked and pool.wanted == pool.count:
        drawn -= pool.holes[pool.hole_count - 1].size
    machiavel_shuffle_bytes(rng, pool.items + at, pool.count - at, drawn)
    return True


cdef void place_items(const Rules *rules, const Pool *pool, uint8_t *world) noexcept nogil:
    cdef const Field *field
    cdef const Hole *hole
    cdef uint32_t at = 0, i
    for i in range(pool.hole_count):
        hole = &pool.holes[i]
        field = &rules.fields[hole.field]
        if field.kind == CARD:
            store(field, world, hole.index, pool.items[at])
        else:
            store(field, world, hole.index,
                  load(field, world, hole.index) + <int64_t> set_of(pool.deck, pool.items + at, hole.size))
        at += hole.size
