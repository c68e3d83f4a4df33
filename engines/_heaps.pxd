"""Heaps, where equal cards are the same card: a multiset of cards as one 64-bit word, inlined.

Each kind of card owns a field of neighbouring bits, one for each copy there is; n copies are its n lowest bits. So equal heaps
are equal words, the bits of a word are its cards, and the lowest bits of all fields pick the kinds out.
"""

from libc.stdint cimport uint32_t, uint64_t


cdef extern from *:
    """
    /* With one card more of the kind whose field this is and begins with that bit; there must be room. */
    static inline uint64_t machiavel_heap_with(uint64_t heap, uint64_t field, uint32_t first)
    {
        return heap | ((heap & field) + ((uint64_t)1 << first));
    }

    /* With one card less of that kind; it must hold one. */
    static inline uint64_t machiavel_heap_without(uint64_t heap, uint64_t field, uint32_t first)
    {
        return heap ^ ((heap & field) + ((uint64_t)1 << first)) >> 1;
    }
    """
    uint64_t heap_with "machiavel_heap_with"(uint64_t heap, uint64_t field, uint32_t first) noexcept nogil
    uint64_t heap_without "machiavel_heap_without"(uint64_t heap, uint64_t field, uint32_t first) noexcept nogil
