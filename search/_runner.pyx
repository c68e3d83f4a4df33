"""Matches between bots in compiled code, without the GIL: each deal in each seating, every bot from its view."""

import numpy as np

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from machiavel.engines._face cimport Game
from machiavel.engines._loading cimport has_fault
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
from machiavel.search._stop cimport is_raised, set_flag
from machiavel.search._tree cimport Options, Tree, drawn_root_move, free_tree, make_tree, plant

cdef enum:
    CONTESTANTS = 64
    BYTES_AN_ITERATION = 256
    UNBOUNDED = 1 << 30  # bytes for the tree of a search that has a time instead of iterations
    TIMED_EVERY = 64  # moves of a bot that does not search: to read the clock costs as much as one of them

cdef enum:
    RANDOM
    GREEDY
    SEARCH


cdef struct Contestant:
    int kind
    uint64_t iterations
    int64_t nanoseconds  # for a move; 0: so many iterations
    uint64_t seed
    uint64_t decisions
    uint64_t timed  # of them
    int64_t time  # of those timed, in nanoseconds
    int64_t slowest
    uint32_t sharpness
    double slack
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
    cdef void *kept  # a decision of the match, each as likely as any other: the view of it
    cdef int kept_seat
    cdef uint32_t kept_ply
    cdef uint32_t decisions  # of the match so far
    cdef bint samples  # whether one is kept
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
        self.kept = calloc(1, game.engine.view_size)
        if self.state is NULL or self.view is NULL or self.kept is NULL:
            raise MemoryError
        if len(contestants) > CONTESTANTS:
            raise ValueError(f"at most {CONTESTANTS} contestants")
        for one in contestants:
            contestant = &self.contestants[self.count]
            self.count += 1
            contestant.kind = {"random": RANDOM, "greedy": GREEDY, "search": SEARCH}[one.kind]
            contestant.seed = one.seed
            if contestant.kind != SEARCH:
                continue
            contestant.iterations = one.iterations
            contestant.nanoseconds = round(one.seconds * 1e9)
            contestant.sharpness = one.sharpness
            contestant.slack = one.slack
            contestant.reuse = one.reuse
            options = search_options(game, rules, one.parameters, one.deepest)
            arena = one.parameters.megabytes << 20
            if not one.reuse:
                arena = min(arena, UNBOUNDED if one.seconds else BYTES_AN_ITERATION * one.iterations)
            for seat in range(rules.players if one.reuse else 1):
                contestant.trees[seat] = make_tree(self.engine, self.rules_pointer, &options, arena)

    def __dealloc__(self):
        cdef uint32_t i, seat
        for i in range(<uint32_t> self.count):
            for seat in range(MACHIAVEL_MAX_SEATS):
                free_tree(self.contestants[i].trees[seat])
        free(self.state)
        free(self.view)
        free(self.kept)

    @property
    def longest(self):
        """The most moves that a match can have."""
        return self.engine.max_plies(self.rules_pointer)

    def stop(self):
        """Ends a running `play` soon; may be called from any thread. What it was playing is not counted."""
        set_flag(&self.stopped, 1)

    def sample(self, seed, int64_t deal, int64_t[::1] seating):
        """Play one match, and tell of it the bytes of a view in which a seat had a choice, drawn from all such evenly, its seat,
        its ply, the plies of the match and what each seat won; None for a match without a choice.

        The answer depends on the seed, the number of the deal and the seating alone.
        """
        cdef machiavel_luck luck
        cdef float shares[MACHIAVEL_MAX_SEATS]
        cdef uint32_t plies, i
        begin_luck(&luck, seed, MACHIAVEL_QUICK)
        luck.seed[0] = low_seed(<uint64_t> (seed & 0xFFFFFFFFFFFFFFFF), <uint64_t> deal)
        self.samples = True
        with nogil:
            plies = self.play_match(&luck, &seating[0], <uint64_t> deal, NULL)
            self.engine.utilities(self.rules_pointer, self.state, shares)
        self.samples = False
        self.check_fault()
        if not self.decisions:
            return None
        view = PyBytes_FromStringAndSize(<char *> self.kept, self.engine.view_size)
        return view, self.kept_seat, self.kept_ply, plies, [shares[i] for i in range(<uint32_t> self.rules.players)]

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
        begin_luck(&luck, seed, MACHIAVEL_QUICK | (MACHIAVEL_STOP_AT_HORIZON if until_horizon else 0))
        with nogil:
            for deal in range(deals):
                number = first_deal + <uint64_t> deal
                luck.seed[0] = low_seed(low, number)
                for seating in range(seatings_count):
                    plies_at[deal, seating] = self.play_match(&luck, &seatings[seating, 0], number, NULL)
                    if is_raised(&self.stopped) or has_fault(self.engine, self.rules_pointer):
                        break
                    self.engine.utilities(self.rules_pointer, self.state, shares)
                    for i in range(seats):
                        utilities_at[deal, seating, i] = shares[i]
                    if metric_count:
                        self.engine.metrics(self.rules_pointer, NULL, self.state, measured)
                        for i in range(metric_count):
                            metrics_at[deal, seating, i] = measured[i]
                if is_raised(&self.stopped) or has_fault(self.engine, self.rules_pointer):
                    break
        self.check_fault()
        return utilities, metrics, plies

    def play_games(self, seed, const int64_t[::1] deals, const int64_t[:, ::1] seats, uint16_t[::1] moves):
        """Games one by one, each of the deal and with the bots it says: utilities, metrics and plies of those that were played.

        The moves stand one game after the other. Fewer games are played where `moves` has no room for the longest, and after
        `stop`. The luck is that of a match with the seed `seed_of_deal`, so that the moves make a record.
        """
        cdef uint32_t players = self.rules.players, metric_count = len(self.game.plugin.metrics(self.rules)), i
        cdef int64_t count = seats.shape[0], game, done = 0, room = moves.shape[0], used = 0
        cdef uint32_t longest = self.engine.max_plies(self.rules_pointer)
        if seats.shape[1] != players or deals.shape[0] != count or room < longest:
            raise ValueError(f"expected seats of {players}, a deal for each, and room for {longest} moves")
        utilities = np.zeros((count, players), np.float32)
        metrics = np.zeros((count, metric_count), np.float32)
        plies = np.zeros(count, np.uint32)
        cdef float[:, ::1] utilities_at = utilities
        cdef float[:, ::1] metrics_at = metrics
        cdef uint32_t[::1] plies_at = plies
        cdef float measured[MACHIAVEL_MAX_METRICS]
        cdef float shares[MACHIAVEL_MAX_SEATS]
        cdef machiavel_luck luck
        cdef uint64_t low = <uint64_t> (seed & 0xFFFFFFFFFFFFFFFF)
        begin_luck(&luck, seed, 0)
        with nogil:
            for game in range(count):
                if room - used < longest:
                    break
                luck.seed[0] = low_seed(low, deals[game])
                plies_at[game] = self.play_match(&luck, &seats[game, 0], deals[game], &moves[used])
                if is_raised(&self.stopped) or has_fault(self.engine, self.rules_pointer):
                    break
                used += plies_at[game]
                self.engine.utilities(self.rules_pointer, self.state, shares)
                for i in range(players):
                    utilities_at[game, i] = shares[i]
                if metric_count:
                    self.engine.metrics(self.rules_pointer, NULL, self.state, measured)
                    for i in range(metric_count):
                        metrics_at[game, i] = measured[i]
                done += 1
        self.check_fault()
        return utilities[:done], metrics[:done], plies[:done]

    cdef int check_fault(self) except -1:
        if has_fault(self.engine, self.rules_pointer):
            raise self.game.plugin.fault_error(self.rules)
        return 0

    def take_timings(self):
        """Of each contestant, since last asked: moves timed, the seconds they took, the longest of them."""
        cdef int i
        timings = []
        for i in range(self.count):
            one = &self.contestants[i]
            timings.append((one.timed, one.time / 1e9, one.slowest / 1e9))
            one.timed = one.time = one.slowest = 0
        return timings

    cdef uint32_t play_match(self, machiavel_luck *luck, const int64_t *seating, uint64_t deal,
                             uint16_t *record) noexcept nogil:
        cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
        cdef uint32_t plies = 0, count, pick, i
        cdef Contestant *contestant
        cdef int seat
        for i in range(<uint32_t> self.count):
            memset(self.contestants[i].begun, 0, sizeof(self.contestants[i].begun))
        self.decisions = 0
        self.engine.deal(self.rules_pointer, luck, self.state)
        while not is_raised(&self.stopped) and not has_fault(self.engine, self.rules_pointer):
            seat = self.engine.to_move(self.rules_pointer, self.state)
            if seat < 0:
                break
            count = self.engine.legal_moves(self.rules_pointer, self.state, seat, moves)
            contestant = &self.contestants[seating[seat]]
            pick = 0
            if count > 1:
                if self.samples:
                    self.keep(seat, plies, deal)
                pick = self.timed(contestant, seat, moves, count, machiavel_mix(deal * 4096 + plies) + <uint64_t> seat)
            if record is not NULL:
                record[plies] = moves[pick]
            self.engine.apply(self.rules_pointer, self.state, moves[pick], luck)
            plies += 1
        return plies

    cdef uint32_t timed(self, Contestant *contestant, int seat, const machiavel_move *moves, uint32_t count,
                        uint64_t decision) noexcept nogil:
        """`choose`, by the clock where that is worth its time."""
        cdef int64_t begun, taken
        cdef uint32_t pick
        contestant.decisions += 1
        if contestant.kind != SEARCH and contestant.decisions % TIMED_EVERY:
            return self.choose(contestant, seat, moves, count, decision, 0)
        begun = nanoseconds()
        pick = self.choose(contestant, seat, moves, count, decision, begun)
        taken = nanoseconds() - begun
        contestant.timed += 1
        contestant.time += taken
        contestant.slowest = max(contestant.slowest, taken)
        return pick

    cdef void keep(self, int seat, uint32_t ply, uint64_t deal) noexcept nogil:
        """Of all the decisions so far each is the one kept with the same chance."""
        cdef machiavel_rng rng
        self.decisions = self.decisions + 1  # as one step it would need the GIL where None is checked for
        rng.state = machiavel_mix(deal * 4096 + ply + <uint64_t> 0xd1b54a32d192ed03)
        if machiavel_below(&rng, self.decisions) == 0:
            self.engine.view(self.rules_pointer, self.state, seat, self.kept)
            self.kept_seat = seat
            self.kept_ply = ply

    cdef uint32_t choose(self, Contestant *contestant, int seat, const machiavel_move *moves, uint32_t count,
                         uint64_t decision, int64_t begun) noexcept nogil:
        """Which move; `decision` numbers it, so that a bot's luck is its own and never the deal's."""
        cdef float weights[MACHIAVEL_MAX_MOVES]
        cdef machiavel_rng rng
        cdef uint32_t i, best = 0
        cdef Tree *tree
        if contestant.kind == RANDOM:
            rng.state = machiavel_mix(contestant.seed ^ decision ^ <uint64_t> 0x9e3779b97f4a7c15)
            return machiavel_below(&rng, count)
        if contestant.kind == GREEDY:
            if self.engine.weights is NULL:
                return 0
            self.engine.weights(self.rules_pointer, self.state, moves, count, weights)
            for i in range(1, count):
                if weights[i] > weights[best]:
                    best = i
            return best
        self.engine.view(self.rules_pointer, self.state, seat, self.view)
        tree = contestant.trees[seat if contestant.reuse else 0]
        plant(tree, self.view, seat, moves, count, machiavel_mix(contestant.seed ^ decision), contestant.begun[seat])
        contestant.begun[seat] = contestant.reuse
        advance(tree, contestant.iterations, begun + contestant.nanoseconds if contestant.nanoseconds else 0, &self.stopped)
        rng.state = machiavel_mix(contestant.seed ^ decision ^ <uint64_t> 0x2545f4914f6cdd1d)
        return drawn_root_move(tree, contestant.sharpness, contestant.slack,
                               (machiavel_next(&rng) >> 11) * (1.0 / 9007199254740992.0))


cdef void begin_luck(machiavel_luck *luck, seed, uint32_t flags) except *:
    memset(luck, 0, sizeof(machiavel_luck))
    luck.flags = MACHIAVEL_SEEDED | flags
    luck.seed[1] = <uint64_t> (seed >> 64)


cdef int64_t nanoseconds() noexcept nogil:
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <int64_t> now.tv_sec * 1000000000 + now.tv_nsec


cdef uint64_t low_seed(uint64_t low, uint64_t deal) noexcept nogil:
    return machiavel_mix(low ^ machiavel_mix(deal + 1))


def seed_of_deal(seed, deal):
    """The seed of the match in which a deal of that number is played."""
    return seed >> 64 << 64 | low_seed(seed & 0xFFFFFFFFFFFFFFFF, deal)
