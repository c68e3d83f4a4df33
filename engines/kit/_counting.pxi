# Deals where few fit: counted, so that one of them can be drawn; or, where they are too many to count, reached by swaps.

cdef enum:
    CELLS = 24576  # numbers kept of the deals of what is left
    CLASSES = 64
    GROUPS = 6
    SWEEPS = 60  # swaps tried for each card
    WORK = 2000000  # of counting, worth as much as some thousand rejections


cdef struct Count:
    uint32_t group_count  # of holes that can hold the same
    uint64_t kinds[GROUPS]
    uint32_t size[GROUPS]
    uint32_t step[GROUPS]  # cells from one card more to the next
    uint32_t class_count  # of cards that the same groups can hold
    uint32_t holders[CLASSES]  # groups, as bits
    uint32_t number[CLASSES]
    uint32_t cell_count  # of each class
    double at  # what is left of the draw
    uint32_t taken[GROUPS]
    uint32_t chosen[GROUPS]
    double cells[CELLS]


cdef int count_deal(Pool *pool, machiavel_rng *rng) noexcept nogil:
    """Draw one of all deals that fit: 1; 0 where none does; -1 where they are too many to count."""
    cdef Count count
    cdef uint32_t i, cell, full
    cdef double work = 0, turn
    if not find_groups(pool, &count):
        return -1
    for i in range(count.class_count):
        turn = count.cell_count
        for cell in range(count.group_count):
            if count.holders[i] >> cell & 1:
                turn *= 1 + min(count.number[i], count.size[cell])
        work += turn
    if work > WORK:
        return -1
    full = count.cell_count - 1
    for i in range(count.cell_count):
        count.cells[count.class_count * count.cell_count + i] = i == 0
    i = count.class_count
    while i:
        i -= 1
        for cell in range(count.cell_count):
            count.cells[i * count.cell_count + cell] = ways(&count, i, cell, 0, count.number[i], 1, False)
    if not count.cells[full] > 0:
        return 0
    deal_counted(pool, &count, rng, full)
    return 1


cdef bint find_groups(const Pool *pool, Count *count) noexcept nogil:
    cdef uint32_t i, j, holders
    count.group_count = 0
    count.class_count = 0
    for i in range(pool.masked):
        j = 0
        while j < count.group_count and count.kinds[j] != pool.holes[i].kinds:
            j += 1
        if j == count.group_count:
            if j == GROUPS:
                return False
            count.kinds[j] = pool.holes[i].kinds
            count.size[j] = 0
            count.group_count += 1
        count.size[j] += pool.holes[i].size
    count.cell_count = 1
    for j in range(count.group_count):
        count.step[j] = count.cell_count
        count.cell_count *= count.size[j] + 1
        if count.cell_count > CELLS:
            return False
    for i in range(pool.count):
        holders = holders_of(count, pool.items[i])
        j = 0
        while j < count.class_count and count.holders[j] != holders:
            j += 1
        if j == count.class_count:
            if j == CLASSES:
                return False
            count.holders[j] = holders
            count.number[j] = 0
            count.class_count += 1
        count.number[j] += 1
    return count.cell_count * (count.class_count + 1) <= CELLS


cdef inline uint32_t holders_of(const Count *count, uint32_t kind) noexcept nogil:
    cdef uint32_t j, holders = 0
    for j in range(count.group_count):
        holders |= <uint32_t> (count.kinds[j] >> kind & 1) << j
    return holders


