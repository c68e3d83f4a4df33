# A rule of thumb for agency: what a trick is worth, how likely the card takes it, what the card would still be good for.
#
# The weight of a move reads only what the mover sees: the table and its own hand. By the same rule, how plausible the others'
# moves were with the hands they have in a world.

# Points of merit, found by play against random seats.
cdef double GREEN_COST = 0.1  # of the bonus, for each green card taken
cdef double YELLOW_COST = 0.18
cdef double MARTHA_WORTH = 4
cdef double KEEP_WORTH = 4  # of a card sure to take a later trick
cdef double RESISTANCE = 0.28  # how much likelier than by chance a later seat plays a stronger card
cdef double GREEDINESS = 1  # how steeply the weight rises with a point

# Fitted to how much likelier the true hands were than others, where search bots played.
cdef double TRUST = 0.5  # how steeply plausibility falls with a point given away
cdef double SURPRISE = 0.1  # of a move that nothing explains
cdef double LEAST_LIKELY = 1e-6


cdef void weights(const void *rules_, const void *state_, const machiavel_move *moves, uint32_t count,
                  float *weights) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef const State *state = <const State *> state_
    cdef const Table *table = &state.table
    cdef uint32_t i, seat
    cdef Moment moment
    if table.phase == PLAY:
        moment = present(rules, state)
    for i in range(count):
        if table.phase == LEAD:  # the one who plays last knows most
            seat = moves[i] - LEAD_SEAT
            weights[i] = 2 if seat == (table.mover + <uint32_t> 1) % rules.seats else 1
        elif table.phase == LOOK:  # at the most dangerous
            weights[i] = 1 + table.medals[moves[i] - LOOK_AT]
        elif table.phase == PASS:
            weights[i] = <float> exponential(-KEEP_WORTH * rules.keeping[moves[i] - PASS_CARD])
        else:
            weights[i] = <float> exponential(GREEDINESS * worth(rules, &moment, moves[i]))


cdef Moment present(const Rules *rules, const State *state) noexcept nogil:
    """The moment at which somebody is asked for a card."""
    cdef const Table *table = &state.table
    cdef Moment moment
    look_around(rules, table.seen, state.hands[table.mover], &moment)
    moment.played = table.played
    moment.half_trick = table.trick % HALF
    moment.accomplice = table.accomplice
    moment.led = table.led
    moment.strength = table.strength
    moment.value = rules.value[table.stake]
    moment.tally = table.tally
    moment.martha = table.martha == table.mover
    moment.jean = table.jean == table.mover
    return moment


cdef struct Moment:  # of a trick, as the seat sees it that is to play
    uint64_t unseen
    double others  # how many these are, but at least one
    uint32_t played  # cards on the table
    uint32_t half_trick
    uint8_t accomplice
    uint8_t led
    uint8_t strength  # of the best card so far
    uint8_t value  # of the stake
    uint16_t tally
    bint martha
    bint jean


cdef inline void look_around(const Rules *rules, uint64_t seen, uint64_t hand, Moment *moment) noexcept nogil:
    moment.unseen = rules.all_cards & ~(seen | hand)
    moment.others = max(count_cards(moment.unseen), <uint32_t> 1)


cdef inline double chance(const Rules *rules, const Moment *moment, uint32_t played) noexcept nogil:
    """How likely the card takes this trick."""
    cdef uint8_t led = moment.led if moment.played else rules.colour[played]
    cdef uint32_t stronger, _later
    cdef double share, answer = 1
    if moment.played and rules.strength[moment.accomplice][led][played] <= moment.strength:
        return 0
    stronger = count_cards(moment.unseen & rules.stronger[moment.accomplice][led][played])
    share = stronger / moment.others
    for _later in range(moment.played + 1, rules.seats):
        answer *= (1 - share) * (1 - RESISTANCE * share)
    return answer


cdef inline double worth(const Rules *rules, const Moment *moment, uint32_t played) noexcept nogil:
    cdef uint8_t colour = rules.colour[played]
    cdef double to_come = rules.seats - moment.played - 1
    cdef double greens = (moment.tally & 255) + (colour == GREEN) + 0.27 * to_come
    cdef double yellows = (moment.tally >> 8) + (colour == YELLOW) + 0.27 * to_come
    cdef double trick = moment.value - rules.bonus * (GREEN_COST * greens + YELLOW_COST * yellows)
    cdef double own = trick, taken = chance(rules, moment, played)
    cdef double left = HALF - 1 - moment.half_trick
    if moment.jean:
        own = moment.value
    if moment.martha:
        own += MARTHA_WORTH
    return (taken * own - (1 - taken) * trick / (rules.seats - 1)
            - KEEP_WORTH * rules.keeping[played] * left / (HALF - 1))


