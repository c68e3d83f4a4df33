"""What a seat goes for that plays in a style: a mixture of results and of what the game measures, from 0 to 1."""

from libc.stdint cimport uint32_t
from libc.string cimport memset

from machiavel.engines.abi cimport MACHIAVEL_MAX_METRICS, machiavel_engine

from machiavel.search.styles import PLAIN, style_of

WHOSE = {"own": OF_SEAT, "others": OF_OTHERS, "table": OF_TABLE}


cdef Style made_style(game, rules, name) except *:
    cdef Style made
    cdef uint32_t seat
    cdef Term *term
    memset(&made, 0, sizeof(made))
    if name == PLAIN:
        return made
    style = style_of(game.name, name)
    names = list(game.plugin.metrics(rules))
    made.is_set = True
    made.own, made.rival, made.weakest = style.own, style.rival, style.weakest
    if len(style.terms) > STYLE_TERMS:
        raise ValueError(f"style {name} of {game.name}: at most {STYLE_TERMS} terms")
    for one in style.terms:
        term = &made.terms[made.count]
        made.count += 1
        term.weight, term.worst, term.span = one.weight, one.worst, one.best - one.worst
        term.whose = WHOSE[one.whose]
        for seat in range(rules.players):
            term.metrics[seat] = names.index(one.metric if one.whose == "table" else f"{one.metric}_{seat}")
    return made


cdef float aimed(const Style *style, const machiavel_engine *engine, const void *rules, const void *world, int seat,
                 uint32_t seats, const float *utilities, double *totals) noexcept nogil:
    cdef float[MACHIAVEL_MAX_METRICS] measured
    cdef float found = style.own * utilities[seat]
    cdef int strongest = -1, weakest = -1
    cdef uint32_t other, i
    for other in range(seats):
        totals[other] += utilities[other]
        if <int> other != seat:
            if strongest < 0 or totals[other] > totals[strongest]:
                strongest = other
            if weakest < 0 or totals[other] < totals[weakest]:
                weakest = other
    if strongest >= 0:
        found += style.rival * (1 - utilities[strongest]) + style.weakest * utilities[weakest]
    if style.count:
        engine.metrics(rules, NULL, world, measured)
        for i in range(style.count):
            found += style.terms[i].weight * share(&style.terms[i], measured, seat, seats)
    return found


cdef inline float share(const Term *term, const float *measured, int seat, uint32_t seats) noexcept nogil:
    """How much of the way from the worst to the best a quantity has come, 0 to 1."""
    cdef float quantity = measured[term.metrics[seat]], way
    cdef uint32_t other
    if term.whose == OF_OTHERS:
        quantity = 0
        for other in range(seats):
            quantity += measured[term.metrics[other]] if <int> other != seat else <float> 0
        quantity /= max(<uint32_t> 1, seats - 1)
    way = (quantity - term.worst) / term.span
    return min(max(way, <float> 0), <float> 1)
