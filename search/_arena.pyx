"""The life of blocks and of the index: making, widening, giving up."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

cdef enum:
    UNIT = 64  # bytes: a cache line
    LEAST_UNITS = 16384  # 64 blocks at least: the clock's hand never comes round within one iteration
    STEPS = 16  # blocks that the hand passes to find room, at most


cdef Arena *make_arena(size_t size) except NULL:
    cdef Arena *arena = <Arena *> calloc(1, sizeof(Arena))
    cdef uint32_t bits = FIRST_BITS
    cdef uint64_t units, slots
    if arena is NULL:
        raise MemoryError
    # A quarter for the index at most; all its levels together are twice the last one.
    while bits < 31 and (<uint64_t> 4 << bits) * sizeof(uint64_t) <= size // 4:
        bits += 1
    arena.most_bits = bits
    arena.part_bits = max(bits, <uint32_t> PART_BITS) - PART_BITS
    arena.first_bits = max(<uint32_t> FIRST_BITS, arena.part_bits + 2)
    slots = <uint64_t> 2 << bits
    units = max(<uint64_t> LEAST_UNITS, (size - min(size, slots * sizeof(uint64_t))) // UNIT)
    arena.limit = <uint32_t> min(units, <uint64_t> 0xFFFFFFF0)
    arena.memory = malloc((<uint64_t> arena.limit + 1) * UNIT)
    arena.levels = <uint64_t *> malloc(slots * sizeof(uint64_t))
    arena.parts = <Part *> calloc(<uint64_t> 1 << arena.part_bits, sizeof(Part))
    if arena.memory is NULL or arena.levels is NULL or arena.parts is NULL:
        free_arena(arena)
        raise MemoryError
    arena.blocks = <Node *> ((<uintptr_t> arena.memory + UNIT - 1) & ~<uintptr_t> (UNIT - 1))
    empty_arena(arena)
    return arena


cdef void free_arena(Arena *arena) noexcept:
    if arena is NULL:
        return
    free(arena.memory)
    free(arena.levels)
    free(arena.parts)
    free(arena)


cdef void empty_arena(Arena *arena) noexcept nogil:
    cdef uint32_t part
    arena.top = 1
    arena.hand = 1
    arena.nodes = 0
    arena.edges = 0
    arena.given_up = 0
    memset(arena.vacant, 0, sizeof(arena.vacant))
    for part in range(<uint32_t> 1 << arena.part_bits):
        arena.parts[part].nodes = 0
        use_level(arena, &arena.parts[part], arena.first_bits - arena.part_bits)


# ---- The index ----

cdef inline void use_level(Arena *arena, Part *part, uint32_t bits) noexcept nogil:
    """Begin with an empty table of so many bits."""
    cdef uint64_t number = part - arena.parts
    part.slots = arena.levels + (<uint64_t> 1 << (arena.part_bits + bits)) + (number << bits)
    part.mask = (<uint32_t> 1 << bits) - 1
    part.shift = 32 - bits
    memset(part.slots, 0, sizeof(uint64_t) << bits)


cdef inline void enter(const Arena *arena, Part *part, uint64_t entry) noexcept nogil:
    cdef uint32_t at = home_of(arena, part, entry >> 32)
    while part.slots[at]:
        at = (at + 1) & part.mask
    part.slots[at] = entry


cdef void double_part(Arena *arena, Part *part) noexcept nogil:
    cdef const uint64_t *old = part.slots
    cdef uint32_t at, slots = part.mask + 1
    use_level(arena, part, 33 - part.shift)
    for at in range(slots):
        if old[at]:
            enter(arena, part, old[at])


cdef inline uint32_t place_of(const Arena *arena, const Part *part, const Node *node) noexcept nogil:
    """Where in its part a node stands that is there."""
    cdef uint32_t unit = unit_of(arena, node), at = home_of(arena, part, tag(node.key))
    while <uint32_t> part.slots[at] != unit:
        at = (at + 1) & part.mask
    return at


cdef void leave(Arena *arena, const Node *node) noexcept nogil:
    """Take a node out; what stood behind it for want of a better place moves up (Knuth, TAOCP 6.4, algorithm R)."""
    cdef Part *part = part_of(arena, tag(node.key))
    cdef uint32_t gap = place_of(arena, part, node), at = gap, home
    while True:
        at = (at + 1) & part.mask
        if part.slots[at] == 0:
            break
        home = home_of(arena, part, part.slots[at] >> 32)
        if ((at - home) & part.mask) >= ((at - gap) & part.mask):
            part.slots[gap] = part.slots[at]
            gap = at
    part.slots[gap] = 0
    part.nodes -= 1


# ---- Blocks ----

cdef inline uint32_t unit_of(const Arena *arena, const Node *node) noexcept nogil:
    return <uint32_t> ((node - arena.blocks) >> 2)


cdef inline uint32_t *before_of(Node *node) noexcept nogil:
    """Of a free block the one before it in its list, 0: none; as its `depth` is the next."""
    return &edges_of(node).visits


cdef inline void vacate(Arena *arena, Node *node, uint32_t size) noexcept nogil:
    cdef uint32_t unit = unit_of(arena, node), following = arena.vacant[size]
    node.key = 0
    node.size = <uint8_t> size
    node.depth = following
    before_of(node)[0] = 0
    if following:
        before_of(block(arena, following))[0] = unit
    arena.vacant[size] = unit


cdef inline void occupy(Arena *arena, Node *node) noexcept nogil:
    """Take a free block off its list."""
    cdef uint32_t before = before_of(node)[0]
    if before:
        block(arena, before).depth = node.depth
    else:
        arena.vacant[node.size] = node.depth
    if node.depth:
        before_of(block(arena, node.depth))[0] = before


cdef void merge(Arena *arena, uint32_t unit) noexcept nogil:
    """Free blocks side by side, from that one on, become the largest there is room for."""
    cdef uint32_t end = unit, size = SIZES - 1
    while end < arena.top and end - unit < <uint32_t> 1 << (SIZES - 1) and block(arena, end).key == 0:
        occupy(arena, block(arena, end))
        end += <uint32_t> 1 << block(arena, end).size
    while unit < end:
        while <uint32_t> 1 << size > end - unit:
            size -= 1
        vacate(arena, block(arena, unit), size)
        unit += <uint32_t> 1 << size


cdef void give_up(Arena *arena, Node *node) noexcept nogil:
    leave(arena, node)
    arena.nodes -= 1
    arena.edges -= node.count
    arena.given_up += 1
    vacate(arena, node, node.size)


cdef Node *vacant_block(Arena *arena, uint32_t size) noexcept nogil:
    """One of the free blocks, split if need be; NULL if none is large enough."""
    cdef uint32_t vacancy = size
    cdef Node *node
    while vacancy < SIZES and arena.vacant[vacancy] == 0:
        vacancy += 1
    if vacancy == SIZES:
        return NULL
    node = block(arena, arena.vacant[vacancy])
    occupy(arena, node)
    while vacancy > size:
        vacancy -= 1
        vacate(arena, node + (<uint64_t> 4 << vacancy), vacancy)
    return node


cdef inline bint pass_block(Arena *arena, bint may_give_up) noexcept nogil:
    """The hand goes on by a block; True if it gave one up, not met since it last passed."""
    cdef Node *passed
    cdef bint given_up = False
    if arena.hand >= arena.top:
        arena.hand = 1
    passed = block(arena, arena.hand)
    if may_give_up and passed.key and passed.met == 0:
        give_up(arena, passed)
        given_up = True
    if passed.key == 0:
        merge(arena, arena.hand)
    else:
        passed.met = 0
    arena.hand += <uint32_t> 1 << passed.size
    return given_up


cdef Node *new_block(Arena *arena, uint32_t size) noexcept nogil:
    """Room never used, else room given back, else what the hand finds."""
    cdef Node *node = NULL
    cdef uint32_t _step
    if arena.top + (<uint32_t> 1 << size) <= arena.limit:
        if arena.top > arena.limit // 2:  # once round before it is full, so that by then it is known what was met lately
            pass_block(arena, False)
            pass_block(arena, False)
        node = block(arena, arena.top)
        arena.top += <uint32_t> 1 << size
    else:
        node = vacant_block(arena, size)
        for _step in range(STEPS):
            if node is not NULL:
                break
            if pass_block(arena, True):
                node = vacant_block(arena, size)
    if node is not NULL:
        node.size = <uint8_t> size
    return node


cdef bint make_index_room(Arena *arena, Part *part) noexcept nogil:
    cdef uint32_t _step
    for _step in range(STEPS):
        if 4 * (<uint64_t> part.nodes + 1) <= 3 * (<uint64_t> part.mask + 1):
            return True
        if 32 - part.shift + arena.part_bits < arena.most_bits:
            double_part(arena, part)
        else:
            pass_block(arena, True)
    return False


cdef Node *add_node(Arena *arena, uint64_t key, uint32_t depth) noexcept nogil:
    cdef Part *part = part_of(arena, tag(key))
    cdef Node *node
    if not make_index_room(arena, part):
        return NULL
    node = new_block(arena, 0)
    if node is NULL:
        return NULL
    node.key = key
    node.depth = depth
    node.count = 0
    node.met = 1
    arena.nodes += 1
    part.nodes += 1
    enter(arena, part, tag(key) << 32 | unit_of(arena, node))
    return node


cdef Node *widened(Arena *arena, Node *node) noexcept nogil:
    cdef Part *part = part_of(arena, tag(node.key))
    cdef Node *wider
    cdef uint32_t size = node.size
    if size + 1 == SIZES:
        return NULL
    wider = new_block(arena, size + 1)
    if wider is NULL:
        return NULL
    memcpy(wider, node, <size_t> UNIT << size)
    wider.size = <uint8_t> (size + 1)
    part.slots[place_of(arena, part, node)] = tag(node.key) << 32 | unit_of(arena, wider)
    vacate(arena, node, size)
    return wider


cdef void sweep(Arena *arena, uint32_t depth, const Node *kept) noexcept nogil:
    cdef uint32_t unit = 1
    cdef Node *node
    while unit < arena.top:
        node = block(arena, unit)
        unit += <uint32_t> 1 << node.size
        if node.key and node.depth <= depth and node is not kept:
            give_up(arena, node)
