"""Kuhn poker by its rules, all games of it; tests/engines/test_out_of_tree.py installs it first."""

import io
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations, product
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from machiavel.engines import BadLayout, BadOption, Record, SeenMove, State, Teller, load
from machiavel.search import Limits, SearchParameters, explain, make_bot, recommend, unseen_map
from machiavel.server.cli import main
from machiavel.server.service.described_games import described

GAME = load("kuhn_elsewhere")
RANKS = "JQK"
DEALS = list(permutations(RANKS, 2))
# What seat 0 gains; None where the cards decide.
GAINS = {"pass pass": None, "bet pass": 1, "bet bet": None, "pass bet pass": -1, "pass bet bet": None}
GAMES = list(product(DEALS, GAINS))


def dealt(cards: tuple[str, ...]) -> State:
    return GAME.new(2, layout={"cards": list(cards)})


def played(cards: tuple[str, ...], history: str) -> State:
    state = dealt(cards)
    for move in history.split():
        state.play(move)
    return state


def test_a_page_that_knows_no_rules_is_told_what_there_is() -> None:
    told = described(GAME)
    assert not told.schema.declared
    assert [one.name for one in told.schema.view] == ["seat", "moves", "cards"]
    assert [one.name for one in told.schema.options] == ["cards"]
    assert {one.kind for one in told.schema.events} == set(GAME.plugin.event_kinds)
    assert [one.key for one in told.form.questions] == ["deck", "card", "moves"]
    form = described(GAME, answers={"deck": "3", "card": "K", "moves": ""}).form
    seen: Any = form.view.other
    assert seen["cards"][0] == "K"


def test_a_view_is_carried_on_and_the_others_card_is_asked_for_when_it_is_shown() -> None:
    seen = dealt(("Q", "K")).view(1).follow("bet").view
    assert seen == played(("Q", "K"), "bet").view(1)
    (asked,) = seen.follow("bet").questions
    assert (asked.place, list(asked.possible)) == ("cards[0]", ["J", "Q"])
    assert seen.follow("bet", answers={"cards[0]": "Q"}).view == played(("Q", "K"), "bet bet").view(1)
    assert seen.follow("pass").view == played(("Q", "K"), "bet pass").view(1)


def test_the_others_card_is_one_of_the_two_that_are_left() -> None:
    found = unseen_map(played(("Q", "K"), "pass").view(1), seed=1)

    assert [(one.field, one.seat, one.label["fr"], one.size) for one in found.places] == [("cards", 0, "carte du joueur 0", 1)]
    assert [(one.name, one.count) for one in found.things] == [("J", found.things[0].chance[0]), ("Q", found.things[1].chance[0])]
    assert all(abs(one.chance[0] - 0.5) < 5 * found.standard_error for one in found.things)
    assert not unseen_map(played(("Q", "K"), "bet bet").view(1)).things


def gain(cards: tuple[str, ...], history: str) -> int:
    """R3, R4, written out."""
    shown = GAINS[history]
    if shown is not None:
        return shown
    stake = 2 if "bet" in history else 1
    return stake if RANKS.index(cards[0]) > RANKS.index(cards[1]) else -stake


def histories(state: State) -> list[str]:
    if state.is_over:
        return [" ".join(state.moves)]
    result = []
    for move in state.legal_moves():
        after = state.copy()
        after.play(move)
        result += histories(after)
    return result


@pytest.mark.parametrize("cards", DEALS)
def test_r2_all_games_there_are(cards: tuple[str, ...]) -> None:
    assert sorted(histories(dealt(cards))) == sorted(GAINS)


@pytest.mark.parametrize(("cards", "history"), GAMES)
def test_r3_r4_who_gains_how_much(cards: tuple[str, ...], history: str) -> None:
    state = played(cards, history)

    assert state.utilities == ((2 + gain(cards, history)) / 4, (2 - gain(cards, history)) / 4)
    assert state.metrics == {"pot": 2 + history.split().count("bet"), "shown": GAINS[history] is None}


@pytest.mark.parametrize(("cards", "history"), GAMES)
def test_nobody_sees_the_others_card_before_it_is_shown(cards: tuple[str, ...], history: str) -> None:
    state = dealt(cards)
    for ply, move in enumerate([*history.split(), None]):
        shown = move is None and GAINS[history] is None
        for seat in (0, 1, None):
            seen = [card if shown or owner == seat else None for owner, card in enumerate(cards)]
            expected = {"seat": seat, "moves": history.split()[:ply], "cards": seen}
            assert state.view(seat).to_json()["view"] == expected
        if move:
            state.play(move)


def test_a_view_is_the_same_whatever_the_other_card_is() -> None:
    for mine, history in product(RANKS, ("", "pass", "bet", "pass bet", "bet pass", "pass bet pass")):
        others = [card for card in RANKS if card != mine]
        assert len({played((mine, card), history).view(0).to_bytes() for card in others}) == 1
        assert len({played((card, mine), history).view(1).to_bytes() for card in others}) == 1


