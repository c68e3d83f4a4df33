# What a match comes to, an estimate of it, a rule of thumb, and what is measured.

cdef extern from *:
    """
    /* `measure` takes one array for each metric: so many of them, `size` numbers apart. */
    static void kit_measure_by(void *function, uint32_t count, kit_call *call, uint8_t *state, double *at, uint32_t size)
    {
        #define A double *
        #define F(...) ((int64_t (*)(kit_call *, uint8_t *, __VA_ARGS__))function)
        double *b = at + size, *c = b + size, *d = c + size, *e = d + size, *f = e + size, *g = f + size, *h = g + size;
        switch (count) {
        case 1: F(A)(call, state, at); break;
        case 2: F(A, A)(call, state, at, b); break;
        case 3: F(A, A, A)(call, state, at, b, c); break;
        case 4: F(A, A, A, A)(call, state, at, b, c, d); break;
        case 5: F(A, A, A, A, A)(call, state, at, b, c, d, e); break;
        case 6: F(A, A, A, A, A, A)(call, state, at, b, c, d, e, f); break;
        case 7: F(A, A, A, A, A, A, A)(call, state, at, b, c, d, e, f, g); break;
        case 8: F(A, A, A, A, A, A, A, A)(call, state, at, b, c, d, e, f, g, h); break;
        }
        #undef A
        #undef F
    }
    """
    void measure_by "kit_measure_by"(void *function, uint32_t count, kit_call *call, uint8_t *state, double *at,
                                     uint32_t size) noexcept nogil

cdef void share_evenly(const Rules *rules, float *utilities) noexcept nogil:
    cdef uint32_t seat
    for seat in range(rules.seats):
        utilities[seat] = <float> (1.0 / rules.seats)


cdef bint scale(const Rules *rules, kit_call *call, const double *shares, float *utilities) noexcept nogil:
    """Shares as utilities from 0 to 1; False where they are none."""
    cdef double total = 0, share
    cdef uint32_t seat
    for seat in range(rules.seats):
        share = shares[seat]
        if rules.has_worth:
            share = (share - rules.low) / rules.span
        if not (0 <= share <= 1 if rules.has_worth else 0 <= share < 1e300):  # no number is neither
            set_fault(call, KIT_BAD_RESULT, seat, 0)
            return False
        if rules.is_cooperative and shares[seat] != shares[0]:
            set_fault(call, KIT_BAD_RESULT, seat, 1)
            return False
        utilities[seat] = <float> share
        total += share
    if rules.has_worth:
        return True
    if total == 0:
        share_evenly(rules, utilities)
        return True
    for seat in range(rules.seats):
        utilities[seat] = <float> (shares[seat] / total)
    return True


cdef void share_by(const Rules *rules, Shares function, int number, const uint8_t *state, float *utilities) noexcept nogil:
    cdef double[MACHIAVEL_MAX_SEATS] shares
    cdef kit_call call
    cdef Where where
    memset(shares, 0, sizeof(shares))
    begin_call(&call, rules, NULL)
    function(&call, <uint8_t *> state, shares)
    if call.fault == KIT_FINE and scale(rules, &call, shares, utilities):
        return
    where = at_state(rules, number, state, -1, -1, NULL)
    keep_fault(rules, &call, &where)
    share_evenly(rules, utilities)


cdef void utilities(const void *rules_, const void *state_, float *utilities) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const uint8_t *state = <const uint8_t *> state_
    if mover_of(state) == -1:
        share_by(rules, rules.result, IN_RESULT, state, utilities)
    else:
        evaluate(rules_, state_, utilities)


cdef void evaluate(const void *rules_, const void *state_, float *utilities) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const uint8_t *state = <const uint8_t *> state_
    cdef int mover = mover_of(state)
    if mover == -1:
        share_by(rules, rules.result, IN_RESULT, state, utilities)
    elif mover < 0 or rules.estimate is NULL:
        share_evenly(rules, utilities)
    else:
        share_by(rules, rules.estimate, IN_ESTIMATE, state, utilities)


cdef void weights(const void *rules_, const void *state_, const machiavel_move *moves, uint32_t count,
                  float *weights) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const uint8_t *state = <const uint8_t *> state_
    cdef kit_call call
    cdef Where where
    cdef double weight
    cdef uint32_t i
    begin_call(&call, rules, NULL)
    for i in range(count):
        weights[i] = 1
    if rules.weigh is NULL:
        return
    for i in range(count):
        if moves[i] >= rules.reserved:
            return
        call.fuel = KIT_FUEL
        weight = rules.weigh(&call, <uint8_t *> state, moves[i])
        if call.fault == KIT_FINE and not 1e-30 < weight < 1e30:
            set_fault(&call, KIT_BAD_WEIGHT, moves[i], 0)
        if call.fault:
            where = at_state(rules, IN_WEIGH, state, moves[i], mover_of(state), NULL)
            keep_fault(rules, &call, &where)
            return
        weights[i] = <float> weight


cdef uint32_t metrics(const void *rules_, const void *root, const void *end, float *metrics) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef double[ARRAYS * MACHIAVEL_MAX_SEATS] measured
    cdef kit_call call
    cdef Where where
    cdef uint32_t i, count = rules.metric_arrays * rules.seats
    memset(measured, 0, sizeof(measured))
    begin_call(&call, rules, NULL)
    if mover_of(<const uint8_t *> end) == FAULTED:
        pass
    elif rules.factory is not NULL:
        rules.measure(&call, <uint8_t *> end, measured)
    else:
        measure_by(<void *> rules.measure, rules.metric_arrays, &call, <uint8_t *> end, measured, rules.seats)
    if call.fault:
        where = at_state(rules, IN_MEASURE, <const uint8_t *> end, -1, -1, NULL)
        keep_fault(rules, &call, &where)
        memset(measured, 0, sizeof(measured))
    for i in range(count):
        metrics[i] = <float> measured[i]
    return count
