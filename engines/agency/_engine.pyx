"""The agency engine, one chapter after the other: each `include` is one of them."""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport abort
from libc.string cimport memcpy, memmove, memset

from machiavel.engines._cards cimport card, count_cards, first_card, nth_card
from machiavel.engines._weights cimport exponential
from machiavel.engines.abi cimport (
    MACHIAVEL_AT_HORIZON,
    MACHIAVEL_HAS_HORIZON,
    MACHIAVEL_OVER,
    MACHIAVEL_STOP_AT_HORIZON,
    machiavel_below,
    machiavel_draw,
    machiavel_fold,
    machiavel_hash,
    machiavel_luck,
    machiavel_move,
    machiavel_next,
    machiavel_rng,
    machiavel_shuffle,
    machiavel_shuffle_bytes,
)

include "_state.pxi"
include "_rules.pxi"
include "_pile.pxi"
include "_play.pxi"
include "_results.pxi"
include "_views.pxi"
include "_hands.pxi"
include "_telling.pxi"
include "_worlds.pxi"
include "_greedy.pxi"
include "../_glue.pxi"

ENGINE.name = b"agency"
ENGINE.rules_version = 1
ENGINE.flags = MACHIAVEL_HAS_HORIZON
ENGINE.move_limit = MOVE_LIMIT
ENGINE.max_moves = 6
ENGINE.seats_to_move = seats_to_move
ENGINE.likelihood = likelihood
ENGINE.private_observation = private_observation


def trick_so_far(rules, int accomplice, list cards) -> tuple:
    """Of the cards of a trick in the order played: which is best, how strong it is, and the colour led."""
    cdef const Rules *tables = rules_of(rules)
    cdef int led = tables.colour[<int> cards[0]] if cards else 0
    strengths = [tables.strength[accomplice][led][<int> played] for played in cards]
    if not cards:
        return 0, 0, 0
    return strengths.index(max(strengths)), max(strengths), led


def bonus(rules) -> int:
    """R8.2, R8.3: what the fewest greens gain, and the most yellows cost."""
    return rules_of(rules).bonus


def told_again(rules, int start, int forgotten, list entries, list agents) -> dict:
    """The fields of a state in which the tricks told of a half have been played, and nothing else.

    The half begins with trick `start` (from 0), and so many tricks of it are forgotten. An entry is as in a view, with numbers
    for cards and plans; only the last one may lack cards. Whoever tells them answers for them: cards may be anybody's, and Martha
    takes nothing from the pile.
    """
    cdef const Rules *tables = rules_of(rules)
    cdef machiavel_luck luck
    cdef State state
    cdef Table *table = &state.table
    cdef int trick, half_trick, seat
    memset(&luck, 0, sizeof(luck))
    luck.flags = MACHIAVEL_STOP_AT_HORIZON
    memset(&state, 0, sizeof(State))
    memset(state.pile, FIRST_POWER + BELTON, PILE_SIZE)  # seat 0 is he: he waits for a choice, and no trick begins by itself
    memset(table.half_accomplice, NO_CARD, HALF)
    memset(table.half_stake, NO_CARD, HALF)
    table.stake = NO_CARD
    table.martha = NOBODY
    for half_trick in range(forgotten):
        table.half_order[half_trick][0] = NOBODY
        table.half_accomplice[half_trick] = 0
    for trick, entry in enumerate(entries, start + forgotten):
        half_trick = trick % HALF
        table.phase = PLAY
        table.trick = <uint8_t> trick
        table.jean = agents.index(JEAN) if entry.get("jean") and JEAN in agents else NOBODY
        if entry["stake"] is None:  # its accomplice is told all the same
            table.stake = 0  # any plan: nobody reads the scores then
            table.accomplice = FOLLOW_SUIT if entry["follow_suit"] else PASS_LEFT if entry["pass_left"] else 0
        else:
            table.stake = entry["stake"]
            table.accomplice = tables.accomplice[table.stake]
            table.half_stake[half_trick] = table.stake
            table.half_stake[half_trick] |= MARTHA_AT_WORK if entry.get("martha") else 0
            table.half_stake[half_trick] |= JEAN_AT_WORK if entry.get("jean") else 0
        table.half_accomplice[half_trick] = table.accomplice if table.accomplice >= FOLLOW_SUIT else 0
        for seat in range(tables.seats):
            table.order[seat] = entry["order"][seat]
            table.half_order[half_trick][seat] = entry["order"][seat]
        table.mover = table.order[0]
        for played in entry["cards"][:tables.seats]:
            apply(tables, &state, played, &luck)
    return state
