"""A match as a fold of its events: who is asked, what is kept, what lapses, who is shown what."""

import random
from itertools import permutations

import pytest

from machiavel.engines import IllegalMove, MatchOver, NotToMove, load
from machiavel.server.matches.hosting_errors import AlreadyAnswered, NotStarted, SeatHeld, SeatTaken, StaleVersion
from machiavel.server.matches.match import SECOND, Match
from machiavel.server.matches.match_events import SPECTATOR, ParsedEvent, Viewer, read
from machiavel.server.matches.match_setup import Player, Seat, Settings, Setup
from machiavel.server.matches.questions import Restart
from tests.server.matches.played import NOW, begun, first_match, play_until, setup_of

GAMES = [
    *[("agency", 3), ("agency", 5), ("bond", 2), ("bond", 4), ("bond", 6), ("citadel", 1), ("citadel", 3), ("whist", 4)],
    *[("hearts", 4), ("kuhn", 2), ("liars_dice", 3)],
]
HERE = Restart()  # in one run of a server
BOT = Player("level3", "level3:seed=9", 0.5)


def shown(match: Match, viewer: Viewer) -> list[ParsedEvent]:
    return [happened for happened in map(read, match.events) if happened.is_shown_to(viewer)]


def passing(match: Match) -> bool:
    return len(match.state.seats_to_move) == match.state.players


def foilable(match: Match) -> bool:
    """The first seat that is asked can foil, and others are asked with it."""
    return len(match.questions) > 2 and "foil" in match.state.legal_moves()


def again(match: Match) -> Match:
    """Replayed, as after a restart."""
    copy = Match.begin(match.name, Setup.from_json(match.setup.to_json()))
    for event in match.events:
        copy.fold(event)
    return copy


def looks(match: Match) -> object:
    asked = {seat: (one.seq, one.version, one.timed_from, one.time) for seat, one in match.pending_questions.items()}
    return (match.phase, match.summary(), match.pending_answers, asked, match.versions, match.state.to_bytes(), match.state.moves)


# ---- Any game, any number of players ----


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_answers_in_any_order_come_to_the_match_that_their_order_would_have(game: str, players: int) -> None:
    for seed in range(4):
        rng = random.Random(seed)
        match = begun(game, players, seed)
        while match.phase == "playing":
            seat = rng.choice(sorted(set(match.pending_questions) - set(match.pending_answers)))
            match.answer(seat, rng.choice(match.questions[seat].legal_moves(seat)), NOW)
        assert match.state.is_over
        assert match.utilities == match.state.utilities
        assert not match.pending_answers
        plain = load(game).replay(match.state.record())
        assert plain.to_bytes() == match.state.to_bytes()
        assert looks(again(match)) == looks(match)
        with pytest.raises(MatchOver):
            match.answer(0, "whatever", NOW)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_copy_stands_for_itself(game: str, players: int) -> None:
    match = begun(game, players, 7)
    play_until(match, lambda one: one.plies == 15, random.Random(7))
    before = looks(match)
    draft = match.copy()
    play_until(draft, lambda one: one.plies == 30, random.Random(8))
    assert looks(match) == before
    assert draft.events[: len(match.events)] == match.events
    assert looks(again(draft)) == looks(draft)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_every_viewer_counts_what_it_is_shown(game: str, players: int) -> None:
    rng = random.Random(3)
    match = begun(game, players, 3)
    while match.phase == "playing" and match.plies < 80:
        seat = rng.choice(sorted(set(match.pending_questions) - set(match.pending_answers)))
        match.answer(seat, rng.choice(match.questions[seat].legal_moves(seat)), NOW)
        for viewer in (SPECTATOR, *range(players)):
            assert match.versions[viewer] == len(shown(match, viewer))


# ---- Passing in agency: all are asked at once, hands change when all have given ----


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_cards_passed_in_any_order_are_given_in_the_games_order(order: tuple[int, ...]) -> None:
    start = first_match("agency", 3, passing)
    gifts = {seat: start.questions[seat].legal_moves(seat)[seat] for seat in range(3)}
    match = start.copy()
    for number, seat in enumerate(order):
        assert match.answer(seat, gifts[seat], NOW) == gifts[seat]
        first_missing = next((seat for seat in range(3) if seat not in order[: number + 1]), 3)
        assert match.plies == start.plies + first_missing
    assert list(match.state.moves[start.plies :]) == [gifts[seat] for seat in range(3)]
    assert not match.pending_answers


