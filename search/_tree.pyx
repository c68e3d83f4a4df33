"""A tree's life between iterations: planted, kept from move to move, read; and the keys of its nodes."""

from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from machiavel.engines.abi cimport (
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
    machiavel_rng,
)
from machiavel.search._arena cimport Edge, Node, edges_of, empty_arena, find_node, free_arena, make_arena, sweep


# ---- A tree's life ----

cdef Tree *make_tree(const machiavel_engine *engine, const void *rules, const Options *options, size_t arena) except NULL:
    cdef Tree *tree = <Tree *> calloc(1, sizeof(Tree))
    if tree is NULL:
        raise MemoryError
    tree.engine = engine
    tree.rules = rules
    tree.seats = engine.seats(rules)
    tree.options = options[0]
    tree.luck.flags = MACHIAVEL_SEEDED | MACHIAVEL_QUICK | MACHIAVEL_STOP_AT_HORIZON
    tree.path_limit = engine.max_plies(rules) + 1
    tree.path = <Edge **> calloc(tree.path_limit, sizeof(Edge *))
    tree.movers = <int32_t *> calloc(tree.path_limit, sizeof(int32_t))
    tree.world = calloc(3 + options.worlds, engine.state_size)
    try:
        if tree.path is NULL or tree.movers is NULL or tree.world is NULL:
            raise MemoryError
        tree.arena = make_arena(arena)
    except MemoryError:
        free_tree(tree)
        raise
    tree.before = <char *> tree.world + engine.state_size
    tree.beginning = <char *> tree.before + engine.state_size
    tree.worlds = <char *> tree.beginning + engine.state_size
    return tree


cdef void free_tree(Tree *tree) noexcept:
    if tree is NULL:
        return
    free_arena(tree.arena)
    free(tree.path)
    free(tree.movers)
    free(tree.world)
    free(tree.metrics)
    free(tree)


cdef void plant(Tree *tree, const void *view, int seat, const machiavel_move *moves, uint32_t count, uint64_t seed,
                bint keep) noexcept nogil:
    cdef Node *root = NULL
    cdef bint same_seat = tree.seat == seat
    cdef uint32_t i
    tree.view = view
    tree.seat = seat
    tree.rng.state = machiavel_mix(seed + 1)
    tree.iterations = 0
    tree.depth_total = 0
    tree.met_again = 0
    tree.met = 0
    tree.refused = 0
    tree.root_count = count
    memset(tree.root, 0, sizeof(tree.root))
    for i in range(count):
        tree.root[i].move = moves[i]
    memset(tree.totals, 0, sizeof(tree.totals))
    # Other keys mean nothing beyond their root, and what edges know in a style is no utility.
    if keep and same_seat and tree.options.variant == SINGLE and not tree.options.style.is_set:
        root = root_node(tree)
    if root is NULL:
        empty_arena(tree.arena)
        tree.root_depth = 0
        return
    tree.root_depth = root.depth
    sweep(tree.arena, root.depth, root)
    carry_over(tree, root)


cdef Node *root_node(Tree *tree) noexcept nogil:
    """The node of the root's position, or NULL; the tree stays as it is."""
    cdef machiavel_rng kept = tree.rng
    cdef uint64_t number = 0
    memset(tree.observations, 0, sizeof(tree.observations))
    start_world(tree, &number)
    tree.rng = kept
    return find_node(tree.arena, node_key(tree, tree.world, tree.seat, number))


cdef void carry_over(Tree *tree, Node *root) noexcept nogil:
    """What is known of the root's moves already; their squares are not, and are at most what they would be without draws."""
    cdef const Edge *edges = edges_of(root)
    cdef uint32_t i, at = 0
    for i in range(tree.root_count):
        while at < root.count and edges[at].move < tree.root[i].move:
            at += 1
        if at < root.count and edges[at].move == tree.root[i].move:
            tree.root[i].visits = edges[at].visits
            tree.root[i].carried = edges[at].visits
            tree.root[i].total = <double> edges[at].mean * edges[at].visits
            tree.root[i].squares = tree.root[i].total


cdef uint32_t best_root_move(const Tree *tree) noexcept nogil:
    cdef uint32_t i, best = 0
    for i in range(1, tree.root_count):
        if tree.root[i].visits > tree.root[best].visits or (
            tree.root[i].visits == tree.root[best].visits and tree.root[i].total > tree.root[best].total
        ):
            best = i
    return best


