# Rules objects of bond: the tables that deck and number of players come down to, made once, never changed.


def make_rules(int players, list lairs, list spies):
    """Return a capsule of rules. The arguments have been checked: the 18 values of the lairs and of the spies, ascending."""
    capsule = new_rules()
    cdef Rules *rules = rules_of(capsule)
    cdef uint32_t bit, kind = 0, turns
    values = [*lairs, *spies, *(letter // 2 for letter in range(COPIES))]
    for bit in range(CARDS):
        if bit % COPIES == 0 or values[bit] != values[bit - 1]:
            kind = bit
            rules.firsts |= card(bit)
            rules.value[bit] = values[bit]
        rules.kind[bit] = <uint8_t> kind
        rules.field[kind] |= card(bit)
    for bit in range(64):
        rules.lairs[bit] = <uint8_t> count_cards(bit)
    rules.seats = players
    rules.hand_size = 6 if players <= 3 else 5  # R2.2
    rules.pile_size = CARDS - rules.hand_size * players
    # A turn draws a card, or plays one of the 36 lairs and spies, or is one of fewer than `players` idle ones before such a turn,
    # or one of the last ones. It has two decisions; besides, each spy may be an `add`, and each attack has a `go` and a `kill`;
    # each of the 18 Doublers may be a taunt that all others are asked about. Each attack uses up a spy.
    turns = rules.pile_size + 2 * COPIES * players + players
    rules.max_plies = 2 * turns + 3 * COPIES + COPIES * players
    return capsule


def ply_limit(rules) -> int:
    """No match has more moves."""
    return rules_of(rules).max_plies