def test_a_kept_answer_is_shown_to_its_seat_alone_and_moves_nobody_elses_version() -> None:
    match = first_match("agency", 3, passing)
    before = dict(match.versions)
    move = match.questions[2].legal_moves(2)[0]
    match.answer(2, move, NOW)
    assert match.versions == before | {2: before[2] + 1}
    assert [read(match.events[-1]).what, read(match.events[-1]).data["move"]] == ["answer", move]
    assert sorted(match.questions) == [0, 1, 2]
    with pytest.raises(AlreadyAnswered):
        match.answer(2, move, NOW)


def test_what_others_answer_meanwhile_is_no_hindrance() -> None:
    match = first_match("agency", 3, passing)
    expected = match.versions[2]
    match.answer(0, match.questions[0].legal_moves(0)[0], NOW)
    assert match.versions[2] > expected
    match.check_version(2, expected)
    for seat in (1, 2):
        match.answer(seat, match.questions[seat].legal_moves(seat)[0], NOW)
    mover = match.state.seat_to_move
    assert mover is not None
    with pytest.raises(StaleVersion):
        match.check_version(mover, expected)
    with pytest.raises(StaleVersion):
        match.check_version(mover, match.versions[mover] + 1)
    match.check_version(mover, match.versions[mover])


# ---- Foiling in bond: asked one after the other, the first foil ends it ----


def test_all_that_may_still_foil_are_asked_at_once_whatever_they_hold() -> None:
    match = first_match("bond", 4, foilable)
    view = match.state.view(None).to_json()["view"]
    target = view["attack"]["target"]
    assert sorted(match.questions) == sorted(set(range(4)) - {target})
    assert all("let" in position.legal_moves(seat) for seat, position in match.questions.items())
    assert {tuple(sorted(match.questions[seat].view(seat).legal_moves())) for seat in match.questions} <= {
        ("let",),
        ("foil", "let"),
    }


def test_an_answer_made_needless_by_a_foil_stays_in_the_log_and_is_no_move() -> None:
    match = first_match("bond", 4, foilable)
    first, *others = sorted(match.questions, key=lambda seat: (seat - (match.state.seat_to_move or 0)) % 4)
    before = dict(match.versions)
    for seat in reversed(others):
        match.answer(seat, "let", NOW)
    plies = match.plies
    match.answer(first, "foil", NOW)
    assert match.plies == plies + 1
    assert match.state.moves[-1] == "foil"
    assert not match.pending_answers
    what = [(one.what, one.seat) for one in map(read, match.events[-1 - 2 * len(others) :])]
    assert what == [
        *(("answer", seat) for seat in reversed(others)),
        ("move", first),
        *(("lapsed", seat) for seat in sorted(others)),
    ]
    assert match.versions[SPECTATOR] == before[SPECTATOR] + 1
    assert match.versions[others[0]] == before[others[0]] + 3
    assert "let" not in match.state.moves[plies:]
    assert looks(again(match)) == looks(match)


def test_a_seat_that_is_asked_something_else_next_is_not_taken_at_its_old_word() -> None:
    """After the foil of the seat before it, a seat whose answer was kept may be the very next to move."""

    def wanted(match: Match) -> bool:
        if not foilable(match):
            return False
        after = match.copy()
        after.answer(after.state.seat_to_move or 0, "foil", NOW)
        return after.state.seat_to_move in set(match.questions) - {match.state.seat_to_move}

    for players in (4, 5):
        match = first_match("bond", players, wanted)
        mover = match.state.seat_to_move
        assert mover is not None
        after = match.copy()
        for seat in set(match.questions) - {mover}:
            after.answer(seat, "let", NOW)
        after.answer(mover, "foil", NOW)
        assert not after.pending_answers
        following = after.state.seat_to_move
        assert after.pending_questions[following].seq > match.pending_questions[following].seq  # type: ignore[index]


def test_lets_kept_become_moves_when_those_before_them_let_it_be_too() -> None:
    match = first_match("bond", 4, foilable)
    first, *others = sorted(match.questions, key=lambda seat: (seat - (match.state.seat_to_move or 0)) % 4)
    plies = match.plies
    for seat in others:
        match.answer(seat, "let", NOW)
    assert match.plies == plies
    match.answer(first, "let", NOW)
    assert match.state.moves[plies:] == ("let",) * (1 + len(others))


# ---- Seats ----


