"""A search as Python holds it: an arena, a tree in it, and slices of iterations without the GIL."""

import time

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc

from machiavel.engines._face cimport State, View
from machiavel.engines.abi cimport MACHIAVEL_MAX_MOVES, machiavel_move
from machiavel.search._tree cimport (
    MULTI,
    PIMC,
    SINGLE,
    UNIFORM,
    WEIGHTED,
    Options,
    Tree,
    advance,
    follow,
    free_tree,
    make_tree,
    plant,
)

from machiavel.engines.errors import NotToMove

cdef enum:
    SLICE = 256  # iterations between two looks at the clock
    LONGEST_LINE = 64

VARIANTS = {"single": SINGLE, "multi": MULTI, "pimc": PIMC}
POLICIES = {"uniform": UNIFORM, "weighted": WEIGHTED}


cdef Options search_options(parameters, deepest) except *:
    """The options of a tree from SearchParameters."""
    cdef Options options
    options.variant = VARIANTS[parameters.variant]
    options.policy = POLICIES[parameters.policy]
    options.exploration = parameters.exploration
    options.prior = parameters.prior
    options.worlds = parameters.worlds if options.variant == PIMC else 0
    options.deepest = deepest
    return options


cdef class Search:
    """One search for one view. Not to be used from two threads at once, but for `stop`."""

    cdef Tree *tree
    cdef int32_t stopped
    cdef View view

    def __cinit__(self, View view, moves, parameters, size_t arena, deepest=0, bint explain=False):
        """`moves` are the root's moves to search, a sorted part of the legal ones; `parameters` have been checked."""
        cdef machiavel_move numbers[MACHIAVEL_MAX_MOVES]
        cdef Options options = search_options(parameters, deepest)
        cdef uint32_t i
        for i, move in enumerate(moves):
            numbers[i] = move
        self.view = view
        self.tree = make_tree(view.game.engine, view.rules_pointer, &options, arena)
        if explain and view.game.engine.metrics is not NULL:
            self.tree.metric_count = <uint32_t> len(view.game.plugin.metrics(view.rules))
            self.tree.metrics = <double *> calloc(len(moves) * self.tree.metric_count + 1, sizeof(double))
            if self.tree.metrics is NULL:
                raise MemoryError
        plant(self.tree, PyBytes_AS_STRING(view.view), view.seat, numbers, <uint32_t> len(moves), parameters.seed)

    def __dealloc__(self):
        free_tree(self.tree)

    def stop(self):
        """Ends a running `run` within microseconds; may be called from any thread."""
        self.stopped = 1

    def run(self, iterations, deadline):
        """Search until there are so many iterations in all or time.monotonic() passes the deadline (None: no such bound).

        Returns why it ended: `iterations`, `time` or `stopped`. May be called again to go on.
        """
        cdef uint64_t slice_size
        while True:
            if self.stopped:
                return "stopped"
            if iterations is not None and self.tree.iterations >= iterations:
                return "iterations"
            if deadline is not None and time.monotonic() >= deadline:
                return "time"
            slice_size = SLICE if iterations is None else min(SLICE, iterations - self.tree.iterations)
            with nogil:
                advance(self.tree, slice_size, &self.stopped)

    @property
    def iterations(self):
        return self.tree.iterations

    def root(self):
        """Per root move, in the order given: visits, sum of utilities, sum of their squares."""
        cdef uint32_t i
        return [
            (self.tree.root[i].visits, self.tree.root[i].total, self.tree.root[i].squares)
            for i in range(self.tree.root_count)
        ]

    def metrics(self):
        """Per root move, in the order given, the sums of the engine's metrics; empty where they are not measured."""
        cdef uint32_t i, j, count = self.tree.metric_count
        return [[self.tree.metrics[i * count + j] for j in range(count)] for i in range(self.tree.root_count)]

    def line(self, uint32_t least_visits, uint32_t most):
        """The most visited way on, at least so often visited, in one world: (seat, move)."""
        cdef int32_t seats[LONGEST_LINE]
        cdef uint16_t moves[LONGEST_LINE]
        cdef uint32_t i, length = follow(self.tree, least_visits, min(most, <uint32_t> LONGEST_LINE), seats, moves)
        return [(seats[i], moves[i]) for i in range(length)]

    def statistics(self):
        """How the tree stands: nodes, edges, mean depth, the share of nodes met again, and how often there was no room."""
        return {
            "nodes": self.tree.node_count,
            "edges": self.tree.edge_count,
            "depth": <double> self.tree.depth_total / max(1, self.tree.iterations),
            "met_again": <double> self.tree.met_again / max(1, self.tree.met),
            "refused": self.tree.refused,
        }


def root_moves(View view):
    """The legal moves of the view's seat, as numbers; raises NotToMove."""
    cdef State world = view.determinize(0)
    if view.seat not in world.seats_to_move:
        raise NotToMove(view.seat, sorted(world.seats_to_move))
    return world.moves_of(view.seat)
