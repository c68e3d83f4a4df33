"""Luck laid out by the caller: taken as it is, or refused with the field that is wrong; and a frontend with dice of its own."""

import random
from typing import Any

import pytest

from machiavel.engines import BadLayout, MissingLuck, Record, State
from tests.engines.citadel.table import CHARACTERS, GAME, OFF, ROOMS, TRAPS, layout, play, seen

WHOLE = {"characters": ["leroy", "irene"], "first": 1}


def test_a_layout_is_what_is_dealt() -> None:
    state = GAME.new(2, seed=1, layout=layout(["irene"], **WHOLE))
    view = seen(state)
    assert view["characters"] == ["leroy", "irene"] and view["active"] == 1
    assert view["traps"] == TRAPS and view["off"] == OFF
    assert view["shown"] == ["rewind", "stopped_watch"]


def test_what_a_layout_leaves_out_comes_from_the_seed() -> None:
    for part in ("first", "traps", "off", "treasures", "locations", "turns", "characters"):
        whole = layout(["irene"], **WHOLE)
        whole.pop(part)
        if part in {"first", "characters"}:  # whose cards would they be
            whole.pop("turns")
        assert GAME.new(2, seed=1, layout=whole).to_bytes() == GAME.new(2, seed=1, layout=whole).to_bytes()
    assert seen(GAME.new(3, seed=4, layout={"first": 2}))["active"] == 2


def test_without_a_seed_every_chance_must_be_laid_out() -> None:
    """Asked for one after the other, in the order of the game."""
    parts = {"characters": ["leroy", "irene"], "first": 1} | layout(["irene"], **WHOLE)
    laid: dict[str, Any] = {}
    for field, name in (
        ("traps", "traps"),
        ("off", "off"),
        ("first", "first"),
        ("characters", "characters"),
        ("treasures", r"treasures\[0\]"),
        ("locations", r"locations\[0\]"),
    ):
        with pytest.raises(MissingLuck, match=f"not laid out: {name}"):
            GAME.new(2, layout=laid)
        laid[field] = parts[field]
    with pytest.raises(MissingLuck, match=r"turns\[0\]\.cards"):
        GAME.new(2, layout=laid)
    laid["turns"] = parts["turns"]
    state = GAME.new(2, layout=laid)
    before = state.to_bytes()
    with pytest.raises(MissingLuck, match=r"turns\[0\]\.dice\.professor\[0\]"):
        state.play("end")
    assert state.to_bytes() == before and state.moves == ()


