"""The citadel engine, one chapter after the other: each `include` is one of them."""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from machiavel.engines._cards cimport card, count_cards, first_card
from machiavel.engines._weights cimport exponential
from machiavel.engines.abi cimport (
    MACHIAVEL_COOPERATIVE,
    MACHIAVEL_MAX_MOVES,
    MACHIAVEL_OVER,
    machiavel_below,
    machiavel_draw,
    machiavel_hash,
    machiavel_luck,
    machiavel_move,
    machiavel_rng,
    machiavel_shuffle,
)

include "_state.pxi"
include "_rules.pxi"
include "_house.pxi"
include "_clock.pxi"
include "_effects.pxi"
include "_turn.pxi"
include "_play.pxi"
include "_results.pxi"
include "_views.pxi"
include "_outlook.pxi"
include "_greedy.pxi"
include "../_glue.pxi"

ENGINE.name = b"citadel"
ENGINE.rules_version = 1
ENGINE.flags = MACHIAVEL_COOPERATIVE
ENGINE.move_limit = MOVE_LIMIT
# Two cards and a bonus of at most 5 × 8 choices each, an ability of as many, 8 acts of the player's own, `end`.
ENGINE.max_moves = 169
ENGINE.evaluate = evaluate


def moves_of(rules, bytes view) -> list:
    """The legal moves of a view in which somebody is asked, as numbers; maybe none where it contradicts the rules."""
    cdef View seen = view_of(view)
    cdef State world
    cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
    determinize(rules_of(rules), &seen, NULL, &world)
    cdef uint32_t i, count = legal_moves(rules_of(rules), &world, world.table.mover, moves)
    return [moves[i] for i in range(count)]
