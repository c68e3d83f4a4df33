"""A game of the kit as the rest of the house knows it: an engine made of its author's declarations and functions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from machiavel.engines.declared import DeclaredEngine
from machiavel.engines.errors import BadView, GameFault
from machiavel.engines.events import GameEvent, SeenMove
from machiavel.engines.fields import Flag, Number, Type
from machiavel.engines.hints import HintWords, MoveParts, name_forms
from machiavel.engines.kit._runtime import Runtime
from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.checker import check_program
from machiavel.engines.kit.compiling import PlayoutLoop, compile_functions
from machiavel.engines.kit.conserved_decks import conserved_decks
from machiavel.engines.kit.fault_kinds import FaultKind
from machiavel.engines.kit.fault_texts import error_told, record_told
from machiavel.engines.kit.field_events import GameEvents
from machiavel.engines.kit.game_fields import KIT_PHRASES, GameFields
from machiavel.engines.kit.game_words import HIDDEN, game_phrases
from machiavel.engines.kit.hidden_cards import hidden_fields
from machiavel.engines.kit.layout import StateLayout, layout_of
from machiavel.engines.kit.luck_layouts import layouts_of
from machiavel.engines.kit.metric_words import hint_words_of
from machiavel.engines.kit.numbered_moves import GameMoves, NamedMove
from machiavel.engines.kit.program import Program
from machiavel.engines.kit.reading import KitReader
from machiavel.engines.kit.schema_digest import schema_digest
from machiavel.engines.kit.source import GameSource
from machiavel.engines.kit.state_bytes import StateBytes
from machiavel.engines.phrases import Phrases, Wording
from machiavel.engines.plugin import LANGUAGES, Option, Rules

__all__ = ["KitEngine"]


@dataclass(frozen=True)
class KitTables:
    """What rules of such a game hold besides their capsule."""

    layout: StateLayout
    native: StateBytes
    mode: str
    reason: str  # why it is not made by LLVM
    program: Program


def interpreted_of(source: GameSource, program: Program) -> Any:
    """What interprets the author's functions; where they are compiled and go well, nobody waits for it to be loaded."""
    from machiavel.engines.kit.interpreted import interpreted_class  # noqa: PLC0415

    return interpreted_class(source, program)


