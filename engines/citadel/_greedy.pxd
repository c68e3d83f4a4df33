from libc.stdint cimport uint32_t

from machiavel.engines.abi cimport machiavel_move

cdef void weights(const void *rules, const void *state, const machiavel_move *moves, uint32_t count,
                  float *weights) noexcept nogil
