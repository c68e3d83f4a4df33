"""Views carried on by moves: what follows is known, what a seat newly learns is asked, and nothing else is claimed."""

import random
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from bench.following import QUICK, Tally, follow_match, steps
from machiavel.engines import (
    AmbiguousMove,
    BadView,
    IllegalMove,
    MatchOver,
    NotAMove,
    NotToMove,
    State,
    View,
    load,
)
from machiavel.engines._following import Successors
from machiavel.engines.counted_views import MOST_ANSWERS
from machiavel.engines.following import Followed, Following, FollowingEffort, FollowingStopped, follow
from machiavel.engines.view_differences import ABSENT, differences, is_within, put_value, value_at, value_or_absent
from tests.engines.games import INSTALLED, players_of

FEW = QUICK._replace(played=1024, alike=512, read=200, counted=4096, sifted=1 << 14)
MOST = {"citadel": 9, "agency": 16, "hearts": 40, "bond": 40}  # moves of a match: their worlds take longer
EVERY = 1000  # matches


@pytest.mark.parametrize("name", INSTALLED)
def test_a_view_carried_on_is_the_true_one(name: str) -> None:
    game, tally = load(name), Tally()
    for number, players in enumerate(list(game.players)[:2]):
        follow_match(game, players, number, FEW, tally, one_viewer=True, most=MOST.get(name, 1000))

    assert tally.wrong == []
    assert 0 < tally.asked < tally.followed


@pytest.mark.slow
@pytest.mark.timeout(24 * 3600)
@pytest.mark.parametrize("name", INSTALLED)
def test_views_of_a_thousand_matches_are_carried_on(name: str) -> None:
    game, tally = load(name), Tally()
    for number in range(EVERY):
        follow_match(game, game.players[number % len(game.players)], number, QUICK, tally)
        assert tally.wrong == []


def test_whoever_looks_at_too_few_worlds_is_found_out() -> None:
    hasty, tally = FollowingEffort(played=4, alike=4, tried=8, read=8, sifted=8, sifted_first=8), Tally()
    follow_match(load("bond"), 3, 1, hasty, tally, most=30)

    assert tally.wrong


# ---- What is asked ----


def followed_steps(name: str, seed: int, most: int) -> Iterator[tuple[View, str, int, State]]:
    """Views before a move, the move as it was seen, who made it, and the match after it."""
    for number, (before, after, mover) in enumerate(steps(load(name), players_of(name), seed)):
        if number == most:
            return
        for viewer in range(before.players):
            yield before.view(viewer), after.last_move(viewer) or "", mover, after


def answered(view: View, move: str, mover: int, true: View) -> dict[str, Any]:
    """The answers to all questions, each asked when those before it have been answered."""
    seen, answers = true.to_json()["view"], dict[str, Any]()
    following = Following(view, move, mover, effort=FEW)
    while (result := following.result(answers)).view is None:
        answers[result.questions[0].place] = value_at(seen, result.questions[0].difference.place)
    return answers


@pytest.mark.parametrize("name", ["bond", "whist"])
def test_what_is_asked_could_be_otherwise_for_all_that_was_answered_before(name: str) -> None:
    asked = 0
    for view, move, mover, after in followed_steps(name, 4, 24):
        answers = answered(view, move, mover, after.view(view.seat))
        worlds = Successors(view, mover, Following(view, move, mover, effort=FEW).moves, 99)
        worlds.look(4096, 800)
        views = [view.game.plugin.view_json(view.rules, one) for one in worlds.found]
        places = {one.name: one.place for one in differences(view.game.plugin.views, views)}
        for place, value in answers.items():
            assert len(views) < 10 or any(value_at(one, places[place]) != value for one in views), f"{move}: {place}"
            agreeing = [one for one in views if value_at(one, places[place]) == value]
            views, asked = agreeing or views, asked + 1

    assert asked


@pytest.mark.parametrize("name", ["agency", "bond", "kuhn", "liars_dice", "whist"])
def test_a_true_answer_more_never_leads_to_more_questions(name: str) -> None:
    draw, answered_ones = random.Random(7), 0
    for view, move, mover, after in islice(followed_steps(name, 9, 30), 0, 75, 3):
        seen, following = after.view(view.seat).to_json()["view"], Following(view, move, mover, effort=QUICK)
        answers, before = dict[str, Any](), len(following.differences)
        while (result := following.result(answers)).view is None:
            asked = result.questions
            assert len(asked) <= before, f"{move}: {answers}"
            one, before = draw.choice(asked), len(asked)
            answers[one.place] = value_at(seen, one.difference.place)
            answered_ones += 1

    assert answered_ones


