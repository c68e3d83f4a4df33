"""A rule that goes wrong over hidden cards tells who plays in a hosted match nothing of them, and its host where it is."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest

from machiavel import v1
from machiavel.clients import GameFault, connect
from machiavel.engines import Game, State, add_file, registry
from machiavel.engines import GameFault as Fault
from machiavel.server.matches.match_setup import Setup
from machiavel.server.service import wire
from machiavel.server.service.messages import struct_of
from tests.engines.kit.authors import HIGHEST, written
from tests.server.service.hosted import hosted
from tests.server.service.match_calls import OPEN, PERSON, bot, create, over, refused, snapshot, stub, until

# What the third move does depends on what the other seat holds: it tells a card of it in the text of an exception, goes wrong in
# another function with another exception, leaves no move to the other seat, or goes wrong for ever.
BROKEN = """
        if self.ply == 2:
            self.look(low(self.hands[self.next_seat(self.mover)]))
        self.mover = self.next_seat(self.mover)
"""
LOOK = """
    def look(self, card):
        if card < 2:
            self.top = 13 + card
        elif card < 3:
            assert card > 2
        elif card < 4:
            while card:
                self.top = 1
        else:
            self.gone = DECK.all

    def result(self, shares):
"""
UNTOLD = "its rules have a mistake, which the host can find with machiavel check-game"
WAIT = 60


def broken(folder: Path) -> Path:
    text = HIGHEST.replace("Seat, has, one", "Seat, has, low, one")
    text = text.replace("\n        self.mover = self.next_seat(self.mover)\n", BROKEN, 1)
    text = text.replace("\n    def result(self, shares):\n", LOOK, 1)
    text = text.replace("return self.hands[seat]", "return self.hands[seat] & ~self.gone", 1)
    return written(folder, text.replace('"highest"', '"broken"'), "broken.py")


def never_dealt(folder: Path) -> Path:
    text = HIGHEST.replace("rest ^= self.hands[seat]", "rest ^= self.hands[seat]\n        self.top = 13 + self.hands[0]")
    return written(folder, text.replace('"highest"', '"never_dealt"'), "never_dealt.py")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Known to this process as to a server that was started with it."""
    for name in ("_loaded", "_files", "_texts"):
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))
    add_file(never_dealt(tmp_path))
    return add_file(broken(tmp_path))


def dealt(game: Game, card: str) -> State:
    """Seat 1 holds that card at the third move; seat 0 cannot know it."""
    hands = [["S2", "S3", "S4"], ["HT", card, "HA"]]
    return game.new(2, layout={"hands": hands})


CARDS = ("H2", "H3", "H4", "H5", "H6")
OPENING = ("S2", "HT")


class HostedMatch:
    """A match of two persons, with that deal, in which the third move goes wrong."""

    def __init__(self, service: Any, state: State, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Setup, "deal", lambda _: state.copy())
        self.service = service
        self.made = create(service, "broken", PERSON, PERSON, hints=True)
        for seat, move in enumerate(OPENING):
            self.call("PlayMove", seat, move=move)

    def call(self, call: str, seat: int, **fields: Any) -> Any:
        request = getattr(v1, f"{call}Request")(match=self.made.match.match, token=self.made.seat_tokens[seat], **fields)
        return getattr(self.service, call)(request, timeout=WAIT)

    def told(self) -> list[object]:
        """All that seat 0 is told when it plays its second card, and behind it."""
        result: list[object] = [told_of(self.call, "PlayMove", 0, move=card) for card in ("S3", "S4")]
        result.append(self.call("GetMatch", 0).snapshot.position.SerializeToString(deterministic=True))
        return result


def told_of(call: Any, *arguments: Any, **fields: Any) -> tuple[object, ...]:
    """The whole of a refusal, but for the id of the call."""
    with pytest.raises(grpc.RpcError) as caught:
        call(*arguments, **fields)
    error: Any = caught.value
    trailers = dict(error.trailing_metadata())
    return error.code(), error.details(), trailers["grpc-status-details-bin"].replace(trailers["x-request-id"].encode(), b"")


@pytest.fixture
def service(game: Game) -> Iterator[Any]:
    with hosted(think=0.02) as server, stub(server.address) as result:
        yield result


