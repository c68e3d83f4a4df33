# Hands of agency where cards were passed, seen or shown to be missing: the present half told again (R10.2 – R10.4).
#
# The half is told with *threads*: a thread is a card that may not be known yet
# and moves with its card from hand to hand. A play, a gift or a look gives it an identity. Every choice on the way is drawn
# uniformly from what is possible, and the whole is accepted with a chance proportional to the product of how many choices there
# were: so all histories that fit are equally likely, exactly as in a rejection sampler, which would need thousands of deals where
# this needs a few.

cdef extern from *:
    """
    #ifdef MACHIAVEL_CHECKED
    #define AGENCY_CHECKED 1
    #else
    #define AGENCY_CHECKED 0
    #endif
    """
    const bint AGENCY_CHECKED

cdef enum:
    THREADS = 30
    EXACT_ATTEMPTS = 20000  # then the first history that fits is taken
    ATTEMPTS = 60000  # then nothing fits: the view contradicts itself

cdef enum:
    FITS
    REJECTED


cdef struct Telling:  # one attempt at telling the half again
    const Rules *rules
    const View *view
    machiavel_rng *rng
    double weight  # of the choices made, over the most it could be
    uint64_t named  # cards that have a thread
    uint8_t name[THREADS]  # a thread's card, or NO_CARD
    uint8_t banned[THREADS]  # colours it cannot have, as bits
    uint8_t hand[SEATS][HALF]  # threads held
    uint8_t size[SEATS]
    uint8_t room[SEATS][4]  # how many nameless threads of a hand can have the colour, at the most: the same in every attempt
    uint8_t given[HALF][SEATS]  # threads
    uint8_t looked[HALF]
    uint8_t looked_size


cdef bint tell_hands(const Rules *rules, const View *view, machiavel_rng *rng, State *world) noexcept nogil:
    """Fill the hands, reserves and gifts of a world; False where nothing fits, for the view contradicts itself."""
    cdef Telling telling
    cdef uint32_t attempt
    telling.rules = rules
    telling.view = view
    telling.rng = rng
    for attempt in range(ATTEMPTS):
        if tell(&telling) == REJECTED:
            continue
        if AGENCY_CHECKED and telling.weight > 1.0000001:
            abort()
        if attempt >= EXACT_ATTEMPTS or (machiavel_next(rng) >> 11) * 1.1102230246251565e-16 < telling.weight:
            write_hands(&telling, world)
            return True
    return False


cdef int tell(Telling *t) noexcept nogil:
    """The present half, event by event; REJECTED as soon as the choices made do not fit."""
    cdef const Table *table = &t.view.table
    cdef uint32_t half_trick, i, seat, played, led = 0
    begin(t)
    for half_trick in range(HALF):
        if table.look_trick == half_trick and look(t) == REJECTED:
            return REJECTED
        if table.half_accomplice[half_trick] == NO_CARD:
            break
        if table.half_accomplice[half_trick] == PASS_LEFT:
            if table.phase == PASS and half_trick == table.trick % HALF:
                break
            if exchange(t, half_trick) == REJECTED:
                return REJECTED
        for i in range(cards_played(t.rules, table, half_trick)):
            seat = table.half_order[half_trick][i]
            played = table.half_cards[half_trick][i]
            if i == 0:
                led = t.rules.colour[played]
            if play(t, seat, played) == REJECTED:
                return REJECTED
            if table.half_accomplice[half_trick] == FOLLOW_SUIT and t.rules.colour[played] != led:
                if show_void(t, seat, led) == REJECTED:
                    return REJECTED
    return name_the_rest(t)


