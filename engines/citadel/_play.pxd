from libc.stdint cimport uint32_t

from machiavel.engines.abi cimport machiavel_luck, machiavel_move, machiavel_rng

cdef uint32_t seats(const void *rules) noexcept nogil
cdef uint32_t max_plies(const void *rules) noexcept nogil
cdef void deal(const void *rules, machiavel_luck *luck, void *state) noexcept nogil
cdef int to_move(const void *rules, const void *state) noexcept nogil
cdef uint32_t legal_moves(const void *rules, const void *state, int seat, machiavel_move *moves) noexcept nogil
cdef void apply(const void *rules, void *state, machiavel_move move, machiavel_luck *luck) noexcept nogil
cdef uint32_t playout(const void *rules, void *state, machiavel_rng *rng, machiavel_luck *luck) noexcept nogil
