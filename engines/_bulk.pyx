"""Whole games in bulk, without the GIL: for tests, balance tables and whoever does research."""

import numpy as np

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from machiavel.engines._face cimport Game
from machiavel.engines._loading cimport has_fault
from machiavel.engines.abi cimport (
    MACHIAVEL_MAX_METRICS,
    MACHIAVEL_MAX_MOVES,
    MACHIAVEL_MAX_SEATS,
    MACHIAVEL_QUICK,
    MACHIAVEL_SEEDED,
    MACHIAVEL_STOP_AT_HORIZON,
    machiavel_below,
    machiavel_engine,
    machiavel_luck,
    machiavel_mix,
    machiavel_move,
    machiavel_rng,
)

from machiavel.engines.errors import BadOption
from machiavel.engines.record import SEEDS, parse_seed

cdef enum:
    RANDOM
    GREEDY

POLICIES = {"random": RANDOM, "greedy": GREEDY}
HORIZONS = ("end", "horizon")


cdef struct Table:  # what the games of one call share
    const machiavel_engine *engine
    const void *rules
    uint32_t seats
    bint uniform  # everybody plays at random
    int policies[MACHIAVEL_MAX_SEATS]


def playouts(Game game, rules, count, seed, policies, until, bint plain=False):
    """See Game.playouts. `plain` does without the engine's own loop for random games, which must not make a difference."""
    cdef Table table
    cdef uint32_t seat
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count < 1 << 31:
        raise BadOption("count", count, "a whole number from 0 to 2^31 - 1")
    if until not in HORIZONS:
        raise BadOption("until", until, " or ".join(HORIZONS))
    try:
        seed = parse_seed(seed)
    except ValueError:
        raise BadOption("seed", seed, SEEDS) from None
    if policies is None:
        policies = ("random",) * rules.players
    if (
        not isinstance(policies, (list, tuple))
        or len(policies) != rules.players
        or any(not isinstance(policy, str) or policy not in POLICIES for policy in policies)
    ):
        raise BadOption("policies", policies, f"{rules.players} of {', '.join(POLICIES)}, one a seat")
    if "greedy" in policies and game.engine.weights is NULL:
        raise BadOption("policies", policies, f"only random, for {game.name} has no rule of thumb")
    table.engine = game.engine
    table.rules = game.rules_pointer(rules)
    table.seats = rules.players
    table.uniform = not plain and all(policy == "random" for policy in policies)
    for seat in range(table.seats):
        table.policies[seat] = POLICIES[policies[seat]]

    metric_names = tuple(game.plugin.metrics(rules)) if game.engine.metrics is not NULL else ()
    utilities = np.zeros((count, rules.players), np.float32)
    metrics = np.zeros((count, len(metric_names)), np.float32)
    plies = np.zeros(count, np.uint32)
    cdef float[:, ::1] utilities_at = utilities
    cdef float[:, ::1] metrics_at = metrics
    cdef uint32_t[::1] plies_at = plies
    cdef machiavel_luck luck
    cdef float measured[MACHIAVEL_MAX_METRICS]
    cdef float shares[MACHIAVEL_MAX_SEATS]
    cdef uint32_t metric_count = len(metric_names)
    cdef uint64_t low = <uint64_t> (seed & 0xFFFFFFFFFFFFFFFF), high = <uint64_t> (seed >> 64)
    cdef uint64_t number
    cdef uint64_t total = count
    cdef uint32_t i
    memset(&luck, 0, sizeof(luck))
    luck.flags = MACHIAVEL_SEEDED | MACHIAVEL_QUICK | (MACHIAVEL_STOP_AT_HORIZON if until == "horizon" else 0)
    cdef void *state = malloc(table.engine.state_size)
    if state is NULL:
        raise MemoryError
    with nogil:
        for number in range(total):
            # The game of a number is the same however many are asked for.
            luck.seed[0] = machiavel_mix(low ^ machiavel_mix(number + 1))
            luck.seed[1] = high
            plies_at[number] = play_one(&table, state, &luck)
            table.engine.utilities(table.rules, state, shares)
            for i in range(table.seats):
                utilities_at[number, i] = shares[i]
            if metric_count:
                table.engine.metrics(table.rules, NULL, state, measured)
                for i in range(metric_count):
                    metrics_at[number, i] = measured[i]
            if has_fault(table.engine, table.rules):
                break
    free(state)
    if has_fault(table.engine, table.rules):
        raise game.plugin.fault_error(rules)
    return utilities, metrics, plies, metric_names


cdef uint32_t play_one(const Table *table, void *state, machiavel_luck *luck) noexcept nogil:
    cdef machiavel_rng rng
    cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
    cdef uint32_t count, plies = 0
    cdef int seat
    rng.state = machiavel_mix(luck.seed[0] ^ machiavel_mix(luck.seed[1] + 2))
    table.engine.deal(table.rules, luck, state)
    if table.uniform and table.engine.playout is not NULL:
        return table.engine.playout(table.rules, state, &rng, luck)
    while True:
        seat = table.engine.to_move(table.rules, state)
        if seat < 0:
            return plies
        count = table.engine.legal_moves(table.rules, state, seat, moves)
        if table.policies[seat] == RANDOM:
            table.engine.apply(table.rules, state, moves[machiavel_below(&rng, count)], luck)
        else:
            table.engine.apply(table.rules, state, heaviest(table, state, moves, count), luck)
        plies += 1


cdef machiavel_move heaviest(const Table *table, const void *state, const machiavel_move *moves,
                             uint32_t count) noexcept nogil:
    cdef float weights[MACHIAVEL_MAX_MOVES]
    cdef uint32_t i, best = 0
    table.engine.weights(table.rules, state, moves, count, weights)
    for i in range(1, count):
        if weights[i] > weights[best]:
            best = i
    return moves[best]
