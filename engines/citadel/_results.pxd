from libc.stdint cimport uint32_t

cdef void utilities(const void *rules, const void *state, float *utilities) noexcept nogil
cdef uint32_t metrics(const void *rules, const void *root, const void *end, float *metrics) noexcept nogil
