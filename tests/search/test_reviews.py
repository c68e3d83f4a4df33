"""A review judges each move by what its seat knew, repeats itself on any number of threads, and ends when it is told to."""

import json
import random
import threading
from dataclasses import replace
from typing import Any

import pytest

from machiavel.engines import BadOption, BadRecord, Record, State, UnknownGame, View, load
from machiavel.search import LABELS, Judgement, Limits, Review, SearchParameters, Transcript, recommend
from machiavel.search.reviews import CERTAIN, Decision, Question, Stopped, judge, label_of
from machiavel.search.search_run import SearchRun
from tests.engines.games import BOX
from tests.search.cheat import Cheat
from tests.search.endings import after, late_agency, minimax
from tests.search.pairs import SECRETIVE, state_pairs
from tests.search.positions import SHIPPED
from tests.search.records import record_of, with_last_moves

ENDLESS = 1 << 38


def judged(record: Record, iterations: int = 60, **more: Any) -> list[Judgement]:
    return list(Review(Transcript(record), iterations, SearchParameters(seed=7), **more))


def alone(view: View, move: str, question_iterations: int = 200) -> Judgement:
    """The judgement of one move, by the searches it asks for."""
    judging = judge(Decision(0, view.seat or 0, view, move), question_iterations)
    question = next(judging)
    while True:
        try:
            question = judging.send(answered(view, question))
        except StopIteration as done:
            result: Judgement = done.value
            return result


def answered(view: View, question: Question) -> Any:
    search_run = SearchRun(view, Limits(iterations=question.iterations), SearchParameters(seed=3), question.moves, insist=True)
    return search_run.answer(str(search_run.work(0)))


@pytest.mark.parametrize("game", SHIPPED)
def test_the_same_on_any_number_of_threads(game: str) -> None:
    result = [judged(record_of(game), threads=threads) for threads in (1, 2, 5)]
    assert result[0] == result[1] == result[2]
    assert result[0] != list(Review(Transcript(record_of(game)), 60, SearchParameters(seed=8)))


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize("game", SHIPPED)
def test_every_move_with_a_choice_is_judged_once_and_in_order(game: str, players: int) -> None:
    if players not in load(game).players:
        return
    record = record_of(game, players, 60)
    state = load(game).replay(replace(record, moves=()))
    wanted = []
    for ply, move in enumerate(record.moves):
        if len(state.legal_moves()) > 1:
            wanted.append((ply, state.seat_to_move, move))
        state.play(move)
    judgements = judged(record, 20)
    assert [(one.ply, one.seat, one.move) for one in judgements] == wanted
    for one in judgements:
        assert 0 <= one.loss <= 1 and 0 <= one.played_chance <= one.best_chance <= 1
        assert one.loss == pytest.approx(one.best_chance - one.played_chance)
        assert (one.label == "best") == (one.loss == 0) == (one.best == one.move)


def test_some_seats_alone() -> None:
    record = record_of("agency")
    some = list(Review(Transcript(record, {1}), 60, SearchParameters(seed=7)))
    assert some == [one for one in judged(record) if one.seat == 1]


def test_the_best_move_is_the_one_that_a_recommendation_names() -> None:
    transcript = Transcript(record_of("bond"))
    for decision, one in zip(transcript.decisions(), judged(transcript.record, 100), strict=True):
        best = recommend(decision.view, Limits(iterations=100), SearchParameters(seed=7)).best
        assert one.best in {best, one.move}


def decided(seed: int) -> tuple[State, str, str]:
    """A position with nothing hidden in which one move wins and another loses: those moves."""
    rng = random.Random(seed)
    while True:
        state = late_agency(rng, 2, 3)
        if state.is_over:
            continue
        seat = state.seat_to_move or 0
        values = {move: minimax(after(state, move), seat) for move in state.legal_moves()}
        if max(values.values()) == 1 and min(values.values()) == 0:
            return state, max(values, key=values.__getitem__), min(values, key=values.__getitem__)


@pytest.mark.parametrize("seed", range(5))
def test_to_throw_a_match_away_is_a_blunder_and_to_win_it_is_best(seed: int) -> None:
    state, winner, loser = decided(seed)
    ply = len(state.moves)
    result = {
        move: next(one for one in judged(after(state, move).record(), 1000, threads=1) if one.ply == ply)
        for move in (winner, loser)
    }
    assert result[winner].label in {"best", "good"}
    assert result[winner].loss < 0.05
    assert result[winner].best_chance > 0.9
    assert result[loser].label == "blunder"
    assert result[loser].loss > 0.8


@pytest.mark.parametrize(
    ("loss", "error", "label"),
    [
        (0.0, 0.0, "best"),
        (0.0, 0.5, "best"),
        (0.0499, 0.0, "good"),
        (0.05, 0.0, "inaccuracy"),
        (0.0999, 0.01, "inaccuracy"),
        (0.1, 0.01, "mistake"),
        (0.1999, 0.01, "mistake"),
        (0.2, 0.01, "blunder"),
        (1.0, 0.0, "blunder"),
        (0.3, 0.31 / CERTAIN, "good"),
    ],
)
def test_labels_go_by_the_loss_and_by_how_certain_it_is(loss: float, error: float, label: str) -> None:
    assert label_of(loss, error) == label


