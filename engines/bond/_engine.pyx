"""The bond engine, one chapter after the other: each `include` is one of them, in the order of RULES.md."""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from machiavel.engines._cards cimport card, count_cards, first_card, last_card, nth_card, nth_card_of_many
from machiavel.engines._heaps cimport heap_with, heap_without
from machiavel.engines._weights cimport exponential
from machiavel.engines.abi cimport (
    MACHIAVEL_OVER,
    MACHIAVEL_QUICK,
    MACHIAVEL_SEEDED,
    machiavel_below,
    machiavel_draw,
    machiavel_fold,
    machiavel_hash,
    machiavel_luck,
    machiavel_luck_stream,
    machiavel_move,
    machiavel_rng,
)

include "_state.pxi"
include "_rules.pxi"
include "_turns.pxi"
include "_attacks.pxi"
include "_play.pxi"
include "_results.pxi"
include "_views.pxi"
include "_worlds.pxi"
include "_greedy.pxi"
include "../_glue.pxi"

ENGINE.name = b"bond"
ENGINE.rules_version = 1
ENGINE.move_limit = MOVE_LIMIT
ENGINE.max_moves = MAX_MOVES
ENGINE.private_observation = private_observation
ENGINE.evaluate = evaluate
