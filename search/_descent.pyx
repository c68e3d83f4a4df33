"""Information-set Monte Carlo tree search, iteration by iteration.

After Cowling, Powley & Whitehouse, "Information Set Monte Carlo Tree Search" (2012). A move always comes from the world's legal
moves, never from the node; nodes reached by different orders merge; the graph has no cycles, since a key names its ply.
"""

from libc.math cimport sqrtf
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memmove, memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from machiavel.engines._loading cimport has_fault
from machiavel.engines.abi cimport (
    MACHIAVEL_MAX_METRICS,
    MACHIAVEL_MAX_MOVES,
    MACHIAVEL_MAX_SEATS,
    machiavel_below,
    machiavel_move,
    machiavel_next,
)
from machiavel.search._arena cimport Edge, Node, add_node, edges_of, find_node, room, widened
from machiavel.search._stop cimport is_raised
from machiavel.search._style cimport aimed
from machiavel.search._tree cimport OWN, SINGLE, UNIFORM, WEIGHTED, Tree, node_key, observe, start_world

cdef extern from *:
    void prefetch "__builtin_prefetch"(const void *at) noexcept nogil

cdef enum:
    LOGARITHMS = 4096
    TIMED_EVERY = 8  # iterations between two looks at the clock
    NO_CUTOFF = 0xFFFFFFFF

cdef float[LOGARITHMS] LOGARITHM
cdef float LOGARITHM_OF_2 = 0.69314718


cdef double natural_logarithm(double x) noexcept nogil:
    """By the series of artanh, the same on every machine: libm's is not."""
    cdef double whole = 0, y, power, total = 0
    cdef int term
    while x > 1.5:
        x /= 2
        whole += 0.6931471805599453
    y = (x - 1) / (x + 1)
    power = y
    for term in range(1, 40, 2):
        total += power / term
        power *= y * y
    return whole + 2 * total


cdef void fill_logarithms() noexcept nogil:
    cdef uint32_t i
    LOGARITHM[0] = 0
    for i in range(1, LOGARITHMS):
        LOGARITHM[i] = <float> natural_logarithm(i)


fill_logarithms()


cdef inline float logarithm(uint32_t n) noexcept nogil:
    cdef float shifts = 0
    while n >= LOGARITHMS:
        n >>= 1
        shifts += LOGARITHM_OF_2
    return LOGARITHM[n] + shifts


cdef void advance(Tree *tree, uint64_t iterations, int64_t until, const int32_t *stop) noexcept nogil:
    cdef timespec now
    cdef uint64_t done
    for done in range(iterations):
        if is_raised(stop):
            return
        if until and done % TIMED_EVERY == 0:
            clock_gettime(CLOCK_MONOTONIC, &now)
            if <int64_t> now.tv_sec * 1000000000 + now.tv_nsec >= until:
                return
        iterate(tree)
        if has_fault(tree.engine, tree.rules):
            return


cdef void play_worlds(Tree *tree, uint64_t worlds, const int32_t *stop) noexcept nogil:
    cdef float utilities[MACHIAVEL_MAX_SEATS]
    cdef uint64_t number = 0, _world
    for _world in range(worlds):
        if is_raised(stop):
            return
        begin(tree, &number)
        play_out(tree, utilities)
        if has_fault(tree.engine, tree.rules):
            return


cdef inline void begin(Tree *tree, uint64_t *number) noexcept nogil:
    tree.luck.seed[0] = machiavel_next(&tree.rng)
    tree.luck.seed[1] = machiavel_next(&tree.rng)
    start_world(tree, number)


cdef inline void iterate(Tree *tree) noexcept nogil:
    cdef float utilities[MACHIAVEL_MAX_SEATS]
    cdef uint32_t depth
    cdef uint64_t number = 0
    begin(tree, &number)
    if tree.metrics is not NULL:
        memcpy(tree.beginning, tree.world, tree.engine.state_size)
    depth = descend(tree, number)
    play_out(tree, utilities)
    tree.iterations += 1
    tree.depth_total += depth
    if depth:
        back_up(tree, depth, utilities)


