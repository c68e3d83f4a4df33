"""At tables of every size: who answers each question as it is put gets the moves that they have."""

import io
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rich.console import Console

from machiavel.engines import State, View, load
from machiavel.engines.citadel.house import COLOURS
from machiavel.server.cli.interview import Interview, interview
from machiavel.server.forms import make_form

Json = dict[str, Any]


def positions(game: str, players: int, count: int) -> Iterator[View]:
    """Views of seat 0, where the form puts whoever types; but in the first trick of whist, which seat 0 leads, of anybody."""
    rng = random.Random(f"{game} {players}")
    for _ in range(3000):
        state = load(game).new(players, seed=rng.getrandbits(64))
        for _ in range(rng.randrange(110)):
            if not state.is_over:
                state.play(rng.choice(state.legal_moves()))
        if not state.is_over and is_askable(game, state):
            count -= 1
            yield state.view(state.seat_to_move)
        if not count:
            return
    raise AssertionError("too few positions")


def is_askable(game: str, state: State) -> bool:
    seen = state.view(state.seat_to_move).to_json()["view"]
    if game == "whist" and (seen["round"], seen["trick"]) == (1, 1):
        return True
    return state.seat_to_move == 0 and (game != "citadel" or seen["phase"] == "act")


def words(items: Any) -> str:
    return " ".join(str(item) for item in items)


def agency_answers(view: View, *, remembers: bool) -> Json:
    seen = view.to_json()["view"]
    now = [entry for entry in seen["half"] if entry["trick"] == seen["trick"]]
    on_table = [card for _, card in seen["table"]]
    drawn = [power for power in ("martha", "jean") if seen[power]]
    return {
        "powers": "y",
        "agents": words(seen["agents"]),
        "medals": words(seen["medals"]),
        "trick": str(seen["trick"]),
        "hand": words(seen["hand"]),
        "top": seen["pile"][0],
        "passed": "y" if seen["phase"] == "play" else "n",
        "exchange": words([now[0]["gave"], now[0]["received"]]) if now else "",
        "table": words(on_table),
        "last": "y" if seen["last"] is not None else "n",
        "leader": str(seen["leader"]),
        "drawn": words(drawn),
        "points": words(seen["plan_points"]),
        "greens": words(seen["greens"]),
        "yellows": words(seen["yellows"]),
        "seen": words(card for card in seen["seen"] if card not in on_table) if remembers else "",
        "gone": "",
    }


def heap(cards: Json) -> str:
    return words(f"{sort}{card}" for name, sort in (("lairs", "l"), ("spies", "s"), ("doublers", "d")) for card in cards[name])


def bond_answers(view: View, *, remembers: bool) -> Json:
    seen = view.to_json()["view"]
    attack = seen["attack"] or {}
    return {
        "phase": seen["phase"],
        "hand": heap(seen["hand"]),
        "points": words(seen["points"]),
        "lairs": words("+".join(map(str, lair)) or "-" for lair in seen["lairs"]),
        "hands": words(f"{hand['spies']}+{hand['others']}" for hand in seen["hands"][1:]),
        "discard": heap(seen["discard"]),
        "top": seen["pile"]["top"] or "none",
        "idle": str(seen["idle"]),
        "turn": str(seen["turn"]),
        "target": str(attack.get("target")),
        "spies": words(attack.get("spies", ())),
        "victim": str(attack.get("victim")) if attack.get("source") == "steal" else str(attack.get("source")),
        "taunts": words(attack.get("taunts", ())),
        "taunt": str(attack.get("taunt")),
    }


def citadel_answers(view: View, *, remembers: bool) -> Json:
    seen = view.to_json()["view"]
    tiles = {colour: words(seen["treasures"][colour][name] for name in ("id", "room", "clock")) for colour in COLOURS}
    powers = [character for character, is_up in zip(seen["characters"], seen["powers"], strict=True) if is_up]
    return tiles | {
        "setting": view.rules.options["setting"],
        "characters": words(seen["characters"]),
        "places": words(place or "-" for place in seen["places"]),
        "professor": seen["professor"],
        "time": str(seen["time"]),
        "traps": words(seen["traps"].values()),
        "off": words(seen["off"]),
        "open": words(seen["open"]),
        "saved": words(seen["saved"]),
        "lost": words(seen["lost"]),
        "up": words(powers),
        "shown": words(seen["shown"]),
        "played": seen["played"] or "",
        "held": "y" if seen["held"] else "n",
        "used": "y" if seen["power_used"] else "n",
        "fresh": "y" if seen["activated"] else "n",
        "actions": str(seen["actions"]),
        "discards": words(card for cards in seen["discards"] for card in cards),
    }


def whist_answers(view: View, *, remembers: bool) -> Json:
    seen = view.to_json()["view"]
    on_table = [card for _, card in seen["table"]]
    return {
        "dealt": str(8 - seen["round"]),
        "trump": seen["trump"],
        "hand": words(seen["hand"]),
        "still_in": words(seen["contenders"]),
        "table": words(on_table),
        "tricks": words(seen["tricks"]),
        "seen": words(card for card in seen["seen"] if card not in on_table) if remembers else "",
    }


ANSWERS: dict[str, Callable[..., Json]] = {
    "agency": agency_answers,
    "bond": bond_answers,
    "citadel": citadel_answers,
    "whist": whist_answers,
}


def interviewed(view: View, answers: Json, monkeypatch: pytest.MonkeyPatch) -> View | None:
    """What comes of the interview; no question is put twice."""
    form = make_form(view.game)
    asked: list[str] = []

    def ask(self: Interview, step: Any) -> bool:
        assert step.key not in asked, (step.key, answers, console.file.getvalue())  # type: ignore[attr-defined]
        asked.append(step.key)
        self.keep(step, answers[step.key] or step.usual(self.answers) or "")
        return True

    monkeypatch.setattr(Interview, "ask", ask)
    monkeypatch.setattr(Interview, "agree", lambda _: True)
    console = Console(file=io.StringIO())
    return interview(form, console, "en", {"players": view.players})


@pytest.mark.parametrize("remembers", [True, False], ids=["all", "little"])
@pytest.mark.parametrize(("game", "players"), [(game, players) for game in ANSWERS for players in load(game).players])
def test_what_is_seen_at_a_table_can_be_typed_in(
    game: str, players: int, remembers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for view in positions(game, players, 12):
        result = interviewed(view, ANSWERS[game](view, remembers=remembers), monkeypatch)
        assert result is not None
        assert result.seat == view.seat
        assert result.legal_moves() == view.legal_moves()
