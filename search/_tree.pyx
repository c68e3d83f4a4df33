"""Information-set Monte Carlo tree search: one iteration is a world, a descent, a playout and the way back up.

After Cowling, Powley & Whitehouse, "Information Set Monte Carlo Tree Search" (2012). A move always comes from the world's legal
moves, never from the node; nodes reached by different orders merge; the graph has no cycles, since a key names its ply.
"""

from libc.math cimport sqrtf
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memmove, memset

from machiavel.engines.abi cimport (
    MACHIAVEL_MAX_METRICS,
    MACHIAVEL_MAX_MOVES,
    MACHIAVEL_MAX_SEATS,
    MACHIAVEL_QUICK,
    MACHIAVEL_SEEDED,
    MACHIAVEL_SPECTATOR,
    MACHIAVEL_STOP_AT_HORIZON,
    machiavel_below,
    machiavel_engine,
    machiavel_fold,
    machiavel_mix,
    machiavel_move,
    machiavel_next,
)

cdef enum:
    LOGARITHMS = 4096
    EDGES_A_NODE = 6  # room reckoned for each node of the arena
    LEAST_NODES = 64
    NOTHING = 0xFFFFFFFF
    STOP_EVERY = 64  # iterations between two looks at the stop flag

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


# ---- A tree's life ----

cdef Tree *make_tree(const machiavel_engine *engine, const void *rules, const Options *options, size_t arena) except NULL:
    cdef Tree *tree = <Tree *> calloc(1, sizeof(Tree))
    cdef size_t nodes = LEAST_NODES
    if tree is NULL:
        raise MemoryError
    tree.engine = engine
    tree.rules = rules
    tree.options = options[0]
    tree.luck.flags = MACHIAVEL_SEEDED | MACHIAVEL_QUICK | MACHIAVEL_STOP_AT_HORIZON
    tree.path_limit = engine.max_plies(rules) + 1
    # Half the table stays free, so that looking up is short.
    while 2 * nodes * (2 * sizeof(Node) + EDGES_A_NODE * sizeof(Edge)) <= arena:
        nodes *= 2
    tree.node_limit = <uint32_t> nodes
    tree.node_mask = 2 * nodes - 1
    tree.edge_limit = <uint32_t> (EDGES_A_NODE * nodes) + MACHIAVEL_MAX_MOVES
    tree.nodes = <Node *> calloc(2 * nodes, sizeof(Node))
    tree.edges = <Edge *> calloc(tree.edge_limit, sizeof(Edge))
    tree.path = <uint32_t *> calloc(tree.path_limit, sizeof(uint32_t))
    tree.movers = <int32_t *> calloc(tree.path_limit, sizeof(int32_t))
    tree.world = calloc(2 + options.worlds, engine.state_size)
    if tree.nodes is NULL or tree.edges is NULL or tree.path is NULL or tree.movers is NULL or tree.world is NULL:
        free_tree(tree)
        raise MemoryError
    tree.before = <char *> tree.world + engine.state_size
    tree.worlds = <char *> tree.before + engine.state_size
    return tree


cdef void free_tree(Tree *tree) noexcept:
    if tree is NULL:
        return
    free(tree.nodes)
    free(tree.edges)
    free(tree.path)
    free(tree.movers)
    free(tree.world)
    free(tree.metrics)
    free(tree)


cdef void plant(Tree *tree, const void *view, int seat, const machiavel_move *moves, uint32_t count,
                uint64_t seed) noexcept nogil:
    cdef uint32_t i
    if tree.iterations:
        memset(tree.nodes, 0, (tree.node_mask + 1) * sizeof(Node))
    tree.view = view
    tree.seat = seat
    tree.rng.state = machiavel_mix(seed + 1)
    tree.node_count = 0
    tree.edge_count = 0
    tree.iterations = 0
    tree.depth_total = 0
    tree.met_again = 0
    tree.met = 0
    tree.refused = 0
    tree.root_count = count
    memset(tree.root, 0, sizeof(tree.root))
    for i in range(count):
        tree.root[i].move = moves[i]


