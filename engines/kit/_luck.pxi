# What an author's functions draw: from the luck of a match, or, in a world, from its own stream.

cdef enum:
    FEW_DRAWN = 1  # cards that are picked, not shuffled


cdef inline void begin_call(kit_call *call, const Rules *rules, machiavel_luck *luck) noexcept nogil:
    call.fuel = KIT_FUEL
    call.fault = KIT_FINE
    call.line = 0
    call.a = 0
    call.b = 0
    call.first = 0
    call.luck = luck
    call.rules = rules
    call.view = NULL
    call.draw_cards = draw_cards
    call.draw_card = draw_card
    call.roll = roll
    call.hidden = no_number
    call.unseen = no_set
    call.count = 0


cdef void begin_world_call(kit_call *call, const Rules *rules, machiavel_rng *rng, const uint8_t *view) noexcept nogil:
    begin_call(call, rules, NULL)
    call.luck = rng
    call.view = view
    call.draw_cards = world_cards
    call.draw_card = world_card
    call.roll = world_roll
    call.hidden = hidden_number
    call.unseen = unseen_set


cdef inline int64_t bad_luck(kit_call *call, int64_t asked, int64_t there) noexcept nogil:
    if call.fault == KIT_FINE:
        call.fault = KIT_BAD_LUCK
        call.a = asked
        call.b = there
    return 0


cdef inline const Deck *deck_of(kit_call *call, int64_t deck) noexcept nogil:
    return &(<const Rules *> call.rules).decks[deck]


cdef inline bint is_quick(const machiavel_luck *luck) noexcept nogil:
    """Whether all luck comes from the seed's quick streams."""
    cdef uint32_t quick = MACHIAVEL_QUICK | MACHIAVEL_SEEDED
    return luck.flags & quick == quick and luck.laid_count == 0


cdef inline uint64_t picked(machiavel_rng *rng, uint64_t cards, uint32_t there, uint32_t count) noexcept nogil:
    """So many cards of a set, one by one: for few of them that is less work than a list of all."""
    cdef uint64_t left = cards
    cdef uint32_t i
    for i in range(count):
        left ^= card(nth_card_of_many(left, machiavel_below(rng, there - i)))
    return cards ^ left


cdef int64_t draw_cards(kit_call *call, int64_t purpose, int64_t counter, int64_t deck_, int64_t cards,
                        int64_t count) noexcept nogil:
    cdef const Deck *deck = deck_of(call, deck_)
    cdef machiavel_luck *luck = <machiavel_luck *> call.luck
    cdef uint8_t items[MACHIAVEL_MAX_OUTCOME]
    cdef uint32_t there = size_of(deck, <uint64_t> cards), i, drawn
    cdef uint64_t chosen = 0
    cdef machiavel_rng rng
    if luck is NULL or count < 0 or count > there:
        return bad_luck(call, count, there)
    if is_quick(luck):
        if count == there:
            return cards
        rng = machiavel_luck_stream(luck, <uint32_t> purpose, <uint32_t> counter)
        if deck.bits == 1 and count <= FEW_DRAWN:
            return <int64_t> picked(&rng, <uint64_t> cards, there, <uint32_t> count)
        if deck.bits == 1 and there - count <= FEW_DRAWN:
            return cards & ~<int64_t> picked(&rng, <uint64_t> cards, there, there - <uint32_t> count)
        list_kinds(deck, <uint64_t> cards, items)
        for i in range(<uint32_t> count):  # machiavel_shuffle_bytes, of which only the first items count
            drawn = i + machiavel_below(&rng, there - i)
            chosen += <uint64_t> 1 << items[drawn] * deck.bits
            items[drawn] = items[i]
        return <int64_t> chosen
    list_kinds(deck, <uint64_t> cards, items)
    machiavel_shuffle(luck, <uint32_t> purpose, <uint32_t> counter, items, there, <uint32_t> count)
    return <int64_t> set_of(deck, items, <uint32_t> count)


