"""Kuhn poker: one card each, one round of betting, the higher card wins the pot.

R1  Two seats put one chip each into the pot and get one card each, face down; cards rank as they stand in the deck.
R2  Seat 0 passes or bets one chip; seat 1 answers with the same choice. After pass and bet, seat 0 is asked once more.
R3  A pass after a bet gives up the pot. Otherwise both cards are shown, and the higher one takes it.
R4  The utility is the gain in chips, -2 to 2, laid on 0 to 1: (gain + 2) / 4. Two utilities sum up to 1.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from machiavel.engines.abi cimport (
    MACHIAVEL_ABI_VERSION,
    MACHIAVEL_ENGINE_CAPSULE,
    MACHIAVEL_OVER,
    MACHIAVEL_RULES_CAPSULE,
    machiavel_below,
    machiavel_engine,
    machiavel_hash,
    machiavel_luck,
    machiavel_move,
    machiavel_rng,
    machiavel_shuffle,
)

cdef enum:
    SEATS = 2
    MOST_PLIES = 3
    MOST_CARDS = 13
    HIDDEN = 255

cdef enum:  # moves
    PASS
    BET
    MOVE_LIMIT

cdef enum:  # purposes of luck
    LUCK_CARDS


cdef struct Rules:
    uint8_t cards  # in the deck, from the lowest


cdef struct Table:  # public
    uint8_t ply
    uint8_t moves[MOST_PLIES]  # 0 where none was made yet


cdef struct State:
    Table table
    uint8_t cards[SEATS]  # private: each its own seat's, until they are shown


# Eight bytes without a gap, so that it can be hashed as it is; the package's codec knows this layout.
cdef struct View:
    Table table
    uint8_t cards[SEATS]  # HIDDEN where not seen
    int8_t seat
    uint8_t spare


cdef uint32_t seats(const void *rules) noexcept nogil:
    return SEATS


cdef uint32_t max_plies(const void *rules) noexcept nogil:
    return MOST_PLIES


cdef void deal(const void *rules_, machiavel_luck *luck, void *state_) noexcept nogil:
    """R1"""
    cdef const Rules *rules = <const Rules *> rules_
    cdef State *state = <State *> state_
    cdef uint8_t deck[MOST_CARDS]
    cdef uint32_t i
    memset(state, 0, sizeof(State))
    for i in range(rules.cards):
        deck[i] = <uint8_t> i
    machiavel_shuffle(luck, LUCK_CARDS, 0, deck, rules.cards, SEATS)
    memcpy(state.cards, deck, SEATS)


cdef inline bint asked_again(const Table *table) noexcept nogil:
    return table.ply == 2 and table.moves[0] == PASS and table.moves[1] == BET


cdef int to_move(const void *rules, const void *state) noexcept nogil:
    """R2"""
    cdef const Table *table = &(<const State *> state).table
    if table.ply < 2:
        return table.ply
    return 0 if asked_again(table) else MACHIAVEL_OVER


cdef uint32_t legal_moves(const void *rules, const void *state, int seat, machiavel_move *moves) noexcept nogil:
    moves[0] = PASS
    moves[1] = BET
    return 2


cdef void apply(const void *rules, void *state, machiavel_move move, machiavel_luck *luck) noexcept nogil:
    cdef Table *table = &(<State *> state).table
    table.moves[table.ply] = <uint8_t> move
    table.ply += 1


cdef inline bint is_shown(const Table *table) noexcept nogil:
    """R3: over, and nobody gave up."""
    return table.ply >= 2 and not asked_again(table) and table.moves[table.ply - 1] == table.moves[table.ply - 2]


cdef inline int staked(const Table *table, int seat) noexcept nogil:
    """The chips a seat has put into the pot."""
    cdef int chips = 1, ply
    for ply in range(table.ply):
        chips += ply % SEATS == seat and table.moves[ply] == BET
    return chips


cdef inline int winner(const State *state) noexcept nogil:
    """R3; the game must be over."""
    if is_shown(&state.table):
        return state.cards[1] > state.cards[0]
    return staked(&state.table, 1) > staked(&state.table, 0)


cdef void utilities(const void *rules, const void *state_, float *utilities) noexcept nogil:
    """R4"""
    cdef const State *state = <const State *> state_
    cdef int won = winner(state)
    cdef int gain = staked(&state.table, 1 - won)
    utilities[won] = <float> (2 + gain) / 4
    utilities[1 - won] = <float> (2 - gain) / 4


cdef void view(const void *rules, const void *state_, int seat, void *view_) noexcept nogil:
    """Built up from nothing: the table, the seat's own card, and what is shown at the end."""
    cdef const State *state = <const State *> state_
    cdef View *view = <View *> view_
    memset(view, 0, sizeof(View))
    view.table = state.table
    view.seat = <int8_t> seat
    memset(view.cards, HIDDEN, SEATS)
    if is_shown(&state.table):
        memcpy(view.cards, state.cards, SEATS)
    elif seat >= 0:
        view.cards[seat] = state.cards[seat]


