"""What a match counts for its statistics tells no secret."""

import random

from machiavel.engines.bond import _engine
from tests.engines.bond.distribution import engine_state
from tests.engines.bond.secrecy import STATISTICS, twin_pairs
from tests.twins.bond_sampler import hidden_pair


def test_statistics_tell_no_secret() -> None:
    """They are public: the same in every match that a spectator cannot tell from this one."""
    for match, other, _ in twin_pairs(12):
        for one, same in ((match, other), (match, hidden_pair(match, None, random.Random(1)))):
            fields = [_engine.state_fields(engine_state(which).to_bytes()) for which in (one, same)]
            assert [fields[0][name] for name in STATISTICS] == [fields[1][name] for name in STATISTICS]
