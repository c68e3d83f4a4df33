"""Answers while a search goes on leave the event loop to everybody else, and callers take turns at them."""

import asyncio
import time
from collections import Counter
from typing import Any

from machiavel.server.service.answer_pace import AnswerPace

WORK = 0.01  # seconds


def test_however_many_answers_are_wanted_most_of_the_loop_is_left_and_callers_have_as_many_each() -> None:
    made = Counter[str]()

    async def stream(pace: AnswerPace, caller: str, done: "asyncio.Future[Any]") -> None:
        def work() -> bool:
            made[caller] += 1
            time.sleep(WORK)
            return True

        while await pace.make(work, caller, done):
            pass

    async def main() -> None:
        pace, done = AnswerPace(), asyncio.get_running_loop().create_future()
        callers = ["greedy"] * 30 + ["polite"]
        streams = [asyncio.create_task(stream(pace, caller, done)) for caller in callers]
        began = time.monotonic()
        await asyncio.sleep(20 * WORK * 4)
        elapsed = time.monotonic() - began
        assert sum(made.values()) * WORK <= elapsed / 3
        assert made["polite"] >= sum(made.values()) / 3
        done.set_result(None)
        await asyncio.gather(*streams)  # who waits for a turn ends with the search
        await asyncio.sleep(8 * WORK)
        assert (pace.turns.used, pace.turns.waiting) == (0, 0)

    asyncio.run(asyncio.wait_for(main(), 60))


def test_who_is_cancelled_while_waiting_leaves_its_turn_to_others() -> None:
    async def main() -> None:
        pace, done = AnswerPace(), asyncio.get_running_loop().create_future()
        first = await pace.turns.enter("first")
        waiting = asyncio.create_task(pace.make(lambda: True, "second", done))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        first.leave()  # its turn comes with the end of the wait
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert waiting.cancelled()
        assert await pace.make(lambda: "made", "third", done) == "made"

    asyncio.run(asyncio.wait_for(main(), 60))
