"""How a match of citadel stands at its end (R1), and what was used on the way."""

from libc.stdint cimport uint32_t

from machiavel.engines.citadel._state cimport CHARACTERS, LISTS, TREASURES, Rules, State, Table


cdef void utilities(const void *rules, const void *state_, float *utilities) noexcept nogil:
    """R1.1 and R1.2: all alike."""
    cdef const Table *table = &(<const State *> state_).table
    cdef uint32_t seat
    for seat in range((<const Rules *> rules).seats):
        utilities[seat] = table.saved_count == TREASURES


cdef uint32_t metrics(const void *rules, const void *root_, const void *end_, float *metrics) noexcept nogil:
    """Turns begun, treasures saved and lost; how often, since `root`, each card, bonus and ability was used."""
    cdef const State *root = <const State *> root_
    cdef const State *end = <const State *> end_
    cdef uint32_t i
    metrics[0] = end.table.turn + 1
    metrics[1] = end.table.saved_count
    metrics[2] = end.table.lost_count
    for i in range(LISTS):
        metrics[3 + i] = end.done[i] - (root.done[i] if root is not NULL else 0)
    for i in range(CHARACTERS):
        metrics[3 + LISTS + i] = end.abilities[i] - (root.abilities[i] if root is not NULL else 0)
    return 3 + LISTS + CHARACTERS
