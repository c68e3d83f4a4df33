"""Bond's table: what it tells is what happened, and it shows all its seat may know."""

import io
import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from rich.console import Console, RenderableType

from machiavel.engines import LANGUAGES, State, Teller, load
from machiavel.engines.bond.events import turned_up, worth_of
from machiavel.engines.events import SeenMove
from machiavel.engines.phrases import load_phrases
from machiavel.search import make_bot
from machiavel.server.cli.parts import make_table
from machiavel.server.cli.tables import TableSetting
from machiavel.server.games.bond.entries import read_entry
from machiavel.server.games.bond.table import BondTable
from tests.engines.bond.table import lay, play, seen

PHRASES = load_phrases("machiavel.engines.bond")

FormStep = tuple[State, dict[str, Any], int, str, dict[str, Any]]


def steps(players: int, seed: int, watcher: int = 0) -> Iterator[FormStep]:
    """A match of random players: the state after each move, and the move and the views as one seat saw them."""
    state = load("bond").new(players, seed=seed)
    bot = make_bot(f"random:seed={seed}")
    after = seen(state, watcher)
    while (seat := state.seat_to_move) is not None:
        state.play(bot.choose(state.view(seat)))
        before, after = after, seen(state, watcher)
        yield state, before, seat, state.observed_moves(watcher)[-1], after


def matches(count: int = 5) -> Iterator[FormStep]:
    for players in range(2, 7):
        for seed in range(count):
            yield from steps(players, seed, watcher=seed % players)


def table_of(state: State, seat: int, language: str) -> BondTable:
    game, rules = state.game, state.rules

    def label(move: str) -> str:
        return game.move_labels(rules, move)[language]

    bots = ["" if other == seat else "random" for other in range(state.players)]
    teller = Teller(game.plugin, rules, language, seat)
    return BondTable(TableSetting(language, seat, bots, dict(rules.options), label, teller))


def shown(*things: RenderableType, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None, markup=False, highlight=False)
    for thing in things:
        console.print(thing)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert isinstance(text, str)
    return text


def is_listed(text: str, state: State, seat: int, language: str) -> bool:
    """Whether every legal move stands there with its number; where there are many, attacks by the same spy share a heading."""
    said, moves = f" {' '.join(text.split())} ", state.legal_moves(seat)
    starts = {
        "en": ("steal a spy from seat", "send the spy on top"),
        "fr": ("voler un espion au joueur", "envoyer l’espion du dessus"),
    }
    owners = {"en": ("you", "seat {}", "worth"), "fr": ("toi", "le joueur {}", "valeur")}
    (steal, deck), (you, other, worth) = starts[language], owners[language]
    for number, move in enumerate(moves, 1):
        what, arrow, target = move.partition(">")
        word, _, mark = what.partition(":")
        if not arrow:
            start = state.game.move_labels(state.rules, move)[language]
        else:
            spy = PHRASES("cards.spy", language, mark=mark)
            start = {"spy": f"{spy} →", "steal": f"{steal} {mark}", "deck": deck}[word]
            if len(moves) > 12:
                owner = you if int(target) == seat else other.format(target)
                if f" {start} " not in said:
                    return False
                start = f"{owner} ({worth} {sum(seen(state, seat)['lairs'][int(target)])})"
        if f" {number} {start} " not in said:
            return False
    return True


def told(state: State, watcher: int, moves: str, language: str = "en") -> str:
    """What the seat is told of the last of these moves."""
    *first, last = moves.split()
    for move in first:
        state.play(move)
    table, before, seat = table_of(state, watcher, language), seen(state, watcher), state.seat_to_move
    state.play(last)
    return shown(*table.tell(before, seat, state.observed_moves(watcher)[-1], seen(state, watcher)), width=200)


def test_spies_turned_up_are_those_that_leave_the_unseen() -> None:
    turned = 0
    for _, before, _, move, after in matches():
        spies = turned_up(before, move.partition(">")[0].partition(":")[0], after)
        known = sum(before["attack"]["spies"].count(value) for value in (2, 3, 4, 5, 6, 7, 8)) if before["attack"] else 0
        lost = sum(hand["spies"] for hand in before["hands"]) + before["pile"]["spies"]
        lost -= sum(hand["spies"] for hand in after["hands"]) + after["pile"]["spies"]
        if move == "go":
            assert len(spies) == len(before["attack"]["spies"]) and lost == 0 and known in {0, len(spies)}
        elif not move.startswith(("spy", "add")):
            assert len(spies) == lost
        elif move.startswith("spy") and int(move[-1]) == before["turn"]:
            assert len(spies) == 1
        else:
            assert spies == []
        turned += len(spies)
    assert turned > 200


