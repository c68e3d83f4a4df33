from machiavel.engines.abi cimport machiavel_engine

cdef const machiavel_engine *checked_engine(plugin) except NULL


cdef inline bint has_fault(const machiavel_engine *engine, const void *rules) noexcept nogil:
    """Whether this thread has met a fault of the game's own code; who asks raises `Engine.fault_error`."""
    return engine.fault is not NULL and engine.fault(rules) != 0
