from collections.abc import Sequence

def make(
    players: int,
    powers: bool,
    medals: int,
    agents: Sequence[int] | None,
    agent_pool: Sequence[int],
    colours: list[int],
    plans: list[int],
    values: list[int],
    accomplices: list[int],
) -> object: ...
