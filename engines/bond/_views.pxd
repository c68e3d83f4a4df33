from libc.stdint cimport uint64_t

from machiavel.engines.abi cimport machiavel_move

cdef void view(const void *rules, const void *state, int seat, void *view) noexcept nogil
cdef uint64_t view_key(const void *rules, const void *state, int seat) noexcept nogil
cdef uint64_t private_observation(const void *rules, const void *before, machiavel_move move, const void *after,
                                  int seat) noexcept nogil
