"""The tree of an information-set search: what it is searched with, what it found, and its nodes in an arena."""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

from machiavel.engines.abi cimport (
    MACHIAVEL_MAX_MOVES,
    MACHIAVEL_MAX_SEATS,
    machiavel_engine,
    machiavel_luck,
    machiavel_move,
    machiavel_rng,
)
from machiavel.search._arena cimport Arena, Edge
from machiavel.search._style cimport Style


cdef enum:  # how nodes are told apart
    SINGLE  # by what the root's seat sees
    MULTI  # by the mover and what it has observed since the root
    PIMC  # each world by itself

cdef enum:  # how playouts go
    UNIFORM
    WEIGHTED  # by the engine's weights
    OWN  # the root's seat by the engine's weights, the others uniformly


cdef struct Options:
    int variant
    int policy
    float exploration
    float prior  # how much the engine's weights count for a move not yet visited
    uint32_t worlds
    uint32_t inference  # worlds tried in turn for one as likely as the others' moves make it; 0: the first is taken
    uint32_t cutoff  # plies of a playout after which the engine's estimate stands for the rest; 0: none
    uint32_t deepest  # edges a descent may walk; 0: as many as there are
    Style style  # of the root's seat


cdef struct RootMove:
    double total
    double squares
    uint64_t visits
    uint64_t carried  # of them, from earlier searches
    uint32_t move


cdef struct Tree:
    const machiavel_engine *engine
    const void *rules
    const void *view
    int seat
    uint32_t seats
    Options options
    machiavel_luck luck
    machiavel_rng rng
    void *world
    void *worlds  # pimc: the worlds searched apart
    void *before  # multi: the state before a move
    void *beginning  # the world as it was at the root, for the engine's metrics
    Arena *arena
    uint32_t root_depth
    Edge **path
    int32_t *movers
    uint32_t path_limit
    uint64_t observations[MACHIAVEL_MAX_SEATS]
    RootMove root[MACHIAVEL_MAX_MOVES]
    uint32_t root_count
    double[MACHIAVEL_MAX_SEATS] totals  # of utilities, by seat; with a style alone
    double *metrics  # per root move the sums of the engine's metrics; NULL: not measured
    uint32_t metric_count
    uint64_t iterations
    uint64_t depth_total  # edges walked
    uint64_t met_again  # nodes found, not made
    uint64_t met
    uint64_t refused  # nodes and edges that found no room


# Allocation takes the GIL's holder by the hand; all the rest allocates nothing.
cdef Tree *make_tree(const machiavel_engine *engine, const void *rules, const Options *options, size_t arena) except NULL
cdef void free_tree(Tree *tree) noexcept

# Begin a search; `view` must live as long as it goes on, `moves` are the root's moves to search, ascending. With `keep`, what
# earlier searches of the same match found out about this position and those after it goes on counting.
cdef void plant(Tree *tree, const void *view, int seat, const machiavel_move *moves, uint32_t count, uint64_t seed,
                bint keep) noexcept nogil
# The most visited way on after the root's move of that number, in one world: seats and moves; returns how many. The tree stays as
# it is.
cdef uint32_t follow(Tree *tree, uint32_t root, uint32_t least_visits, uint32_t most, int32_t *seats,
                     uint16_t *moves) noexcept nogil
# The root move visited most, of those the one with the higher mean, of those the first.
cdef uint32_t best_root_move(const Tree *tree) noexcept nogil
# A root move with a chance proportional to that power of its visits; 0: the best. None whose mean is below the best's by more
# than the slack's part of what the best is below 1. `at` is drawn uniformly from 0 to 1. A best one
# that looks like a sure win is taken, since after few lines others may look like one as well.
cdef uint32_t drawn_root_move(const Tree *tree, uint32_t sharpness, double slack, double at) noexcept nogil

# What an iteration begins with, and what tells nodes apart.
cdef void start_world(Tree *tree, uint64_t *number) noexcept nogil
cdef uint64_t node_key(const Tree *tree, const void *state, int seat, uint64_t world) noexcept nogil
cdef void observe(Tree *tree, machiavel_move move) noexcept nogil
