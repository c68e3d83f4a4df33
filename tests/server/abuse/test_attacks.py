"""Whoever wants everything hurts nobody else: small versions of the attacks of `python -m bench.abuse`."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from bench.abuse.attacks import of_bots, of_large_deck, of_people
from bench.abuse.callers import CallRefused, caller_of
from machiavel.server.matches import match
from machiavel.server.service.match_lists import LARGEST
from machiavel.server.service.wire import MOST_OPTIONS
from machiavel.v1 import (
    CreateMatchResponse,
    GetTournamentRequest,
    GetTournamentResponse,
    Limits,
    ListMatchesRequest,
    ListMatchesResponse,
    Options,
    RecommendMoveRequest,
    Record,
    StartTournamentRequest,
    StartTournamentResponse,
    TournamentPlan,
    TournamentState,
    WatchMatchRequest,
    WatchMatchResponse,
)
from tests.server.abuse.beside_attackers import LATE, WAYS, Scene, attacked, place_of, small_server, token_of

PLAYED = TournamentState.TOURNAMENT_STATE_PLAYED


def while_attacked(folder: Path, way: str, name: str, work: Callable[[Scene], Awaitable[None]], **settings: Any) -> None:
    """The polite caller does its work before it is late."""

    async def beside() -> None:
        async with attacked(server, way, name) as scene:
            await asyncio.wait_for(work(scene), 3 * LATE)

    with small_server(folder, **settings) as server:
        asyncio.run(beside())


async def search(scene: Scene) -> None:
    """200 iterations, as often as there is anything to be seen."""
    request = RecommendMoveRequest(record=Record.FromString(scene.target.record), bot="ismcts", limits=Limits(iterations=200))
    for _ in range(3):
        await scene.polite.call("BotService/RecommendMove", request, LATE)


async def moves_of(scene: Scene, made: CreateMatchResponse, count: int) -> None:
    """Follows the match until so many moves were made."""
    request = WatchMatchRequest(match=made.match.match, token=made.host_token)
    async with aclosing(scene.polite.stream("MatchService/WatchMatch", request, LATE)) as answers:
        async for data in answers:
            count -= WatchMatchResponse.FromString(data).event.WhichOneof("what") == "move"
            if count <= 0:
                return
    raise AssertionError("the match ended before")


@pytest.mark.parametrize("way", WAYS)
def test_bots_that_wait_out_a_minute_hold_no_place_of_a_table_beside_them(tmp_path: Path, way: str) -> None:
    async def work(scene: Scene) -> None:
        await scene.until_done("OK", 16)
        made = await scene.polite.call("MatchService/CreateMatch", of_bots("whist", "greedy", 2, 0.02), LATE)
        await moves_of(scene, CreateMatchResponse.FromString(made), 10)

    while_attacked(tmp_path, way, "bots", work, thinkers=2)


@pytest.mark.parametrize("way", WAYS)
def test_who_sets_matches_up_without_end_leaves_room_for_those_of_others(tmp_path: Path, way: str) -> None:
    async def work(scene: Scene) -> None:
        """What is kept for those who have little is enough for two."""
        await scene.until_done("TOO_MANY_MATCHES", 20)
        await scene.polite.call("MatchService/CreateMatch", of_people(), LATE)
        await scene.looks()

    while_attacked(tmp_path, way, "matches", work, matches=600)


@pytest.mark.parametrize("way", WAYS)
def test_a_crowd_that_is_refused_is_told_so_in_its_time_and_others_at_once(tmp_path: Path, way: str) -> None:
    told: list[str] = []

    async def refused(name: str, caller: Any) -> None:
        try:
            while True:
                await caller.call("MatchService/CreateMatch", of_people(), LATE)
        except CallRefused as error:
            told.append(f"{name} {error.reason}")

    async def crowd() -> None:
        greedy, polite = (caller_of(place_of(server, way), token_of(name)) for name in ("ann", "polite"))
        await refused("greedy", greedy)
        many = [asyncio.create_task(refused("greedy", greedy)) for _ in range(60)]
        while not told[1:]:
            await asyncio.sleep(0.01)
        await refused("polite", polite)
        assert told.index("polite TOO_MANY_MATCHES") < 30, told
        await asyncio.gather(*many)
        await greedy.close()
        await polite.close()

    with small_server(tmp_path, matches=4) as server:
        asyncio.run(crowd())


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("attack", ["searches", "reviews"])
def test_long_searches_of_others_do_not_hold_a_short_one_up(tmp_path: Path, way: str, attack: str) -> None:
    async def work(scene: Scene) -> None:
        await scene.until_done("TOO_BUSY", 1)
        await search(scene)

    while_attacked(tmp_path, way, attack, work, searches=3, queue=6)


@pytest.mark.parametrize("way", WAYS)
def test_a_deadline_that_cannot_be_kept_is_refused_before_most_of_it_is_over(tmp_path: Path, way: str) -> None:
    async def work(scene: Scene) -> None:
        async with asyncio.timeout(LATE):
            while sum(scene.tally.done.values()) < 40:
                await asyncio.sleep(0.05)
        await search(scene)
        done = scene.tally.done
        assert done["TOO_BUSY"] > 0, dict(done)
        assert done["NO_TIME"] + done["DEADLINE_EXCEEDED"] <= done["TOO_BUSY"], (
            "those whose time was over, and those who were told"
        )
        assert scene.tally.late <= done["TOO_BUSY"], "answers after their time"

    while_attacked(tmp_path, way, "deadlines", work, searches=2, queue=64)


@pytest.mark.parametrize("way", WAYS)
def test_calls_that_never_send_their_request_keep_nobody_out(tmp_path: Path, way: str) -> None:
    async def work(scene: Scene) -> None:
        await scene.until_done("TOO_BUSY", 5)
        for _ in range(10):
            await scene.looks()

    while_attacked(tmp_path, way, "streams", work, calls=48)


@pytest.mark.parametrize("way", WAYS)
def test_a_small_call_is_answered_before_the_many_large_ones_that_came_before_it(tmp_path: Path, way: str) -> None:
    async def work(scene: Scene) -> None:
        await scene.until_done("BAD_RECORD", 3)
        before = sum(scene.tally.done.values())
        for _ in range(5):
            await scene.looks()
        assert sum(scene.tally.done.values()) - before <= 60, "forty large records are under way at a time"

    while_attacked(tmp_path, way, "records", work)


@pytest.mark.parametrize("way", WAYS)
def test_a_tournament_without_end_does_not_keep_another_from_being_played(tmp_path: Path, way: str) -> None:
    async def work(scene: Scene) -> None:
        await scene.until_done("OK", 2)
        plan = TournamentPlan(game="whist", options=Options(players=2), bots=["greedy", "random"], deals=2, seed="1")
        begun = await scene.polite.call("TournamentService/StartTournament", StartTournamentRequest(plan=plan), LATE)
        request = GetTournamentRequest(name=StartTournamentResponse.FromString(begun).tournament.name)
        while True:
            data = await scene.polite.call("TournamentService/GetTournament", request, LATE)
            if GetTournamentResponse.FromString(data).tournament.state == PLAYED:
                return
            await asyncio.sleep(0.1)

    while_attacked(tmp_path, way, "tournaments", work, tournaments=str(tmp_path / "tournaments"))


@pytest.mark.parametrize("way", WAYS)
def test_the_host_watches_its_match_whoever_else_does(tmp_path: Path, way: str) -> None:
    async def work(scene: Scene) -> None:
        await scene.until_done("TOO_MANY_WATCHERS", 1)
        request = WatchMatchRequest(match=scene.shown.match.match, token=scene.shown.host_token)
        for _ in range(3):
            async with aclosing(scene.polite.stream("MatchService/WatchMatch", request, LATE)) as answers:
                assert WatchMatchResponse.FromString(await anext(answers)).HasField("snapshot")

    while_attacked(tmp_path, way, "watchers", work, **FEW_WATCHERS)


FEW_WATCHERS: dict[str, Any] = {"watchers": 24}


@pytest.mark.parametrize("way", WAYS)
def test_what_a_deck_says_besides_its_cards_is_bounded(tmp_path: Path, way: str) -> None:
    async def work(scene: Scene) -> None:
        async with asyncio.timeout(LATE):
            while not sum(scene.tally.done.values()):
                await asyncio.sleep(0.02)
        assert set(scene.tally.done) == {"BAD_REQUEST"}
        await scene.looks()

    while_attacked(tmp_path, way, "decks", work)


@pytest.mark.parametrize("way", WAYS)
def test_changes_of_a_match_besides_its_moves_come_to_an_end(tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "MOST_CHANGES", 40)

    async def work(scene: Scene) -> None:
        await scene.until_done("TOO_MANY_CHANGES", 1)
        await scene.looks()

    while_attacked(tmp_path, way, "seats", work)


@pytest.mark.parametrize("way", WAYS)
def test_a_page_of_matches_is_bounded_in_bytes(tmp_path: Path, way: str) -> None:
    """With options as large as they may be. Page by page, all matches come, each once."""

    async def list_all(place: str) -> None:
        caller = caller_of(place, token_of("polite"))
        create, made = of_large_deck(MOST_OPTIONS - 2048), set[str]()
        assert create.options.ByteSize() > MOST_OPTIONS - 1024
        while len(made) * MOST_OPTIONS < 2 * LARGEST:
            data = await caller.call("MatchService/CreateMatch", create, LATE)
            made.add(CreateMatchResponse.FromString(data).match.match)
        request, listed, sizes = ListMatchesRequest(page_size=100), list[str](), list[int]()
        while not sizes or request.page_token:
            data = await caller.call("MatchService/ListMatches", request, LATE)
            page = ListMatchesResponse.FromString(data)
            sizes.append(len(data))
            listed += [one.match for one in page.matches]
            request.page_token = page.next_page_token
        await caller.close()
        assert sizes[0] > LARGEST - MOST_OPTIONS
        assert max(sizes) <= LARGEST
        assert sorted(listed) == sorted(made)

    with small_server(tmp_path) as server:
        asyncio.run(list_all(place_of(server, way)))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("attack", ["follows", "forms"])
def test_what_takes_long_to_answer_does_not_hold_up_what_does_not(tmp_path: Path, way: str, attack: str) -> None:
    async def work(scene: Scene) -> None:
        await scene.until_done("OK", 3)
        before = scene.tally.done["OK"]
        for _ in range(5):
            await scene.looks()
        assert scene.tally.done["OK"] - before <= 15, "three of them for each small call, at most"

    while_attacked(tmp_path, way, attack, work)


def test_a_refusal_says_which_limit_it_is_and_when_to_come_again(tmp_path: Path) -> None:
    async def work(scene: Scene) -> None:
        async def without_end() -> None:
            while True:
                await scene.polite.call("MatchService/CreateMatch", of_people(), LATE)

        with pytest.raises(CallRefused, match="matches") as told:
            await without_end()
        assert told.value.reason == "TOO_MANY_MATCHES"
        assert told.value.retry_after
        assert told.value.retry_after > 0

    while_attacked(tmp_path, "gRPC", "matches", work, matches=40)