def test_the_card_drawn_is_the_one_that_came_into_the_hand() -> None:
    drawn = 0
    for state, before, seat, move, after in matches():
        me = after["seat"]
        if before["turn"] == after["turn"] or after["turn"] != me or state.is_over or not before["pile"]["count"]:
            continue
        if before["pile"]["count"] == 1 and move.startswith("deck"):
            continue
        *_, draw = state.game.plugin.events(state.rules, before, SeenMove(seat, move), after)
        assert draw.kind == "draw" and draw.fields["seat"] == me
        sort, _, mark = draw.fields["card"].partition(":")
        sort = {"lair": "lairs", "spy": "spies", "doubler": "doublers"}[sort]
        had, has = ([*map(str, view["hand"][sort])].count(mark) for view in (before, after))
        is_stolen = move.startswith(f"steal:{me}>") and after["discard"]["spies"] != before["discard"]["spies"]
        assert has - had == 1 or (is_stolen and sort == "spies")
        drawn += 1
    assert drawn > 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_view_of_whole_matches_can_be_drawn_and_every_move_told(language: str) -> None:
    for players in range(2, 7):
        table = None
        for state, before, seat, move, after in steps(players, 5, watcher=1):
            if table is None:
                table = table_of(state, 1, language)
                assert table.tell(None, None, None, before)
            assert shown(*table.tell(before, seat, move, after)).strip()
            if after["mover"] != 1:
                continue
            moves = state.legal_moves(1)
            text = shown(table.draw(after), table.choices(after, moves), table.question(after))
            assert is_listed(text, state, 1, language)
            assert all(len(line) <= 80 for line in text.splitlines())
            for nonsense in ("frog", "taunt:Z", "lair:9"):
                assert table.why_not(after, nonsense)
        assert state.is_over
        assert table is not None and table.help()
        assert shown(table.result(after, [1])) and shown(table.result(after, [0, 1]))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [40, 60])
def test_a_narrow_screen_loses_no_number_and_no_card(width: int, language: str) -> None:
    for state, _, _, _, after in steps(6, 5, watcher=1):
        if after["mover"] != 1:
            continue
        table = table_of(state, 1, language)
        text = shown(table.draw(after), table.choices(after, state.legal_moves(1)), width=width)
        assert not re.search(r"\w…", text)
        assert all(len(line) <= width for line in text.splitlines())
        assert is_listed(text, state, 1, language)
        for sort, marks in after["hand"].items():
            key = {"lairs": "cards.lair", "spies": "cards.spy", "doublers": "cards.doubler"}[sort]
            for mark in marks:
                assert f" {PHRASES(key, language, mark=mark)} " in text


def test_an_escape_a_capture_and_a_taunt_are_told() -> None:
    hands = ["spy:5 spy:3", "lair:4 doubler:A", "doubler:A"]
    opening = "lair:4 end skip end skip "
    state = lay(3, hands, first=1)
    text = told(state, 2, opening + "spy:5>1 go")
    assert "Too strong for seat 1's lair (worth 4): the spy escapes and destroys it." in text
    state = lay(3, hands, first=1)
    text = told(state, 1, opening + "spy:3>1 go", "fr")
    assert "C’est un espion 3." in text and "Ton repaire (valeur 4) tient bon" in text
    assert worth_of(seen(state)["attack"]) == 3
    assert "l’espion vaut maintenant 6" in told(state.copy(), 2, "taunt:A let let", "fr")
    foiled = told(state, 1, "taunt:A foil")
    assert "Seat 2 foils your taunt with the other Doubler A: the spy escapes and destroys your lair." in foiled


def test_what_lies_face_down_is_not_told_before_its_time() -> None:
    hands = ["spy:3 spy:2", "lair:4 lair:1", ""]
    opening = "lair:4 end skip end skip "
    assert "3" not in told(lay(3, hands, first=1), 2, opening + "spy:3>1")
    assert "You send spy 3 to seat 1's lair." in told(lay(3, hands, first=1), 0, opening + "spy:3>1")
    state = lay(3, hands, first=1)
    told(state, 2, opening + "spy:3>1")
    drawn = shown(table_of(state, 2, "en").draw(seen(state, 2)), width=120)
    assert "by 1 spy face down" in drawn
    assert "by spy 3" in shown(table_of(state, 0, "en").draw(seen(state, 0)), width=120)
    assert "spy 2 – 5 in all" in told(state, 2, "add:2 go")


def test_a_draw_is_told_by_its_back_and_ones_own_by_its_face() -> None:
    state = lay(2, ["lair:1"], "lair:2 spy:7 doubler:B")
    assert "Seat 1 draws a spy." in told(state.copy(), 0, "skip end")
    assert "you draw a spy 7" in told(state, 1, "skip end")
    assert "Seat 0 draws a card that is not a spy." in told(state, 1, "skip end")