# ---- Secrecy ----


def judged_last(record: Record, seat: int, seed: int) -> Judgement:
    """What the last move of the record, by that seat, was worth."""
    transcript = Transcript(record, {seat})
    *_, last = transcript.decisions()
    others = {ply for ply, _ in transcript.choices} - {last.ply}
    known = [Judgement(ply, seat, "", "", "good", 0.0, 0.0, 0.0, 0.0, 0) for ply in others]
    return list(Review(transcript, 120, SearchParameters(seed=seed), known=known))[-1]


@pytest.mark.parametrize("game", SECRETIVE)
def test_a_move_is_judged_the_same_in_deals_that_differ_in_what_its_seat_did_not_know(game: str) -> None:
    judged_pairs = 0
    for number, (first, second, seat) in enumerate(state_pairs(game, 25)):
        moves = first.view(seat).legal_moves()
        move = moves[number % len(moves)]
        records = [with_last_moves(state, seat, move) for state in (first, second)]
        told = [judged_last(record, seat, number) for record in records if record is not None]
        if len(told) == 2:
            assert told[0] == told[1]
            assert (told[0].seat, told[0].move) == (seat, move)
            judged_pairs += 1
    assert judged_pairs >= 15


@pytest.mark.parametrize("game", SECRETIVE)
def test_a_judge_who_looks_at_the_truth_is_found_out(game: str) -> None:
    """The same pairs tell a search apart whose worlds are the deal."""
    first, *_ = state_pairs(game, 1)[0]
    cheat = Cheat(first.game.plugin)

    def told(state: State, seat: int) -> Judgement:
        cheat.truth = state.to_bytes()
        rules = cheat.game.make_rules(**state.rules.options)
        view = cheat.game.view_from_bytes(rules, state.view(seat).to_bytes())
        return alone(view, view.legal_moves()[0])

    found = sum(told(first, seat) != told(second, seat) for first, second, seat in state_pairs(game, 12))
    assert found >= (4 if game in BOX else 8)


# ---- Going on, and ending ----


def test_what_is_known_is_not_searched_again() -> None:
    transcript = Transcript(record_of("whist"))
    known = judged(transcript.record)
    assert list(Review(transcript, ENDLESS, known=known)) == known
    kept = known[::2]
    assert list(Review(transcript, 60, SearchParameters(seed=7), known=kept)) == known


def test_stopping_ends_it_at_once_and_keeps_what_was_judged() -> None:
    transcript = Transcript(record_of("bond"))
    known = judged(transcript.record)[:2]
    review = Review(transcript, ENDLESS, known=known, threads=2)
    heard: list[Judgement] = []
    ended: list[bool] = []

    def run() -> None:
        try:
            for one in review:
                heard.append(one)  # noqa: PERF402 - what came before the end counts
        except Stopped:
            ended.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    while not review.searching:
        pass
    review.stop()
    thread.join()
    assert ended and heard == known
    assert not review.searching


def test_leaving_the_loop_ends_its_searches() -> None:
    transcript = Transcript(record_of("bond"))
    review = Review(transcript, ENDLESS, known=judged(transcript.record)[:1])
    for _ in review:
        break
    assert not review.searching
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPool")]


# ---- What cannot be ----


def test_what_cannot_be_reviewed_is_said_so() -> None:
    record = record_of("whist")
    with pytest.raises(BadRecord, match="moves: is empty"):
        Transcript(replace(record, moves=()))
    with pytest.raises(BadRecord, match="moves"):
        Transcript(replace(record, moves=("zz",)))
    with pytest.raises(UnknownGame):
        Transcript(replace(record, game="chess"))
    with pytest.raises(BadOption, match="seats"):
        Transcript(record, {3})
    for iterations in (0, -1, 1 << 41, True):
        with pytest.raises(BadOption, match="iterations"):
            Review(Transcript(record), iterations)
    with pytest.raises(BadOption, match="variant"):
        Review(Transcript(record), 10, SearchParameters(variant="deep"))


def test_judgements_to_text_and_back() -> None:
    for one in judged(record_of("agency"))[:20]:
        assert Judgement.from_json(json.loads(json.dumps(one.to_json()))) == one
    good = judged(record_of("agency"))[0].to_json()
    for change, field in (({"label": "fine"}, "label"), ({"ply": "3"}, "ply"), ({"loss": None}, "loss"), ({"more": 1}, "more")):
        with pytest.raises(BadOption, match=field):
            Judgement.from_json(good | change)
    assert set(LABELS) == {"best", "good", "inaccuracy", "mistake", "blunder"}
