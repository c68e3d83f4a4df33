# What a team can expect from where it stands: its chance to win, as a playout by the rule of thumb would find it, but at once.
#
# A logistic model of the table: treasures saved and lost, and for each treasure on the board how many of its guards are on and
# how much time is left for them. Fitted to outcomes of play by the rule of thumb (docs/citadel.md has how well it foretells
# them).

cdef enum:
    GUARDS = 5  # 0, 1, 2, 3, more
    TIMES = 4

cdef double[TREASURES] OF_SAVED = [-2.63, -1.10, 0.55, 2.56]
cdef double[TREASURES] OF_LOST = [1.33, 0.56, -0.70, -1.81]
cdef double[GUARDS][TIMES] OF_TREASURE = [
    [0.16, 0.65, 0.79, 0.60],
    [-0.53, 0.01, 0.42, 0.30],
    [-0.77, -0.47, 0.04, 0.24],
    [-0.82, -0.42, -0.18, 0.11],
    [-0.87, -0.49, -0.36, -0.15],
]
cdef double OF_BEING_THERE = 0.362  # in the room of a treasure that nothing protects
cdef double OF_INSIDE = 0.058  # each player in the house
cdef double OF_OFF = 0.029  # each trap that is off
cdef double OF_OPEN = -0.032  # each open door
cdef double OF_POWER = 0.102  # each power face up
cdef double OF_ACTION = 0.121  # each action left
cdef double OF_PLAYER = -0.211  # each seat
cdef double BIAS = -0.626


cdef inline uint32_t time_class(int left) noexcept nogil:
    return (left > 2) + (left > 4) + (left > 7)


cdef double outlook(const Rules *rules, const Table *table) noexcept nogil:
    """The logarithm of the odds to win."""
    cdef double estimate = BIAS + OF_SAVED[table.saved_count] + OF_LOST[table.lost_count]
    cdef uint32_t colour, on, seat
    for colour in range(COLOURS):
        on = count_cards(table.guards[colour] & ~table.off)
        estimate += OF_TREASURE[min(on, <uint32_t> GUARDS - 1)][time_class(table.left[colour])]
        if on == 0:
            for seat in range(rules.seats):
                if table.place[seat] == table.spot[colour]:
                    estimate += OF_BEING_THERE
                    break
    for seat in range(rules.seats):
        estimate += OF_INSIDE * (table.place[seat] != OUTSIDE)
    estimate += OF_OFF * count_cards(table.off) + OF_OPEN * count_cards(table.open) + OF_POWER * count_cards(table.up)
    return estimate + OF_ACTION * table.actions + OF_PLAYER * rules.seats


cdef void evaluate(const void *rules_, const void *state_, float *utilities) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const Table *table = &(<const State *> state_).table
    cdef uint32_t seat
    cdef float chance
    if table.phase == OVER:
        chance = table.saved_count == TREASURES
    else:
        chance = <float> (1 / (1 + exponential(-outlook(rules, table))))
    for seat in range(rules.seats):
        utilities[seat] = chance
