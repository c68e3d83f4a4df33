# A rule of thumb for citadel: what being somewhere is good for, spread over the house, and what cards and dice add to it.
#
# Everything is counted in actions: the best act of the player on turn is worth one. All it reads is public.

# What one effect is worth before anybody looks where, in actions; found by play.
cdef float[19] NOMINAL = [0.7, 1.2, 1.0, 0.7, 0.7, 0.8, 0.9, 1.2, 1.7, 0.2, 0.5, 2.5, -2.5, 0.7, 1.0, 0.25, 0.7, 0.6, 0.9]
cdef float THROUGH_OPEN = 0.8  # what is left of a worth one room away
cdef float THROUGH_LOCKED = 0.64
cdef float FOR_ANOTHER = 0.7  # of a worth where another player stands already
cdef float REST = 0.6  # of the nominal worth of a list's later effects
cdef float SAVED = 6  # a treasure taken
cdef float[5] POWERS = [0.8, 1.0, 1.0, 1.0, 0.6]  # of the characters of the shipped house


cdef struct Field:
    float need[COLOURS]  # what turning off one of a treasure's guards is worth
    float disarm[ROOMS]
    float here[ROOMS]  # what can be done in a room
    float worth[ROOMS]  # and what can be done from there
    float best  # what the player on turn can do best


cdef void weights(const void *rules_, const void *state_, const machiavel_move *moves, uint32_t count,
                  float *weights) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const Table *table = &(<const State *> state_).table
    cdef Field field
    cdef uint32_t i
    cdef float worth
    fill(rules, table, &field)
    for i in range(count):
        if table.phase == DICE:
            worth = dice_worth(rules, table, &field, moves[i])
        else:
            worth = move_worth(rules, table, &field, moves[i])
        worth = min(max(worth, <float> 0.03), <float> 6)
        worth *= worth * worth
        weights[i] = worth * worth * worth * worth


# ---- The house as the player on turn sees it ----

cdef void fill(const Rules *rules, const Table *table, Field *field) noexcept nogil:
    cdef uint32_t room, colour, on, _turn
    cdef float way
    for colour in range(COLOURS):
        on = table.guards[colour] & ~table.off
        field.need[colour] = need(table, colour, count_cards(on))
    for room in range(ROOMS):
        field.disarm[room] = 0
        if not table.off >> room & 1:
            for colour in range(COLOURS):
                if table.guards[colour] >> room & 1:
                    field.disarm[room] += field.need[colour]
        field.here[room] = field.disarm[room] + <float> 0.01
    for colour in range(COLOURS):
        if table.tile[colour] < 255 and not table.guards[colour] & ~table.off:
            field.here[table.spot[colour]] += SAVED
        elif table.tile[colour] < 255:
            field.here[table.spot[colour]] += <float> 0.15 * field.need[colour]
    for room in range(SEATS):
        if room != table.active and table.place[room] != OUTSIDE:
            field.here[table.place[room]] *= FOR_ANOTHER
    for room in range(ROOMS):
        field.worth[room] = field.here[room]
    for _turn in range(4):
        for room in range(ROOMS):
            for colour in range(COLOURS):
                way = THROUGH_OPEN if table.open >> rules.doors[room][colour] & 1 else THROUGH_LOCKED
                way *= field.worth[rules.exits[room][colour]]
                if rules.exits[room][colour] != table.professor and way > field.worth[room]:
                    field.worth[room] = way
    field.best = <float> 0.01
    if table.place[table.active] == OUTSIDE:
        for room in range(ROOMS):
            if rules.windows >> room & 1 and room != table.professor:
                field.best = max(field.best, THROUGH_OPEN * field.worth[room])
    else:
        field.best = max(field.best, field.worth[table.place[table.active]])


cdef inline float need(const Table *table, uint32_t colour, uint32_t on) noexcept nogil:
    """More the nearer a treasure is to be saved and to be lost, nothing much when it is hopeless."""
    cdef float left = table.left[colour], work = 2 + 2 * on
    cdef float slack = <float> 3.2 * left - work
    cdef float hope = 1 if slack > 0 else <float> 0.15
    return hope * (1 + 3 / (left + 1)) / (1 + on)


cdef inline float act_worth(const Rules *rules, const Table *table, const Field *field, uint32_t place,
                            uint32_t act) noexcept nogil:
    """Relative to the best act of the player on turn."""
    cdef float worth
    if act < UNLOCK:
        worth = THROUGH_OPEN * field.worth[act]
    elif act < DISARM:
        worth = THROUGH_LOCKED * field.worth[rules.exits[place][act - UNLOCK]]
        if rules.exits[place][act - UNLOCK] == table.professor:
            worth *= <float> 0.3
    elif act == DISARM:
        worth = field.disarm[place]
    else:
        worth = 2 * SAVED
    return worth / field.best


# ---- Moves ----

cdef float move_worth(const Rules *rules, const Table *table, const Field *field, uint32_t move) noexcept nogil:
    cdef uint32_t list, step
    if move < ACTS:
        return act_worth(rules, table, field, table.place[table.active], move)
    if move == END:
        return <float> 0.06 if table.actions else <float> 0.2
    if move >= LIST:
        list = (move - LIST) // CHOICES
        if (move - LIST) % CHOICES == ENOUGH:
            return <float> 0.25
        if list == FIRST_BONUS:
            list += table.characters[table.active]
        if table.list != 255:
            return effect_worth(rules, table, field, rules.lists[list][table.step], (move - LIST) % CHOICES)
        step = first_effect(rules, table, list)
        return list_worth(rules, table, field, list, step, (move - LIST) % CHOICES)
    if move >= POWER:
        list = table.characters[table.active]
        return effect_worth(rules, table, field, rules.abilities[list], move - POWER) / max(rules.costs[list], <uint8_t> 1)
    if move >= TURN_UP and move < ROLL:
        return POWERS[move - TURN_UP]
    return 1


