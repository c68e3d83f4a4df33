"""The checks an engine must pass before anything of it is called."""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid
from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc
from libc.string cimport memcpy

from machiavel.engines.abi cimport (
    MACHIAVEL_ABI_VERSION,
    MACHIAVEL_ENGINE_CAPSULE,
    MACHIAVEL_MAX_MOVES,
    MACHIAVEL_MAX_SEATS,
    machiavel_engine,
)

from machiavel.engines.errors import IncompatibleEngine

cdef extern from *:
    """
    enum { MACHIAVEL_WITHOUT_FAULT = offsetof(machiavel_engine, fault) };
    """
    const uint32_t WITHOUT_FAULT "MACHIAVEL_WITHOUT_FAULT"  # the size of the struct before `fault` was added


cdef const machiavel_engine *checked_engine(plugin) except NULL:
    """The engine of a plugin, if it fulfils the contract; one of an older, shorter struct is copied into a whole one."""
    cdef machiavel_engine *whole
    name = getattr(plugin, "name", "?")
    if not PyCapsule_IsValid(plugin.capsule, MACHIAVEL_ENGINE_CAPSULE):
        raise IncompatibleEngine(name, f"its capsule is not named {MACHIAVEL_ENGINE_CAPSULE.decode()!r}")
    cdef const machiavel_engine *engine = <const machiavel_engine *> PyCapsule_GetPointer(
        plugin.capsule, MACHIAVEL_ENGINE_CAPSULE
    )
    if engine.abi_version != MACHIAVEL_ABI_VERSION or engine.struct_size not in (WITHOUT_FAULT, sizeof(machiavel_engine)):
        raise IncompatibleEngine(
            name,
            f"it was built for contract {engine.abi_version} of {engine.struct_size} bytes, "
            f"this is contract {MACHIAVEL_ABI_VERSION} of {sizeof(machiavel_engine)} bytes; build it again",
        )
    if engine.name is NULL:
        raise IncompatibleEngine(name, "its engine has no name")
    if (<bytes> engine.name).decode() != name:
        raise IncompatibleEngine(name, f"its engine is named {(<bytes> engine.name).decode()!r}")
    if not 0 < engine.state_size <= 65536 or not 0 < engine.view_size <= 65536:
        raise IncompatibleEngine(name, f"states of {engine.state_size} and views of {engine.view_size} bytes; most: 65536")
    if not 0 < engine.max_moves <= MACHIAVEL_MAX_MOVES or not 0 < engine.move_limit <= 65536:
        raise IncompatibleEngine(name, f"{engine.max_moves} moves a position; most: {MACHIAVEL_MAX_MOVES}")
    if max(plugin.players) > MACHIAVEL_MAX_SEATS:
        raise IncompatibleEngine(name, f"{max(plugin.players)} players; most: {MACHIAVEL_MAX_SEATS}")
    if (
        engine.seats is NULL or engine.max_plies is NULL or engine.deal is NULL or engine.to_move is NULL
        or engine.legal_moves is NULL or engine.apply is NULL or engine.utilities is NULL or engine.view is NULL
        or engine.determinize is NULL or engine.view_key is NULL
    ):
        raise IncompatibleEngine(name, "a required function is missing")
    if engine.struct_size == sizeof(machiavel_engine):
        return engine
    whole = <machiavel_engine *> calloc(1, sizeof(machiavel_engine))  # lives on, as engines do
    if whole is NULL:
        raise MemoryError
    memcpy(whole, engine, engine.struct_size)
    whole.struct_size = sizeof(machiavel_engine)
    return whole
