"""Many worlds of one view at once, drawn without the GIL: their bytes, and how plausible the others' moves are in each."""

import time

import numpy as np

from cpython.bytes cimport PyBytes_AsString
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from posix.stdlib cimport posix_memalign
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec
from libc.string cimport memcpy, memset

from machiavel.engines._face cimport View
from machiavel.engines._loading cimport has_fault
from machiavel.engines.abi cimport machiavel_engine, machiavel_mix, machiavel_rng

cdef enum:
    TIMED_EVERY = 4  # worlds between two looks at the clock
    ALIGNED = 16  # states are (machiavel_abi.h)


def state_size(View view):
    """The bytes of one world."""
    return view._game.engine.state_size


cdef class WorldSampler:
    """So many worlds of a view, drawn bit by bit; run in one thread at a time."""

    cdef View view
    cdef machiavel_rng rng
    cdef uint32_t count, drawn
    cdef bint weighed
    cdef readonly object worlds  # a row of bytes each
    cdef readonly object weights

    def __init__(self, View view, uint32_t count, uint64_t seed, bint weighed=False):
        self.view = view
        self.count = count
        self.rng.state = machiavel_mix(seed + <uint64_t> 0x9e3779b97f4a7c15)
        self.weighed = weighed and view._game.engine.likelihood is not NULL and view._seat is not None
        self.worlds = np.zeros((count, view._game.engine.state_size), np.uint8)
        self.weights = np.ones(count)

    def go_on(self, seconds=None):
        """Draw until all are there or so many seconds are over; whether all are there. What the game's own code met is raised."""
        cdef uint8_t[:, ::1] worlds = self.worlds
        cdef double[::1] weights = self.weights
        cdef const machiavel_engine *engine = self.view._game.engine
        cdef const void *rules = self.view.rules_pointer
        cdef const char *view = PyBytes_AsString(self.view.view)
        cdef int64_t until = 0 if seconds is None else time.monotonic_ns() + <int64_t> (seconds * 1e9)
        cdef int seat = -1 if self.view._seat is None else self.view._seat
        cdef uint32_t drawn = self.drawn
        cdef void *world = NULL
        if posix_memalign(&world, ALIGNED, engine.state_size):
            raise MemoryError
        with nogil:
            while drawn < self.count:
                if until and drawn % TIMED_EVERY == 0 and now() >= until:
                    break
                memset(world, 0, engine.state_size)
                engine.determinize(rules, view, &self.rng, world)
                if self.weighed:
                    weights[drawn] = engine.likelihood(rules, world, seat)
                if has_fault(engine, rules):
                    break
                memcpy(&worlds[drawn, 0], world, engine.state_size)
                drawn += 1
        self.drawn = drawn
        free(world)
        if has_fault(engine, rules):
            raise self.view.game.plugin.fault_error(self.view.rules)
        return self.drawn == self.count

    def habits(self):
        """What the engine's `world_weights` says of all worlds."""
        return self.view.game.plugin.world_weights(self.view.rules, self.view.view, self.worlds)

    def cells(self):
        """What lies in each hidden place, in all worlds: what the engine's `hidden_cells` says."""
        return self.view.game.plugin.hidden_cells(self.view.rules, self.view.view, self.worlds)


cdef inline int64_t now() noexcept nogil:
    cdef timespec moment
    clock_gettime(CLOCK_MONOTONIC, &moment)
    return <int64_t> moment.tv_sec * 1000000000 + moment.tv_nsec
