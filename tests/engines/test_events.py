"""Events become sentences: which text is taken, for whom, and what an event may not be."""

from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from machiavel.engines import GameEvent, IncompatibleEngine, Phrases, Rules, Teller

TEXTS = {
    "begin": "we begin.",
    "take": {"me": "you take {count}.", "they": "{who} takes {count}."},
    "give": {
        "me_them": "you give {whom} a card.",
        "me_self": "you keep a card.",
        "they_me": "{who} gives you a card.",
        "they_them": "{who} gives {whom} a card.",
    },
    "steal": {"me": "you steal a card.", "they": "{who} steals a card from {whom}."},
}
RULES = Rules(None, 3, {}, "")


class Plugin:
    name = "stub"
    event_kinds: ClassVar = {
        "begin": {},
        "take": {"who": "seat", "count": "count"},
        "give": {"who": "seat", "whom": "seat"},
        "steal": {"who": "seat", "whom": "seat?"},
        "silent": {},
        "mute": {"who": "seat"},
    }

    def __init__(self, *told: GameEvent) -> None:
        self.told = told

    def phrases(self) -> Phrases:
        return Phrases({"en": {"events": TEXTS}, "fr": {"events": TEXTS}})

    def events(self, *_: object) -> tuple[GameEvent, ...]:
        return self.told

    def value_text(self, _rules: Rules, _seen: Mapping[str, Any], kind: str, value: Any, _how: tuple[str, str]) -> str:
        return f"seat {value}" if kind == "seat" else str(value)


def teller(me: int | None, *told: GameEvent) -> Teller:
    return Teller(Plugin(*told), RULES, "en", me)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("me", "kind", "fields", "text"),
    [
        (0, "begin", {}, "We begin."),
        (0, "take", {"who": 0, "count": 2}, "You take 2."),
        (1, "take", {"who": 0, "count": 2}, "Seat 0 takes 2."),
        (None, "take", {"who": 0, "count": 2}, "Seat 0 takes 2."),
        (0, "give", {"who": 0, "whom": 1}, "You give seat 1 a card."),
        (0, "give", {"who": 0, "whom": 0}, "You keep a card."),
        (1, "give", {"who": 0, "whom": 1}, "Seat 0 gives you a card."),
        (1, "give", {"who": 0, "whom": 0}, "Seat 0 gives seat 0 a card."),
        (0, "steal", {"who": 0, "whom": 1}, "You steal a card."),
        (2, "steal", {"who": 0, "whom": 2}, "Seat 0 steals a card from seat 2."),
    ],
)
def test_who_hears_of_an_event_decides_its_text(me: int | None, kind: str, fields: dict[str, Any], text: str) -> None:
    assert teller(me).text({}, GameEvent(kind, fields)) == text


@pytest.mark.parametrize("event", [GameEvent("silent", {}), GameEvent("mute", {"who": 1})])
def test_an_event_without_a_text_is_refused_by_name(event: GameEvent) -> None:
    with pytest.raises(IncompatibleEngine, match=rf"neither events\.{event.kind} nor"):
        teller(0).text({}, event)


@pytest.mark.parametrize(
    "event",
    [
        GameEvent("end", {}),
        GameEvent("begin", {"who": 1}),
        GameEvent("take", {"count": 2, "who": 1}),
        GameEvent("take", {"who": None, "count": 2}),
        GameEvent("take", {"who": 1, "count": True}),
    ],
)
def test_an_event_that_is_not_as_declared_is_refused(event: GameEvent) -> None:
    with pytest.raises(IncompatibleEngine, match=f"it tells {event.kind}"):
        teller(0, event).events(None, None, {})


def test_of_a_seat_that_may_be_nobody_there_may_be_none() -> None:
    event = GameEvent("steal", {"who": 0, "whom": None})

    assert teller(0, event).events(None, None, {}) == [event]
