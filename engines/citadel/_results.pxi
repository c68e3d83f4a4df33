# How a match of citadel stands at its end (R1), and what was used on the way.


cdef void utilities(const void *rules, const void *state_, float *utilities) noexcept nogil:
    """R1.1 and R1.2: all alike."""
    cdef const Table *table = &(<const State *> state_).table
    cdef uint32_t seat
    for seat in range((<const Rules *> rules).seats):
        utilities[seat] = table.saved_count == TREASURES


cdef uint32_t metrics(const void *rules, const void *root_, const void *end_, float *metrics) noexcept nogil:
    """Turns begun, treasures saved and lost; how often, since `root`, each card, bonus and ability was used; of each treasure on
    the board at `root` whether it was saved, whether it was lost; how the house stands; whether each seat fled since `root`.
    """
    cdef const State *root = <const State *> root_
    cdef const State *end = <const State *> end_
    cdef uint32_t i, n = 3
    metrics[0] = end.table.turn + 1
    metrics[1] = end.table.saved_count
    metrics[2] = end.table.lost_count
    for i in range(LISTS):
        metrics[n + i] = end.done[i] - (root.done[i] if root is not NULL else 0)
    n += LISTS
    for i in range(CHARACTERS):
        metrics[n + i] = end.abilities[i] - (root.abilities[i] if root is not NULL else 0)
    n += CHARACTERS
    for i in range(COLOURS):
        metrics[n + i] = root is not NULL and has(end.table.saved, root.table.tile[i])
        metrics[n + COLOURS + i] = root is not NULL and has(end.table.lost, root.table.tile[i])
    n += 2 * COLOURS
    metrics[n] = count_cards(end.table.open)
    metrics[n + 1] = count_cards(end.table.off)
    metrics[n + 2] = nearest(&end.table)
    n += 3
    for i in range((<const Rules *> rules).seats):
        metrics[n + i] = end.fled[i] > (root.fled[i] if root is not NULL else 0)
    return n + (<const Rules *> rules).seats


cdef inline bint has(uint32_t tiles, uint32_t tile) noexcept nogil:
    return tile < TILES and tiles >> tile & 1


cdef inline uint32_t nearest(const Table *table) noexcept nogil:
    """Minutes until the first treasure on the board is lost; 0 without any."""
    cdef uint32_t colour, least = SPACES
    for colour in range(COLOURS):
        if table.tile[colour] != NOTHING and table.left[colour] < <int32_t> least:
            least = <uint32_t> table.left[colour]
    return 5 * least if table.phase != OVER else 0
