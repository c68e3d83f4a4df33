/* The contract between a game and everything that plays it, in plain C.
 *
 * An engine fills in one `machiavel_engine` and hands it over in a PyCapsule named MACHIAVEL_ENGINE_CAPSULE; a rules object travels in a
 * capsule named MACHIAVEL_RULES_CAPSULE. Making rules is the only thing that may fail or allocate, and it happens in Python. Every function
 * below takes `rules` first, never fails, never allocates, never needs the GIL, and may run in many threads at once on different states.
 *
 * States, views and worlds are plain bytes: fixed size, 16-byte aligned, no pointers, copied with memcpy. Bytes that mean nothing are zero,
 * so that equal positions have equal bytes. docs/engines.md tells how to write an engine.
 */
#ifndef MACHIAVEL_ABI_H
#define MACHIAVEL_ABI_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MACHIAVEL_ABI_VERSION 1u
#define MACHIAVEL_ENGINE_CAPSULE "machiavel.engine"
#define MACHIAVEL_RULES_CAPSULE "machiavel.rules"

/* The most that any engine may ask for; callers size their buffers by it. */
#define MACHIAVEL_MAX_SEATS 8
#define MACHIAVEL_MAX_MOVES 256
#define MACHIAVEL_MAX_METRICS 64
#define MACHIAVEL_MAX_OUTCOME 256

/* A move is a small number, below the engine's `move_limit`; its text is the engine's own affair. */
typedef uint16_t machiavel_move;

/* What `to_move` answers when no seat is asked. */
#define MACHIAVEL_OVER (-1)
#define MACHIAVEL_AT_HORIZON (-2)

/* The seat that sees what everybody sees. */
#define MACHIAVEL_SPECTATOR (-1)


/* ---- Random numbers for playouts and worlds: one word of state, as many streams as seeds (wyrand) ---- */

typedef struct machiavel_rng {
    uint64_t state;
} machiavel_rng;

static inline uint64_t machiavel_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The 128-bit product of a and b folded to 64 bits. */
static inline uint64_t machiavel_fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t machiavel_next(machiavel_rng *rng)
{
    rng->state += 0xa0761d6478bd642fu;
    return machiavel_fold(rng->state, rng->state ^ 0xe7037ed1a0b428dbu);
}

/* Uniform in 0 … n-1; n must be in 1 … 2^31. The bias is below n / 2^32. */
static inline uint32_t machiavel_below(machiavel_rng *rng, uint32_t n)
{
    return (uint32_t)(((machiavel_next(rng) >> 32) * n) >> 32);
}

