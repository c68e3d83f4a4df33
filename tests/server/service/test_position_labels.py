"""What moves are called over the wire: as in the position in which they are made, wherever they are told."""

import pytest

from machiavel import v1
from machiavel.clients import Client, SeatSession
from machiavel.engines import GameFault, State, load
from machiavel.engines.kit.engine import KitEngine
from machiavel.engines.position_labels import labels_here, seen_along, seen_here
from machiavel.search import Limits, SearchParameters, recommend
from machiavel.server.service import wire

CHECKED, BET = {"pass": "check", "bet": "bet"}, {"pass": "fold", "bet": "call"}
# Moves of kuhn, with what each is called.
MATCHES = ["pass:check pass:check", "bet:bet pass:fold", "bet:bet bet:call", "pass:check bet:bet pass:fold"]
FRENCH = {"check": "checker", "fold": "se coucher", "bet": "miser", "call": "suivre"}


def words(move: v1.Move) -> str:
    """What a move is called, which is the same in both languages."""
    assert move.label.fr == FRENCH[move.label.en]
    return move.label.en


def told(moves: "list[v1.Move]") -> dict[str, str]:
    return {move.text: words(move) for move in moves}


def kuhn(*moves: str) -> State:
    state = load("kuhn").new(2, seed=5)
    for move in moves:
        state.play(move)
    return state


@pytest.mark.parametrize(("moves", "called"), [([], CHECKED), (["pass"], CHECKED), (["bet"], BET), (["pass", "bet"], BET)])
def test_legal_moves_hints_and_what_is_applied_are_called_as_in_the_position(
    service: Client, moves: list[str], called: dict[str, str]
) -> None:
    state = kuhn(*moves)
    record, view = wire.state_message(state), wire.view_message(state.view(state.seat_to_move))

    for source in (record, view):
        (seat,) = service.legal_moves(source)
        assert told(list(seat.moves)) == called
    hint = service.recommend_move(view, bot="ismcts:seed=1", iterations=300).recommendation
    assert told([one.move for one in hint.candidates]) == called
    assert words(hint.best) == called[hint.best.text]
    for text, name in called.items():
        done = service.apply_move(record, text)
        assert (words(done.move), words(done.public_move)) == (name, name)


def test_a_line_that_follows_is_called_as_it_is_played_move_by_move() -> None:
    view = kuhn().view(0)
    found = recommend(view, Limits(iterations=2000), SearchParameters(seed=1))
    lines = [(list(one.line), list(wire.line_messages(view, one.line))) for one in found.candidates]

    assert {tuple(line) for line, _ in lines if len(line) > 1}
    for line, messages in lines:
        state = kuhn()
        for text, message in zip(line, messages, strict=True):
            assert (message.text, words(message)) == (text, labels_here(state, text)["en"])
            state.play(text)
    assert [words(one) for one in wire.line_messages(view, ["pass", "bet", "bet"])] == ["check", "bet", "call"]


def test_of_a_line_that_cannot_go_on_in_a_world_the_rest_has_its_plain_label() -> None:
    view = kuhn().view(0)

    assert [bool(seen) for seen in seen_along(view, ["bet", "zz", "pass"])] == [True, True, False]
    assert [words(one) for one in wire.line_messages(view, ["bet", "bet", "pass"])] == ["bet", "call", "check"]


@pytest.mark.parametrize("played", MATCHES)
def test_a_hosted_match_calls_each_move_as_it_was_made(service: Client, played: str) -> None:
    moves = [tuple(move.split(":")) for move in played.split()]
    host = service.create_match("kuhn", [v1.SeatSetup(kind=v1.SeatKind.SEAT_KIND_PERSON)] * 2, spectators=True)
    seats: list[SeatSession] = [service.session(host.match, host.tokens[seat], seat) for seat in (0, 1)]
    for number, (text, name) in enumerate(moves):
        session = seats[number % 2]
        assert told(list(session.get().position.moves))[text] == name
        assert words(session.play(text).move) == name

    for watcher in (*seats, service.session(host.match)):
        events = [one.event for one in watcher.watch(after=0)]
        assert [words(event.move.move) for event in events if event.WhichOneof("what") == "move"] == [name for _, name in moves]
        kinds = [event.events[0].kind for event in events if event.WhichOneof("what") == "move"]
        assert kinds == [name for _, name in moves]


def test_a_review_calls_each_move_and_the_better_one_as_in_its_position(service: Client) -> None:
    record = wire.state_message(kuhn("pass", "bet", "pass")).record
    *moves, last = service.review_game(record, bot="ismcts:seed=4", iterations=200)

    assert [words(one.move.move) for one in moves] == ["check", "bet", "fold"]
    for one, called in zip(moves, (CHECKED, CHECKED, BET), strict=True):
        assert words(one.move.best) == called[one.move.best.text]
    for moment in last.summary.moments:
        if moment.HasField("move"):
            called = BET if moment.ply == 2 else CHECKED
            assert words(moment.move) == called[moment.move.text]


def test_a_game_that_fails_to_say_it_has_its_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> str:
        raise GameFault("kuhn", "it went wrong")

    state = kuhn("bet")
    monkeypatch.setattr(KitEngine, "label_here", failing)

    assert labels_here(state, "pass") == {"en": "check", "fr": "checker"}


def test_where_each_move_is_called_the_same_everywhere_no_view_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    state = load("whist").new(3, seed=1)
    text = state.legal_moves()[0]
    expected = state.game.move_labels(state.rules, text)

    def never(*_: object) -> None:
        raise AssertionError("its label was asked for by position")

    monkeypatch.setattr(type(state.game.plugin), "label_here", never)

    assert seen_here(state) == {}
    assert labels_here(state, text) == expected
