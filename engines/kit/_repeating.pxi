# The call that met a fault once more, in Python, so that Python tells what was wrong.

cdef void lay_luck(machiavel_luck *luck, machiavel_outcome *laid, record) except *:
    """The luck of the record; its outcomes are the record's own bytes."""
    cdef uint32_t i
    memset(luck, 0, sizeof(machiavel_luck))
    luck.seed[0] = record.seed & 0xFFFFFFFFFFFFFFFF
    luck.seed[1] = record.seed >> 64
    luck.flags = record.flags
    luck.laid = laid
    luck.laid_count = len(record.laid)
    for i, (purpose, counter, values) in enumerate(record.laid):
        laid[i].purpose = purpose
        laid[i].counter = counter
        laid[i].count = len(values)
        laid[i].values = <const uint8_t *> <const char *> values


cdef void repeat_call(const Rules *rules, record, game) except *:
    cdef machiavel_luck luck
    cdef machiavel_rng rng
    cdef kit_call call
    cdef CallLuck drawn = luck_of(&call)
    cdef uint8_t[LARGEST_STATE] world
    cdef bytes data = record.data
    cdef const uint8_t *view = <const uint8_t *> <const char *> data
    cdef machiavel_outcome *laid = <machiavel_outcome *> calloc(max(1, len(record.laid)), sizeof(machiavel_outcome))
    if laid is NULL:
        raise MemoryError
    try:
        lay_luck(&luck, laid, record)
        begin_call(&call, rules, &luck)
        if record.function == "determinize":
            rng.state = record.rng
            memcpy(world, view, rules.state_size)
            world[<int> KIT_SEAT] = 0
            fill_numbers(rules, view, record.seat, &rng, world)
            begin_world_call(&call, rules, &rng, view)
            data = (<const char *> world)[:rules.state_size]
        game.load(data)
        repeat_function(rules, record, game, drawn)
    finally:
        drawn.call = NULL
        free(laid)


cdef void repeat_function(const Rules *rules, record, game, CallLuck luck) except *:
    values = [0.0] * rules.seats
    if record.function == "deal":
        game.deal(luck)
    elif record.function == "legal":
        answer = game.legal(record.seat)
        if type(answer) is not tuple:
            list(answer)
    elif record.function == "apply":
        if game.asked:
            game.asked &= ~(1 << game.mover)
        game.apply(record.move, luck)
    elif record.function == "measure":
        game.measure(*([0.0] * rules.seats for _ in range(rules.metric_arrays)))
    elif record.function == "weigh":
        game.weigh(record.move)
    elif record.function == "determinize":
        game.determinize(record.seat, luck)
    elif record.function == "possible":
        game.possible(record.seat)
    else:
        getattr(game, record.function)(values)
