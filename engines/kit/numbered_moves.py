"""Moves of a game of the kit: number, text, action and parts, one from the other."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from machiavel.engines.fields import Kind
from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.declarations import ActionPart
from machiavel.engines.kit.game_description import DescribedAction, GameDescription
from machiavel.engines.kit.game_fields import card_kind
from machiavel.engines.looks import PLAIN, ThingLook
from machiavel.engines.moves import SEAT, MoveKind, MovePart, MoveSchema, folded
from machiavel.engines.phrases import Phrases
from machiavel.engines.plugin import LANGUAGES, Rules

__all__ = ["GameMoves", "NamedMove"]

TEN = "10"  # as most people write what stands on a T


@dataclass(frozen=True)
class NamedMove:
    """A move as somebody knows it: its action, and of its parts those that are known, by name.

    Cards are their texts, seats and numbers of a range are numbers, names are names.
    """

    action: DescribedAction
    parts: Mapping[str, Any]
    is_hidden: bool = False
    number: int = -1  # of the move, where it is not hidden


class GameMoves:
    """All moves of a game."""

    def __init__(self, game: GameDescription, phrases: Phrases) -> None:
        self.actions = list(game.actions.values())
        self.phrases = phrases
        dice = {name for name, one in game.fields.items() if one.die}
        self.schema = MoveSchema(*(kind_of(action, dice) for action in self.actions), shorter=self.shorter)

    def action_of(self, move: int) -> DescribedAction:
        return next(action for action in self.actions if action.first <= move < action.first + action.count)

    def named(self, move: int, *, is_hidden: bool = False) -> NamedMove:
        """The move of that number; where it `is_hidden`, with the parts that its public text has."""
        action = self.action_of(move)
        text = action.action.hidden if is_hidden else None
        parts = [part for part in action.action.parts if text is None or f"{{{part.name}}}" in text]
        values = {part.name: value_of(part, move - action.first) for part in parts}
        return NamedMove(action, values, is_hidden, -1 if is_hidden else move)

    def seen(self, rules: Rules, text: str) -> NamedMove | None:
        """The move of a text of `move_text` or `public_text`; None where it is neither."""
        known: dict[str, NamedMove] | None = rules.made.get(self)
        if known is None:
            table = self.schema.table(rules)
            known = rules.made[self] = {}
            for move, public in table.public.items():
                if public != table.texts[move] and public not in known:
                    known[public] = self.named(move, is_hidden=True)
        numbers = self.schema.table(rules).exact.get(text)
        return known.get(text) if numbers is None else self.named(numbers[0])

    def examples(self, rules: Rules) -> str:
        """A move of each action, as an error names them."""
        texts = self.schema.table(rules).texts
        return ", ".join(texts[action.first] for action in self.actions[:6])

    def shorter(self, rules: Rules, text: str) -> Iterable[str]:
        """What else may be typed for a move: its parts without the action's name, a card by its rank, its label."""
        return {other for other in self.others(rules, text) if other and folded(other) != folded(text)}

    def others(self, rules: Rules, text: str) -> Iterator[str]:
        numbers = self.numbers(rules).get(text)
        if numbers is None:
            return
        named = self.named(numbers)
        words = [str(value) for value in named.parts.values()]
        yield ":".join(words)
        yield " ".join(words)
        yield " ".join([named.action.name, *words])
        for part in named.action.action.parts:
            card = named.parts[part.name]
            if isinstance(part.kind, Deck) and part.kind.suits:
                rank = part.kind.ranks[part.kind.rank_of(part.kind.card(card))]
                yield text.replace(card, card.replace("T", TEN)) if rank == "T" else text
                if len(words) == 1:
                    yield rank.replace("T", TEN)
                    yield rank
                    yield card.replace("T", TEN)
        for language in LANGUAGES:
            parts = {name: self.plain(name, value, language) for name, value in named.parts.items()}
            yield from (self.phrases(f"labels.{name}", language, **parts) for name in named.action.names)

    def plain(self, name: str, value: Any, language: str) -> Any:  # noqa: ARG002
        """A part as a label has it where no seat has a name."""
        key = f"cards.{value}"
        return self.phrases(key, language) if key in self.phrases else value

    def numbers(self, rules: Rules) -> Mapping[str, int]:
        """Moves by their texts."""
        known: dict[str, int] | None = rules.made.get(("numbers", self))
        if known is None:
            known = {one: number for kind in self.schema.kinds for number, one, _ in kind.moves(rules)}
            rules.made["numbers", self] = known
        return known


def kind_of(action: DescribedAction, dice: Collection[str]) -> MoveKind:
    """A part with the name of a field that is a die's face is one, too."""
    parts = [MovePart(part.name, kind_of_part(part, is_die=part.name in dice), part.stride) for part in action.action.parts]
    one = action.action
    return MoveKind(one.text or action.name, action.first, parts, one.hidden, one.together, one.into)


def kind_of_part(part: ActionPart, *, is_die: bool) -> Kind:
    if part.is_seat:
        return SEAT
    if isinstance(part.kind, Deck | Bag):
        return card_kind(part.kind)
    return Kind.fixed(part.name, list(part.texts()), look=ThingLook("die") if is_die else PLAIN)


def value_of(part: ActionPart, number: int) -> Any:
    """A part of the move of that number among its action's."""
    value = number // part.stride % part.count
    if isinstance(part.kind, Deck | Bag | tuple):
        texts: Sequence[str] = part.texts()
        return texts[value]
    return value + part.start
