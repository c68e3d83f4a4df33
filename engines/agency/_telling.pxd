from machiavel.engines.abi cimport machiavel_rng
from machiavel.engines.agency._state cimport Rules, State, View

cdef bint tell_hands(const Rules *rules, const View *view, machiavel_rng *rng, State *world) noexcept nogil
