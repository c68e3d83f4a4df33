from machiavel.engines.abi cimport machiavel_engine

cdef const machiavel_engine *checked_engine(plugin) except NULL