def test_the_menu_says_which_spy_goes_where() -> None:
    opening = "skip end lair:4 end skip end"
    state = lay(3, ["spy:3 lair:2", "lair:4 spy:5", "spy:2 spy:7"], "lair:1 lair:1 lair:2 spy:4", moves=opening)

    def rows(language: str, width: int = 80) -> list[str]:
        menu = table_of(state, 0, language).choices(seen(state, 0), state.legal_moves())
        return [" ".join(line.split()) for line in shown(menu, width=width).splitlines()]

    play(state, "skip")
    assert "2 spy 3 → seat 1's lair (worth 4)" in rows("en")
    assert "4 steal a spy from seat 1 and send it to seat 1's lair (worth 4)" in rows("en")
    assert "2 espion 3 → le repaire du joueur 1 (valeur 4)" in rows("fr")
    play(state, "end skip end lair:4 end lair:2")
    assert len(state.legal_moves()) > 12
    at = rows("en").index("steal a spy from seat 1 and send it to …")
    assert rows("en")[at + 1] == "8 you (worth 2) 9 seat 1 (worth 4) 10 seat 2 (worth 4)"


def test_why_a_move_is_refused_is_said_in_the_language_of_the_table() -> None:
    state = lay(2, ["lair:4 spy:3", "spy:5"], "doubler:I", moves="lair:4")
    reasons = {
        "spy:3>1": ("seat 1 has no lair", "le joueur 1 n’a pas de repaire"),
        "spy:8>0": ("spy 8 is not in the hand", "tu n’as pas d’espion 8 en main"),
        "steal:0>0": ("you steal from others only", "on ne vole que les autres"),
        "go": ("now say whether you send a spy", "il s’agit d’envoyer un espion, ou pas"),
    }
    for move, texts in reasons.items():
        for language, why in zip(LANGUAGES, texts, strict=True):
            table = make_table(state.game, state.rules, language, 0, ["", "random"])
            assert table.why_not(seen(state, 0), move) == why


def templates(language: str) -> dict[str, str]:
    """Every text, by the path to it."""

    def flat(table: dict[str, Any], path: str) -> Iterator[tuple[str, str]]:
        for key, value in table.items():
            yield from flat(value, f"{path}{key}.") if isinstance(value, dict) else [(f"{path}{key}", value)]

    return dict(flat(tomllib.loads((files("machiavel.engines.bond") / "words" / f"{language}.toml").read_text("utf-8")), ""))


def test_both_languages_have_the_same_texts_with_the_same_parts() -> None:
    english, french = ({key: set(re.findall(r"{(\w+)", text)) for key, text in templates(one).items()} for one in LANGUAGES)
    assert english == french and len(english) > 100


def test_french_marks_stand_behind_a_space_that_does_not_break() -> None:
    marks = re.compile(r"[^\N{NO-BREAK SPACE}][;?!»]|[^\N{NO-BREAK SPACE}]:(?![\w|])|«(?!\N{NO-BREAK SPACE})")
    assert [text for text in templates("fr").values() if marks.search(text)] == []


ENTRIES = {
    "lair": {"lair:3": ["lair 3", "repaire 3", "Lair:3"], "skip": ["skip", "none", "rien", "no", "non"]},
    "spy": {
        "spy:5>2": ["spy 5 2", "spy 5 > 2", "espion 5 chez 2", "espion de 5 chez le joueur 2", "SPY:5>2"],
        "steal:1>0": ["steal 1 0", "vole 1 > 0", "steal from seat 1 to 0"],
        "deck>2": ["deck 2", "pioche 2", "deck > 2", "pile to 2"],
        "end": ["end", "fin", "no"],
    },
    "add": {"add:4": ["add 4", "ajoute 4", "spy 4", "espion 4"], "go": ["go", "ok", "c’est tout"[6:], "non"]},
    "captured": {"kill": ["kill", "tue", "tuer"], "taunt:C": ["taunt C", "c", "doubler C", "ridiculise c", "C"]},
    "foil": {"foil": ["foil", "contre"], "let": ["let", "laisse", "no"]},
}


@pytest.mark.parametrize("phase", ENTRIES)
def test_what_can_mean_one_thing_only_is_understood(phase: str) -> None:
    for move, entries in ENTRIES[phase].items():
        for entry in entries:
            assert read_entry({"phase": phase}, entry) == move


@pytest.mark.parametrize(
    "entry", ["frog", "", "spy", "spy 5", "lair", "lair 3 3", "kill it", "taunt", "steal 1", "deck", "€ 5", "go 2"]
)
def test_anything_else_is_left_for_the_game_to_refuse(entry: str) -> None:
    assert read_entry({"phase": "spy"}, entry) == entry
