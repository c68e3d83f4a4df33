"""What happened, beside matches and records: as each viewer saw it, and told by its views alone."""

import random
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from google.protobuf.json_format import MessageToDict

from machiavel import v1
from machiavel.clients import Client, connect
from machiavel.engines import LANGUAGES, SeenMove, State, Teller, load
from machiavel.server.service import event_messages, wire
from tests.engines.games import INSTALLED, players_of
from tests.server.matches.played import first_match
from tests.server.service.hosted import Hosted, hosted
from tests.server.service.match_calls import PERSON, bot, create, play_on, stub

FEW = 25  # moves
Told = list[tuple[str, dict[str, Any], dict[str, str]]]


def told(messages: Any) -> Told:
    return [(one.kind, MessageToDict(one.fields), {"en": one.text.en, "fr": one.text.fr}) for one in messages]


def expected(before: State | None, after: State, viewer: int | None) -> Told:
    """As the game itself tells it."""
    views = [None if state is None else state.view(viewer).to_json()["view"] for state in (before, after)]
    move = None if before is None else SeenMove(before.seat_to_move or 0, after.last_move(viewer) or "")
    tellers = {one: Teller(after.game.plugin, after.rules, one, viewer) for one in LANGUAGES}
    return [
        (event.kind, dict(event.fields), {language: teller.text(views[1] or {}, event) for language, teller in tellers.items()})
        for event in tellers["en"].events(views[0], move, views[1] or {})
    ]


def steps(game: str) -> Iterator[tuple[State | None, State]]:
    """The beginning and the first moves of a match: the position before, and after."""
    plugin = load(game)
    state, rng = plugin.new(players_of(game), seed=8), random.Random(game)
    yield None, state
    for _ in range(FEW):
        if state.is_over:
            return
        before = state.copy()
        state.play(rng.choice(state.legal_moves()))
        yield before, state


@pytest.mark.parametrize("game", INSTALLED)
def test_each_viewer_is_told_what_the_game_tells_of_its_views(game: str) -> None:
    seen = 0
    for before, after in steps(game):
        for viewer in (*range(after.players), None):
            messages = event_messages.last_events(before, after, viewer)
            assert told(messages) == expected(before, after, viewer)
            seen += len(messages)
    assert seen


def test_the_host_is_given_the_events_of_every_viewer_if_it_asks(service: Client) -> None:
    state = service.new_state("whist", 3, seed=11)
    moves = service.legal_moves(state)[0].moves
    assert not service.apply_move(state, moves[0].text).events
    done = service.apply_move(state, moves[0].text, events=True)
    assert [one.seat if one.HasField("seat") else None for one in done.events] == [0, 1, 2, None]
    ours = {one.seat if one.HasField("seat") else None: one.events[0].text.en for one in done.events}
    mover = done.seat
    assert ours.pop(mover).startswith("You play ")
    assert {text.split(" plays ")[0] for text in ours.values()} == {f"Seat {mover}"}
    again = service.games.GetState(v1.GetStateRequest(record=done.state.record, events=True))
    assert again.events == done.events and not again.state.record.taken_back
    for viewer in done.events:
        seat = viewer.seat if viewer.HasField("seat") else None
        assert service.get_view(done.state, seat, events=True).events == viewer.events
        assert not service.get_view(done.state, seat).events
    begun = service.games.NewState(
        v1.NewStateRequest(game="whist", options=v1.Options(players=3), seed="11", events=True), timeout=60
    )
    assert [one.kind for one in begun.events[0].events] == ["round"]
    assert begun.state == state  # which holds none of it


def test_what_a_seat_may_not_know_is_null_in_its_events() -> None:
    after = first_match("agency", 3, lambda one: bool(passing(one.state))).state
    before, mover, card = after.copy(), after.seat_to_move or 0, passing(after)
    after.play(f"pass:{card}")
    fields = [told(event_messages.last_events(before, after, viewer))[0][1]["card"] for viewer in (mover, (mover + 1) % 3, None)]
    assert fields[0] == card and None in fields[1:]


def passing(state: State) -> str:
    """A card that the seat to move may pass on; empty where it is not asked for one."""
    return next((text.removeprefix("pass:") for text in state.legal_moves() if text.startswith("pass:")), "")


@pytest.fixture(scope="module")
def quick() -> Iterator[Hosted]:
    with hosted(think=0.02) as result:
        yield result


@pytest.mark.parametrize("game", INSTALLED)
def test_watchers_are_told_what_happened_and_snapshots_what_happened_last(quick: Hosted, game: str) -> None:
    with stub(quick.address) as service:
        made = create(service, game, PERSON, *[bot("random:seed=1")] * (players_of(game) - 1), spectators=True, open_record=True)
        match, token = made.match.match, made.seat_tokens[0]
        play_on(service, match, token, random.Random(1))
        record = service.GetRecord(v1.GetRecordRequest(match=match, token=token)).record
        for viewer, key in ((0, token), (None, "")):
            events = [one.event for one in service.WatchMatch(v1.WatchMatchRequest(match=match, token=key, after=0))]
            state = load(game).replay(wire.read_record(v1.Record.FromString(shorter(record, 0))))
            for event in events:
                before = state.copy()
                if event.HasField("begun"):
                    assert told(event.events) == expected(None, state, viewer)
                elif event.HasField("move"):
                    state.play(record.moves[len(state.moves)])
                    assert told(event.events) == expected(before, state, viewer)
                    last = event.events
                else:
                    assert not event.events
            shown = service.GetMatch(v1.GetMatchRequest(match=match, token=key)).snapshot
            assert shown.events == last


def shorter(record: v1.Record, moves: int) -> bytes:
    result = v1.Record()
    result.CopyFrom(record)
    del result.moves[moves:]
    return result.SerializeToString()


def test_a_game_that_fails_to_tell_holds_up_no_match(quick: Hosted) -> None:
    with stub(quick.address) as service, patch.object(type(load("whist").plugin), "events", side_effect=KeyError("told")):
        made = create(service, "whist", PERSON, bot())
        match, token = made.match.match, made.seat_tokens[0]
        play_on(service, match, token, random.Random(1))
        (snapshot,) = service.WatchMatch(v1.WatchMatchRequest(match=match, token=token))
        assert snapshot.snapshot.match.phase == v1.MatchPhase.MATCH_PHASE_OVER and not snapshot.snapshot.events
    with connect(quick.address) as client:
        assert client.get_view(client.new_state("whist", 3, seed=1), events=True).events
