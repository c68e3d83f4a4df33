from libc.stdint cimport uint32_t


cdef class Texts:
    cdef object plugin
    cdef dict numbers  # moves by their canonical text
    cdef dict texts  # by move
    cdef dict public_texts
    cdef dict move_labels
    cdef dict public_move_labels
    cdef object metric_names

    cdef str text(self, object rules, uint32_t move)
    cdef str public(self, object rules, uint32_t move)
    cdef dict labels(self, object rules, uint32_t move)
    cdef dict public_labels(self, object rules, uint32_t move)
    cdef tuple metrics(self, object rules)
