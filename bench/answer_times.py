"""Whether a bot's answer time tells what it holds: `python -m bench.answer_times`, against a server of its own on loopback.

Bots play hosted matches, and a spectator notes when each answer is shown and when the server wrote it down. Once a match is
over, its record tells who had a choice: a Doubler to foil with or none, several cards that follow or one. For each of these
questions the times of those who had a choice and of those who had none are compared by the test of Kolmogorov and Smirnov.

A crowded server is slower at some points of a match than at others, for all to see. Play few matches at once, or you measure
that.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from scipy.stats import ks_2samp

from bench.service import serving
from machiavel.clients import AsyncClient, connect_async
from machiavel.engines import State, load
from machiavel.engines.plugin import Rules
from machiavel.server.service import wire

PLAYERS = 3


def agency_of(accomplice: str) -> Rules:
    """One round of agency in which every plan has that accomplice."""
    deck: dict[str, Any] = tomllib.loads(files("machiavel.engines.agency").joinpath("decks/house.toml").read_text("utf-8"))
    plans = [plan | {"accomplice": accomplice} for plan in deck["plans"]]
    return load("agency").make_rules(PLAYERS, deck=deck | {"name": accomplice, "plans": plans}, medals=1, powers=False)


@dataclass
class Question:
    """What is asked, in which game, and the times of those with a choice (True) and without (False)."""

    name: str
    game: str
    rules: Rules
    shown: dict[bool, list[float]] = field(default_factory=lambda: {True: [], False: []})  # seconds, as a spectator saw it
    written: dict[bool, list[float]] = field(default_factory=lambda: {True: [], False: []})  # as the server wrote it down

    def has(self, count: int) -> bool:
        return all(len(times) >= count for times in self.shown.values())

    def samples(self, state: State, moves: Sequence[str]) -> Iterator[tuple[int, bool]]:
        """By number the moves that answered this question as the first who was asked, and whether there was a choice."""
        before = ""
        for number, move in enumerate(moves):
            if number and self.asks(before, move):
                yield number, len(state.legal_moves()) > 1
            state.play(move)
            before = move

    def asks(self, before: str, move: str) -> bool:
        if self.game == "bond":
            return before.startswith("taunt:")
        if self.name == "agency, to pass":
            return move.startswith("pass:") and not before.startswith("pass:")
        return True


def questions() -> list[Question]:
    return [
        Question("bond, to foil", "bond", load("bond").make_rules(PLAYERS)),
        Question("agency, to follow suit", "agency", agency_of("follow_suit")),
        Question("agency, to pass", "agency", agency_of("pass_left")),
        Question("whist, to follow suit", "whist", load("whist").make_rules(PLAYERS)),
    ]


async def watch_one(service: AsyncClient, question: Question, arguments: argparse.Namespace) -> None:
    """One match from the deal on; its times are added to those of the question."""
    options = wire.options_message(question.rules.options, question.game)
    host = await service.create_match(
        question.game, [arguments.bot] * PLAYERS, options=options, think=arguments.think, spectators=True, timeout=60
    )
    answers = service.table(host.match).watch(after=0)
    seen = [(time.perf_counter(), answer.event) async for answer in answers if answer.event.HasField("move")]
    record = (await host.record(timeout=60)).record
    moves = list(record.moves)
    state = load(question.game).deal(question.rules, seed=int(record.seed))
    for number, has_choice in question.samples(state, moves):
        (before, asked), (shown, answered) = seen[number - 1], seen[number]
        question.shown[has_choice].append(shown - before)
        question.written[has_choice].append((answered.time.ToNanoseconds() - asked.time.ToNanoseconds()) / 1e9)
    await host.delete(timeout=60)


async def ask(address: str, question: Question, arguments: argparse.Namespace) -> None:
    """Match after match, so many at once, until there are enough of both."""
    async with connect_async(address) as service:

        async def go_on() -> None:
            while not question.has(arguments.count):
                await watch_one(service, question, arguments)

        await asyncio.gather(*(go_on() for _ in range(arguments.at_once)))


def report(question: Question, count: int) -> float:
    """A row for each clock; the smaller p."""
    least = 1.0
    for clock, times in (("shown", question.shown), ("written", question.written)):
        # Out of all of them, so that other work of the machine meanwhile falls on both alike.
        choice, none = (random.Random(count).sample(times[has_choice], count) for has_choice in (True, False))
        found = ks_2samp(choice, none)
        least = min(least, float(found.pvalue))
        means = " | ".join(
            f"{1000 * statistics.fmean(one):.2f} ± {1000 * statistics.stdev(one):.2f} ms" for one in (choice, none)
        )
        print(
            f"| {question.name} | {clock} | {means} | {len(choice)} + {len(none)} | {found.statistic:.3f} | {found.pvalue:.3f} |",
            flush=True,
        )
    return least


async def run(arguments: argparse.Namespace) -> int:
    asked = [question for question in questions() if not arguments.only or question.name.startswith(tuple(arguments.only))]
    print("| question | clock | with a choice | without | answers | distance | p |\n|---|---|--:|--:|--:|--:|--:|")
    least = 1.0
    with tempfile.TemporaryDirectory() as folder:
        async with serving("--storage", f"sqlite:///{Path(folder) / 'matches.sqlite'}") as address:
            for question in asked:
                await ask(address, question, arguments)
                least = min(least, report(question, arguments.count))
    # As many tests as there are rows: one of them may well be below 0.05 by chance.
    verdict = least * 2 * len(asked) > arguments.level
    print(
        f"\n{'no difference was found' if verdict else 'a difference was found'} (least p {least:.3f}, of {2 * len(asked)} tests)"
    )
    return int(not verdict)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="answers with a choice, and as many without (500)")
    parser.add_argument("--bot", default="level2", help="who plays (level2)")
    parser.add_argument("--think", type=float, default=0.1, help="how long each bot takes, in seconds (0.1)")
    parser.add_argument("--at-once", type=int, default=6, help="matches at once (6)")
    parser.add_argument("--level", type=float, default=0.01, help="the chance of finding a difference where there is none (0.01)")
    parser.add_argument("--only", nargs="+", help="questions whose names begin so (all)")
    raise SystemExit(asyncio.run(run(parser.parse_args())))


if __name__ == "__main__":
    main()
