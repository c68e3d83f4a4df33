"""A flag that one thread raises and another looks at while it searches without the GIL."""

from libc.stdint cimport int32_t

# Relaxed is enough: nothing but the flag itself is handed over, and what a search found is read under its lock.
cdef extern from *:
    """
    #ifndef MACHIAVEL_STOP_FLAG
    #define MACHIAVEL_STOP_FLAG
    static inline int machiavel_is_raised(const int32_t *flag) {
        return __atomic_load_n(flag, __ATOMIC_RELAXED);
    }
    static inline void machiavel_set_flag(int32_t *flag, int32_t value) {
        __atomic_store_n(flag, value, __ATOMIC_RELAXED);
    }
    #endif
    """
    bint is_raised "machiavel_is_raised"(const int32_t *flag) noexcept nogil
    void set_flag "machiavel_set_flag"(int32_t *flag, int32_t value) noexcept nogil
