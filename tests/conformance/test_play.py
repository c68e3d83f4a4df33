"""Moves, turns and ends of matches."""

import ctypes
import json
import math

import pytest

from machiavel.engines import (
    LANGUAGES,
    BadOption,
    IllegalMove,
    MatchNotOver,
    MatchOver,
    NotAMove,
    NotToMove,
)
from tests.conformance.cases import Case, positions, scaled, walk
from tests.conformance.contract import COOPERATIVE, MAX_METRICS, RULES_CAPSULE, contract_of, pointer_of


def test_the_struct_is_what_this_suite_takes_it_for(case: Case) -> None:
    contract = contract_of(case.game.plugin)

    assert contract.struct_size == ctypes.sizeof(contract)
    assert contract.seats(pointer_of(case.rules.capsule, RULES_CAPSULE)) == case.players


def test_options_are_complete_and_make_the_same_rules_again(case: Case) -> None:
    rules = case.rules
    options = json.loads(json.dumps(dict(rules.options)))

    assert {option.name for option in case.game.plugin.options} | {"players"} == set(options)
    assert case.game.make_rules(**options).digest == rules.digest
    assert len(bytes.fromhex(rules.digest)) == 32


def test_a_wrong_option_or_number_of_players_is_refused(case: Case) -> None:
    for players in (min(case.game.players) - 1, max(case.game.players) + 1, True, None, "2"):
        with pytest.raises(BadOption):
            case.game.make_rules(players, **case.options)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="no_such_option"):
        case.game.make_rules(case.players, no_such_option=1)


def test_legal_moves_are_ascending_and_within_the_bounds(case: Case) -> None:
    contract = contract_of(case.game.plugin)
    for seed in range(scaled(4)):
        for state, _ in walk(case.new(seed), seed):
            for seat in state.seats_to_move:
                moves = state.moves_of(seat)
                assert moves == sorted(set(moves))
                assert 1 <= len(moves) <= contract.max_moves
                assert moves[-1] < contract.move_limit


def test_texts_are_distinct_and_mean_the_move_they_name(case: Case) -> None:
    plugin, rules = case.game.plugin, case.rules
    for seed in range(scaled(2)):
        for state, _ in walk(case.new(seed), seed):
            mover = state.seat_to_move
            for seat in state.seats_to_move:
                numbers = state.moves_of(seat)
                texts = [plugin.move_text(rules, number) for number in numbers]
                assert texts == state.legal_moves(seat)
                assert len(set(texts)) == len(texts)
                for number, text in zip(numbers, texts, strict=True):
                    assert list(plugin.parse_move(rules, text)) == [number]
                    assert all(plugin.move_label(rules, number, language) for language in LANGUAGES)
                    assert seat != mover or state.resolve(f" {text} ") == number


def test_a_match_ends_in_time_and_shares_one(case: Case) -> None:
    contract = contract_of(case.game.plugin)
    most = contract.max_plies(pointer_of(case.rules.capsule, RULES_CAPSULE))
    for seed in range(scaled(10)):
        *_, (state, _) = walk(case.new(seed), seed)
        assert state.is_over
        assert 1 <= len(state.moves) <= most
        assert state.seat_to_move is None and not state.seats_to_move and state.legal_moves() == []
        assert all(0 <= share <= 1 for share in state.utilities)
        if contract.flags & COOPERATIVE:
            assert len(set(state.utilities)) == 1
        else:
            assert sum(state.utilities) == pytest.approx(1, abs=1e-6)


def test_until_the_end_somebody_is_to_move_and_nothing_is_decided(case: Case) -> None:
    for state in positions(case, scaled(20)):
        assert (state.seat_to_move is None) == state.is_over
        assert all(seat in range(case.players) for seat in state.seats_to_move)
        if not state.is_over:
            assert state.seat_to_move in state.seats_to_move
            with pytest.raises(MatchNotOver):
                _ = state.utilities


def test_answers_asked_for_at_once_do_not_depend_on_each_other(case: Case) -> None:
    for seed in range(scaled(4)):
        for state, draw in walk(case.new(seed), seed):
            waiting = state.seats_to_move - {state.seat_to_move}
            before = {seat: (state.moves_of(seat), state.legal_moves(seat)) for seat in waiting}
            if waiting:
                after = state.copy()
                after.play(draw.choice(after.legal_moves()))
                assert waiting <= after.seats_to_move
                assert before == {seat: (after.moves_of(seat), after.legal_moves(seat)) for seat in waiting}


def test_what_cannot_be_played_is_refused_and_changes_nothing(case: Case) -> None:
    sample = positions(case, scaled(20), seed=1)
    texts = {text for state in sample for text in state.legal_moves()}
    for state in sample:
        before = state.to_bytes(), state.moves
        for nonsense in ("", "\x00", "no move at all", "☃", "9" * 5000, "pass:" * 3):
            with pytest.raises(MatchOver if state.is_over else NotAMove):
                state.play(nonsense)
        for text in sorted(texts - set(state.legal_moves())):
            with pytest.raises(MatchOver if state.is_over else IllegalMove) as caught:
                state.play(text)
            if isinstance(caught.value, IllegalMove):
                assert caught.value.legal == tuple(state.legal_moves())
                assert caught.value.seat == state.seat_to_move
        for seat in set(range(case.players)) - state.seats_to_move:
            with pytest.raises(NotToMove):
                state.legal_moves(seat)
        with pytest.raises(BadOption):
            state.view(case.players)
        assert (state.to_bytes(), state.moves) == before


def test_what_others_see_of_a_move_is_said_of_every_move(case: Case) -> None:
    for state in positions(case, scaled(10)):
        for seat in (*range(case.players), None):
            seen = state.observed_moves(seat)
            assert len(seen) == len(state.moves)
            assert all(seen)


def test_the_words_for_a_hidden_move_tell_no_more_than_its_text(case: Case) -> None:
    plugin, rules = case.game.plugin, case.rules
    words: dict[tuple[str, str], str] = {}
    for state in positions(case, scaled(10)):
        for move in state.moves_of(state.seat_to_move) if state.seat_to_move is not None else ():
            text, public = plugin.move_text(rules, move), plugin.public_text(rules, move)
            for language in LANGUAGES:
                told = plugin.public_label(rules, move, language)
                assert words.setdefault((public, language), told) == told
                assert (told == plugin.move_label(rules, move, language)) == (public == text)


def test_metrics_are_named_one_by_one_and_finite(case: Case) -> None:
    contract = contract_of(case.game.plugin)
    names = list(case.game.plugin.metrics(case.rules))
    pointer = pointer_of(case.rules.capsule, RULES_CAPSULE)
    values = (ctypes.c_float * MAX_METRICS)()

    assert len(set(names)) == len(names)
    assert bool(names) == bool(contract.metrics)
    for seed in range(scaled(5) if names else 0):
        first = case.new(seed)
        *_, (last, _) = walk(first.copy(), seed)
        assert contract.metrics(pointer, None, last.to_bytes(), values) == len(names)
        assert last.metrics == dict(zip(names, values, strict=False))
        assert contract.metrics(pointer, first.to_bytes(), last.to_bytes(), values) == len(names)
        assert all(math.isfinite(value) for value in values[: len(names)])


def test_weights_are_positive_and_finite(case: Case) -> None:
    for state in positions(case, scaled(30)):
        weights = state.weights()
        assert list(weights) == state.legal_moves()
        assert all(weight > 0 and math.isfinite(weight) for weight in weights.values())
