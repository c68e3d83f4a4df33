"""The luck of a server: of the system, or in a rehearsal the same each time, whatever else happens meanwhile."""

from machiavel.server.draws import SYSTEM_DRAWS, RehearsalDraws, drawn_number


def test_the_system_never_draws_the_same() -> None:
    first, second = (SYSTEM_DRAWS.of("match", request="one")(16) for _ in range(2))
    assert first != second and len(first) == 16


def test_a_rehearsal_draws_the_same_for_the_same_request_in_any_order() -> None:
    one, other = RehearsalDraws(7), RehearsalDraws(7)
    first = {name: one.of("match", request=name)(40) for name in ("a", "b")}
    second = {name: other.of("match", request=name)(40) for name in ("b", "a")}
    assert first == second and first["a"] != first["b"]
    assert RehearsalDraws(8).of("match", request="a")(40) != first["a"]
    assert one.of("join", request="a")(40) != first["a"]


def test_what_gives_no_request_is_told_apart_by_its_order_among_its_like() -> None:
    one, other = RehearsalDraws(7), RehearsalDraws(7)
    first = [one.of("match", "ann")(8) for _ in range(2)]
    other.of("match", "bea")
    assert [other.of("match", "ann")(8) for _ in range(2)] == first
    assert first[0] != first[1]


def test_draws_go_on_and_numbers_keep_to_their_bits() -> None:
    draw = RehearsalDraws(7).of("match", request="a")
    assert len({draw(16) for _ in range(100)}) == 100
    numbers = [drawn_number(draw, 63) for _ in range(200)]
    assert max(numbers) < 1 << 63 and max(numbers) >= 1 << 62
    assert drawn_number(bytes, 128) == 0
