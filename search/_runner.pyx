"""Matches between bots in compiled code, without the GIL: each deal in each seating, every bot from its view."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from machiavel.engines._face cimport Game
from machiavel.engines.abi cimport (
    MACHIAVEL_MAX_METRICS,
    MACHIAVEL_MAX_MOVES,
    MACHIAVEL_MAX_SEATS,
    MACHIAVEL_QUICK,
    MACHIAVEL_SEEDED,
    MACHIAVEL_STOP_AT_HORIZON,
    machiavel_below,
    machiavel_engine,
    machiavel_luck,
    machiavel_mix,
    machiavel_move,
    machiavel_next,
    machiavel_rng,
)
from machiavel.search._descent cimport advance
from machiavel.search._search cimport search_options
from machiavel.search._tree cimport Options, Tree, drawn_root_move, free_tree, make_tree, plant

cdef enum:
    CONTESTANTS = 64
    BYTES_AN_ITERATION = 256

cdef enum:
    RANDOM
    GREEDY
    SEARCH


cdef struct Contestant:
    int kind
    uint64_t iterations
    uint64_t seed
    uint32_t sharpness
    bint reuse  # whether a tree is kept from move to move of a match
    bint begun[MACHIAVEL_MAX_SEATS]  # whether it has moved in this match
    Tree *trees[MACHIAVEL_MAX_SEATS]  # by seat; without reuse, one for all


cdef class Runner:
    """Bots at a table of one game. Not to be used from two threads at once, but for `stop`."""

    cdef Game game
    cdef object rules
    cdef const machiavel_engine *engine
    cdef const void *rules_pointer
    cdef Contestant contestants[CONTESTANTS]
    cdef int count
    cdef void *state
    cdef void *view
    cdef int32_t stopped

    def __cinit__(self, Game game, rules, contestants):
        """`contestants` are of kind `random`, `greedy` or `search`; parameters are complete."""
        cdef Options options
        cdef uint32_t seat
        cdef Contestant *contestant
        self.game = game
        self.rules = rules
        self.engine = game.engine
        self.rules_pointer = game.rules_pointer(rules)
        self.state = calloc(1, game.engine.state_size)
        self.view = calloc(1, game.engine.view_size)
        if self.state is NULL or self.view is NULL:
            raise MemoryError
        if len(contestants) > CONTESTANTS:
            raise ValueError(f"at most {CONTESTANTS} contestants")
        for one in contestants:
            contestant = &self.contestants[self.count]
            self.count += 1
            contestant.kind = {"random": RANDOM, "greedy": GREEDY, "search": SEARCH}[one.kind]
            if contestant.kind != SEARCH:
                continue
            contestant.iterations = one.iterations
            contestant.seed = one.parameters.seed
            contestant.sharpness = one.sharpness
            contestant.reuse = one.reuse
            options = search_options(one.parameters, one.deepest)
            arena = one.parameters.megabytes << 20
            if not one.reuse:
                arena = min(arena, BYTES_AN_ITERATION * one.iterations)
            for seat in range(rules.players if one.reuse else 1):
                contestant.trees[seat] = make_tree(self.engine, self.rules_pointer, &options, arena)

    def __dealloc__(self):
        cdef uint32_t i, seat
        for i in range(<uint32_t> self.count):
            for seat in range(MACHIAVEL_MAX_SEATS):
                free_tree(self.contestants[i].trees[seat])
        free(self.state)
        free(self.view)

    def stop(self):
        """Ends a running `play` soon; may be called from any thread. What it was playing is not counted."""
        self.stopped = 1

    def play(self, seed, first, int64_t[:, ::1] seatings, int until_horizon, int64_t deals):
        """Deals from `first` on in all seatings: utilities [deal, seating, seat], metrics [deal, seating, metric], plies.

        A row depends on the seed, the number of the deal and the seating alone.
        """
        cdef uint32_t seats = self.rules.players, metric_count = len(self.game.plugin.metrics(self.rules)), i
        cdef int64_t deal, seating, seatings_count = seatings.shape[0]
        utilities = np.zeros((deals, seatings_count, seats), np.float32)
        metrics = np.zeros((deals, seatings_count, metric_count), np.float32)
        plies = np.zeros((deals, seatings_count), np.uint32)
        cdef float[:, :, ::1] utilities_at = utilities
        cdef float[:, :, ::1] metrics_at = metrics
        cdef uint32_t[:, ::1] plies_at = plies
        cdef machiavel_luck luck
        cdef float measured[MACHIAVEL_MAX_METRICS]
        cdef float shares[MACHIAVEL_MAX_SEATS]
        cdef uint64_t low = <uint64_t> (seed & 0xFFFFFFFFFFFFFFFF), number, first_deal = first
        memset(&luck, 0, sizeof(luck))
        luck.flags = MACHIAVEL_SEEDED | MACHIAVEL_QUICK | (MACHIAVEL_STOP_AT_HORIZON if until_horizon else 0)
        luck.seed[1] = <uint64_t> (seed >> 64)
        with nogil:
            for deal in range(deals):
                number = first_deal + <uint64_t> deal
                luck.seed[0] = machiavel_mix(low ^ machiavel_mix(number + 1))
                for seating in range(seatings_count):
                    plies_at[deal, seating] = self.play_match(&luck, &seatings[seating, 0], number)
                    if self.stopped:
                        break
                    self.engine.utilities(self.rules_pointer, self.state, shares)
                    for i in range(seats):
                        utilities_at[deal, seating, i] = shares[i]
                    if metric_count:
                        self.engine.metrics(self.rules_pointer, NULL, self.state, measured)
                        for i in range(metric_count):
                            metrics_at[deal, seating, i] = measured[i]
                if self.stopped:
                    break
        return utilities, metrics, plies

    cdef uint32_t play_match(self, machiavel_luck *luck, const int64_t *seating, uint64_t deal) noexcept nogil:
        cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
        cdef uint32_t plies = 0, count, pick, i
        cdef Contestant *contestant
        cdef int seat
        for i in range(<uint32_t> self.count):
            memset(self.contestants[i].begun, 0, sizeof(self.contestants[i].begun))
        self.engine.deal(self.rules_pointer, luck, self.state)
        while not self.stopped:
            seat = self.engine.to_move(self.rules_pointer, self.state)
            if seat < 0:
                break
            count = self.engine.legal_moves(self.rules_pointer, self.state, seat, moves)
            contestant = &self.contestants[seating[seat]]
            pick = 0
            if count > 1:
                pick = self.choose(contestant, seat, moves, count, machiavel_mix(deal * 4096 + plies) + <uint64_t> seat)
            self.engine.apply(self.rules_pointer, self.state, moves[pick], luck)
            plies += 1
        return plies

    cdef uint32_t choose(self, Contestant *contestant, int seat, const machiavel_move *moves, uint32_t count,
                         uint64_t decision) noexcept nogil:
        """Which move; `decision` numbers it, so that a bot's luck is its own and never the deal's."""
        cdef float weights[MACHIAVEL_MAX_MOVES]
        cdef machiavel_rng rng
        cdef uint32_t i, best = 0
        cdef Tree *tree
        if contestant.kind == RANDOM:
            rng.state = machiavel_mix(decision ^ <uint64_t> 0x9e3779b97f4a7c15)
            return machiavel_below(&rng, count)
        if contestant.kind == GREEDY:
            self.engine.weights(self.rules_pointer, self.state, moves, count, weights)
            for i in range(1, count):
                if weights[i] > weights[best]:
                    best = i
            return best
        self.engine.view(self.rules_pointer, self.state, seat, self.view)
        tree = contestant.trees[seat if contestant.reuse else 0]
        plant(tree, self.view, seat, moves, count, machiavel_mix(contestant.seed ^ decision), contestant.begun[seat])
        contestant.begun[seat] = contestant.reuse
        advance(tree, contestant.iterations, 0, &self.stopped)
        rng.state = machiavel_mix(contestant.seed ^ decision ^ <uint64_t> 0x2545f4914f6cdd1d)
        return drawn_root_move(tree, contestant.sharpness, (machiavel_next(&rng) >> 11) * (1.0 / 9007199254740992.0))
