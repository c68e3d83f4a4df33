"""The nouns of the API and those of the house: records, states, views, moves, recommendations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import Any, TypeVar

from google.protobuf.message import Message

from machiavel import engines, v1
from machiavel.engines import LANGUAGES, BadRecord, BadView, Game, GameError, MoveError, State, View
from machiavel.engines.phrases import typeset
from machiavel.engines.position_labels import Seen, labels_here, seen_along, seen_here
from machiavel.engines.record import parse_seed
from machiavel.engines.registry import file_of
from machiavel.search import Candidate, Recommendation
from machiavel.server.service import messages
from machiavel.server.service.message_schemas import unset_of_layout, unset_of_view
from machiavel.server.service.refusals import BadRequest, located

__all__ = [
    "MOST_OPTIONS",
    "candidate_message",
    "line_move_message",
    "move_message",
    "move_messages",
    "options_message",
    "part",
    "put_record",
    "put_state",
    "put_view",
    "read_layout",
    "read_options",
    "read_record",
    "read_seed",
    "read_state",
    "read_view",
    "recommendation_message",
    "seen_move_message",
    "state_message",
    "text_message",
    "typeset_message",
    "view_message",
]

Envelope = TypeVar("Envelope", v1.Options, v1.Layout, v1.View)
MOST_OPTIONS = 32 * 1024  # bytes; the largest deck of the house has 15,000
VIEW_FIELDS = {"game", "rules_version", "options"}


def text_message(texts: Mapping[str, str]) -> v1.LocalizedText:
    return v1.LocalizedText(en=texts["en"], fr=texts["fr"])


def typeset_message(texts: Mapping[str, str]) -> v1.LocalizedText:
    """The same of texts that are as their author wrote them."""
    return text_message({language: typeset(text, language) for language, text in texts.items()})


# ---- What a game has a message of its own for ----


def part(envelope: Envelope, oneof: str, game: str) -> str:
    """The field of a oneof that is for a game: of its name, or `other`, as for every game out of a file."""
    return game if game in own_parts(envelope.DESCRIPTOR, oneof) and file_of(game) is None else "other"


@cache
def own_parts(descriptor: Any, oneof: str) -> frozenset[str]:
    """The games that a oneof has a field of their own for."""
    return frozenset(field.name for field in descriptor.oneofs_by_name[oneof].fields) - {"other"}


@cache
def unset_in(game: Game, oneof: str) -> messages.Unset:
    """What may be left out of a game's message in a View (`seen`) or a Layout; of its options everything may."""
    plugin = game.plugin
    if oneof == "seen":
        return unset_of_view(plugin.views) if plugin.views else messages.NOTHING_UNSET
    return unset_of_layout(plugin.layouts) if plugin.layouts else messages.NOTHING_UNSET


def read_part(envelope: Envelope, oneof: str, game: str, path: str, unset: messages.Unset) -> dict[str, Any]:
    """Its JSON; empty where nothing is set. Raises BadRequest where it is another game's."""
    name, given = part(envelope, oneof, game), envelope.WhichOneof(oneof)  # type: ignore[arg-type]
    if given is None:
        return {}
    if given != name:
        raise BadRequest(f"{path}.{given}", f"is set; of {game} expected {path}.{name}")
    result: dict[str, Any] = messages.read(getattr(envelope, name), f"{path}.{name}", unset)
    return result


def put_part(envelope: Envelope, oneof: str, game: str, data: Mapping[str, Any]) -> None:
    target: Message = getattr(envelope, part(envelope, oneof, game))
    target.SetInParent()
    messages.put(target, data)


def read_options(message: v1.Options, game: Game, path: str) -> dict[str, Any]:
    """Raises BadRequest, for more than any deck needs too: options are kept with every match, and told with it."""
    if message.ByteSize() > MOST_OPTIONS:
        raise BadRequest(
            path, f"have {message.ByteSize()} bytes; expected at most {MOST_OPTIONS}: a deck of less, or shorter texts in it"
        )
    own: Any = v1.Options.DESCRIPTOR.fields_by_name[part(message, "game", game.name)].message_type
    unset = messages.Unset([field.name for field in own.fields], {})
    result = read_part(message, "game", game.name, path, unset)
    if "players" in result:
        raise BadRequest(f"{path}.other.players", f"is no option; expected {path}.players")
    return {"players": message.players or None} | result


def options_message(options: Mapping[str, Any], game: str) -> v1.Options:
    message = v1.Options()
    put_options(message, options, game)
    return message


def put_options(message: v1.Options, options: Mapping[str, Any], game: str) -> None:
    message.players = options["players"]
    put_part(message, "game", game, {name: value for name, value in options.items() if name != "players"})


def read_layout(message: v1.Layout, game: Game, path: str) -> dict[str, Any]:
    return read_part(message, "game", game.name, path, unset_in(game, "layout"))


def read_seed(text: str, path: str) -> int:
    try:
        return parse_seed(text)
    except ValueError as error:
        raise BadRequest(path, str(error)) from None


# ---- Records and states ----


def read_state(message: v1.Record) -> State:
    """The state that a record comes to, replayed and checked."""
    with located(lambda _: "record.game"):
        game = engines.load(message.game)
    record = engines.Record(
        message.game,
        message.rules_version,
        message.digest,
        read_options(message.options, game, "record.options"),
        read_seed(message.seed, "record.seed") if message.HasField("seed") else None,
        read_layout(message.layout, game, "record.layout") if message.HasField("layout") else None,
        message.moves,  # as they are: of many that cannot be none is looked at after the first
    )
    with located(record_place):
        if not message.rules_version:
            raise BadRecord("rules_version", f"is missing; this release replays {game.rules_version}")
        return game.replay(record)