class Frontend:
    """A host with real tiles, cards and dice: it lays each out when the match asks for it, and the record keeps them all."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        house = GAME.make_rules(2).tables.house
        tiles = [name for name, (minutes, _) in zip(house.treasures, house.tiles, strict=True) if minutes != 55]
        self.tiles, self.rooms = self.shuffled(tiles), self.shuffled(ROOMS)
        self.traps = self.shuffled(TRAPS.values())
        self.layout: dict[str, Any] = {
            "first": 1,
            "traps": dict(zip(ROOMS, self.traps, strict=True)),
            "off": self.shuffled(ROOMS)[:6],
            "treasures": self.tiles[:9],
            "locations": self.rooms[:9],
            "turns": [],
        }
        self.decks: dict[str, list[str]] = {}
        self.cards = {name: list(house.cards[6 * number : 6 * number + 6]) for number, name in enumerate(CHARACTERS)}
        self.who = ["leroy", "destiny"]
        self.deal_turn(self.who[1])
        self.state = GAME.new(2, layout=self.layout, characters=self.who)

    def shuffled(self, items: Any) -> list[Any]:
        return self.draw.sample(list(items), len(list(items)))

    def deal_turn(self, character: str) -> None:
        if not self.decks.get(character):
            self.decks[character] = self.shuffled(self.cards[character])
        dice = {
            "professor": self.draw.choices(["1", "2", "3", "passage", "5", "10"], k=6),
            "colour": self.draw.choices(["red", "green", "blue"], k=6),
            "clock": self.draw.choices([5, 10], k=6),
        }
        self.layout["turns"].append({"cards": [self.decks[character].pop(), self.decks[character].pop()], "dice": dice})

    def play(self) -> State:
        while not self.state.is_over:
            move = self.draw.choice(self.state.legal_moves())
            try:
                self.state.play(move)
            except MissingLuck as error:
                if error.field != f"turns[{len(self.layout['turns'])}].cards":
                    raise
                self.deal_turn(self.who[(1 + len(self.layout["turns"])) % 2])
                self.state.lay_out(self.layout)
        return self.state


def test_a_frontend_with_dice_of_its_own_replays_from_the_record() -> None:
    for seed in range(20):
        state = Frontend(seed).play()
        record = state.record()
        assert record.seed is None
        again = GAME.replay(Record.from_json(record.to_json()))
        assert again.to_bytes() == state.to_bytes() and again.utilities == state.utilities


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"firsts": 0}, "firsts: is unknown; fields here: first, characters"),
    ({"first": 2}, "first: is 2; expected a whole number from 0 to 1"),
    ({"first": True}, "first: is True"),
    ({"characters": ["leroy"]}, "characters: .* expected a list of 2"),
    ({"characters": ["leroy", "leroy"]}, "characters: holds leroy twice"),
    ({"characters": ["leroy", "evil"]}, "characters: holds 'evil'; expected some of nathan"),
    ({"traps": {"study": "saw"}}, "traps.main_hall: is missing"),
    ({"traps": TRAPS | {"study": "dog"}}, "traps.study: is 'dog'; expected one of padlock"),
    ({"traps": TRAPS | {"attic": "saw"}}, "traps.attic: is unknown"),
    ({"traps": TRAPS | {"study": "saw"}}, "traps: does not hold what is shuffled there: padlock, padlock, padlock, padlock, saw"),
    ({"off": ROOMS[:5]}, "off: .* expected a list of 6"),
    ({"off": [*ROOMS[:5], "attic"]}, "off: holds 'attic'"),
    ({"treasures": ["crown_jewels"]}, r"treasures\[0\]: does not hold what is shuffled there: magna_carta"),
    ({"treasures": ["mona_lisa", "mona_lisa"]}, "treasures: holds mona_lisa twice"),
    ({"locations": "vault"}, "locations: is 'vault'; expected a list"),
    ({"turns": {}}, "turns: is {}; expected a list of at most 100"),
    ({"turns": [{"card": []}]}, r"turns\[0\].card: is unknown; fields here: cards, dice"),
    ({"turns": [{"cards": ["sprint"]}]}, r"turns\[0\].cards: .* expected a list of 2"),
    (
        {"first": 0, "characters": ["leroy", "irene"], "turns": [{"cards": ["sprint", "joker"]}]},
        r"turns\[0\].cards: does not hold .* remote_control",
    ),
    ({"turns": [{"dice": {"black": [1]}}]}, r"turns\[0\].dice.black: is unknown; fields here: professor, colour, clock"),
    ({"turns": [{"dice": {"clock": [15]}}]}, r"turns\[0\].dice.clock: holds 15; expected faces out of 5, 10"),
    ({"turns": [{"dice": {"professor": [1]}}]}, r"turns\[0\].dice.professor: holds 1; expected faces out of '1'"),
]


@pytest.mark.parametrize(("laid", "problem"), REFUSED)
def test_an_impossible_layout_is_refused(laid: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadLayout, match=problem):
        GAME.new(2, seed=1, layout={name: list(value) if isinstance(value, tuple) else value for name, value in laid.items()})


def test_characters_are_laid_out_only_where_the_option_leaves_them_open() -> None:
    with pytest.raises(BadLayout, match="given by the option already"):
        GAME.new(1, seed=1, layout={"characters": ["leroy"]}, characters=["leroy"])


def test_a_face_that_is_not_on_the_die_is_refused_when_it_is_thrown() -> None:
    house = {"deck": one_sided()}
    state = GAME.new(1, seed=1, layout={"turns": [{"dice": {"clock": [10]}}]}, **house)
    with pytest.raises(BadLayout, match=r"turns\[0\]\.dice\.clock\[0\].* 5, 5, 5, 5, 5, 5"):
        play(state, "end")


def one_sided() -> dict[str, Any]:
    from tests.engines.citadel.table import house_tables

    house = house_tables()
    house["dice"]["clock"]["faces"] = [5] * 6
    return house