def agency_trick() -> tuple[Following, dict[str, Any]]:
    """A trick that ends, after which a plan or a power is turned up; and the view after it."""
    state = load("agency").new(3, seed=1, agents=["wxt", "belton", "moignons"])
    while not state.view(0).to_json()["view"]["tricks"].count(0) < 3:
        before, mover = state.copy(), state.seat_to_move
        state.play(state.legal_moves()[0])
    return Following(before.view(0), state.last_move(0) or "", mover), state.view(0).to_json()["view"]


def test_of_a_pile_its_top_and_how_many_are_left_are_asked() -> None:
    following, after = agency_trick()
    first = following.result({})
    top, count = first.questions

    assert (top.place, count.place) == ("pile[0]", "pile.count")
    assert after["pile"][0] in top.possible
    assert len(after["pile"]) in count.possible
    assert following.result({"pile[0]": after["pile"][0], "pile.count": len(after["pile"])}).view is not None


def test_what_may_stand_beyond_the_end_of_a_row_is_asked_once_its_length_is_known() -> None:
    following, _ = agency_trick()
    views = [{"pile": ["5", "?", "wxt"]}, {"pile": ["4", "?"]}, {"pile": ["5", "?", "?"]}]
    ones = differences(load("agency").plugin.views, views)

    def asked(told: dict[str, Any]) -> list[str]:
        return [one.name for one in following.within_rows([one for one in ones if one.name not in told], told, {})]

    assert asked({}) == ["pile.count", "pile[0]"]
    assert asked({"pile.count": 3}) == ["pile[0]", "pile[2]"]
    assert asked({"pile.count": 2, "pile[0]": "4"}) == []


def test_what_the_answers_exclude_is_no_longer_possible() -> None:
    following, _ = agency_trick()
    assert following.result({}).questions[0].possible[-2:] == ["belton", "moignons"]
    staked = following.result({"pile.count": 21, "phase": "play"}).questions[0]

    assert staked.place == "pile[0]"
    assert not {"belton", "moignons"} & set(staked.possible)


@pytest.mark.parametrize(
    ("answers", "field", "words"),
    [
        ({"pile.count": 2}, "pile.count", "possible: 2"),
        ({"pile[0]": "?"}, "pile[0]", "possible: '1'"),
        ({"pile[0]": "5", "stake": "4"}, "pile[0]", "that and '4' in stake"),
        ({"stake": None, "pile.count": 21, "phase": "play"}, "stake", "no match that the view holds possible"),
    ],
)
def test_answers_that_no_match_brings_are_refused_at_once(answers: dict[str, Any], field: str, words: str) -> None:
    following, _ = agency_trick()
    with pytest.raises(BadView, match=re.escape(words)) as refused:
        following.result(answers)
    assert refused.value.field == field


def test_a_card_that_is_drawn_is_asked_of_the_seat_that_draws_it() -> None:
    state = load("bond").new(3, seed=1)
    while (
        state.legal_moves() == ["skip"] or "skip" not in state.legal_moves() or state.view(0).to_json()["view"]["phase"] != "lair"
    ):
        state.play(state.legal_moves()[0])
    mover = state.seat_to_move
    while state.seat_to_move == mover:
        before = state.copy()
        state.play("skip" if "skip" in state.legal_moves() else "end")
    drawer = state.seat_to_move
    assert drawer is not None
    move = state.last_move(drawer) or ""
    result = before.view(drawer).follow(move)
    hand = next(one for one in result.questions if one.place == "hand")
    other = next(seat for seat in range(3) if seat not in {drawer, mover})

    assert hand.more == 1
    assert hand.known == before.view(drawer).to_json()["view"]["hand"]
    assert [one.place for one in before.view(other).follow(move).questions] == ["pile.top"]


def test_things_are_answered_by_their_texts_also_where_views_have_numbers() -> None:
    told = 0
    for view, move, mover, after in followed_steps("bond", 4, 60):
        answers = answered(view, move, mover, after.view(view.seat))
        if "hand" in answers:
            told += bool(answers["hand"]["spies"])
            hand = {sort: [str(one) for one in cards] for sort, cards in answers["hand"].items()}
            assert follow(view, move, mover, answers | {"hand": hand}).view == after.view(view.seat)

    assert told


def test_of_things_in_any_order_those_that_are_known_may_be_left_out() -> None:
    view, move, mover, after = next(
        step for step in followed_steps("whist", 2, 60) if any(one.place == "hand" for one in step[0].follow(step[1]).questions)
    )
    true = after.view(view.seat)
    answers = answered(view, move, mover, true)
    question = next(one for one in follow(view, move, mover).questions if one.place == "hand")
    short = answers | {"hand": [card for card in answers["hand"] if card not in question.known]}

    assert len(short["hand"]) == question.more
    assert follow(view, move, mover, short).view == true


