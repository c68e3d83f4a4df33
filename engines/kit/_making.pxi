# Tables and structs out of a game's description.

cdef void fill_table(Rules *rules, game, layout, uint32_t players) except *:
    cdef uint32_t n
    if len(layout.slots) > FIELDS:
        raise ValueError(f"{len(layout.slots)} fields; most: {FIELDS}")
    if len(game.decks) > DECKS:
        raise ValueError(f"{len(game.decks)} decks; most: {DECKS}")
    if layout.state_size > LARGEST_STATE or layout.view_size > LARGEST_VIEW:
        raise ValueError(f"states of {layout.state_size} and views of {layout.view_size} bytes are too large")
    if len(game.metrics) > ARRAYS:
        raise ValueError(f"{len(game.metrics)} metrics; most: {ARRAYS}")
    rules.seats = players
    rules.longest = game.longest
    rules.state_size = layout.state_size
    rules.view_size = layout.view_size
    rules.reserved = game.move_limit
    rules.max_moves = min(game.move_limit, MACHIAVEL_MAX_MOVES)
    rules.metric_arrays = len(game.metrics)
    rules.is_cooperative = game.cooperative
    worth = game.worth or ((0, 1) if game.cooperative else None)
    if worth is not None:
        rules.has_worth = True
        rules.low = worth[0]
        rules.span = worth[1] - worth[0]
    rules.deck_count = len(game.decks)
    for n, deck in enumerate(game.decks):
        fill_deck(&rules.decks[n], deck)
    rules.field_count = len(layout.slots)
    rules.first_private = rules.field_count
    numbers = {slot.name: number for number, slot in enumerate(layout.slots)}
    for n, slot in enumerate(layout.slots):
        fill_field(rules, &rules.fields[n], game, layout, slot, numbers)
        if slot.seen_by != "all":
            rules.first_private = min(rules.first_private, n)
    fill_bytes(rules)
    find_runs(rules)


cdef void fill_deck(Deck *deck, one) except *:
    cdef uint32_t i
    deck.kinds = len(one)
    deck.all = one.all
    numbers = getattr(one, "numbers", None)
    deck.bits = 1 if numbers is None else 4
    for i in range(deck.kinds):
        deck.number[i] = 1 if numbers is None else numbers[i]
        deck.total += deck.number[i]


cdef void fill_field(Rules *rules, Field *field, game, layout, slot, numbers) except *:
    cdef uint32_t length
    declared = game.fields[slot.name]
    field.offset = slot.offset
    field.width = slot.width
    field.is_signed = slot.signed
    field.kind = KIND_NUMBERS[slot.kind]
    field.seen = SEEN_NUMBERS.get(slot.seen_by, MASKED)
    field.low = slot.low
    field.high = slot.high
    field.absent = declared.nothing
    field.deck = slot.deck or 0
    field.is_zone = slot.is_zone
    field.forgets = declared.forgets
    field.is_sorted = declared.is_sorted
    field.within = -1 if slot.within is None else numbers[slot.within]
    field.room = 1
    field.count = 1
    for length in slot.lengths:
        field.room *= length
    for length in slot.used:
        field.count *= length
    field.owned = field.room // <uint32_t> slot.lengths[0] if slot.each_seat else field.room
    field.row = slot.lengths[len(slot.lengths) - 1] if slot.lengths else 1
    if slot.seen_by != "all" and (slot.kind == "dice" or slot.is_zone):
        field.hidden = layout.hidden_at[slot.name]
    if field.is_sorted:
        rules.sorts_dice = True
    if field.seen == MASKED:
        mask = layout.slots[numbers[slot.seen_by]]
        field.mask = mask.offset
        if mask.each_seat:
            field.mask_by = MASK_OF_OWNER
        elif mask.lengths and mask.lengths == slot.lengths:
            field.mask_by = MASK_OF_ELEMENT


