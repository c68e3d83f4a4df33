from collections.abc import Iterable, Sequence

from machiavel.engines.citadel.house import House

def make(players: int, characters: Sequence[int] | None, house: House, tiles: Iterable[int]) -> object: ...
