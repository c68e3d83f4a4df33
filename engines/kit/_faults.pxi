# What happens where an author's function goes wrong: the first fault of a thread is kept, and the state leads nowhere.

cdef extern from "fault_slot.h" nogil:
    enum:
        KIT_KEPT_BYTES
        KIT_KEPT_LAID

    ctypedef struct kit_fault:
        uint64_t rules
        int64_t a
        int64_t b
        uint64_t seed[2]
        uint64_t rng
        int32_t kind
        int32_t line
        int32_t function
        int32_t move
        int32_t seat
        uint32_t flags
        uint32_t size
        uint32_t laid_count
        uint32_t laid_size
        uint32_t is_whole
        uint8_t bytes[8192]
        uint8_t laid[4096]

    kit_fault *kit_fault_slot() noexcept

cdef enum:  # functions that a fault is met in
    IN_DEAL
    IN_LEGAL
    IN_APPLY
    IN_RESULT
    IN_ESTIMATE
    IN_MEASURE
    IN_WEIGH
    IN_DETERMINIZE
    IN_POSSIBLE

FUNCTIONS = ("deal", "legal", "apply", "result", "estimate", "measure", "weigh", "determinize", "possible")


cdef struct Where:  # a call, as it is repeated
    int function
    int move
    int seat
    const uint8_t *bytes
    uint32_t size
    const machiavel_luck *luck
    uint64_t rng


cdef inline Where at_state(const Rules *rules, int function, const uint8_t *state, int move, int seat,
                           const machiavel_luck *luck) noexcept nogil:
    cdef Where where
    where.function = function
    where.move = move
    where.seat = seat
    where.bytes = state
    where.size = rules.state_size
    where.luck = luck
    where.rng = 0
    return where


cdef void keep_fault(const Rules *rules, const kit_call *call, const Where *where) noexcept nogil:
    """Unless the thread met one under these rules before, or the caller's luck was no luck, which is another's error."""
    cdef kit_fault *kept = kit_fault_slot()
    if kept.rules == rules.number or (where.luck is not NULL and where.luck.failed):
        return
    memset(kept, 0, sizeof(kit_fault))
    kept.rules = rules.number
    kept.kind = call.fault
    kept.line = call.line
    kept.a = call.a
    kept.b = call.b
    kept.function = where.function
    kept.move = where.move
    kept.seat = where.seat
    kept.rng = where.rng
    kept.is_whole = True
    kept.size = min(where.size, <uint32_t> KIT_KEPT_BYTES)
    if where.bytes is not NULL:
        memcpy(kept.bytes, where.bytes, kept.size)
    if where.luck is not NULL:
        keep_luck(kept, where.luck)


cdef void keep_luck(kit_fault *kept, const machiavel_luck *luck) noexcept nogil:
    cdef uint32_t i
    cdef uint32_t[3] head
    kept.seed[0] = luck.seed[0]
    kept.seed[1] = luck.seed[1]
    kept.flags = luck.flags
    for i in range(luck.laid_count):
        head[0] = luck.laid[i].purpose
        head[1] = luck.laid[i].counter
        head[2] = luck.laid[i].count
        if kept.laid_size + sizeof(head) + head[2] > KIT_KEPT_LAID:
            kept.is_whole = False
            return
        memcpy(kept.laid + kept.laid_size, head, sizeof(head))
        memcpy(kept.laid + kept.laid_size + sizeof(head), luck.laid[i].values, head[2])
        kept.laid_size += <uint32_t> sizeof(head) + head[2]
        kept.laid_count += 1


cdef inline void set_fault(kit_call *call, int kind, int64_t a, int64_t b) noexcept nogil:
    if call.fault == KIT_FINE:
        call.fault = kind
        call.a = a
        call.b = b


cdef inline void set_faulted(uint8_t *state) noexcept nogil:
    """From here on nobody is to move, and all seats have the same."""
    state[<int> KIT_MOVER] = <uint8_t> FAULTED
    state[<int> KIT_ASKED] = 0
    state[<int> KIT_FLAGS] = 0


cdef uint32_t fault(const void *rules) noexcept nogil:
    return kit_fault_slot().rules == (<const Rules *> rules).number
