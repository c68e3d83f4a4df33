"""Moves as text: read, written, refused; their labels; and seeds."""

import random
from typing import Any

import pytest

from machiavel.engines import (
    AmbiguousMove,
    BadOption,
    BadRecord,
    IllegalMove,
    MatchNotOver,
    NotAMove,
    NotToMove,
    Record,
    State,
)
from tests.engines.agency.table import CARDS, GAME, lay, play, play_to_the_end, seen

PLUGIN = GAME.plugin
EXPECTED = "a card (G8), lead:0 to lead:2, look:0 to look:2 or pass: and a card (pass:Y12)"
MOVES = [*CARDS, *(f"pass:{card}" for card in CARDS), *(f"{word}:{seat}" for word in ("lead", "look") for seat in range(3))]


def to_play() -> State:
    return lay(3, ["M3 B7 G8 G10 Y10 Y12"], "1 2", powers=False)


def to_pass() -> State:
    return lay(3, ["M3 B7 G8 G10 Y10 Y12"], "1+pass_left", powers=False)


def everything(state: State) -> tuple[Any, ...]:
    return (state.truth(), state.moves, state.to_bytes(), state.record().to_json(), state.legal_moves())


# ---- Read and written ----


def test_every_move_has_one_text_that_reads_back() -> None:
    rules = GAME.make_rules(3)
    for text in MOVES:
        (move,) = PLUGIN.parse_move(rules, text)
        assert PLUGIN.move_text(rules, move) == text
    assert len({PLUGIN.parse_move(rules, text)[0] for text in MOVES}) == len(MOVES)


def test_legal_moves_read_back_as_themselves_all_through_a_match() -> None:
    rng = random.Random(3)
    state = GAME.new(5, seed=3)
    while not state.is_over:
        seat = state.seat_to_move
        for text, number in zip(state.legal_moves(), state.moves_of(seat or 0), strict=True):
            assert state.resolve(text) == number and PLUGIN.move_text(state.rules, number) == text
        state.play(rng.choice(state.legal_moves()))


@pytest.mark.parametrize("text", ["G8", "g8", " G8", "g8\n", "\t G8 ", "8"])
def test_a_card_may_be_written_small_with_spaces_or_by_its_rank_alone(text: str) -> None:
    assert play_one(to_play(), text) == ("G8",)


@pytest.mark.parametrize("text", ["pass:Y12", "PASS:y12", " pass : y12 ", "pass:12", "Pass:Y12"])
def test_a_pass_may_be_written_so_too(text: str) -> None:
    assert play_one(to_pass(), text) == ("pass:Y12",)


@pytest.mark.parametrize(("text", "move"), [("LEAD:2", "lead:2"), (" lead : 0 ", "lead:0"), ("lead:02", "lead:2")])
def test_a_choice_of_a_seat_may_be_written_so_too(text: str, move: str) -> None:
    assert play_one(lay(3, pile="belton 1"), text) == (move,)


def test_a_number_of_a_seat_is_read_to_its_end() -> None:
    state = lay(3, pile="belton 1")
    for text in ("lead:0009", "lead:0012", "lead:00000000003"):
        with pytest.raises(NotAMove):
            state.play(text)


def play_one(state: State, text: str) -> tuple[str, ...]:
    state.play(text)
    return state.moves


def test_legal_moves_stand_in_deck_order_or_by_seat() -> None:
    assert to_play().legal_moves() == ["M3", "B7", "G8", "G10", "Y10", "Y12"]
    assert to_pass().legal_moves() == ["pass:M3", "pass:B7", "pass:G8", "pass:G10", "pass:Y10", "pass:Y12"]
    assert lay(3, pile="belton 1").legal_moves() == ["lead:0", "lead:1", "lead:2"]


# ---- Refused ----


NO_MOVES = [
    *("", " ", "hello", "G", "8G", "G 8", "G17", "M11", "B0", "G-8", "G8.0", "X3", "99", "G8 G10", "G8\0", "é", "٨"),
    *("pass", "pass:", "pass:G17", "pass:?", "play:G8", "lead", "lead:", "lead:3", "lead:-1", "lead:x", "lead:٢", "lead:¹"),
    *("lead:1:2", "lead:1_0", "lead:+1", "lead:0009", "lead:0012", "lead:0" * 50, "look:9"),
]


