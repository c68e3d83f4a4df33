# The rules of whist in play, in the order of RULES.md: dealing, tricks, rounds, the match.

cdef extern from "machiavel_abi.h" nogil:
    const machiavel_outcome *machiavel_luck_find(const machiavel_luck *luck, uint32_t purpose, uint32_t counter) noexcept


# ---- Rules ----

def make_rules(int players):
    """A capsule of rules for 2 to 7 players."""
    capsule = new_rules()
    cdef Rules *rules = rules_of(capsule)
    cdef uint32_t suit, rank, trump, contenders, later, seat, places, place, total, count
    rules.seats = players
    rules.max_plies = players * ROUNDS * (ROUNDS + 1) // 2
    for suit in range(SUITS):
        rules.suit_cards[suit] = <uint64_t> 0x1fff << 16 * suit
        rules.suit_cards[NO_SUIT] |= rules.suit_cards[suit]
        for rank in range(13):
            for trump in range(SUITS):  # a trump last, since it may be led, too
                rules.strength[trump][suit][16 * suit + rank] = <uint8_t> (1 + rank)
                rules.strength[trump][suit][16 * trump + rank] = <uint8_t> (14 + rank)
    for contenders in range(1, 1 << SEATS):
        for seat in range(SEATS):
            later = contenders >> seat >> 1
            rules.next_seat[contenders][seat] = <uint8_t> (seat + 1 + first_card(later) if later else first_card(contenders))
    for places in range(1 << ROUNDS):
        for place in range(ROUNDS):
            if places >> place & 1:
                rules.nth[places][rules.nth[places][COUNT]] = <uint8_t> place
                rules.nth[places][COUNT] += 1
    for total in range(CARDS + 1):
        rules.ways[total][0] = 1
        for count in range(1, ROUNDS + 1 if total else 1):
            rules.ways[total][count] = rules.ways[total - 1][count - 1] + rules.ways[total - 1][count]
    return capsule


# ---- Dealing (R2) ----

cdef void deal(const void *rules_, machiavel_luck *luck, void *state_) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef State *state = <State *> state_
    memset(&state.table, 0, sizeof(Table))
    memset(state.hands, 0, sizeof(state.hands))
    memset(state.tricks, 0, sizeof(state.tricks))
    state.first = 0
    state.first_safe = 0
    memset(state.spare, 0, sizeof(state.spare))
    state.table.contenders = (1 << rules.seats) - 1
    state.table.contender_count = rules.seats
    begin_round(rules, state, luck)


cdef inline bint is_drawn(const machiavel_luck *luck, uint32_t purpose, uint32_t counter) noexcept nogil:
    """Whether the outcome comes from the seed's quick stream; every other one is the header's affair."""
    cdef uint32_t quick = MACHIAVEL_QUICK | MACHIAVEL_SEEDED
    return luck.flags & quick == quick and (luck.laid_count == 0 or machiavel_luck_find(luck, purpose, counter) is NULL)


