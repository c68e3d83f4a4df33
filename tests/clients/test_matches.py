"""Hosted matches through both faces of the client, at a server of our own."""

import asyncio
import contextlib
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from machiavel.clients import (
    AsyncSeatSession,
    BadCode,
    Client,
    HostSession,
    IllegalMove,
    MatchNotOver,
    MatchOver,
    NoAccess,
    NotAllowed,
    NotToMove,
    RequestReused,
    SeatHeld,
    SeatSession,
    SeatTaken,
    StaleVersion,
    commitment,
    connect,
    connect_async,
)
from machiavel.engines import load
from machiavel.server.service import wire
from machiavel.v1 import AgencyOptions, MatchPhase, Options, SeatKind, SeatSetup
from tests.engines.games import INSTALLED, players_of
from tests.server.service.hosted import Hosted, hosted

QUICK = 0.02  # seconds that a bot takes
SETTLED = (StaleVersion, NotToMove, MatchOver)  # what an answer gets that somebody's foil has made needless


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(think=QUICK, web="127.0.0.1:0") as result:
        yield result


@pytest.fixture(params=["grpc", "http"])
def address(request: pytest.FixtureRequest, server: Hosted) -> str:
    """Of the same server, by either of its doors."""
    return server.address if request.param == "grpc" else str(server.server.web_address)


@pytest.fixture
def service(address: str) -> Iterator[Client]:
    with connect(address) as result:
        yield result


def play_out(table: SeatSession) -> list[str]:
    """The moves of somebody who always plays the last that is legal."""
    result = []
    for position in table.turns():
        with contextlib.suppress(*SETTLED):
            result.append(table.play(position.moves[-1].text).move.text)
    return result


def replayed(host: HostSession) -> Any:
    response = host.record()
    assert commitment(response) == host.created.commitment == response.match.commitment
    return wire.read_state(response.record)


@pytest.mark.parametrize("game", INSTALLED)
def test_a_match_is_played_to_its_end(service: Client, game: str) -> None:
    host = service.create_match(game, ["greedy", "person", *["random"] * (players_of(game) - 2)], think=QUICK)
    own = play_out(host.at(1))
    state = replayed(host)
    assert list(state.utilities) == list(host.get().match.utilities)
    replay, mine = load(game).deal(state.rules, seed=state.seed), []
    for move in state.moves:
        if replay.seat_to_move == 1:
            mine.append(move)
        replay.play(move)
    answers = iter(own)
    assert all(move in answers for move in mine)  # in this order; between them those that lapsed


@pytest.mark.parametrize("game", INSTALLED)
def test_the_same_from_asyncio(address: str, game: str) -> None:
    async def turn_after_turn(table: AsyncSeatSession) -> int:
        number = 0
        async for position in table.turns():
            with contextlib.suppress(*SETTLED):
                await table.play(position.moves[0].text)
                number += 1
        return number

    async def main() -> None:
        async with connect_async(address) as service:
            host = await service.create_match(game, ["person", "person", *["greedy"] * (players_of(game) - 2)], think=QUICK)
            assert all(await asyncio.gather(turn_after_turn(host.at(0)), turn_after_turn(host.at(1))))
            response = await host.record()
            assert commitment(response) == host.created.commitment
            assert wire.read_state(response.record).is_over
            names = {match.match async for match in service.list_matches(page_size=1)}
            assert host.match in names
            await host.delete()
            with pytest.raises(NoAccess):
                await host.get()

    asyncio.run(main())