def read_record(message: v1.Record) -> engines.Record:
    """The record itself, replayed and checked, with what was taken back."""
    taken_back = tuple(engines.TakenBack(one.ply, tuple(one.moves)) for one in message.taken_back)
    return replace(read_state(message).record(), taken_back=taken_back)


def record_place(error: GameError) -> str:
    return f"record.{error.field}" if isinstance(error, BadRecord) else "record"


# Messages are filled where they stand: one that is given to another is copied, moves and all.


def state_message(state: State) -> v1.State:
    message = v1.State()
    put_state(message, state)
    return message


def put_state(message: v1.State, state: State) -> None:
    record = state.record()
    put_record(message.record, record)
    message.ply = len(record.moves)
    if state.seat_to_move is not None:
        message.seat_to_move = state.seat_to_move
    message.seats_to_move.extend(sorted(state.seats_to_move))
    message.over = state.is_over
    if state.is_over:
        message.utilities.extend(state.utilities)
    message.metrics.update(state.metrics)


def put_record(message: v1.Record, record: engines.Record) -> None:
    message.game, message.rules_version, message.digest = record.game, record.rules_version, record.digest
    put_options(message.options, record.options, record.game)
    if record.seed is not None:
        message.seed = str(record.seed)
    if record.layout is not None:
        put_part(message.layout, "game", record.game, record.layout)
    message.moves.extend(record.moves)
    message.taken_back.extend(v1.TakenBack(ply=one.ply, moves=one.moves) for one in record.taken_back)


# ---- Views and moves ----


def read_view(message: v1.View) -> View:
    """The view of a message, checked field by field."""
    with located(lambda _: "view.game"):
        game = engines.load(message.game)
    seen = part(message, "seen", game.name)
    data = {
        "game": message.game,
        "rules_version": message.rules_version,
        "options": read_options(message.options, game, "view.options"),
        "view": read_part(message, "seen", game.name, "view", unset_in(game, "seen")),
    }
    with located(lambda error: view_place(error, seen)):
        if not message.rules_version:
            raise BadView("rules_version", f"is missing; expected {game.rules_version}")
        return game.view_from_json(data)


def view_place(error: GameError, seen: str) -> str:
    if not isinstance(error, BadView) or error.field == "view":
        return f"view.{seen}"
    return f"view.{error.field}" if error.field in VIEW_FIELDS else f"view.{seen}.{error.field}"


def view_message(view: View) -> v1.View:
    message = v1.View()
    put_view(message, view)
    return message


def put_view(message: v1.View, view: View) -> None:
    data = view.to_json()
    message.game, message.rules_version = data["game"], data["rules_version"]
    put_options(message.options, data["options"], data["game"])
    put_part(message, "seen", data["game"], data["view"])


def move_message(place: View | State, text: str, seen: Seen | None = None) -> v1.Move:
    """A move from its canonical text, as it is called at that place; `seen` is `seen_here` of it, where several are told."""
    return v1.Move(text=text, label=text_message(labels_here(place, text, seen)))


def move_messages(place: View | State, texts: Iterable[str]) -> Iterator[v1.Move]:
    """The moves of one position."""
    seen = seen_here(place)
    return (move_message(place, text, seen) for text in texts)


def line_messages(view: View, line: Sequence[str]) -> Iterator[v1.Move]:
    """The moves of a line that follows from a view."""
    return (line_move_message(view, text, seen) for text, seen in zip(line, seen_along(view, line), strict=True))


def line_move_message(view: View, text: str, seen: Seen | None = None) -> v1.Move:
    """A move of somebody else as the view's owner would see it, from that text alone; `seen` is what is seen before it."""
    plugin, rules = view.game.plugin, view.rules
    hidden = {language: plugin.hidden_label(rules, text, language) for language in LANGUAGES}
    if all(hidden.values()):
        return v1.Move(text=text, label=text_message({language: label or text for language, label in hidden.items()}))
    try:
        return move_message(view, text, seen)
    except MoveError:  # it hides something, and the game does not say what players call it
        return v1.Move(text=text, label=text_message(dict.fromkeys(LANGUAGES, text)))


def seen_move_message(state: State, viewer: int | None, called: Mapping[str, str] | None = None) -> v1.Move:
    """The last move as a seat, or None for a spectator, has seen it; empty before the first.

    `called` are its labels where it was made, for whoever may know which it was.
    """
    text, labels = state.last_move(viewer), state.last_move_labels(viewer)
    if text is None or labels is None:
        return v1.Move()
    return v1.Move(text=text, label=text_message(called if called and text == state.moves[-1] else labels))


# ---- Recommendations ----


def recommendation_message(view: View, recommendation: Recommendation) -> v1.Recommendation:
    parameters = v1.SearchParameters()
    messages.put(parameters, asdict(recommendation.parameters))
    return v1.Recommendation(
        game=recommendation.game,
        rules_version=recommendation.rules_version,
        engine=recommendation.engine,
        seat=recommendation.seat,
        best=move_message(view, recommendation.best),
        candidates=[candidate_message(view, one) for one in recommendation.candidates],
        settled=recommendation.settled,
        parameters=parameters,
        iterations=recommendation.iterations,
        stopped=v1.StopReason.Value(f"STOP_REASON_{recommendation.stopped.upper()}"),
    )


def candidate_message(view: View, one: Candidate) -> v1.Candidate:
    return v1.Candidate(
        move=move_message(view, one.move),
        visits=one.visits,
        win_chance=one.win_chance,
        win_chance_error=one.win_chance_error,
        standard_error=one.standard_error,
        utility=one.utility,
        metrics=one.metrics,
        line=one.line,
        line_moves=line_messages(view, one.line),
    )