cdef inline uint32_t descend(Tree *tree, uint64_t number) noexcept nogil:
    """Walk down the tree and one new edge beyond it; returns how many edges."""
    cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
    cdef uint32_t depth = 0, count
    cdef uint32_t deepest = tree.options.deepest if tree.options.deepest else tree.path_limit
    cdef bint is_new = False, watched = tree.options.variant != SINGLE
    cdef int seat
    cdef Node *node
    cdef Edge *edge
    if watched:
        memset(tree.observations, 0, sizeof(tree.observations))
    while not is_new and depth < deepest:
        seat = tree.engine.to_move(tree.rules, tree.world)
        if seat < 0:
            break
        # The node before the moves: these are found while it comes from memory.
        node = meet(tree, node_key(tree, tree.world, seat, number), tree.root_depth + depth)
        if node is NULL:
            break
        if depth:
            count = tree.engine.legal_moves(tree.rules, tree.world, seat, moves)
        else:
            count = root_moves(tree, moves)
        edge = choose(tree, node, moves, count, &is_new)
        if edge is NULL:
            break
        tree.path[depth] = edge
        tree.movers[depth] = seat
        depth += 1
        if watched:
            memcpy(tree.before, tree.world, tree.engine.state_size)
        tree.engine.apply(tree.rules, tree.world, edge.move, &tree.luck)
        if watched:
            observe(tree, edge.move)
    return depth


cdef inline uint32_t root_moves(const Tree *tree, machiavel_move *moves) noexcept nogil:
    cdef uint32_t i
    for i in range(tree.root_count):
        moves[i] = <machiavel_move> tree.root[i].move
    return tree.root_count


cdef inline Node *meet(Tree *tree, uint64_t key, uint32_t depth) noexcept nogil:
    """The node of a key, made if there is room; NULL if there is none."""
    cdef Node *node = find_node(tree.arena, key)
    tree.met += 1
    if node is not NULL:
        prefetch(<char *> node + 64)  # its edges go on there
        tree.met_again += 1
        node.met = 1
        return node
    node = add_node(tree.arena, key, depth)
    tree.refused += node is NULL
    return node


cdef inline Edge *choose(Tree *tree, Node *node, const machiavel_move *moves, uint32_t count, bint *is_new) noexcept nogil:
    """An edge for one of the legal moves: an untried one at random, else the best by UCB1 over availability; NULL: no room."""
    cdef uint16_t untried[MACHIAVEL_MAX_MOVES]
    cdef uint32_t i, untried_count = 0, pick
    cdef Edge *edge = edges_of(node)
    cdef Edge *end = edge + node.count
    cdef Edge *best = NULL
    cdef float weight = 0, value, most = -1, exploration = tree.options.exploration, prior = tree.options.prior
    for i in range(count):
        while edge < end and edge.move < moves[i]:
            edge += 1
        if edge < end and edge.move == moves[i]:
            edge.available += 1
            value = edge.mean + exploration * sqrtf(logarithm(edge.available) / <float> <int32_t> edge.visits)
            if prior > 0:
                value += prior * edge.prior / (<float> 65535 * (1 + <float> <int32_t> edge.visits))
            # Without a branch: which edge is the best so far cannot be predicted.
            best = edge if value > most else best
            most = value if value > most else most
        else:
            untried[untried_count] = moves[i]
            untried_count += 1
    if untried_count:
        pick = machiavel_below(&tree.rng, untried_count)
        if prior > 0:
            pick = heaviest_untried(tree, moves, count, untried, untried_count, &weight)
        edge = add_edge(tree, node, untried[pick], weight)
        if edge is not NULL:
            is_new[0] = True
            return edge
    return best


cdef inline Edge *add_edge(Tree *tree, Node *node, machiavel_move move, float weight) noexcept nogil:
    """A new edge among the node's; NULL if there is no room."""
    cdef Edge *edges
    cdef uint32_t at
    if node.count == room(node):
        node = widened(tree.arena, node)
        if node is NULL:
            tree.refused += 1
            return NULL
    edges = edges_of(node)
    at = node.count
    while at and edges[at - 1].move > move:
        at -= 1
    memmove(&edges[at + 1], &edges[at], (node.count - at) * sizeof(Edge))
    node.count += 1
    tree.arena.edges += 1
    edges[at].visits = 0
    edges[at].available = 1
    edges[at].mean = 0
    edges[at].move = move
    edges[at].prior = <uint16_t> (65535 * weight)
    return &edges[at]