cdef double ways(Count *count, uint32_t class_, uint32_t cell, uint32_t group, uint32_t left, double weight,
                 bint draws) noexcept nogil:
    """In how many ways the cards of this class and all behind it give the groups what the cell says they still want.

    With `draws` each way is taken from `at`, and the one that brings it below 0 is the answer, in `chosen`.
    """
    cdef double total = 0, found
    cdef uint32_t k, most
    if group == count.group_count:
        found = weight * count.cells[(class_ + 1) * count.cell_count + cell]
        if draws and found > 0 and count.at >= 0:
            memcpy(count.chosen, count.taken, sizeof(count.taken))
            count.at -= found
        return found
    most = 0
    if count.holders[class_] >> group & 1:
        most = min(left, cell // count.step[group] % (count.size[group] + 1))
    for k in range(most + 1):
        count.taken[group] = k
        total += ways(count, class_, cell - k * count.step[group], group + 1, left - k, weight, draws)
        if draws and count.at < 0:
            break
        weight = weight * (left - k) / (k + 1)
    return total


cdef void deal_counted(Pool *pool, Count *count, machiavel_rng *rng, uint32_t cell) noexcept nogil:
    cdef uint8_t[GROUPS + 1][ITEMS] given
    cdef uint8_t[ITEMS] own
    cdef uint32_t[GROUPS + 1] many
    cdef uint32_t i, j, k, n, at
    memset(many, 0, sizeof(many))
    for i in range(count.class_count):
        n = 0
        for j in range(pool.count):
            if holders_of(count, pool.items[j]) == count.holders[i]:
                own[n] = pool.items[j]
                n += 1
        machiavel_shuffle_bytes(rng, own, n, n)
        count.at = (machiavel_next(rng) >> 11) * (1.0 / 9007199254740992.0) * count.cells[i * count.cell_count + cell]
        ways(count, i, cell, 0, count.number[i], 1, True)
        at = 0
        for j in range(count.group_count):
            for k in range(count.chosen[j]):
                given[j][many[j]] = own[at]
                many[j] += 1
                at += 1
            cell -= count.chosen[j] * count.step[j]
        for k in range(at, n):  # where everything can lie, or nowhere
            given[<int> GROUPS][many[<int> GROUPS]] = own[k]
            many[<int> GROUPS] += 1
    at = 0
    for j in range(GROUPS + 1):
        if j < count.group_count or j == GROUPS:
            machiavel_shuffle_bytes(rng, given[j], many[j], many[j])
    for i in range(pool.hole_count):
        j = GROUPS
        if i < pool.masked:
            j = 0
            while count.kinds[j] != pool.holes[i].kinds:
                j += 1
        for k in range(pool.holes[i].size):
            many[j] -= 1
            pool.items[at] = given[j][many[j]]
            at += 1
    for k in range(many[<int> GROUPS]):
        pool.items[at + k] = given[<int> GROUPS][k]


# ---- Swaps ----

cdef struct Chain:
    uint32_t count
    uint64_t kinds[ITEMS]  # that each position can hold
    uint8_t item[ITEMS]  # by position, its number in `kind`
    uint8_t kind[ITEMS]
    int16_t holder[ITEMS]  # the position of each item, -1: none yet
    bint met[ITEMS]


cdef bint chain_deal(Pool *pool, machiavel_rng *rng) noexcept nogil:
    """Some deal that fits, then many swaps of two or three cards that fit as well; False where there is none."""
    cdef Chain chain
    cdef uint32_t i, j, k, at = 0
    cdef uint64_t _step
    chain.count = pool.count
    for i in range(pool.count):
        chain.kinds[i] = pool.kinds
        chain.kind[i] = pool.items[i]
        chain.holder[i] = -1
    for i in range(pool.hole_count):
        for j in range(pool.holes[i].size):
            chain.kinds[at] = pool.holes[i].kinds
            at += 1
    for i in range(pool.count):
        memset(chain.met, 0, sizeof(chain.met))
        if not find_item(&chain, i):
            return False
    for i in range(pool.count):
        chain.item[chain.holder[i]] = <uint8_t> i
    for i in range(pool.count):
        pool.items[i] = chain.kind[chain.item[i]]
    for _step in range(SWEEPS * <uint64_t> pool.count):
        i = machiavel_below(rng, pool.count)
        j = machiavel_below(rng, pool.count)
        k = machiavel_below(rng, pool.count)
        if _step & 1:
            k = i
        rotate(&chain, pool.items, i, j, k)
    return True


cdef inline void rotate(const Chain *chain, uint8_t *items, uint32_t i, uint32_t j, uint32_t k) noexcept nogil:
    """The card of i to j, that of j to k, that of k to i; with k the same as i, the two are swapped."""
    cdef uint8_t first = items[i], second = items[j], third = items[k]
    if i == j or (k != i and k == j):
        return
    if k == i:
        if chain.kinds[j] >> first & 1 and chain.kinds[i] >> second & 1:
            items[i] = second
            items[j] = first
    elif chain.kinds[j] >> first & 1 and chain.kinds[k] >> second & 1 and chain.kinds[i] >> third & 1:
        items[j] = first
        items[k] = second
        items[i] = third


cdef bint find_item(Chain *chain, uint32_t position) noexcept nogil:
    """An item for a position, where others may have to give theirs up for others (an augmenting path)."""
    cdef uint32_t i
    for i in range(chain.count):
        if chain.met[i] or not chain.kinds[position] >> chain.kind[i] & 1:
            continue
        chain.met[i] = True
        if chain.holder[i] < 0 or find_item(chain, <uint32_t> chain.holder[i]):
            chain.holder[i] = <int16_t> position
            return True
    return False


cdef void note_sampler(const Rules *rules, int which) noexcept nogil:
    add_one(<uint64_t *> rules.samplers + which)
