"""What is drawn for a match."""

from functools import partial

from machiavel.server.matches.tokens import draw_name, is_name


def beginning(first: int, length: int) -> bytes:
    return bytes([first]) + bytes(length - 1)


def test_no_name_of_a_match_begins_as_a_flag_of_a_command_does() -> None:
    drawn = [draw_name(partial(beginning, first)) for first in range(256)]
    assert all(is_name(name) for name in drawn)
    assert len({name[0] for name in drawn}) == 63
    assert not [name for name in drawn if name.startswith("-")]
