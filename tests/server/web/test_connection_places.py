"""When there are too many connections, those of whoever has most give way, whatever address they come from."""

from machiavel.server.web.connection_places import ConnectionPlaces

ADDRESS = "192.0.2.7"


class NamedConnection:
    asks = False

    def __init__(self, places: ConnectionPlaces, owner: str = "") -> None:
        self.owner = ADDRESS
        self.has_given_way = False
        self.is_in = places.add(self)
        if self.is_in:
            places.rest(self)
            if owner:
                places.own(self, owner)

    def give_way(self) -> None:
        self.has_given_way = True


def test_who_has_few_keeps_them_beside_who_has_many_from_the_same_address() -> None:
    places = ConnectionPlaces(lambda: 40)
    polite = [NamedConnection(places, "polite") for _ in range(2)]
    greedy = [NamedConnection(places, f"greedy {number % 2}") for number in range(200)]
    assert not any(one.has_given_way for one in polite)
    assert sum(not one.has_given_way for one in greedy) == 38
    assert len(places.known) == 40


def test_the_one_that_has_rested_longest_gives_way_and_none_that_is_worked_at() -> None:
    places = ConnectionPlaces(lambda: 3)
    first, second, third = (NamedConnection(places, "one") for _ in range(3))
    places.stir(first)
    assert NamedConnection(places, "other").is_in
    assert (first.has_given_way, second.has_given_way, third.has_given_way) == (False, True, False)


def test_where_all_are_worked_at_nobody_comes_in_and_nothing_is_left_of_who_goes() -> None:
    places = ConnectionPlaces(lambda: 2)
    busy = [NamedConnection(places, "one") for _ in range(2)]
    for one in busy:
        places.stir(one)
    late = NamedConnection(places, "other")
    assert not late.is_in
    for one in (*busy, late):
        places.rest(one)
        places.remove(one)
        places.remove(one)
        places.rest(one)
    assert (places.known, places.owned, places.resting) == (set(), {}, {})
