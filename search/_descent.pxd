"""Iterations of a search: a world, a descent, a playout and the way back up."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from machiavel.search._tree cimport Tree

# So many iterations; fewer if somebody raises the stop flag meanwhile or CLOCK_MONOTONIC, in nanoseconds, passes `until` (0: no
# such bound), or the game's own code meets a fault.
cdef void advance(Tree *tree, uint64_t iterations, int64_t until, const int32_t *stop) noexcept nogil
# So many worlds played out, without a tree.
cdef void play_worlds(Tree *tree, uint64_t worlds, const int32_t *stop) noexcept nogil
# By a series, the same on every machine; for x from 1 on.
cdef double natural_logarithm(double x) noexcept nogil
