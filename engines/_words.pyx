"""Sets of cards, kept as bits of one word, as lists of what stands on the cards."""

from collections.abc import Mapping

from libc.stdint cimport uint64_t


def card_list(uint64_t cards, marks):
    """What stands on the cards of a set, or of a heap where `marks` tells it of every copy; in the order of `marks`."""
    cdef list shown = []
    cdef uint64_t bit
    if isinstance(marks, dict) or (not isinstance(marks, (list, tuple)) and isinstance(marks, Mapping)):
        for number, mark in marks.items():
            bit = number
            if bit < 64 and cards >> bit & 1:
                shown.append(mark)
        return shown
    for mark in marks:
        if cards == 0:
            break
        if cards & 1:
            shown.append(mark)
        cards >>= 1
    return shown
