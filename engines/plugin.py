"""What a game brings besides its compiled engine: options, texts, JSON. One object, found by entry point."""

import sys
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from machiavel.engines.errors import BadLayout, GameFault, IncompatibleEngine, MoveError
from machiavel.engines.events import EventFields, GameEvent, SeenMove
from machiavel.engines.fields import Type
from machiavel.engines.hidden_places import HiddenCells, cells_of_json
from machiavel.engines.hints import HintWords, MoveParts, name_forms, named_phrase, quoted, said_phrase
from machiavel.engines.layouts import LayoutSchema
from machiavel.engines.phrases import Phrases, load_phrases
from machiavel.engines.rules_texts import no_rules_text, rules_file
from machiavel.engines.views import ViewSchema

__all__ = ["LANGUAGES", "Engine", "Option", "Rules", "game_file", "package_with"]

LANGUAGES = ("en", "fr")


@dataclass(frozen=True)
class Option:
    """An option of a game, as `new` takes it."""

    name: str
    default: object
    expected: Mapping[str, str]  # what values it takes, in words; by language
    help: Mapping[str, str]  # by language
    type: Type | None = None  # what values it takes; None: the game checks them itself
    is_by_seat: bool = False  # its value is a list with a text for each seat, so it says how many play


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
    # What was made for them once, by its maker. It may refer to these rules, so it is kept here, to be freed with them.
    made: dict[object, Any] = field(default_factory=dict, init=False, repr=False)


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
    # Whether states hold nothing that is hidden from anybody, since what nobody knows is drawn when it is revealed.
    hides_nothing: ClassVar[bool] = False
    # Whether a move is called differently from position to position, so that `label_here` is worth a view.
    names_by_position: bool = False
    # What draws and asks in the terminal, as `module:name`; the server loads them. None: what fits any game does.
    table: ClassVar[str | None] = None  # makes a Table of a TableSetting (machiavel.server.cli.tables)
    form: ClassVar[str | None] = None  # makes a Form of a Game (machiavel.server.forms)
    # The fields of its views and layouts, as far as they are declared (docs/schema.md).
    views: ClassVar[ViewSchema | None] = None
    layouts: ClassVar[LayoutSchema | None] = None
    # The events it tells: by kind, their fields, and the kind of value of each (`seat`, `seats`, `card`, `cards`, `count`,
    # `flag`, or one of the game's own, which `value_text` knows); `seat?` may be None. Their texts are in `words/`.
    event_kinds: ClassVar[Mapping[str, EventFields]] = {}

    def search_file(self) -> Traversable | None:
        """Where `search_data` stands: `search.toml` beside its code; None where there is none."""
        return game_file(type(self), "search.toml")

    def search_data(self) -> Mapping[str, Any]:
        """How to search it, and what its levels and styles are, from its `search_file`; nothing where there is none.

        docs/search.md tells the tables. Raises IncompatibleEngine where the file is no TOML.
        """
        found = self.search_file()
        try:
            return {} if found is None else tomllib.loads(found.read_text(encoding="utf-8"))
        except ValueError as error:
            raise IncompatibleEngine(self.name, f"{found.name if found else ''} is no TOML: {error}") from None

    def puzzles_file(self) -> Traversable | None:
        """Its puzzles as `machiavel puzzles` writes them, in `puzzles.json` beside its code; None where there are none."""
        return game_file(type(self), "puzzles.json")

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
        """The move as a player reads it, wherever it is played."""
        return self.move_text(rules, move)

    def label_here(self, rules: Rules, seen: Mapping[str, Any], move: int, language: str) -> str:  # noqa: ARG002
        """The same where the view stands that `view_json` makes: a pass that gives up is a fold. It follows from what all see."""
        return self.move_label(rules, move, language)

    def move_name(self, rules: Rules, seen: Mapping[str, Any], move: int, language: str) -> str:
        """A legal move in a list of them, where the view stands that `view_json` makes."""
        return self.label_here(rules, seen, move, language)

    def public_label(self, rules: Rules, move: int, language: str) -> str:
        """The move as players read it who may not know what it was.

        It tells no more than `public_text`: the same of all moves of one public text.
        """
        public = self.public_text(rules, move)
        return self.move_label(rules, move, language) if public == self.move_text(rules, move) else public

    def hidden_label(self, rules: Rules, text: str, language: str) -> str | None:  # noqa: ARG002
        """How players read a text of `public_text` that hides something; None: it hides nothing, or the game does not say.

        It follows from the text alone.
        """
        return None

    def thing_sign(self, kind: str, text: str, language: str) -> str:  # noqa: ARG002
        """A thing, such as a card, by what stands on it, where there is little room."""
        return text

    def thing_about(self, rules: Rules, kind: str, text: str, language: str) -> str:  # noqa: ARG002
        """What a thing does or is worth, in a sentence or two, for a player who asks; with a suit for `text`, what its things do.

        `about.KIND.TEXT` in its words; empty where there is none.
        """
        key = f"about.{kind}.{text}"
        phrases = None if package_with(type(self), "words") is None else self.phrases()
        return phrases(key, language) if phrases is not None and key in phrases else ""

    def why_illegal(self, rules: Rules, view: bytes, move: int) -> str:  # noqa: ARG002
        """Why the mover, who sees `view`, may not play the move, as a Wording; empty where there is nothing to add."""
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

    def move_context(self, rules: Rules, seen: Mapping[str, Any], move: str, language: str) -> Mapping[str, str]:  # noqa: ARG002
        """The same, where a clause is about that move: whose lair it is aimed at, for instance."""
        return self.hint_context(rules, seen, language)

    def move_subject(self, rules: Rules, seen: Mapping[str, Any], move: int, language: str) -> str:
        """The move as the subject of a sentence, where the view stands that `view_json` makes."""
        text, label = self.move_text(rules, move), self.label_here(rules, seen, move, language)
        parts = self.move_parts(rules, seen, text, language)
        if parts is not None:
            return said_phrase(self.phrases(), parts, language, "subject")
        return text if label == text else quoted(label, language)

    def move_parts(self, rules: Rules, seen: Mapping[str, Any], move: str, language: str) -> MoveParts | None:  # noqa: ARG002
        """The kind of a move, whose texts stand at `phrases.KIND` in `words/`, and what fills their holes.

        The move is a text of `move_text` or `public_text`. None: the game has no such texts, and sentences quote its labels.
        """
        return None

    def move_phrase(self, rules: Rules, seen: Mapping[str, Any], move: str, how: tuple[str, str]) -> str:
        """A move as part of a sentence; `how` is the language, and one of these forms.

        `do`: play the yellow 8, joue le 8 jaune; `you`: you play it, tu le joues; `doing`: playing it, le jouer; `subject`: what
        is good or bad; `short`: in a list. The move is a text of `move_text` or `public_text`.
        """
        language, form = how
        parts = self.move_parts(rules, seen, move, language)
        if parts is not None:
            return said_phrase(self.phrases(), parts, language, form)
        try:
            number = self.parse_move(rules, move)[0]
        except MoveError:  # it is hidden
            return move if form in {"subject", "short"} else named_phrase(quoted(move, language), language, form)
        if form == "subject":
            return self.move_subject(rules, seen, number, language)
        label = self.label_here(rules, seen, number, language)
        return label if form == "short" else named_phrase(quoted(label, language), language, form)

    def seat_name(self, rules: Rules, seen: Mapping[str, Any], seat: int, language: str) -> str:  # noqa: ARG002
        """A seat as hints name it."""
        return {"en": f"seat {seat}", "fr": f"le joueur {seat}"}[language]

    def phrases(self) -> Phrases:
        """What its players read, from the folder `words/` beside its code; raises IncompatibleEngine where there is none."""
        package = package_with(type(self), "words")
        if package is None:
            raise IncompatibleEngine(self.name, "it has no folder words/ beside its code")
        return load_phrases(package)

    def rules_texts(self) -> Mapping[str, str]:
        """The rules as a player reads them, in Markdown, by language, as far as there are any: from `rules/` beside its code."""
        texts = {one: rules_file(package_with(type(self), "rules"), one) for one in LANGUAGES}
        return {language: text for language, text in texts.items() if text is not None}

    def rules_text(self, language: str) -> str:
        """The rules in that language; where it brings none, a text that says so, and where else to look."""
        texts = self.rules_texts()
        return texts.get(language) or no_rules_text(self.name, self.titles[language], language, list(texts))

    def events(
        self,
        rules: Rules,  # noqa: ARG002
        before: Mapping[str, Any] | None,  # noqa: ARG002
        move: SeenMove | None,  # noqa: ARG002
        after: Mapping[str, Any],  # noqa: ARG002
    ) -> Iterable[GameEvent]:
        """What happened between two views of one seat, or of the spectator, as `view_json` makes them, in its order.

        The move is as the views' owner saw it; it and `before` are None at the beginning of a match. What is told follows from
        these arguments alone, so it is no more than their owner knows.
        """
        return ()

    def value_text(self, rules: Rules, seen: Mapping[str, Any], kind: str, value: Any, how: tuple[str, str]) -> str:
        """A value of an event as a player reads it: `how` is the language, and the form that a text asks for, or nothing.

        Seats have the forms `of` (`seat 2's`, `du joueur 2`) and `to`; kinds of a game's own have what forms it likes.
        """
        language, form = how
        return str(value) if kind != "seat" else name_forms(self.seat_name(rules, seen, value, language), language)(form)

    def mode(self, rules: Rules) -> str:  # noqa: ARG002
        """What its rules run as: `compiled` with its package, or, of a game in one file, `llvm`, `gcc` or `interpreted`."""
        return "compiled"

    def fault_error(self, rules: Rules) -> Exception:  # noqa: ARG002
        """What the game's own code met in this thread, when the engine's `fault` says that it did; then it is forgotten."""
        return GameFault(self.name, "its code went wrong")

    @abstractmethod
    def view_json(self, rules: Rules, view: bytes) -> dict[str, Any]:
        """A view as JSON. Bytes of the right size but with impossible contents may raise BadView, IndexError or KeyError."""

    @abstractmethod
    def view_bytes(self, rules: Rules, data: Mapping[str, Any]) -> bytes:
        """The view of a JSON object; raises BadView, naming the field, for what is malformed or contradicts itself."""

    @abstractmethod
    def truth_json(self, rules: Rules, view: bytes, state: bytes) -> dict[str, Any]:
        """All there is to know, for the host: a spectator's view and what it lacks."""

    def hidden_cells(self, rules: Rules, view: bytes, worlds: NDArray[np.uint8]) -> Iterable[HiddenCells]:
        """What lies in each place that the view's seat does not see, in worlds of it: a row of bytes each.

        Found by comparing what `truth_json` tells of each world with what `view_json` tells.
        """
        different, which = np.unique(worlds, axis=0, return_inverse=True)
        truths = [self.truth_json(rules, view, world.tobytes()) for world in different]
        return cells_of_json(self.view_json(rules, view), truths, which.reshape(-1), rules.players)

    def world_weights(self, rules: Rules, view: bytes, worlds: NDArray[np.uint8]) -> NDArray[np.float64] | None:  # noqa: ARG002
        """How much likelier each world is than it is drawn, by what players are wont to keep; None: not at all."""
        return None

    def place_label(self, rules: Rules, seen: Mapping[str, Any], cells: HiddenCells, language: str) -> str:
        """A hidden place as a player calls it, where the view stands that `view_json` makes.

        `unseen.FIELD_INDEX` or `unseen.FIELD` of its words, with whose it is as `{who}` (`{who:of}`: `seat 2's`, `du joueur 2`).
        Where there is none, what a table calls the field, and whose it is.
        """
        shared = load_phrases("machiavel.engines")
        phrases: Phrases | None = None if package_with(type(self), "words") is None else self.phrases()
        name = None if cells.seat is None else self.seat_name(rules, seen, cells.seat, language)
        keys = (f"unseen.{cells.field}_{cells.index}", f"unseen.{cells.field}", f"fields.{cells.field}.label")
        said = [(texts, key) for texts in (phrases, shared) if texts is not None for key in keys if key in texts]
        if said and said[0][1] != keys[-1]:
            texts, key = said[0]
            return texts(key, language, who="" if name is None else name_forms(name, language))
        text = said[0][0](said[0][1], language) if said else cells.field
        if cells.index is not None:
            text = shared("unseen.which", language, place=text, number=cells.index + 1)
        return text if name is None else shared("unseen.whose", language, place=text, who=name)

    def outcomes(self, rules: Rules, layout: Mapping[str, Any]) -> list[tuple[int, int, bytes]]:  # noqa: ARG002
        """Luck laid out by the caller, as (purpose, counter, values); raises BadLayout, naming the field."""
        raise BadLayout("layout", f"{self.name} takes no luck but from a seed")

    def outcome_name(self, rules: Rules, purpose: int, counter: int) -> str:  # noqa: ARG002
        """Where in a layout that outcome stands."""
        return f"outcome {purpose}.{counter}"

    def outcome_text(self, rules: Rules, purpose: int, items: bytes) -> str:  # noqa: ARG002
        """The items of an outcome, to be read."""
        return ", ".join(map(str, items))


@cache
def package_with(kind: type, name: str) -> str | None:
    """The package that has that file or folder beside the code of a class, or of one that it derives from."""
    specs = (getattr(sys.modules.get(one.__module__), "__spec__", None) for one in kind.__mro__)
    packages = (spec.parent for spec in specs if spec is not None and spec.parent not in {"", __package__})
    return next((one for one in packages if is_there(files(one) / name)), None)


def is_there(found: Traversable) -> bool:
    return found.is_file() or found.is_dir()


def game_file(kind: type, name: str) -> Traversable | None:
    """That file or folder; None where there is none."""
    package = package_with(kind, name)
    return None if package is None else files(package) / name
