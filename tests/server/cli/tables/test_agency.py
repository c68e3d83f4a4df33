"""Agency's table: what it tells is what happened, and it shows all its seat may know."""

import io
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rich.console import Console, RenderableType

from machiavel.engines import State, load
from machiavel.search import make_bot
from machiavel.server.cli.tables import TableSetting, make_table
from machiavel.server.cli.tables.agency import AgencyTable
from machiavel.server.cli.tables.agency_entries import read_entry
from machiavel.server.cli.tables.agency_story import round_scores, trick_taken, trick_winner
from machiavel.server.cli.tables.fallback import FallbackTable

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


def table_of(state: State, seat: int, language: str) -> AgencyTable:
    bots = ["" if other == seat else "random" for other in range(state.players)]
    return AgencyTable(TableSetting(language, seat, bots, dict(state.rules.options), str))


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


def test_the_cards_tell_who_wins_a_trick_as_the_engine_does() -> None:
    checked = set()
    for _, before, seat, move, after in matches():
        haul = trick_taken(before, seat, move, after)
        if haul is None or before["trick"] == 12:
            continue
        order = [*(other for other, _ in before["table"]), seat]
        cards = [*(card for _, card in before["table"]), move]
        next_round = {"round": before["round"] + 1}

        assert trick_winner(before, order, cards, next_round) == haul.winner
        checked.add(before["stake"].partition("+")[2])
    assert checked == {"", "blue_over_mauve", "plain_mauve", "low_wins", "follow_suit", "pass_left"}


def test_hauls_add_up_to_what_the_views_count() -> None:
    bottoms = jeans = 0
    for _, before, seat, move, after in matches():
        haul = trick_taken(before, seat, move, after)
        if haul is None or before["round"] != after["round"]:
            continue
        gained = after["plan_points"][haul.winner] - before["plan_points"][haul.winner]
        assert gained == haul.plan + (haul.bottom or 0)
        assert after["greens"][haul.winner] - before["greens"][haul.winner] == (0 if haul.jean else haul.greens)
        assert after["yellows"][haul.winner] - before["yellows"][haul.winner] == (0 if haul.jean else haul.yellows)
        bottoms += haul.bottom is not None
        jeans += haul.jean
        assert haul.bottom is None or haul.bottom >= 1
    assert bottoms
    assert jeans


def test_round_scores_are_the_engines_points_taken_apart() -> None:
    rounds = 0
    for _, before, seat, move, after in matches(12):
        haul = trick_taken(before, seat, move, after)
        if haul is None or before["trick"] < 12:
            continue
        rounds += 1
        scores = round_scores(before, haul, after)
        assert [score.points for score in scores] == after["last_round"]["points"]
        for other, score in enumerate(scores):
            won = haul.plan + (haul.bottom or 0) if other == haul.winner else 0
            assert score.plans == before["plan_points"][other] + won
            assert score.plans + score.bonus - score.malus == score.points
    assert rounds > 50


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
                assert f" {card} " in text
            for _, card in after["table"]:
                assert f" {card} " in text
            assert all(len(line) <= 80 for line in text.splitlines())
        assert state.is_over
        assert table is not None
        assert shown(table.result(after, after["winners"]))


def test_a_pass_is_told_with_the_cards_one_knows_and_no_others() -> None:
    step = find(lambda step: step[1]["phase"] == "pass" and step[4]["phase"] == "play")
    state, before, _, _, after = step
    me, players = after["seat"], state.players
    entry = after["half"][-1]

    text = told(step, "en")

    assert "You pass" in text or "unseen" in text
    assert "The cards passed change hands: you get" in text
    assert f"({(me - 1) % players})" in text
    drawn = shown(table_of_after(step).draw(after), width=160)
    colours = {"M": "mauve", "B": "blue", "G": "green", "Y": "yellow"}
    assert f"You passed {colours[entry['gave'][0]]} {entry['gave'][1:]} to" in drawn
    assert f"You got {colours[entry['received'][0]]} {entry['received'][1:]} from" in drawn
    assert before["half"][-1]["received"] is None


def table_of_after(step: FormStep, language: str = "en") -> AgencyTable:
    state, before, seat, move, after = step
    table = table_of(state, after["seat"], language)
    table.tell(before, seat, move, after)
    return table


