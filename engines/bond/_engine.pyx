"""The bond engine: its chapters put together for the contract, and its bytes as Python numbers."""

from cpython.pycapsule cimport PyCapsule_New
from libc.string cimport memcpy, memset

from machiavel.engines.abi cimport MACHIAVEL_ABI_VERSION, MACHIAVEL_ENGINE_CAPSULE, machiavel_engine
from machiavel.engines.bond cimport _greedy, _play, _results, _views, _worlds
from machiavel.engines.bond._state cimport MAX_MOVES, MOVE_LIMIT, State, View

cdef machiavel_engine ENGINE

memset(&ENGINE, 0, sizeof(ENGINE))
ENGINE.abi_version = MACHIAVEL_ABI_VERSION
ENGINE.struct_size = sizeof(machiavel_engine)
ENGINE.name = b"bond"
ENGINE.rules_version = 1
ENGINE.state_size = sizeof(State)
ENGINE.view_size = sizeof(View)
ENGINE.move_limit = MOVE_LIMIT
ENGINE.max_moves = MAX_MOVES
ENGINE.seats = _play.seats
ENGINE.max_plies = _play.max_plies
ENGINE.deal = _play.deal
ENGINE.to_move = _play.to_move
ENGINE.legal_moves = _play.legal_moves
ENGINE.apply = _play.apply
ENGINE.utilities = _results.utilities
ENGINE.view = _views.view
ENGINE.determinize = _worlds.determinize
ENGINE.view_key = _views.view_key
ENGINE.weights = _greedy.weights
ENGINE.metrics = _results.metrics
ENGINE.playout = _play.playout
ENGINE.private_observation = _views.private_observation
ENGINE.evaluate = _results.evaluate

capsule = PyCapsule_New(&ENGINE, MACHIAVEL_ENGINE_CAPSULE, NULL)


def state_fields(bytes state) -> dict:
    """The fields of a state, by name; `table` holds the public ones, all but the statistics are private."""
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
