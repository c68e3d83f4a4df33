# The shape of a citadel match: constants, rules, state and view. RULES.md holds the rules (R…).

cdef extern from *:
    # Named otherwise than uint8_t, Cython turns an array of them into a list of numbers instead of a C string.
    ctypedef unsigned short byte "uint8_t"
    ctypedef signed short offset "int8_t"


cdef enum:
    SEATS = 5
    CHARACTERS = 5
    DECK = 6  # cards of a character
    CARDS = 30  # a card is 6 × its character + its place among the six
    LISTS = 35  # of effects: cards, then each character's bonus
    FIRST_BONUS = 30
    LONGEST_LIST = 8  # effects, counted one by one
    ROOMS = 12
    DOORS = 18
    COLOURS = 3
    TYPES = 8  # of traps, at most
    TILES = 32  # at most
    FACES = 6
    SPACES = 12  # of the clock, five minutes each
    GATE = 3  # a power is turned up there and half the clock later (R8.2)
    ACTIONS = 3
    TREASURES = 4  # saved or lost, they end the match (R1.1)
    TURNS = 100  # R1.2
    OUTSIDE = 15  # where a player stands
    NOBODY = 255
    NOTHING = 255  # no card, tile, room, list or face
    KEYED = 80  # bytes of a Table that matter for what is still to come

cdef enum:  # phases
    ACT
    CARD  # an effect of the list under way asks for a choice
    DICE  # rolled, and somebody may still change them
    ACTIVATE
    OVER

cdef enum:  # dice
    PROFESSOR_DIE
    COLOUR_DIE
    CLOCK_DIE

cdef enum:  # faces of the professor's die; below FACE_PASSAGE they are chevrons, less one
    FACE_PASSAGE = 3
    FACE_FIVE
    FACE_TEN

cdef enum:  # effects, in the order of RULES.md (R7)
    STEP
    LEAP
    SHADOW
    UNLOCK_HERE
    UNLOCK_NEAR
    UNLOCK_ANYWHERE
    DISARM_NEAR
    DISARM_ANYWHERE
    DISARM_TYPE
    LURE
    HOLD
    TIME_BACK
    TIME_ON
    MARKER_ON
    EXTRA
    REROLL
    CHOOSE
    ANYONE_GOES
    ANYONE_ACTS

cdef enum:  # what an effect needs, as one number below CHOICES
    NO_CHOICE
    ENOUGH
    A_ROOM
    A_DOOR = 14
    A_COLOUR = 32
    A_TYPE = 35
    ANYONE = 43  # + ACTS × the character + the act
    CHOICES = 128

cdef enum:  # acts of a player, which are the moves of those numbers, too (R4)
    GO = 0  # + the room
    UNLOCK = 12  # + the colour
    DISARM = 15
    TAKE = 16
    ACTS = 17

cdef enum:  # moves
    END = 17
    KEEP = 18
    TURN_UP = 19  # + the character
    ROLL = 24  # + the dice, as bits, less one
    TURN_DIE = 31  # + FACES × the die + the face
    POWER = 64  # + the choice
    LIST = 192  # + CHOICES × the card, or CARDS for the player's bonus, + the choice
    MOVE_LIMIT = 4160

cdef enum:  # purposes of luck
    LUCK_FIRST
    LUCK_CHARACTERS
    LUCK_TRAPS
    LUCK_OFF
    LUCK_TILE  # counter: how many came before
    LUCK_LOCATION  # counter: how many came before
    LUCK_CARDS  # counter: the turn
    LUCK_DIE  # + the die; counter: THROWS × the turn + the throw
    THROWS = 32


cdef struct Effect:
    uint8_t kind
    uint8_t amount  # spaces of the clock, or dice to roll again


cdef struct Rules:
    uint8_t seats
    uint8_t characters_given
    uint8_t given[CHARACTERS]  # the character of each seat, where given
    uint8_t start  # the professor's room (R2.3)
    uint16_t windows  # rooms, as bits
    uint8_t exits[ROOMS][COLOURS]  # the room behind
    uint8_t doors[ROOMS][COLOURS]  # the door's number
    uint32_t doors_of[ROOMS]  # as bits
    uint32_t near_doors[ROOMS]  # of the room and of those next to it, as bits
    uint16_t next_to[ROOMS]  # rooms, as bits
    uint8_t sides[DOORS][2]  # the rooms that a door joins
    uint8_t traps[ROOMS]  # types, ascending
    uint32_t tiles  # those that the setting leaves in, as bits
    uint8_t spaces[TILES]  # a tile's minutes
    uint8_t types[TILES]  # of traps, as bits
    uint8_t faces[3][FACES]
    Effect lists[LISTS][LONGEST_LIST]
    uint8_t lengths[LISTS]
    Effect abilities[CHARACTERS]
    uint8_t costs[CHARACTERS]  # of the abilities, in actions
    uint32_t max_plies


# What lies on the table; every field is public. The order leaves no padding, whose bytes would be undefined.
cdef struct Table:
    uint32_t open  # doors, as bits
    uint32_t saved  # tiles, as bits
    uint32_t lost
    uint16_t ply
    uint16_t off  # rooms whose trap is off, as bits
    uint16_t locations  # rooms whose location card is gone, as bits
    byte trap[ROOMS]  # type
    byte turn  # from 0
    byte active
    byte mover  # NOBODY when over
    byte phase
    byte actions  # left
    byte professor
    byte held  # R7.8
    byte time  # space of the clock
    byte place[SEATS]
    offset left[COLOURS]  # spaces from the time marker to the treasure's
    byte tile[COLOURS]  # NOTHING when it was the last
    byte spot[COLOURS]  # its room
    byte saved_count
    byte lost_count
    byte shown[2]  # ascending
    byte played
    byte used[SEATS]  # of the six cards, as bits, those shown or face up under the deck
    byte characters[SEATS]
    byte up  # seats whose power is face up, as bits
    byte power_used
    byte activated  # R8.5
    byte list  # under way, or NOTHING
    byte step  # the next effect of the list
    byte rerolls[3]  # rights left: to roll one die again, two, three
    byte chooses
    byte throws[3]  # of each die this turn, while they can be changed
    byte spare
    # Here KEYED ends: what follows is known from what stands above, or past but in the phase DICE.
    uint16_t guards[COLOURS]  # rooms with the traps that protect the treasure, as bits
    uint16_t of_type[TYPES]  # rooms with a trap of the type, as bits
    byte seat_of[CHARACTERS]  # NOBODY when not in play
    byte dice[3]  # as they lay last; NOTHING before the first roll
    byte padding[2]


cdef struct State:
    Table table
    # Statistics for `metrics`: public, but shown to nobody, and a world counts from zero.
    byte done[LISTS]  # how often each list was used
    byte abilities[CHARACTERS]  # how often each ability was
    byte fled[SEATS]  # how often each seat had to flee
    byte spare[3]


cdef struct View:
    Table table
    int8_t seat
    byte spare[7]
