# What a match of bond comes to (R7.4), and what is measured on the way.


cdef void utilities(const void *rules_, const void *state_, float *utilities) noexcept nogil:
    """R7.4. Whoever has reached the goal has the most points, for all others are below it."""
    cdef const Rules *rules = <const Rules *> rules_
    cdef const Table *table = &(<const State *> state_).table
    cdef uint32_t seat, most = 0, winners = 0
    for seat in range(rules.seats):
        most = max(most, table.points[seat])
    for seat in range(rules.seats):
        winners += table.points[seat] == most
    for seat in range(rules.seats):
        utilities[seat] = <float> 1.0 / winners if table.points[seat] == most else <float> 0.0


# Found by play: how many points a seat leads by come to e times the chance to win, at the end and more for each spy to come.
cdef double LEAD = 1
cdef double LEAD_A_SPY = 0.5
cdef double LAIR_WORTH = 0.25  # of a lair, in points for each point of its value, while there are spies to catch


cdef void evaluate(const void *rules_, const void *state_, float *utilities) noexcept nogil:
    """How likely each seat wins from here, by its points, its lair and the spy it has caught."""
    cdef const Rules *rules = <const Rules *> rules_
    cdef const Table *table = &(<const State *> state_).table
    cdef double[SEATS] worth
    cdef double left = COPIES - table.gone, best = 0, sum = 0
    cdef uint32_t seat
    for seat in range(rules.seats):
        worth[seat] = table.points[seat] + LAIR_WORTH * table.lair_value[seat]
        if table.phase in (CAPTURED, FOIL) and table.target == seat:
            worth[seat] += <uint32_t> table.value << table.taunt_count
        best = max(best, worth[seat])
    for seat in range(rules.seats):
        worth[seat] = exponential((worth[seat] - best) / (LEAD + LEAD_A_SPY * left))
        sum += worth[seat]
    for seat in range(rules.seats):
        utilities[seat] = <float> (worth[seat] / sum)


cdef uint32_t metrics(const void *rules_, const void *root_, const void *end_, float *metrics) noexcept nogil:
    """How the match ended, turns since `root`; per seat points and, since `root`, spies killed and captures foiled; what became
    of the attack in the turn of `root`; then per seat, since `root`, points scored and whether a lair was lost.
    """
    cdef const Rules *rules = <const Rules *> rules_
    cdef const State *root = <const State *> root_
    cdef const State *end = <const State *> end_
    cdef const Table *table = &end.table
    cdef uint32_t seat, most = 0, n = 4
    for seat in range(rules.seats):
        most = max(most, table.points[seat])
        metrics[n] = table.points[seat]
        metrics[n + 1] = end.killed[seat] - (root.killed[seat] if root is not NULL else 0)
        metrics[n + 2] = end.foiled[seat] - (root.foiled[seat] if root is not NULL else 0)
        n += 3
    metrics[n] = end.outcome == KILLED
    metrics[n + 1] = end.outcome == ESCAPED
    metrics[n + 2] = end.outcome == FOILED
    n += 3
    for seat in range(rules.seats):
        metrics[n] = table.points[seat] - (root.table.points[seat] if root is not NULL else 0)
        metrics[n + 1] = end.wrecked[seat] > (root.wrecked[seat] if root is not NULL else 0)
        n += 2
    metrics[0] = most >= GOAL
    metrics[1] = most < GOAL and table.gone == COPIES
    metrics[2] = most < GOAL and table.gone < COPIES
    metrics[3] = end.turns - (root.turns if root is not NULL else 0)
    return n