cdef void fill_bytes(Rules *rules) except *:
    """How a deal begins, and a view in which all is hidden; in the places of seats that do not play there is nothing."""
    cdef const Field *field
    cdef uint32_t n, i
    rules.public_end = rules.state_size
    if rules.first_private < rules.field_count:
        rules.public_end = rules.fields[rules.first_private].offset
    for n in range(rules.field_count):
        field = &rules.fields[n]
        for i in range(field.room):
            store(field, rules.empty, i, field.absent)
            if i >= field.count:
                store(field, rules.blank, i, field.absent)


cdef void find_runs(Rules *rules) except *:
    """The public bytes that enter a key: those before the first field that is left out as they lie, the others run by run."""
    cdef uint32_t end = KIT_FIELDS, n, start, stop
    runs = []  # (start, stop)
    for n in range(rules.first_private):
        field = rules.fields[n]
        if not field.forgets:
            runs.append((field.offset, field.offset + field.width * field.room))
    merged = [[0, end]]
    for start, stop in sorted(runs):
        last = merged[len(merged) - 1]
        if start <= last[1] + 7 and not forgotten_between(rules, last[1], start):
            last[1] = stop
        else:
            merged.append([start, stop])
    rules.key_prefix = merged[0][1] & ~7
    merged[0][0] = rules.key_prefix
    for start, stop in merged:
        if start < stop:
            rules.runs[rules.run_count].offset = start
            rules.runs[rules.run_count].size = stop - start
            rules.run_count += 1


cdef bint forgotten_between(const Rules *rules, uint32_t start, uint32_t stop) noexcept:
    cdef uint32_t n
    for n in range(rules.first_private):
        if rules.fields[n].forgets and start <= rules.fields[n].offset < stop:
            return True
    return False


cdef void fill_functions(Rules *rules, functions) except *:
    cdef size_t address
    addresses = {name: 0 for name in (*FUNCTIONS, "playout")} | dict(functions)
    for name in ("deal", "legal", "apply", "result"):
        if not addresses[name]:
            raise ValueError(f"there is no function {name}")
    rules.deal = <Deal> <size_t> addresses["deal"]
    rules.legal = <Legal> <size_t> addresses["legal"]
    rules.apply = <Apply> <size_t> addresses["apply"]
    rules.result = <Shares> <size_t> addresses["result"]
    rules.estimate = <Shares> <size_t> addresses["estimate"]
    rules.measure = <Shares> <size_t> addresses["measure"]
    rules.weigh = <Weigh> <size_t> addresses["weigh"]
    rules.determinize = <Seated> <size_t> addresses["determinize"]
    rules.possible = <Seated> <size_t> addresses["possible"]
    if not rules.sorts_dice:  # a loop of the author's functions alone knows nothing of it
        rules.playout = <Playout> <size_t> addresses["playout"]


cdef void fill_engine(machiavel_engine *engine, game, layout) except *:
    engine.abi_version = MACHIAVEL_ABI_VERSION
    engine.struct_size = sizeof(machiavel_engine)
    engine.rules_version = game.version
    engine.flags = (MACHIAVEL_COOPERATIVE if game.cooperative else 0) | (
        MACHIAVEL_HAS_HORIZON if "estimate" in game.methods else 0
    )
    engine.state_size = layout.state_size
    engine.view_size = layout.view_size
    engine.move_limit = game.move_limit + 1
    engine.max_moves = min(game.move_limit, MACHIAVEL_MAX_MOVES)
    engine.seats = seats
    engine.max_plies = max_plies
    engine.deal = deal
    engine.to_move = to_move
    engine.legal_moves = legal_moves
    engine.apply = apply
    engine.utilities = utilities
    engine.view = view
    engine.determinize = determinize
    engine.view_key = view_key
    engine.seats_to_move = seats_to_move
    engine.playout = playout
    engine.private_observation = private_observation
    engine.fault = fault
    if "weigh" in game.methods:
        engine.weights = weights
    if "estimate" in game.methods:
        engine.evaluate = evaluate
    if "measure" in game.methods:
        engine.metrics = metrics
