"""kit_call.h for Cython; the header holds the words."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t


cdef extern from "kit_call.h" nogil:
    enum:
        KIT_FINE
        KIT_RAISED
        KIT_BAD_LUCK
        KIT_BAD_INDEX
        KIT_NO_MOVE
        KIT_BAD_MOVE
        KIT_SAME_MOVE
        KIT_TOO_MANY_MOVES
        KIT_ENDLESS
        KIT_BAD_RESULT
        KIT_BAD_WEIGHT
        KIT_NO_WORLD
        KIT_FUEL
        KIT_MOVES
        KIT_PLY
        KIT_MOVER
        KIT_ASKED
        KIT_FLAGS
        KIT_SEAT
        KIT_FIELDS
        KIT_AT_HORIZON

    ctypedef struct kit_call:
        int64_t fuel
        int32_t fault
        int32_t line
        int64_t a
        int64_t b
        int64_t first
        void *luck
        const void *rules
        const uint8_t *view
        int64_t (*draw_cards)(kit_call *call, int64_t purpose, int64_t counter, int64_t deck, int64_t cards,
                              int64_t count) noexcept nogil
        int64_t (*draw_card)(kit_call *call, int64_t purpose, int64_t counter, int64_t deck, int64_t cards) noexcept nogil
        int64_t (*roll)(kit_call *call, int64_t purpose, int64_t counter, int64_t sides) noexcept nogil
        int64_t (*hidden)(kit_call *call, int64_t slot, int64_t index) noexcept nogil
        int64_t (*unseen)(kit_call *call, int64_t deck) noexcept nogil
        uint32_t count
        uint16_t moves[256]
