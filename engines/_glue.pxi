# What all compiled engines of ours share: the struct of the contract, rules objects, and bytes as Python numbers. An engine
# includes it behind its chapters. They declare Rules, State and View, and name functions as the contract does. What not every
# engine has, the engine fills in after it.

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from machiavel.engines.abi cimport (
    MACHIAVEL_ABI_VERSION,
    MACHIAVEL_ENGINE_CAPSULE,
    MACHIAVEL_RULES_CAPSULE,
    machiavel_engine,
    machiavel_luck,
)


# ---- Rules ----

cdef object new_rules(size_t more=0):
    """A capsule of rules, all of them 0, with so many bytes more behind them."""
    cdef void *rules = calloc(1, sizeof(Rules) + more)
    if rules is NULL:
        raise MemoryError
    return PyCapsule_New(rules, MACHIAVEL_RULES_CAPSULE, release)


cdef void release(object capsule) noexcept:
    free(PyCapsule_GetPointer(capsule, MACHIAVEL_RULES_CAPSULE))


cdef Rules *rules_of(object capsule) except NULL:
    return <Rules *> PyCapsule_GetPointer(capsule, MACHIAVEL_RULES_CAPSULE)


cdef uint32_t seats(const void *rules) noexcept nogil:
    return (<const Rules *> rules).seats


cdef uint32_t max_plies(const void *rules) noexcept nogil:
    return (<const Rules *> rules).max_plies


# ---- The struct ----

cdef machiavel_engine ENGINE

memset(&ENGINE, 0, sizeof(ENGINE))
ENGINE.abi_version = MACHIAVEL_ABI_VERSION
ENGINE.struct_size = sizeof(machiavel_engine)
ENGINE.state_size = sizeof(State)
ENGINE.view_size = sizeof(View)
ENGINE.seats = seats
ENGINE.max_plies = max_plies
ENGINE.deal = deal
ENGINE.to_move = to_move
ENGINE.legal_moves = legal_moves
ENGINE.apply = apply
ENGINE.utilities = utilities
ENGINE.view = view
ENGINE.determinize = determinize
ENGINE.view_key = view_key
ENGINE.weights = weights
ENGINE.metrics = metrics
ENGINE.playout = playout

capsule = PyCapsule_New(&ENGINE, MACHIAVEL_ENGINE_CAPSULE, NULL)


# ---- Bytes ----

def state_fields(bytes state) -> dict:
    """The fields of a state, by name; `table` holds the public ones, all others are private."""
    if len(state) != sizeof(State):
        raise ValueError(f"a state has {sizeof(State)} bytes, not {len(state)}")
    cdef State fields
    memcpy(&fields, <const char *> state, sizeof(State))
    return fields


cdef View view_of(bytes view) except *:
    if len(view) != sizeof(View):
        raise ValueError(f"a view has {sizeof(View)} bytes, not {len(view)}")
    cdef View fields
    memcpy(&fields, <const char *> view, sizeof(View))
    return fields


def view_fields(bytes view) -> dict:
    """The fields of a view, by name."""
    return view_of(view)


def view_bytes(dict fields) -> bytes:
    """The bytes of a view with all these fields."""
    cdef View view = fields
    return (<const char *> &view)[:sizeof(View)]


def empty_view() -> bytes:
    return bytes(sizeof(View))


def empty_state() -> bytes:
    return bytes(sizeof(State))


def played(object rules, dict fields, list moves) -> dict:
    """The fields of a state after these moves, whether they are legal or not; none of them may need luck."""
    cdef State state = fields
    cdef machiavel_luck luck
    memset(&luck, 0, sizeof(luck))
    for move in moves:
        apply(rules_of(rules), &state, move, &luck)
    return state
