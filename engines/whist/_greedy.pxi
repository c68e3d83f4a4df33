# A rule of thumb for whist: how likely a card takes the trick, and what it would still be good for.
#
# The weight of a move reads only what the mover sees: the table and its own hand. By the same rule, how plausible the others'
# moves were with the hands they have in a world.

cdef float KEEP_WORTH = 0.2  # of the surest card, in tricks; found by play against random seats

# Fitted to how much likelier the true hands were than others, where search bots played.
cdef float SAVED_WORTH = 0.5  # as KEEP_WORTH: others save more
cdef float SURPRISE = 0.1  # of a move that nothing explains
cdef float LEAST_LIKELY = 1e-6


cdef struct Moment:  # of a trick, as the seat sees it that is to play
    uint64_t unseen
    uint32_t trump
    uint32_t led  # suit, or NO_SUIT
    uint32_t held  # cards in each hand when the trick began
    uint32_t to_come  # seats that still play to it
    uint32_t strength  # of the best card so far


cdef void weights(const void *rules_, const void *state_, const machiavel_move *moves, uint32_t count,
                  float *weights) noexcept nogil:
    """Take the trick with what can best be spared, if anything takes it; else throw the least useful card away."""
    cdef const Rules *rules = <const Rules *> rules_
    cdef const Table *table = &(<const State *> state_).table
    cdef uint32_t i
    cdef float merit
    cdef Moment moment
    moment.unseen = rules.suit_cards[NO_SUIT] & ~(table.seen | (<const State *> state_).hands[table.mover])
    moment.trump = table.trump
    moment.led = table.led
    moment.held = table.held
    moment.to_come = table.to_come
    moment.strength = table.strength
    for i in range(count):
        merit = worth(rules, &moment, moves[i], KEEP_WORTH)
        weights[i] = merit * merit * merit * merit


cdef inline float worth(const Rules *rules, const Moment *moment, uint32_t played, float keep_worth) noexcept nogil:
    return 1 + chance(rules, moment, played) - keep_worth * keeping(moment, played)


cdef inline float keeping(const Moment *moment, uint32_t played) noexcept nogil:
    """How likely the card would take some later trick, roughly."""
    cdef float height = <float> (played & 15) / 12
    return (1 + height) / 2 if played >> 4 == moment.trump else height / 2


cdef inline float chance(const Rules *rules, const Moment *moment, uint32_t played) noexcept nogil:
    """How likely the card takes this trick, if those to come hold any of the unseen cards and play what they like."""
    cdef uint32_t suit = played >> 4, led = suit if moment.led == NO_SUIT else moment.led, _i
    cdef uint64_t unseen = moment.unseen, higher = unseen & rules.suit_cards[suit] & ~(card(played) - 1)
    cdef float suited, others, cannot_follow = 1, beaten = 0, answer = 1
    if rules.strength[moment.trump][led][played] <= moment.strength:
        return 0
    if moment.to_come == 1:
        return 1
    suited = count_cards(unseen & rules.suit_cards[led])
    others = count_cards(unseen) - suited
    for _i in range(moment.held):
        cannot_follow *= others / (others + suited)
    if suit == led and suited > 0:
        beaten = (1 - cannot_follow) * count_cards(higher) / suited
    if led != moment.trump and others > 0:
        if suit != moment.trump:
            higher = unseen & rules.suit_cards[moment.trump]
        beaten += cannot_follow * count_cards(higher) / others
    for _i in range(moment.to_come - 1):
        answer *= 1 - beaten
    return answer


# ---- How plausible the others' moves are ----

cdef float likelihood(const void *rules_, const void *world_, int seat) noexcept nogil:
    """The present round told backwards: each hand grows by what it played, until it is what its owner chose from.

    Only answers to a card led are judged: leads follow no rule of thumb.
    """
    cdef const Rules *rules = <const Rules *> rules_
    cdef const State *world = <const State *> world_
    cdef const Table *table = &world.table
    cdef uint32_t before, on_table = table.contender_count - table.to_come
    cdef uint64_t hands[SEATS]
    cdef uint64_t seen = table.seen
    cdef float answer = 1
    if table.held == 0:
        return 1
    memcpy(hands, world.hands, sizeof(hands))
    before = ROUNDS - table.round - table.held
    if on_table:
        answer = answers_likelihood(rules, table, &table.leader, table.held, on_table, seat, hands, &seen)
    while before:
        before -= 1
        if table.past[before][0] == NOBODY:
            break
        answer *= answers_likelihood(rules, table, table.past[before], ROUNDS - table.round - before,
                                     table.contender_count, seat, hands, &seen)
    return max(answer, LEAST_LIKELY)


cdef float answers_likelihood(const Rules *rules, const Table *table, const byte *trick, uint32_t held, uint32_t count,
                              int seat, uint64_t *hands, uint64_t *seen) noexcept nogil:
    """Of the others' answers in a trick, told as who led and the cards by seat; hands and cards seen become those before it."""
    cdef const byte *cards = trick + 1
    cdef const uint8_t *next_seat = rules.next_seat[table.contenders]
    cdef uint32_t leader = trick[0], mover = leader, strength, _i
    cdef uint64_t now = card(cards[leader])
    cdef float answer = 1
    cdef Moment moment
    for _i in range(count):
        hands[mover] |= card(cards[mover])
        seen[0] &= ~card(cards[mover])
        mover = next_seat[mover]
    now |= seen[0]
    moment.trump = table.trump
    moment.led = cards[leader] >> 4
    moment.held = held
    moment.to_come = table.contender_count
    moment.strength = rules.strength[moment.trump][moment.led][cards[leader]]
    mover = leader
    for _i in range(1, count):
        mover = next_seat[mover]
        moment.to_come -= 1
        if <int> mover != seat:
            moment.unseen = rules.suit_cards[NO_SUIT] & ~(now | hands[mover])
            answer *= answer_likelihood(rules, &moment, hands[mover], cards[mover])
        now |= card(cards[mover])
        strength = rules.strength[moment.trump][moment.led][cards[mover]]
        moment.strength = max(moment.strength, strength)
    return answer


cdef inline float answer_likelihood(const Rules *rules, const Moment *moment, uint64_t hand, uint32_t played) noexcept nogil:
    """By how much the best card the seat had was better than the one it played."""
    cdef uint64_t suited = hand & rules.suit_cards[moment.led]
    cdef float own, best, share
    if suited:
        hand = suited
    hand &= ~card(played)
    if hand == 0:
        return 1
    own = best = worth(rules, moment, played, SAVED_WORTH)
    while hand:
        best = max(best, worth(rules, moment, first_card(hand), SAVED_WORTH))
        hand &= hand - 1
    share = own / best
    share *= share
    return (share + SURPRISE) / (1 + SURPRISE)