def test_belton_and_whom_he_chose_are_shown() -> None:
    step = find(lambda step: step[3].startswith("lead:") and step[4]["phase"] == "play")
    _, _, seat, move, after = step
    target = int(move[5:])

    assert "leads" in told(step, "en") or "lead." in told(step, "en")
    assert "commence" in told(step, "fr")
    name = "you" if target == after["seat"] else f"({target})"
    drawn = shown(table_of_after(step).draw(after), width=160)
    assert name in next(line for line in drawn.splitlines() if "Henry B. Belton has named who leads" in line)
    assert f"Henry B. Belton ({seat})" in told(step, "en") or seat == after["seat"]


def test_moignons_shows_the_hand_to_the_one_who_looks_alone() -> None:
    mine = find(lambda step: step[3].startswith("look:") and step[2] == step[4]["seat"])
    others = find(lambda step: step[3].startswith("look:") and int(step[3][5:]) == step[4]["seat"])

    assert mine[4]["look"]["cards"]
    for card in mine[4]["look"]["cards"]:
        assert f"{card[1:]} " in told(mine, "fr")
    assert "telle que tu l'as vue" in shown(table_of_after(mine, "fr").draw(mine[4]), width=200)
    assert "regarde ta main." in told(others, "fr")
    assert "a vu ta main" in shown(table_of_after(others, "fr").draw(others[4]), width=200)


@pytest.mark.parametrize(
    ("agent", "flag", "words"),
    [
        ("martha", "martha", "prend aussi le plan le plus bas de la pile"),
        ("jean", "jean", "ne comptent pour personne"),
        ("wxt", "last", "joue en dernier"),
    ],
)
def test_powers_are_told_as_they_come_up(agent: str, flag: str, words: str) -> None:
    def comes_up(step: FormStep) -> bool:
        _, before, _, _, after = step
        return after[flag] not in {None, False} and before["trick"] != after["trick"]

    step = find(comes_up)
    line = next(line for line in told(step, "fr").splitlines() if words in line)

    assert f"({step[4]['agents'].index(agent)})" in line or line.startswith("Ta carte Pouvoir")


def test_the_end_of_a_round_is_told_seat_by_seat() -> None:
    step = find(lambda step: step[1]["trick"] == 12 and step[4]["trick"] == 1)

    text = told(step, "fr")

    assert "Fin de la manche 1" in text
    assert "médaille" in text
    assert "Manche 2" in text
    assert f"= {step[4]['last_round']['points'][0]}" in text
    assert " : plans " in text.lower()
    assert not re.search(r"\w:", text)


def test_the_final_table_says_whose_points_it_shows() -> None:
    *_, (state, _, _, _, after) = steps(2, 3)

    assert "Points of the last round" in shown(table_of(state, 0, "en").result(after, after["winners"]))
    assert "Points de la dernière manche" in shown(table_of(state, 0, "fr").result(after, after["winners"]))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("width", [40, 60])
def test_a_narrow_screen_loses_no_number_and_no_card(width: int, language: str) -> None:
    greens = {"en": "G", "fr": "V"}[language]
    for state, _, _, _, after in steps(5, 5, watcher=1):
        if 1 not in after["to_move"]:
            continue
        table = table_of(state, 1, language)
        table.tell(None, None, None, after)
        text = shown(table.draw(after), table.choices(after, state.legal_moves(1)), width=width)
        assert not re.search(r"\w…", text)
        for seat in range(5):
            assert f"t{after['tricks'][seat]} p{after['plan_points'][seat]} {greens}{after['greens'][seat]}" in joined(text)
        for card in after["hand"]:
            assert f" {card} " in text
        assert all(len(line) <= width for line in text.splitlines())


def joined(text: str) -> str:
    """A panel's text without the frame and the ends of lines."""
    return " ".join(text.replace("│", " ").split())


ENTRIES = {
    "play": {
        "G8": ["g8", "V8", "v8", "8 vert", "vert 8", "green 8", "green8", "play g 8", "joue vert 8"],
        "Y16": ["y 16", "yellow 16", "jaune 16", "J16", "16 jaune", "Yellow  16"],
        "pass:G8": ["pass:V8", "passe:V8", "pass v8", "passer vert 8"],
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
    table = make_table("another", TableSetting("fr", 0, ["", "random"], {}, lambda move: f"coup {move}"))

    assert isinstance(table, FallbackTable)
    text = shown(table.draw(view), table.choices(view, ["G8", "Y12"]), table.result(view, [1]))
    for field in view:
        assert f"{field}: " in text
    assert "1  G8   coup G8" in text
    assert "Victoire : joueur 1" in text
    assert table.tell(None, None, None, view) == []
    assert [line.plain for line in table.tell(view, 1, "G8", view)] == ["Joueur 1 : G8"]
