"""Whether a bot's answer time tells what it holds: `python -m bench.answer_times`, against a server of its own on loopback.

Bots play hosted matches, and a spectator notes when each answer is shown and when the server wrote it down. Once a match is
over, its record tells what was hidden then: a Doubler to foil with or none, several cards that follow or one, high cards to pass
on or low ones. For each of these questions the times of both kinds are compared by the test of Kolmogorov and Smirnov.

A server is a little slower at some points of a match than at others, for all to see, and some kinds are rarer there. So both
samples are drawn to have as many answers of each point: what is left is what everybody knows alike, and the hidden thing alone
differs. With `--unmatched` they are drawn as they come, which shows how much of a difference the points make.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
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


View = dict[str, Any]  # as JSON
Asks = Callable[[str, str], bool]  # whether a move, and the one before it, make this the answer of the first who was asked


@dataclass(frozen=True)
class TimedAnswer:
    """How long it took, in seconds."""

    shown: float  # as a spectator saw it
    written: float  # as the server wrote it down


@dataclass(frozen=True)
class AnswerKind:
    """Two kinds of answerers that nobody else can tell apart."""

    first: str
    second: str
    is_first: Callable[[State], bool]


CHOICE = AnswerKind("a choice", "none", lambda state: len(state.legal_moves()) > 1)
# Whether there is a choice of cards to pass is no secret: everybody has as many. Which cards they are is one.
CARDS = AnswerKind(
    "high cards", "low cards", lambda state: statistics.fmean(int(card[1:]) for card in seen_by_mover(state)["hand"]) > 8
)


def seen_by_mover(state: State) -> View:
    result: View = state.view(state.seat_to_move).to_json()["view"]
    return result


@dataclass
class HiddenQuestion:
    """What is asked, in which game, of which kinds; and by the point of the match the answers of either kind."""

    name: str
    game: str
    rules: Rules
    kind: AnswerKind
    asks: Asks
    point: Callable[[View, int], Hashable]  # of what a spectator sees, and the seat that is asked
    answers: dict[Hashable, dict[bool, list[TimedAnswer]]] = field(
        default_factory=lambda: defaultdict(lambda: {True: [], False: []})
    )

    def has(self, count: int) -> bool:
        return sum(min(map(len, kinds.values())) for kinds in self.answers.values()) >= count

    def samples(self, state: State, moves: Sequence[str]) -> Iterator[tuple[int, Hashable, bool]]:
        """By number the moves that answered this question as the first who was asked, at which point, and of which kind."""
        before = ""
        for number, move in enumerate(moves):
            if number and self.asks(before, move):
                public = state.view(None).to_json()["view"]
                yield number, self.point(public, state.seat_to_move or 0), self.kind.is_first(state)
            state.play(move)
            before = move

    def pairs(self, count: int, draw: random.Random, *, matched: bool) -> list[list[TimedAnswer]]:
        """So many answers of each kind, as many of either from each point."""
        result: dict[bool, list[TimedAnswer]] = {True: [], False: []}
        for kinds in self.answers.values():
            least = min(map(len, kinds.values()))
            for kind, answers in kinds.items():
                result[kind] += draw.sample(answers, least) if matched else answers
        # Out of all of them, so that other work of the machine meanwhile falls on both alike.
        if not matched:
            return [draw.sample(result[kind], count) for kind in (True, False)]
        chosen = draw.sample(range(len(result[True])), count)
        return [[result[kind][number] for number in chosen] for kind in (True, False)]


def questions() -> list[HiddenQuestion]:
    return [
        HiddenQuestion(
            "bond, to foil",
            "bond",
            load("bond").make_rules(PLAYERS),
            CHOICE,
            lambda before, _: before.startswith("taunt:"),
            lambda view, seat: (view["hands"][seat]["others"], len(view["attack"]["taunts"])),
        ),
        HiddenQuestion(
            "agency, to follow suit",
            "agency",
            agency_of("follow_suit"),
            CHOICE,
            lambda *_: True,
            lambda view, _: view["ply"],
        ),
        HiddenQuestion(
            "agency, to pass",
            "agency",
            agency_of("pass_left"),
            CARDS,
            lambda before, move: move.startswith("pass:") and not before.startswith("pass:"),
            lambda view, _: view["ply"],
        ),
        HiddenQuestion(
            "whist, to follow suit",
            "whist",
            load("whist").make_rules(PLAYERS),
            CHOICE,
            lambda *_: True,
            lambda view, _: (view["round"], len(view["contenders"]), view["trick"], len(view["table"])),
        ),
    ]


async def watch_one(service: AsyncClient, question: HiddenQuestion, arguments: argparse.Namespace) -> None:
    """One match from the deal on; its times are added to those of the question."""
    options = wire.options_message(question.rules.options, question.game)
    host = await service.create_match(
        question.game, [arguments.bot] * PLAYERS, options=options, think=arguments.think, spectators=True, timeout=60
    )
    answers = service.session(host.match).watch(after=0)
    seen = [(time.perf_counter(), answer.event) async for answer in answers if answer.event.HasField("move")]
    record = (await host.record(timeout=60)).record
    moves = list(record.moves)
    state = load(question.game).deal(question.rules, seed=int(record.seed))
    for number, point, is_first in question.samples(state, moves):
        (before, asked), (shown, answered) = seen[number - 1], seen[number]
        written = (answered.time.ToNanoseconds() - asked.time.ToNanoseconds()) / 1e9
        question.answers[point][is_first].append(TimedAnswer(shown - before, written))
    await host.delete(timeout=60)


async def ask(address: str, question: HiddenQuestion, arguments: argparse.Namespace) -> None:
    """Match after match, so many at once, until there are enough of both."""
    async with connect_async(address) as service:

        async def go_on() -> None:
            while not question.has(arguments.count):
                await watch_one(service, question, arguments)

        await asyncio.gather(*(go_on() for _ in range(arguments.at_once)))


def report(question: HiddenQuestion, arguments: argparse.Namespace) -> float:
    """A row for each clock; the smaller p."""
    least, kind = 1.0, question.kind
    samples = question.pairs(arguments.count, random.Random(arguments.count), matched=not arguments.unmatched)
    for clock in ("shown", "written"):
        first, second = ([getattr(answer, clock) for answer in sample] for sample in samples)
        result = ks_2samp(first, second)
        least = min(least, float(result.pvalue))
        means = " | ".join(
            f"{1000 * statistics.fmean(one):.2f} ± {1000 * statistics.stdev(one):.2f} ms" for one in (first, second)
        )
        compared = f"{kind.first} or {kind.second}"
        print(
            f"| {question.name} | {compared} | {clock} | {means} | {len(first)} + {len(second)} "
            f"| {result.statistic:.3f} | {result.pvalue:.3f} |",
            flush=True,
        )
    return least


async def run(arguments: argparse.Namespace) -> int:
    asked = [question for question in questions() if not arguments.only or question.name.startswith(tuple(arguments.only))]
    print("| question | compared | clock | the first | the second | answers | distance | p |\n|---|---|---|--:|--:|--:|--:|--:|")
    least = 1.0
    with tempfile.TemporaryDirectory() as folder:
        async with serving("--storage", f"sqlite:///{Path(folder) / 'matches.sqlite'}") as address:
            for question in asked:
                await ask(address, question, arguments)
                least = min(least, report(question, arguments))
    # As many tests as there are rows: one of them may well be below 0.05 by chance.
    verdict = least * 2 * len(asked) > arguments.level
    print(
        f"\n{'no difference was found' if verdict else 'a difference was found'} (least p {least:.3f}, of {2 * len(asked)} tests)"
    )
    return int(not verdict)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="answers of each kind (500)")
    parser.add_argument("--bot", default="level2", help="who plays (level2)")
    parser.add_argument("--think", type=float, default=0.1, help="how long each bot takes, in seconds (0.1)")
    parser.add_argument("--at-once", type=int, default=6, help="matches at once (6)")
    parser.add_argument("--level", type=float, default=0.01, help="the chance of finding a difference where there is none (0.01)")
    parser.add_argument("--unmatched", action="store_true", help="from all points of a match, as they come")
    parser.add_argument("--only", nargs="+", help="questions whose names begin so (all)")
    raise SystemExit(asyncio.run(run(parser.parse_args())))


if __name__ == "__main__":
    main()