cdef uint32_t best_root_move(const Tree *tree) noexcept nogil:
    cdef uint32_t i, best = 0
    for i in range(1, tree.root_count):
        if tree.root[i].visits > tree.root[best].visits or (
            tree.root[i].visits == tree.root[best].visits and tree.root[i].total > tree.root[best].total
        ):
            best = i
    return best


cdef uint32_t follow(Tree *tree, uint32_t least_visits, uint32_t most, int32_t *seats, uint16_t *moves) noexcept nogil:
    cdef machiavel_move legal[MACHIAVEL_MAX_MOVES]
    cdef uint64_t kept = tree.rng.state, number = 0
    cdef uint32_t length = 0, count, i, at, best
    cdef int seat
    cdef Node *node
    cdef Edge *edges
    memset(tree.observations, 0, sizeof(tree.observations))
    start_world(tree, &number)
    while length < most:
        seat = tree.engine.to_move(tree.rules, tree.world)
        if seat < 0:
            break
        count = tree.engine.legal_moves(tree.rules, tree.world, seat, legal) if length else root_moves(tree, legal)
        node = known_node(tree, node_key(tree, tree.world, seat, number))
        if node is NULL:
            break
        edges = &tree.edges[node.first]
        best = <uint32_t> NOTHING
        at = 0
        for i in range(count):
            while at < node.count and edges[at].move < legal[i]:
                at += 1
            if at < node.count and edges[at].move == legal[i] and edges[at].visits >= least_visits and (
                best == <uint32_t> NOTHING or edges[at].visits > edges[best].visits
            ):
                best = at
        if best == <uint32_t> NOTHING:
            break
        seats[length] = seat
        moves[length] = edges[best].move
        length += 1
        memcpy(tree.before, tree.world, tree.engine.state_size)
        tree.engine.apply(tree.rules, tree.world, edges[best].move, &tree.luck)
        if tree.options.variant != SINGLE and tree.engine.private_observation is not NULL:
            observe(tree, edges[best].move)
    tree.rng.state = kept
    return length


# ---- Keys ----

cdef inline uint64_t node_key(const Tree *tree, const void *state, int seat, uint64_t world) noexcept nogil:
    cdef uint64_t key, i
    if tree.options.variant == SINGLE:
        key = tree.engine.view_key(tree.rules, state, tree.seat)
    else:
        key = tree.engine.view_key(tree.rules, state, MACHIAVEL_SPECTATOR)
        if tree.options.variant == MULTI:
            key ^= machiavel_fold(tree.observations[seat] ^ <uint64_t> 0x9e3779b97f4a7c15,
                                  <uint64_t> seat + <uint64_t> 0xe7037ed1)
        else:
            for i in range(MACHIAVEL_MAX_SEATS):
                key = machiavel_fold(key ^ tree.observations[i], <uint64_t> 0x8bb84b93962eacc9 + i)
            key ^= machiavel_fold(world + 1, <uint64_t> 0x4b33a62ed433d4a3)
    return key if key else 1


cdef inline Node *find_node(Tree *tree, uint64_t key) noexcept nogil:
    """The node of a key, made if there is room; NULL if there is none."""
    cdef uint64_t at = (key >> 20) & tree.node_mask
    cdef Node *node
    tree.met += 1
    while True:
        node = &tree.nodes[at]
        if node.key == key:
            tree.met_again += 1
            return node
        if node.key == 0:
            break
        at = (at + 1) & tree.node_mask
    if tree.node_count >= tree.node_limit:
        tree.refused += 1
        return NULL
    tree.node_count += 1
    node.key = key
    node.first = 0
    node.count = 0
    node.room = 0
    return node


cdef inline Node *known_node(Tree *tree, uint64_t key) noexcept nogil:
    """The node of a key, or NULL."""
    cdef uint64_t at = (key >> 20) & tree.node_mask
    while tree.nodes[at].key:
        if tree.nodes[at].key == key:
            return &tree.nodes[at]
        at = (at + 1) & tree.node_mask
    return NULL


