"""A fault is planted for every check, and the check finds it."""

import ctypes
import itertools
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import BadView, Engine, GameEvent, HintWords, Option, Quantity, Rules, State, load
from machiavel.engines.agency import AgencyEngine
from machiavel.engines.conformance import ConformanceCase, Finding, NotTried, Trial
from machiavel.engines.conformance.engine_struct import Luck, contract_of
from machiavel.engines.fields import Number
from machiavel.engines.views import Field, ViewSchema
from machiavel.engines.whist import WhistEngine
from machiavel.search import _search, search_checks
from machiavel.server.cli.check_suite import FOR_EVERY_GAME, check_named
from tests.conformance.cases import DENSE
from tests.conformance.faults import Fault, Original, faulty, fixed_luck, read, write

WHIST, AGENCY = WhistEngine(), AgencyEngine()
STATE, VIEW = contract_of(WHIST).state_size, contract_of(WHIST).view_size
EFFORT = 0.3
RNG = ctypes.create_string_buffer(b"\x07" * 64)
WORDS = '[events]\ntrick = "{who}"\n'


@dataclass(frozen=True)
class Plant:
    """A fault: functions of the struct, members of the plugin, files of its package, or what the host gives a check."""

    functions: Mapping[str, Fault] = field(default_factory=dict)
    members: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] | None = None
    base: Engine = WHIST
    players: int = 3
    options: Mapping[str, Any] = field(default_factory=dict)
    trial: type[Trial] = Trial


def text(language: str) -> Mapping[str, str]:
    return {"en": "word", "fr": "mot"} if language == "both" else {"en": "word"}


# ---- Functions of the struct that go wrong ----


def one_more(original: Original, rules: int) -> int:
    return int(original(rules)) + 1


def swapped(original: Original, rules: int, state: int, seat: int, moves: int) -> int:
    count = int(original(rules, state, seat, moves))
    if count > 1:
        write(moves, read(moves + 2, 2) + read(moves, 2))
    return count


def now_and_then_fewer() -> Fault:
    calls = itertools.count()

    def fault(original: Original, rules: int, state: int, seat: int, moves: int) -> int:
        count = int(original(rules, state, seat, moves))
        return count - 1 if count > 1 and next(calls) % 2 else count

    return fault


def too_much(original: Original, rules: int, state: int, utilities: int) -> None:
    original(rules, state, utilities)
    ctypes.c_float.from_address(utilities).value += 0.5


def nobodys_turn(original: Original, rules: int, state: int) -> int:
    seat = int(contract_of(WHIST).to_move(rules, read(state, STATE)))
    return 0 if seat < 0 else 1 << (seat + 1) % 3


def two_at_once(original: Original, rules: int, state: int) -> int:
    seat = int(contract_of(WHIST).to_move(rules, read(state, STATE)))
    return 0 if seat < 0 else 1 << seat | 1 << (seat + 1) % 3


def not_a_number(original: Original, rules: int, root: int, end: int, values: int) -> int:
    count = int(original(rules, root, end, values))
    ctypes.c_float.from_address(values).value = math.nan
    return count


def weightless(original: Original, *arguments: int) -> None:
    original(*arguments)
    ctypes.c_float.from_address(arguments[-1]).value = 0


def peeking(original: Original, *arguments: int) -> None:
    original(*arguments)
    _, state, *_, weights = arguments
    ctypes.c_float.from_address(weights).value = 1 + sum(number * byte for number, byte in enumerate(read(state, STATE)))


def seed_in_the_state(original: Original, rules: int, luck: int, state: int) -> None:
    original(rules, luck, state)
    write(state + STATE - 1, bytes([Luck.from_address(luck).seed[0] & 255]))


def unnamed_luck(original: Original, rules: int, luck: int, state: int) -> None:
    original(rules, ctypes.addressof(FIXED), state)
    write(state + STATE - 1, bytes([Luck.from_address(luck).seed[0] & 255]))


FIXED = fixed_luck()


def always_the_same_deal(original: Original, rules: int, luck: int, state: int) -> None:
    original(rules, ctypes.addressof(FIXED), state)


