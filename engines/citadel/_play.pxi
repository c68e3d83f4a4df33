# The rules of citadel in play, in the order of the contract: dealing, legal moves, moves.


cdef int to_move(const void *rules, const void *state) noexcept nogil:
    cdef int mover = (<const State *> state).table.mover
    return MACHIAVEL_OVER if mover == NOBODY else mover


# ---- Dealing (R2) ----

cdef void deal(const void *rules_, machiavel_luck *luck, void *state_) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef State *state = <State *> state_
    cdef Table *table = &state.table
    cdef uint32_t colour
    memset(state, 0, sizeof(State))
    set_traps(rules, table, luck)
    choose_characters(rules, table, luck)
    table.professor = rules.start
    table.list = NOTHING
    memset(table.place, OUTSIDE, SEATS)
    memset(table.tile, NOTHING, COLOURS)
    memset(table.spot, NOTHING, COLOURS)
    memset(table.dice, NOTHING, 3)
    for colour in range(COLOURS):  # R2.5
        put_out(rules, state, colour, colour, luck)
    begin_turn(rules, state, luck)


cdef void set_traps(const Rules *rules, Table *table, machiavel_luck *luck) noexcept nogil:
    """R2.2."""
    cdef uint8_t items[ROOMS]
    cdef uint32_t room
    memcpy(items, rules.traps, ROOMS)
    machiavel_shuffle(luck, LUCK_TRAPS, 0, items, ROOMS, ROOMS)
    for room in range(ROOMS):
        table.trap[room] = items[room]
        table.of_type[items[room]] |= <uint16_t> (1 << room)
    for room in range(ROOMS):
        items[room] = <uint8_t> room
    machiavel_shuffle(luck, LUCK_OFF, 0, items, ROOMS, ROOMS // 2)
    for room in range(ROOMS // 2):
        table.off |= <uint16_t> (1 << items[room])


cdef void choose_characters(const Rules *rules, Table *table, machiavel_luck *luck) noexcept nogil:
    """R2.6 and R2.7."""
    cdef uint8_t items[CHARACTERS]
    cdef uint32_t i
    for i in range(rules.seats):
        items[i] = <uint8_t> i
    table.active = machiavel_draw(luck, LUCK_FIRST, 0, items, rules.seats)
    if rules.characters_given:
        memcpy(items, rules.given, CHARACTERS)
    else:
        for i in range(CHARACTERS):
            items[i] = <uint8_t> i
        machiavel_shuffle(luck, LUCK_CHARACTERS, 0, items, CHARACTERS, rules.seats)
    memset(table.seat_of, NOBODY, CHARACTERS)
    memcpy(table.characters, items, rules.seats)
    for i in range(rules.seats):
        table.seat_of[items[i]] = <uint8_t> i


# ---- Legal moves ----

cdef uint32_t legal_moves(const void *rules_, const void *state_, int seat, machiavel_move *moves) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const Table *table = &(<const State *> state_).table
    cdef uint32_t count
    if table.phase == ACT:
        return turn_moves(rules, table, moves)
    if table.phase == CARD:
        moves[0] = <uint16_t> (list_number(table.list) + ENOUGH)
        count = list_choices(rules, table, rules.lists[table.list][table.step], list_number(table.list), moves + 1)
        return 1 + count
    if table.phase == DICE:
        return dice_moves(rules, table, moves)
    count = 0
    for seat in range(CHARACTERS):  # R8.2
        if table.seat_of[seat] != NOBODY and not table.up >> table.seat_of[seat] & 1:
            moves[count] = <uint16_t> (TURN_UP + seat)
            count += 1
    return count


cdef inline uint32_t turn_moves(const Rules *rules, const Table *table, machiavel_move *moves) noexcept nogil:
    """R3.2."""
    cdef uint32_t count = 0, acts = 0, i
    if table.actions:
        acts = acts_of(rules, table, table.place[table.active])
        while acts:
            moves[count] = <uint16_t> first_card(acts)
            acts &= acts - 1
            count += 1
    moves[count] = END
    count += 1
    if is_up(table):
        count += power_moves(rules, table, moves + count)
    if table.played == NOTHING:
        for i in range(2):
            count += list_moves(rules, table, table.shown[i], moves + count)
    if is_up(table) and not table.activated:  # R8.4, R8.5
        count += list_moves(rules, table, FIRST_BONUS + table.characters[table.active], moves + count)
    return count


cdef inline uint32_t list_number(uint32_t list) noexcept nogil:
    """The first of the moves of a card; of a bonus, which is the player's own, the same for all."""
    return LIST + CHOICES * min(list, <uint32_t> FIRST_BONUS)


cdef inline uint32_t list_moves(const Rules *rules, const Table *table, uint32_t list, machiavel_move *moves) noexcept nogil:
    cdef uint32_t step = first_effect(rules, table, list)
    if step == rules.lengths[list]:
        return 0
    return list_choices(rules, table, rules.lists[list][step], list_number(list), moves)


cdef inline uint32_t power_moves(const Rules *rules, const Table *table, machiavel_move *moves) noexcept nogil:
    """R8.3."""
    cdef uint32_t character = table.characters[table.active]
    cdef Effect ability = rules.abilities[character]
    if table.power_used or table.actions < rules.costs[character] or is_of_dice(ability):
        return 0
    return list_choices(rules, table, ability, POWER, moves)


cdef uint32_t dice_moves(const Rules *rules, const Table *table, machiavel_move *moves) noexcept nogil:
    """R9.5."""
    cdef uint32_t most = 3 if table.rerolls[2] else 2 if table.rerolls[1] else table.rerolls[0] != 0
    cdef uint32_t count = 1, dice, die, i, faces
    moves[0] = KEEP
    for dice in range(1, 8):
        if (dice & 1) + (dice >> 1 & 1) + (dice >> 2) <= most:
            moves[count] = <uint16_t> (ROLL + dice - 1)
            count += 1
    if table.chooses:
        for die in range(3):
            faces = 0
            for i in range(FACES):
                faces |= <uint32_t> 1 << rules.faces[die][i]
            faces &= ~(<uint32_t> 1 << table.dice[die])
            while faces:
                moves[count] = <uint16_t> (TURN_DIE + FACES * die + first_card(faces))
                faces &= faces - 1
                count += 1
    return count


# ---- Moves ----

cdef void apply(const void *rules_, void *state_, machiavel_move move, machiavel_luck *luck) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef State *state = <State *> state_
    cdef Table *table = &state.table
    table.ply += 1
    if move < ACTS:
        table.actions -= 1
        act(rules, state, table.active, move, luck)
    elif move == END:
        end_actions(rules, state, luck)
    elif move >= LIST:
        apply_list(rules, state, (move - LIST) // CHOICES, (move - LIST) % CHOICES, luck)
    elif move >= POWER:
        use_power(rules, state, move - POWER, luck)
    elif move < ROLL and move >= TURN_UP:
        turn_up(rules, state, move - TURN_UP, luck)
    else:
        change_dice(rules, state, move, luck)


cdef inline void apply_list(const Rules *rules, State *state, uint32_t list, uint32_t choice,
                            machiavel_luck *luck) noexcept nogil:
    if choice == ENOUGH:
        give_up(state)
        return
    if list == FIRST_BONUS:
        list += state.table.characters[state.table.active]
    use_list(rules, state, list, choice, luck)


cdef void use_power(const Rules *rules, State *state, uint32_t choice, machiavel_luck *luck) noexcept nogil:
    """R8.3."""
    cdef uint32_t character = state.table.characters[state.table.active]
    state.table.power_used = 1
    state.table.actions -= rules.costs[character]
    state.abilities[character] += 1
    do_effect(rules, state, rules.abilities[character], choice, luck)


cdef void turn_up(const Rules *rules, State *state, uint32_t character, machiavel_luck *luck) noexcept nogil:
    """R8.2: at the end of a turn, or under a card."""
    cdef Table *table = &state.table
    table.up |= <uint8_t> (1 << table.seat_of[character])
    if table.list == NOTHING:
        next_turn(rules, state, luck)
        return
    if table.seat_of[character] == table.active:
        table.activated = 1  # R8.5
    go_on(rules, state, luck)


cdef void change_dice(const Rules *rules, State *state, uint32_t move, machiavel_luck *luck) noexcept nogil:
    """R9.5."""
    cdef Table *table = &state.table
    if move >= TURN_DIE:
        table.chooses -= 1
        table.dice[(move - TURN_DIE) // FACES] = <uint8_t> ((move - TURN_DIE) % FACES)
    elif move >= ROLL:
        roll_again(rules, state, move - ROLL + 1, luck)
    if move == KEEP or rights(table) == 0:
        resolve(rules, state, luck)


cdef uint32_t playout(const void *rules, void *state_, machiavel_rng *rng, machiavel_luck *luck) noexcept nogil:
    cdef State *state = <State *> state_
    cdef machiavel_move moves[256]
    cdef uint32_t count, before = state.table.ply
    cdef machiavel_rng own = rng[0]  # in a register
    while state.table.mover != NOBODY:
        count = legal_moves(rules, state, state.table.mover, moves)
        apply(rules, state, moves[machiavel_below(&own, count)], luck)
    rng[0] = own
    return state.table.ply - before
