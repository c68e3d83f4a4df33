from machiavel.engines.abi cimport machiavel_rng

cdef void determinize(const void *rules, const void *view, machiavel_rng *rng, void *world) noexcept nogil
