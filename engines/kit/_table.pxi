# What the bytes of a game hold: its fields and decks, and the rules of a match over them.

cdef enum:
    FIELDS = 96
    DECKS = 8
    KINDS = 64
    ARRAYS = 8  # metrics that `measure` fills, each by seat
    LARGEST_STATE = 4096
    LARGEST_VIEW = 8192
    FAULTED = -3  # the mover of a state that met a fault

cdef enum:  # kinds of fields
    CARDS
    CARD
    COUNT
    FLAG
    SEAT
    SEATS
    DICE

cdef enum:  # who sees a field
    ALL
    OWNER
    NOBODY
    MASKED

cdef enum:  # which of the masks is an element's
    ONE_MASK
    MASK_OF_ELEMENT
    MASK_OF_OWNER

KIND_NUMBERS = {"cards": CARDS, "card": CARD, "count": COUNT, "flag": FLAG, "seat": SEAT, "seats": SEATS, "dice": DICE}
SEEN_NUMBERS = {"all": ALL, "owner": OWNER, "nobody": NOBODY}


cdef struct Field:
    uint32_t offset  # of its first element
    uint32_t width  # bytes of an element
    uint32_t count  # elements in use, for so many players
    uint32_t room  # elements there is room for
    uint32_t owned  # elements of each seat; `room` where it is nobody's
    uint32_t row  # elements that stand together: dice of one roll
    uint32_t hidden  # where a view tells how many are hidden in each element; 0: nowhere
    uint32_t mask  # offset of the masks of who sees it
    int64_t low
    int64_t high
    int64_t absent  # what stands where nothing is
    int32_t within  # the field of what it can hold; -1: anything
    uint8_t kind
    uint8_t seen
    uint8_t mask_by
    uint8_t deck
    bint is_signed
    bint is_zone
    bint is_sorted
    bint forgets


cdef struct Deck:
    uint64_t all
    uint32_t bits  # of each kind: 1 where cards are unique
    uint32_t kinds
    uint32_t total
    uint8_t number[KINDS]  # of each kind


cdef struct Run:  # of bytes
    uint32_t offset
    uint32_t size


ctypedef int64_t (*Deal)(kit_call *call, uint8_t *state) noexcept nogil
ctypedef int64_t (*Legal)(kit_call *call, uint8_t *state, int64_t seat) noexcept nogil
ctypedef int64_t (*Apply)(kit_call *call, uint8_t *state, int64_t move) noexcept nogil
ctypedef int64_t (*Shares)(kit_call *call, uint8_t *state, double *shares) noexcept nogil
ctypedef double (*Weigh)(kit_call *call, uint8_t *state, int64_t move) noexcept nogil
ctypedef int64_t (*Seated)(kit_call *call, uint8_t *state, int64_t seat) noexcept nogil
ctypedef int64_t (*Playout)(kit_call *call, uint8_t *state, machiavel_rng *rng) noexcept nogil


cdef struct Rules:
    uint64_t number  # no other rules have it
    uint32_t seats
    uint32_t longest
    uint32_t state_size
    uint32_t view_size
    uint32_t max_moves
    uint32_t reserved  # the move of a `legal` that met a fault
    uint32_t public_end  # offset of what not all may see
    uint32_t key_prefix  # bytes that a key takes as they lie, a multiple of 8
    uint32_t run_count  # what else of the public part enters a key
    Run runs[FIELDS]
    uint32_t metric_arrays
    bint sorts_dice
    bint is_cooperative
    bint has_worth
    double low
    double span
    uint32_t field_count
    uint32_t first_private  # field
    uint32_t deck_count
    Field fields[FIELDS]
    Deck decks[DECKS]
    uint8_t empty[LARGEST_STATE]
    uint8_t blank[LARGEST_VIEW]
    Deal deal
    Legal legal
    Apply apply
    Shares result
    Shares estimate
    Shares measure
    Weigh weigh
    Seated determinize
    Seated possible
    Playout playout
    void *factory  # of interpreted games; NULL: compiled
    void *pool  # of those at hand
    void *path  # of the author's file
    void *samplers  # counts of the ways worlds were drawn, the engine's


# ---- Elements ----

cdef inline int64_t load(const Field *field, const uint8_t *bytes, uint32_t index) noexcept nogil:
    cdef const uint8_t *at = bytes + field.offset + index * field.width
    cdef uint64_t eight
    cdef uint32_t four
    cdef uint16_t two
    if field.width == 8:
        memcpy(&eight, at, 8)
        return <int64_t> eight
    if field.width == 1:
        return <int64_t> <int8_t> at[0] if field.is_signed else <int64_t> at[0]
    if field.width == 4:
        memcpy(&four, at, 4)
        return <int64_t> <int32_t> four if field.is_signed else <int64_t> four
    memcpy(&two, at, 2)
    return <int64_t> <int16_t> two if field.is_signed else <int64_t> two


