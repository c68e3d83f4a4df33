"""Who comes to the door: looked at before anything is done for it, and of a crowd its own oldest go."""

import asyncio
import socket
from contextlib import ExitStack

import pytest

from machiavel.server.web.newcomers import Newcomer, Newcomers


def pair(stack: ExitStack) -> tuple[socket.socket, socket.socket]:
    one, other = socket.socketpair()
    return stack.enter_context(one), stack.enter_context(other)


def test_what_it_says_first_is_looked_at_and_still_there_to_be_read() -> None:
    async def scenario() -> None:
        with ExitStack() as stack:
            here, there = pair(stack)
            newcomer, heard = Newcomer(here, "192.0.2.7", 7), asyncio.Event()
            newcomer.hear(lambda _: heard.set())
            await asyncio.sleep(0)
            assert not heard.is_set()
            said = b"POST /x HTTP/1.1\r\nHost: a\r\nAuthorization:  Bearer abc \r\n\r\nbody: no header"
            there.sendall(said)
            await heard.wait()
            assert newcomer.headers() == {"host": "a", "authorization": "Bearer abc"}
            assert here.recv(1000) == said

    asyncio.run(scenario())


@pytest.mark.parametrize("said", [b"", b"\xff\x00\x01"])
def test_who_is_gone_or_says_what_is_no_http_has_no_headers(said: bytes) -> None:
    async def scenario() -> None:
        with ExitStack() as stack:
            here, there = pair(stack)
            newcomer, heard = Newcomer(here, "192.0.2.7", 7), asyncio.Event()
            newcomer.hear(lambda _: heard.set())
            there.sendall(said)
            there.close()
            await heard.wait()
            assert newcomer.headers() == {}

    asyncio.run(scenario())


def test_of_too_many_the_oldest_of_whoever_has_most_goes() -> None:
    async def scenario() -> None:
        with ExitStack() as stack:
            newcomers = Newcomers(lambda: 10)
            polite = Newcomer(pair(stack)[0], "192.0.2.7", 7)
            polite.owner = "polite"
            newcomers.add(polite)
            crowd = [Newcomer(pair(stack)[0], "192.0.2.7", number) for number in range(30)]
            for newcomer in crowd:
                newcomer.hear(lambda _: None)
                newcomers.add(newcomer)
            assert polite in newcomers
            assert [one in newcomers for one in crowd] == [False] * 21 + [True] * 9
            assert all(one.socket.fileno() < 0 for one in crowd[:21])
            newcomers.end_all()
            assert len(newcomers) == 0

    asyncio.run(scenario())