@pytest.mark.parametrize("text", NO_MOVES)
def test_a_text_that_is_no_move_is_refused_with_what_would_be_one(text: str) -> None:
    state = to_play()
    before = everything(state)
    with pytest.raises(NotAMove) as refused:
        state.play(text)
    assert str(refused.value) == f"{text!r} is not a move; expected {EXPECTED}" and refused.value.text == text
    assert everything(state) == before


@pytest.mark.parametrize("text", [None, 8, 8.0, b"G8", ["G8"]])
def test_a_move_is_a_text(text: Any) -> None:
    with pytest.raises(TypeError, match="a move is a text"):
        to_play().play(text)


ILLEGAL = [
    (to_play, "G9", "G9 is not in the hand; legal: M3, B7, G8, G10, Y10, Y12"),
    (to_play, "pass:G8", "a card is to be played; legal: M3, B7, G8, G10, Y10, Y12"),
    (to_play, "lead:1", "a card is to be played; legal: M3, B7, G8, G10, Y10, Y12"),
    (to_pass, "G8", "a card of the hand is to be passed; legal: pass:M3, pass:B7, pass:G8, pass:G10, pass:Y10, pass:Y12"),
    (to_pass, "pass:G9", "G9 is not in the hand; legal: pass:M3, pass:B7, pass:G8, pass:G10, pass:Y10, pass:Y12"),
    (to_pass, "look:1", "a card of the hand is to be passed; legal: pass:M3, pass:B7, pass:G8, pass:G10, pass:Y10, pass:Y12"),
    (lambda: lay(3, pile="belton 1"), "look:1", "Belton names who leads; legal: lead:0, lead:1, lead:2"),
    (lambda: lay(3, pile="belton 1"), "G8", "Belton names who leads; legal: lead:0, lead:1, lead:2"),
    (
        lambda: lay(3, pile="moignons 1", agents=["moignons", "wxt", "jean"]),
        "look:0",
        "Moignons looks at the hand of an opponent; legal: look:1, look:2",
    ),
]


@pytest.mark.parametrize(
    ("make", "text", "why"), ILLEGAL, ids=[f"{text}-{number}" for number, (_, text, _) in enumerate(ILLEGAL)]
)
def test_a_move_that_is_not_legal_is_refused_with_why_and_what_is(make: Any, text: str, why: str) -> None:
    state = make()
    before = everything(state)
    with pytest.raises(IllegalMove) as refused:
        state.play(text)
    assert str(refused.value) == f"illegal move {text} for seat 0: {why}"
    assert refused.value.legal == tuple(state.legal_moves()) and refused.value.seat == 0
    assert everything(state) == before


@pytest.mark.parametrize(("led", "name"), [("G8", "green"), ("B7", "blue"), ("Y12", "yellow"), ("M3", "mauve")])
def test_who_does_not_follow_is_told_the_colour(led: str, name: str) -> None:
    hand = [f"{led[0]}1", f"{led[0]}2", "M9", "B9", "G9", "Y9"]
    state = play(lay(2, [led, hand], "5+follow_suit"), led)
    wrong = next(card for card in ("M9", "B9", "G9", "Y9") if card[0] != led[0])
    with pytest.raises(
        IllegalMove, match=rf"^illegal move {wrong} for seat 1: must follow {name}; legal: {led[0]}1, {led[0]}2, {led[0]}9$"
    ):
        state.play(wrong)


def test_a_rank_that_fits_two_legal_cards_is_ambiguous() -> None:
    for state, prefix in ((to_play(), ""), (to_pass(), "pass:")):
        before = everything(state)
        with pytest.raises(AmbiguousMove) as refused:
            state.play(f"{prefix}10")
        assert str(refused.value) == f"ambiguous move '{prefix}10' for seat 0: could be {prefix}G10 or {prefix}Y10"
        assert refused.value.candidates == (f"{prefix}G10", f"{prefix}Y10")
        assert everything(state) == before


