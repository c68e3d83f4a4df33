# The named effects of citadel (R7), of which cards, bonuses and abilities are made: what each can be done with, what it does.

cdef enum:
    EVERY_ROOM = (1 << ROOMS) - 1
    EVERY_DOOR = (1 << DOORS) - 1
    EVERY_COLOUR = (1 << COLOURS) - 1


cdef inline bint needs_nothing(uint32_t kind) noexcept nogil:
    return kind == EXTRA or kind == HOLD or kind == REROLL or kind == CHOOSE or kind == TIME_BACK or kind == TIME_ON


cdef inline bint is_of_dice(Effect effect) noexcept nogil:
    return effect.kind == REROLL or effect.kind == CHOOSE


cdef inline void act(const Rules *rules, State *state, uint32_t seat, uint32_t done, machiavel_luck *luck) noexcept nogil:
    """An act that is legal where the seat's player stands (R4)."""
    cdef Table *table = &state.table
    cdef uint32_t place = table.place[seat]
    if done < UNLOCK:
        table.place[seat] = <uint8_t> done
    elif done < DISARM:
        table.open |= <uint32_t> 1 << rules.doors[place][done - UNLOCK]
    elif done == DISARM:
        table.off |= <uint16_t> (1 << place)
    else:
        save(rules, state, place, luck)


# ---- What an effect can be done with ----

cdef inline uint64_t choices_of(const Rules *rules, const Table *table, Effect effect) noexcept nogil:
    """The choices an effect leaves, as bits, none where it is to be passed over (R6.2); but for those of `anyone_…`."""
    cdef uint32_t place = table.place[table.active], kind = effect.kind
    if kind == STEP:
        return <uint64_t> entries(rules, table, place) << A_ROOM
    if kind == LEAP:
        return (<uint64_t> open_rooms(rules, table) & ~card(place)) << A_ROOM
    if kind <= UNLOCK_ANYWHERE:
        return inside_choices(rules, table, kind, place)
    if kind <= DISARM_TYPE:
        return disarm_choices(rules, table, kind, place)
    if kind == LURE:
        return <uint64_t> EVERY_COLOUR << A_COLOUR
    if kind == HOLD:
        return not table.held
    if kind == TIME_BACK:
        return (may_grow(table, 0, effect.amount) and may_grow(table, 1, effect.amount)
                and may_grow(table, 2, effect.amount))
    if kind == MARKER_ON:
        return (<uint64_t> may_grow(table, 0, effect.amount) | <uint64_t> may_grow(table, 1, effect.amount) << 1
                | <uint64_t> may_grow(table, 2, effect.amount) << 2) << A_COLOUR
    return card(NO_CHOICE)


cdef inline uint64_t inside_choices(const Rules *rules, const Table *table, uint32_t kind, uint32_t place) noexcept nogil:
    """R7.3 and R7.4."""
    cdef uint64_t doors = EVERY_DOOR
    if kind != UNLOCK_ANYWHERE and place == OUTSIDE:
        return 0
    if kind == SHADOW:
        return (<uint64_t> rules.next_to[table.professor] & ~card(place)) << A_ROOM
    if kind == UNLOCK_HERE:
        doors = rules.doors_of[place]
    elif kind == UNLOCK_NEAR:
        doors = rules.near_doors[place]
    return (doors & ~<uint64_t> table.open) << A_DOOR


cdef inline uint64_t disarm_choices(const Rules *rules, const Table *table, uint32_t kind, uint32_t place) noexcept nogil:
    """R7.5 and R7.6."""
    cdef uint64_t rooms = ~<uint32_t> table.off & EVERY_ROOM, types = 0
    cdef uint32_t type
    if kind == DISARM_TYPE:
        for type in range(TYPES):
            types |= <uint64_t> ((table.of_type[type] & ~table.off) != 0) << type
        return types << A_TYPE
    if kind == DISARM_NEAR:
        if place == OUTSIDE:
            return 0
        rooms &= rules.next_to[place] | card(place)
    return rooms << A_ROOM


cdef inline uint32_t anyone_may(const Rules *rules, const Table *table, uint32_t kind, uint32_t character) noexcept nogil:
    """The acts that `anyone_…` leaves to a character, as bits (R7.14)."""
    cdef uint32_t seat = table.seat_of[character]
    if seat == NOBODY:
        return 0
    if kind == ANYONE_GOES:
        return entries(rules, table, table.place[seat])
    return acts_of(rules, table, table.place[seat])


cdef inline bint can_be_done(const Rules *rules, const Table *table, Effect effect) noexcept nogil:
    cdef uint32_t character
    if effect.kind < ANYONE_GOES:
        return choices_of(rules, table, effect) != 0
    for character in range(CHARACTERS):
        if anyone_may(rules, table, effect.kind, character):
            return True
    return False


cdef inline uint32_t list_choices(const Rules *rules, const Table *table, Effect effect, uint32_t first,
                                  uint16_t *moves) noexcept nogil:
    """Moves `first` + choice, ascending; returns how many."""
    cdef uint64_t choices
    cdef uint32_t count = 0, character
    if effect.kind < ANYONE_GOES:
        choices = choices_of(rules, table, effect)
        while choices:
            moves[count] = <uint16_t> (first + first_card(choices))
            choices &= choices - 1
            count += 1
        return count
    for character in range(CHARACTERS):
        choices = anyone_may(rules, table, effect.kind, character)
        while choices:
            moves[count] = <uint16_t> (first + ANYONE + ACTS * character + first_card(choices))
            choices &= choices - 1
            count += 1
    return count


# ---- What an effect does ----

cdef inline void do_effect(const Rules *rules, State *state, Effect effect, uint32_t choice, machiavel_luck *luck) noexcept nogil:
    """Do an effect with one of its choices."""
    cdef Table *table = &state.table
    cdef uint32_t kind = effect.kind
    if kind <= SHADOW:
        table.place[table.active] = <uint8_t> (choice - A_ROOM)
    elif kind <= UNLOCK_ANYWHERE:
        table.open |= <uint32_t> 1 << (choice - A_DOOR)
    elif kind <= DISARM_ANYWHERE:
        table.off |= <uint16_t> (1 << (choice - A_ROOM))
    elif kind == DISARM_TYPE:
        table.off |= table.of_type[choice - A_TYPE]
    elif kind == LURE:
        leave_by(rules, state, choice - A_COLOUR)
    elif kind >= ANYONE_GOES:
        act(rules, state, table.seat_of[(choice - ANYONE) // ACTS], (choice - ANYONE) % ACTS, luck)
    elif kind == MARKER_ON:
        table.left[choice - A_COLOUR] += effect.amount
    else:
        do_without_choice(rules, state, effect, luck)


cdef inline void do_without_choice(const Rules *rules, State *state, Effect effect, machiavel_luck *luck) noexcept nogil:
    """R7.8 – R7.10, R7.12, R7.13."""
    cdef Table *table = &state.table
    if effect.kind == HOLD:
        table.held = 1
    elif effect.kind == TIME_BACK:
        turn_time_back(state, effect.amount)
    elif effect.kind == TIME_ON:
        if pass_time(rules, state, effect.amount, luck):
            table.phase = ACTIVATE
    elif effect.kind == EXTRA:
        table.actions += 1
    elif effect.kind == REROLL:
        table.rerolls[effect.amount - 1] += 1
    else:
        table.chooses += 1
