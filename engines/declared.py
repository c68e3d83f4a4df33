"""A game that is declared by its schema: what all of our engines share besides their rules."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from machiavel.engines.errors import BadOption, Problem
from machiavel.engines.events import GameEvent, SeenMove
from machiavel.engines.fields import Place, Type
from machiavel.engines.hidden_places import HiddenCells, HiddenField, WorldColumns, by_nobody, by_owner, cells_of_fields
from machiavel.engines.hints import HintWords, load_hints
from machiavel.engines.layouts import LayoutSchema
from machiavel.engines.moves import MoveSchema
from machiavel.engines.phrases import Phrases, Wording
from machiavel.engines.plugin import Engine, Option, Rules, package_with
from machiavel.engines.views import ViewReader, ViewSchema

__all__ = ["DeclaredEngine", "worded_option"]


def worded_option(phrases: Phrases, name: str, default: object, kind: Type | None = None, *, is_by_seat: bool = False) -> Option:
    """An option whose texts are `options.NAME.expected` and `options.NAME.help` of the game's words."""
    expected, help_ = (phrases.wording(f"options.{name}.{part}").texts for part in ("expected", "help"))
    return Option(name, default, expected, help_, kind, is_by_seat)


class DeclaredEngine(Engine):
    """An engine whose views, layouts and moves are declared, over a compiled one."""

    native: Any  # the compiled module, with the functions of `_glue.pxi`
    views: ClassVar[ViewSchema]
    truths: ClassVar[ViewSchema]  # what the host sees besides, out of the engine's State
    # Where things lie that not everybody sees; None: where its truths do. Of these the `own` ones are seen by their seats.
    hidden: ClassVar[Sequence[HiddenField] | None] = None
    reader: ClassVar[type[ViewReader]]
    layouts: ClassVar[LayoutSchema]
    moves: ClassVar[MoveSchema]
    options: ClassVar[Sequence[Option]] = ()
    # The module that tells what happens: EVENT_KINDS, and `events` with the arguments of Engine.events.
    story: ClassVar[Any] = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.story is not None:
            cls.event_kinds = cls.story.EVENT_KINDS

    @cached_property
    def capsule(self) -> object:  # type: ignore[override]
        return self.native.capsule

    @property
    def titles(self) -> Mapping[str, str]:  # type: ignore[override]
        """`title` of its words."""
        return self.phrases().wording("title").texts

    # ---- Rules ----

    def checked_options(self, rules_players: int, options: Mapping[str, Any], tables: Any = None) -> dict[str, Any]:
        """Every option, as given or by default; raises BadOption for a value that its type does not have.

        `tables` are the engine's own, for types of which they say what there is.
        """
        result: dict[str, Any] = {"players": rules_players}
        for option in self.options:
            given = options.get(option.name, option.default)
            value = result[option.name] = list(given) if isinstance(given, tuple) else given
            if option.type is None or (value is None and option.default is None):
                continue
            problems: list[Problem] = []
            bare = Rules(None, rules_players, {}, "", tables)
            Place(bare, option.name, problems).whole(option.type, value)
            if problems:
                raise BadOption(option.name, value, option.type.expected(bare))
        return result

    def rules_of(
        self, capsule: object, options: Mapping[str, Any], tables: Any = None, digests: Mapping[str, Any] | None = None
    ) -> Rules:
        """The rules object; of the options in `digests` only what stands there counts for the digest."""
        content = json.dumps([self.name, {**options, **(digests or {})}], sort_keys=True)
        digest = hashlib.sha256(content.encode()).hexdigest()
        rules = Rules(capsule, options["players"], dict(options), digest, tables)
        ones = self.native.view_fields(b"\xff" * len(self.native.empty_view()))
        self.views.check_struct(self.name, ones, rules)
        return rules

    # ---- Moves ----

    def move_text(self, rules: Rules, move: int) -> str:
        return self.moves.table(rules).texts[move]

    def public_text(self, rules: Rules, move: int) -> str:
        return self.moves.table(rules).public[move]

    def hidden_label(self, rules: Rules, text: str, language: str) -> str | None:
        table = self.moves.table(rules)
        if text in table.exact:
            return None
        known: dict[str, int] | None = rules.made.get("hidden moves")
        if known is None:
            known = rules.made["hidden moves"] = {}
            for move, public in table.public.items():
                known.setdefault(public, move)
        return self.public_label(rules, known[text], language) if text in known else None

    def parse_move(self, rules: Rules, text: str) -> Sequence[int]:
        return self.moves.parse(rules, text, lambda: self.expected_moves(rules))

    def problem(self, key: str, /, **parts: object) -> Wording:
        """What is wrong, in the game's words: `problems.KEY`."""
        return self.phrases().wording(f"problems.{key}", **parts)

    def expected_moves(self, rules: Rules) -> Wording:
        """What a move looks like, as an error says it."""
        return self.problem("moves", last=rules.players - 1)

    # ---- Views ----

    def view_json(self, rules: Rules, view: bytes) -> dict[str, Any]:
        return self.views.json(rules, self.native.view_fields(view))

    def view_bytes(self, rules: Rules, data: Mapping[str, Any]) -> bytes:
        return self.reader(rules, data).view()

    def truth_json(self, rules: Rules, view: bytes, state: bytes) -> dict[str, Any]:
        return self.view_json(rules, view) | self.truths.json(rules, {"seat": 0, **self.native.state_fields(state)})

    # ---- What is hidden ----

    def hidden_fields(self) -> Sequence[HiddenField]:
        """Where hidden things lie: what the game declares, or else the truths that its State keeps."""
        if self.hidden is not None:
            return self.hidden
        held = [one for one in self.truths.fields if one.c]
        return [HiddenField(one.name, one.type, one.c, by_owner if one.own else by_nobody) for one in held]

    def hidden_cells(self, rules: Rules, view: bytes, worlds: NDArray[np.uint8]) -> Iterable[HiddenCells]:
        return cells_of_fields(self.hidden_fields(), rules, self.native.view_fields(view), self.native, worlds)

    def world_weights(self, rules: Rules, view: bytes, worlds: NDArray[np.uint8]) -> NDArray[np.float64] | None:
        return self.habits(rules, self.native.view_fields(view), WorldColumns(self.native, worlds))

    def habits(
        self,
        rules: Rules,  # noqa: ARG002
        view: Mapping[str, Any],  # noqa: ARG002
        worlds: WorldColumns,  # noqa: ARG002
    ) -> NDArray[np.float64] | None:
        """The same from the view's struct and the fields of the worlds."""
        return None

    # ---- What happens ----

    def events(
        self, rules: Rules, before: Mapping[str, Any] | None, move: SeenMove | None, after: Mapping[str, Any]
    ) -> Iterable[GameEvent]:
        return () if self.story is None else self.story.events(rules, before, move, after)

    # ---- Luck ----

    def outcomes(self, rules: Rules, layout: Mapping[str, Any]) -> list[tuple[int, int, bytes]]:
        return self.layouts.outcomes(rules, self.layouts.read(rules, layout))

    def outcome_name(self, rules: Rules, purpose: int, counter: int) -> str:
        return self.layouts.outcome_name(rules, purpose, counter)

    def outcome_text(self, rules: Rules, purpose: int, items: bytes) -> str:
        return self.layouts.outcome_text(rules, purpose, items)

    # ---- Words ----

    def hint_words(self, rules: Rules) -> HintWords | None:  # noqa: ARG002
        """Those of `hints.toml` beside its code; None where there is none."""
        package = package_with(type(self), "hints.toml")
        return None if package is None else load_hints(package)
