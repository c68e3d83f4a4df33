# Drawing from sets of cards: the inner loops of a playout, in C.

cdef extern from *:
    """
    /* Take a uniform draw of `count` cards out of the pool, which holds as many. Six random bits name a card, and one that is
       not there is drawn again: fewer instructions than to list the pool, and no division. */
    static inline uint64_t whist_take(machiavel_rng *rng, uint64_t *pool, uint32_t count)
    {
        const uint64_t before = *pool;
        uint64_t left = before, word, bit;
        while (count)
            /* ten times six bits; the highest tells when they are used up */
            for (word = machiavel_next(rng) | (uint64_t)1 << 63; count && word >> 4; word >>= 6) {
                bit = left & (uint64_t)1 << (word & 63);
                left ^= bit;
                count -= bit != 0;
            }
        *pool = left;
        return before ^ left;
    }
    """
    uint64_t take_cards "whist_take"(machiavel_rng *rng, uint64_t *pool, uint32_t count) noexcept nogil
