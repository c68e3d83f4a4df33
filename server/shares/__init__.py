"""What callers share: how much of a thing each may have, and whose turn it is. Knows neither gRPC nor matches."""

from machiavel.server.shares.caller_limits import DEFAULT, LIMITS, BadLimits, CallerLimits
from machiavel.server.shares.fair_queue import FairQueue, QueueClosed, QueuePlace
from machiavel.server.shares.over_share import OverShare
from machiavel.server.shares.share_registry import Shares, Usage
from machiavel.server.shares.shared_resource import SharedResource

__all__ = [
    "DEFAULT",
    "LIMITS",
    "BadLimits",
    "CallerLimits",
    "FairQueue",
    "OverShare",
    "QueueClosed",
    "QueuePlace",
    "SharedResource",
    "Shares",
    "Usage",
]
