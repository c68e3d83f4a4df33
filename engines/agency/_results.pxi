# What a match of agency comes to (R9.1, R9.2), and what is measured on the way.


cdef uint32_t equity_index(const Rules *rules, const Table *table) noexcept nogil:
    cdef uint32_t seat, index = 0
    for seat in range(rules.seats):
        index = index * rules.medals + table.medals[rules.seats - 1 - seat]
    return index


cdef void utilities(const void *rules_, const void *state_, float *utilities) noexcept nogil:
    """R9.1, R9.2: the winners share 1; between rounds the chance to be among them."""
    cdef const Rules *rules = <const Rules *> rules_
    cdef const Table *table = &(<const State *> state_).table
    cdef uint32_t seat, winners = 0
    if table.phase == BETWEEN:
        memcpy(utilities, &rules.equity[equity_index(rules, table) * rules.seats], rules.seats * sizeof(float))
        return
    for seat in range(rules.seats):
        winners += table.medals[seat] == rules.medals
    for seat in range(rules.seats):
        utilities[seat] = <float> 1.0 / winners if table.medals[seat] == rules.medals else <float> 0.0


cdef uint32_t metrics(const void *rules_, const void *root_, const void *end_, float *metrics) noexcept nogil:
    """Rounds, ties, stakes with each accomplice; per seat the last round's points, plan points, greens, yellows, tricks; then per
    seat whether it won the trick that was under way at `root`, and had bonus, penalty and medal of the last round.
    """
    cdef const Rules *rules = <const Rules *> rules_
    cdef const State *root = <const State *> root_
    cdef const State *end = <const State *> end_
    cdef const Table *table = &end.table
    cdef uint32_t accomplice, seat, n = 2, trick = 0 if root is NULL else root.table.trick
    cdef uint32_t least_green = 255, most_yellow = 0
    metrics[0] = table.round + 1
    metrics[1] = end.tied_rounds
    for accomplice in range(1, ACCOMPLICES):
        metrics[n] = end.staked[accomplice]
        n += 1
    for seat in range(rules.seats):
        metrics[n] = table.last_points[seat]
        metrics[n + 1] = table.plan_points[seat]
        metrics[n + 2] = table.greens[seat]
        metrics[n + 3] = table.yellows[seat]
        metrics[n + 4] = table.tricks[seat]
        n += 5
        least_green = min(least_green, <uint32_t> table.greens[seat])
        most_yellow = max(most_yellow, <uint32_t> table.yellows[seat])
    for seat in range(rules.seats):
        metrics[n] = table.trick > trick and end.won[trick] == seat
        metrics[n + 1] = table.greens[seat] == least_green  # R8.2
        metrics[n + 2] = table.yellows[seat] == most_yellow  # R8.3
        metrics[n + 3] = table.last_winners >> seat & 1
        n += 4
    return n