class KitEngine(DeclaredEngine):
    """The engine of a game in one file.

    What other engines are by their class, it is by its declarations: everything is an attribute of the object.
    """

    def __init__(self, source: GameSource, mode: str | None = None) -> None:
        """Nothing is compiled before rules are made.

        `mode` is llvm, gcc or interpreted; None: what there is, or what MACHIAVEL_KIT says. Raises BadGameFile for words that do
        not go together.
        """
        game = source.description
        self.source = source
        self.game = game
        self.wanted_mode = mode
        self.path = Path(source.path)
        self.fields = GameFields.of(list(game.fields.values()), game.longest, reads_ply=source.reads_ply)
        self._phrases = game_phrases(game, self.fields)
        self._hints = hint_words_of(game)
        self.numbered = GameMoves(game, self._phrases)
        self.game_events = GameEvents(game, self.numbered, self.name_here, self.winners)
        self._schema_digest = schema_digest(game)
        layout = layout_of(game, game.most_seats)
        self.runtime = Runtime(game, layout)
        vars(self).update(
            name=game.name,
            players=game.players,
            options=[self.option(name) for name in game.options],
            views=self.fields.views,
            truths=self.fields.truths,
            layouts=layouts_of(game),
            moves=self.numbered.schema,
            event_kinds=self.game_events.kinds,
            hidden=hidden_fields(self.fields),
            hides_nothing=not self.fields.secrets,
            names_by_position=any(one.action.names for one in game.actions.values()),
            native=StateBytes(self.runtime.capsule, layout),
        )

    def option(self, name: str) -> Option:
        one = self.game.options[name]
        expected, help_ = (self._phrases.wording(f"options.{name}.{part}").texts for part in ("expected", "help"))
        kind: Type = Flag() if one.is_flag else Number(one.least, one.most)
        return Option(name, bool(one.default) if one.is_flag else one.default, expected, help_, kind)

    # ---- Rules ----

    def make_rules(self, players: int, options: Mapping[str, Any]) -> Rules:
        """Rules for so many players, whose functions are compiled, or found in the cache."""
        complete = self.checked_options(players, options)
        numbers = {name: int(complete[name]) for name in self.game.options}
        layout = layout_of(self.game, players)
        program = check_program(self.source, players, numbers)
        compiled = compile_functions(program, self.playout_loop(), self.wanted_mode)
        capsule = self.runtime.make_rules(
            players,
            layout,
            functions=compiled.addresses,
            interpreted=None if compiled.addresses else interpreted_of(self.source, program),
            keep=compiled.owner,
        )
        absent = {name: one.nothing for name, one in self.game.fields.items()}
        native = self.native.of_players(layout, absent)
        tables = KitTables(layout, native, compiled.mode, compiled.reason, program)
        return self.rules_of(capsule, complete, tables, {"the schema": self._schema_digest})

    def playout_loop(self) -> PlayoutLoop | None:
        """What a playout depends on, besides the author's functions; None where the runtime sorts dice after each of them."""
        sorts = any(one.kind == "dice" and one.is_sorted for one in self.game.fields.values())
        return None if sorts else PlayoutLoop(self.game.longest)

    def mode(self, rules: Rules) -> str:
        """What the author's functions run as: llvm, gcc or interpreted."""
        return str(rules.tables.mode)

    def layout(self, rules: Rules) -> StateLayout:
        """Where each field of a state stands."""
        layout: StateLayout = rules.tables.layout
        return layout

    def fault_error(self, rules: Rules) -> Exception:
        """What the author's code met in this thread, as Python tells it; then it is forgotten."""
        record = self.runtime.take_fault()
        if record is None:
            return super().fault_error(rules)
        if record.kind == FaultKind.NO_WORLD:
            return BadView("view", KIT_PHRASES.wording("problems.no_deal"))
        told, shares = None, [0.0] * rules.players
        try:
            position = interpreted_of(self.source, rules.tables.program)()
            if record.kind == FaultKind.BAD_RESULT:
                position.load(record.data)
                getattr(position, record.function)(shares)
            elif record.is_whole:
                self.runtime.repeat(rules.capsule, record, position)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever an author's function raises
            told = error_told(self.source, error)
        # Where no line of the author's raised it, what a function answered was wrong.
        told = told or record_told(self.source, self.layout(rules), record, shares)
        return GameFault(self.name, told.what, kind=told.kind, place=told.place)

    # ---- Views ----

    def view_bytes(self, rules: Rules, data: Mapping[str, Any]) -> bytes:
        def kept() -> list[Deck | Bag]:
            return [self.game.decks[number] for number in conserved_decks(self, rules)]

        return KitReader(self.fields, rules.tables.native, kept, rules, data).view()

    # ---- Moves ----

    def expected_moves(self, rules: Rules) -> Wording:
        return KIT_PHRASES.wording("problems.moves", known=self.numbered.examples(rules))

    def move_label(self, rules: Rules, move: int, language: str) -> str:
        return self.label(rules, self.numbered.named(move), language)

    def label_here(self, rules: Rules, seen: Mapping[str, Any], move: int, language: str) -> str:
        named = self.numbered.named(move)
        return self.label(rules, named, language, self.name_here(rules, seen, named))

    def public_label(self, rules: Rules, move: int, language: str) -> str:
        is_hidden = self.public_text(rules, move) != self.move_text(rules, move)
        return self.label(rules, self.numbered.named(move, is_hidden=is_hidden), language)

    def label(self, rules: Rules, move: NamedMove, language: str, name: str = "") -> str:
        key = f"labels.{name or move.action.name}{HIDDEN if move.is_hidden else ''}"
        return self._phrases(key, language, **self.said_parts(rules, {}, move, language))

    def said_parts(self, rules: Rules, seen: Mapping[str, Any], move: NamedMove, language: str) -> dict[str, object]:
        """The parts of a move as texts are filled with them."""
        kinds = self.event_kinds[move.action.name]

        def said(kind: str, value: Any) -> object:
            if kind == "count":
                return value
            return lambda form: self.value_text(rules, seen, kind, value, (language, form))

        return {name: said(kinds[name], value) for name, value in move.parts.items()}

    def move_parts(self, rules: Rules, seen: Mapping[str, Any], move: str, language: str) -> MoveParts | None:
        named = self.numbered.seen(rules, move)
        if named is None:
            return None
        kind = self.name_here(rules, seen, named) + (HIDDEN if named.is_hidden else "")
        return (kind, self.said_parts(rules, seen, named, language)) if f"phrases.{kind}.do" in self._phrases else None

    def name_here(self, rules: Rules, seen: Mapping[str, Any], move: NamedMove, seat: int | None = None) -> str:
        """Which of its action's names a move has there, made by `seat` or else by who is asked; its own where it is hidden."""
        if not move.action.action.names or move.is_hidden:
            return move.action.name
        name: str = self.public_positions.name(rules, seen, move, seat)
        return name

    def winners(self, rules: Rules, seen: Mapping[str, Any]) -> list[dict[str, int]]:
        """Of a match that is over, who has won: each with the result and the metrics."""
        found: list[dict[str, int]] = self.public_positions.winners(rules, seen)
        return found

    @cached_property
    def public_positions(self) -> Any:
        """Where nothing of the kind is told, nobody waits for it to be loaded."""
        from machiavel.engines.kit.public_positions import PublicPositions  # noqa: PLC0415

        return PublicPositions(self.source, self.position_class, self.view_bytes)

    def position_class(self, rules: Rules) -> Any:
        """The class of the rules' interpreted positions, made once."""
        known = rules.made.get("positions")
        if known is None:
            known = rules.made["positions"] = interpreted_of(self.source, rules.tables.program)
        return known

    # ---- What happens ----

    def events(
        self, rules: Rules, before: Mapping[str, Any] | None, move: SeenMove | None, after: Mapping[str, Any]
    ) -> Iterable[GameEvent]:
        return self.game_events.events(rules, before, move, after)

    def value_text(self, rules: Rules, seen: Mapping[str, Any], kind: str, value: Any, how: tuple[str, str]) -> str:
        """Besides seats and counts: cards, with the form `the`, names that are parts of moves, true and false, and nothing."""
        language, form = how
        if value is None:
            return KIT_PHRASES(f"values.{'nobody' if kind == 'seat' else 'none'}", language)
        if kind == "card":
            return self._phrases(f"{'the' if form else 'cards'}.{value}", language)
        if kind == "choice":
            return self._phrases(f"parts.{value}", language)
        if kind == "flag":
            return KIT_PHRASES(f"values.{'yes' if value else 'no'}", language)
        if kind == "seat":
            return name_forms(self.seat_name(rules, seen, value, language), language)(form)
        return str(value)

    # ---- Words, and files beside the game's ----

    def thing_about(self, rules: Rules, kind: str, text: str, language: str) -> str:  # noqa: ARG002
        key = f"about.{text}"
        return self._phrases(key, language) if key in self._phrases else ""

    def phrases(self) -> Phrases:
        return self._phrases

    def hint_words(self, rules: Rules) -> HintWords | None:  # noqa: ARG002
        return self._hints

    def metrics(self, rules: Rules) -> list[str]:
        return [f"{name}_{seat}" for name in self.game.metrics for seat in range(rules.players)]

    def rules_texts(self) -> Mapping[str, str]:
        """`mygame.en.md` and `mygame.fr.md` beside the game's file, as far as there are any."""
        files = {language: self.path.with_suffix(f".{language}.md") for language in LANGUAGES}
        return {language: file.read_text(encoding="utf-8") for language, file in files.items() if file.is_file()}

    def search_file(self) -> Path | None:
        """`mygame.toml` beside the game's file."""
        file = self.path.with_suffix(".toml")
        return file if file.is_file() else None

    def puzzles_file(self) -> Path | None:
        """`mygame.puzzles.json` beside the game's file."""
        file = self.path.with_suffix(".puzzles.json")
        return file if file.is_file() else None

    def search_data(self) -> Mapping[str, Any]:
        """What its file says.

        Where every move is hidden from the others, a search by what its own seat sees would have them answer to what that seat
        chose in secret; so it goes by what each of them sees, unless the file says otherwise.
        """
        found = super().search_data()
        if all(action.action.hidden is not None for action in self.game.actions.values()):
            return {**found, "defaults": {"variant": "multi", **found.get("defaults", {})}}
        return found
