"""Nodes and edges in one bounded piece of memory: blocks of 64 bytes and up, found by key, the longest unused given up first.

A node and its edges lie side by side, so that a visit touches one or two cache lines. The index from keys to blocks is small and
grows with the number of nodes, part by part, so that no iteration takes long. When nothing is left, blocks are given up as in the
clock algorithm (Corbató 1968).
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef enum:
    SIZES = 9  # of blocks: 64 bytes << size, room for (4 << size) - 1 edges
    FIRST_BITS = 8  # of the index of an empty arena
    PART_BITS = 16  # of a part of the index, at most: to double it takes a fraction of a millisecond


cdef struct Edge:
    uint32_t visits
    uint32_t available  # how often the move was legal when its node was visited (Cowling, Powley & Whitehouse 2012)
    float mean  # utility of the mover
    uint16_t move
    uint16_t prior  # its share of the node's weights, of 65535


cdef struct Node:  # its edges, ascending by move, follow it
    uint64_t key  # 0: a free block
    uint32_t depth  # plies since the arena was emptied; of a free block the next one
    uint16_t count  # edges
    uint8_t size
    uint8_t met  # since the clock's hand last passed


cdef struct Part:  # of the index: for the tags that begin alike; open addressing, ordered by tag
    uint64_t *slots  # tag and unit
    uint32_t mask
    uint32_t shift  # from what is left of the tag to its place
    uint32_t nodes


cdef struct Arena:
    void *memory
    Node *blocks  # in units of 64 bytes, from 1
    uint32_t top  # the first unit never used
    uint32_t limit
    uint32_t hand
    uint32_t vacant[SIZES]  # lists of free blocks; 0: none
    Part *parts
    uint32_t part_bits  # of a tag, that tell the parts apart
    uint64_t *levels  # of the index, each twice the size of the one before it
    uint32_t first_bits
    uint32_t most_bits
    uint32_t nodes
    uint64_t edges
    uint64_t given_up  # nodes


# `size` bytes in all, the structs themselves apart.
cdef Arena *make_arena(size_t size) except NULL
cdef void free_arena(Arena *arena) noexcept
cdef void empty_arena(Arena *arena) noexcept nogil
# Give up the nodes above that depth, but for one.
cdef void sweep(Arena *arena, uint32_t depth, const Node *kept) noexcept nogil
# A node with no edges; NULL if there is no room.
cdef Node *add_node(Arena *arena, uint64_t key, uint32_t depth) noexcept nogil
# The node, moved to where there is room for an edge more; NULL if there is none, and the node stays.
cdef Node *widened(Arena *arena, Node *node) noexcept nogil


cdef inline Edge *edges_of(Node *node) noexcept nogil:
    return <Edge *> (node + 1)


cdef inline uint32_t room(const Node *node) noexcept nogil:
    return (<uint32_t> 4 << node.size) - 1


cdef inline Node *block(const Arena *arena, uint32_t unit) noexcept nogil:
    return arena.blocks + 4 * <uint64_t> unit


cdef inline uint64_t tag(uint64_t key) noexcept nogil:
    return key * <uint64_t> 0x9e3779b97f4a7c15 >> 32


cdef inline Part *part_of(const Arena *arena, uint64_t tag) noexcept nogil:
    return &arena.parts[tag >> (32 - arena.part_bits)]


cdef inline uint32_t home_of(const Arena *arena, const Part *part, uint64_t tag) noexcept nogil:
    return <uint32_t> (tag << arena.part_bits) >> part.shift


cdef inline Node *find_node(const Arena *arena, uint64_t key) noexcept nogil:
    """The node of a key, or NULL."""
    cdef uint64_t wanted = tag(key), entry
    cdef const Part *part = part_of(arena, wanted)
    cdef uint32_t at = home_of(arena, part, wanted)
    cdef Node *node
    while True:
        entry = part.slots[at]
        if entry == 0:
            return NULL
        if entry >> 32 == wanted:
            node = block(arena, <uint32_t> entry)
            if node.key == key:
                return node
        at = (at + 1) & part.mask
