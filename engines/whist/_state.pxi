# The shape of a whist match: constants, rules, state and view. RULES.md holds the rules (R…).

cdef extern from *:
    # Named otherwise than uint8_t, Cython turns an array of them into a list of numbers instead of a C string.
    ctypedef unsigned short byte "uint8_t"


cdef enum:
    SEATS = 7
    ROUNDS = 7  # and the cards of a hand in the first one (R2.2)
    PAST = 6  # tricks a round may have before the last
    SUITS = 4
    CARDS = 52
    CARD_LIMIT = 64  # a card is 16 × suit + rank: clubs, diamonds, hearts, spades; 0 is the two, 12 the ace
    COUNT = 7
    NO_SUIT = 4  # nothing is led yet
    NOBODY = 255
    KEYED = 24  # bytes of a Table that matter for what is still to come

cdef enum:  # purposes of luck; counter: the round
    LUCK_TRUMP
    LUCK_HANDS  # and 256 × the seats still in, as bits


cdef struct Rules:
    uint32_t seats
    uint32_t max_plies
    uint64_t suit_cards[SUITS + 1]  # with NO_SUIT, all of them
    uint8_t next_seat[1 << SEATS][8]  # clockwise, by the seats still in and the seat (R3.2)
    uint8_t strength[SUITS][SUITS][CARD_LIMIT]  # in a trick, by trump, suit led and card; 0 cannot win (R3.4)
    uint8_t nth[1 << ROUNDS][ROUNDS + 1]  # of some places, as bits, the n-th; at COUNT, how many they are
    uint32_t ways[CARDS + 1][ROUNDS + 1]  # how many hands of so many cards there are among so many


# What lies open on the table: public, every field. The order leaves no padding, whose bytes would be undefined.
cdef struct Table:
    uint64_t seen  # cards played this round
    uint32_t voids  # suits a seat has shown not to have this round, four bits a seat (R6.2)
    uint16_t ply
    byte mover  # NOBODY when over
    byte led  # suit, or NO_SUIT
    byte contenders  # seats still in, as bits
    byte safe  # seats with a trick in this round, as bits
    byte trump
    byte round  # from 0
    byte held  # cards in each hand when this trick began; 0 when over
    byte to_come  # seats that still play to this trick
    byte best  # the winning seat so far …
    byte strength  # … and how strong its card is
    # Here KEYED ends.
    byte leader
    byte cards[SEATS]  # on the table, by seat
    byte contender_count
    byte tricks[SEATS]  # of this round
    byte past[PAST][1 + SEATS]  # the tricks before this one: who led, NOBODY if nobody has told, and the cards by seat


cdef struct State:
    Table table
    # Private, every field.
    uint64_t hands[SEATS]  # its own seat
    # Statistics for `metrics`: public, but shown to nobody, and a world counts from zero.
    byte tricks[8]  # of the match, by seat
    byte first  # who won the first trick since the deal or the world, and 1
    byte first_safe  # the seats still in after the first round's end since then, as bits
    byte spare[6]


cdef struct View:
    Table table
    uint64_t hand
    int8_t seat
    byte spare[7]
