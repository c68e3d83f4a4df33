"""Bots: made of texts, choosing from views alone."""

from collections.abc import Mapping
from typing import Any

import pytest

from machiavel.engines import NotToMove, State, load
from machiavel.search import KINDS, NO_LIMITS, BadBot, Bot, BotKind, Limits, Parameter, bots, make_bot

HELP = {"en": "words", "fr": "mots"}


class Remembering:
    """A bot that only knows what it was made of."""

    spec = "ismcts"

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = dict(values)

    def choose(self, view: object, limits: Limits = NO_LIMITS) -> str:
        raise AssertionError("is made, and never asked")


ISMCTS = BotKind(
    "ismcts",
    HELP,
    (
        Parameter("iterations", int, 1000, HELP, least=1, most=10**6),
        Parameter("exploration", float, 0.7, HELP, least=0),
        Parameter("infer", bool, False, HELP),
        Parameter("variant", str, "single", HELP, choices=("single", "multi")),
        Parameter("book", str, "", HELP),
    ),
    Remembering,
)


@pytest.fixture
def ismcts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "KINDS", {**KINDS, "ismcts": ISMCTS})


def passing(players: int = 4) -> State:
    """A match in which everybody is asked for a card to pass."""
    for seed in range(1000):
        state = load("agency").new(players, seed=seed, powers=False)
        if len(state.seats_to_move) == players:
            return state
    raise AssertionError("no plan on top of any pile makes players pass")


def played(seed: int, bot: Bot) -> list[str]:
    """All moves of a match between copies of a bot."""
    state = load("agency").new(3, seed=seed, medals=1)
    while (seat := state.seat_to_move) is not None:
        state.play(bot.choose(state.view(seat)))
    return list(state.moves)


def test_a_spec_makes_the_same_bot_again() -> None:
    for text in ("random", "random:seed=7", "greedy"):
        spec = make_bot(text).spec

        assert make_bot(spec).spec == spec
    assert make_bot(" random:seed=7 ").spec == "random:seed=7"


def test_parameters_have_types_bounds_and_defaults(ismcts: None) -> None:
    bot = make_bot("ismcts: iterations=5000, variant=multi,infer=TRUE,exploration=1.5")

    assert bot.values == {  # type: ignore[attr-defined]
        "iterations": 5000,
        "exploration": 1.5,
        "infer": True,
        "variant": "multi",
        "book": "",
    }
    assert make_bot("ismcts").values["iterations"] == 1000  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "there is no bot ''; known: random, greedy, ismcts"),
        ("clever", "there is no bot 'clever'; known: random, greedy, ismcts"),
        ("random:", "'' is no parameter; expected random:key=value,key=value"),
        ("random:7", "'7' is no parameter"),
        ("random:seed=", "'seed=' is no parameter"),
        ("random:seed=7,", "'' is no parameter"),
        ("random:seed=7,seed=8", "seed is given twice"),
        ("random:sed=7", "random has no parameter 'sed'; known: seed"),
        ("greedy:seed=7", "greedy has no parameter 'seed'; known: none"),
        ("random:seed=-1", "seed cannot be '-1'; expected a whole number, at least 0"),
        ("random:seed=1.5", "seed cannot be '1.5'; expected a whole number, at least 0"),
        ("ismcts:iterations=0", "iterations cannot be '0'; expected a whole number from 1 to 1000000"),
        ("ismcts:iterations=1_000", "iterations cannot be '1_000'"),
        ("ismcts:exploration=nan", "exploration cannot be 'nan'; expected a number, at least 0"),
        ("ismcts:exploration=inf", "exploration cannot be 'inf'"),
        ("ismcts:infer=yes", "infer cannot be 'yes'; expected true or false"),
        ("ismcts:variant=pimc", "variant cannot be 'pimc'; expected one of single, multi"),
    ],
)
def test_a_wrong_text_is_refused_with_what_would_be_right(ismcts: None, text: str, problem: str) -> None:
    with pytest.raises(BadBot) as caught:
        make_bot(text)

    assert problem in str(caught.value)
    assert caught.value.text == text


def test_every_kind_and_parameter_is_explained_in_both_languages() -> None:
    for kind in (*KINDS.values(), ISMCTS):
        assert set(kind.help) == {"en", "fr"}
        assert all(kind.help.values())
        for parameter in kind.parameters:
            assert set(parameter.help) == {"en", "fr"}
            assert all(parameter.help.values())
            assert parameter.expected("en") != parameter.expected("fr") or parameter.choices


def test_a_seed_makes_random_play_repeatable_and_another_one_changes_it() -> None:
    seven = played(1, make_bot("random:seed=7"))

    assert played(1, make_bot("random:seed=7")) == seven
    assert played(1, make_bot("random:seed=8")) != seven
    assert played(1, make_bot("random")) != seven


def test_a_bot_asked_twice_answers_the_same_and_is_moved_by_nothing_else() -> None:
    bot = make_bot("random:seed=7")
    view = load("agency").new(2, seed=1, powers=False).view
    seat = next(iter(load("agency").new(2, seed=1, powers=False).seats_to_move))
    first = bot.choose(view(seat))

    played(5, bot)

    assert bot.choose(view(seat)) == first


def test_random_play_chooses_every_legal_move_about_equally_often() -> None:
    state = load("agency").new(3, seed=3, powers=False, accomplices=False)
    view = state.view(state.seat_to_move)
    counts = dict.fromkeys(view.legal_moves(), 0)

    for seed in range(1200):
        counts[make_bot(f"random:seed={seed}").choose(view)] += 1

    assert len(counts) == 6
    assert all(140 < count < 260 for count in counts.values())


def test_greedy_plays_the_heaviest_move_and_of_equals_the_first() -> None:
    greedy = make_bot("greedy")
    state = load("agency").new(4, seed=11, medals=1)
    while (seat := state.seat_to_move) is not None:
        weights = state.weights()
        heaviest = [move for move in state.legal_moves() if weights[move] == max(weights.values())]

        assert greedy.choose(state.view(seat)) == heaviest[0]
        state.play(heaviest[0])


@pytest.mark.parametrize("spec", ["random:seed=7", "greedy"])
def test_seats_that_are_asked_together_may_answer_in_any_order(spec: str) -> None:
    state = passing()
    bot = make_bot(spec)

    answers = {seat: bot.choose(state.view(seat)) for seat in (3, 1, 0, 2)}

    for seat in range(4):
        assert answers[seat] in state.legal_moves(seat)
        state.play(answers[seat])
    assert not any(move.startswith("pass:") for move in state.legal_moves())


@pytest.mark.parametrize("spec", ["random:seed=7", "greedy"])
def test_a_seat_that_is_not_asked_gets_an_error(spec: str) -> None:
    state = load("agency").new(3, seed=3, powers=False, accomplices=False)
    other = (state.seat_to_move or 0) + 1

    with pytest.raises(NotToMove):
        make_bot(spec).choose(state.view(other % 3))
