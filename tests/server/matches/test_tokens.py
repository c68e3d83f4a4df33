"""What is drawn for a match."""

from functools import partial

from machiavel.server.matches.tokens import draw_name, is_name, read_code


def beginning(first: int, length: int) -> bytes:
    return bytes([first]) + bytes(length - 1)


def test_no_name_of_a_match_begins_as_a_flag_of_a_command_does() -> None:
    drawn = [draw_name(partial(beginning, first)) for first in range(256)]
    assert all(is_name(name) for name in drawn)
    assert len({name[0] for name in drawn}) == 63
    assert not [name for name in drawn if name.startswith("-")]


def test_a_code_is_read_the_same_however_often_it_is_read() -> None:
    assert read_code("abcd-efgh io") == "ABCDEFGH10"
    for typed in (
        "\N{LATIN SMALL LETTER N PRECEDED BY APOSTROPHE}" * 80,
        "\N{LATIN SMALL LETTER SHARP S}" * 64,
        " - " * 70 + "A",
    ):
        assert read_code(read_code(typed)) == read_code(typed)
        assert len(read_code(typed)) <= 64