def test_a_match_begins_when_the_last_open_seat_is_taken() -> None:
    seats = (Seat("person"), Seat("open"), Seat("open"))
    match = Match.begin("m" * 22, setup_of("whist", 3, 1, seats))
    match.start(NOW)
    with pytest.raises(NotStarted):
        match.answer(0, "H2", NOW)
    with pytest.raises(SeatTaken):
        match.join(0, "Anna", "00", NOW)
    assert match.join(2, "Anna", "00", NOW) == 2
    with pytest.raises(SeatTaken):
        match.join(2, "Bert", "01", NOW)
    assert match.phase == "waiting" and not match.pending_questions
    assert match.join(None, "Bert", "01", NOW) == 1
    assert match.phase == "playing" and len(match.pending_questions) == 1
    with pytest.raises(SeatTaken):
        match.join(None, "Cleo", "02", NOW)
    assert [seat.name for seat in match.seats] == ["", "Bert", "Anna"]


def test_a_seat_is_taken_over_and_handed_back() -> None:
    match = begun("whist", 3, 1, settings=Settings(move_time=60))
    seat = match.state.seat_to_move or 0
    with pytest.raises(SeatHeld):
        match.hand_back(seat, NOW)
    asked = match.pending_questions[seat]
    match.take_over(seat, BOT, NOW)
    assert match.player(seat) == BOT
    with pytest.raises(SeatHeld):
        match.check_person(seat)
    assert match.due(seat, HERE) is None
    match.hand_back(seat, NOW + 5 * SECOND)
    match.check_person(seat)
    assert match.pending_questions[seat].seq == asked.seq
    assert match.due(seat, HERE) == NOW + 65 * SECOND


def test_a_forfeited_seat_is_played_by_the_greedy_bot_to_the_end() -> None:
    match = begun("whist", 3, 1)
    match.forfeit(1, "resigned", NOW)
    assert match.player(1) == Player("greedy", "greedy", 1.0)
    assert match.seats[1].forfeited
    for act in (
        match.hand_back,
        lambda seat, now: match.take_over(seat, BOT, now),
        lambda seat, now: match.forfeit(seat, "time", now),
    ):
        with pytest.raises(SeatHeld):
            act(1, NOW)
    assert looks(again(match)) == looks(match)


def test_nobodys_time_runs_while_the_server_is_down() -> None:
    match = begun("whist", 3, 1, settings=Settings(move_time=60))
    seat = match.state.seat_to_move or 0
    assert match.due(seat, HERE) == NOW + 60 * SECOND
    for later in (3600 * SECOND, -3600 * SECOND):  # by a clock that was set back, it may be earlier
        assert match.due(seat, Restart(len(match.events), NOW + later)) == NOW + later + 60 * SECOND
    assert match.due((seat + 1) % 3, HERE) is None


def test_a_seat_handed_back_after_a_restart_has_all_its_time_from_there_on() -> None:
    match = begun("whist", 3, 1, settings=Settings(move_time=60))
    seat = match.state.seat_to_move or 0
    match.take_over(seat, BOT, NOW)
    restart = Restart(len(match.events), NOW + 100 * SECOND)
    match.hand_back(seat, NOW + 150 * SECOND)
    assert match.due(seat, restart) == NOW + 210 * SECOND
    assert again(match).due(seat, restart) == NOW + 210 * SECOND
    later = Restart(len(match.events), NOW + 300 * SECOND)
    assert match.due(seat, later) == NOW + 360 * SECOND


# ---- What cannot be ----


def test_what_is_refused_changes_nothing() -> None:
    match = begun("agency", 3, 5)
    mover = match.state.seat_to_move or 0
    before, events = looks(match), list(match.events)
    with pytest.raises(NotToMove) as caught:
        match.answer((mover + 1) % 3, "G8", NOW)
    assert caught.value.seats_to_move == (mover,)
    own = match.state.legal_moves()
    missing = next(text for text in (f"G{rank}" for rank in range(1, 17)) if text not in own)
    with pytest.raises(IllegalMove):
        match.answer(mover, missing, NOW)
    assert looks(match) == before and match.events == events


def test_a_log_with_a_gap_or_another_deal_does_not_replay() -> None:
    match = begun("whist", 3, 5)
    play_until(match, lambda one: one.plies == 5, random.Random(1))
    short = Match.begin(match.name, match.setup)
    short.fold(match.events[0])
    with pytest.raises(ValueError, match="event 3 follows event 1"):
        short.fold(match.events[2])
