"""machiavel_abi.h for Cython; the header holds the words."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "machiavel_abi.h" nogil:
    enum:
        MACHIAVEL_ABI_VERSION
        MACHIAVEL_MAX_SEATS
        MACHIAVEL_MAX_MOVES
        MACHIAVEL_MAX_METRICS
        MACHIAVEL_MAX_OUTCOME
        MACHIAVEL_OVER
        MACHIAVEL_AT_HORIZON
        MACHIAVEL_SPECTATOR
        MACHIAVEL_SEEDED
        MACHIAVEL_STOP_AT_HORIZON
        MACHIAVEL_QUICK
        MACHIAVEL_LUCK_MISSING
        MACHIAVEL_LUCK_INVALID
        MACHIAVEL_COOPERATIVE
        MACHIAVEL_HAS_HORIZON

    const char *MACHIAVEL_ENGINE_CAPSULE
    const char *MACHIAVEL_RULES_CAPSULE

    ctypedef uint16_t machiavel_move

    ctypedef struct machiavel_rng:
        uint64_t state

    uint64_t machiavel_mix(uint64_t x) noexcept
    uint64_t machiavel_fold(uint64_t a, uint64_t b) noexcept
    uint64_t machiavel_next(machiavel_rng *rng) noexcept
    uint32_t machiavel_below(machiavel_rng *rng, uint32_t n) noexcept
    void machiavel_shuffle_bytes(machiavel_rng *rng, uint8_t *items, uint32_t count, uint32_t drawn) noexcept

    ctypedef struct machiavel_outcome:
        uint32_t purpose
        uint32_t counter
        uint32_t count
        const uint8_t *values

    ctypedef struct machiavel_luck:
        uint64_t seed[2]
        const machiavel_outcome *laid
        uint32_t laid_count
        uint32_t flags
        uint32_t failed
        uint32_t failed_purpose
        uint32_t failed_counter
        uint32_t expected_count
        uint8_t expected[256]

    machiavel_rng machiavel_luck_stream(const machiavel_luck *luck, uint32_t purpose, uint32_t counter) noexcept
    void machiavel_shuffle(machiavel_luck *luck, uint32_t purpose, uint32_t counter, uint8_t *items, uint32_t count,
                           uint32_t drawn) noexcept
    uint8_t machiavel_draw(machiavel_luck *luck, uint32_t purpose, uint32_t counter, const uint8_t *items,
                           uint32_t count) noexcept
    uint64_t machiavel_hash(const void *bytes, size_t size, uint64_t start) noexcept

    ctypedef struct machiavel_engine:
        uint32_t abi_version
        uint32_t struct_size
        const char *name
        uint32_t rules_version
        uint32_t flags
        uint32_t state_size
        uint32_t view_size
        uint32_t move_limit
        uint32_t max_moves
        uint32_t (*seats)(const void *rules) noexcept nogil
        uint32_t (*max_plies)(const void *rules) noexcept nogil
        void (*deal)(const void *rules, machiavel_luck *luck, void *state) noexcept nogil
        int (*to_move)(const void *rules, const void *state) noexcept nogil
        uint32_t (*legal_moves)(const void *rules, const void *state, int seat, machiavel_move *moves) noexcept nogil
        void (*apply)(const void *rules, void *state, machiavel_move move, machiavel_luck *luck) noexcept nogil
        void (*utilities)(const void *rules, const void *state, float *utilities) noexcept nogil
        void (*view)(const void *rules, const void *state, int seat, void *view) noexcept nogil
        void (*determinize)(const void *rules, const void *view, machiavel_rng *rng, void *world) noexcept nogil
        uint64_t (*view_key)(const void *rules, const void *state, int seat) noexcept nogil
        uint32_t (*seats_to_move)(const void *rules, const void *state) noexcept nogil
        void (*weights)(const void *rules, const void *state, const machiavel_move *moves, uint32_t count,
                        float *weights) noexcept nogil
        float (*likelihood)(const void *rules, const void *world, int seat) noexcept nogil
        uint32_t (*metrics)(const void *rules, const void *root, const void *end, float *metrics) noexcept nogil
        uint32_t (*playout)(const void *rules, void *state, machiavel_rng *rng, machiavel_luck *luck) noexcept nogil
        uint64_t (*private_observation)(const void *rules, const void *before, machiavel_move move,
                                        const void *after, int seat) noexcept nogil
        void (*evaluate)(const void *rules, const void *state, float *utilities) noexcept nogil
        uint32_t (*fault)(const void *rules) noexcept nogil