def test_a_rank_that_fits_one_legal_card_is_enough_even_if_the_hand_holds_more() -> None:
    state = play(lay(2, ["G8", "G10 Y10 M1 B1 Y1 Y2"], "5+follow_suit"), "G8 10")
    assert state.moves[-1] == "G10"


def test_a_rank_that_fits_no_legal_card_is_illegal() -> None:
    with pytest.raises(
        IllegalMove, match=r"^illegal move 5 for seat 0: .* is not in the hand; legal: M3, B7, G8, G10, Y10, Y12$"
    ):
        to_play().play("5")


@pytest.mark.parametrize("seat", [3, -1, True, "0", 1.0])
def test_a_seat_that_does_not_exist_is_refused(seat: Any) -> None:
    state = to_play()
    for call in (state.view, state.seen_by, state.observed_moves, state.legal_moves, state.view_key):
        with pytest.raises(BadOption, match=r"option 'seat' cannot be .*; expected 0 to 2, or None for a spectator"):
            call(seat)


def test_a_seat_that_is_not_asked_has_no_legal_moves() -> None:
    with pytest.raises(NotToMove, match=r"seat 1 is not to move; to move: seat 0"):
        to_play().legal_moves(1)


def test_a_result_asked_for_too_early_is_refused() -> None:
    with pytest.raises(MatchNotOver, match=r"the match is not over; ask for this at its end"):
        _ = to_play().utilities


# ---- Labels ----


@pytest.mark.parametrize(
    ("text", "english", "french"),
    [
        ("G8", "green 8", "8 vert"),
        ("Y12", "yellow 12", "12 jaune"),
        ("M3", "mauve 3", "3 mauve"),
        ("B7", "blue 7", "7 bleu"),
        ("lead:2", "seat 2 leads", "le joueur 2 commence"),
        ("look:1", "look at seat 1's hand", "regarder la main du joueur 1"),
        ("pass:Y12", "pass yellow 12", "passer le 12 jaune"),
    ],
)
def test_moves_have_labels_in_english_and_french(text: str, english: str, french: str) -> None:
    rules = GAME.make_rules(3)
    (move,) = PLUGIN.parse_move(rules, text)
    assert (PLUGIN.move_label(rules, move, "en"), PLUGIN.move_label(rules, move, "fr")) == (english, french)


def test_titles_and_options_are_explained_in_english_and_french() -> None:
    assert set(PLUGIN.titles) == {"en", "fr"}
    assert [option.name for option in PLUGIN.options] == ["powers", "accomplices", "medals", "deck", "agents"]
    assert all(set(option.help) == {"en", "fr"} and option.expected for option in PLUGIN.options)


# ---- Seeds ----


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1, 2**64, 2**128 - 1])
def test_a_seed_is_a_whole_number_of_up_to_128_bits_or_its_text(seed: int) -> None:
    state = GAME.new(3, seed=seed)
    text: Any = str(seed)
    assert state.truth() == GAME.new(3, seed=text).truth() and state.seed == seed
    assert state.record().to_json()["seed"] == text
    assert GAME.replay(Record.from_json(state.record().to_json())).truth() == state.truth()


def test_every_half_of_a_seed_matters() -> None:
    truths = [str(GAME.new(3, seed=seed).truth()) for seed in (1, 1 << 64, (1 << 64) + 1, 1 << 127, 0)]
    assert len(set(truths)) == 5


@pytest.mark.parametrize("seed", [-1, 2**128, "-1", "x", "", "1.0", 1.0, True, "1" * 200, "٣", [1]])
def test_any_other_seed_is_refused(seed: Any) -> None:
    with pytest.raises(BadOption, match=r"option 'seed' cannot be .*expected a whole number from 0 to 2\^128 - 1"):
        GAME.new(2, seed=seed)
    with pytest.raises(BadOption, match=r"option 'seed' cannot be"):
        GAME.new(2, seed=1).view(0).determinize(seed)


