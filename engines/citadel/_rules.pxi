# Rules objects of citadel: the tables that a house and the options come down to, made once, never changed.


def make_rules(int players, characters, house, tiles):
    """Return a capsule of rules.

    The arguments have been checked: `characters` by seat, or None for random ones; `house` a `house.House`; `tiles` those that
    the setting leaves in.
    """
    capsule = new_rules()
    cdef Rules *rules = rules_of(capsule)
    cdef uint32_t i, die
    rules.seats = <uint8_t> players
    rules.characters_given = characters is not None
    for i, character in enumerate(characters or ()):
        rules.given[i] = character
    fill_rooms(rules, house)
    for i, kind in enumerate(sorted(house.traps)):
        rules.traps[i] = kind
    for i, (minutes, types) in enumerate(house.tiles):
        rules.spaces[i] = minutes // 5
        rules.types[i] = sum(1 << kind for kind in types)
    rules.tiles = sum(1 << tile for tile in tiles)
    for die in range(3):
        for i in range(FACES):
            rules.faces[die][i] = house.dice[die][i]
    for i in range(LISTS):
        rules.lengths[i] = <uint8_t> len(house.lists[i])
        for step, (kind, amount) in enumerate(house.lists[i]):
            rules.lists[i][<uint32_t> step].kind = kind
            rules.lists[i][<uint32_t> step].amount = amount
    for i in range(CHARACTERS):
        (kind, amount), rules.costs[i] = house.abilities[i]
        rules.abilities[i].kind = kind
        rules.abilities[i].amount = amount
    rules.max_plies = TURNS * max([most_plies(rules, character) for character in characters or range(CHARACTERS)])
    return capsule


cdef fill_rooms(Rules *rules, house):
    cdef uint32_t room, colour, door
    rules.start = house.start
    rules.windows = sum(1 << room for room in house.windows)
    for door in range(DOORS):
        for i, (room, colour) in enumerate(house.doors[door]):
            rules.sides[door][<uint32_t> i] = <uint8_t> room
            rules.doors[room][colour] = <uint8_t> door
            rules.doors_of[room] |= <uint32_t> 1 << door
    for room in range(ROOMS):
        for colour in range(COLOURS):
            rules.exits[room][colour] = house.exits[room][colour]
            rules.next_to[room] |= <uint16_t> (1 << rules.exits[room][colour])
    for room in range(ROOMS):
        rules.near_doors[room] = rules.doors_of[room]
        for colour in range(COLOURS):
            rules.near_doors[room] |= rules.doors_of[rules.exits[room][colour]]


cdef uint32_t most_plies(const Rules *rules, uint32_t character) noexcept:
    """The most moves a turn of that character can have: an act for each action, a move for each effect of one card, of the bonus
    and of the ability, one for each right of the dice, one for each power turned up, and `end`."""
    cdef uint32_t card, most = 0, bonus = list_plies(rules, FIRST_BONUS + character)
    for card in range(DECK * character, DECK * character + DECK):
        most = max(most, list_plies(rules, card))
    return ACTIONS + most + bonus + 2 + 1 + 1  # the ability as a move or as a right and one action more; `end`; the clock's power


cdef uint32_t list_plies(const Rules *rules, uint32_t list) noexcept:
    """The most moves that a list brings into a turn."""
    cdef uint32_t step, kind, plies = rules.lengths[list]
    for step in range(rules.lengths[list]):
        kind = rules.lists[list][step].kind
        if kind == EXTRA or kind == REROLL or kind == CHOOSE or kind == TIME_ON:
            plies += 1
    return plies
