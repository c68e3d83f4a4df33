"""What is fuzzed: by name, what reads the bytes, good inputs to begin with, and what a change of one looks like.

A target takes any bytes. It returns where they are read, and where they are refused in words; whatever else it raises is a find.
"""

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import DecodeError

from bench.fuzz.files import OneFile
from bench.fuzz.fuzzed_services import FuzzedServices
from bench.fuzz.kept_files import database_seeds, databases, journal_seeds, journals
from bench.web_mutations import dumped, mutated_bytes, mutated_json
from machiavel import v1
from machiavel.engines import GameError, Record, State, games, load
from machiavel.engines.decks import read_deck
from machiavel.search import make_bot
from machiavel.server.journal import BadJournal
from machiavel.server.matches.tokens import read_code
from machiavel.server.service.access_files import read_tokens
from machiavel.server.service.config import BadConfig, load_config, read_limits
from machiavel.server.service.refusals import BadRequest
from machiavel.server.tournaments.plan import Plan
from machiavel.server.web.json_messages import read_json, write_json

__all__ = ["TARGETS", "FuzzTarget"]

PLIES = 6
LONGEST = 1 << 14  # bytes of an input

Read = Callable[[bytes], None]
Change = Callable[[bytes, random.Random], bytes]


@dataclass(frozen=True)
class FuzzTarget:
    """`make` gives what reads, and `seeds` good inputs; both are called once. `change` makes another input of one.

    No input is longer than `longest`, in bytes.
    """

    make: Callable[[], Read]
    seeds: Callable[[], Sequence[bytes]]
    change: Change = mutated_bytes
    longest: int = LONGEST


def changed_json(data: bytes, draw: random.Random) -> bytes:
    """With something else in a place or two, where it is JSON, and not so long that lists of it fill the memory."""
    if len(data) > LONGEST // 4:
        return mutated_bytes(data, draw)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return mutated_bytes(data, draw)
    return dumped(mutated_json(value, draw), draw)


