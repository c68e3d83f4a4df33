"""What a seat goes for that plays in a style: a mixture of results and of what the game measures, from 0 to 1."""

from libc.stdint cimport uint16_t, uint32_t

from machiavel.engines.abi cimport MACHIAVEL_MAX_SEATS, machiavel_engine

cdef enum:
    STYLE_TERMS = 4

cdef enum:  # whose quantity
    OF_SEAT
    OF_OTHERS  # the mean of theirs
    OF_WEAKEST  # of the others


cdef struct Term:
    float weight
    float worst  # counts as 0
    float span  # from there to what counts as 1; may be negative
    int whose
    uint16_t metrics[MACHIAVEL_MAX_SEATS]  # by seat


cdef struct Style:
    bint is_set  # else the seat goes for its own result, as everybody does
    float own
    uint32_t count
    Term[STYLE_TERMS] terms


# The style of that name in a game; checked before.
cdef Style made_style(game, rules, name) except *
# What a line is worth in the style; `totals` are the sums of utilities of each seat so far, and are added to.
cdef float aimed(const Style *style, const machiavel_engine *engine, const void *rules, const void *world, int seat,
                 uint32_t seats, const float *utilities, double *totals) noexcept nogil
