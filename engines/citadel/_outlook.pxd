cdef void evaluate(const void *rules, const void *state, float *utilities) noexcept nogil
