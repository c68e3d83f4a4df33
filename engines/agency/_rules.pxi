# Rules objects of agency: the tables that deck and options come down to, made once, never changed.


def make_rules(
    int players, bint powers, int medals, agents, agent_pool, list colours, list plans, list values, list accomplices
):
    """Return a capsule of rules.

    The arguments have been checked: `agents` the agents by seat, or None for random ones out of `agent_pool`; `colours` the
    colour of every card, in deck order; `plans` the kinds of the plan cards, ascending; `values` and `accomplices` by kind.
    """
    cdef size_t equity_size = players * sizeof(float)
    cdef int i, passes = 0
    for i in range(players):
        equity_size *= medals
    capsule = new_rules(equity_size)
    cdef Rules *rules = rules_of(capsule)
    rules.seats = <uint8_t> players
    rules.medals = <uint8_t> medals
    rules.bonus = 8 if players <= 3 else 5  # R8.2, R8.3
    rules.powers = powers
    rules.agents_given = agents is not None
    for i, agent in enumerate(agents or ()):
        rules.agents[i] = agent
    for i, agent in enumerate(agent_pool):
        rules.agent_pool[i] = agent
    rules.agent_pool_size = <uint8_t> len(agent_pool)
    rules.card_count = <uint8_t> len(colours)
    for i, colour in enumerate(colours):
        rules.colour[i] = colour
        rules.tally[i] = 1 if colour == GREEN else 256 if colour == YELLOW else 0
        rules.colour_cards[<int> colour] |= card(i)
        rules.all_cards |= card(i)
    rules.plan_count = <uint8_t> len(plans)
    for i, kind in enumerate(plans):
        rules.plans[i] = kind
    for i in range(len(values)):
        rules.value[i] = values[i]
        rules.accomplice[i] = accomplices[i]
    for kind in plans:
        passes += accomplices[kind] == PASS_LEFT
    # Every round brings a medal, so the last one comes when all others lack one (R9.1); Belton and Moignons choose once a round.
    rules.max_plies = (players * (medals - 1) + 1) * (TRICKS * players + min(passes, TRICKS) * players + 2 * powers)
    fill_strength(rules)
    fill_keeping(rules)
    fill_equity(rules)
    return capsule


cdef void fill_strength(Rules *rules) noexcept nogil:
    """R4.3 and R7.1 – R7.3: the winning colour stands highest, and within a colour the cards stand as they beat each other."""
    cdef int accomplice, led, i, other, colour, rank
    cdef uint8_t *strength
    for accomplice in range(ACCOMPLICES):
        for led in range(4):
            for i in range(rules.card_count):
                colour = rules.colour[i]
                rank = 63 - i if accomplice == LOW_WINS else i
                if accomplice == BLUE_OVER_MAUVE and colour == BLUE:
                    rank += 192
                elif accomplice != PLAIN_MAUVE and colour == MAUVE:
                    rank += 128
                elif colour == led:
                    rank += 64
                else:
                    rank = 0
                rules.strength[accomplice][led][i] = <uint8_t> rank
            strength = rules.strength[accomplice][led]
            for i in range(rules.card_count):
                for other in range(rules.card_count):
                    if strength[other] > strength[i]:
                        rules.stronger[accomplice][led][i] |= card(other)


cdef void fill_keeping(Rules *rules) noexcept nogil:
    """By its height within its colour, and mauve before all others."""
    cdef uint32_t i
    cdef uint64_t suit
    cdef double height
    for i in range(rules.card_count):
        suit = rules.colour_cards[rules.colour[i]]
        height = <double> count_cards(suit & (card(i) - 1)) / count_cards(suit)
        rules.keeping[i] = 0.65 + 0.3 * height if rules.colour[i] == MAUVE else 0.05 + 0.3 * height


cdef void fill_equity(Rules *rules) noexcept nogil:
    """The chance to win the match from each count of medals, if each round is won by one seat and by each alike."""
    cdef uint32_t seats = rules.seats, medals = rules.medals, size = 1, index, seat, winner, step, own, _seat
    cdef float *at
    for _seat in range(seats):
        size *= medals
    rules.equity = <float *> (rules + 1)
    for index in range(size, 0, -1):  # a medal more is always a higher index
        at = &rules.equity[(index - 1) * seats]
        step = 1
        for winner in range(seats):
            own = (index - 1) // step % medals
            for seat in range(seats):
                if own + 1 < medals:
                    at[seat] += rules.equity[(index - 1 + step) * seats + seat] / seats
                elif seat == winner:
                    at[seat] += <float> 1.0 / seats
            step *= medals
