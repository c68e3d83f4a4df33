"""A rule of thumb for agency: what a trick is worth, how likely the card takes it, what the card would still be good for.

Reads only what the mover sees: the table and its own hand.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from machiavel.engines._cards cimport card, count_cards
from machiavel.engines._weights cimport exponential
from machiavel.engines.abi cimport machiavel_move
from machiavel.engines.agency._state cimport (
    GREEN,
    HALF,
    LEAD,
    LEAD_SEAT,
    LOOK,
    LOOK_AT,
    MAUVE,
    PASS,
    PASS_CARD,
    YELLOW,
    Rules,
    State,
    Table,
)

# Points of merit, found by play against random seats.
cdef double GREEN_COST = 0.1  # of the bonus, for each green card taken
cdef double YELLOW_COST = 0.18
cdef double MARTHA_WORTH = 4
cdef double KEEP_WORTH = 4  # of a card sure to take a later trick
cdef double RESISTANCE = 0.28  # how much likelier than by chance a later seat plays a stronger card
cdef double GREEDINESS = 1  # how steeply the weight rises with a point


cdef void weights(const void *rules_, const void *state_, const machiavel_move *moves, uint32_t count,
                  float *weights) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const State *state = <const State *> state_
    cdef const Table *table = &state.table
    cdef uint32_t i, seat
    for i in range(count):
        if table.phase == LEAD:  # the one who plays last knows most
            seat = moves[i] - LEAD_SEAT
            weights[i] = 2 if seat == (table.mover + <uint32_t> 1) % rules.seats else 1
        elif table.phase == LOOK:  # at the most dangerous
            weights[i] = 1 + table.medals[moves[i] - LOOK_AT]
        elif table.phase == PASS:
            weights[i] = <float> exponential(-4 * keeping(rules, moves[i] - PASS_CARD))
        else:
            weights[i] = <float> exponential(GREEDINESS * worth(rules, state, moves[i]))


cdef double keeping(const Rules *rules, uint32_t played) noexcept nogil:
    """How likely the card takes some later trick, roughly."""
    cdef uint8_t colour = rules.colour[played]
    cdef uint64_t suit = rules.colour_cards[colour]
    cdef double height = <double> count_cards(suit & (card(played) - 1)) / count_cards(suit)
    return 0.65 + 0.3 * height if colour == MAUVE else 0.05 + 0.3 * height


cdef double chance(const Rules *rules, const State *state, uint32_t played) noexcept nogil:
    """How likely the card takes this trick."""
    cdef const Table *table = &state.table
    cdef uint8_t led = table.led if table.played else rules.colour[played]
    cdef const uint8_t *strength = rules.strength[table.accomplice][led]
    cdef uint64_t unseen = rules.all_cards & ~(table.seen | state.hands[table.mover])
    cdef uint32_t others = count_cards(unseen), stronger, _later
    cdef double share, answer = 1
    if strength[played] <= table.strength and table.played:
        return 0
    stronger = count_cards(unseen & rules.stronger[table.accomplice][led][played])
    share = <double> stronger / max(others, <uint32_t> 1)
    for _later in range(table.played + 1, rules.seats):
        answer *= (1 - share) * (1 - RESISTANCE * share)
    return answer


cdef double worth(const Rules *rules, const State *state, uint32_t played) noexcept nogil:
    cdef const Table *table = &state.table
    cdef uint8_t colour = rules.colour[played]
    cdef double to_come = rules.seats - table.played - 1
    cdef double greens = (table.tally & 255) + (colour == GREEN) + 0.27 * to_come
    cdef double yellows = (table.tally >> 8) + (colour == YELLOW) + 0.27 * to_come
    cdef double trick = rules.value[table.stake] - rules.bonus * (GREEN_COST * greens + YELLOW_COST * yellows)
    cdef double own = trick, taken = chance(rules, state, played)
    cdef double left = HALF - 1 - table.trick % HALF
    if table.jean == table.mover:
        own = rules.value[table.stake]
    if table.martha == table.mover:
        own += MARTHA_WORTH
    return (taken * own - (1 - taken) * trick / (rules.seats - 1)
            - KEEP_WORTH * keeping(rules, played) * left / (HALF - 1))