cdef void begin(Telling *t) noexcept nogil:
    """Six threads a hand, or as many as are left when the telling begins; the seat's own cards have their names."""
    cdef const View *view = t.view
    cdef uint32_t seat, i, size = HALF
    cdef uint64_t own = view.hand
    t.weight = 1
    t.named = 0
    t.looked_size = 0
    memset(t.name, NO_CARD, THREADS)
    memset(t.banned, 0, THREADS)
    memset(t.given, NO_CARD, sizeof(t.given))
    memset(t.room, HALF, sizeof(t.room))
    for i in range(HALF):  # what nobody has told is over before it begins
        size -= view.table.half_order[i][0] == NOBODY
    for seat in range(SEATS):
        t.size[seat] = <uint8_t> size
        for i in range(HALF):
            t.hand[seat][i] = <uint8_t> (seat * HALF + i)
    if view.seat < 0:
        return
    # What it began with: as often in hand, played or given away as not received. Told backwards a card may come and go.
    for i in range(HALF):
        own |= played_by(t.rules, &view.table, i, view.seat)
    for i in range(HALF, 0, -1):
        if view.received[i - 1] != NO_CARD:
            own &= ~card(view.received[i - 1])
        if view.gave[i - 1] != NO_CARD:
            own |= card(view.gave[i - 1])
    t.named = own
    for i in range(HALF):
        if own:
            t.name[view.seat * HALF + i] = <uint8_t> first_card(own)
            own &= own - 1


cdef inline int find(const Telling *t, uint32_t seat, uint32_t named) noexcept nogil:
    """Where in the seat's hand the card is, or -1."""
    cdef uint32_t i
    for i in range(t.size[seat]):
        if t.name[t.hand[seat][i]] == named:
            return i
    return -1


cdef int identify(Telling *t, uint32_t seat, uint32_t named) noexcept nogil:
    """The card turns out to be in the seat's hand: give it to one of the threads that may have it. Returns where it is, or -1."""
    cdef uint32_t i, colour = t.rules.colour[named], choices = 0, most
    cdef uint8_t possible[HALF]
    if t.named & card(named):
        return find(t, seat, named)
    for i in range(t.size[seat]):
        if t.name[t.hand[seat][i]] == NO_CARD and not t.banned[t.hand[seat][i]] >> colour & 1:
            possible[choices] = <uint8_t> i
            choices += 1
    if choices == 0:
        return -1
    most = min(t.room[seat][colour], t.size[seat])
    t.weight *= <double> choices / most
    i = possible[machiavel_below(t.rng, choices)]
    t.name[t.hand[seat][i]] = <uint8_t> named
    t.named |= card(named)
    return i


cdef inline uint8_t withdraw(Telling *t, uint32_t seat, uint32_t i) noexcept nogil:
    """Take the i-th thread out of a hand."""
    cdef uint8_t thread = t.hand[seat][i]
    t.size[seat] -= 1
    t.hand[seat][i] = t.hand[seat][t.size[seat]]
    return thread


cdef int play(Telling *t, uint32_t seat, uint32_t played) noexcept nogil:
    cdef int i = identify(t, seat, played)
    if i < 0:
        return REJECTED
    withdraw(t, seat, i)
    return FITS


cdef int show_void(Telling *t, uint32_t seat, uint32_t colour) noexcept nogil:
    cdef uint32_t i
    cdef uint8_t thread
    for i in range(t.size[seat]):
        thread = t.hand[seat][i]
        t.banned[thread] |= <uint8_t> (1 << colour)
        if t.name[thread] != NO_CARD and t.rules.colour[t.name[thread]] == colour:
            return REJECTED
    t.room[seat][colour] = 0
    return FITS


cdef int look(Telling *t) noexcept nogil:
    """R6.5. Somebody else's look is only remembered; our own names every thread of the hand."""
    cdef uint32_t target = t.view.table.look_target, i, n, nameless = 0
    cdef uint64_t left = t.view.look_cards
    cdef uint8_t items[HALF]
    cdef uint8_t named
    t.looked_size = t.size[target]
    memcpy(t.looked, t.hand[target], HALF)
    if not left:
        return FITS
    for i in range(t.size[target]):
        named = t.name[t.hand[target][i]]
        if named == NO_CARD:
            nameless += 1
        elif not left >> named & 1:
            return REJECTED
        else:
            left &= ~card(named)
    if left & t.named or count_cards(left) != nameless:
        return REJECTED
    n = list_cards(left, items)
    machiavel_shuffle_bytes(t.rng, items, n, n)
    t.named |= left
    n = 0
    for i in range(t.size[target]):
        if t.name[t.hand[target][i]] != NO_CARD:
            continue
        if t.banned[t.hand[target][i]] >> t.rules.colour[items[n]] & 1:
            return REJECTED
        t.name[t.hand[target][i]] = items[n]
        n += 1
    if t.view.table.half_passes > 1:  # how many were nameless may differ between attempts
        for i in range(nameless, t.size[target]):
            t.weight /= i + 1
    memset(t.room[target], 0, 4)
    return FITS