cdef inline void store(const Field *field, uint8_t *bytes, uint32_t index, int64_t value) noexcept nogil:
    memcpy(bytes + field.offset + index * field.width, &value, field.width)  # the lowest bytes come first


cdef inline uint32_t owner_of(const Field *field, uint32_t index) noexcept nogil:
    return index if field.owned == 1 else index // field.owned


cdef inline bint sees(const Field *field, const uint8_t *state, uint32_t index, int seat) noexcept nogil:
    """Whether a seat, or MACHIAVEL_SPECTATOR, sees an element."""
    if field.seen == ALL:
        return True
    if seat < 0 or field.seen == NOBODY:
        return False
    if field.seen == OWNER:
        return <int> owner_of(field, index) == seat
    if field.mask_by == MASK_OF_OWNER:
        index = owner_of(field, index)
    elif field.mask_by == ONE_MASK:
        index = 0
    return state[field.mask + index] >> seat & 1


cdef inline uint32_t size_of(const Deck *deck, uint64_t cards) noexcept nogil:
    if deck.bits == 1:
        return count_cards(cards)
    cards = (cards & <uint64_t> 0x0f0f0f0f0f0f0f0f) + (cards >> 4 & <uint64_t> 0x0f0f0f0f0f0f0f0f)
    return <uint32_t> (cards * <uint64_t> 0x0101010101010101 >> 56)


cdef inline uint32_t number_in(const Rules *rules, const Field *field, int64_t value) noexcept nogil:
    """How many cards or dice stand in an element."""
    if field.kind == CARDS:
        return size_of(&rules.decks[field.deck], <uint64_t> value)
    return value >= 0 if field.kind == CARD else value > 0


cdef inline uint64_t kinds_in_bag(uint64_t cards) noexcept nogil:
    """The kinds of which there are some, as bits."""
    cards |= cards >> 1
    cards |= cards >> 2
    cards &= <uint64_t> 0x1111111111111111
    cards |= cards >> 3
    cards &= <uint64_t> 0x0303030303030303
    cards |= cards >> 6
    cards &= <uint64_t> 0x000f000f000f000f
    cards |= cards >> 12
    cards &= <uint64_t> 0x000000ff000000ff
    cards |= cards >> 24
    return cards & 0xffff


cdef uint64_t PLACES[256]  # of each byte: where its bits are, from the lowest on, a byte each
cdef uint8_t BITS_IN[256]


cdef void fill_places() noexcept nogil:
    cdef uint32_t byte, bit
    for byte in range(256):
        PLACES[byte] = 0
        BITS_IN[byte] = 0
        for bit in range(8):
            if byte >> bit & 1:
                PLACES[byte] |= <uint64_t> bit << 8 * BITS_IN[byte]
                BITS_IN[byte] += 1


fill_places()


cdef inline uint32_t list_bits(uint64_t cards, uint8_t *items) noexcept nogil:
    """Eight at once, since a loop of unknown length costs more; up to eight bytes more than there are cards are written."""
    cdef uint32_t n = 0, byte
    cdef uint64_t base = 0, eight
    while cards:
        byte = cards & 255
        eight = PLACES[byte] + base
        memcpy(items + n, &eight, 8)
        n += BITS_IN[byte]
        base += <uint64_t> 0x0808080808080808
        cards >>= 8
    return n


cdef uint32_t list_kinds(const Deck *deck, uint64_t cards, uint8_t *items) noexcept nogil:
    """The cards of a set one by one, ascending; returns how many."""
    cdef uint32_t n = 0, kind = 0, left
    if deck.bits == 1:
        return list_bits(cards, items)
    while cards:
        left = cards & 15
        while left:
            items[n] = <uint8_t> kind
            n += 1
            left -= 1
        cards >>= 4
        kind += 1
    return n


cdef inline uint64_t set_of(const Deck *deck, const uint8_t *items, uint32_t count) noexcept nogil:
    cdef uint64_t cards = 0
    cdef uint32_t i
    for i in range(count):
        cards += <uint64_t> 1 << items[i] * deck.bits
    return cards


cdef inline bint is_part(const Deck *deck, uint64_t part, uint64_t whole) noexcept nogil:
    """Whether there are all cards of `part` in `whole`."""
    cdef uint32_t kind
    if deck.bits == 1:
        return part & ~whole == 0
    for kind in range(16):
        if part >> 4 * kind & 15 > whole >> 4 * kind & 15:
            return False
    return True
