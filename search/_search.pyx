"""A search as Python holds it: an arena, a tree in it, and slices of iterations without the GIL."""

import time

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from machiavel.engines._face cimport State, View
from machiavel.engines.abi cimport (
    MACHIAVEL_SEEDED,
    MACHIAVEL_STOP_AT_HORIZON,
    machiavel_engine,
    machiavel_mix,
)
from machiavel.search._tree cimport MULTI, PIMC, SINGLE, Edge, Node, Tree, advance

from machiavel.engines.errors import NotToMove

cdef enum:
    SLICE = 256  # iterations between two looks at the clock
    EDGES_A_NODE = 8  # room reckoned for each node of the arena
    LEAST_NODES = 64

VARIANTS = {"single": SINGLE, "multi": MULTI, "pimc": PIMC}


cdef class Search:
    """One search for one view. Not to be used from two threads at once, but for `stop`."""

    cdef Tree tree
    cdef int32_t stopped
    cdef View view
    cdef object texts

    def __cinit__(self, View view, moves, str variant, double exploration, uint64_t seed, size_t arena, uint32_t worlds):
        """`moves` are the root's moves to search, a sorted part of the legal ones; all the rest has been checked."""
        cdef const machiavel_engine *engine = view.game.engine
        cdef size_t nodes = LEAST_NODES
        cdef uint32_t i
        memset(&self.tree, 0, sizeof(Tree))
        self.view = view
        self.tree.engine = engine
        self.tree.rules = view.rules_pointer
        self.tree.view = PyBytes_AS_STRING(view.view)
        self.tree.seat = view.seat
        self.tree.variant = VARIANTS[variant]
        self.tree.exploration = <float> exploration
        self.tree.luck.flags = MACHIAVEL_SEEDED | MACHIAVEL_STOP_AT_HORIZON
        self.tree.rng.state = machiavel_mix(seed + 1)
        self.tree.world_count = worlds
        self.tree.path_limit = engine.max_plies(view.rules_pointer) + 1
        # Half the table stays free, so that looking up is short.
        while 2 * nodes * (2 * sizeof(Node) + EDGES_A_NODE * sizeof(Edge)) <= arena:
            nodes *= 2
        self.tree.node_limit = <uint32_t> nodes
        self.tree.node_mask = 2 * nodes - 1
        self.tree.edge_limit = <uint32_t> (EDGES_A_NODE * nodes)
        self.tree.nodes = <Node *> calloc(2 * nodes, sizeof(Node))
        self.tree.edges = <Edge *> calloc(self.tree.edge_limit, sizeof(Edge))
        self.tree.path = <uint32_t *> calloc(self.tree.path_limit, sizeof(uint32_t))
        self.tree.movers = <int32_t *> calloc(self.tree.path_limit, sizeof(int32_t))
        self.tree.world = calloc(2 + worlds, engine.state_size)
        if (
            self.tree.nodes is NULL or self.tree.edges is NULL or self.tree.path is NULL
            or self.tree.movers is NULL or self.tree.world is NULL
        ):
            raise MemoryError
        self.tree.before = <char *> self.tree.world + engine.state_size
        self.tree.worlds = <char *> self.tree.before + engine.state_size
        self.tree.root_count = <uint32_t> len(moves)
        for i, move in enumerate(moves):
            self.tree.root[i].move = move

    def __dealloc__(self):
        free(self.tree.nodes)
        free(self.tree.edges)
        free(self.tree.path)
        free(self.tree.movers)
        free(self.tree.world)

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
                advance(&self.tree, slice_size, &self.stopped)

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
