"""Agency's table: what it tells is what happened, and it shows all its seat may know."""

import io
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rich.console import Console, RenderableType

from machiavel.engines import State, load
from machiavel.search import make_bot
from machiavel.server.cli.parts import make_table
from machiavel.server.cli.tables import Table, TableSetting
from machiavel.server.cli.tables.fallback import FallbackTable
from machiavel.server.games.agency.entries import read_entry

NO_BREAK = "\N{NO-BREAK SPACE}"
FormStep = tuple[State, dict[str, Any], int, str, dict[str, Any]]


def steps(players: int, seed: int, watcher: int = 0, **options: Any) -> Iterator[FormStep]:
    """A match of random players: the state after each move, and the move and the views as one seat saw them."""
    state = load("agency").new(players, seed=seed, **options)
    bot = make_bot(f"random:seed={seed}")
    after = state.view(watcher).to_json()["view"]
    while (seat := state.seat_to_move) is not None:
        state.play(bot.choose(state.view(seat)))
        before, after = after, state.view(watcher).to_json()["view"]
        yield state, before, seat, state.observed_moves(watcher)[-1], after


def matches(count: int = 6, **options: Any) -> Iterator[FormStep]:
    for players in (2, 3, 4, 5):
        for seed in range(count):
            yield from steps(players, seed, watcher=seed % players, **options)


def table_of(state: State, seat: int, language: str) -> Table:
    bots = ["" if other == seat else "random" for other in range(state.players)]
    return make_table(state.game, state.rules, language, seat, bots)


NAMES = {"belton": "Belton", "martha": "Martha", "wxt": "WXT", "jean": "Jean", "moignons": "Moignons"}


def mark(card: str, language: str) -> str:
    """A card as it lies on a table in a terminal."""
    return card.translate(str.maketrans("GY", "VJ")) if language == "fr" else card


def words(card: str, language: str) -> str:
    """A card as it is told."""
    colours = {"en": "mauve blue green yellow", "fr": "mauve bleu vert jaune"}[language]
    colour = dict(zip("MBGY", colours.split(), strict=True))[card[0]]
    return f"{card[1:]} {colour}" if language == "fr" else f"{colour} {card[1:]}"


def shown(*things: RenderableType, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None, markup=False, highlight=False)
    for thing in things:
        console.print(thing)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert isinstance(text, str)
    return text


def find(wanted: Callable[[FormStep], bool], **options: Any) -> FormStep:
    return next(step for step in matches(40, **options) if wanted(step))


def told(step: FormStep, language: str) -> str:
    state, before, seat, move, after = step
    return shown(*table_of(state, after["seat"], language).tell(before, seat, move, after), width=200)


@pytest.mark.parametrize(
    ("options", "language"),
    [
        ({}, "en"),
        ({}, "fr"),
        ({"powers": False}, "en"),
        pytest.param({"powers": False}, "fr", marks=pytest.mark.slow),
        pytest.param({"accomplices": False}, "en", marks=pytest.mark.slow),
        ({"accomplices": False}, "fr"),
        ({"medals": 1, "powers": False}, "en"),
        pytest.param({"medals": 1, "powers": False}, "fr", marks=pytest.mark.slow),
    ],
)
def test_every_view_of_whole_matches_can_be_drawn(language: str, options: dict[str, Any]) -> None:
    for players in (2, 3, 5):
        table = None
        for state, before, seat, move, after in steps(players, 5, watcher=1, **options):
            if table is None:
                table = table_of(state, 1, language)
                table.tell(None, None, None, before)
            shown(*table.tell(before, seat, move, after))
            if 1 not in after["to_move"]:
                continue
            moves = state.legal_moves(1)
            text = shown(table.draw(after), table.choices(after, moves), table.question(after))
            for card in after["hand"]:
                assert f" {mark(card, language)} " in text
            for _, card in after["table"]:
                assert f" {mark(card, language)} " in text
            assert all(len(line) <= 80 for line in text.splitlines())
        assert state.is_over
        assert table is not None
        assert shown(table.result(after, after["winners"]))
        assert table.help()