# ---- How plausible the others' moves are ----

cdef float likelihood(const void *rules_, const void *world_, int seat) noexcept nogil:
    """The present half told backwards: each hand grows by what it played and gave, until it is what its owner chose from.

    Only answers to a card led, and gifts, are judged: who leads has more in mind than the rule of thumb knows.
    """
    cdef const Rules *rules = <const Rules *> rules_
    cdef const State *world = <const State *> world_
    cdef const Table *table = &world.table
    cdef uint64_t hands[SEATS]
    cdef uint64_t seen = table.seen, played
    cdef uint32_t half_trick = HALF, i, count
    cdef double answer = 1
    memcpy(hands, world.hands, sizeof(hands))
    while half_trick:
        half_trick -= 1
        if table.half_accomplice[half_trick] == NO_CARD:
            continue
        count = cards_played(rules, table, half_trick)
        for i in range(count):
            played = card(table.half_cards[half_trick][i])
            hands[table.half_order[half_trick][i]] |= played
            seen &= ~played
        if table.half_stake[half_trick] != NO_CARD:
            answer *= answers_likelihood(rules, table, half_trick, count, seat, hands, seen)
        if table.half_accomplice[half_trick] == PASS_LEFT:
            if exchanged(table, half_trick):
                take_back(rules, world.given[half_trick], hands)
            answer *= gifts_likelihood(rules, world.given[half_trick], seat, hands)
    return <float> max(answer, LEAST_LIKELY)


cdef double answers_likelihood(const Rules *rules, const Table *table, uint32_t half_trick, uint32_t count, int seat,
                               const uint64_t *hands, uint64_t seen) noexcept nogil:
    """Of the others' answers in one trick; `hands` and `seen` are as they were before it."""
    cdef const byte *cards = table.half_cards[half_trick]
    cdef const byte *order = table.half_order[half_trick]
    cdef uint8_t stake = table.half_stake[half_trick], kind = stake & (KINDS - 1), strength
    cdef double answer = 1
    cdef uint32_t i
    cdef Moment moment
    moment.half_trick = half_trick
    moment.accomplice = rules.accomplice[kind]
    moment.value = rules.value[kind]
    moment.led = rules.colour[cards[0]]
    moment.strength = 0
    moment.tally = 0
    for i in range(count):
        if i and order[i] != seat:
            moment.played = i
            moment.martha = stake & MARTHA_AT_WORK and table.agents[order[i]] == MARTHA
            moment.jean = stake & JEAN_AT_WORK and table.agents[order[i]] == JEAN
            look_around(rules, seen, hands[order[i]], &moment)
            answer *= answer_likelihood(rules, &moment, hands[order[i]], cards[i])
        seen |= card(cards[i])
        strength = rules.strength[moment.accomplice][moment.led][cards[i]]
        moment.strength = max(moment.strength, strength)
        moment.tally += rules.tally[cards[i]]
    return answer


cdef inline double answer_likelihood(const Rules *rules, const Moment *moment, uint64_t hand,
                                     uint32_t played) noexcept nogil:
    """By how much the best card the seat had was better than the one it played."""
    cdef uint64_t suited = hand & rules.colour_cards[moment.led]
    cdef double own, best
    if moment.accomplice == FOLLOW_SUIT and suited:
        hand = suited
    hand &= ~card(played)
    if hand == 0:
        return 1
    own = best = worth(rules, moment, played)
    while hand:
        best = max(best, worth(rules, moment, first_card(hand)))
        hand &= hand - 1
    return plausibility(TRUST * (own - best))


cdef double gifts_likelihood(const Rules *rules, const byte *given, int seat, const uint64_t *hands) noexcept nogil:
    """By how much the most useless card of a hand was more so than the one given."""
    cdef double answer = 1, least
    cdef uint64_t left
    cdef uint32_t giver
    for giver in range(rules.seats):
        if <int> giver == seat or given[giver] == NO_CARD:
            continue
        left = hands[giver]
        least = rules.keeping[given[giver]]
        while left:
            least = min(least, rules.keeping[first_card(left)])
            left &= left - 1
        answer *= plausibility(KEEP_WORTH * (least - rules.keeping[given[giver]]))
    return answer


cdef inline double plausibility(double lost) noexcept nogil:
    return (exponential(lost) + SURPRISE) / (1 + SURPRISE)


cdef inline void take_back(const Rules *rules, const byte *given, uint64_t *hands) noexcept nogil:
    """The hands as they were before an exchange."""
    cdef uint32_t seat, seats = rules.seats
    for seat in range(seats):
        hands[seat + 1 if seat + 1 < seats else 0] &= ~card(given[seat])
    for seat in range(seats):
        hands[seat] |= card(given[seat])
