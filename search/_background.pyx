"""A thread that searches and never holds Python's lock.

A thread of low priority that held it would keep everybody from it while the processor does something else: so the one that asks
has the priority of all others, and the one that searches comes after them.
"""

from cpython.pythread cimport (
    WAIT_LOCK,
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_release_lock,
)
from libc.stdint cimport int32_t, int64_t, uint64_t
from posix.time cimport CLOCK_THREAD_CPUTIME_ID, clock_gettime, timespec

from machiavel.engines._loading cimport has_fault
from machiavel.search._descent cimport advance
from machiavel.search._tree cimport Tree


cdef class Background:
    """Searches, in the thread that calls `serve`, for one other thread at a time."""

    def __cinit__(self):
        self.given, self.done = PyThread_allocate_lock(), PyThread_allocate_lock()
        if self.given is NULL or self.done is NULL:
            raise MemoryError
        PyThread_acquire_lock(self.given, WAIT_LOCK)
        PyThread_acquire_lock(self.done, WAIT_LOCK)

    def __dealloc__(self):
        if self.given is not NULL:
            PyThread_free_lock(self.given)
        if self.done is not NULL:
            PyThread_free_lock(self.done)

    def serve(self):
        """Until it is closed."""
        cdef int64_t began
        with nogil:
            while True:
                PyThread_acquire_lock(self.given, WAIT_LOCK)
                if self.is_over:
                    break
                began = own_time()
                advance(self.tree, self.most, self.until, self.stopped)
                self.nanoseconds = self.nanoseconds + own_time() - began
                if has_fault(self.tree.engine, self.tree.rules):
                    with gil:
                        # Only the thread that met it can say what it was.
                        self.fault = self.view.game.plugin.fault_error(self.view.rules)
                PyThread_release_lock(self.done)

    def close(self):
        """Lets the thread go."""
        self.is_over = True
        PyThread_release_lock(self.given)

    @property
    def worked(self):
        """Seconds of its thread in searches."""
        return self.nanoseconds / 1e9

    cdef int search(self, Tree *tree, uint64_t most, int64_t until, const int32_t *stopped, view) except -1:
        self.tree, self.most, self.until, self.stopped, self.view = tree, most, until, stopped, view
        with nogil:
            PyThread_release_lock(self.given)
            PyThread_acquire_lock(self.done, WAIT_LOCK)
        self.view, fault, self.fault = None, self.fault, None
        if fault is not None:
            raise fault
        return 0


cdef int64_t own_time() noexcept nogil:
    cdef timespec now
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return <int64_t> now.tv_sec * 1000000000 + now.tv_nsec