cdef int64_t draw_card(kit_call *call, int64_t purpose, int64_t counter, int64_t deck_, int64_t cards) noexcept nogil:
    cdef const Deck *deck = deck_of(call, deck_)
    cdef machiavel_luck *luck = <machiavel_luck *> call.luck
    cdef uint8_t items[MACHIAVEL_MAX_OUTCOME]
    cdef uint32_t there = size_of(deck, <uint64_t> cards)
    cdef machiavel_rng rng
    if luck is NULL or there == 0:
        return bad_luck(call, 1, there)
    if deck.bits == 1 and is_quick(luck):
        rng = machiavel_luck_stream(luck, <uint32_t> purpose, <uint32_t> counter)
        return nth_card_of_many(<uint64_t> cards, machiavel_below(&rng, there))
    list_kinds(deck, <uint64_t> cards, items)
    machiavel_shuffle(luck, <uint32_t> purpose, <uint32_t> counter, items, there, 1)
    return items[0]


cdef int64_t roll(kit_call *call, int64_t purpose, int64_t counter, int64_t sides) noexcept nogil:
    cdef machiavel_luck *luck = <machiavel_luck *> call.luck
    cdef uint8_t items[MACHIAVEL_MAX_OUTCOME]
    cdef uint32_t i
    if luck is NULL or sides < 1 or sides > 255:
        return bad_luck(call, sides, 0)
    for i in range(<uint32_t> sides):
        items[i] = <uint8_t> (i + 1)
    machiavel_shuffle(luck, <uint32_t> purpose, <uint32_t> counter, items, <uint32_t> sides, 1)
    return items[0]


# ---- In a world ----

cdef int64_t world_cards(kit_call *call, int64_t purpose, int64_t counter, int64_t deck_, int64_t cards,
                         int64_t count) noexcept nogil:
    cdef const Deck *deck = deck_of(call, deck_)
    cdef uint8_t items[MACHIAVEL_MAX_OUTCOME]
    cdef uint32_t there = list_kinds(deck, <uint64_t> cards, items)
    if count < 0 or count > there:
        return bad_luck(call, count, there)
    machiavel_shuffle_bytes(<machiavel_rng *> call.luck, items, there, <uint32_t> count)
    return <int64_t> set_of(deck, items, <uint32_t> count)


cdef int64_t world_card(kit_call *call, int64_t purpose, int64_t counter, int64_t deck_, int64_t cards) noexcept nogil:
    cdef uint8_t items[MACHIAVEL_MAX_OUTCOME]
    cdef uint32_t there = list_kinds(deck_of(call, deck_), <uint64_t> cards, items)
    if there == 0:
        return bad_luck(call, 1, 0)
    return items[machiavel_below(<machiavel_rng *> call.luck, there)]


cdef int64_t world_roll(kit_call *call, int64_t purpose, int64_t counter, int64_t sides) noexcept nogil:
    if sides < 1 or sides > 255:
        return bad_luck(call, sides, 0)
    return 1 + machiavel_below(<machiavel_rng *> call.luck, <uint32_t> sides)


cdef int64_t hidden_number(kit_call *call, int64_t slot, int64_t index) noexcept nogil:
    """How many cards or dice the view hides in an element; its own shape was checked by the caller."""
    cdef const Rules *rules = <const Rules *> call.rules
    cdef const Field *field
    if slot < 0 or slot >= rules.field_count:
        return 0
    field = &rules.fields[slot]
    if index < 0 or index >= field.count:
        if call.fault == KIT_FINE:
            call.fault = KIT_BAD_INDEX
            call.a = index
            call.b = field.count
        return 0
    return call.view[field.hidden + <uint32_t> index] if field.hidden else 0


cdef int64_t unseen_set(kit_call *call, int64_t deck) noexcept nogil:
    return <int64_t> unseen_cards(<const Rules *> call.rules, <uint32_t> deck, call.view, call.view)


cdef int64_t no_number(kit_call *call, int64_t slot, int64_t index) noexcept nogil:
    return 0


cdef int64_t no_set(kit_call *call, int64_t deck) noexcept nogil:
    return 0
