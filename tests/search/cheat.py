"""An engine that cheats: its worlds are the truth."""

import copy
import ctypes
import json
from typing import Any

from machiavel.engines import Engine, Game, State, View
from machiavel.engines.conformance.engine_struct import Contract, capsule_of, contract_of
from machiavel.search import Limits, SearchParameters, recommend, unseen_map

QUICK = Limits(iterations=200)


class Cheat:
    """An engine that is honest but for `determinize`, which fills the holes of a view with what truly is there."""

    def __init__(self, plugin: Engine) -> None:
        self.contract = Contract.from_buffer_copy(contract_of(plugin))
        field = type(self.contract.determinize)
        pointers = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        self.truth = b""
        self.callback = pointers(self.determinize)
        self.contract.determinize = ctypes.cast(self.callback, field)
        self.capsule = capsule_of(self.contract)
        double: Any = copy.copy(plugin)
        double.__class__ = type("Double", (type(plugin),), {"capsule": self.capsule})
        vars(double).pop("capsule", None)
        self.game = Game(double)

    def determinize(self, rules: int, view: int, rng: int, world: int) -> None:
        ctypes.memmove(world, self.truth, self.contract.state_size)

    def view(self, state: State, seat: int) -> View:
        self.truth = state.to_bytes()
        rules = self.game.make_rules(**state.rules.options)
        return self.game.view_from_bytes(rules, state.view(seat).to_bytes())

    def unseen(self, state: State, seat: int, parameters: SearchParameters) -> bytes:
        return json.dumps(unseen_map(self.view(state, seat), parameters.seed).to_json()).encode()

    def advice(self, state: State, seat: int, parameters: SearchParameters) -> bytes:
        view = self.view(state, seat)
        return json.dumps(recommend(view, QUICK, parameters, explain=True).to_json()).encode()