cdef inline uint32_t add_edge(Tree *tree, Node *node, uint32_t at, machiavel_move move, uint32_t choices,
                              uint16_t prior) noexcept nogil:
    """Put a new edge at that place among the node's; NOTHING if there is no room."""
    cdef uint32_t room, first
    cdef Edge *edge
    if node.count == node.room:
        room = 2 * <uint32_t> node.room if node.room else choices
        if tree.edge_count + room > tree.edge_limit:
            tree.refused += 1
            return <uint32_t> NOTHING
        first = tree.edge_count
        tree.edge_count += room
        memcpy(&tree.edges[first], &tree.edges[node.first], node.count * sizeof(Edge))
        node.first = first
        node.room = <uint16_t> room
    edge = &tree.edges[node.first + at]
    memmove(edge + 1, edge, (node.count - at) * sizeof(Edge))
    node.count += 1
    edge.visits = 0
    edge.available = 1
    edge.total = 0
    edge.move = move
    edge.prior = prior
    return node.first + at


# ---- The descent ----

cdef inline uint32_t choose(Tree *tree, Node *node, const machiavel_move *moves, uint32_t count,
                            bint *is_new) noexcept nogil:
    """An edge for one of the legal moves: an untried one at random, else the best by UCB1 over availability; NOTHING: no room."""
    cdef uint32_t known[MACHIAVEL_MAX_MOVES]
    cdef uint16_t untried[MACHIAVEL_MAX_MOVES]
    cdef uint16_t place[MACHIAVEL_MAX_MOVES]
    cdef uint32_t i, at = 0, known_count = 0, untried_count = 0, best = <uint32_t> NOTHING, pick
    cdef uint16_t prior
    cdef Edge *edges = &tree.edges[node.first]
    cdef float value, most = -1
    for i in range(count):
        while at < node.count and edges[at].move < moves[i]:
            at += 1
        if at < node.count and edges[at].move == moves[i]:
            edges[at].available += 1
            known[known_count] = at
            known_count += 1
        else:
            untried[untried_count] = moves[i]
            place[untried_count] = <uint16_t> at
            untried_count += 1
    is_new[0] = False
    if untried_count:
        pick = machiavel_below(&tree.rng, untried_count)
        prior = 0
        if tree.options.prior > 0:
            pick = heaviest_untried(tree, moves, count, untried, untried_count, &prior)
        best = add_edge(tree, node, place[pick], untried[pick], count, prior)
        if best != <uint32_t> NOTHING:
            is_new[0] = True
            return best
    for i in range(known_count):
        value = edges[known[i]].total / edges[known[i]].visits
        value += tree.options.exploration * sqrtf(logarithm(edges[known[i]].available) / edges[known[i]].visits)
        if tree.options.prior > 0:
            value += tree.options.prior * edges[known[i]].prior / (<float> 65535 * (1 + edges[known[i]].visits))
        if value > most:
            most = value
            best = node.first + known[i]
    return best


cdef uint32_t heaviest_untried(Tree *tree, const machiavel_move *moves, uint32_t count, const uint16_t *untried,
                               uint32_t untried_count, uint16_t *prior) noexcept nogil:
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
    prior[0] = <uint16_t> (65535 * most / total)
    return best


cdef inline void start_world(Tree *tree, uint64_t *number) noexcept nogil:
    cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
    cdef uint32_t count
    cdef int seat
    cdef size_t size = tree.engine.state_size
    if tree.options.variant == PIMC:
        number[0] = tree.iterations % tree.options.worlds
        memcpy(tree.world, <char *> tree.worlds + number[0] * size, size)
        if tree.iterations >= tree.options.worlds:
            return
    tree.engine.determinize(tree.rules, tree.view, &tree.rng, tree.world)
    while True:  # seats asked together with ours, but earlier, answer something: what, we cannot know
        seat = tree.engine.to_move(tree.rules, tree.world)
        if seat == tree.seat or seat < 0:
            break
        count = tree.engine.legal_moves(tree.rules, tree.world, seat, moves)
        tree.engine.apply(tree.rules, tree.world, moves[machiavel_below(&tree.rng, count)], &tree.luck)
    if tree.options.variant == PIMC:
        memcpy(<char *> tree.worlds + number[0] * size, tree.world, size)


