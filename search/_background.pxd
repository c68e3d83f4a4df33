"""A thread that searches and never holds Python's lock."""

from cpython.pythread cimport PyThread_type_lock
from libc.stdint cimport int32_t, int64_t, uint64_t

from machiavel.search._tree cimport Tree


cdef class Background:
    cdef PyThread_type_lock given, done
    cdef Tree *tree
    cdef uint64_t most
    cdef int64_t until
    cdef const int32_t *stopped
    cdef int64_t nanoseconds
    cdef bint is_over
    cdef object view, fault

    # As advance of _descent, while whoever asks waits without Python's lock.
    cdef int search(self, Tree *tree, uint64_t most, int64_t until, const int32_t *stopped, view) except -1
