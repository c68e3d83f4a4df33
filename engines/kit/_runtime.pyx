"""What no author writes: views, keys, worlds, luck, results and faults of a declared game, one chapter after the other."""

from cpython.exc cimport PyErr_SetInterrupt
from cpython.pycapsule cimport PyCapsule_GetContext, PyCapsule_GetPointer, PyCapsule_New, PyCapsule_SetContext
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from machiavel.engines._cards cimport card, count_cards, first_card, last_card, nth_card_of_many
from machiavel.engines.abi cimport (
    MACHIAVEL_ABI_VERSION,
    MACHIAVEL_AT_HORIZON,
    MACHIAVEL_COOPERATIVE,
    MACHIAVEL_ENGINE_CAPSULE,
    MACHIAVEL_HAS_HORIZON,
    MACHIAVEL_MAX_MOVES,
    MACHIAVEL_MAX_OUTCOME,
    MACHIAVEL_MAX_SEATS,
    MACHIAVEL_OVER,
    MACHIAVEL_QUICK,
    MACHIAVEL_RULES_CAPSULE,
    MACHIAVEL_SEEDED,
    MACHIAVEL_STOP_AT_HORIZON,
    machiavel_below,
    machiavel_engine,
    machiavel_hash,
    machiavel_luck,
    machiavel_luck_stream,
    machiavel_move,
    machiavel_next,
    machiavel_outcome,
    machiavel_rng,
    machiavel_shuffle,
    machiavel_shuffle_bytes,
)
from machiavel.engines.kit._call cimport (
    KIT_ASKED,
    KIT_BAD_INDEX,
    KIT_BAD_LUCK,
    KIT_BAD_MOVE,
    KIT_BAD_RESULT,
    KIT_BAD_WEIGHT,
    KIT_ENDLESS,
    KIT_FIELDS,
    KIT_FINE,
    KIT_FLAGS,
    KIT_FUEL,
    KIT_MOVES,
    KIT_MOVER,
    KIT_NO_MOVE,
    KIT_NO_WORLD,
    KIT_PLY,
    KIT_RAISED,
    KIT_SAME_MOVE,
    KIT_SEAT,
    KIT_TOO_MANY_MOVES,
    kit_call,
)

from machiavel.engines.kit.fault_kinds import FaultKind
from machiavel.engines.kit.fault_record import FaultRecord
from machiavel.engines.kit.interpreted_faults import fault_of, faulty

include "_table.pxi"
include "_luck.pxi"
include "_faults.pxi"
include "_play.pxi"
include "_results.pxi"
include "_sight.pxi"
include "_worlds.pxi"
include "_counting.pxi"
include "_interpreted.pxi"
include "_repeating.pxi"

cdef extern from *:
    """
    static inline void kit_add_one(uint64_t *number) { __atomic_fetch_add(number, 1, __ATOMIC_RELAXED); }
    static inline uint64_t kit_read(const uint64_t *number) { return __atomic_load_n(number, __ATOMIC_RELAXED); }
    """
    void add_one "kit_add_one"(uint64_t *number) noexcept nogil
    uint64_t read_number "kit_read"(const uint64_t *number) noexcept nogil

cdef uint64_t RULES_MADE = 0


cdef class Runtime:
    """The engine of one game, made of its description. The struct lives as long as its capsule."""

    cdef machiavel_engine *engine
    cdef uint64_t samplers[2]
    cdef object game
    cdef readonly object capsule

    def __cinit__(self, game, layout):
        """`layout` is that of any number of players: states and views are of one size."""
        self.game = game
        cdef bytes name = game.name.encode()
        self.engine = <machiavel_engine *> calloc(1, sizeof(machiavel_engine))
        if self.engine is NULL:
            raise MemoryError
        self.capsule = PyCapsule_New(self.engine, MACHIAVEL_ENGINE_CAPSULE, release_engine)
        Py_INCREF(name)
        PyCapsule_SetContext(self.capsule, <void *> name)
        fill_engine(self.engine, game, layout)
        self.engine.name = name

    def make_rules(self, int players, layout, *, functions=None, interpreted=None, keep=None):
        """A capsule of rules for so many players, whose layout it is.

        `functions` are addresses by name, of code that `keep` keeps alive; without them `interpreted` makes objects that play.
        """
        global RULES_MADE
        cdef Rules *rules = <Rules *> calloc(1, sizeof(Rules))
        cdef list pool = []
        cdef str path = self.game.path
        if rules is NULL:
            raise MemoryError
        try:
            fill_table(rules, self.game, layout, players)
            if (rules.state_size, rules.view_size) != (self.engine.state_size, self.engine.view_size):
                raise ValueError("all numbers of players have states and views of one size")
            if functions is not None:
                fill_functions(rules, functions)
            else:
                fill_interpreted(rules, self.game, pool, interpreted, path)
            RULES_MADE += 1
            rules.number = RULES_MADE
            rules.samplers = self.samplers
            capsule = PyCapsule_New(rules, MACHIAVEL_RULES_CAPSULE, release)
        except BaseException:
            free(rules)
            raise
        kept = (self, functions, interpreted, keep, pool, path)
        Py_INCREF(kept)
        PyCapsule_SetContext(capsule, <void *> kept)
        return capsule

    def samplers_used(self):
        """How many worlds needed more than shuffles: `counted` is exact like these, `chained` nearly so."""
        return {"counted": read_number(&self.samplers[0]), "chained": read_number(&self.samplers[1])}

    def take_fault(self):
        """The first fault that this thread met since last asked, or None; then it is forgotten."""
        cdef kit_fault *kept = kit_fault_slot()
        cdef uint32_t at = 0, _outcome
        cdef uint32_t[3] head
        if kept.rules == 0:
            return None
        laid = []
        for _outcome in range(kept.laid_count):
            memcpy(head, kept.laid + at, sizeof(head))
            at += <uint32_t> sizeof(head)
            laid.append((head[0], head[1], (<const char *> kept.laid)[at:at + head[2]]))
            at += head[2]
        record = FaultRecord(
            kind=kept.kind,
            line=kept.line,
            a=kept.a,
            b=kept.b,
            function=FUNCTIONS[kept.function],
            data=(<const char *> kept.bytes)[:kept.size],
            move=None if kept.move < 0 else kept.move,
            seat=None if kept.function in (IN_DEAL, IN_RESULT, IN_ESTIMATE, IN_MEASURE) else kept.seat,
            seed=kept.seed[0] | <object> kept.seed[1] << 64,
            flags=kept.flags,
            laid=tuple(laid),
            rng=kept.rng,
            is_whole=bool(kept.is_whole),
        )
        kept.rules = 0
        return record

    def repeat(self, capsule, record, game):
        """The call of a FaultRecord once more, by an object that plays interpreted: what it raises comes out as it is."""
        cdef const Rules *rules = <const Rules *> PyCapsule_GetPointer(capsule, MACHIAVEL_RULES_CAPSULE)
        repeat_call(rules, record, game)


cdef void release_engine(object capsule) noexcept:
    name = <object> PyCapsule_GetContext(capsule)
    free(PyCapsule_GetPointer(capsule, MACHIAVEL_ENGINE_CAPSULE))
    Py_DECREF(name)


cdef void release(object capsule) noexcept:
    kept = <object> PyCapsule_GetContext(capsule)
    free(PyCapsule_GetPointer(capsule, MACHIAVEL_RULES_CAPSULE))
    Py_DECREF(kept)


include "_making.pxi"
