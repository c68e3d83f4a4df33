from machiavel.search._tree cimport Options

cdef Options search_options(parameters, deepest) except *
