"""Whether every draw of a match has an `at` of its own: the same draw twice would bring the same cards or dice again."""

import random
from collections.abc import Iterator
from traceback import extract_stack

from machiavel.engines.conformance import Chapter, Finding, NotTried, Trial
from machiavel.engines.kit.card_sets import Bag
from machiavel.engines.kit.interpreted import InterpretedPosition
from machiavel.engines.kit.proofs.kit_cases import KitCase
from machiavel.engines.kit.python_expressions import attribute_of

__all__ = ["CHAPTER"]

CHAPTER = Chapter("draws")
MATCHES = 20


@CHAPTER.check()
def own_draws(trial: Trial) -> Iterator[Finding]:
    """No draw of luck comes twice in a match: each has a name and an `at` of its own."""
    case = KitCase(trial)
    if not case.description.luck:
        raise NotTried("the game draws nothing")
    position, told = case.position(), set[str]()  # one finding for each event
    for seed in trial.seeds(MATCHES):
        luck = NotedLuck(case, seed)
        play_match(case, trial.case.players, position, luck, random.Random(seed))
        trial.counts["matches"] += 1
        trial.counts["draws"] += luck.drawn
        for event, found in luck.repeated.items():
            if event not in told:
                told.add(event)
                yield trial.finding("draws that differ in name or at=, or they bring the same again", found)


class NotedLuck:
    """Luck that notes what was drawn; what comes of it is at random."""

    def __init__(self, case: KitCase, seed: int) -> None:
        self._case = case
        self._events = {event.purpose: event for event in case.description.luck.values()}
        self._random = random.Random(seed)
        self._noted: set[tuple[int, int]] = set()
        self.drawn = 0
        self.repeated: dict[str, str] = {}  # by event, the first of its draws that came twice, and where

    def draw_cards(self, purpose: int, counter: int, deck: int, cards: int, count: int) -> int:
        self._note(purpose, counter)
        return sum(1 << card for card in self._random.sample(self._members(deck, cards), count))

    def draw_card(self, purpose: int, counter: int, deck: int, cards: int) -> int:
        self._note(purpose, counter)
        return self._random.choice(self._members(deck, cards))

    def roll(self, purpose: int, counter: int, sides: int) -> int:
        self._note(purpose, counter)
        return self._random.randint(1, sides)

    def _members(self, deck: int, cards: int) -> list[int]:
        of = self._case.description.decks[deck]
        if isinstance(of, Bag):
            return [kind for kind in of.kinds(cards) for _ in range(of.number(cards, kind))]
        return [card for card in range(len(of)) if cards >> card & 1]

    def _note(self, purpose: int, counter: int) -> None:
        self.drawn += 1
        event = self._events[purpose]
        if (purpose, counter) in self._noted and event.name not in self.repeated:
            frame = next(one for one in reversed(extract_stack()) if one.filename == str(self._case.path))
            numbers = [str(counter >> 8 * (event.depth - 1 - at) & (0xFF if at else -1)) for at in range(event.depth)]
            joined = ", ".join(numbers) if event.depth < 2 else "(" + ", ".join(numbers) + ")"
            at = f", at={joined}" if numbers else ""
            place = f"{self._case.path.name}:{frame.lineno}, {frame.line}"
            self.repeated[event.name] = f'luck.{event.kind}("{event.name}"{at}) is drawn twice ({place})'
        self._noted.add((purpose, counter))


def play_match(case: KitCase, players: int, position: InterpretedPosition, luck: NotedLuck, draw: random.Random) -> None:
    """A match at random, as the runtime plays one."""
    position.load(bytes(4096))
    for name, field in case.description.fields.items():
        setattr(position, attribute_of(name), field.start(players))
    position.deal(luck)  # type: ignore[arg-type]  # what is hidden is asked in determinize alone
    settle(position)
    while position.mover >= 0 and position.ply < case.description.longest:
        answer = position.legal(position.mover)
        if isinstance(answer, tuple):
            first, some = answer
            answer = [first + bit for bit in range(some.bit_length()) if some >> bit & 1]
        mover, asked = position.mover, position.asked
        if asked:
            position.asked = asked = asked & ~(1 << mover)
        position.apply(draw.choice(answer), luck)  # type: ignore[arg-type]
        position.ply += 1
        still = position.asked
        if asked and still:
            least = (still & -still).bit_length() - 1
            if position.mover == mover:
                position.mover, position.asked = least, still
            elif 0 <= position.mover != least:
                position.asked = 0
        settle(position)


def settle(position: InterpretedPosition) -> None:
    """Who is asked, told one way only."""
    asked = position.asked
    if asked and position.mover >= 0 and asked & asked - 1 == 0:
        position.mover, position.asked = asked.bit_length() - 1, 0
    position.flags = 0