cdef uint32_t drawn_root_move(const Tree *tree, uint32_t sharpness, double slack, double at) noexcept nogil:
    cdef double powers[MACHIAVEL_MAX_MOVES]
    cdef double total = 0
    cdef double least
    cdef uint32_t i, best = best_root_move(tree), _factor
    if sharpness == 0 or tree.root[best].total >= tree.root[best].visits:  # not searched, or a sure win
        return best
    least = tree.root[best].total / tree.root[best].visits
    least -= slack * (1 - least)
    for i in range(tree.root_count):
        powers[i] = tree.root[i].total >= least * tree.root[i].visits
        for _factor in range(sharpness):
            powers[i] *= <double> tree.root[i].visits / tree.root[best].visits
        total += powers[i]
    at *= total
    for i in range(tree.root_count):
        at -= powers[i]
        if at < 0:
            return i
    return best


cdef uint32_t follow(Tree *tree, uint32_t root, uint32_t least_visits, uint32_t most, int32_t *seats,
                     uint16_t *moves) noexcept nogil:
    cdef machiavel_move legal[MACHIAVEL_MAX_MOVES]
    cdef machiavel_rng kept = tree.rng
    cdef uint64_t number = 0
    cdef uint32_t length = 0, count
    cdef const Edge *best
    cdef int seat
    memset(tree.observations, 0, sizeof(tree.observations))
    start_world(tree, &number)
    walk(tree, <machiavel_move> tree.root[root].move)
    while length < most:
        seat = tree.engine.to_move(tree.rules, tree.world)
        if seat < 0:
            break
        count = tree.engine.legal_moves(tree.rules, tree.world, seat, legal)
        best = most_visited(find_node(tree.arena, node_key(tree, tree.world, seat, number)), legal, count)
        if best is NULL or best.visits < least_visits:
            break
        seats[length] = seat
        moves[length] = best.move
        length += 1
        walk(tree, best.move)
    tree.rng = kept
    return length


cdef void walk(Tree *tree, machiavel_move move) noexcept nogil:
    memcpy(tree.before, tree.world, tree.engine.state_size)
    tree.engine.apply(tree.rules, tree.world, move, &tree.luck)
    observe(tree, move)


cdef const Edge *most_visited(Node *node, const machiavel_move *legal, uint32_t count) noexcept nogil:
    """Of a node's edges that are legal, the one visited most; NULL without a node or such an edge."""
    cdef const Edge *best = NULL
    cdef const Edge *edges
    cdef uint32_t i, at = 0
    if node is NULL:
        return NULL
    edges = edges_of(node)
    for i in range(count):
        while at < node.count and edges[at].move < legal[i]:
            at += 1
        if at < node.count and edges[at].move == legal[i] and (best is NULL or edges[at].visits > best.visits):
            best = &edges[at]
    return best


# ---- Worlds ----

cdef void start_world(Tree *tree, uint64_t *number) noexcept nogil:
    """A world in which the root's seat is to move; pimc takes the next of its own."""
    cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
    cdef uint32_t count
    cdef int seat
    cdef size_t size = tree.engine.state_size
    if tree.options.variant == PIMC:
        number[0] = tree.iterations % tree.options.worlds
        memcpy(tree.world, <char *> tree.worlds + number[0] * size, size)
        if tree.iterations >= tree.options.worlds:
            return
    draw_world(tree)
    while True:  # seats asked together with ours, but earlier, answer something: what, we cannot know
        seat = tree.engine.to_move(tree.rules, tree.world)
        if seat == tree.seat or seat < 0:
            break
        count = tree.engine.legal_moves(tree.rules, tree.world, seat, moves)
        tree.engine.apply(tree.rules, tree.world, moves[machiavel_below(&tree.rng, count)], &tree.luck)
    if tree.options.variant == PIMC:
        memcpy(<char *> tree.worlds + number[0] * size, tree.world, size)


cdef inline void draw_world(Tree *tree) noexcept nogil:
    """A world of the view; with inference, each is kept with its likelihood as the chance, and the last of those tried anyway."""
    cdef uint32_t left = tree.options.inference
    while True:
        tree.engine.determinize(tree.rules, tree.view, &tree.rng, tree.world)
        if left <= 1:
            return
        left -= 1
        if (machiavel_next(&tree.rng) >> 40) * <float> (1.0 / (1 << 24)) < tree.engine.likelihood(
            tree.rules, tree.world, tree.seat
        ):
            return


# ---- Keys ----

cdef uint64_t node_key(const Tree *tree, const void *state, int seat, uint64_t world) noexcept nogil:
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


cdef void observe(Tree *tree, machiavel_move move) noexcept nogil:
    """What each seat alone learnt from a move from `tree.before` to `tree.world`; nodes by the root's view need none of it."""
    cdef uint32_t seat
    if tree.options.variant == SINGLE or tree.engine.private_observation is NULL:
        return
    for seat in range(tree.seats):
        tree.observations[seat] += tree.engine.private_observation(tree.rules, tree.before, move, tree.world, seat)
