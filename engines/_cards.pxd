"""Sets of cards as bits of one 64-bit word: the tricks every engine needs, inlined."""

from libc.stdint cimport uint32_t, uint64_t


cdef extern from *:
    """
    static inline uint64_t machiavel_card(uint32_t index) { return (uint64_t)1 << index; }

    static inline uint32_t machiavel_first_card(uint64_t cards) { return (uint32_t)__builtin_ctzll(cards); }

    static inline uint32_t machiavel_last_card(uint64_t cards) { return 63 - (uint32_t)__builtin_clzll(cards); }

    /* Counting in parallel (Warren, Hacker's Delight, 5-1): the baseline CPU has no instruction for it. */
    static inline uint32_t machiavel_count_cards(uint64_t cards)
    {
        cards = cards - ((cards >> 1) & 0x5555555555555555u);
        cards = (cards & 0x3333333333333333u) + ((cards >> 2) & 0x3333333333333333u);
        cards = (cards + (cards >> 4)) & 0x0f0f0f0f0f0f0f0fu;
        return (uint32_t)((cards * 0x0101010101010101u) >> 56);
    }

    /* The n-th card from below, from 0. For few cards without a branch: which card it is cannot be predicted. */
    static inline uint32_t machiavel_nth_card(uint64_t cards, uint32_t n)
    {
        cards &= cards - (n > 0);
        cards &= cards - (n > 1);
        cards &= cards - (n > 2);
        cards &= cards - (n > 3);
        cards &= cards - (n > 4);
        for (; n > 5; n--)
            cards &= cards - 1;
        return (uint32_t)__builtin_ctzll(cards);
    }

    /* The same for many cards: the byte it is in, by running counts of all bytes at once, then the bit. */
    static inline uint32_t machiavel_nth_card_of_many(uint64_t cards, uint32_t n)
    {
        const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
        uint64_t counts = cards - ((cards >> 1) & 0x5555555555555555u);
        uint32_t shift;
        counts = (counts & 0x3333333333333333u) + ((counts >> 2) & 0x3333333333333333u);
        counts = ((counts + (counts >> 4)) & 0x0f0f0f0f0f0f0f0fu) * ones;
        shift = (uint32_t)((((((n * ones | highs) - counts) & highs) >> 7) * ones) >> 56) * 8;
        n -= (uint32_t)((counts << 8) >> shift) & 255;
        return shift + machiavel_nth_card(cards >> shift & 255, n);
    }
    """
    uint64_t card "machiavel_card"(uint32_t index) noexcept nogil
    uint32_t first_card "machiavel_first_card"(uint64_t cards) noexcept nogil
    uint32_t last_card "machiavel_last_card"(uint64_t cards) noexcept nogil
    uint32_t count_cards "machiavel_count_cards"(uint64_t cards) noexcept nogil
    uint32_t nth_card "machiavel_nth_card"(uint64_t cards, uint32_t n) noexcept nogil
    uint32_t nth_card_of_many "machiavel_nth_card_of_many"(uint64_t cards, uint32_t n) noexcept nogil
