/* The first fault that a thread met, kept until it is asked for: all that repeats the call. */
#ifndef MACHIAVEL_KIT_FAULT_SLOT_H
#define MACHIAVEL_KIT_FAULT_SLOT_H

#include <stdint.h>

enum { KIT_KEPT_BYTES = 8192, KIT_KEPT_LAID = 4096 };

typedef struct kit_fault {
    uint64_t rules; /* their number; 0: no fault */
    int64_t a, b;
    uint64_t seed[2], rng;
    int32_t kind, line, function, move, seat;
    uint32_t flags; /* of luck */
    uint32_t size;
    uint32_t laid_count, laid_size;
    uint32_t is_whole; /* 0: there was more luck laid out than is kept */
    uint8_t bytes[KIT_KEPT_BYTES]; /* the state, or the view of a world, before the call */
    uint8_t laid[KIT_KEPT_LAID];   /* purpose, counter, count as uint32_t, then the values */
} kit_fault;

static __thread kit_fault kit_kept_fault;

static inline kit_fault *kit_fault_slot(void)
{
    return &kit_kept_fault;
}

#endif