def test_worlds_are_the_two_other_cards_equally_often() -> None:
    count = 4000
    for mine in RANKS:
        view = dealt((mine, next(card for card in RANKS if card != mine))).view(0)
        counts = Counter(tuple(view.determinize(seed).truth()["cards"]) for seed in range(count))
        assert set(counts) == {(mine, card) for card in RANKS if card != mine}
        # Five standard deviations.
        assert all(abs(number - count / 2) < 5 * (count / 4) ** 0.5 for number in counts.values())


def test_a_spectators_worlds_are_all_deals_equally_often() -> None:
    count = 6000
    view = dealt(DEALS[0]).view(None)
    counts = Counter(tuple(view.determinize(seed).truth()["cards"]) for seed in range(count))

    assert set(counts) == set(DEALS)
    assert all(abs(number - count / 6) < 5 * (count * 5 / 36) ** 0.5 for number in counts.values())


def test_the_mean_of_random_games_is_that_of_all_of_them() -> None:
    count = 200_000
    chance = {history: 0.5 ** len(history.split()) for history in GAINS}
    exact = fmean(sum(chance[history] * (2 + gain(cards, history)) / 4 for history in GAINS) for cards in DEALS)
    games = GAME.playouts(count, seed=1, players=2)

    # Utilities lie within 0 … 1, so that a mean strays by at most 0.5 / sqrt(count).
    assert abs(games.utilities[:, 0].mean(dtype=float) - exact) < 5 * 0.5 / count**0.5
    assert abs(games.plies.mean() - sum(chance[history] * len(history.split()) for history in GAINS)) < 0.01


def test_weights_are_those_of_an_equilibrium() -> None:
    assert dealt(("K", "J")).weights()["bet"] > 0.9
    assert dealt(("Q", "K")).weights()["bet"] < 0.1
    assert played(("K", "J"), "bet").weights()["bet"] < 0.1
    assert 0.2 < played(("K", "Q"), "bet").weights()["bet"] < 0.5


def test_options_and_layouts_that_cannot_be() -> None:
    for number in (2, 14, True, "3", None):
        with pytest.raises(BadOption, match="cards"):
            GAME.make_rules(2, cards=number)
    for cards in (None, "KJ", ["K"], ["K", "K"], ["K", "A"], [1, 2], ["K", "Q", "J"]):
        with pytest.raises(BadLayout):
            GAME.new(2, layout={"cards": cards})
    with pytest.raises(BadLayout):
        GAME.new(2, layout={})
    assert GAME.new(2, cards=13, layout={"cards": ["A", "2"]}).truth()["cards"] == ["A", "2"]


def test_hints_speak_of_what_it_declares() -> None:
    view = played(("K", "J"), "pass bet").view(0)
    recommendation = recommend(view, Limits(iterations=800), SearchParameters(exploration=5.0), explain=True)
    explanation = explain(view, recommendation)
    chance = {one.move: one.metrics["shown"] for one in recommendation.candidates}
    assert chance == {"pass": 0, "bet": 1}
    assert explanation.sentences[0].texts["en"] == "Bet: that wins for certain. There is a showdown for certain."
    french = "Mise\N{NO-BREAK SPACE}: c’est gagné à coup sûr. Il y a un abattage à coup sûr."
    assert explanation.sentences[0].texts["fr"] == french
    assert explanation.labels["shown"] == {"en": "showdown", "fr": "abattage"}


# ---- What is told ----


TOLD = {
    ("pass pass", 0): [
        "You pass.",
        "Seat 1 passes.",
        "You show the king.",
        "Seat 1 shows the jack.",
        "You take the pot: 2 chips.",
    ],
    ("bet pass", 1): ["Seat 0 bets one chip; the pot is 3.", "You give up the pot.", "Seat 0 takes the pot: 3 chips."],
    ("pass bet bet", None): [
        *("Seat 0 passes.", "Seat 1 bets one chip; the pot is 3.", "Seat 0 matches the bet; the pot is 4."),
        *("Seat 0 shows the king.", "Seat 1 shows the jack.", "Seat 0 takes the pot: 4 chips."),
    ],
}


@pytest.mark.parametrize(("history", "me"), TOLD)
def test_a_game_is_told_move_by_move(history: str, me: int | None) -> None:
    beginning = [] if me is None else [f"You each put one chip into the pot. You are dealt the {('king', 'jack')[me]}."]
    assert story(("K", "J"), history, me, "en") == beginning + TOLD[history, me]


def test_it_is_told_in_french() -> None:
    assert story(("Q", "K"), "pass bet pass", 0, "fr") == [
        "Chacun met un jeton au pot. Tu reçois la dame.",
        "Tu passes.",
        "Le joueur 1 mise un jeton\N{NO-BREAK SPACE}: 3 au pot.",
        "Tu te couches.",
        "Le joueur 1 remporte le pot\N{NO-BREAK SPACE}: 3 jetons.",
    ]


@pytest.mark.parametrize("history", ["bet pass", "pass bet pass"])
def test_what_is_told_does_not_depend_on_a_card_that_is_not_shown(history: str) -> None:
    for me, language in product((0, 1), ("en", "fr")):
        first, second = (story(cards if me == 0 else cards[::-1], history, me, language) for cards in (("Q", "J"), ("Q", "K")))
        assert first == second


