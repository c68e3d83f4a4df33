"""What a game brings besides its compiled engine: options, texts, JSON. One object, found by entry point."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from machiavel.engines.errors import BadLayout
from machiavel.engines.hints import HintWords, quoted

__all__ = ["LANGUAGES", "CodecEngine", "Engine", "Option", "Rules"]

LANGUAGES = ("en", "fr")


@dataclass(frozen=True)
class Option:
    """An option of a game, as `new` takes it."""

    name: str
    default: object
    expected: Mapping[str, str]  # what values it takes, in words; by language
    help: Mapping[str, str]  # by language


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules one match is played by: game, options and deck put together. Immutable, shared by any number of matches.

    `options` is complete and can be written as JSON; `digest` is the SHA-256, in hexadecimal, of everything that changes how a
    record replays. `Game.make_rules` raises IncompatibleEngine for a digest that is no pairs of hexadecimal digits.
    """

    capsule: object
    players: int
    options: Mapping[str, Any]
    digest: str
    tables: Any = None  # the engine's own, for its texts


class Engine(ABC):
    """A game as the rest of the house knows it. Stateless; every method may be called from any thread."""

    name: ClassVar[str]
    capsule: object
    titles: ClassVar[Mapping[str, str]]  # by language
    players: ClassVar[Sequence[int]]
    options: ClassVar[Sequence[Option]]
    # Where seats are asked one after the other whether they end something: the move that leaves it to the next. It is legal
    # there, for every one of them, and nowhere else; it needs no luck. None: the game knows no such thing.
    declining: ClassVar[str | None] = None

    @abstractmethod
    def make_rules(self, players: int, options: Mapping[str, Any]) -> Rules:
        """Check the options (those left out take their defaults) and make rules; the number of players has been checked.

        Raises BadOption or BadDeck.
        """

    @abstractmethod
    def move_text(self, rules: Rules, move: int) -> str:
        """The one canonical text of a move."""

    @abstractmethod
    def parse_move(self, rules: Rules, text: str) -> Sequence[int]:
        """All moves the text could mean, legal now or not; raises NotAMove where there is none.

        A text of `move_text` means that move alone.
        """

    def public_text(self, rules: Rules, move: int) -> str:
        """The move as those see it who may not know what it was."""
        return self.move_text(rules, move)

    def move_label(self, rules: Rules, move: int, language: str) -> str:  # noqa: ARG002
        """The move as a player reads it."""
        return self.move_text(rules, move)

    def public_label(self, rules: Rules, move: int, language: str) -> str:
        """The move as players read it who may not know what it was.

        It tells no more than `public_text`: the same of all moves of one public text.
        """
        public = self.public_text(rules, move)
        return self.move_label(rules, move, language) if public == self.move_text(rules, move) else public

    def why_illegal(self, rules: Rules, view: bytes, move: int) -> str:  # noqa: ARG002
        """Why the mover, who sees `view`, may not play the move; empty where there is nothing to add."""
        return ""

    def metrics(self, rules: Rules) -> Sequence[str]:  # noqa: ARG002
        """The names of what the engine's `metrics` measures, in its order."""
        return ()

    def hint_words(self, rules: Rules) -> HintWords | None:  # noqa: ARG002
        """What its metrics mean to a player; None: hints speak of win chances alone."""
        return None

    def hint_context(self, rules: Rules, seen: Mapping[str, Any], language: str) -> Mapping[str, str]:  # noqa: ARG002
        """What the clauses of `hint_words` are filled with besides the seats, from a view as `view_json` makes it."""
        return {}

    def move_subject(self, rules: Rules, seen: Mapping[str, Any], move: int, language: str) -> str:  # noqa: ARG002
        """The move as the subject of a sentence, where the view stands that `view_json` makes."""
        text, label = self.move_text(rules, move), self.move_label(rules, move, language)
        return text if label == text else quoted(label, language)

    def seat_name(self, rules: Rules, seen: Mapping[str, Any], seat: int, language: str) -> str:  # noqa: ARG002
        """A seat as hints name it."""
        return {"en": f"seat {seat}", "fr": f"le joueur {seat}"}[language]

    @abstractmethod
    def view_json(self, rules: Rules, view: bytes) -> dict[str, Any]:
        """A view as JSON. Bytes of the right size but with impossible contents may raise BadView, IndexError or KeyError."""

    @abstractmethod
    def view_bytes(self, rules: Rules, data: Mapping[str, Any]) -> bytes:
        """The view of a JSON object; raises BadView, naming the field, for what is malformed or contradicts itself."""

    @abstractmethod
    def truth_json(self, rules: Rules, view: bytes, state: bytes) -> dict[str, Any]:
        """All there is to know, for the host: a spectator's view and what it lacks."""

    def outcomes(self, rules: Rules, layout: Mapping[str, Any]) -> list[tuple[int, int, bytes]]:  # noqa: ARG002
        """Luck laid out by the caller, as (purpose, counter, values); raises BadLayout, naming the field."""
        raise BadLayout("layout", f"{self.name} takes no luck but from a seed")

    def outcome_name(self, rules: Rules, purpose: int, counter: int) -> str:  # noqa: ARG002
        """Where in a layout that outcome stands."""
        return f"outcome {purpose}.{counter}"

    def outcome_text(self, rules: Rules, purpose: int, items: bytes) -> str:  # noqa: ARG002
        """The items of an outcome, to be read."""
        return ", ".join(map(str, items))


class CodecEngine(Engine):
    """An engine whose texts are the functions of its module `codec`, and whose views are read by its module `reading`."""

    codec: Any
    reading: Any

    def move_text(self, rules: Rules, move: int) -> str:
        return str(self.codec.move_text(rules, move))

    def parse_move(self, rules: Rules, text: str) -> Sequence[int]:
        moves: Sequence[int] = self.codec.parse_move(rules, text)
        return moves

    def why_illegal(self, rules: Rules, view: bytes, move: int) -> str:
        return str(self.codec.why_illegal(rules, view, move))

    def view_json(self, rules: Rules, view: bytes) -> dict[str, Any]:
        return dict(self.codec.view_json(rules, view))

    def view_bytes(self, rules: Rules, data: Mapping[str, Any]) -> bytes:
        return bytes(self.reading.view_bytes(rules, data))

    def truth_json(self, rules: Rules, view: bytes, state: bytes) -> dict[str, Any]:
        return dict(self.codec.truth_json(rules, view, state))

    def outcomes(self, rules: Rules, layout: Mapping[str, Any]) -> list[tuple[int, int, bytes]]:
        return list(self.codec.outcomes(rules, layout))

    def outcome_name(self, rules: Rules, purpose: int, counter: int) -> str:
        return str(self.codec.outcome_name(rules, purpose, counter))

    def outcome_text(self, rules: Rules, purpose: int, items: bytes) -> str:
        return str(self.codec.outcome_text(rules, purpose, items))