def test_a_pass_is_told_with_the_cards_one_knows_and_no_others() -> None:
    step = find(lambda step: step[1]["phase"] == "pass" and step[4]["phase"] == "play")
    state, before, _, _, after = step
    me, players = after["seat"], state.players
    entry = after["half"][-1]
    giver, getter = (NAMES[after["agents"][(me + offset) % players]] for offset in (-1, 1))

    text = told(step, "en")

    assert "You pass" in text or "face down" in text
    assert f"The passed cards change hands: you get the {words(entry['received'], 'en')} from {giver}." in text
    drawn = shown(table_of_after(step).draw(after), width=160)
    assert f"You passed {entry['gave']} to {getter} (trick" in drawn
    assert f"You got {entry['received']} from {giver} (trick" in drawn
    french = shown(table_of_after(step, "fr").draw(after), width=160)
    assert f"Tu as passé {mark(entry['gave'], 'fr')} à {getter} (tour" in french
    assert f"Tu as reçu {mark(entry['received'], 'fr')} de {giver} (tour" in french
    assert before["half"][-1]["received"] is None


def table_of_after(step: FormStep, language: str = "en") -> Table:
    state, before, seat, move, after = step
    table = table_of(state, after["seat"], language)
    table.tell(before, seat, move, after)
    return table


def test_belton_and_whom_he_chose_are_shown() -> None:
    step = find(lambda step: step[3].startswith("lead:") and step[4]["phase"] == "play")
    _, _, seat, move, after = step
    target = int(move[5:])

    chooses = "You choose" if seat == after["seat"] else "Belton chooses"
    whom = "" if seat == target else "you " if target == after["seat"] else f"{NAMES[after['agents'][target]]} "
    line = f"{chooses} {whom}to lead."

    assert line in told(step, "en").splitlines()
    assert "commence" in told(step, "fr")
    assert line in shown(table_of_after(step).draw(after), width=160)


def test_moignons_shows_the_hand_to_the_one_who_looks_alone() -> None:
    mine = find(lambda step: step[3].startswith("look:") and step[2] == step[4]["seat"])
    others = find(lambda step: step[3].startswith("look:") and int(step[3][5:]) == step[4]["seat"])

    assert mine[4]["look"]["cards"]
    for card in mine[4]["look"]["cards"]:
        assert words(card, "fr") in told(mine, "fr")
        assert mark(card, "fr") in shown(table_of_after(mine, "fr").draw(mine[4]), width=200)
    assert "telle que tu l’as vue" in shown(table_of_after(mine, "fr").draw(mine[4]), width=200)
    assert "regarde ta main." in told(others, "fr")
    assert "a vu ta main" in shown(table_of_after(others, "fr").draw(others[4]), width=200)


@pytest.mark.parametrize(
    ("agent", "flag", "words"),
    [
        ("martha", "martha", "aussi le plan tout en dessous de la pile"),
        ("jean", "jean", "ne comptent pour personne"),
        ("wxt", "last", " en dernier ce tour-ci"),
    ],
)
def test_powers_are_told_as_they_come_up(agent: str, flag: str, words: str) -> None:
    def comes_up(step: FormStep) -> bool:
        _, before, _, _, after = step
        return after[flag] not in {None, False} and before["trick"] != after["trick"]

    step = find(comes_up)
    line = next(line for line in told(step, "fr").splitlines() if words in line)

    mine = step[4]["agents"].index(agent) == step[4]["seat"]
    assert line.startswith(f"Ta carte Pouvoir sort{NO_BREAK}: " if mine else f"Carte Pouvoir{NO_BREAK}: ")
    assert (NAMES[agent] in line) != mine


def test_the_end_of_a_round_is_told_seat_by_seat() -> None:
    step = find(lambda step: step[1]["trick"] == 12 and step[4]["trick"] == 1)

    text = told(step, "fr")

    assert "Fin de la manche 1" in text
    assert "médaille" in text
    assert "Manche 2" in text
    assert f"= {step[4]['last_round']['points'][0]}" in text
    assert " en plans" in text
    assert not re.search(r"\w:", text)


