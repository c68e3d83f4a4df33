"""A rule of thumb for whist: how likely a card takes the trick, and what it would still be good for.

Reads only what the mover sees: the table and its own hand.
"""

from libc.stdint cimport uint32_t, uint64_t

from machiavel.engines._cards cimport card, count_cards
from machiavel.engines.abi cimport machiavel_move
from machiavel.engines.whist._state cimport NO_SUIT, Rules, State, Table

cdef float KEEP_WORTH = 0.2  # of the surest card, in tricks; found by play against random seats


cdef void weights(const void *rules_, const void *state_, const machiavel_move *moves, uint32_t count,
                  float *weights) noexcept nogil:
    """Take the trick with what can best be spared, if anything takes it; else throw the least useful card away."""
    cdef const Rules *rules = <const Rules *> rules_
    cdef const State *state = <const State *> state_
    cdef uint32_t i
    cdef float worth
    for i in range(count):
        worth = 1 + chance(rules, state, moves[i]) - KEEP_WORTH * keeping(&state.table, moves[i])
        weights[i] = worth * worth * worth * worth


cdef float keeping(const Table *table, uint32_t played) noexcept nogil:
    """How likely the card would take some later trick, roughly."""
    cdef float height = <float> (played & 15) / 12
    return (1 + height) / 2 if played >> 4 == table.trump else height / 2


cdef float chance(const Rules *rules, const State *state, uint32_t played) noexcept nogil:
    """How likely the card takes this trick, if those to come hold any of the unseen cards and play what they like."""
    cdef const Table *table = &state.table
    cdef uint32_t suit = played >> 4, led = suit if table.led == NO_SUIT else table.led, _i
    cdef uint64_t unseen = rules.suit_cards[NO_SUIT] & ~(table.seen | state.hands[table.mover])
    cdef uint64_t higher = unseen & rules.suit_cards[suit] & ~(card(played) - 1)
    cdef float suited = count_cards(unseen & rules.suit_cards[led]), others = count_cards(unseen) - suited
    cdef float cannot_follow = 1, beaten = 0, answer = 1
    if rules.strength[table.trump][led][played] <= table.strength:
        return 0
    for _i in range(table.held):
        cannot_follow *= others / (others + suited)
    if suit == led and suited > 0:
        beaten = (1 - cannot_follow) * count_cards(higher) / suited
    if led != table.trump and others > 0:
        if suit != table.trump:
            higher = unseen & rules.suit_cards[table.trump]
        beaten += cannot_follow * count_cards(higher) / others
    for _i in range(table.to_come - 1):
        answer *= 1 - beaten
    return answer
