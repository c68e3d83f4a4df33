# The shape of an agency match: constants, rules, state and view. RULES.md holds the rules (R…).

cdef extern from *:
    # Named otherwise than uint8_t, Cython turns an array of them into a list of numbers instead of a C string.
    ctypedef unsigned short byte "uint8_t"


cdef enum:
    SEATS = 5
    HALF = 6  # tricks, and cards in a hand, of half a round (R2.2)
    TRICKS = 12
    PILE_SIZE = 32  # at most 23 plans and 5 powers; a whole number of words
    KINDS = 32  # kinds of pile cards: plans by value and accomplice, then the powers
    FIRST_POWER = 24  # a power's kind is FIRST_POWER + its agent
    NOBODY = 255
    NO_CARD = 255
    HIDDEN = 255  # a place of the pile nobody has seen
    MARTHA_AT_WORK = 32  # beside the kind of a stake, in a half told again
    JEAN_AT_WORK = 64

cdef enum:  # colours, in deck order
    MAUVE
    BLUE
    GREEN
    YELLOW

cdef enum:  # agents, by the kind of their power (R6)
    BELTON
    MARTHA
    WXT
    JEAN
    MOIGNONS

cdef enum:  # accomplices (R7)
    NO_ACCOMPLICE
    BLUE_OVER_MAUVE
    PLAIN_MAUVE
    LOW_WINS
    FOLLOW_SUIT
    PASS_LEFT
    ACCOMPLICES

cdef enum:  # phases
    LEAD
    LOOK
    PASS
    PLAY
    OVER
    BETWEEN  # the horizon: a round is over, the next one is not dealt

cdef enum:  # moves
    PLAY_CARD = 0
    LEAD_SEAT = 64
    LOOK_AT = 72
    PASS_CARD = 80
    MOVE_LIMIT = 144

cdef enum:  # purposes of luck
    LUCK_AGENTS
    LUCK_LEADER
    LUCK_CARDS  # counter: the round
    LUCK_PILE  # counter: the round


cdef struct Rules:
    uint8_t seats
    uint8_t medals  # to win the match
    uint8_t bonus  # for the least green, and against the most yellow
    uint8_t powers
    uint8_t agents_given
    uint8_t agents[SEATS]  # where given
    uint8_t agent_pool[SEATS]
    uint8_t agent_pool_size
    uint8_t card_count
    uint8_t plan_count
    uint8_t plans[PILE_SIZE]  # kinds, ascending
    uint8_t value[KINDS]
    uint8_t accomplice[KINDS]
    uint8_t colour[64]
    uint16_t tally[64]  # 1 for a green card, 256 for a yellow one
    uint64_t colour_cards[4]
    uint64_t all_cards
    # How strong a card is in a trick, by accomplice, colour led and card; 0 cannot win. One lookup instead of the rules R4.3, R7.
    uint8_t strength[ACCOMPLICES][4][64]
    uint64_t stronger[ACCOMPLICES][4][64]  # the cards that are
    double keeping[64]  # how likely a card takes some later trick, roughly
    uint32_t max_plies
    float *equity  # per seat, by medals (R9.1): the chance to win the match among equals


# What lies open on the table: public, every field. The order leaves no padding, whose bytes would be undefined.
cdef struct Table:
    uint16_t ply
    uint16_t tally  # green and yellow cards on the table
    int16_t plan_points[SEATS]
    byte phase
    byte mover  # NOBODY when over
    byte round  # from 0
    byte trick  # from 0
    byte leader
    byte last  # WXT's seat when he plays last
    byte order[SEATS]
    byte played  # cards on the table
    byte cards[SEATS]  # in the order played
    byte stake  # kind of the plan played for, NO_CARD before it is fixed
    byte accomplice  # at work in this trick
    byte led  # colour
    byte best  # the winning seat so far …
    byte strength  # … and how strong its card is
    byte martha  # the seat whose power is at work in this trick
    byte jean
    byte given  # seats that have given a card, as bits
    byte medals[SEATS]
    byte greens[SEATS]
    byte yellows[SEATS]
    byte tricks[SEATS]
    byte latest[SEATS]  # the latest trick won, from 1
    byte agents[SEATS]
    byte pile_top  # index into the pile arrays
    byte pile_end
    byte pile_split  # where the part shuffled under begins; 0 once the upper one is used up
    uint64_t seen  # action cards played this round
    byte pile_shown[PILE_SIZE]  # kind, or HIDDEN; 0 outside top … end
    byte pile_unseen[2][KINDS]  # cards of each part whose place nobody has seen, by kind
    # From here on, nothing that changes what is still to come.
    byte half_passes  # exchanges made in this half
    byte half_voids  # whether somebody has shown a void in this half
    byte half_order[HALF][SEATS]
    byte half_cards[HALF][SEATS]  # in the order played
    byte half_accomplice[HALF]  # FOLLOW_SUIT, PASS_LEFT or 0 for any other; NO_CARD before it is fixed
    byte look_trick  # NO_CARD: no look in this half
    byte looker
    byte look_target
    byte last_winners  # of the round before, as bits; 0 in the first
    int16_t last_points[SEATS]
    byte half_stake[HALF]  # its kind and the powers at work; NO_CARD before it is fixed, or if nobody has told


cdef struct State:
    Table table
    # Private, every field.
    uint64_t hands[SEATS]  # its own seat
    uint64_t reserves[SEATS]  # nobody
    uint64_t look_cards  # the looker: the hand as it was
    byte pile[PILE_SIZE]  # nobody
    byte given[HALF][SEATS]  # giver at once, receiver when all have given
    # Statistics for `metrics`: public, but shown to nobody, and a world counts from zero.
    byte tied_rounds
    byte staked[ACCOMPLICES]  # how often
    byte won[TRICKS]  # the winner of each trick of the round
    byte spare[7]


cdef struct View:
    Table table
    uint64_t hand
    uint64_t look_cards
    int8_t seat
    byte gave[HALF]
    byte received[HALF]
    byte spare[3]
