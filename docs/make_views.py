"""Writes docs/views/*.json, a view for each kind of question of each game, and the table of them in docs/views.md.

`python docs/make_views.py` plays seeded matches, takes the first view in which each question is asked, and leaves out what
may be left out: a shorter view that means the same.
"""

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from textwrap import fill
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict

from machiavel import v1
from machiavel.engines import GameError, View, load
from machiavel.server.service import wire
from machiavel.server.service.refusals import Refusal

FOLDER = Path(__file__).parent / "views"
PAGE = FOLDER.with_suffix(".md")
BEGIN, END = "<!-- made by docs/make_views.py -->", "<!-- end -->"
WIDTH = 100
FORGOTTEN = {"may", "ply"}  # a person at a table need not keep count, nor remember who showed what

Moves = list[str]
Asks = Callable[[Mapping[str, Any], Moves], bool]


def begins(*starts: str) -> Asks:
    """Whether there is a move with each of these beginnings."""
    return lambda _, moves: all(any(move.startswith(start) for move in moves) for start in starts)


def phase(name: str) -> Asks:
    return lambda seen, _: seen.get("phase") == name


# By file: the game, how many play, what is asked, in words, and how it is told from other questions.
QUESTIONS: dict[str, tuple[str, int, str, Asks]] = {
    "agency-pass": ("agency", 3, "Which card do you pass on?", begins("pass:")),
    "agency-play": ("agency", 3, "Which card do you play?", lambda seen, moves: bool(seen["table"]) and ":" not in moves[0]),
    "agency-lead": ("agency", 3, "Who leads the next trick?", begins("lead:")),
    "agency-look": ("agency", 3, "Whose card do you look at?", begins("look:")),
    "bond-lair": ("bond", 3, "Do you lay out a lair?", phase("lair")),
    "bond-spy": ("bond", 3, "Do you send a spy, or steal?", begins("spy:", "steal:")),
    "bond-add": ("bond", 3, "Do you send another spy?", phase("add")),
    "bond-attack": ("bond", 3, "Do you kill the spy at once, or taunt it?", begins("kill", "taunt")),
    "bond-foil": ("bond", 3, "Do you foil the attack?", begins("foil", "let")),
    "citadel-act": ("citadel", 3, "What do you do with your action?", begins("go:", "unlock:", "card:")),
    "citadel-dice": ("citadel", 3, "Do you keep the dice, or throw again?", begins("keep", "reroll")),
    "citadel-card": (
        "citadel",
        3,
        "What do you choose, now that a card or a bonus lets you?",
        lambda seen, _: seen["phase"] == "card" and seen["played"] is not None,
    ),
    "citadel-bonus": ("citadel", 3, "Which bonus do you take?", lambda _, moves: all(one.startswith("bonus") for one in moves)),
    "citadel-activate": ("citadel", 3, "Do you use your ability?", phase("activate")),
    "hearts-pass": ("hearts", 4, "Which card do you pass on?", begins("pass:")),
    "hearts-play": ("hearts", 4, "Which card do you play?", lambda _, moves: ":" not in moves[0] and len(moves) > 2),
    "kuhn-open": ("kuhn", 2, "Do you bet, or pass?", lambda seen, _: seen["chips"] == [1, 1]),
    "kuhn-answer": ("kuhn", 2, "There is a bet. Do you bet too, or give up?", lambda seen, _: seen["chips"] != [1, 1]),
    "liars_dice-open": ("liars_dice", 3, "What is the first bid?", lambda _, moves: "liar" not in moves),
    "liars_dice-answer": ("liars_dice", 3, "Do you bid higher, or call them a liar?", lambda _, moves: {"liar"} < set(moves)),
    "whist-lead": ("whist", 3, "Which card do you lead?", lambda seen, moves: not seen["table"] and len(moves) > 3),
    "whist-follow": (
        "whist",
        3,
        "Which card do you play to this trick?",
        lambda seen, moves: bool(seen["table"]) and len(moves) > 2,
    ),
}


def questions(game: str, players: int) -> Iterator[tuple[View, Moves]]:
    """What seats are asked in seeded matches at random, with more than one move to choose from."""
    for seed in count(1):
        state, draw = load(game).new(players, seed=seed), random.Random(seed)
        while (seat := state.seat_to_move) is not None:
            moves = state.legal_moves(seat)
            if len(moves) > 1:
                yield state.view(seat), moves
            state.play(draw.choice(moves), seat)


def means_the_same(data: dict[str, Any], view: View, forgets: bool) -> bool:
    """Whether that JSON is taken, and is the view again; one that forgets may know less of what is past."""
    try:
        read = wire.read_view(ParseDict(data, v1.View()))
    except (GameError, Refusal):
        return False
    return read == view or (forgets and read.legal_moves() == view.legal_moves())


def message_of(view: View) -> dict[str, Any]:
    """A view as JSON of the API, without what may be left out."""
    whole: dict[str, Any] = MessageToDict(wire.view_message(view))
    (part,) = whole.keys() - {"game", "rulesVersion", "options"}
    whole[part] = in_order(whole[part], view.to_json()["view"])
    result = {"game": whole["game"], "rulesVersion": whole["rulesVersion"], "options": {"players": whole["options"]["players"]}}
    result[part] = whole[part]
    for name in whole[part]:
        without = {key: value for key, value in result[part].items() if key != name}
        if means_the_same(result | {part: without}, view, name in FORGOTTEN):
            result[part] = without
    return result


def in_order(value: Any, like: Any) -> Any:
    """Protobuf's maps have an order of their own in each process; this is the game's."""
    if not isinstance(value, dict) or not isinstance(like, dict):
        return value
    names = [name for name in like if name in value] + [name for name in value if name not in like]
    return {name: in_order(value[name], like.get(name)) for name in (value if set(names) - like.keys() else names)}


def laid_out(value: Any, indent: str = "") -> str:
    """JSON, in one line where it fits."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    line = json.dumps(value, ensure_ascii=False)
    line = re.sub(r"\.0\b", "", line)
    if len(indent + line) <= WIDTH or not isinstance(value, dict | list):
        return line
    inner = indent + "  "
    if isinstance(value, list) and not isinstance(value[0], dict | list):
        return fill(line, WIDTH, initial_indent="", subsequent_indent=inner)
    if isinstance(value, dict):
        rows = [f"{inner}{json.dumps(key)}: {laid_out(one, inner)}" for key, one in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + laid_out(one, inner) for one in value) + f"\n{indent}]"


def text_of(name: str) -> str:
    """What stands in the file of that name."""
    game, players, _, asks = QUESTIONS[name]
    view = next(view for view, moves in questions(game, players) if asks(view.to_json()["view"], moves))
    return laid_out({"view": message_of(view)}) + "\n"


def page() -> str:
    """docs/views.md, with the table of files as they are."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    rows = [
        f"| [{name}.json](views/{name}.json) | {game} | {players} | {asked} |"
        for name, (game, players, asked, _) in QUESTIONS.items()
    ]
    return "\n".join(
        [f"{before}{BEGIN}", "| file | game | players | what is asked |", "|---|---|--:|---|", *rows, f"{END}{after}"]
    )


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in QUESTIONS:
        (FOLDER / f"{name}.json").write_text(text_of(name), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
