"""A search as Python holds it: an arena, a tree in it, and slices of iterations without the GIL."""

import threading
import time

from cpython.bytes cimport PyBytes_AsString
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc

from machiavel.engines._face cimport State, View
from machiavel.engines._loading cimport has_fault
from machiavel.engines.abi cimport MACHIAVEL_MAX_MOVES, machiavel_move
from machiavel.search._background cimport Background
from machiavel.search._descent cimport advance, play_worlds
from machiavel.search._stop cimport is_raised, set_flag
from machiavel.search._style cimport made_style
from machiavel.search._tree cimport (
    MULTI,
    OWN,
    PIMC,
    SINGLE,
    UNIFORM,
    WEIGHTED,
    Options,
    Tree,
    follow,
    free_tree,
    make_tree,
    plant,
)

from machiavel.engines.errors import NotToMove

cdef enum:
    SLICE = 4000000  # nanoseconds between two looks at what Python wants
    LEAST = 500000
    LONGEST_LINE = 64
    WORLDS_TRIED = 16  # for one as likely as the others' moves make it

cdef uint64_t ENDLESS = <uint64_t> 1 << 63

VARIANTS = {"single": SINGLE, "multi": MULTI, "pimc": PIMC}
POLICIES = {"uniform": UNIFORM, "weighted": WEIGHTED, "own": OWN}


cdef Options search_options(game, rules, parameters, deepest) except *:
    """The options of a tree from SearchParameters made for a game."""
    cdef Options options
    options.variant = VARIANTS[parameters.variant]
    options.policy = POLICIES[parameters.policy]
    options.exploration = parameters.exploration
    options.prior = parameters.prior
    options.worlds = parameters.worlds if options.variant == PIMC else 0
    options.inference = WORLDS_TRIED if parameters.inference else 0
    options.cutoff = parameters.cutoff
    options.deepest = deepest
    options.style = made_style(game, rules, parameters.style)
    return options


cdef class Search:
    """One search for one view: run in one thread, read and stopped from any."""

    cdef Tree *tree
    cdef int32_t stopped
    cdef uint64_t counted  # iterations, up to the last slice
    cdef View view
    cdef object turn  # to use the tree: a slice, or a look

    def __cinit__(self, View view, moves, parameters, size_t arena, deepest=0, bint explain=False):
        """`moves` are the root's moves to search, a sorted part of the legal ones; `parameters` are complete."""
        cdef Options options = search_options(view.game, view.rules, parameters, deepest)
        self.turn = threading.Lock()
        self.tree = make_tree(view._game.engine, view.rules_pointer, &options, arena)
        if explain and view._game.engine.metrics is not NULL:
            self.tree.metric_count = <uint32_t> len(view.game.plugin.metrics(view.rules))
            self.tree.metrics = <double *> calloc(MACHIAVEL_MAX_MOVES * self.tree.metric_count + 1, sizeof(double))
            if self.tree.metrics is NULL:
                raise MemoryError
        self.begin(view, moves, parameters.seed, False)

    def __dealloc__(self):
        free_tree(self.tree)

    def go_on(self, View view, moves, seed):
        """Search another position, under the same rules; what was found out in the same match goes on counting."""
        if view.rules is not self.view.rules:
            raise ValueError("a search goes on under the rules it was made for")
        with self.turn:
            self.begin(view, moves, seed, True)

    def begin(self, View view, moves, seed, bint keep):
        cdef machiavel_move numbers[MACHIAVEL_MAX_MOVES]
        cdef uint32_t i
        for i, move in enumerate(moves):
            numbers[i] = move
        set_flag(&self.stopped, 0)
        plant(self.tree, PyBytes_AsString(view.view), view.seat, numbers, <uint32_t> len(moves), seed, keep)
        for i in range(MACHIAVEL_MAX_MOVES * self.tree.metric_count):
            self.tree.metrics[i] = 0
        self.view = view
        self.counted = self.tree.iterations
        self.check_fault()

    cdef int check_fault(self) except -1:
        """Raises what the game's own code met in this thread; the search ends there, whoever shares the rules goes on."""
        if has_fault(self.tree.engine, self.tree.rules):
            raise self.view.game.plugin.fault_error(self.view.rules)
        return 0

    def stop(self):
        """Ends a running `run` within microseconds; may be called from any thread."""
        set_flag(&self.stopped, 1)

    def run(self, iterations, deadline, slices=None, Background background=None):
        """Search until there are so many iterations in all or time.monotonic() passes the deadline (None: no such bound).

        Returns why it ended: `iterations`, `time` or `stopped`; None after so many slices of a few milliseconds. May be called
        again. With a `background` it is that one's thread that searches.
        """
        cdef uint64_t most
        cdef int64_t now, end, until
        end = 0 if deadline is None else max(1, <int64_t> (deadline * 1e9))
        while slices is None or slices > 0:
            now = time.monotonic_ns()
            if is_raised(&self.stopped):
                return "stopped"
            if iterations is not None and self.tree.iterations >= iterations:
                return "iterations"
            if end and now >= end and self.tree.iterations:
                return "time"
            until = now + SLICE
            if end:  # some answer there is, however late the question
                until = max(min(end, until), now + LEAST)
            with self.turn:
                most = ENDLESS if iterations is None else iterations - self.tree.iterations
                if background is not None:
                    background.search(self.tree, most, until, &self.stopped, self.view)
                else:
                    with nogil:
                        advance(self.tree, most, until, &self.stopped)
                self.counted = self.tree.iterations
            self.check_fault()
            if slices is not None:
                slices -= 1
        return None

    def play_worlds(self, uint64_t worlds):
        """So many worlds played out as iterations are, but without a tree: what a search spends on its tree is the difference."""
        with self.turn:
            with nogil:
                play_worlds(self.tree, worlds, &self.stopped)
        self.check_fault()

    @property
    def iterations(self):
        """How many there were at the end of the last slice; under the GIL, while the tree's own count goes on without it."""
        return self.counted

    def look(self, uint32_t least_visits=0, uint32_t line_length=0):
        """How it stands, per root move in the order given: visits, sums of utilities, of squares, of metrics, the line after it,
        and how many of the visits the metrics are of: not those of earlier searches.

        Lines, as (seat, move), are of moves at least so often visited.
        """
        with self.turn:
            return [
                (
                    self.tree.root[i].visits,
                    self.tree.root[i].total,
                    self.tree.root[i].squares,
                    [self.tree.metrics[i * self.tree.metric_count + j] for j in range(self.tree.metric_count)],
                    self.line(i, least_visits, line_length),
                    self.tree.root[i].visits - self.tree.root[i].carried,
                )
                for i in range(self.tree.root_count)
            ]

    cdef list line(self, uint32_t root, uint32_t least_visits, uint32_t most):
        cdef int32_t seats[LONGEST_LINE]
        cdef uint16_t moves[LONGEST_LINE]
        cdef uint32_t i, length
        if most == 0:
            return []
        length = follow(self.tree, root, least_visits, min(most, <uint32_t> LONGEST_LINE), seats, moves)
        self.check_fault()
        return [(seats[i], moves[i]) for i in range(length)]

    def statistics(self):
        """How the tree stands: nodes, edges, mean depth, the share of nodes met again, how often there was no room."""
        with self.turn:
            return {
                "nodes": self.tree.arena.nodes,
                "edges": self.tree.arena.edges,
                "given_up": self.tree.arena.given_up,
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
