# Hands of agency as worlds are made of them: lists of cards, and who played what in the present half.


cdef inline uint32_t list_cards(uint64_t cards, uint8_t *items) noexcept nogil:
    cdef uint32_t n = 0
    while cards:
        items[n] = <uint8_t> first_card(cards)
        n += 1
        cards &= cards - 1
    return n


cdef inline uint64_t take_cards(const uint8_t *items, uint32_t *at, uint32_t count) noexcept nogil:
    cdef uint64_t cards = 0
    cdef uint32_t i
    for i in range(count):
        cards |= card(items[at[0] + i])
    at[0] += count
    return cards


cdef inline uint32_t cards_played(const Rules *rules, const Table *table, uint32_t half_trick) noexcept nogil:
    if table.half_order[half_trick][0] == NOBODY:  # nobody has told it
        return 0
    if table.trick < TRICKS and half_trick == table.trick % HALF:
        return table.played
    return rules.seats


cdef inline uint64_t played_by(const Rules *rules, const Table *table, uint32_t half_trick, uint32_t seat) noexcept nogil:
    """The card a seat played in a trick of this half, as a set; empty if none yet."""
    cdef uint32_t i
    if table.half_accomplice[half_trick] == NO_CARD:
        return 0
    for i in range(cards_played(rules, table, half_trick)):
        if table.half_order[half_trick][i] == seat:
            return card(table.half_cards[half_trick][i])
    return 0