def remembering() -> Fault:
    calls = itertools.count()

    def fault(original: Original, rules: int, state: int, move: int, luck: int) -> None:
        original(rules, state, move, luck)
        write(state + STATE - 1, bytes([next(calls) & 255]))

    return fault


def no_move(original: Original, rules: int, state: int, move: int, luck: int) -> None:
    """Nothing changes, so no match ever ends."""


def a_byte_short(original: Original, rules: int, state: int, seat: int, view: int) -> None:
    own = ctypes.create_string_buffer(VIEW)
    original(rules, state, seat, ctypes.addressof(own))
    write(view, own.raw[:-1])


def another_world(original: Original, rules: int, view: int, rng: int, world: int) -> None:
    own = ctypes.create_string_buffer(STATE)
    contract_of(WHIST).deal(rules, FIXED, own)
    write(world, own.raw)


def one_world(original: Original, rules: int, view: int, rng: int, world: int) -> None:
    own = ctypes.create_string_buffer(RNG.raw, len(RNG.raw))
    original(rules, view, ctypes.addressof(own), world)


def changing_worlds() -> Fault:
    calls = itertools.count()

    def fault(original: Original, rules: int, view: int, rng: int, world: int) -> None:
        own = ctypes.create_string_buffer(next(calls).to_bytes(8, "little") * 8)
        original(rules, view, ctypes.addressof(own), world)

    return fault


def likelihood_of(value: Callable[[bytes], float]) -> Fault:
    def fault(original: Original, rules: int, world: int, seat: int) -> float:
        return value(read(world, STATE))

    return fault


def omniscient(original: Original, *arguments: int) -> int:
    return hash(read(arguments[3], contract_of(AGENCY).state_size)) & (1 << 64) - 1


def one_key(original: Original, rules: int, state: int, seat: int) -> int:
    return 7


def own_draws() -> Fault:
    calls = itertools.count()

    def fault(original: Original, rules: int, state: int, rng: int, luck: int) -> int:
        own = ctypes.create_string_buffer(next(calls).to_bytes(8, "little") * 8)
        return int(original(rules, state, ctypes.addressof(own), luck))

    return fault


def one_playout(original: Original, rules: int, state: int, rng: int, luck: int) -> int:
    own, fixed = ctypes.create_string_buffer(RNG.raw, len(RNG.raw)), fixed_luck()
    contract_of(WHIST).deal(rules, fixed, ctypes.cast(state, ctypes.c_char_p))
    return int(original(rules, state, ctypes.addressof(own), ctypes.addressof(fixed)))


# ---- Members of the plugin that go wrong ----


def lenient(self: Any, rules: Any, text: str) -> list[int]:
    return [0]


def talkative(self: Any, players: int, options: Mapping[str, Any]) -> Rules:
    return replace(WHIST.make_rules(players, options), options={"players": players, "more": 1})


def forgetful(self: Any, rules: Any, view: bytes) -> dict[str, Any]:
    return WHIST.view_json(rules, view) | {"seat": 0}


def careless(self: Any, rules: Any, data: Mapping[str, Any]) -> bytes:
    try:
        return WHIST.view_bytes(rules, data)
    except BadView as error:
        raise RuntimeError from error


def undeclared(self: Any, *_: Any) -> list[GameEvent]:
    return [GameEvent("rain", {})]


def counted() -> Callable[..., list[GameEvent]]:
    calls = itertools.count()
    return lambda *_: [GameEvent("trick", {"who": next(calls)})]


KINDS = {"trick": {"who": "count"}}
OPTION = Option("no_such_option", 1, {"en": "1", "fr": "1"}, {"en": "one", "fr": "un"})
WRONG_METRIC = HintWords({"en": "deals", "fr": "donnes"}, [Quantity("no_{me}", text("both"), text("both"))])
WRONG_LABEL = HintWords({"en": "deals", "fr": "donnes"}, [Quantity("trick_{me}", text("both"), text("en"))])


# ---- A host that goes wrong, where an engine cannot ----


