from libc.stdint cimport uint32_t, uint64_t

from machiavel.engines._texts cimport Texts
from machiavel.engines.abi cimport machiavel_engine, machiavel_luck, machiavel_move, machiavel_outcome


cdef class Game:
    cdef const machiavel_engine *engine
    cdef object _plugin
    cdef dict known_rules  # by players and options
    cdef object made  # all rules made here that are still in use, with their texts

    cdef const void *rules_pointer(self, object rules) except NULL
    cdef Texts texts_of(self, object rules)
    cdef int seat_number(self, object rules, object seat) except? -3


cdef class State:
    cdef Game _game
    cdef object _rules
    cdef const void *rules_pointer
    cdef Texts texts
    cdef void *state
    cdef machiavel_luck luck
    cdef machiavel_outcome *laid
    cdef list outcomes
    cdef object _seed
    cdef object layout
    cdef list played  # (seat, move)
    cdef bint is_world  # determinized: its past is not known

    cdef void lay(self, list outcomes) except *
    cdef bint has_come_about(self, list outcomes) except -1
    cdef void try_moves(self) noexcept
    cdef void play_out(self, uint64_t chance) noexcept
    cdef int check_fault(self) except -1
    cdef int check_luck(self) except -1
    cdef uint32_t asked_moves(self, object seat, machiavel_move *moves) except? 0
    cdef str seen_move(self, int number, object seat)


cdef class View:
    cdef Game _game
    cdef object _rules
    cdef const void *rules_pointer
    cdef object _seat
    cdef bytes view