cdef uint32_t heaviest_untried(Tree *tree, const machiavel_move *moves, uint32_t count, const uint16_t *untried,
                               uint32_t untried_count, float *share) noexcept nogil:
    """Which untried move the engine likes best, and its share of the weights."""
    cdef float weights[MACHIAVEL_MAX_MOVES]
    cdef float total = 0, most = -1
    cdef uint32_t i, at = 0, best = 0
    tree.engine.weights(tree.rules, tree.world, moves, count, weights)
    for i in range(count):
        total += weights[i]
        if at < untried_count and untried[at] == moves[i]:
            if weights[i] > most:
                most = weights[i]
                best = at
            at += 1
    share[0] = most / total
    return best


cdef inline void back_up(Tree *tree, uint32_t depth, float *utilities) noexcept nogil:
    cdef uint32_t i, root = 0
    cdef double utility = utilities[tree.seat]
    cdef Edge *edge
    if tree.options.style.is_set:  # the root's seat chooses by it, and is told its true utility
        utilities[tree.seat] = aimed(&tree.options.style, tree.engine, tree.rules, tree.world, tree.seat, tree.seats, utilities,
                                     tree.totals)
    for i in range(depth):
        edge = tree.path[i]
        edge.visits += 1
        edge.mean += (utilities[tree.movers[i]] - edge.mean) / <float> <int32_t> edge.visits
    while tree.root[root].move != tree.path[0].move:
        root += 1
    tree.root[root].visits += 1
    tree.root[root].total += utility
    tree.root[root].squares += utility * utility
    if tree.metrics is not NULL:
        measure(tree, root)


cdef void measure(Tree *tree, uint32_t root) noexcept nogil:
    cdef float measured[MACHIAVEL_MAX_METRICS]
    cdef uint32_t i
    tree.engine.metrics(tree.rules, tree.beginning, tree.world, measured)
    for i in range(tree.metric_count):
        tree.metrics[root * tree.metric_count + i] += measured[i]


# ---- Playouts ----

cdef inline void play_out(Tree *tree, float *utilities) noexcept nogil:
    """Play on to the end, or to the cutoff, and tell what it comes to."""
    cdef uint32_t left = tree.options.cutoff if tree.options.cutoff else <uint32_t> NO_CUTOFF
    if tree.options.policy == UNIFORM and tree.options.cutoff == 0 and tree.engine.playout is not NULL:
        tree.engine.playout(tree.rules, tree.world, &tree.rng, &tree.luck)
    else:
        while left and play_one(tree):
            left -= 1
    if left:
        tree.engine.utilities(tree.rules, tree.world, utilities)
    else:
        tree.engine.evaluate(tree.rules, tree.world, utilities)


cdef inline bint play_one(Tree *tree) noexcept nogil:
    """A move by the policy; False where nobody is to move."""
    cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
    cdef uint32_t count, pick
    cdef int seat = tree.engine.to_move(tree.rules, tree.world)
    if seat < 0:
        return False
    count = tree.engine.legal_moves(tree.rules, tree.world, seat, moves)
    if tree.options.policy == WEIGHTED or (tree.options.policy == OWN and seat == tree.seat):
        pick = weighted_pick(tree, moves, count)
    else:
        pick = machiavel_below(&tree.rng, count)
    tree.engine.apply(tree.rules, tree.world, moves[pick], &tree.luck)
    return True


cdef uint32_t weighted_pick(Tree *tree, const machiavel_move *moves, uint32_t count) noexcept nogil:
    cdef float weights[MACHIAVEL_MAX_MOVES]
    cdef float total = 0
    cdef double at
    cdef uint32_t i
    tree.engine.weights(tree.rules, tree.world, moves, count, weights)
    for i in range(count):
        total += weights[i]
    at = <double> (machiavel_next(&tree.rng) >> 11) * (1.0 / 9007199254740992.0) * total
    for i in range(count - 1):
        at -= weights[i]
        if at < 0:
            return i
    return count - 1
