from machiavel.search._tree cimport Options

cdef Options search_options(game, rules, parameters, deepest) except *
