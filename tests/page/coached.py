"""Matches at a real table, as one person there sees them: what is answered to the form, and what is seen of each move."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from machiavel import v1
from machiavel.engines import State, View, load
from machiavel.engines.following import ViewQuestion, follow
from machiavel.engines.upcoming_moves import upcoming_moves
from machiavel.engines.view_differences import COUNT, ViewDifference, value_at
from machiavel.server.forms import make_form
from machiavel.server.forms.answer_shapes import AnswerShape, shape_of
from machiavel.server.forms.field_entries import as_entry
from tests.server.cli.table_answers import ANSWERS

__all__ = ["Json", "laid_out", "script_of"]

Json = dict[str, Any]
# Who plays whom is told by who sits at the table.
OPTIONS: Mapping[str, Json] = {
    "agency": {"agents": ["martha", "jean", "wxt", "belton", "moignons"]},
    "citadel": {"characters": ["nathan", "irene", "leroy", "edward", "destiny"]},
}
SORTS = {"l": "lair", "s": "spy", "d": "doubler"}  # of bond, as they are typed


def laid_out(game: str, players: int, own: int) -> State:
    """A match that its own seat can tell from the first move on: where forms count from oneself, one is seat 0."""
    options = {name: value[:players] for name, value in OPTIONS.get(game, {}).items()}
    for seed in range(1000):
        state = load(game).new(players, seed=seed, **options)
        if game not in ANSWERS or game == "whist" or state.seat_to_move == own:
            return state
    raise AssertionError("the seat is never first")


def script_of(game: str, players: int, own: int, plies: int) -> Json:
    """What the person taps, in its order; `views` are the true ones before each of their moves, by the moves entered so far."""
    state, draw = laid_out(game, players, own), random.Random(f"{game} {players} {own}")
    while own not in state.seats_to_move:  # a form is filled in when one is asked
        state.play(draw.choice(state.legal_moves()))
    view = state.view(own)
    steps, views = [], {}
    for number in range(plies):
        if state.is_over:
            break
        if state.seat_to_move == own:
            views[number] = state.view(own).to_json()
        steps.append(step_of(state, own, draw))
    return {"game": game, "players": players, "own": own, "form": dict(form_taps(view)), "steps": steps, "views": views}


# ---- The form ----


def form_taps(view: View) -> Iterator[tuple[str, Json]]:
    """By question what is tapped; of those alone that are not as usual."""
    entries = ANSWERS[view.game.name](view, remembers=True) if view.game.name in ANSWERS else field_entries(view)
    entries["players"] = str(view.players)
    answers: Json = {}
    for step in make_form(view.game).steps:
        if not step.is_needed(answers):
            continue
        usual = step.usual(answers)
        entry = entries.get(step.key) or usual or ""
        shape = AnswerShape("yes_or_no") if step.is_yes_or_no else shape_of(step.read, answers)
        answers[step.key] = step.read(answers, entry)
        is_asked = shape.kind == "things" and not step.key.startswith("field:")
        is_asked |= shape.kind in {"seat", "thing"} and usual != shape.nothing
        if is_asked or usual is None or answers[step.key] != step.read(answers, usual):
            yield step.key, taps(shape, entry)


def field_entries(view: View) -> Json:
    seen = view.to_json()["view"]
    own = {"hands", "cups", "aside", "passed"}
    told = {f"field:{name}": as_entry(value[view.seat] if name in own else value) for name, value in seen.items()}
    return told | {f"option:{name}": json.dumps(value) for name, value in view.rules.options.items() if name != "players"}


def taps(shape: AnswerShape, entry: str) -> Any:
    """What is tapped for an entry: a text, or a list of what is tapped for each item."""
    if shape.nothing and entry == shape.nothing:
        return [] if shape.kind in {"several", "things"} else ""
    if shape.kind == "yes_or_no":
        return "true" if entry[0] in "y1t" else "false"
    if shape.kind == "things":
        return [f"{SORTS[word[0]]}:{word[1:]}" if shape.repeats and word[0] in SORTS else word for word in entry.split()]
    if shape.kind in {"by_seat", "several", "parts"}:
        parts = entry.split(shape.between.strip() or None)
        inner = shape.parts or [shape.inside or AnswerShape()] * len(parts)
        return [taps(one, part.strip()) for one, part in zip(inner, parts, strict=True)]
    return entry


# ---- Moves ----


def step_of(state: State, own: int, draw: random.Random) -> Json:
    """Plays a move, and tells what is seen of it; `wrong` is another that it might have been."""
    view, mover = state.view(own), state.seat_to_move
    upcoming = upcoming_moves(view)
    assert upcoming is not None
    state.play(draw.choice(state.legal_moves()))
    move, after = str(state.last_move(own)), state.view(own).to_json()["view"]
    others = [one for one in upcoming.moves if one != move]
    return {
        "seat": mover,
        "move": move,
        "place": upcoming.moves.index(move),
        "auto": mover != own and not others,
        "wrong": upcoming.moves.index(draw.choice(others)) if others else None,
        "told": list(told_after(view, move, after)),
    }


def told_after(view: View, move: str, after: Json) -> Iterator[Json]:
    """The questions that follow on a move, each with what is tapped for it."""
    answers: Json = {}
    before = view.to_json()["view"]
    while (found := follow(view, move, None, answers)).view is None:
        question = found.questions[0]
        value = value_at(after, question.difference.place)
        answers[question.place] = value
        yield {"place": question.place, "taps": question_taps(question, value, list_at(before, question.difference))}


def list_at(before: Json, difference: ViewDifference) -> Any:
    """What lay there before the move, where it is things in any order."""
    return value_at(before, difference.place) if difference.is_heap else None


def question_taps(question: ViewQuestion, value: Any, before: Any) -> Any:
    """What is tapped for an answer; of things that have gone, which these are."""
    difference, known, possible = question.difference, question.known, question.possible
    if difference.is_heap:
        if question.more is None and possible and isinstance(before, list) and {*known, *possible} <= {*before}:
            return fresh(before, value)
        if isinstance(value, dict):
            return [fresh(value.get(name, []), (known or {}).get(name, [])) for name in known or value]
        return fresh(value, known or [])
    if possible or difference.place[-1] == COUNT:
        return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return texts(value)


def fresh(value: list[Any], known: list[Any]) -> list[str]:
    return [str(one) for one in (Counter(value) - Counter(known)).elements()]


def texts(value: Any) -> Any:
    if isinstance(value, list):
        return [texts(one) for one in value]
    if isinstance(value, dict):
        return [texts(one) for one in value.values()]
    return "" if value is None else json.dumps(value) if isinstance(value, bool) else str(value)


def seen_by_page(view: str) -> Json:
    """The view of a request, out of its bytes in hexadecimal digits."""
    from machiavel.server.service import wire

    return wire.read_view(v1.View.FromString(bytes.fromhex(view))).to_json()
