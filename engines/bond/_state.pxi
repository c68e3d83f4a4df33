# The shape of a bond match: constants, rules, state and view. RULES.md holds the rules (R…).

cdef extern from *:
    # Named otherwise than uint8_t, Cython turns an array of them into a list of numbers instead of a C string.
    ctypedef unsigned short byte "uint8_t"


cdef extern from *:
    """
    #define BOND_LAIRS 0x3ffffu
    #define BOND_SPIES ((uint64_t)0x3ffff << 18)
    """
    # All of a sort, as heaps: too big for an enumeration.
    const uint64_t LAIRS "BOND_LAIRS"
    const uint64_t SPIES "BOND_SPIES"


cdef enum:
    SEATS = 6
    COPIES = 18  # lairs, spies and Doublers, of each
    CARDS = 54
    LETTERS = 9
    GOAL = 30  # points that win at once (R7.1)
    NOBODY = 255
    NO_LETTER = 255
    KEYED = 12  # words of a Table that matter for what is still to come

cdef enum:  # where the fields of each sort begin in a heap (engines/_heaps.pxd); a kind is named by the first bit of its field
    FIRST_LAIR = 0
    FIRST_SPY = 18
    FIRST_DOUBLER = 36

cdef enum:  # the back of the pile's top card (R2.3)
    NO_TOP
    OTHER_TOP
    SPY_TOP

cdef enum:  # where the spies of an attack come from (R4)
    NO_SOURCE
    HAND
    STEAL
    DECK

cdef enum:  # phases, by what the mover is asked
    LAIR
    SPY
    ADD
    CAPTURED
    FOIL
    OVER

cdef enum:  # moves
    SKIP = 0
    PLAY_LAIR = 1  # + the kind
    END = 32
    ATTACK = 33  # + 6 × what attacks + the target seat; what attacks: an own spy, a seat stolen from, the pile
    STOLEN = 18
    TOP = 24
    GO = 192
    ADD_SPY = 193  # + the kind less FIRST_SPY
    KILL = 224
    TAUNT = 225  # + the letter
    FOIL_TAUNT = 240
    LET = 241
    MOVE_LIMIT = 242
    MAX_MOVES = 127  # 15 kinds of own spies, 5 seats and the pile, each onto 6 lairs, or none

cdef enum:  # outcomes of an attack
    NO_OUTCOME
    KILLED
    ESCAPED
    FOILED

cdef enum:  # purposes of luck
    LUCK_FIRST
    LUCK_HANDS  # counter: the place in the deal, seat by seat
    LUCK_PILE  # counter: the place in the pile, from the top
    LUCK_STEAL  # counter: the steals before


cdef struct Rules:
    uint64_t firsts  # the first bits of all fields
    uint64_t field[64]  # by kind
    uint8_t kind[64]  # by bit
    uint8_t value[64]  # by kind, of lairs and spies
    uint8_t lairs[64]  # how many seats have one, by their bits
    uint32_t seats
    uint32_t hand_size  # dealt
    uint32_t pile_size  # at the deal
    uint32_t max_plies


# What lies open on the table: public, every field. The order leaves no padding, whose bytes would be undefined.
cdef struct Table:
    uint64_t unseen  # cards not shown yet: in hands, in the pile, committed face down
    uint64_t spies  # of the attack, once shown
    uint32_t lairs[SEATS]
    uint32_t points[SEATS]
    uint16_t ply
    uint16_t letters  # of the Doublers on the spy, as bits
    byte phase
    byte turn  # the active seat
    byte mover  # NOBODY when over
    byte idle  # turns in a row, this one included, begun with an empty pile and with nothing played so far (R7.3)
    byte target  # whose lair is attacked; NOBODY
    byte taunt  # the letter being asked about; NO_LETTER
    byte committed  # spies face down
    byte pile_count
    byte pile_spies
    byte top  # its back
    byte hand_spies[SEATS]
    byte hand_others[SEATS]
    byte with_lair  # seats, as bits
    byte with_spies  # seats that hold one, as bits
    byte gone  # spies discarded
    byte source
    byte victim  # of a steal; NOBODY
    byte taunt_count
    # Here KEYED ends.
    uint16_t lair_value[SEATS]
    uint16_t value  # of the spies shown
    byte taunts[LETTERS]  # the letters on the spy, in the order played
    byte spare


cdef struct State:
    Table table
    # Private, every field.
    uint64_t hands[SEATS]  # its own seat
    uint64_t committed  # the active seat
    uint64_t pile  # nobody; what it holds, not in which order, …
    byte top_card  # … but for the top's kind, once it lies on top
    # Statistics for `metrics`, and names for luck: public, but shown to nobody, and a world counts from zero.
    byte steals
    byte turns
    byte killed[SEATS]
    byte foiled[SEATS]
    byte wrecked[SEATS]  # lairs lost, by whose they were
    byte outcome  # of the attack, if any, in the turn in which a world begins; a match tells nothing here
    byte spare[2]


cdef struct View:
    Table table
    uint64_t hand
    uint64_t committed
    int8_t seat
    byte spare[7]