cdef void determinize(const void *rules_, const void *view_, machiavel_rng *rng, void *world_) noexcept nogil:
    """Each hidden card is drawn from those not seen, collected in sorted order."""
    cdef const Rules *rules = <const Rules *> rules_
    cdef const View *view = <const View *> view_
    cdef State *world = <State *> world_
    cdef uint8_t unseen[MOST_CARDS]
    cdef uint32_t i, seat, count = 0, drawn
    for i in range(rules.cards):
        if i != view.cards[0] and i != view.cards[1]:
            unseen[count] = <uint8_t> i
            count += 1
    memset(world, 0, sizeof(State))
    world.table = view.table
    for seat in range(SEATS):
        world.cards[seat] = view.cards[seat]
        if view.cards[seat] == HIDDEN:
            drawn = machiavel_below(rng, count)
            world.cards[seat] = unseen[drawn]
            count -= 1
            unseen[drawn] = unseen[count]


cdef uint64_t view_key(const void *rules, const void *state, int seat) noexcept nogil:
    """The table names ply and mover."""
    cdef View seen
    view(rules, state, seat, &seen)
    return machiavel_hash(&seen, sizeof(View), 0)


# The chances to bet in an equilibrium, never quite 0 or 1: by card (lowest, between, highest) and by what went before.
cdef float[3][4] BET_CHANCE = [
    # first, after a pass, after a bet, asked again
    [0.33, 0.33, 0.01, 0.01],
    [0.01, 0.01, 0.33, 0.67],
    [0.99, 0.99, 0.99, 0.99],
]


cdef void weights(const void *rules_, const void *state_, const machiavel_move *moves, uint32_t count,
                  float *weights) noexcept nogil:
    """From the table and the mover's own card: what the mover sees."""
    cdef const Rules *rules = <const Rules *> rules_
    cdef const State *state = <const State *> state_
    cdef uint8_t card = state.cards[to_move(rules, state)]
    cdef int kind = 0 if card == 0 else 2 if card == rules.cards - 1 else 1
    cdef int situation = 3 if state.table.ply == 2 else state.table.ply + state.table.moves[0]
    weights[0] = <float> 1 - BET_CHANCE[kind][situation]
    weights[1] = BET_CHANCE[kind][situation]


cdef uint32_t metrics(const void *rules, const void *root, const void *end, float *metrics) noexcept nogil:
    """The pot, and whether cards were shown."""
    cdef const Table *table = &(<const State *> end).table
    metrics[0] = staked(table, 0) + staked(table, 1)
    metrics[1] = is_shown(table)
    return 2


cdef machiavel_engine ENGINE

memset(&ENGINE, 0, sizeof(ENGINE))  # what the game has no use for stays NULL
ENGINE.abi_version = MACHIAVEL_ABI_VERSION
ENGINE.struct_size = sizeof(machiavel_engine)
ENGINE.name = b"kuhn_elsewhere"
ENGINE.rules_version = 1
ENGINE.state_size = sizeof(State)
ENGINE.view_size = sizeof(View)
ENGINE.move_limit = MOVE_LIMIT
ENGINE.max_moves = 2
ENGINE.seats = seats
ENGINE.max_plies = max_plies
ENGINE.deal = deal
ENGINE.to_move = to_move
ENGINE.legal_moves = legal_moves
ENGINE.apply = apply
ENGINE.utilities = utilities
ENGINE.view = view
ENGINE.determinize = determinize
ENGINE.view_key = view_key
ENGINE.weights = weights
ENGINE.metrics = metrics

capsule = PyCapsule_New(&ENGINE, MACHIAVEL_ENGINE_CAPSULE, NULL)


def make_rules(int cards):
    """Return a capsule of rules for a deck of that many cards, 3 to 13, which has been checked."""
    cdef Rules *rules = <Rules *> malloc(sizeof(Rules))
    if rules is NULL:
        raise MemoryError
    rules.cards = <uint8_t> cards
    return PyCapsule_New(rules, MACHIAVEL_RULES_CAPSULE, release)


cdef void release(object capsule) noexcept:
    free(PyCapsule_GetPointer(capsule, MACHIAVEL_RULES_CAPSULE))