def story(cards: tuple[str, ...], history: str, me: int | None, language: str) -> list[str]:
    """Every sentence that the player at seat `me` reads, or a spectator."""
    state = dealt(cards)
    teller, seen, move, told = Teller(GAME.plugin, state.rules, language, me), None, None, []
    for text in (None, *history.split()):
        if text is not None:
            move = SeenMove(min(state.seats_to_move), text)
            state.play(text)
        after = state.view(me).to_json()["view"]
        told += [teller.text(after, event) for event in teller.events(seen, move, after)]
        seen = after
    return told


# ---- Played from the distribution it came in ----

Run = Callable[..., str]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command; what is typed are lines. Returns what it prints, blanks made one."""

    def command(line: str, *entries: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{entry}\n" for entry in entries)))
        code = main(line.split())
        out, err = capsys.readouterr()
        assert (code, err) == (0, "")
        return " ".join(out.split())

    return command


def test_its_levels_are_listed_and_its_own(run: Run) -> None:
    told = run("bots kuhn_elsewhere")
    assert "kuhn_elsewhere 20 iterations a move, then one of the moves that look nearly as good (sharpness 1, slack 0.7)" in told
    player = make_bot("level3:seed=1").player("kuhn_elsewhere", 2)  # type: ignore[attr-defined]
    own = GAME.plugin.search_data()["levels"][2]
    assert (player.iterations, player.slack, player.parameters.exploration) == (own["iterations"], own["slack"], 5)


def test_its_win_chances_are_calibrated() -> None:
    answer = recommend(dealt(("Q", "J")).view(0), Limits(iterations=400), SearchParameters(seed=1))
    assert answer.parameters.policy == GAME.plugin.search_data()["defaults"]["policy"] == "weighted"
    assert all(one.win_chance < one.utility for one in answer.candidates)


@pytest.mark.parametrize(
    ("language", "entries", "expected"),
    [
        (
            "en",
            ("?", "b", "1"),
            ("pot: 2 chips", "1 chip in", "face down", "Pass or bet?", "put one chip in;", "You bet one chip"),
        ),
        (
            "fr",
            ("?", "miser", "1"),
            ("pot : 2 jetons", "1 jeton misé", "face cachée", "Tu passes ou tu mises ?", "Tu mises un jeton"),
        ),
    ],
)
def test_it_is_played_in_the_terminal(run: Run, language: str, entries: tuple[str, ...], expected: tuple[str, ...]) -> None:
    told = run(f"play kuhn_elsewhere --seed 3 --cards 13 --bots level3 --lang {language}", *entries)

    for text in expected:
        assert text in told
    assert {"en": "The match is over", "fr": "La partie est finie"}[language] in told


@pytest.mark.parametrize(
    ("language", "bet", "said"),
    [
        ("en", "bet", ("What has been played so far?", "bet pass: expected nothing, pass, bet or pass bet")),
        (
            "fr",
            "mise",
            ("Qu’a-t-on joué jusqu’ici ?", "bet pass : il faut passe, mise, passe mise, ou rien du tout si tu commences"),
        ),
    ],
)
def test_a_hint_is_asked_for_step_by_step(run: Run, tmp_path: Path, language: str, bet: str, said: tuple[str, str]) -> None:
    file = tmp_path / "view.json"
    told = run(f"hint kuhn_elsewhere --iterations 200 --lang {language} --save {file}", "4", "9", "k", "bet pass", bet, "")

    assert all(text in told for text in said)
    data = json.loads(file.read_text(encoding="utf-8"))
    assert data["options"] == {"players": 2, "cards": 4}
    assert data["view"] == {"seat": 1, "moves": ["bet"], "cards": [None, "K"]}


@pytest.fixture
def address() -> Iterator[str]:
    """A server that has it installed as well."""
    command = [sys.executable, "-m", "machiavel.server.cli", "serve", "--listen", "127.0.0.1:0", "--storage", "memory:", "--json"]
    with subprocess.Popen([*command, "--log-level", "error"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())["address"]
        finally:
            process.terminate()


def test_it_is_played_at_a_table_that_a_server_hosts(run: Run, address: str, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    served = f"--server {address} --bots level3 --think 0.02 --cards 5 --hints --record {file}"
    told = run(f"play kuhn_elsewhere {served} --lang fr", "conseil", "miser", "miser")

    assert "Tu passes ou tu mises ?" in told and "La partie est finie" in told
    state = GAME.replay(Record.from_json(file.read_text(encoding="utf-8")))
    assert state.is_over and state.rules.options["cards"] == 5


def test_it_is_played_in_a_tournament(run: Run, tmp_path: Path) -> None:
    told = run(
        f"tournament kuhn_elsewhere --bots level3 random --deals 20 --seed 1 --json"
        f" --executor processes:2 --output {tmp_path / 'cup'}"
    )

    assert '"reason":"played"' in told
    summary = json.loads((tmp_path / "cup" / "summary.json").read_text(encoding="utf-8"))
    assert (summary["games"], {one["bot"] for one in summary["bots"]}) == (40, {"level3", "random"})