def test_the_same_question_has_the_same_answer() -> None:
    def told(result: Followed) -> list[object]:
        return [(one.place, one.known, one.more, one.possible) for one in result.questions] + [result.view, result.worlds]

    for view, move, mover, _ in islice(followed_steps("liars_dice", 3, 30), 0, 30, 5):
        assert told(follow(view, move, mover)) == told(follow(view, move, mover))


def test_whoever_does_not_want_to_know_any_more_is_let_go() -> None:
    state = load("agency").new(3, seed=1)
    with pytest.raises(FollowingStopped):
        follow(state.view(0), state.legal_moves()[0], is_stopped=lambda: True)


def test_a_move_after_which_all_places_but_one_are_answered_takes_no_longer_than_after_a_few() -> None:
    looks, is_let_go = 0, False

    def is_stopped() -> bool:
        nonlocal looks
        looks += 1
        return is_let_go

    followed = ((step, Following(*step[:3], is_stopped, FEW)) for step in followed_steps("agency", 9, 30))
    (view, _, _, after), following = next(
        (step, one) for step, one in followed if len(one.differences) > 14 and one.counted.is_whole and not one.counted.is_closed
    )
    seen = after.view(view.seat).to_json()["view"]
    *others, last = following.differences
    told = {one.name: value_or_absent(seen, one.place) for one in others}

    looks = 0
    following.counted.settled(told, [last])
    assert 0 < looks <= 1 << MOST_ANSWERS

    looks = 0
    following.counted.settled(told, [])
    assert looks == 0

    is_let_go = True
    with pytest.raises(FollowingStopped):
        following.result(told)


# ---- Moves and answers that cannot be ----


def whist() -> tuple[State, int, int]:
    """A match of whist after its first card, who plays next, and who plays last."""
    state = load("whist").new(3, seed=7)
    state.play(state.legal_moves()[0])
    mover = state.seat_to_move
    assert mover is not None
    return state, mover, (mover + 1) % 3


def test_a_move_that_no_world_allows_is_refused_with_those_that_some_allow() -> None:
    state, mover, onlooker = whist()
    on_table = state.moves[0]
    held = state.view(onlooker).to_json()["view"]["hand"][0]
    for card in (on_table, held):
        with pytest.raises(IllegalMove) as refused:
            state.view(onlooker).follow(card)
        assert refused.value.seat == mover
        assert "no match that the view holds possible" in refused.value.message("en")
        assert card not in refused.value.legal


def test_ones_own_move_is_checked_as_it_is_played() -> None:
    state, mover, _ = whist()
    with pytest.raises(IllegalMove) as refused:
        state.view(mover).follow(state.moves[0])
    assert set(refused.value.legal) == set(state.legal_moves())


def test_a_text_that_is_no_move_and_a_seat_that_is_not_asked_are_refused() -> None:
    state, mover, onlooker = whist()
    with pytest.raises(NotAMove):
        state.view(onlooker).follow("Z9")
    with pytest.raises(NotToMove) as early:
        state.view(onlooker).follow("C2", seat=onlooker)
    assert early.value.seats_to_move == (mover,)
    with pytest.raises(TypeError):
        state.view(onlooker).follow(7)  # type: ignore[arg-type]


def test_nobody_follows_a_match_that_is_over() -> None:
    state = load("kuhn").new(2, seed=1)
    while not state.is_over:
        state.play(state.legal_moves()[0])
    with pytest.raises(MatchOver):
        state.view(0).follow("bet")


def test_a_hidden_move_is_told_as_it_was_seen() -> None:
    state = load("hearts").new(4, seed=3)
    while "pass" not in state.legal_moves()[0]:
        state.play(state.legal_moves()[0])
    mover = state.seat_to_move
    assert mover is not None
    card = state.legal_moves()[0]
    with pytest.raises(NotAMove) as refused:
        state.view((mover + 1) % 4).follow(card)
    assert "pass:?" in refused.value.expected
    assert state.view((mover + 1) % 4).follow("pass:?").view is not None
    assert state.view(mover).follow(card).view is not None


def test_a_shorter_text_will_do_where_it_leaves_no_doubt() -> None:
    state = load("agency").new(3, seed=5)
    rng = random.Random(5)
    while state.view(0).to_json()["view"]["phase"] != "play" or len(state.view(0).to_json()["view"]["table"]) != 1:
        state.play(rng.choice(state.legal_moves()))
    mover = state.seat_to_move
    assert mover is not None
    watcher = state.view((mover + 1) % 3)
    with pytest.raises(AmbiguousMove) as refused:
        watcher.follow("7")
    assert len(refused.value.candidates) > 1


