# Games without a compiler: the author's functions are Python's, called in place of machine code; all else is the same.

cdef class CallLuck:
    """What an interpreted function draws from: a call, for as long as it lasts."""

    cdef kit_call *call

    cdef kit_call *open_call(self) except NULL:
        if self.call is NULL:
            raise RuntimeError("luck is there as long as the function that was given it")
        return self.call

    cdef object answer(self, int64_t value):
        cdef kit_call *call = self.call
        if call.fault == KIT_FINE:
            return value
        call.fault = KIT_FINE  # the exception tells it, with its line
        raise faulty(IndexError, FaultKind.BAD_INDEX, f"index {call.a} of {call.b}", call.a, call.b)

    def draw_cards(self, int64_t purpose, int64_t counter, int64_t deck, int64_t cards, int64_t count):
        cdef kit_call *call = self.open_call()
        return self.answer(call.draw_cards(call, purpose, counter, deck, cards, count))

    def draw_card(self, int64_t purpose, int64_t counter, int64_t deck, int64_t cards):
        cdef kit_call *call = self.open_call()
        return self.answer(call.draw_card(call, purpose, counter, deck, cards))

    def roll(self, int64_t purpose, int64_t counter, int64_t sides):
        cdef kit_call *call = self.open_call()
        return self.answer(call.roll(call, purpose, counter, sides))

    def hidden(self, int64_t slot, int64_t index):
        cdef kit_call *call = self.open_call()
        return self.answer(call.hidden(call, slot, index))

    def unseen(self, int64_t deck):
        cdef kit_call *call = self.open_call()
        return call.unseen(call, deck)


cdef void note_error(kit_call *call, object error) noexcept:
    if call.fault:
        return
    if isinstance(error, KeyboardInterrupt):
        PyErr_SetInterrupt()  # once more, where somebody can hear it
    try:
        call.fault, call.line, call.a, call.b = fault_of(error, <str> rules_of_call(call).path)
    except Exception:  # numbers that are too large to be told
        call.fault = KIT_RAISED


cdef inline const Rules *rules_of_call(const kit_call *call) noexcept:
    return <const Rules *> call.rules


cdef object taken(const Rules *rules):
    """An object that nobody else is playing with."""
    pool = <list> rules.pool
    try:
        return pool.pop()
    except IndexError:
        return (<object> rules.factory)()


cdef object loaded(const Rules *rules, const uint8_t *state):
    game = taken(rules)
    game.load((<const char *> state)[:rules.state_size])
    return game


cdef void dump(const Rules *rules, object game, uint8_t *state) except *:
    cdef bytes content = game.dump()
    if len(content) != rules.state_size:
        raise ValueError(f"a state has {rules.state_size} bytes, not {len(content)}")
    memcpy(state, <const char *> content, rules.state_size)


cdef int64_t fuel_left(object game) except? -1:
    """As machine code leaves it in the call; a game without loops that take any keeps no count."""
    return getattr(game, "_kit_fuel", KIT_FUEL)


cdef CallLuck luck_of(kit_call *call):
    cdef CallLuck luck = CallLuck.__new__(CallLuck)
    luck.call = call
    return luck


cdef int64_t interpreted_deal(kit_call *call, uint8_t *state) noexcept with gil:
    cdef CallLuck luck = luck_of(call)
    cdef const Rules *rules = rules_of_call(call)
    try:
        game = loaded(rules, state)
        game.deal(luck)
        dump(rules, game, state)
        (<list> rules.pool).append(game)
    except BaseException as error:
        note_error(call, error)
    luck.call = NULL
    return 0


cdef int64_t take_moves(kit_call *call, object answer) except? 0:
    """What a `legal` in Python answered, as machine code answers it."""
    cdef uint32_t count
    if type(answer) is tuple:
        call.first, cards = answer
        return cards
    count = 0
    for move in answer:
        if count == KIT_MOVES:
            set_fault(call, KIT_TOO_MANY_MOVES, len(answer), KIT_MOVES)
            return 0
        if not 0 <= move < 65536:
            set_fault(call, KIT_BAD_MOVE, move, rules_of_call(call).reserved)
            return 0
        call.moves[count] = move
        count += 1
    call.count = count
    return -1


cdef int64_t interpreted_legal(kit_call *call, uint8_t *state, int64_t seat) noexcept with gil:
    cdef const Rules *rules = rules_of_call(call)
    cdef int64_t answer = 0
    try:
        game = loaded(rules, state)
        answer = take_moves(call, game.legal(seat))
        (<list> rules.pool).append(game)
    except BaseException as error:
        note_error(call, error)
    return answer


cdef int64_t interpreted_apply(kit_call *call, uint8_t *state, int64_t move) noexcept with gil:
    cdef CallLuck luck = luck_of(call)
    cdef const Rules *rules = rules_of_call(call)
    try:
        game = loaded(rules, state)
        game.apply(move, luck)
        dump(rules, game, state)
        (<list> rules.pool).append(game)
    except BaseException as error:
        note_error(call, error)
    luck.call = NULL
    return 0


cdef int64_t fill_shares(kit_call *call, uint8_t *state, double *shares, str name) noexcept:
    cdef const Rules *rules = rules_of_call(call)
    cdef uint32_t seat
    try:
        game = loaded(rules, state)
        values = [0.0] * rules.seats
        getattr(game, name)(values)
        for seat in range(rules.seats):
            shares[seat] = values[seat]
        (<list> rules.pool).append(game)
    except BaseException as error:
        note_error(call, error)
    return 0


