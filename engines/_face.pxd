from libc.stdint cimport uint32_t

from machiavel.engines.abi cimport machiavel_engine, machiavel_luck, machiavel_outcome


cdef class Game:
    cdef const machiavel_engine *engine
    cdef readonly object plugin
    cdef dict known_rules  # by players and options
    cdef object made  # all rules made here that are still in use

    cdef const void *rules_pointer(self, object rules) except NULL
    cdef int seat_number(self, object rules, object seat) except? -3


cdef class State:
    cdef readonly Game game
    cdef readonly object rules
    cdef const void *rules_pointer
    cdef void *state
    cdef machiavel_luck luck
    cdef machiavel_outcome *laid
    cdef list outcomes
    cdef readonly object seed
    cdef object layout
    cdef list played  # (seat, move)
    cdef bint is_world  # determinized: its past is not known

    cdef void lay(self, list outcomes) except *
    cdef bint has_come_about(self, list outcomes) except -1
    cdef int check_luck(self) except -1


cdef class View:
    cdef readonly Game game
    cdef readonly object rules
    cdef const void *rules_pointer
    cdef readonly object seat
    cdef bytes view
