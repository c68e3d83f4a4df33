"""The agency engine: its chapters put together for the contract, and its bytes as Python numbers."""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.string cimport memcpy, memset

from machiavel.engines.abi cimport (
    MACHIAVEL_ABI_VERSION,
    MACHIAVEL_ENGINE_CAPSULE,
    MACHIAVEL_HAS_HORIZON,
    MACHIAVEL_RULES_CAPSULE,
    machiavel_engine,
)
from machiavel.engines.agency cimport _greedy, _play, _results, _views, _worlds
from machiavel.engines.agency._state cimport MOVE_LIMIT, Rules, State, View

cdef machiavel_engine ENGINE

memset(&ENGINE, 0, sizeof(ENGINE))
ENGINE.abi_version = MACHIAVEL_ABI_VERSION
ENGINE.struct_size = sizeof(machiavel_engine)
ENGINE.name = b"agency"
ENGINE.rules_version = 1
ENGINE.flags = MACHIAVEL_HAS_HORIZON
ENGINE.state_size = sizeof(State)
ENGINE.view_size = sizeof(View)
ENGINE.move_limit = MOVE_LIMIT
ENGINE.max_moves = 6
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
ENGINE.seats_to_move = _play.seats_to_move
ENGINE.weights = _greedy.weights
ENGINE.likelihood = _greedy.likelihood
ENGINE.metrics = _results.metrics
ENGINE.playout = _play.playout
ENGINE.private_observation = _views.private_observation

capsule = PyCapsule_New(&ENGINE, MACHIAVEL_ENGINE_CAPSULE, NULL)


def state_fields(bytes state) -> dict:
    """The fields of a state, by name; `table` holds the public ones, all others are private."""
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


def trick_so_far(rules, int accomplice, list cards) -> tuple:
    """Of the cards of a trick in the order played: which is best, how strong it is, and the colour led."""
    cdef const Rules *tables = <const Rules *> PyCapsule_GetPointer(rules, MACHIAVEL_RULES_CAPSULE)
    cdef int led = tables.colour[<int> cards[0]] if cards else 0
    strengths = [tables.strength[accomplice][led][<int> played] for played in cards]
    if not cards:
        return 0, 0, 0
    return strengths.index(max(strengths)), max(strengths), led
