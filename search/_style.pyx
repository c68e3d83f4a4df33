"""What a seat goes for that plays in a style: a mixture of results and of what the game measures, from 0 to 1."""

from libc.stdint cimport uint32_t
from libc.string cimport memset

from machiavel.engines.abi cimport MACHIAVEL_MAX_METRICS, machiavel_engine

from machiavel.search.styles import PLAIN, style_of

WHOSE = {"own": OF_SEAT, "others": OF_OTHERS, "weakest": OF_WEAKEST}


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
    made.own = style.own
    if len(style.terms) > STYLE_TERMS:
        raise ValueError(f"style {name} of {game.name}: at most {STYLE_TERMS} terms")
    for one in style.terms:
        term = &made.terms[made.count]
        made.count += 1
        term.weight, term.worst, term.span = one.weight, one.worst, one.best - one.worst
        term.whose = WHOSE[one.whose]
        for seat in range(rules.players):
            term.metrics[seat] = names.index(f"{one.metric}_{seat}")
    return made


cdef float aimed(const Style *style, const machiavel_engine *engine, const void *rules, const void *world, int seat,
                 uint32_t seats, const float *utilities, double *totals) noexcept nogil:
    cdef float[MACHIAVEL_MAX_METRICS] measured
    cdef float value = style.own * utilities[seat]
    cdef uint32_t other, i
    cdef int weakest = -1
    for other in range(seats):
        totals[other] += utilities[other]
        if <int> other != seat and (weakest < 0 or totals[other] < totals[weakest]):
            weakest = other
    engine.metrics(rules, NULL, world, measured)
    for i in range(style.count):
        if style.terms[i].whose == OF_OTHERS:
            value += style.terms[i].weight * way(&style.terms[i], mean_of_others(&style.terms[i], measured, seat, seats))
        else:
            other = weakest if style.terms[i].whose == OF_WEAKEST and weakest >= 0 else seat
            value += style.terms[i].weight * way(&style.terms[i], measured[style.terms[i].metrics[other]])
    return value


cdef inline float mean_of_others(const Term *term, const float *measured, int seat, uint32_t seats) noexcept nogil:
    cdef float total = 0
    cdef uint32_t other
    for other in range(seats):
        total += measured[term.metrics[other]] if <int> other != seat else <float> 0
    return total / max(<uint32_t> 1, seats - 1)


cdef inline float way(const Term *term, float quantity) noexcept nogil:
    """How much of the way from the worst to the best a quantity has come, 0 to 1."""
    return min(max((quantity - term.worst) / term.span, <float> 0), <float> 1)
