"""Who may have one more of a thing."""

import pytest

from machiavel.server.shares import BadLimits, CallerLimits, OverShare, SharedResource, Shares


def filled(resource: SharedResource, caller: str) -> int:
    """How many the caller gets until it is refused."""
    count = 0
    try:
        while True:
            resource.take(caller)
            count += 1
    except OverShare:
        return count


def test_one_caller_alone_gets_all_but_a_small_reserve() -> None:
    assert filled(SharedResource("calls", 1024), "greedy") == 960


def test_the_reserve_is_for_those_who_have_little_and_each_gets_a_part_of_what_is_free() -> None:
    resource = SharedResource("calls", 1024)
    filled(resource, "greedy")

    assert filled(resource, "polite") == 3
    assert filled(resource, "greedy") == 0


def test_each_known_caller_gets_one_however_many_others_came_first() -> None:
    resource = SharedResource("matches", 1000)
    resource.known = 50
    for number in range(49):
        filled(resource, f"greedy {number}")

    assert filled(resource, "polite") >= 1


def test_a_known_caller_gets_half_of_an_equal_share_where_all_others_took_what_they_could() -> None:
    resource = SharedResource("calls", 1024)
    resource.known = 51
    others = [f"greedy {number}" for number in range(50)]
    while any(map(resource.allows, others)):
        for one in filter(resource.allows, others):
            resource.take(one)

    assert filled(resource, "polite") == 10


def test_nobody_gets_more_than_its_own_limit_and_is_told_which_and_how_much() -> None:
    limits = CallerLimits.parse({"bob": {"calls": 3}, "default": {"calls": 5}})
    resource = SharedResource("calls", 100, limits, what="calls under way")

    assert filled(resource, "bob") == 3
    assert filled(resource, "eve") == 5
    with pytest.raises(OverShare) as caught:
        resource.take("bob")
    assert (caught.value.limit, caught.value.most, caught.value.own) == ("callers.bob.calls", 3, 3)
    assert str(caught.value) == "too many calls under way already (at most 3 for you; 3 are yours); try again in 1 s"


def test_what_is_given_back_may_be_taken_again() -> None:
    resource = SharedResource("calls", 20)
    count = filled(resource, "eve")
    resource.give("eve", count)

    assert (resource.used, resource.of("eve"), resource.taken) == (0, 0, {})
    assert filled(resource, "bob") == count


def test_who_has_most_gives_way_to_who_has_less_and_to_nobody_else() -> None:
    def give_way(other: str) -> bool:
        resource.give(other)
        return True

    resource = SharedResource("watchers", 64, give_way=give_way)
    filled(resource, "greedy")
    for _ in range(20):
        resource.take("polite")

    assert resource.of("polite") == 20
    assert 40 <= resource.of("greedy") <= 44
    assert filled(resource, "greedy") == 0


def test_an_amount_is_taken_whole_or_not_at_all() -> None:
    resource = SharedResource("kept", 1600)
    resource.take("eve", 1400)

    with pytest.raises(OverShare):
        resource.take("eve", 150)
    assert (resource.of("eve"), resource.used) == (1400, 1400)


def test_what_was_there_before_counts_even_beyond_the_total() -> None:
    resource = SharedResource("matches", 10)
    resource.put("eve", 12)

    assert not resource.allows("bob")
    resource.give("eve", 8)
    assert resource.allows("bob")


def test_limits_that_are_replaced_hold_for_what_is_taken_from_then_on() -> None:
    limits = CallerLimits()
    resource = SharedResource("calls", 100, limits)
    resource.take("bob", 9)
    limits.replace(CallerLimits.parse({"bob": {"calls": 5}}))

    assert not resource.allows("bob")
    assert resource.of("bob") == 9


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (3, "callers: expected tables [callers.NAME]"),
        ({"bob": 3}, "callers.bob: expected a table [callers.bob] with lines LIMIT = NUMBER"),
        ({"bob": {"cals": 3}}, "callers.bob.cals: is unknown; expected one of calls, watchers, searches"),
        ({"bob": {"calls": -1}}, "callers.bob.calls: is -1; expected a whole number from 0 to 1000000000"),
        ({"bob": {"calls": True}}, "callers.bob.calls: is True; expected a whole number"),
    ],
)
def test_tables_that_cannot_be_are_refused_with_their_place(data: object, message: str) -> None:
    with pytest.raises(BadLimits) as caught:
        CallerLimits.parse(data)
    assert str(caught.value).startswith(message)


def test_the_operator_sees_who_has_what() -> None:
    shares = Shares(known=3)
    shares.resource("calls", 100).take("bob", 2)
    queue = shares.queue("searches", 4, 8)

    usage = shares.usage()

    assert dict(usage["calls"].callers) == {"bob": 2}
    assert (usage["calls"].total, usage["calls"].used) == (100, 2)
    assert usage["searches"].total == queue.places
    assert usage["searches.searches_waiting"].total == 8
    assert shares.resource("calls", 5).total == 100