cdef int exchange(Telling *t, uint32_t half_trick) noexcept nogil:
    """R7.5: every seat gives a card to the left."""
    cdef uint32_t seat, left, seats = t.rules.seats, colour
    cdef int i
    cdef uint8_t gifts[SEATS]
    for seat in range(seats):
        left = seat + 1 if seat + 1 < seats else 0
        if <int> seat == t.view.seat:
            i = find(t, seat, t.view.gave[half_trick])
        elif <int> left == t.view.seat:
            i = identify(t, seat, t.view.received[half_trick])
        else:
            i = choose_gift(t, half_trick, seat, left)
        if i < 0:
            return REJECTED
        gifts[seat] = withdraw(t, seat, i)
        t.given[half_trick][seat] = gifts[seat]
    for seat in range(seats):
        left = seat + 1 if seat + 1 < seats else 0
        t.hand[left][t.size[left]] = gifts[seat]
        t.size[left] += 1
        for colour in range(4):
            t.room[left][colour] += t.room[left][colour] < HALF
    return FITS


cdef int choose_gift(Telling *t, uint32_t half_trick, uint32_t seat, uint32_t left) noexcept nogil:
    """A hidden gift: any card of the hand, but for those whose next owner is known from what was played later."""
    cdef uint32_t i, choices = 0, forced = 0
    cdef int owner
    cdef uint8_t named
    cdef uint8_t possible[HALF]
    for i in range(t.size[seat]):
        named = t.name[t.hand[seat][i]]
        owner = NO_CARD if named == NO_CARD else next_owner(t, half_trick, named)
        if owner == <int> left:
            forced += 1
            possible[0] = <uint8_t> i
            choices = 1
        elif owner != NO_CARD and owner != <int> seat:
            return -1
        elif owner == NO_CARD and not forced:
            possible[choices] = <uint8_t> i
            choices += 1
    if choices == 0 or forced > 1:
        return -1
    if t.view.table.half_passes > 1:  # with one exchange the choices are the same in every attempt
        t.weight *= <double> choices / t.size[seat]
    return possible[machiavel_below(t.rng, choices)]


cdef int next_owner(const Telling *t, uint32_t half_trick, uint32_t named) noexcept nogil:
    """Who held the card right after this exchange, if it was played before the next one; else NO_CARD."""
    cdef const Table *table = &t.view.table
    cdef uint32_t later, i
    for later in range(half_trick, HALF):
        if table.half_accomplice[later] == NO_CARD or (later > half_trick and table.half_accomplice[later] == PASS_LEFT):
            break
        for i in range(cards_played(t.rules, table, later)):
            if table.half_cards[later][i] == named:
                return table.half_order[later][i]
    return NO_CARD


# ---- The threads that are still nameless at the end ----

cdef int name_the_rest(Telling *t) noexcept nogil:
    """Draw names from the unseen cards, hands with the least room and threads with the most bans first."""
    cdef uint64_t pool = t.rules.all_cards & ~(t.view.table.seen | t.named | t.view.hand), fitting
    cdef uint8_t order[SEATS]
    cdef uint32_t i, k, bans, seat, colour, choices
    cdef uint8_t thread
    arrange(t, pool, order)
    t.weight /= most_choices(t, pool, order)
    for i in range(t.rules.seats):
        seat = order[i]
        for bans in range(4, -1, -1):
            for k in range(t.size[seat]):
                thread = t.hand[seat][k]
                if t.name[thread] != NO_CARD or count_cards(t.banned[thread]) != <uint32_t> bans:
                    continue
                fitting = pool
                for colour in range(4):
                    if t.banned[thread] >> colour & 1:
                        fitting &= ~t.rules.colour_cards[colour]
                choices = count_cards(fitting)
                if choices == 0:
                    return REJECTED
                t.weight *= choices
                t.name[thread] = <uint8_t> nth(fitting, machiavel_below(t.rng, choices))
                pool &= ~card(t.name[thread])
                t.named |= card(t.name[thread])
    return FITS


cdef inline uint32_t nth(uint64_t cards, uint32_t n) noexcept nogil:
    while n:
        cards &= cards - 1
        n -= 1
    return first_card(cards)


