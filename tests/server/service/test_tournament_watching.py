"""Who watches a tournament gets the same message as all others, and costs nothing while nothing happens."""

import asyncio
from typing import Any, cast
from unittest.mock import patch

from machiavel.server.clock import SYSTEM_CLOCK
from machiavel.server.service.shared_answers import SharedAnswer
from machiavel.server.service.tournament_watching import LOOK, TournamentStream, TournamentWatching
from machiavel.server.tournaments.tournament_entry import PLAYED, RUNNING, TournamentEntry

STREAMS = 200


class Played:
    """A tournament, as far as it is watched."""

    def __init__(self) -> None:
        self.name, self.version, self.state = "t", 0, RUNNING


def test_all_who_watch_share_one_message_of_each_version_and_nobody_wakes_between() -> None:
    entry, made, answers = Played(), list[int](), list[SharedAnswer]()

    def make(one: TournamentEntry) -> Any:
        made.append(one.version)
        return object()

    async def watch(watching: TournamentWatching) -> None:
        with watching.stream(cast("TournamentEntry", entry), LOOK) as stream:
            while True:
                if stream.has_news:
                    answers.append(stream.answer())
                    if stream.is_over:
                        return
                await stream.news()

    async def main() -> None:
        watching = TournamentWatching(make, lambda _: True, SYSTEM_CLOCK)
        tasks = [asyncio.create_task(watch(watching)) for _ in range(STREAMS)]
        await asyncio.sleep(0)
        assert (made, len(answers), len(set(map(id, answers)))) == ([0], STREAMS, 1)
        with patch.object(TournamentStream, "wake", autospec=True) as wake:
            await asyncio.sleep(4 * LOOK)
            assert not wake.called
        entry.version, entry.state = 1, PLAYED
        await asyncio.gather(*tasks)
        assert (made, len(answers), len(set(map(id, answers)))) == ([0, 1], 2 * STREAMS, 2)
        assert (watching.watched, watching.looking) == ({}, None)

    asyncio.run(asyncio.wait_for(main(), 60))


def test_a_stream_has_news_no_more_often_than_it_wants_and_is_woken_when_the_tournament_is_gone() -> None:
    entry, kept = Played(), [True]

    async def main() -> None:
        watching = TournamentWatching(lambda _: object(), lambda _: kept[0], SYSTEM_CLOCK)
        with watching.stream(cast("TournamentEntry", entry), 3600) as stream:
            stream.answer()
            entry.version = 1
            news = asyncio.create_task(stream.news())
            await asyncio.sleep(4 * LOOK)
            assert not news.done()
            kept[0] = False
            await news

    asyncio.run(asyncio.wait_for(main(), 60))