def test_the_final_table_says_whose_points_it_shows() -> None:
    *_, (state, _, _, _, after) = steps(2, 3)

    assert "Points in the last round" in shown(table_of(state, 0, "en").result(after, after["winners"]))
    assert "Points de la dernière manche" in shown(table_of(state, 0, "fr").result(after, after["winners"]))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("width", [40, 60])
def test_a_narrow_screen_loses_no_number_and_no_card(width: int, language: str) -> None:
    tricks, greens = {"en": ("tricks", "G"), "fr": ("tours", "V")}[language]
    for state, _, _, _, after in steps(5, 5, watcher=1):
        if 1 not in after["to_move"]:
            continue
        table = table_of(state, 1, language)
        table.tell(None, None, None, after)
        text = shown(table.draw(after), table.choices(after, state.legal_moves(1)), width=width)
        assert not re.search(r"\w…", text)
        for seat in range(5):
            counts = after["tricks"][seat], after["plan_points"][seat], after["greens"][seat]
            assert "{} {}, plans {}, {}{} ".format(tricks, *counts[:2], greens, counts[2]) in joined(text)
        for card in after["hand"]:
            assert f" {mark(card, language)} " in text
        assert all(len(line) <= width for line in text.splitlines())


def joined(text: str) -> str:
    """A panel's text without the frame and the ends of lines."""
    return " ".join(text.replace("│", " ").split())


ENTRIES = {
    "play": {
        "G8": ["g8", "V8", "v8", "8 vert", "vert 8", "green 8", "green8", "play g 8", "joue vert 8", "g08"],
        "Y16": ["y 16", "yellow 16", "jaune 16", "J16", "16 jaune", "Yellow  16"],
        "pass:G8": ["pass:V8", "passe:V8", "pass v8", "passer vert 8"],
        "pass:10": ["pass 10", "passe: 10"],
    },
    "pass": {"pass:B1": ["B1", "b1", "pass B1", "pass:blue 1", "passe: b1", "bleu 1"]},
    "lead": {"lead:1": ["lead 1", "lead:1", "martha", "Martha", "Martha (1)", "seat 1", "joueur 1", "commence martha"]},
    "look": {"look:0": ["look 0", "Henry B. Belton", "belton", "regarde:belton"]},
}


@pytest.mark.parametrize("phase", ENTRIES)
def test_what_can_mean_one_thing_only_is_understood(phase: str) -> None:
    view = {"phase": phase, "agents": ["belton", "martha", "moignons"]}
    for move, entries in ENTRIES[phase].items():
        for entry in entries:
            assert read_entry(view, entry) == move


@pytest.mark.parametrize("entry", ["frog", "", "8", "8 8", "green", "lead", "pass:?", "look:", "G", "16", "martha", "€ 5"])
def test_anything_else_is_left_for_the_game_to_refuse(entry: str) -> None:
    assert read_entry({"phase": "play", "agents": ["belton", "martha"]}, entry) == entry


def test_games_without_a_table_get_a_readable_view_and_a_list() -> None:
    state = load("agency").new(2, seed=1)
    view = state.view(0).to_json()["view"]
    table = FallbackTable(TableSetting("fr", 0, ["", "random"], {}, lambda move: f"coup {move}"))

    assert isinstance(table, FallbackTable)
    text = shown(table.draw(view), table.choices(view, ["G8", "Y12"]), table.result(view, [1]))
    for field in view:
        assert f"{field}: " in text
    assert "1  G8   coup G8" in text
    assert "Victoire\N{NO-BREAK SPACE}: joueur 1" in text
    assert table.tell(None, None, None, view) == []
    assert [line.plain for line in table.tell(view, 1, "G8", view)] == ["Joueur 1\N{NO-BREAK SPACE}: G8"]