def json_text(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()


# ---- Matches to begin with ----


def states() -> Iterator[State]:
    """One of each game, in the midst of it."""
    for name in games():
        game = load(name)
        draw, state = random.Random(name), game.new(game.players[0], seed=7)
        for _ in range(PLIES):
            if not state.is_over:
                state.play(draw.choice(state.legal_moves()))
        yield state


def first_byte(data: bytes, choices: Sequence[Any]) -> tuple[Any, bytes]:
    """The first byte chooses."""
    return choices[(data[0] if data else 0) % len(choices)], data[1:]


def behind(number: int, data: bytes) -> bytes:
    return bytes([number]) + data


def changed_behind(change: Change) -> Change:
    """The same change of what stands behind the first byte, which changes seldom."""

    def result(data: bytes, draw: random.Random) -> bytes:
        head = bytes([draw.randrange(256)]) if draw.random() < 0.02 or not data else data[:1]
        return head + change(data[1:], draw)

    return result


# ---- Texts ----


def bots() -> Read:
    def read(data: bytes) -> None:
        with suppress(GameError):
            bot: Any = make_bot(data.decode("utf-8", "surrogateescape"))
            assert make_bot(bot.spec).spec == bot.spec  # noqa: S101

    return read


BOTS = (
    "random:seed=3",
    "greedy",
    "ismcts:seed=1,iterations=20",
    "pimc:worlds=3",
    "level4",
    "level10:seed=2",
    "ismcts:variant=multi",
)


def moves() -> Read:
    every = list(states())

    def read(data: bytes) -> None:
        state, rest = first_byte(data, every)
        plugin, rules, text = state.game.plugin, state.rules, rest.decode("utf-8", "surrogateescape")
        with suppress(GameError):
            for number in plugin.parse_move(rules, text):
                canonical = plugin.move_text(rules, number)
                assert list(plugin.parse_move(rules, canonical)) == [number], (text, canonical)  # noqa: S101
        with suppress(GameError):
            state.copy().play(text)

    return read


def move_seeds() -> list[bytes]:
    return [behind(number, text.encode()) for number, state in enumerate(states()) for text in state.legal_moves()[:6]]


def codes() -> Read:
    def read(data: bytes) -> None:
        text = read_code(data.decode("utf-8", "surrogateescape"))
        assert len(text) <= 128 and read_code(text) == text, text  # noqa: S101, PT018

    return read


# ---- JSON ----


def views() -> Read:
    every = {state.game.name: state.game for state in states()}

    def read(data: bytes) -> None:
        with suppress(GameError, ValueError, RecursionError):
            value = json.loads(data)
            if isinstance(value, dict) and isinstance(value.get("game"), str) and value["game"] in every:
                check(every[value["game"]], value)

    def check(game: Any, value: Any) -> None:
        with suppress(GameError):
            view = game.view_from_json(value)
            assert game.view_from_json(view.to_json()) == view, value  # noqa: S101
            world = view.determinize(1)
            if not world.is_over:
                world.play(world.legal_moves()[0])

    return read


def view_seeds() -> list[bytes]:
    return [json_text(state.view(seat).to_json()) for state in states() for seat in (0, None)]


def records() -> Read:
    every = {state.game.name: state.game for state in states()}

    def read(data: bytes) -> None:
        try:
            record = Record.from_json(json.loads(data))
        except (GameError, ValueError, RecursionError):
            return
        with suppress(GameError):
            game = every.get(record.game)
            if game is not None:
                again = game.replay(record).record()
                assert game.replay(again).record() == again, data  # noqa: S101

    return read


def record_seeds() -> list[bytes]:
    return [json_text(state.record().to_json()) for state in states()]


def layouts() -> Read:
    every = list(states())

    def read(data: bytes) -> None:
        state, text = first_byte(data, every)
        try:
            layout = json.loads(text)
        except (ValueError, RecursionError):
            return
        with suppress(GameError):
            dealt = state.game.new(state.players, seed=1, layout=layout)
            assert state.game.replay(dealt.record()).to_bytes() == dealt.to_bytes(), layout  # noqa: S101

    return read


def layout_seeds() -> list[bytes]:
    """What is dealt, under the names that layouts have for it, and what the others are."""
    result = []
    for number, state in enumerate(states()):
        dealt = state.game.new(state.players, seed=7).truth()
        fields = {name: dealt.get(name) for name in names_of(state)}
        known = {name: value for name, value in fields.items() if value is not None}
        result += [behind(number, json_text(one)) for one in (known, fields, {**known, "rounds": [dealt]})]
    return result


def names_of(state: State) -> Iterable[str]:
    layouts = state.game.plugin.layouts
    return () if layouts is None else layouts.record.fields


def decks() -> Read:
    every = [load(name) for name in games() if any(one.name == "deck" for one in load(name).plugin.options)]

    def read(data: bytes) -> None:
        game, text = first_byte(data, every)
        try:
            deck = json.loads(text)
        except (ValueError, RecursionError):
            return
        with suppress(GameError):
            state = game.new(game.players[0], seed=1, deck=deck)
            for _ in range(PLIES):
                state.play(state.legal_moves()[0])

    return read


def deck_seeds() -> list[bytes]:
    every = [name for name in games() if any(one.name == "deck" for one in load(name).plugin.options)]
    return [behind(number, json_text(read_deck(f"machiavel.engines.{name}", "house")[1])) for number, name in enumerate(every)]


def plans() -> Read:
    def read(data: bytes) -> None:
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            return
        with suppress(BadJournal):
            plan = Plan.from_json(value)
            assert Plan.from_json(plan.to_json()) == plan  # noqa: S101

    return read


PLAN = {
    "game": "kuhn",
    "rules_version": 1,
    "digest": "ab",
    "options": {"players": 2},
    "bots": ["greedy", "random"],
    "seed": "1",
    "format": "round-robin",
    "tables": [[0, 1]],
    "seatings": "all",
    "sample": 0,
    "sprt": {"alpha": 0.05},
}


# ---- TOML ----


def config() -> Read:
    file = OneFile("machiavel.toml")

    def read(data: bytes) -> None:
        path = file.write(data)
        for reader in (lambda path: load_config({"config": path}, {}), read_limits, read_tokens):
            with suppress(BadConfig):
                reader(path)

    return read


CONFIGS = (
    b'listen = "127.0.0.1:7788"\nthreads = 2\nkeep_over = 3.5\nreflection = false\nlog_level = "info"\nweb_origins = "https://a.example"\n',
    b"[callers.ann]\ncalls = 3\nsearches = 2\n\n[callers.default]\nkept_megabytes = 7\n[callers.guest]\nparsing_kib = 9\n",
    b'[tokens]\nann = "0123456789abcdef"\nbo = "fedcba9876543210"\n',
)


# ---- Messages ----


def message_classes() -> list[Any]:
    return [kind for _, kind in sorted(vars(v1).items()) if isinstance(kind, type) and hasattr(kind, "DESCRIPTOR")]


def json_messages() -> Read:
    """JSON of any message, and what it comes to."""
    every = message_classes()

    def read(data: bytes) -> None:
        kind, text = first_byte(data, every)
        with suppress(BadRequest):
            message = read_json(text, kind)
            again = read_json(write_json(message), kind)
            assert again.SerializeToString(deterministic=True) == message.SerializeToString(deterministic=True)  # noqa: S101

    return read


def binary_messages() -> Read:
    """Bytes of any message, written as JSON, and read again."""
    every = message_classes()

    def read(data: bytes) -> None:
        kind, body = first_byte(data, every)
        try:
            message = kind.FromString(body)
        except DecodeError:
            return
        message.DiscardUnknownFields()  # as in all that the server makes itself, and nothing else is written
        with suppress(BadRequest):
            text = write_json(message)
            json.loads(text)
            read_json(text, kind)

    return read


def message_seeds(is_json: bool) -> list[bytes]:
    numbers = {kind.DESCRIPTOR.full_name: number for number, kind in enumerate(message_classes())}
    every = [one.message for one in FuzzedServices.good()]
    texts = [write_json(one) if is_json else one.SerializeToString() for one in every]
    return [behind(numbers[one.DESCRIPTOR.full_name] % 256, text) for one, text in zip(every, texts, strict=True)]


TARGETS: dict[str, FuzzTarget] = {
    "bots": FuzzTarget(bots, lambda: [text.encode() for text in BOTS]),
    "moves": FuzzTarget(moves, move_seeds),
    "codes": FuzzTarget(codes, lambda: [b"ABCD-EFGH", b"olio 1l0o"]),
    "views": FuzzTarget(views, view_seeds, changed_json),
    "records": FuzzTarget(records, record_seeds, changed_json),
    "layouts": FuzzTarget(layouts, layout_seeds, changed_behind(changed_json)),
    "decks": FuzzTarget(decks, deck_seeds, changed_behind(changed_json)),
    "plans": FuzzTarget(plans, lambda: [json_text(PLAN)], changed_json),
    "journals": FuzzTarget(journals, journal_seeds),
    "config": FuzzTarget(config, lambda: list(CONFIGS)),
    "json_messages": FuzzTarget(json_messages, lambda: message_seeds(is_json=True), changed_behind(changed_json)),
    "binary_messages": FuzzTarget(binary_messages, lambda: message_seeds(is_json=False), changed_behind(mutated_bytes)),
    "databases": FuzzTarget(databases, database_seeds, longest=1 << 18),
    "handlers": FuzzTarget(FuzzedServices.reader, FuzzedServices.seeds, FuzzedServices.change),
    "door": FuzzTarget(FuzzedServices.door_reader, FuzzedServices.door_seeds, FuzzedServices.door_change),
}
