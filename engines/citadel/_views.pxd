from libc.stdint cimport uint64_t

from machiavel.engines.abi cimport machiavel_rng

cdef void view(const void *rules, const void *state, int seat, void *view) noexcept nogil
cdef void determinize(const void *rules, const void *view, machiavel_rng *rng, void *world) noexcept nogil
cdef uint64_t view_key(const void *rules, const void *state, int seat) noexcept nogil