def test_every_such_fault_is_one_in_the_rules_themselves(game: Game) -> None:
    texts = []
    for card in CARDS:
        state = dealt(game, card)
        for move in OPENING:
            state.play(move)
        with pytest.raises(Fault) as caught:
            state.play("S3")
        texts.append(caught.value.what)
        assert caught.value.place.startswith("broken.py:")

    assert len(set(texts)) == len(CARDS)
    assert "top would be 13" in texts[0] and "no move" in texts[-1]


def test_a_hosted_match_tells_a_player_the_same_whatever_went_wrong(
    game: Game, service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = [HostedMatch(service, dealt(game, card), monkeypatch).told() for card in CARDS]

    assert all(one == told[0] for one in told)
    match = HostedMatch(service, dealt(game, "H2"), monkeypatch)
    error = refused(lambda: match.call("PlayMove", 0, move="S3"))
    assert isinstance(error, GameFault)
    assert (error.game, error.what) == ("broken", UNTOLD)


def test_a_text_of_the_authors_that_went_out_would_be_found(game: Game, service: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fault, "without_details", lambda error: error)

    told = [HostedMatch(service, dealt(game, card), monkeypatch).told() for card in CARDS]

    assert len({str(one) for one in told}) == len(CARDS)


def test_a_deal_that_goes_wrong_tells_nothing_of_the_cards(service: Any) -> None:
    for seats in ((PERSON, PERSON), (PERSON, OPEN), (bot(), bot())):
        error = refused(partial(create, service, "never_dealt", *seats))
        assert isinstance(error, GameFault)
        assert error.what == UNTOLD


def test_a_host_reads_in_the_log_where_it_is_without_a_value(
    game: Game, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with hosted(think=0.02) as server, stub(server.address) as service:
        match = HostedMatch(service, dealt(game, "H2"), monkeypatch)
        refused(lambda: match.call("PlayMove", 0, move="S3"))
        made = create(service, "broken", bot("random"), bot("random"), spectators=True)
        until(lambda: over(snapshot(service, made.match.match)))
    lines = {line["event"]: line for line in map(json.loads, capfd.readouterr().err.splitlines())}

    at = next(number for number, line in enumerate(broken_lines(game), 1) if "self.top = 13 + card" in line)
    assert lines["game_fault"]["game"] == "broken"
    assert lines["game_fault"]["method"] == "/machiavel.v1.MatchService/PlayMove"
    for event in ("game_fault", "match_failed"):
        assert lines[event]["kind"].startswith("GameFault: ")
        assert "would be" not in str(lines[event]) and "card" not in str(lines[event])
    assert lines["game_fault"]["kind"] == "GameFault: OverflowError"
    assert lines["game_fault"]["frames"] == [f"broken.py:{at} look"]


def broken_lines(game: Game) -> list[str]:
    path = registry.file_of(game.name)
    assert path is not None
    return path.read_text(encoding="utf-8").splitlines()


def test_who_sends_the_record_itself_is_told_all_of_it(game: Game) -> None:
    layout = v1.Layout(other=struct_of(dealt(game, "H2").record().layout or {}))
    with hosted() as server, connect(server.address) as client:
        state = client.new_state("broken", 2, layout=layout)
        for move in OPENING:
            state = client.apply_move(state, move).state
        with pytest.raises(GameFault, match="top would be 13") as caught:
            client.apply_move(state, "S3")
        with pytest.raises(GameFault, match="top would be"):
            client.new_state("never_dealt", 2, seed=1)

    assert "self.top = 13 + card" in caught.value.what


def test_advice_from_a_view_tells_what_the_bots_met_in_worlds_of_their_own(game: Game) -> None:
    states = [dealt(game, card) for card in CARDS[:2]]
    told = []
    with hosted() as server, connect(server.address) as client:
        for state in states:
            for move in OPENING:
                state.play(move)
            message = v1.View()
            wire.put_view(message, state.view(0))
            with pytest.raises(GameFault) as caught:
                client.recommend_move(message, bot="ismcts:seed=1", iterations=500)
            told.append(caught.value.what)

    assert told[0] == told[1]
    assert "broken.py:" in told[0]
