# A turn of citadel (R3): cards and bonuses under way, the dice, the end of the turn.


cdef inline bint is_up(const Table *table) noexcept nogil:
    """Whether the power of the player whose turn it is lies face up."""
    return table.up >> table.active & 1


# ---- The beginning (R3.1, R3.4) ----

cdef inline void begin_turn(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    cdef Table *table = &state.table
    cdef uint8_t cards[DECK]
    cdef uint32_t i, count = 0, used = table.used[table.active], first = DECK * table.characters[table.active]
    if used == (1 << DECK) - 1:
        used = 0
    for i in range(DECK):
        cards[count] = <uint8_t> (first + i)
        count += ~used >> i & 1
    machiavel_shuffle(luck, LUCK_CARDS, table.turn, cards, count, 2)
    table.shown[0] = min(cards[0], cards[1])
    table.shown[1] = max(cards[0], cards[1])
    table.used[table.active] = <uint8_t> (used | 1 << cards[0] - first | 1 << cards[1] - first)
    table.played = NOTHING
    table.actions = ACTIONS
    table.mover = table.active
    table.phase = ACT


# ---- Cards and bonuses (R6) ----

cdef inline uint32_t first_effect(const Rules *rules, const Table *table, uint32_t list) noexcept nogil:
    """The first effect of a list that could do something now, or the list's length (R6.2)."""
    cdef uint32_t step = 0
    while step < rules.lengths[list] and not can_be_done(rules, table, rules.lists[list][step]):
        step += 1
    return step


cdef inline void go_on(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    """Do what needs nothing, pass over what can do nothing, stop where the player is asked (R6.3)."""
    cdef Table *table = &state.table
    cdef Effect effect
    table.phase = ACT
    while table.phase == ACT:
        if table.step == rules.lengths[table.list]:
            table.list = NOTHING
            table.step = 0
            return
        effect = rules.lists[table.list][table.step]
        if can_be_done(rules, table, effect):
            if not needs_nothing(effect.kind):
                table.phase = CARD
                return
            table.step += 1
            do_effect(rules, state, effect, NO_CHOICE, luck)
        else:
            table.step += 1


cdef inline void use_list(const Rules *rules, State *state, uint32_t list, uint32_t choice, machiavel_luck *luck) noexcept nogil:
    """Play a card or use the bonus, or do the next effect of the list under way."""
    cdef Table *table = &state.table
    cdef Effect effect
    if table.list == NOTHING:
        table.list = <uint8_t> list
        table.step = <uint8_t> first_effect(rules, table, list)
        state.done[list] += 1
        if list >= FIRST_BONUS:  # R8.4
            table.up &= <uint8_t> ~(1 << table.active)
        else:
            table.played = <uint8_t> list
    effect = rules.lists[list][table.step]
    table.step += 1
    do_effect(rules, state, effect, choice, luck)
    if table.phase == CARD or table.phase == ACT:
        go_on(rules, state, luck)


cdef inline void give_up(State *state) noexcept nogil:
    """`enough` (R6.3)."""
    state.table.phase = ACT
    state.table.list = NOTHING
    state.table.step = 0


# ---- The dice (R9.5) ----

cdef inline uint32_t rights(const Table *table) noexcept nogil:
    return <uint32_t> table.rerolls[0] + table.rerolls[1] + table.rerolls[2] + table.chooses


cdef inline void roll(const Rules *rules, State *state, uint32_t dice, machiavel_luck *luck) noexcept nogil:
    """Roll these dice, given as bits."""
    cdef Table *table = &state.table
    cdef uint32_t die
    for die in range(3):
        if dice >> die & 1:
            table.dice[die] = machiavel_draw(luck, LUCK_DIE + die, THROWS * table.turn + table.throws[die],
                                             rules.faces[die], FACES)
            table.throws[die] += 1


cdef inline void roll_again(const Rules *rules, State *state, uint32_t dice, machiavel_luck *luck) noexcept nogil:
    """With the smallest right that covers it."""
    cdef uint32_t size = count_cards(dice) - 1
    while state.table.rerolls[size] == 0:
        size += 1
    state.table.rerolls[size] -= 1
    roll(rules, state, dice, luck)


cdef inline void end_actions(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    """`end` (R3.2), and the dice as far as nobody may change them (R8.3)."""
    cdef Table *table = &state.table
    cdef Effect ability = rules.abilities[table.characters[table.active]]
    table.actions = 0
    table.power_used = 0
    table.activated = 0
    if is_up(table) and is_of_dice(ability):
        state.abilities[table.characters[table.active]] += 1
        do_effect(rules, state, ability, NO_CHOICE, luck)
    roll(rules, state, 7, luck)
    table.phase = DICE
    if rights(table) == 0:
        resolve(rules, state, luck)


# ---- The end of a turn (R3.3) ----

cdef inline void move_professor(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    """Professor and colour dice (R9)."""
    cdef Table *table = &state.table
    cdef uint32_t face = table.dice[PROFESSOR_DIE], colour = table.dice[COLOUR_DIE], _chevron
    if face >= FACE_FIVE:  # R9.4
        table.left[colour] -= <uint8_t> (1 + face - FACE_FIVE)
        lose_reached(rules, state, luck)
    elif table.held:  # R7.8
        return
    elif face == FACE_PASSAGE:
        take_passage(rules, state, colour)
    else:
        for _chevron in range(1 + face):
            leave_by(rules, state, colour)


cdef inline void resolve(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    """The dice count as they lie; then the next turn, unless a power is to be turned up first."""
    cdef Table *table = &state.table
    cdef bint gives_power
    table.chooses = 0
    memset(table.rerolls, 0, 3)
    memset(table.throws, 0, 3)
    move_professor(rules, state, luck)
    if table.phase == OVER:
        return
    table.held = 0
    gives_power = pass_time(rules, state, 1 + table.dice[CLOCK_DIE], luck)  # R10.1
    if table.phase == OVER:
        return
    if table.turn == TURNS - 1:  # R1.2
        finish(state)
    elif gives_power:
        table.phase = ACTIVATE
    else:
        next_turn(rules, state, luck)


cdef inline void next_turn(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    """R2.7."""
    cdef Table *table = &state.table
    table.turn += 1
    table.active = <uint8_t> (table.active + 1 if table.active + 1 < rules.seats else 0)
    begin_turn(rules, state, luck)
