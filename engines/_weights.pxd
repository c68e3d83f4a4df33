"""What rules of thumb are made of: the weight of a worth, the same on every machine."""


cdef inline double exponential(double x) noexcept nogil:
    """e^x to three digits, from -20 to 20, the same on every machine: libm's is not."""
    cdef double power = 1 + min(max(x, -20.0), 20.0) / 1024
    cdef int _squaring
    for _squaring in range(10):
        power *= power
    return power
