"""The tree of an information-set search: nodes in one table, edges in one pool, both in a bounded arena."""

from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t

from machiavel.engines.abi cimport (
    MACHIAVEL_MAX_MOVES,
    MACHIAVEL_MAX_SEATS,
    machiavel_engine,
    machiavel_luck,
    machiavel_move,
    machiavel_rng,
)


cdef enum:  # how nodes are told apart
    SINGLE  # by what the root's seat sees
    MULTI  # by the mover and what it has observed since the root
    PIMC  # each world by itself

cdef enum:  # how playouts go
    UNIFORM
    WEIGHTED  # by the engine's weights


cdef struct Options:
    int variant
    int policy
    float exploration
    float prior  # how much the engine's weights count for a move not yet visited
    uint32_t worlds
    uint32_t deepest  # edges a descent may walk; 0: as many as there are


cdef struct Edge:
    uint32_t visits
    uint32_t available  # how often the move was legal when its node was visited (Cowling, Powley & Whitehouse 2012)
    float total  # utility of the mover
    uint16_t move
    uint16_t prior  # its share of the node's weights, of 65535


cdef struct Node:
    uint64_t key  # 0: free
    uint32_t first  # edge, ascending by move
    uint16_t count
    uint16_t room


cdef struct RootMove:
    double total
    double squares
    uint32_t visits
    uint32_t move


cdef struct Tree:
    const machiavel_engine *engine
    const void *rules
    const void *view
    int seat
    Options options
    machiavel_luck luck
    machiavel_rng rng
    void *world
    void *worlds  # pimc: the worlds searched apart
    void *before  # multi: the state before a move
    Node *nodes
    uint64_t node_mask
    uint32_t node_count
    uint32_t node_limit
    Edge *edges
    uint32_t edge_count
    uint32_t edge_limit
    uint32_t *path  # edges
    int32_t *movers
    uint32_t path_limit
    uint64_t observations[MACHIAVEL_MAX_SEATS]
    RootMove root[MACHIAVEL_MAX_MOVES]
    uint32_t root_count
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

# Begin a search; `view` must live as long as it goes on, `moves` are the root's moves to search, ascending.
cdef void plant(Tree *tree, const void *view, int seat, const machiavel_move *moves, uint32_t count,
                uint64_t seed) noexcept nogil
cdef void advance(Tree *tree, uint64_t iterations, const int32_t *stop) noexcept nogil
# The most visited way on from the root, in one world: seats and moves; returns how many. The tree stays as it is.
cdef uint32_t follow(Tree *tree, uint32_t least_visits, uint32_t most, int32_t *seats, uint16_t *moves) noexcept nogil
# The root move visited most, of those the one with the higher mean, of those the first.
cdef uint32_t best_root_move(const Tree *tree) noexcept nogil
