/* How the runtime and an author's functions, compiled or interpreted, call each other. */
#ifndef MACHIAVEL_KIT_CALL_H
#define MACHIAVEL_KIT_CALL_H

#include <stdint.h>

/* What can go wrong in an author's function. */
enum {
    KIT_FINE,
    KIT_BAD_INDEX,     /* a: the index, b: the length */
    KIT_OVERFLOW,      /* a result outside 64 bits */
    KIT_DOES_NOT_FIT,  /* a: the value, b: the slot's number; header fields: -1 mover, -2 asked */
    KIT_DIVISION,      /* by zero */
    KIT_BAD_SHIFT,     /* a: the count */
    KIT_NO_FUEL,       /* a loop does not end */
    KIT_RAISED,        /* the author's own exception */
    KIT_ASSERTION,
    KIT_EMPTY_SET,     /* low() or high() of nothing */
    KIT_BAD_LUCK,      /* a: asked for, b: there are; or a: sides, b: 0 */
    KIT_BAD_COUNTER,   /* a: `at` that is too large or negative */
    KIT_BAD_PART,      /* a: a part of a move that is out of range, b: how many there are */
    KIT_INEXACT,       /* an int too large for a float */
    /* Found by the runtime: */
    KIT_NO_MOVE,       /* a: the seat */
    KIT_BAD_MOVE,      /* a: the answer; b: the number of moves */
    KIT_SAME_MOVE,     /* a: the move given twice */
    KIT_TOO_MANY_MOVES,
    KIT_ENDLESS,       /* a: the most plies */
    KIT_BAD_RESULT,    /* a share that is negative, or no number, or outside `worth`; a: the seat */
    KIT_BAD_WEIGHT,    /* not above 0 */
    KIT_NO_WORLD,      /* no deal fits what is known */
    /* In an author's function, too: */
    KIT_NO_SET,        /* a: a negative number where a set of cards is expected */
};

#define KIT_FUEL 100000
#define KIT_MOVES 256

typedef struct kit_call {
    int64_t fuel;
    int32_t fault; /* KIT_FINE, or what went wrong first */
    int32_t line;  /* in the author's file */
    int64_t a, b;
    int64_t first; /* legal: the number of the first move of the action whose cards are returned */
    void *luck;    /* what the functions below draw from */
    const void *rules;
    const uint8_t *view; /* in determinize */
    int64_t (*draw_cards)(struct kit_call *call, int64_t purpose, int64_t counter, int64_t deck, int64_t from, int64_t count);
    int64_t (*draw_card)(struct kit_call *call, int64_t purpose, int64_t counter, int64_t deck, int64_t from);
    int64_t (*roll)(struct kit_call *call, int64_t purpose, int64_t counter, int64_t sides);
    int64_t (*hidden)(struct kit_call *call, int64_t slot, int64_t index);
    int64_t (*unseen)(struct kit_call *call, int64_t deck);
    uint32_t count; /* moves yielded by legal */
    uint16_t moves[KIT_MOVES];
} kit_call;

/* Offsets of the header of a state. */
enum {
    KIT_PLY = 0,     /* uint16 */
    KIT_MOVER = 2,   /* int8: -1 over, -3 faulted */
    KIT_ASKED = 3,   /* uint8: seats that are still to answer, as bits; 0: only the mover */
    KIT_FLAGS = 4,   /* uint8 */
    KIT_SEAT = 5,    /* int8: whose view it is; -1 spectator; 0 in a state */
    KIT_FIELDS = 8,  /* where the fields begin */
};

#define KIT_AT_HORIZON 1 /* in KIT_FLAGS */

#endif
