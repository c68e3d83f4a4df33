"""A game of the kit as its checks look at it: its fields, its own functions and where they stand, and the other mode."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from machiavel.engines import Game
from machiavel.engines.conformance import NotTried, Trial
from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.engine import KitEngine
from machiavel.engines.kit.game_description import GameDescription
from machiavel.engines.kit.interpreted import InterpretedPosition, interpreted_class
from machiavel.engines.kit.loading import load_file
from machiavel.engines.kit.proofs.world_facts import CardTexts, WorldFacts

__all__ = ["KitCase"]


class KitCase:
    """What a trial is of; raises NotTried where that is no game of the kit."""

    def __init__(self, trial: Trial) -> None:
        plugin = trial.game.plugin
        if not isinstance(plugin, KitEngine):
            raise NotTried("it is no game of the kit")
        self._trial = trial
        self.plugin: KitEngine = plugin
        self.path: Path = plugin.path

    @property
    def description(self) -> GameDescription:
        return self.plugin.game

    @cached_property
    def facts(self) -> WorldFacts:
        slots = self.plugin.layout(self._trial.case.rules).slots
        return WorldFacts(slots, [card_texts(deck) for deck in self.description.decks])

    def position(self) -> InterpretedPosition:
        """A position of these rules, interpreted, with nothing in it."""
        return interpreted_class(self.plugin.source, self._trial.case.rules.tables.program)()

    @property
    def mode(self) -> str:
        """`llvm`, `gcc` or `interpreted`."""
        return self.plugin.mode(self._trial.case.rules)

    def has(self, method: str) -> bool:
        """Whether the author wrote an optional method."""
        return method in self.description.methods

    @property
    def sampler(self) -> str:
        return "the author's determinize" if self.has("determinize") else "the kit's sampler"

    def sampled(self, worlds: int, before: Mapping[str, int]) -> str:
        """How the worlds of a check were drawn, so many of them since `before`."""
        counted, chained = (number - before[name] for name, number in self.plugin.runtime.samplers_used().items())
        ways = {
            "by shuffles and rejection, which is exact": worlds - counted - chained,
            "by counting deals, which is exact": counted,
            "by a chain of swaps, which is nearly exact": chained,
        }
        said = "; ".join(f"{number:,} {way}" for way, number in ways.items() if number)
        return f"{self._trial.case.players} players: {'what determinize leaves out, ' if self.has('determinize') else ''}{said}"

    def at(self, method: str) -> str:
        """Where a method of the author stands, behind a sentence; nothing where there is none."""
        if not self.has(method):
            return ""
        line = getattr(self.description.game, method).__code__.co_firstlineno
        return f" ({self.path.name}:{line}, {method})"

    def interpreted_game(self) -> Game:
        """The same game, interpreted."""
        return load_file(self.path, mode="interpreted")


def card_texts(deck: Deck | Bag) -> CardTexts:
    if isinstance(deck, Bag):
        return CardTexts(deck.texts, deck.numbers, is_bag=True)
    suits = {f"suit {name}": cards for name, cards in zip(deck.suits, deck.suit_sets, strict=True)} if len(deck.suits) > 1 else {}
    return CardTexts(deck.texts, [1] * len(deck.texts), is_bag=False, groups=suits)
