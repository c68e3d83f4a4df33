"""A curve from 0 to 1, logistic in the logarithm of the odds: the same on every machine, which libm's functions are not."""

from machiavel.search._descent cimport natural_logarithm


cdef inline double exponential(double x) noexcept nogil:
    """e^x for x at most 700, by its series for a thousandth of x."""
    cdef double part = x / 1024, power = 1
    cdef int term, _square
    for term in range(8, 0, -1):
        power = 1 + power * part / term
    for _square in range(10):
        power *= power
    return power


def chance(double share, double bias, double slope):
    """1 / (1 + e^-(bias + slope · ln(share / (1 - share)))); 0 and 1 stay what they are. The slope is above 0."""
    cdef double odds
    if share <= 0 or share >= 1:
        return 0.0 if share <= 0 else 1.0
    if share < 0.5:
        odds = -natural_logarithm((1 - share) / share)
    else:
        odds = natural_logarithm(share / (1 - share))
    return 1 / (1 + exponential(-max(-40.0, min(40.0, bias + slope * odds))))