cdef inline float list_worth(const Rules *rules, const Table *table, const Field *field, uint32_t list, uint32_t step,
                             uint32_t choice) noexcept nogil:
    cdef float worth = effect_worth(rules, table, field, rules.lists[list][step], choice), rest = 0
    cdef uint32_t later
    cdef Effect effect
    for later in range(step + 1, rules.lengths[list]):
        effect = rules.lists[list][later]
        rest += NOMINAL[effect.kind] * (effect.amount if effect.amount else 1)
    worth += REST * rest
    if list >= CARDS:  # a bonus costs the ability
        worth -= <float> 1.5
    return worth


cdef float effect_worth(const Rules *rules, const Table *table, const Field *field, Effect effect,
                        uint32_t choice) noexcept nogil:
    cdef uint32_t kind = effect.kind, place = table.place[table.active], room, character
    cdef float worth
    if kind <= SHADOW:
        return field.worth[choice - A_ROOM] / field.best
    if kind <= UNLOCK_ANYWHERE:
        return door_worth(rules, table, field, choice - A_DOOR)
    if kind <= DISARM_ANYWHERE:
        return field.disarm[choice - A_ROOM] / field.best
    if kind == DISARM_TYPE:
        worth = 0
        for room in range(ROOMS):
            if table.of_type[choice - A_TYPE] >> room & 1:
                worth += field.disarm[room]
        return worth / field.best
    if kind == LURE:
        return lure_worth(rules, table, field, table.professor, choice - A_COLOUR)
    if kind == MARKER_ON:
        return <float> 1.5 * effect.amount * field.need[choice - A_COLOUR] / field.best / (1 + table.left[choice - A_COLOUR])
    if choice >= ANYONE:
        character = (choice - ANYONE) // ACTS
        place = table.place[table.seat_of[character]]
        return act_worth(rules, table, field, place, (choice - ANYONE) % ACTS)
    if kind == TIME_BACK or kind == TIME_ON:
        return NOMINAL[kind] * effect.amount
    return NOMINAL[kind]


cdef inline float door_worth(const Rules *rules, const Table *table, const Field *field, uint32_t door) noexcept nogil:
    """A door on the player's way counts fully, one elsewhere by what it joins."""
    cdef uint32_t one = rules.sides[door][0], other = rules.sides[door][1], place = table.place[table.active]
    cdef float most = max(field.worth[one], field.worth[other])
    if place == one:
        return THROUGH_OPEN * field.worth[other] / field.best
    if place == other:
        return THROUGH_OPEN * field.worth[one] / field.best
    return <float> 0.6 * most / field.best


cdef float lure_worth(const Rules *rules, const Table *table, const Field *field, uint32_t room, uint32_t colour) noexcept nogil:
    """To lead him there: away from what is wanted, and not where he does harm."""
    cdef uint32_t to = rules.exits[room][colour]
    return <float> 0.25 + (<float> 0.3 * field.here[room] - <float> 0.3 * field.here[to]) / field.best - harm(table, field, to)


cdef float harm(const Table *table, const Field *field, uint32_t room) noexcept nogil:
    """What it costs that the professor enters a room."""
    cdef float cost = 0
    cdef uint32_t seat, colour
    for seat in range(SEATS):
        if table.place[seat] == room:
            cost += <float> 0.6
    if table.off >> room & 1:
        for colour in range(COLOURS):
            if table.guards[colour] >> room & 1:
                cost += <float> 0.6 * field.need[colour] / field.best
    return cost


# ---- Dice ----

cdef float dice_harm(const Rules *rules, const Table *table, const Field *field, uint32_t face, uint32_t colour) noexcept nogil:
    """What a roll of professor and colour costs."""
    cdef uint32_t room = table.professor
    cdef int32_t _chevron
    cdef float cost = 0
    if face >= FACE_FIVE:
        if table.left[colour] <= 2 + <int32_t> (face - FACE_FIVE):
            return 3
        return <float> 0.4 * (1 + face - FACE_FIVE)
    if table.held:
        return 0
    if face == FACE_PASSAGE:
        return <float> 0.5 + harm(table, field, table.spot[colour])
    for _chevron in range(1 + <int32_t> face):
        if table.open >> rules.doors[room][colour] & 1:
            cost += <float> 0.15
        room = rules.exits[room][colour]
        cost += harm(table, field, room)
    return cost


cdef float dice_worth(const Rules *rules, const Table *table, const Field *field, uint32_t move) noexcept nogil:
    cdef uint32_t face = table.dice[0], colour = table.dice[1], die, turned, rolled
    cdef float now = dice_harm(rules, table, field, face, colour) + <float> 1.2 * table.dice[2], then = 0
    if move == KEEP:
        return 1
    if move >= TURN_DIE:
        die = (move - TURN_DIE) // FACES
        turned = (move - TURN_DIE) % FACES
        then = dice_harm(rules, table, field, turned if die == PROFESSOR_DIE else face, turned if die == 1 else colour)
        then += <float> 1.2 * (turned if die == 2 else table.dice[2])
        return 1 + now - then
    rolled = move - ROLL + 1
    if rolled & 3:
        for die in range(FACES):
            then += dice_harm(
                rules, table, field, rules.faces[0][die] if rolled & 1 else face,
                rules.faces[1][(die * 5 + 2) % FACES] if rolled & 2 else colour
            ) / FACES
    else:
        then = dice_harm(rules, table, field, face, colour)
    then += <float> 0.2 if rolled & 4 else <float> 1.2 * table.dice[2]
    return <float> 0.95 + now - then