def test_whoever_knows_the_code_takes_an_open_seat(service: Client) -> None:
    host = service.create_match("whist", ["person", "open", "open"])
    assert host.get().match.phase == MatchPhase.MATCH_PHASE_WAITING
    watch = host.at(0).watch()
    assert not next(watch).snapshot.HasField("position")
    last = service.join_match(host.code.lower(), seat=2, name="Zoé")
    with pytest.raises(SeatTaken):
        service.join_match(host.code, seat=2)
    with pytest.raises(BadCode):
        service.join_match("0123456789")
    first = service.join_match(host.code)
    assert (last.seat, first.seat) == (2, 1)
    events = [next(watch).event for _ in range(3)]
    assert [event.WhichOneof("what") for event in events] == ["seat", "seat", "begun"]
    assert (events[0].seat.name, events[0].seat.kind) == ("Zoé", SeatKind.SEAT_KIND_PERSON)
    assert len({host.at(0).token, first.token, last.token, host.token}) == 4


def test_who_keeps_name_and_token_comes_back(service: Client) -> None:
    host = service.create_match("bond", ["person", "person"])
    asked = next(seat for seat in (0, 1) if host.at(seat).get().position.moves)
    again = service.session(host.match, host.tokens[asked])
    assert again.seat is None
    position = again.get().position
    assert again.seat == asked
    answer = again.play(position.moves[0].text)
    assert again.version == answer.version
    assert host.at(asked).get().version == answer.version


def test_a_repeated_move_gets_the_first_answer_and_another_one_none(service: Client) -> None:
    host = service.create_match("whist", ["person", "person"])
    asked = next(seat for seat in (0, 1) if host.at(seat).get().position.moves)
    table, move = host.at(asked), host.at(asked).get().position.moves[0].text
    first = table.play(move, request_id="k" * 20)
    assert table.play(move, request_id="k" * 20) == first
    with pytest.raises(RequestReused):
        table.play("zz", request_id="k" * 20)
    assert len(table.get().observed_moves) == 1
    hosts = [service.create_match("whist", ["person", "greedy"], request_id="c" * 20) for _ in range(2)]
    assert (hosts[0].match, hosts[0].tokens) == (hosts[1].match, hosts[1].tokens)


def test_errors_have_names_and_fields(service: Client) -> None:
    host = service.create_match("whist", ["person", "person"], open_record=False)
    seat = next(seat for seat in (0, 1) if host.at(seat).get().position.moves)
    table, other = host.at(seat), host.at(1 - seat)
    legal = table.get().position.moves
    with pytest.raises(NotToMove) as out_of_turn:
        other.play(legal[0].text)
    assert (out_of_turn.value.seat, out_of_turn.value.seats_to_move) == (1 - seat, (seat,))
    with pytest.raises(NotAllowed) as no_hints:
        table.hint()
    assert no_hints.value.setting == "hints"
    with pytest.raises(StaleVersion):
        table.play(legal[0].text, expected_version=99)
    hand = {move.text for move in legal}
    foreign = next(f"{suit}{rank}" for rank in "23" for suit in "CDHS" if f"{suit}{rank}" not in hand)  # of eight in seven
    with pytest.raises(IllegalMove) as illegal:
        table.play(foreign)
    assert set(illegal.value.legal) == hand
    with pytest.raises(SeatHeld) as held:
        table.hand_back()
    assert held.value.seat == seat
    with pytest.raises(MatchNotOver):
        host.record()
    with pytest.raises(NoAccess):
        service.session(host.match, "no-such-token").get()
    with pytest.raises(NoAccess):
        service.session(host.match).get()  # no spectators here


def test_a_bot_takes_over_until_the_seat_is_handed_back(service: Client) -> None:
    host = service.create_match("whist", ["person", "person"])
    asked = next(seat for seat in (0, 1) if host.at(seat).get().position.moves)
    mine, yours = host.at(asked), host.at(1 - asked)
    turns = mine.turns()
    next(turns)
    assert mine.take_over("random:seed=5", think=QUICK).bot == "random"
    assert len(next(yours.turns()).moves) > 0  # what the bot has played is followed by the other one alone
    with pytest.raises(SeatHeld):
        mine.play("H2")
    assert not host.hand_back(seat=asked).taken_over
    assert yours.take_over("greedy", think=QUICK).taken_over
    assert next(turns).moves
    assert mine.forfeit().forfeited
    assert list(turns) == []  # until it is over
    assert host.get().match.phase == MatchPhase.MATCH_PHASE_OVER


