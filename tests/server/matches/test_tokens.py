"""What is drawn for a match."""

from machiavel.server.matches.tokens import draw_name, is_name


def test_no_name_of_a_match_begins_as_a_flag_of_a_command_does() -> None:
    drawn = {draw_name(lambda length, first=first: bytes([first]) + bytes(length - 1)) for first in range(256)}
    assert all(is_name(name) for name in drawn)
    assert len({name[0] for name in drawn}) == 63
    assert not [name for name in drawn if name.startswith("-")]