/* The first `drawn` of `count` items become a uniform draw without replacement; the rest keeps its place but for the swaps. */
static inline void machiavel_shuffle_bytes(machiavel_rng *rng, uint8_t *items, uint32_t count, uint32_t drawn)
{
    uint32_t i, j;
    uint8_t item;
    machiavel_rng own = *rng; /* in a register: a byte written might be part of *rng, for all the compiler knows */
    for (i = 0; i < drawn && i + 1 < count; i++) {
        j = i + machiavel_below(&own, count - i);
        item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
    *rng = own;
}


/* ---- Luck: what dealing and dice bring. Given to `deal` and `apply`, never part of a state ----
 *
 * Every chance event of a match has a name: a purpose (the engine's own enumeration) and a counter (the round, the roll …), both taken from the
 * state. Its outcome is a function of the seed and that name alone, so the same deal meets the same luck whatever is played; or the
 * caller has laid the outcome out. */

typedef struct machiavel_outcome {
    uint32_t purpose;
    uint32_t counter;
    uint32_t count;
    const uint8_t *values;
} machiavel_outcome;

/* flags */
#define MACHIAVEL_SEEDED 1u          /* what is not laid out is drawn from the seed; without it, it is missing */
#define MACHIAVEL_STOP_AT_HORIZON 2u /* `apply` stops at the engine's horizon, if it has one, instead of going on */
#define MACHIAVEL_QUICK 4u           /* for playouts: another draw from the same seed, several times faster, and no secret */

/* failed */
#define MACHIAVEL_LUCK_MISSING 1u
#define MACHIAVEL_LUCK_INVALID 2u

typedef struct machiavel_luck {
    uint64_t seed[2];
    const machiavel_outcome *laid; /* NULL: nothing is laid out */
    uint32_t laid_count;
    uint32_t flags;
    /* Set at the first outcome that is missing or impossible; the state is then good for nothing. Only laid-out luck can fail. */
    uint32_t failed;
    uint32_t failed_purpose;
    uint32_t failed_counter;
    uint32_t expected_count;
    uint8_t expected[MACHIAVEL_MAX_OUTCOME]; /* the items that could have been laid out there */
} machiavel_luck;

#define MACHIAVEL_ROTATE(x, bits) ((x) << (bits) | (x) >> (64 - (bits)))

/* SipHash-2-4 (Aumasson & Bernstein 2012) of (purpose, counter, draw), keyed by the seed: whoever knows part of a deal, but not the 128 bits of
 * the seed, learns nothing about the rest of it. */
static inline uint64_t machiavel_luck_bits(const machiavel_luck *luck, uint32_t purpose, uint32_t counter, uint64_t draw)
{
    uint64_t v0 = luck->seed[0] ^ 0x736f6d6570736575u, v1 = luck->seed[1] ^ 0x646f72616e646f6du;
    uint64_t v2 = luck->seed[0] ^ 0x6c7967656e657261u, v3 = luck->seed[1] ^ 0x7465646279746573u;
    uint64_t words[3];
    int word, round;
    words[0] = ((uint64_t)purpose << 32) | counter;
    words[1] = draw;
    words[2] = (uint64_t)16 << 56; /* the length */
    for (word = 0; word < 4; word++) {
        if (word < 3)
            v3 ^= words[word];
        else
            v2 ^= 0xff;
        for (round = 0; round < (word < 3 ? 2 : 4); round++) {
            v0 += v1;
            v1 = MACHIAVEL_ROTATE(v1, 13) ^ v0;
            v0 = MACHIAVEL_ROTATE(v0, 32);
            v2 += v3;
            v3 = MACHIAVEL_ROTATE(v3, 16) ^ v2;
            v0 += v3;
            v3 = MACHIAVEL_ROTATE(v3, 21) ^ v0;
            v2 += v1;
            v1 = MACHIAVEL_ROTATE(v1, 17) ^ v2;
            v2 = MACHIAVEL_ROTATE(v2, 32);
        }
        if (word < 3)
            v0 ^= words[word];
    }
    return v0 ^ v1 ^ v2 ^ v3;
}

/* The quick stream of the event (purpose, counter): independent of every other event's. */
static inline machiavel_rng machiavel_luck_stream(const machiavel_luck *luck, uint32_t purpose, uint32_t counter)
{
    machiavel_rng rng;
    uint64_t name = ((uint64_t)purpose << 32) | counter;
    rng.state = machiavel_mix(luck->seed[0] ^ machiavel_mix(luck->seed[1] + 0x9e3779b97f4a7c15u * (name + 1)));
    return rng;
}

static inline void machiavel_luck_fail(machiavel_luck *luck, uint32_t failed, uint32_t purpose, uint32_t counter,
                                       const uint8_t *items, uint32_t count)
{
    if (luck->failed)
        return;
    luck->failed = failed;
    luck->failed_purpose = purpose;
    luck->failed_counter = counter;
    luck->expected_count = count < MACHIAVEL_MAX_OUTCOME ? count : MACHIAVEL_MAX_OUTCOME;
    memcpy(luck->expected, items, luck->expected_count);
}

static inline const machiavel_outcome *machiavel_luck_find(const machiavel_luck *luck, uint32_t purpose, uint32_t counter)
{
    uint32_t i;
    for (i = 0; i < luck->laid_count; i++)
        if (luck->laid[i].purpose == purpose && luck->laid[i].counter == counter)
            return &luck->laid[i];
    return NULL;
}

/* Put the laid-out outcome first and the items left over, in their old order, behind it. */
static inline void machiavel_luck_place(machiavel_luck *luck, const machiavel_outcome *outcome, uint8_t *items, uint32_t count, uint32_t drawn)
{
    uint8_t left[MACHIAVEL_MAX_OUTCOME];
    uint32_t i, j, remaining = count;
    if (outcome->count != drawn || count > MACHIAVEL_MAX_OUTCOME) {
        machiavel_luck_fail(luck, MACHIAVEL_LUCK_INVALID, outcome->purpose, outcome->counter, items, count);
        return;
    }
    memcpy(left, items, count);
    for (i = 0; i < drawn; i++) {
        for (j = 0; j < remaining && left[j] != outcome->values[i]; j++) {
        }
        if (j == remaining) {
            machiavel_luck_fail(luck, MACHIAVEL_LUCK_INVALID, outcome->purpose, outcome->counter, items, count);
            return;
        }
        memmove(left + j, left + j + 1, remaining - j - 1);
        remaining--;
    }
    memcpy(items, outcome->values, drawn);
    memcpy(items + drawn, left, remaining);
}

/* Shuffle: the first `drawn` of `count` items become the outcome. At most MACHIAVEL_MAX_OUTCOME items. */
static inline void machiavel_shuffle(machiavel_luck *luck, uint32_t purpose, uint32_t counter, uint8_t *items, uint32_t count, uint32_t drawn)
{
    machiavel_rng rng;
    uint32_t i, j;
    uint8_t item;
    if (luck->laid_count) {
        const machiavel_outcome *outcome = machiavel_luck_find(luck, purpose, counter);
        if (outcome) {
            machiavel_luck_place(luck, outcome, items, count, drawn);
            return;
        }
    }
    if (!(luck->flags & MACHIAVEL_SEEDED)) {
        machiavel_luck_fail(luck, MACHIAVEL_LUCK_MISSING, purpose, counter, items, count);
        return;
    }
    if (luck->flags & MACHIAVEL_QUICK) {
        rng = machiavel_luck_stream(luck, purpose, counter);
        machiavel_shuffle_bytes(&rng, items, count, drawn);
        return;
    }
    for (i = 0; i < drawn && i + 1 < count; i++) {
        j = i + (uint32_t)(((machiavel_luck_bits(luck, purpose, counter, i) >> 32) * (count - i)) >> 32);
        item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
}

/* One of `count` items: a die, a card drawn unseen. */
static inline uint8_t machiavel_draw(machiavel_luck *luck, uint32_t purpose, uint32_t counter, const uint8_t *items, uint32_t count)
{
    uint8_t copy[MACHIAVEL_MAX_OUTCOME];
    count = count < MACHIAVEL_MAX_OUTCOME ? count : MACHIAVEL_MAX_OUTCOME;
    memcpy(copy, items, count);
    machiavel_shuffle(luck, purpose, counter, copy, count, 1);
    return copy[0];
}


/* ---- Keys ---- */

/* A hash of `size` bytes (a multiple of 8), seeded by `start`; every byte matters. */
static inline uint64_t machiavel_hash(const void *bytes, size_t size, uint64_t start)
{
    const uint8_t *at = (const uint8_t *)bytes;
    uint64_t key = start ^ 0x2d358dccaa6c78a5u, low, high;
    size_t i;
    for (i = 0; i + 16 <= size; i += 16) {
        memcpy(&low, at + i, 8);
        memcpy(&high, at + i + 8, 8);
        key = machiavel_fold(low ^ 0x8bb84b93962eacc9u, high ^ key);
    }
    if (i < size) {
        memcpy(&low, at + i, 8);
        key = machiavel_fold(low ^ 0x8bb84b93962eacc9u, 0x4b33a62ed433d4a3u ^ key);
    }
    return machiavel_fold(key ^ 0x4d5a2da51de1aa47u, (uint64_t)size ^ 0x9e3779b97f4a7c15u);
}


/* ---- The engine ---- */

/* flags */
#define MACHIAVEL_COOPERATIVE 1u /* all seats win or lose together */
#define MACHIAVEL_HAS_HORIZON 2u /* MACHIAVEL_STOP_AT_HORIZON stops somewhere before the end */

typedef struct machiavel_engine {
    uint32_t abi_version; /* MACHIAVEL_ABI_VERSION */
    uint32_t struct_size; /* sizeof(machiavel_engine) */
    const char *name;
    uint32_t rules_version; /* raised when an old record would replay differently */
    uint32_t flags;
    uint32_t state_size; /* of a state, and so of a world */
    uint32_t view_size;
    uint32_t move_limit; /* every move is below it */
    uint32_t max_moves;  /* the most legal moves any position offers, at most MACHIAVEL_MAX_MOVES */

    /* -- Required -- */

    uint32_t (*seats)(const void *rules);
    /* The most plies a game can last. */
    uint32_t (*max_plies)(const void *rules);
    void (*deal)(const void *rules, machiavel_luck *luck, void *state);
    /* The seat asked next, or MACHIAVEL_OVER, or MACHIAVEL_AT_HORIZON. */
    int (*to_move)(const void *rules, const void *state);
    /* The legal moves of a seat that is asked, ascending; returns how many, at least 1. `moves` has room for max_moves. */
    uint32_t (*legal_moves)(const void *rules, const void *state, int seat, machiavel_move *moves);
    /* Play a legal move of the seat that `to_move` names. */
    void (*apply)(const void *rules, void *state, machiavel_move move, machiavel_luck *luck);
    /* Per seat, 0 … 1; defined when over (k winners share 1/k) and at the horizon (the expected value of playing on between equals). */
    void (*utilities)(const void *rules, const void *state, float *utilities);
    /* What a seat, or MACHIAVEL_SPECTATOR, may see: built up from nothing. */
    void (*view)(const void *rules, const void *state, int seat, void *view);
    /* A world: the view with its holes filled by a draw from what the seat must hold possible, as if every hidden move had been uniform. */
    void (*determinize)(const void *rules, const void *view, machiavel_rng *rng, void *world);
    /* A hash of ply, mover, seat and what the seat sees. Equal keys: same ply, same mover and, where the seat itself moves, the same moves.
     * What no longer bears on the play, such as the order of past tricks, may be left out, so that more positions are met again. */
    uint64_t (*view_key)(const void *rules, const void *state, int seat);

    /* -- Optional: NULL where a game has no use for it -- */

    /* The seats whose answers do not depend on each other now, as bits; NULL: only `to_move`. `apply` still takes them in `to_move`'s order. */
    uint32_t (*seats_to_move)(const void *rules, const void *state);
    /* A playout policy and prior: how much each of the mover's legal moves weighs, > 0; depends only on what the mover sees. */
    void (*weights)(const void *rules, const void *state, const machiavel_move *moves, uint32_t count, float *weights);
    /* How plausible, > 0 and at most 1, the others' recent moves are in this world, seen from `seat`. */
    float (*likelihood)(const void *rules, const void *world, int seat);
    /* Named quantities at the end of a line that began at `root` (NULL: the deal), in the order of the engine's `metrics`; returns how many. */
    uint32_t (*metrics)(const void *rules, const void *root, const void *end, float *metrics);
    /* Play uniformly random legal moves until `to_move` names no seat; returns the plies. The same draws, in the same order, as the plain
     * loop: moves[machiavel_below(rng, count)] of legal_moves, also where count is 1. */
    uint32_t (*playout)(const void *rules, void *state, machiavel_rng *rng, machiavel_luck *luck);
    /* What a seat (never the spectator) alone learnt from a move by what others did or showed it, such as a card received or a hand seen, hashed; 0:
     * nothing. Not the cards it is dealt or picks up: told apart by those, its nodes would never be met twice. With the spectator's view_key
     * it tells the positions apart that a mover can tell apart since the root. */
    uint64_t (*private_observation)(const void *rules, const void *before, machiavel_move move, const void *after, int seat);
    /* An estimate of the utilities anywhere in a game, where a playout need not go on to the end. */
    void (*evaluate)(const void *rules, const void *state, float *utilities);
    /* Whether this thread has met a fault: an error in the game's own code, which no function above can report. From it on the state that
     * met it leads nowhere: nobody is to move, and all seats win the same. Whoever calls the engine asks after an iteration or a call, and
     * stops; `Engine.fault_error` then tells what it was, and the thread's next call is a clean one. An engine built before this function was
     * added, with a struct that ends here, is one without it. */
    uint32_t (*fault)(const void *rules);
} machiavel_engine;

#endif