cdef int64_t interpreted_result(kit_call *call, uint8_t *state, double *shares) noexcept with gil:
    return fill_shares(call, state, shares, "result")


cdef int64_t interpreted_estimate(kit_call *call, uint8_t *state, double *shares) noexcept with gil:
    return fill_shares(call, state, shares, "estimate")


cdef int64_t interpreted_measure(kit_call *call, uint8_t *state, double *arrays) noexcept with gil:
    """All arrays, one behind the other."""
    cdef const Rules *rules = rules_of_call(call)
    cdef uint32_t i
    try:
        game = loaded(rules, state)
        values = [[0.0] * rules.seats for _ in range(rules.metric_arrays)]
        game.measure(*values)
        for i in range(rules.metric_arrays * rules.seats):
            arrays[i] = values[i // rules.seats][i % rules.seats]
        (<list> rules.pool).append(game)
    except BaseException as error:
        note_error(call, error)
    return 0


cdef double interpreted_weigh(kit_call *call, uint8_t *state, int64_t move) noexcept with gil:
    cdef const Rules *rules = rules_of_call(call)
    cdef double weight = 1
    try:
        game = loaded(rules, state)
        weight = game.weigh(move)
        (<list> rules.pool).append(game)
    except BaseException as error:
        note_error(call, error)
    return weight


cdef int64_t interpreted_determinize(kit_call *call, uint8_t *state, int64_t seat) noexcept with gil:
    cdef CallLuck luck = luck_of(call)
    cdef const Rules *rules = rules_of_call(call)
    try:
        game = loaded(rules, state)
        game.determinize(seat, luck)
        call.fuel = fuel_left(game)
        dump(rules, game, state)
        (<list> rules.pool).append(game)
    except BaseException as error:
        note_error(call, error)
    luck.call = NULL
    return 0


cdef int64_t interpreted_possible(kit_call *call, uint8_t *state, int64_t seat) noexcept with gil:
    cdef const Rules *rules = rules_of_call(call)
    cdef bint answer = False
    try:
        game = loaded(rules, state)
        answer = bool(game.possible(seat))
        call.fuel = fuel_left(game)
        (<list> rules.pool).append(game)
    except BaseException as error:
        note_error(call, error)
    return answer


cdef int64_t interpreted_playout(kit_call *call, uint8_t *state, machiavel_rng *rng) noexcept with gil:
    """One object plays to the end; the header's bytes are settled between its moves."""
    cdef CallLuck luck = luck_of(call)
    cdef const Rules *rules = rules_of_call(call)
    cdef const machiavel_luck *own = <const machiavel_luck *> call.luck
    cdef machiavel_move[MACHIAVEL_MAX_MOVES] moves
    cdef int64_t plies = 0
    cdef uint32_t count
    try:
        game = loaded(rules, state)
        while to_move(rules, state) >= 0:
            count = counted_moves(rules, call, game, mover_of(state), moves)
            if count == 0:
                break
            play_interpreted(rules, call, game, luck, state, moves[machiavel_below(rng, count)], own)
            if call.fault:
                break
            plies += 1
        dump(rules, game, state)
        (<list> rules.pool).append(game)
    except BaseException as error:
        note_error(call, error)
    luck.call = NULL
    return plies


cdef uint32_t counted_moves(const Rules *rules, kit_call *call, object game, int seat, machiavel_move *moves) except? 0:
    cdef int64_t answer
    cdef uint64_t kinds
    cdef uint32_t n = 0
    call.count = 0
    answer = take_moves(call, game.legal(seat))
    if call.fault:
        return 0
    if answer == -1:
        return sorted_moves(rules, call, moves)
    kinds = kinds_of(rules, call, <uint64_t> answer)
    while kinds:
        moves[n] = <machiavel_move> (call.first + first_card(kinds))
        n += 1
        kinds &= kinds - 1
    return n


cdef void play_interpreted(const Rules *rules, kit_call *call, object game, CallLuck luck, uint8_t *state, int move,
                           const machiavel_luck *own) except *:
    """`play`, of an object that keeps the fields to itself, while the header is looked after in `state`."""
    cdef int mover = mover_of(state)
    cdef uint32_t asked = begin_play(state)
    if asked:
        game.asked = state[<int> KIT_ASKED]
    game.apply(move, luck)
    state[<int> KIT_MOVER] = <uint8_t> <int> game.mover
    state[<int> KIT_ASKED] = game.asked
    state[<int> KIT_FLAGS] = game.flags
    end_play(rules, call, state, asked, mover, own)
    game.ply = ply_of(state)
    game.mover = mover_of(state)
    game.asked = state[<int> KIT_ASKED]
    game.flags = state[<int> KIT_FLAGS]


cdef void fill_interpreted(Rules *rules, game, list pool, factory, path) except *:
    """`pool`, `factory` and `path` live as long as the rules do."""
    methods = game.methods
    rules.factory = <void *> factory
    rules.pool = <void *> pool
    rules.path = <void *> path
    rules.deal = interpreted_deal
    rules.legal = interpreted_legal
    rules.apply = interpreted_apply
    rules.result = interpreted_result
    if "estimate" in methods:
        rules.estimate = interpreted_estimate
    if "measure" in methods:
        rules.measure = interpreted_measure
    if "weigh" in methods:
        rules.weigh = interpreted_weigh
    if "determinize" in methods:
        rules.determinize = interpreted_determinize
    if "possible" in methods:
        rules.possible = interpreted_possible
    if not rules.sorts_dice:  # rows are put in order in the bytes, after each move
        rules.playout = interpreted_playout