cdef inline void observe(Tree *tree, machiavel_move move) noexcept nogil:
    cdef uint32_t seat
    for seat in range(tree.engine.seats(tree.rules)):
        tree.observations[seat] += tree.engine.private_observation(tree.rules, tree.before, move, tree.world, seat)


cdef inline uint32_t root_moves(const Tree *tree, machiavel_move *moves) noexcept nogil:
    cdef uint32_t i
    for i in range(tree.root_count):
        moves[i] = <machiavel_move> tree.root[i].move
    return tree.root_count


cdef inline void iterate(Tree *tree) noexcept nogil:
    cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
    cdef float utilities[MACHIAVEL_MAX_SEATS]
    cdef bint is_new = False, watched = tree.options.variant != SINGLE and tree.engine.private_observation is not NULL
    cdef uint32_t depth = 0, count, edge, i, root = 0
    cdef uint64_t number = 0
    cdef uint32_t deepest = tree.options.deepest if tree.options.deepest else tree.path_limit
    cdef int seat
    cdef Node *node
    cdef Edge *walked
    tree.luck.seed[0] = machiavel_next(&tree.rng)
    tree.luck.seed[1] = machiavel_next(&tree.rng)
    if watched:
        memset(tree.observations, 0, sizeof(tree.observations))
    start_world(tree, &number)
    while not is_new and depth < deepest:
        seat = tree.engine.to_move(tree.rules, tree.world)
        if seat < 0:
            break
        if depth:
            count = tree.engine.legal_moves(tree.rules, tree.world, seat, moves)
        else:
            count = root_moves(tree, moves)
        node = find_node(tree, node_key(tree, tree.world, seat, number))
        if node is NULL:
            break
        edge = choose(tree, node, moves, count, &is_new)
        if edge == <uint32_t> NOTHING:
            break
        tree.path[depth] = edge
        tree.movers[depth] = seat
        depth += 1
        if watched:
            memcpy(tree.before, tree.world, tree.engine.state_size)
        tree.engine.apply(tree.rules, tree.world, tree.edges[edge].move, &tree.luck)
        if watched:
            observe(tree, tree.edges[edge].move)
    play_out(tree)
    tree.engine.utilities(tree.rules, tree.world, utilities)
    for i in range(depth):
        walked = &tree.edges[tree.path[i]]
        walked.visits += 1
        walked.total += utilities[tree.movers[i]]
    tree.iterations += 1
    tree.depth_total += depth
    if depth:
        walked = &tree.edges[tree.path[0]]
        while tree.root[root].move != walked.move:
            root += 1
        tree.root[root].visits += 1
        tree.root[root].total += utilities[tree.seat]
        tree.root[root].squares += utilities[tree.seat] * utilities[tree.seat]
        if tree.metrics is not NULL:
            measure(tree, root)


cdef void measure(Tree *tree, uint32_t root) noexcept nogil:
    cdef float measured[MACHIAVEL_MAX_METRICS]
    cdef uint32_t i
    tree.engine.metrics(tree.rules, NULL, tree.world, measured)
    for i in range(tree.metric_count):
        tree.metrics[root * tree.metric_count + i] += measured[i]


cdef inline void play_out(Tree *tree) noexcept nogil:
    cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
    cdef uint32_t count, pick
    cdef int seat
    if tree.engine.playout is not NULL and tree.options.policy == UNIFORM:
        tree.engine.playout(tree.rules, tree.world, &tree.rng, &tree.luck)
        return
    while True:
        seat = tree.engine.to_move(tree.rules, tree.world)
        if seat < 0:
            return
        count = tree.engine.legal_moves(tree.rules, tree.world, seat, moves)
        if tree.options.policy == UNIFORM:
            pick = machiavel_below(&tree.rng, count)
        else:
            pick = weighted_pick(tree, moves, count)
        tree.engine.apply(tree.rules, tree.world, moves[pick], &tree.luck)


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


cdef void advance(Tree *tree, uint64_t iterations, const int32_t *stop) noexcept nogil:
    """So many iterations, fewer if somebody raises the stop flag meanwhile."""
    cdef uint64_t done
    for done in range(iterations):
        if done % STOP_EVERY == 0 and (<const volatile int32_t *> stop)[0]:
            return
        iterate(tree)
