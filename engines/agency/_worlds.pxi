# Worlds of agency: a view with its holes filled, distributed as all that its seat knows says (R10).
#
# Most views hold nothing but counts against the unseen cards, and a shuffle fills them; `_telling` serves the others.


cdef void determinize(const void *rules_, const void *view_, machiavel_rng *rng, void *world_) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const View *view = <const View *> view_
    cdef State *world = <State *> world_
    memset(world, 0, sizeof(State))
    world.table = view.table
    memset(world.given, NO_CARD, sizeof(world.given))
    fill_pile(rules, view, rng, world)
    if view.table.half_passes or view.table.half_voids or view.table.given or view.look_cards:
        if tell_hands(rules, view, rng, world):
            return
    fill_hands(rules, view, rng, world)


# ---- The pile ----

cdef inline void fill_pile(const Rules *rules, const View *view, machiavel_rng *rng, State *world) noexcept nogil:
    cdef const Table *table = &view.table
    cdef uint32_t place = table.pile_top, end, part, kind, _i, n, at
    cdef uint8_t items[PILE_SIZE]
    for part in range(2):
        end = table.pile_end if part else table.pile_split
        if place >= end:
            continue
        n = 0
        for kind in range(KINDS):
            for _i in range(table.pile_unseen[part][kind]):
                items[n] = <uint8_t> kind
                n += 1
        machiavel_shuffle_bytes(rng, items, n, n)
        at = 0
        while place < end:
            world.pile[place] = table.pile_shown[place]
            if world.pile[place] == HIDDEN:
                world.pile[place] = items[at]
                at += 1
            place += 1


# ---- Hands and reserves where only counts are known ----

cdef inline void fill_hands(const Rules *rules, const View *view, machiavel_rng *rng, State *world) noexcept nogil:
    cdef const Table *table = &view.table
    cdef uint8_t items[64]
    cdef uint8_t sizes[SEATS]
    cdef uint32_t seat, n, at = 0, i, reserve = HALF if table.trick < HALF else 0, drawn = reserve * rules.seats
    n = list_cards(rules.all_cards & ~(table.seen | view.hand), items)
    for seat in range(rules.seats):
        sizes[seat] = 0 if <int> seat == view.seat else <uint8_t> hand_size(table, seat)
        drawn += sizes[seat]
    machiavel_shuffle_bytes(rng, items, n, drawn)
    for seat in range(rules.seats):
        world.hands[seat] = take_cards(items, &at, sizes[seat])
        world.reserves[seat] = take_cards(items, &at, reserve)
    if view.seat >= 0:
        world.hands[view.seat] = view.hand
    if table.look_trick != NO_CARD:  # somebody else's look, and no card has changed hands
        world.look_cards = world.hands[table.look_target]
        for i in range(table.look_trick, HALF):
            world.look_cards |= played_by(rules, table, i, table.look_target)
