"""Moves as texts: one canonical form, lenient reading, labels in both languages, reasons for refusals."""

import random

import pytest

from machiavel.engines import LANGUAGES, IllegalMove, NotAMove, State
from tests.conformance.cases import CURIOUS
from tests.engines.citadel.table import GAME, house_tables, play, seen, situation, with_effects

ALL_MOVES = [*range(42), *range(64, 4160)]


def moves_that_mean_something(state: State) -> list[int]:
    """All numbers below the limit but for those of trap types, characters' acts and faces that this house has not."""
    result = []
    for move in ALL_MOVES:
        try:
            GAME.plugin.move_text(state.rules, move)
        except KeyError:
            continue
        result.append(move)
    return result


def test_every_move_has_a_text_and_the_text_means_that_move_alone() -> None:
    state = GAME.new(1, seed=1)
    numbers = moves_that_mean_something(state)
    texts = [GAME.plugin.move_text(state.rules, move) for move in numbers]
    assert len(numbers) > 3900 and len(set(texts)) == len(texts)
    for move, text in zip(numbers, texts, strict=True):
        assert list(GAME.plugin.parse_move(state.rules, text)) == [move]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("GO:Gallery", "go:gallery"),
        (" go:main hall ", "go:main_hall"),
        ("Unlock:RED", "unlock:red"),
        ("card:second wind", "card:second_wind"),
        ("card:master_key:library:blue", "card:master_key:main_hall:red"),
        ("bonus:vault:green", "bonus:study:blue"),
        ("reroll:clock+professor", "reroll:professor+clock"),
        ("card:follow_me:Irene:go:library", "card:follow_me:irene:go:library"),
    ],
)
def test_other_spellings_are_understood(text: str, canonical: str) -> None:
    rules = GAME.make_rules(2)
    (move,) = GAME.plugin.parse_move(rules, text)
    assert GAME.plugin.move_text(rules, move) == canonical


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "go",
            "go:attic",
            "go:library:red",
            "unlock",
            "unlock:mauve",
            "take:all",
            "end:turn",
            "card",
            "card:ace",
            "activate:evil",
        ),
        *(
            "card:sprint:attic",
            "card:sprint:study:mauve",
            "card:sprint:irene",
            "card:sprint:irene:fly",
            "reroll:",
            "reroll:clock+clock",
        ),
        *("choose:clock:15", "choose:clock", "power:enough:more", "bonus:irene:go", "é", ":", "::", "card::"),
    ],
)
def test_what_is_no_move_is_told_so(text: str) -> None:
    state = GAME.new(2, seed=1)
    with pytest.raises(NotAMove, match="expected go:ROOM, unlock:COLOUR"):
        state.play(text)


def test_a_room_called_like_a_type_is_ambiguous_only_where_both_can_be() -> None:
    """A user's house may call a room and a type of trap the same; a card that needs one of them is understood."""
    house = house_tables() | {"name": "test"}
    house["rooms"][9] |= {"id": "saw"}
    for room in house["rooms"]:
        for colour in ("red", "green", "blue"):
            room[colour] = "saw" if room[colour] == "study" else room[colour]
    house["characters"][0]["cards"][0]["effects"] = [{"do": "disarm_anywhere"}]
    house["characters"][0]["cards"][1]["effects"] = [{"do": "disarm_type"}]
    layout = {"turns": [{"cards": ["sprint", "skylight"]}], "off": [room["id"] for room in house["rooms"][:6]]}
    for card in ("sprint", "skylight"):
        state = GAME.new(1, seed=1, deck=house, characters=["nathan"], layout=layout)
        play(state, f"card:{card}:saw")


def test_every_legal_move_is_told_in_both_languages() -> None:
    for seed in range(40):
        state = GAME.new(1 + seed % 5, seed=seed, deck=CURIOUS if seed % 4 == 0 else "house")
        draw = random.Random(seed)
        while not state.is_over:
            move = draw.choice(state.legal_moves())
            labels = [GAME.plugin.move_label(state.rules, state.resolve(move), language) for language in LANGUAGES]
            assert labels[0] != labels[1] or ":" not in labels[0]
            assert all(label and "{" not in label and "_" not in label for label in labels)
            state.play(move)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("go:vault", "that room has no window"),
        ("go:laboratory", "the professor is there"),
        ("disarm", "you stand outside"),
        ("take", "you stand outside"),
        ("card:second_wind", "not one of the two drawn"),
        ("card:sprint", "say what it is used on"),
        ("card:sprint:vault", "it cannot do that now"),
        ("keep", "only at the end of a turn"),
        ("activate:irene", "only at the end of a turn"),
        ("reroll:clock", "only at the end of a turn"),
        ("bonus", "face down"),
    ],
)
def test_a_refusal_says_why(text: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        situation().play(text)


def test_inside_a_refusal_says_why_too() -> None:
    state = situation(places=["gallery"], open=["gallery:red"])
    for text, why in (
        ("go:gallery", "you are there"),
        ("go:cellar", "not next to the gallery"),
        ("go:conservatory", "the blue door is locked"),
        ("unlock:red", "that door is open"),
        ("disarm", "the trap here is off"),
        ("take", "there is no treasure here"),
    ):
        with pytest.raises(IllegalMove, match=why):
            state.play(text)
    tired = situation(places=["gallery"], actions=0)
    with pytest.raises(IllegalMove, match="no action is left"):
        tired.play("unlock:red")


def test_in_other_phases_a_refusal_says_what_comes_first() -> None:
    dice = {"professor": "1", "colour": "red", "clock": 5}
    with pytest.raises(IllegalMove, match="the dice have been rolled"):
        situation(phase="dice", actions=0, chooses=1, dice=dice).play("end")
    options = with_effects({"do": "time_on", "minutes": 5}, {"do": "extra"})
    state = play(situation(2, time=10, options=options), "card:sprint")
    assert seen(state)["phase"] == "activate"
    with pytest.raises(IllegalMove, match="a power must be turned up first"):
        state.play("end")


def test_french_elides_before_the_names_of_edward_and_irene() -> None:
    rules = GAME.make_rules(3)
    told = {
        character: GAME.plugin.move_label(rules, GAME.plugin.parse_move(rules, f"activate:{character}")[0], "fr")
        for character in ("edward", "irene", "nathan")
    }
    assert told == {
        "edward": "activer le pouvoir d’Edward Wyre",
        "irene": "activer le pouvoir d’Irene Elder",
        "nathan": "activer le pouvoir de Nathan Goodspeed",
    }