@pytest.mark.parametrize(
    ("place", "answer", "wrong"),
    [
        ("table[0]", "seven", "table[0]"),
        ("table[7]", "K", "table[7]"),
        ("winner", None, "winner"),
    ],
)
def test_an_answer_that_cannot_be_is_refused_by_its_place(place: str, answer: object, wrong: str) -> None:
    state = load("kuhn").new(2, seed=1)
    state.play("pass")
    with pytest.raises(BadView) as refused:
        state.view(1).follow("pass", answers={place: answer})
    assert refused.value.field == wrong


def test_two_answers_that_never_come_together_are_refused() -> None:
    state = load("kuhn").new(2, seed=1)
    state.play("pass")
    mine = state.view(1).to_json()["view"]["hands"][1]
    questions = state.view(1).follow("pass").questions
    places = [one.place for one in questions]
    with pytest.raises(BadView):
        state.view(1).follow("pass", answers={places[0]: mine})


# ---- Places ----


def test_what_is_wrong_in_hands_is_not_wrong_in_hand() -> None:
    assert all(is_within(field, "hand") for field in ("hand", "hand.cards", "hand[0]"))
    assert not is_within("hands[0]", "hand")


def test_differences_are_as_small_as_makes_sense() -> None:
    schema = load("bond").plugin.views
    first = next(iter(load("bond").new(3, seed=1).view(0).to_json()["view"].items()))
    views: list[dict[str, Any]] = [
        {
            "seat": 0,
            "points": [1, 2, 3],
            "hand": {"lairs": [1], "spies": [5], "doublers": []},
            "pile": {"top": "spy", "count": 3},
        },
        {
            "seat": 0,
            "points": [1, 4, 3],
            "hand": {"lairs": [1], "spies": [], "doublers": ["A"]},
            "pile": {"top": "spy", "count": 2},
        },
    ]
    found = {one.name: one for one in differences(schema, views)}

    assert first[0] == "seat"
    assert list(found) == ["points[1]", "hand", "pile.count"]
    assert found["hand"].known == {"lairs": [1], "spies": [], "doublers": []}
    assert found["hand"].more == 1
    assert found["points[1]"].possible == {"2": 2, "4": 4}


def test_of_a_row_that_is_not_always_as_long_its_length_and_things_are_told_apart() -> None:
    schema = load("agency").plugin.views
    rows = (["5", "?", "wxt"], ["5", "?"], ["4", "?", "?"])
    found = {one.name: one for one in differences(schema, [{"pile": row} for row in rows])}

    assert list(found) == ["pile.count", "pile[0]", "pile[2]"]
    assert list(found["pile.count"].values) == [3, 2, 3]
    assert list(found["pile[2]"].values) == ["wxt", ABSENT, "?"]
    assert list(found["pile[2]"].possible.values()) == ["?", "wxt"]
    view: dict[str, Any] = {"pile": list(rows[1])}
    for place, value in (("pile.count", 3), ("pile[0]", "4"), ("pile[2]", "wxt")):
        put_value(view, found[place], value)
    assert view == {"pile": ["4", "?", "wxt"]}
    put_value(view, found["pile.count"], 2)
    put_value(view, found["pile[2]"], ABSENT)
    assert view == {"pile": ["4", "?"]}
    assert [value_or_absent(view, found[place].place) for place in found] == [2, "4", ABSENT]


# ---- Worlds that fit answers ----


def test_worlds_are_sorted_by_the_bits_that_answers_decide() -> None:
    followed = ((step, Following(*step[:3], effort=FEW)) for step in followed_steps("bond", 4, 24))
    (view, _, mover, _), following = next(pair for pair in followed if len(pair[1].samples) > 50)
    moves = following.moves
    seen, sifted = Successors(view, mover, moves, 1), Successors(view, mover, moves, 1)
    seen.look(2048, 2048)
    views = list(seen.found)
    changing = [at for at in range(seen.view_size) if len({one[at] for one in views}) > 1]
    sieves, wanted = list[tuple[int, bytes, bytes]](), views[0]
    for number, places in enumerate((changing[:1], changing[-1:], [changing[0], changing[-1]])):
        mask = bytes(0x0F if at in places else 0 for at in range(seen.view_size))
        sieves.append((number, mask, wanted))
    kept: dict[int, list[bytes]] = {}
    sifted.sift(2048, sieves, kept, 4096)

    def fits(one: bytes) -> int:
        return sum(
            1 << number
            for number, mask, bits in sieves
            if all((mine ^ yours) & under == 0 for mine, yours, under in zip(one, bits, mask, strict=True))
        )

    assert sifted.played == seen.played
    assert kept.keys() == {fits(one) for one in views} - {0}
    assert len(kept) > 1
    assert all(fits(one) == answers for answers, group in kept.items() for one in group)
    assert sum(map(len, kept.values())) == sum(times for one, times in seen.found.items() if fits(one))
