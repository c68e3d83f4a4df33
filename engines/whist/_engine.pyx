"""The whist engine, one chapter after the other: each `include` is one of them, in the order of RULES.md."""

from functools import cache

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from machiavel.engines._cards cimport card, count_cards, first_card, nth_card
from machiavel.engines.abi cimport (
    MACHIAVEL_OVER,
    MACHIAVEL_QUICK,
    MACHIAVEL_SEEDED,
    machiavel_below,
    machiavel_draw,
    machiavel_hash,
    machiavel_luck,
    machiavel_luck_stream,
    machiavel_move,
    machiavel_outcome,
    machiavel_rng,
    machiavel_shuffle,
)

include "_state.pxi"
include "_hands.pxi"
include "_play.pxi"
include "_worlds.pxi"
include "_greedy.pxi"
include "../_glue.pxi"

ENGINE.name = b"whist"
ENGINE.rules_version = 1
ENGINE.move_limit = CARD_LIMIT
ENGINE.max_moves = ROUNDS
ENGINE.likelihood = likelihood
