"""What is told of a match of agency is what happened; test_twin.py holds every event against the twin besides."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from machiavel.engines import GameEvent, IllegalMove, SeenMove, State, Teller
from machiavel.engines.agency.events import EVENT_KINDS
from machiavel.engines.phrases import Wording
from machiavel.search import make_bot
from tests.engines.agency.table import GAME, lay, play
from tests.twins.agency import winning_place

Seen = dict[str, Any]


class Step(NamedTuple):
    """A move as one seat, or a spectator, saw it."""

    state: State
    before: Seen | None
    move: SeenMove | None
    after: Seen
    events: list[GameEvent]


def steps(players: int, seed: int, watcher: int | None, **options: Any) -> Iterator[Step]:
    state = GAME.new(players, seed=seed, **options)
    bot, teller = make_bot(f"random:seed={seed}"), Teller(GAME.plugin, state.rules, "en", watcher)
    after = state.view(watcher).to_json()["view"]
    yield Step(state, None, None, after, teller.events(None, None, after))
    while (seat := state.seat_to_move) is not None:
        state.play(bot.choose(state.view(seat)))
        before, after = after, state.view(watcher).to_json()["view"]
        move = SeenMove(seat, state.observed_moves(watcher)[-1])
        yield Step(state, before, move, after, teller.events(before, move, after))


def matches(count: int = 6, **options: Any) -> Iterator[Step]:
    for players in (2, 3, 4, 5):
        for seed in range(count):
            yield from steps(players, seed, None if seed % 4 == 3 else seed % players, **options)


def fields(step: Step, kind: str) -> list[dict[str, Any]]:
    return [dict(event.fields) for event in step.events if event.kind == kind]


def test_the_cards_tell_who_wins_a_trick() -> None:
    checked = set()
    for step in matches():
        for trick in fields(step, "trick"):
            assert step.before is not None
            assert step.move is not None
            seats, cards = zip(*step.before["table"], (step.move.seat, step.move.text), strict=True)
            accomplice = step.before["stake"].partition("+")[2]
            assert trick["who"] == seats[winning_place(cards, accomplice)]
            if step.before["round"] == step.after["round"]:
                assert step.after["tricks"][trick["who"]] == step.before["tricks"][trick["who"]] + 1
            checked.add((accomplice, step.before["trick"] == 12))
    accomplices = {"", "blue_over_mauve", "plain_mauve", "low_wins", "follow_suit", "pass_left"}
    assert {accomplice for accomplice, _ in checked} == accomplices
    assert len([accomplice for accomplice, is_last in checked if is_last]) > 1


def test_hauls_add_up_to_what_the_views_count() -> None:
    bottoms = jeans = 0
    for step in matches():
        for trick in fields(step, "trick"):
            before, after, winner = step.before, step.after, trick["who"]
            assert before is not None
            if before["round"] != after["round"]:
                continue
            gained = after["plan_points"][winner] - before["plan_points"][winner]
            assert gained == trick["plan"] + (trick["bottom"] or 0)
            for colour in ("greens", "yellows"):
                assert after[colour][winner] - before[colour][winner] == (0 if trick["uncounted"] else trick[colour])
            bottoms += trick["bottom"] is not None
            jeans += trick["uncounted"]
            assert trick["bottom"] is None or trick["bottom"] >= 1
    assert bottoms
    assert jeans


def test_scores_are_the_engines_points_taken_apart() -> None:
    rounds = 0
    for step in matches(12):
        scores = fields(step, "score")
        if not scores:
            continue
        rounds += 1
        (trick,) = fields(step, "trick")
        assert step.before is not None
        assert [score["who"] for score in scores] == list(range(step.state.players))
        assert [score["points"] for score in scores] == step.after["last_round"]["points"]
        assert [medal["who"] for medal in fields(step, "medal")] == step.after["last_round"]["winners"]
        for seat, score in enumerate(scores):
            won = trick["plan"] + (trick["bottom"] or 0) if seat == trick["who"] else 0
            assert score["plans"] == step.before["plan_points"][seat] + won
            assert score["plans"] + score["bonus"] - score["malus"] == score["points"]
            assert {score["bonus"], score["malus"]} <= {0, 8 if step.state.players <= 3 else 5}
    assert rounds > 50


def test_the_end_names_who_won() -> None:
    for players in (2, 5):
        for seed in range(10):
            *_, last = steps(players, seed, 0)
            winners = [seat for seat, utility in enumerate(last.state.utilities) if utility == max(last.state.utilities)]
            kind = "win" if len(winners) == 1 else "share"
            assert [end["who"] for end in fields(last, kind)] == winners
            assert not any(fields(last, other) for other in ("round", "stake", "power"))


def test_passed_cards_are_told_to_who_gave_and_got_them_alone() -> None:
    hands = ["M1 M2 M3 M4 M5 M6", "B1 B2 B3 B4 B5 B6", "G1 G2 G3 G4 G5 G6"]
    moves = ["pass:M1", "pass:B1", "pass:G1"]
    expected = {0: ("G1", 2), 1: ("M1", 0), 2: ("B1", 1), None: (None, None)}
    for watcher, (card, giver) in expected.items():
        state = lay(3, hands, "1+pass_left")
        told: list[GameEvent] = []
        for seat, move in enumerate(moves):
            before = state.view(watcher).to_json()["view"]
            play(state, move)
            seen_move = SeenMove(seat, state.observed_moves(watcher)[-1])
            told += GAME.plugin.events(state.rules, before, seen_move, state.view(watcher).to_json()["view"])
        passes = [event.fields["card"] for event in told if event.kind == "pass"]
        assert passes == [move[5:] if seat == watcher else None for seat, move in enumerate(moves)]
        (exchange,) = [event.fields for event in told if event.kind == "exchange"]
        assert exchange == {"who": watcher, "giver": giver, "card": card}


def test_everything_that_can_happen_has_its_sentence_in_both_languages() -> None:
    kinds: set[str] = set()
    for step in [*matches(4), *matches(12, medals=1, powers=False)]:
        kinds |= {event.kind for event in step.events}
        for me in {step.after["seat"], None}:
            english, french = (
                [Teller(GAME.plugin, step.state.rules, language, me).text(step.after, event) for event in step.events]
                for language in ("en", "fr")
            )
            for text in (*english, *french):
                assert text
                assert text[0] == text[0].upper()
                assert not any(mark in text for mark in "{}[]|")
                assert "  " not in text
            assert not any(re.search(r"\b[GY]\d", text) for text in french)
    assert kinds == set(EVENT_KINDS)


@pytest.mark.parametrize(
    ("pile", "first", "wrong", "english", "french"),
    [
        ("2", "", "lead:1", "a card is to be played", "il faut jouer une carte de ta main"),
        ("2", "", "pass:G8", "a card is to be played", "il faut jouer une carte de ta main"),
        ("2", "", "G9", "G9 is not in the hand", "V9 n’est pas dans ta main"),
        ("1+pass_left", "", "G8", "a card of the hand is to be passed", "il faut passer une carte de ta main"),
        ("1+pass_left", "", "pass:Y16", "Y16 is not in the hand", "J16 n’est pas dans ta main"),
        ("5+follow_suit", "G8", "B1", "must follow green", "il faut fournir du vert"),
        ("belton", "", "G8", "Belton names who leads", "Belton doit dire qui commence"),
    ],
)
def test_why_a_move_is_not_legal_is_told_in_both_languages(pile: str, first: str, wrong: str, english: str, french: str) -> None:
    state = play(lay(2, ["G8 M1 M2 M3 M4 M5", "G1 B1 B2 B3 B4 B5"], pile), first)
    with pytest.raises(IllegalMove) as refused:
        state.play(wrong)
    why = refused.value.why
    assert isinstance(why, Wording)
    assert (why, why.texts["fr"]) == (english, french)
