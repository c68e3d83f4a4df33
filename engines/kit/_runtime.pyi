from collections.abc import Callable, Mapping
from typing import Any, Self

from machiavel.engines.kit.fault_record import FaultRecord
from machiavel.engines.kit.game_description import GameDescription
from machiavel.engines.kit.layout import StateLayout

class Runtime:
    capsule: object
    def __new__(cls, game: GameDescription, layout: StateLayout) -> Self: ...
    def make_rules(
        self,
        players: int,
        layout: StateLayout,
        *,
        functions: Mapping[str, int] | None = None,
        interpreted: Callable[[], Any] | None = None,
        keep: object = None,
    ) -> object: ...
    def samplers_used(self) -> dict[str, int]: ...
    def take_fault(self) -> FaultRecord | None: ...
    def repeat(self, capsule: object, record: FaultRecord, game: Any) -> None: ...