def test_without_a_seed_every_match_is_another_and_still_replays() -> None:
    one, other = GAME.new(4), GAME.new(4)
    assert one.truth() != other.truth()
    play_to_the_end(one)
    assert GAME.replay(one.record()).truth() == one.truth()


# ---- Records ----


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("game", "bridge", "is a match of bridge, not of agency"),
        ("rules_version", 99, "is 99; this release replays 1"),
        ("digest", "00", "is 00; these options and this deck have"),
        ("options", {"players": 9}, "option 'players' cannot be 9"),
        ("options", {"players": 2, "size": 1}, "option 'size' cannot be 1"),
        ("options", [], "expected Mapping, not"),
        ("seed", None, "neither seed nor layout is given"),
        ("seed", "-4", "expected a whole number"),
        ("layout", 4, "expected an object or null, not 4"),
        ("layout", {"leader": 9}, "layout: leader: is 9"),
        ("moves", [1], "expected a list of texts"),
        ("moves[0]", ["G17"], "'G17' is not a move"),
    ],
)
def test_a_record_that_does_not_replay_is_refused(field: str, value: Any, problem: str) -> None:
    data = GAME.new(2, seed=4).record().to_json() | {field.partition("[")[0]: value}
    with pytest.raises(BadRecord) as refused:
        GAME.replay(Record.from_json(data))
    assert refused.value.field == field and problem in refused.value.problem


def test_when_the_match_is_over_the_last_round_is_still_told() -> None:
    for seed in range(10):
        state = GAME.new(2 + seed % 4, seed=seed)
        rng = random.Random(seed)
        while not state.is_over:
            before = seen(state)
            state.play(rng.choice(state.legal_moves()))
        view = seen(state, 0)
        assert (view["round"], view["trick"], view["phase"]) == (before["round"], 12, "over")
        assert sum(view["tricks"]) == 12 and max(view["latest"]) == 12 and len(view["half"]) == 6
        assert view["look"] == (before["look"] and before["look"] | {"cards": view["look"]["cards"]})
        assert set(before["seen"]) < set(view["seen"]) and len(view["seen"]) == 12 * state.players
        assert view["last_round"]["winners"] and max(view["medals"]) == 2
        assert len(before["pile"]) - len(view["pile"]) == 1 + (
            before["martha"] and view["leader"] == view["agents"].index("martha")
        )
        assert [view[name] for name in ("hand", "to_move", "order", "table")] == [[]] * 4 and view["reserve"] == 0
        assert [view[name] for name in ("stake", "last", "martha", "jean")] == [None, None, False, False]
        assert view["hand_counts"] == [0] * state.players


def test_a_record_with_unknown_or_missing_fields_is_refused() -> None:
    data = GAME.new(2, seed=4).record().to_json()
    with pytest.raises(BadRecord, match=r"record: colour: is unknown; fields: digest, game"):
        Record.from_json(data | {"colour": 1})
    del data["moves"]
    with pytest.raises(BadRecord, match=r"record: moves: is missing"):
        Record.from_json(data)
    for broken in ("{", "[]", b"\xff", 3, None):
        with pytest.raises(BadRecord, match=r"record: "):
            Record.from_json(broken)


def test_a_seat_out_of_turn_learns_nothing_of_the_hand_whose_turn_it_is() -> None:
    state = GAME.new(3, seed=1, powers=False, accomplices=False)
    mover = state.seat_to_move
    assert mover is not None
    other = (mover + 1) % 3
    for text in (state.legal_moves()[0], "M1", "Y16", "nonsense"):
        with pytest.raises(NotToMove) as refused:
            state.play(text, seat=other)
        assert str(refused.value) == f"seat {other} is not to move; to move: seat {mover}"
        with pytest.raises(NotToMove):
            state.resolve(text, seat=other)
    state.play(state.legal_moves()[0], seat=mover)


def test_a_seat_asked_together_with_others_may_have_its_answer_read_before_its_turn() -> None:
    state = to_pass()
    card = state.legal_moves(2)[0]
    assert GAME.plugin.move_text(state.rules, state.resolve(card, seat=2)) == card
    with pytest.raises(NotToMove):
        state.play(card, seat=2)