class Wrapped:
    """Something of the host, with some of its members replaced."""

    def __init__(self, inner: Any, **members: Any) -> None:
        self._inner = inner
        self.__dict__.update(members)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class SharedCopies(Trial):
    def positions(self, count: int, salt: int = 0) -> Iterator[State]:
        for state in super().positions(count, salt):
            if not state.is_over:
                wrapped: Any = Wrapped(state, copy=lambda state=state: state)
                yield wrapped


class LiveViews(Trial):
    """Views that are those of the state as it is by now."""

    def new(self, seed: int) -> State:
        state = super().new(seed)
        views = Wrapped(None, to_bytes=lambda: state.view(0).to_bytes(), determinize=lambda seed: state.view(0).determinize(seed))
        wrapped: State = Wrapped(state, view=lambda seat: views)  # type: ignore[assignment]
        return wrapped


class TrustingGame(Trial):
    @property
    def game(self) -> Any:
        return Wrapped(self.case.game, view_from_bytes=lambda *_: None, playouts=lambda **_: None)


PLANTS: Mapping[str, Plant] = {
    "struct": Plant({"seats": one_more}),
    "complete-options": Plant(members={"make_rules": talkative}),
    "wrong-options": Plant(members={"options": (OPTION,)}),
    "option-words": Plant(members={"titles": {"en": "Knockout Whist"}}),
    "legal-moves": Plant({"legal_moves": swapped}),
    "match-end": Plant({"utilities": too_much}),
    "turns": Plant({"seats_to_move": nobodys_turn}),
    "answers-at-once": Plant({"seats_to_move": two_at_once}),
    "refused-moves": Plant(members={"parse_move": lenient}),
    "observed-moves": Plant(members={"public_text": lambda self, rules, move: ""}),
    "metrics": Plant({"metrics": not_a_number}),
    "weights": Plant({"weights": weightless}),
    "luck-outside": Plant({"deal": seed_in_the_state}),
    "seeds": Plant({"deal": unnamed_luck}),
    "same-again": Plant({"apply": remembering()}),
    "copies": Plant(trial=SharedCopies),
    "written-records": Plant({"apply": remembering()}),
    "tampered-records": Plant(members={"outcomes": lambda self, rules, layout: []}),
    "failed-moves": Plant(members={"parse_move": lenient}),
    "who-is-asked": Plant({"legal_moves": now_and_then_fewer()}),
    "view-formats": Plant(members={"view_json": forgetful}),
    "foreign-bytes": Plant(trial=TrustingGame),
    "garbled-bytes": Plant(members={"view_bytes": careless}),
    "garbled-json": Plant(members={"view_bytes": careless}),
    "no-view-at-all": Plant(members={"view_bytes": careless}),
    "lasting-views": Plant(trial=LiveViews),
    "every-byte": Plant({"view": a_byte_short}),
    "fitting-worlds": Plant({"determinize": another_world}),
    "drawn-worlds": Plant({"determinize": one_world}),
    "nothing-hidden": Plant(members={"hides_nothing": True}),
    "repeated-worlds": Plant({"determinize": changing_worlds()}),
    "playable-worlds": Plant({"apply": no_move}),
    "plausibility": Plant({"likelihood": likelihood_of(lambda world: 2.0)}),
    "plausibility-at-first": Plant({"likelihood": likelihood_of(lambda world: 1 / (2 + hash(world) % 50))}),
    "plausibility-later": Plant({"likelihood": likelihood_of(lambda world: 1.0)}),
    "private-observations": Plant({"private_observation": omniscient}, base=AGENCY),
    "field-places": Plant(
        members={"views": ViewSchema(Field("round", Number(), "table.round"), Field("ply", Number(), "table.round"))}
    ),
    "field-words": Plant(members={"views": ViewSchema(Field("mystery", Number()))}),
    "equal-keys": Plant({"view_key": one_key}),
    "different-keys": Plant({"view_key": one_key}),
    "secrecy-pairs": Plant({"weights": peeking}),
    "sight-of-weights": Plant({"weights": peeking}),
    "move-texts": Plant(members={"move_label": lambda self, rules, move, language: "" if language == "fr" else "card"}),
    "hidden-moves": Plant(members={"public_label": AgencyEngine.move_label}, base=AGENCY, options={"deck": DENSE}),
    "words": Plant(files={"words/en.toml": WORDS, "words/fr.toml": '[events]\ncard = "{who}"\n'}),
    "rules-for-players": Plant(files={"rules/en.md": "# Knockout Whist\n"}),
    "seat-names": Plant(members={"seat_name": lambda self, rules, seen, seat, language: "somebody"}),
    "event-words": Plant(files={"words/en.toml": "x = 'y'\n", "words/fr.toml": "x = 'y'\n"}, members={"event_kinds": KINDS}),
    "told-events": Plant(members={"event_kinds": KINDS, "events": undeclared}),
    "secrecy-of-events": Plant(members={"event_kinds": KINDS, "events": counted()}),
    "hint-metrics": Plant(members={"hint_words": lambda self, rules: WRONG_METRIC}),
    "hint-texts": Plant(members={"hint_words": lambda self, rules: WRONG_LABEL}),
    "bulk-ends": Plant({"utilities": too_much}),
    "own-loop": Plant({"playout": own_draws()}),
    "bulk-count": Plant({"playout": own_draws()}),
    "horizon": Plant({"playout": own_draws()}),
    "bulk-seeds": Plant({"playout": one_playout}),
    "bulk-refusals": Plant(trial=TrustingGame),
    "threads": Plant({"playout": own_draws()}),
    "full-arena": Plant(),
    "kept-tree": Plant(),
    "whole-hints": Plant(members={"move_phrase": lambda self, rules, seen, move, how: "{who}"}),
    "table": Plant(members={"table": "nowhere.to_be:Found"}),
    "form": Plant(members={"form": "nowhere.to_be:Found"}),
}
# What is the search's own is counted wrongly by a search.
MISCOUNTED = {"full-arena", "kept-tree"}