cdef uint32_t roomy(const Telling *t, uint32_t seat, uint64_t pool, uint32_t least) noexcept nogil:
    """The unseen cards of the colours for which the hand has at least that much room."""
    cdef uint32_t colour, cards = 0
    for colour in range(4):
        if t.room[seat][colour] >= least:
            cards += count_cards(pool & t.rules.colour_cards[colour])
    return cards


cdef void arrange(const Telling *t, uint64_t pool, uint8_t *order) noexcept nogil:
    """Seats by what their nameless threads may be, least first."""
    cdef uint32_t i, j, room
    for i in range(t.rules.seats):
        room = roomy(t, i, pool, 1)
        j = i
        while j > 0 and roomy(t, order[j - 1], pool, 1) > room:
            order[j] = order[j - 1]
            j -= 1
        order[j] = <uint8_t> i


cdef double most_choices(const Telling *t, uint64_t pool, const uint8_t *order) noexcept nogil:
    """A bound on the product of choices in `name_the_rest` that is the same in every attempt.

    The j-th name drawn for a hand has at most (cards the hand has room for) − j choices, and the k-th of all at most
    |pool| − k. How the named threads lie among the hands may differ between attempts: so the bound is taken over every
    place, and the least ones, as many as there are named threads, are left out.
    """
    cdef double bounds[THREADS]
    cdef double bound, product = 1
    cdef uint32_t i, j, k, n = 0, seat, size, named = 0, tight, tight_size, restricted, colour, total = count_cards(pool)
    cdef int32_t choices
    for i in range(t.rules.seats):
        seat = order[i]
        if <int> seat == t.view.seat:
            continue
        for k in range(t.size[seat]):
            named += t.name[t.hand[seat][k]] != NO_CARD
    for i in range(t.rules.seats):
        seat = order[i]
        size = t.size[seat]
        if <int> seat == t.view.seat or size == 0:
            continue
        restricted = 0
        tight_size = 0
        for colour in range(4):
            if 0 < t.room[seat][colour] < size:
                restricted += 1
                tight_size = size - t.room[seat][colour]
        if restricted != 1:
            tight_size = 0
        tight = roomy(t, seat, pool, size)
        for j in range(size):
            if j < tight_size:
                choices = <int32_t> tight - <int32_t> j
            elif tight_size:  # named threads may take the place of banned ones
                choices = <int32_t> roomy(t, seat, pool, 1) - <int32_t> (j - min(j, named))
            else:
                choices = <int32_t> roomy(t, seat, pool, 1) - <int32_t> j
            choices = min(choices, <int32_t> (total - (n - named if n > named else 0)))
            bounds[n] = max(choices, 1)
            n += 1
    for i in range(1, n):  # descending
        bound = bounds[i]
        j = i
        while j > 0 and bounds[j - 1] < bound:
            bounds[j] = bounds[j - 1]
            j -= 1
        bounds[j] = bound
    for i in range(n - named if n > named else 0):
        product *= bounds[i]
    return product


cdef void write_hands(Telling *t, State *world) noexcept nogil:
    cdef const View *view = t.view
    cdef const Table *table = &view.table
    cdef uint8_t items[64]
    cdef uint32_t seat, i, n, at = 0, half_trick = table.trick % HALF
    for seat in range(t.rules.seats):
        for i in range(t.size[seat]):
            world.hands[seat] |= card(t.name[t.hand[seat][i]])
        for i in range(HALF):
            if t.given[i][seat] != NO_CARD:
                world.given[i][seat] = t.name[t.given[i][seat]]
    if table.phase == PASS:  # a card given but not yet handed on
        for seat in range(t.rules.seats):
            if <int> seat == view.seat:
                world.given[half_trick][seat] = view.gave[half_trick]
            elif table.given >> seat & 1:
                i = machiavel_below(t.rng, t.size[seat])
                world.given[half_trick][seat] = t.name[t.hand[seat][i]]
    if table.look_trick != NO_CARD:
        for i in range(t.looked_size):
            world.look_cards |= card(t.name[t.looked[i]])
    if table.trick < HALF:
        n = list_cards(t.rules.all_cards & ~(table.seen | t.named | view.hand), items)
        machiavel_shuffle_bytes(t.rng, items, n, HALF * t.rules.seats)
        for seat in range(t.rules.seats):
            world.reserves[seat] = take_cards(items, &at, HALF)
