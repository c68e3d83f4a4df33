"""Logs of events, whose copies share what they have in common."""

import pytest

from machiavel.server.matches.match_events import EventLog
from machiavel.server.storage import Event


def event(number: int) -> Event:
    return Event(number, number, "{}")


def log_of(count: int) -> EventLog:
    result = EventLog()
    for number in range(1, count + 1):
        result.append(event(number))
    return result


def test_a_copy_goes_its_own_way_whichever_of_the_two_goes_on_first() -> None:
    log = log_of(3)
    first, second = log.copy(), log.copy()
    first.append(event(10))
    second.append(event(20))
    log.append(event(30))

    assert [one.seq for one in first] == [1, 2, 3, 10]
    assert [one.seq for one in second] == [1, 2, 3, 20]
    assert [one.seq for one in log] == [1, 2, 3, 30]


def test_a_log_is_read_as_a_list_is() -> None:
    log, events = log_of(5), [event(number) for number in range(1, 6)]
    longer = log.copy()
    longer.append(event(6))  # which the log shares, and must not show

    assert list(log) == events
    assert (list(reversed(log)), log[3:], log[:-2], log[-1]) == (events[::-1], events[3:], events[:-2], events[-1])
    assert len(log) == 5
    with pytest.raises(IndexError):
        log[5]
