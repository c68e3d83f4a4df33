"""The citadel engine: its chapters put together for the contract, and its bytes as Python numbers."""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.string cimport memcpy, memset

from machiavel.engines.abi cimport (
    MACHIAVEL_ABI_VERSION,
    MACHIAVEL_COOPERATIVE,
    MACHIAVEL_ENGINE_CAPSULE,
    MACHIAVEL_MAX_MOVES,
    MACHIAVEL_RULES_CAPSULE,
    machiavel_engine,
)
from machiavel.engines.citadel cimport _greedy, _outlook, _play, _results, _views
from machiavel.engines.citadel._state cimport MOVE_LIMIT, State, View

cdef machiavel_engine ENGINE

memset(&ENGINE, 0, sizeof(ENGINE))
ENGINE.abi_version = MACHIAVEL_ABI_VERSION
ENGINE.struct_size = sizeof(machiavel_engine)
ENGINE.name = b"citadel"
ENGINE.rules_version = 1
ENGINE.flags = MACHIAVEL_COOPERATIVE
ENGINE.state_size = sizeof(State)
ENGINE.view_size = sizeof(View)
ENGINE.move_limit = MOVE_LIMIT
# Two cards and a bonus of at most 5 × 8 choices each, an ability of as many, 8 acts of the player's own, `end`.
ENGINE.max_moves = 169
ENGINE.seats = _play.seats
ENGINE.max_plies = _play.max_plies
ENGINE.deal = _play.deal
ENGINE.to_move = _play.to_move
ENGINE.legal_moves = _play.legal_moves
ENGINE.apply = _play.apply
ENGINE.utilities = _results.utilities
ENGINE.view = _views.view
ENGINE.determinize = _views.determinize
ENGINE.view_key = _views.view_key
ENGINE.weights = _greedy.weights
ENGINE.metrics = _results.metrics
ENGINE.evaluate = _outlook.evaluate
ENGINE.playout = _play.playout

capsule = PyCapsule_New(&ENGINE, MACHIAVEL_ENGINE_CAPSULE, NULL)


def state_fields(bytes state) -> dict:
    """The fields of a state, by name; `table` holds all but the statistics."""
    if len(state) != sizeof(State):
        raise ValueError(f"a state has {sizeof(State)} bytes, not {len(state)}")
    cdef State fields
    memcpy(&fields, <const char *> state, sizeof(State))
    return fields


def view_fields(bytes view) -> dict:
    """The fields of a view, by name."""
    if len(view) != sizeof(View):
        raise ValueError(f"a view has {sizeof(View)} bytes, not {len(view)}")
    cdef View fields
    memcpy(&fields, <const char *> view, sizeof(View))
    return fields


def view_bytes(dict fields) -> bytes:
    """The bytes of a view with all these fields."""
    cdef View view = fields
    return (<const char *> &view)[:sizeof(View)]


def empty_view() -> bytes:
    return bytes(sizeof(View))


def moves_of(rules, bytes view) -> list:
    """The legal moves of a view in which somebody is asked, as numbers; maybe none where it contradicts the rules."""
    if len(view) != sizeof(View):
        raise ValueError(f"a view has {sizeof(View)} bytes, not {len(view)}")
    cdef View seen
    cdef State world
    cdef unsigned short moves[MACHIAVEL_MAX_MOVES]
    cdef const void *tables = PyCapsule_GetPointer(rules, MACHIAVEL_RULES_CAPSULE)
    memcpy(&seen, <const char *> view, sizeof(View))
    _views.determinize(tables, &seen, NULL, &world)
    cdef unsigned int i, count = _play.legal_moves(tables, &world, world.table.mover, moves)
    return [moves[i] for i in range(count)]