cdef inline void begin_round(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    """Trumps and hands. What the seed brings to a round is one stream: two bits for the trump suit, then cards in seat order."""
    cdef Table *table = &state.table
    cdef machiavel_rng rng = machiavel_luck_stream(luck, LUCK_HANDS, table.round)
    cdef uint64_t pool = rules.suit_cards[NO_SUIT], left = table.contenders
    cdef uint32_t purpose = LUCK_HANDS | table.contenders << 8
    table.held = ROUNDS - table.round
    table.to_come = table.contender_count
    table.led = NO_SUIT
    table.trump = rng.state >> 62
    if not is_drawn(luck, LUCK_TRUMP, table.round):
        table.trump = lay_trump(luck, table.round)
    if not is_drawn(luck, purpose, table.round):
        lay_hands(state, luck, purpose)
        return
    while left:
        state.hands[first_card(left)] = take_cards(&rng, &pool, table.held)
        left &= left - 1


cdef uint8_t lay_trump(machiavel_luck *luck, uint32_t round_) noexcept nogil:
    cdef uint8_t[SUITS] suits = [0, 1, 2, 3]
    return machiavel_draw(luck, LUCK_TRUMP, round_, suits, SUITS)


cdef void lay_hands(State *state, machiavel_luck *luck, uint32_t purpose) noexcept nogil:
    cdef Table *table = &state.table
    cdef uint8_t deck[CARDS]
    cdef uint32_t i, at = 0
    cdef uint64_t left = table.contenders
    for i in range(CARDS):
        deck[i] = <uint8_t> (16 * (i // 13) + i % 13)
    machiavel_shuffle(luck, purpose, table.round, deck, CARDS, table.held * table.contender_count)
    while left:
        for i in range(table.held):
            state.hands[first_card(left)] |= card(deck[at + i])
        at += table.held
        left &= left - 1


# ---- Tricks (R3) ----

cdef int to_move(const void *rules, const void *state_) noexcept nogil:
    cdef int mover = (<const State *> state_).table.mover
    return MACHIAVEL_OVER if mover == NOBODY else mover


cdef inline uint64_t playable(const Rules *rules, const State *state, uint32_t seat) noexcept nogil:
    """R3.3."""
    cdef uint64_t suited = state.hands[seat] & rules.suit_cards[state.table.led]
    return suited if suited else state.hands[seat]


cdef uint32_t legal_moves(const void *rules, const void *state, int seat, machiavel_move *moves) noexcept nogil:
    cdef uint64_t cards = playable(<const Rules *> rules, <const State *> state, seat)
    cdef uint32_t n = 0
    while cards:
        moves[n] = <machiavel_move> first_card(cards)
        n += 1
        cards &= cards - 1
    return n


cdef void apply(const void *rules, void *state, machiavel_move move, machiavel_luck *luck) noexcept nogil:
    play_card(<const Rules *> rules, <State *> state, move, luck)


cdef inline void play_card(const Rules *rules, State *state, uint32_t played, machiavel_luck *luck) noexcept nogil:
    cdef Table *table = &state.table
    cdef uint32_t seat = table.mover, suit = played >> 4, strength
    state.hands[seat] ^= card(played)
    table.seen |= card(played)
    table.cards[seat] = played
    table.ply += 1
    if table.led == NO_SUIT:
        table.led = suit
        table.leader = seat
    elif suit != table.led:  # R6.2
        table.voids |= <uint32_t> 1 << (4 * seat + table.led)
    strength = rules.strength[table.trump][table.led][played]
    if strength > table.strength:
        table.strength = strength
        table.best = seat
    table.to_come -= 1
    if table.to_come:
        table.mover = rules.next_seat[table.contenders][seat]
    else:
        close_trick(rules, state, luck)


cdef inline void close_trick(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    cdef Table *table = &state.table
    table.tricks[table.best] += 1
    state.tricks[table.best] += 1
    if state.first == 0:
        state.first = table.best + 1
    table.safe |= 1 << table.best
    if table.held > 1:
        memcpy(table.past[ROUNDS - table.round - table.held], &table.leader, 1 + SEATS)  # and the cards behind it
    table.mover = table.best  # R3.1, R4.2
    table.leader = table.best
    table.led = NO_SUIT
    table.best = 0
    table.strength = 0
    memset(table.cards, 0, SEATS)
    table.to_come = table.contender_count
    table.held -= 1
    if table.held == 0:
        end_round_apart(rules, state, luck)


# ---- The end of a round and of the match (R4, R5) ----

# Not to be inlined: every move would save the registers that one in ten needs.
cdef void (*end_round_apart)(const Rules *, State *, machiavel_luck *) noexcept nogil
end_round_apart = end_round


cdef inline void end_round(const Rules *rules, State *state, machiavel_luck *luck) noexcept nogil:
    cdef Table *table = &state.table
    table.contenders = table.safe  # R4.1
    if state.first_safe == 0:
        state.first_safe = table.safe
    table.contender_count = count_cards(table.safe)
    table.seen = 0
    table.voids = 0
    memset(table.past, 0, sizeof(table.past))
    if table.contender_count == 1:  # R5.1
        table.mover = NOBODY
        table.to_come = 0
        return
    memset(table.tricks, 0, SEATS)
    table.safe = 0
    table.round += 1
    begin_round(rules, state, luck)


cdef void utilities(const void *rules, const void *state_, float *utilities) noexcept nogil:
    """R5.1."""
    cdef const Table *table = &(<const State *> state_).table
    cdef uint32_t seat
    for seat in range((<const Rules *> rules).seats):
        utilities[seat] = table.contenders >> seat & 1


cdef uint32_t metrics(const void *rules, const void *root_, const void *end_, float *metrics) noexcept nogil:
    """Rounds of the match; per seat, the tricks taken since `root`; then per seat whether it won the trick under way when the
    match, or the world at `root`, began, and whether it was in after that round.
    """
    cdef const State *root = <const State *> root_
    cdef const State *end = <const State *> end_
    cdef uint32_t seat, players = (<const Rules *> rules).seats
    metrics[0] = end.table.round + 1
    for seat in range(players):
        metrics[1 + seat] = end.tricks[seat] - (root.tricks[seat] if root is not NULL else 0)
        metrics[1 + players + seat] = end.first == seat + 1
        metrics[1 + 2 * players + seat] = end.first_safe >> seat & 1
    return 1 + 3 * players


cdef uint32_t playout(const void *rules_, void *state_, machiavel_rng *rng, machiavel_luck *luck) noexcept nogil:
    cdef const Rules *rules = <const Rules *> rules_
    cdef State *state = <State *> state_
    cdef Table *table = &state.table
    cdef machiavel_rng own = rng[0]  # in a register
    cdef uint32_t before = table.ply
    cdef uint64_t cards
    while table.led != NO_SUIT:  # the rest of a trick under way
        cards = playable(rules, state, table.mover)
        play_card(rules, state, nth_card(cards, machiavel_below(&own, count_cards(cards))), luck)
    while table.mover != NOBODY:
        play_tricks(rules, state, &own)
        end_round(rules, state, luck)
    rng[0] = own
    return table.ply - before


cdef struct Hand:  # laid out from its lowest card on, so that to choose one is to look it up
    Hand *next  # clockwise
    uint8_t card[ROUNDS]  # by place
    uint8_t seat
    uint8_t of_suit[SUITS]  # places, as bits
    uint8_t left  # places not yet played, as bits
    uint8_t tricks  # taken from now on


cdef inline void lay_hand(uint64_t cards, Hand *hand) noexcept nogil:
    cdef uint32_t i = 0, first
    memset(hand.of_suit, 0, SUITS)
    while cards:
        first = first_card(cards)
        hand.card[i] = <uint8_t> first
        hand.of_suit[first >> 4] |= <uint8_t> (1 << i)
        cards &= cards - 1
        i += 1
    hand.left = <uint8_t> ((1 << i) - 1)
    hand.tricks = 0


cdef inline void play_tricks(const Rules *rules, State *state, machiavel_rng *rng) noexcept nogil:
    """The rest of a round at random, from the start of a trick: as `play_card` does it, without what only views need."""
    cdef Table *table = &state.table
    cdef Hand hands[SEATS]
    cdef Hand *best = hands
    cdef uint32_t i, seat = table.mover, seats = table.contender_count, held = table.held
    table.ply += held * seats
    for i in range(seats):
        lay_hand(state.hands[seat], &hands[i])
        state.hands[seat] = 0
        hands[i].seat = <uint8_t> seat
        hands[i].next = &hands[i + 1]
        seat = rules.next_seat[table.contenders][seat]
    hands[seats - 1].next = hands
    if state.first == 0:
        best = play_trick(rules, rules.strength[table.trump], best, held, seats - 1, rng)
        best.tricks += 1
        held -= 1
        state.first = best.seat + 1
    while held:
        best = play_trick(rules, rules.strength[table.trump], best, held, seats - 1, rng)
        best.tricks += 1
        held -= 1
    for i in range(seats):
        seat = hands[i].seat
        state.tricks[seat] += hands[i].tricks
        table.tricks[seat] += hands[i].tricks
        table.safe |= (hands[i].tricks != 0) << seat
    table.held = 0
    table.mover = best.seat
    table.leader = best.seat


cdef inline Hand *play_trick(const Rules *rules, const uint8_t (*by_suit_led)[CARD_LIMIT], Hand *hand, uint32_t held,
                             uint32_t followers, machiavel_rng *rng) noexcept nogil:
    """One trick, led by that hand; returns the hand that takes it."""
    cdef Hand *best = hand
    cdef uint32_t place = rules.nth[hand.left][machiavel_below(rng, held)], possible, led = hand.card[place] >> 4
    cdef const uint8_t *strengths = by_suit_led[led]
    cdef uint8_t strongest = strengths[hand.card[place]], strength
    hand.left ^= <uint8_t> (1 << place)
    while followers:
        hand = hand.next
        possible = hand.left & hand.of_suit[led]
        if possible == 0:
            possible = hand.left
        place = rules.nth[possible][machiavel_below(rng, rules.nth[possible][COUNT])]
        hand.left ^= <uint8_t> (1 << place)
        strength = strengths[hand.card[place]]
        if strength > strongest:
            strongest = strength
            best = hand
        followers -= 1
    return best


# ---- What a view may be ----

@cache
def plies_before(players: int, round_: int, contenders: int) -> frozenset[int]:
    """How many moves there may have been when a round (from 0) begins with so many seats still in (R2.2, R4.1)."""
    if round_ == 0:
        return frozenset({0} if contenders == players else ())
    tricks = ROUNDS - round_ + 1  # of the round before
    seats = range(max(contenders, 2), players + 1) if contenders <= tricks else ()
    return frozenset(ply + tricks * before for before in seats for ply in plies_before(players, round_ - 1, before))