def test_hints_come_from_what_the_seat_sees(service: Client) -> None:
    host = service.create_match("agency", ["person", "greedy"], hints=True, think=QUICK)
    table = host.at(0)
    for position in table.turns():
        hint = table.hint(bot="ismcts:seed=1", iterations=200)
        assert hint.move.text in {move.text for move in position.moves}
        if len(position.moves) > 1:
            break
        assert hint.recommendation.iterations == 0  # nothing to think about
        table.play(position.moves[0].text)
    assert hint.recommendation.iterations == 200


def test_options_and_seats_may_be_messages(service: Client) -> None:
    bot = SeatSetup(kind=SeatKind.SEAT_KIND_BOT, bot="random", name="Rando")
    bot.think.FromMilliseconds(25)
    host = service.create_match(
        "agency", ["person", bot], options=Options(agency=AgencyOptions(powers=False, medals=1)), move_time=3600
    )
    match = host.get().match
    assert (match.options.players, match.options.agency.medals, match.settings.move_time.seconds) == (2, 1, 3600)
    assert (match.seats[1].name, match.seats[1].bot, match.seats[1].think.ToMilliseconds()) == ("Rando", "random", 25)
    play_out(host.at(0))
    assert replayed(host).rules.options["powers"] is False


def test_a_spectator_sees_what_spectators_may(service: Client) -> None:
    host = service.create_match("agency", ["greedy", "random"], spectators=True, think=QUICK)
    assert not next(service.session(host.match).watch()).snapshot.position.view.agency.HasField("hand")
    answers = list(service.session(host.match).watch(after=0))
    assert answers[-1].event.HasField("over")
    views = [answer.event.position.view for answer in answers if answer.event.HasField("move")]
    assert views and not any(view.agency.HasField("hand") for view in views)
    half = len(answers) // 2
    assert list(service.session(host.match).watch(after=half)) == answers[half:]


def test_the_list_goes_over_all_pages_newest_first(service: Client) -> None:
    made = [service.create_match("whist", ["person", "person"]).match for _ in range(5)]
    result = [match.match for match in service.list_matches(page_size=2)]
    assert result[:5] == made[::-1]
    over = service.list_matches(phase=MatchPhase.MATCH_PHASE_OVER)
    assert not set(made) & {match.match for match in over}


@pytest.mark.parametrize("face", ["plain", "asyncio"])
def test_a_match_goes_on_over_a_restart_of_the_server(tmp_path: Path, face: str) -> None:
    """The one who watches and plays notices nothing but the time."""
    from tests.server.matches.process import Served

    with Served(tmp_path / "matches.sqlite") as served:
        served.start()
        restarts = iter([True, True])

        def maybe() -> None:
            if next(restarts, False):
                served.kill()
                served.start()

        async def by_asyncio() -> tuple[list[int], str]:
            async with connect_async(served.address) as service:
                host = await service.create_match("whist", ["person", "greedy"], think=QUICK)
                plies = []
                async with aclosing(host.at(0).turns()) as turns:
                    async for position in turns:
                        await asyncio.to_thread(maybe)
                        await host.at(0).play(position.moves[0].text, timeout=60)
                        plies.append(position.ply)
                return plies, str((await host.get()).match.phase)

        def plainly() -> tuple[list[int], str]:
            with connect(served.address) as service:
                host = service.create_match("whist", ["person", "greedy"], think=QUICK)
                plies = []
                for position in host.at(0).turns():
                    maybe()
                    host.at(0).play(position.moves[0].text, timeout=60)
                    plies.append(position.ply)
                return plies, str(host.get().match.phase)

        plies, phase = asyncio.run(by_asyncio()) if face == "asyncio" else plainly()
    assert phase == str(MatchPhase.MATCH_PHASE_OVER)
    assert plies == sorted(plies)
    assert len(plies) > 3