class MiscountingSearch:
    def __init__(self, *arguments: Any, **settings: Any) -> None:
        self._inner = REAL_SEARCH(*arguments, **settings)

    @property
    def iterations(self) -> int:
        return self._inner.iterations + 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


REAL_SEARCH = _search.Search
MakePackage = Callable[[Mapping[str, str]], str]  # of files, by their paths


@pytest.fixture
def package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Callable[[Mapping[str, str]], str]]:
    """Makes a package with these files, which can be imported while the test runs."""
    name = "planted_" + "".join(filter(str.isalnum, request.node.name))

    def make(files: Mapping[str, str]) -> str:
        for file, content in {"__init__.py": "", **files}.items():
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        __import__(name)
        return name

    yield make
    sys.modules.pop(name, None)


def findings_of(name: str, case: ConformanceCase, trial: type[Trial]) -> list[Finding]:
    return list(check_named(name).findings(trial(case, name, effort=EFFORT)))


def test_every_check_has_its_fault_planted() -> None:
    assert set(PLANTS) == {check.name for check in FOR_EVERY_GAME}


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_fault_is_found(name: str, package: MakePackage, monkeypatch: pytest.MonkeyPatch) -> None:
    plant = PLANTS[name]
    if name in MISCOUNTED:
        monkeypatch.setattr(search_checks, "Search", MiscountingSearch)
    module = None if plant.files is None else package(plant.files)
    game = faulty(plant.base, plant.functions, module, **plant.members)

    found = findings_of(name, ConformanceCase(game, plant.players, plant.options), plant.trial)

    assert found
    assert all(finding.check == name and finding.expected and finding.came for finding in found)


@pytest.mark.parametrize("name", PLANTS)
def test_without_the_fault_nothing_is_found(name: str) -> None:
    plant = PLANTS[name]
    try:
        assert not findings_of(name, ConformanceCase(faulty(plant.base), plant.players, plant.options), Trial)
    except NotTried:
        assert not load(plant.base.name).plugin.event_kinds
