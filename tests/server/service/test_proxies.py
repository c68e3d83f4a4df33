"""Whom a proxy calls for counts at both ports, from proxies that the operator named alone."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import grpc
import pytest

from machiavel import v1
from machiavel.server.service import bot_service
from machiavel.server.service.call_interceptor import caller_of
from machiavel.server.service.proxies import Proxies, source_named
from tests.server.service.hosted import hosted

CALL = "/machiavel.v1.BotService/RecommendMove"


@pytest.mark.parametrize(
    ("proxies", "peer", "forwarded", "found"),
    [
        ("127.0.0.1", "ipv4:127.0.0.1:5000", "203.0.113.9", "ipv4:203.0.113.9:0"),
        ("127.0.0.1", "ipv4:127.0.0.1:5000", "6.6.6.6, 203.0.113.9", "ipv4:203.0.113.9:0"),  # what it said itself is no address
        ("127.0.0.1,10.0.0.0/8", "ipv4:127.0.0.1:5000", "203.0.113.9, 10.1.1.1", "ipv4:203.0.113.9:0"),
        ("::1", "ipv6:%5B::1%5D:5000", "2001:db8::7", "ipv6:%5B2001:db8::7%5D:0"),
        ("127.0.0.1", "ipv4:127.0.0.1:5000", "", "ipv4:127.0.0.1:5000"),
        ("127.0.0.1", "ipv4:198.51.100.4:5000", "203.0.113.9", "ipv4:198.51.100.4:5000"),
        ("", "ipv4:127.0.0.1:5000", "203.0.113.9", "ipv4:127.0.0.1:5000"),
        ("127.0.0.1", "unix:/run/machiavel", "203.0.113.9", "unix:/run/machiavel"),
    ],
)
def test_a_client_is_the_last_address_that_no_proxy_has(proxies: str, peer: str, forwarded: str, found: str) -> None:
    assert Proxies(proxies).peer(peer, forwarded) == found


@pytest.mark.parametrize(
    ("peers", "source"),
    [
        (("ipv4:192.0.2.7:5000", "ipv4:192.0.2.7:5001", "ipv6:[::ffff:192.0.2.7]:5000"), "ipv4:192.0.2.7"),
        (("ipv6:%5B2001:db8::7%5D:1", "ipv6:[2001:db8::1:0:0:9]:2", "ipv6:%5B2001:DB8:0:0:ffff::1%5D:0"), "ipv6:2001:db8::/64"),
        (("ipv6:%5B2001:db8:0:1::7%5D:1",), "ipv6:2001:db8:0:1::/64"),
        (("ipv6:%5B::1%5D:1",), "ipv6:::/64"),
        (("ipv6:%5Bfe80::1%25eth0%5D:1",), "ipv6:fe80::/64"),
        (("unix:", "unix:"), "unix:"),
    ],
)
def test_a_client_is_one_whatever_address_of_its_network_it_comes_from(peers: tuple[str, ...], source: str) -> None:
    assert {source_named(peer) for peer in peers} == {source}


@pytest.mark.parametrize(("proxies", "found"), [("127.0.0.0/8", "ipv4:203.0.113.9"), ("", "ipv4:127.0.0.1")])
def test_native_calls_through_a_proxy_count_for_whom_it_calls(proxies: str, found: str) -> None:
    callers: list[str] = []

    def noted(context: Any) -> str:
        callers.append(caller_of(context))
        return callers[-1]

    with (
        hosted(web="127.0.0.1:0", web_proxies=proxies) as server,
        grpc.insecure_channel(server.address) as channel,
        patch.object(bot_service, "caller_of", noted),
    ):
        state = channel.unary_unary(
            "/machiavel.v1.GameService/NewState", v1.NewStateRequest.SerializeToString, v1.NewStateResponse.FromString
        )(v1.NewStateRequest(game="kuhn", options=v1.Options(players=2), seed="7")).state
        advice = channel.unary_unary(CALL, v1.RecommendMoveRequest.SerializeToString, v1.RecommendMoveResponse.FromString)
        advice(v1.RecommendMoveRequest(record=state.record), metadata=(("x-forwarded-for", "203.0.113.9"),))
    assert set(callers) == {found}


def test_without_tokens_a_match_counts_for_the_address_that_set_it_up_after_a_restart_too(tmp_path: Path) -> None:
    settings = {"web": "127.0.0.1:0", "web_proxies": "127.0.0.1", "storage": f"sqlite:///{tmp_path / 'matches.db'}"}
    people = [v1.SeatSetup(kind=v1.SeatKind.SEAT_KIND_PERSON)] * 3
    with hosted(**settings) as server, grpc.insecure_channel(server.address) as channel:
        create = channel.unary_unary(
            "/machiavel.v1.MatchService/CreateMatch", v1.CreateMatchRequest.SerializeToString, v1.CreateMatchResponse.FromString
        )
        for address in ("203.0.113.9", "203.0.113.9", "2001:db8::7"):
            create(v1.CreateMatchRequest(game="whist", seats=people), metadata=(("x-forwarded-for", address),))
        assert server.server.registry is not None
        assert server.server.registry.store.storage.kept().keys() == {"ipv4:203.0.113.9", "ipv6:2001:db8::/64"}
    with hosted(**settings) as server:
        assert server.server.shares.usage()["matches"].callers == {"ipv4:203.0.113.9": 2, "ipv6:2001:db8::/64": 1}
        assert server.server.registry is not None
        assert server.server.registry.store.storage.kept().keys() == {"ipv4:203.0.113.9", "ipv6:2001:db8::/64"}
