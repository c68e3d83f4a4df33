"""Under which names the door is called, from which pages, and for whom a proxy speaks."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from machiavel.clients import connect
from machiavel.server.service.call_interceptor import caller_of
from machiavel.server.service.config import BadConfig
from machiavel.server.web.origins import Origins
from machiavel.server.web.pages import pages
from tests.server.service.hosted import config, hosted
from tests.server.web.http_calls import CALL, Place, ask, at, call, reason_of

PAGE = "https://play.example"


def asked(client: str = "127.0.0.1", scheme: str = "http", **headers: str) -> Any:
    """A request as far as it is looked at."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return SimpleNamespace(headers=given, client=client, port=5000, scheme=scheme, more_headers={})


def origins(**settings: str) -> Origins:
    return Origins(config(**{"web": "127.0.0.1:0", "plaintext": True} | settings))


# ---- Names ----


@pytest.mark.parametrize("host", ["localhost", "localhost:7789", "127.0.0.1:80", "[::1]:7789", "LOCALHOST", "localhost."])
def test_a_door_on_loopback_has_the_names_of_loopback(place: Place, host: str) -> None:
    assert call(place, "GameService/ListGames", host=host).status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "192.168.0.7", "localhost.evil.example:7789", "", "a b"]
)
def test_under_a_foreign_name_nothing_is_answered(place: Place, host: str) -> None:
    for path in (f"{CALL}GameService/ListGames", "/", "/openapi.json", "/nowhere"):
        answer = ask(place, "POST", path, b"{}", {"content-type": "application/json", "host": host})
        assert (answer.status, answer.json["code"], reason_of(answer.json)) == (403, "permission_denied", "FOREIGN_HOST")
        assert "expected one of 127.0.0.1, ::1, localhost, or what --web-host adds" in answer.json["message"]


def test_probes_may_come_under_any_name(place: Place) -> None:
    for path, content in (("/healthz", b"alive\n"), ("/readyz", b"ready\n")):
        answer = ask(place, "GET", path, headers={"host": "10.0.0.7:7789"})
        assert (answer.status, answer.body) == (200, content)


def test_names_may_be_added() -> None:
    known = origins(web_host="play.example, other.example")
    known.check_host(asked(host="Play.Example:443"))
    known.check_host(asked(host="other.example"))
    assert refused(known.check_host, asked(host="example")) == "ForeignHost"


def test_a_door_on_all_addresses_takes_any_address_but_no_name() -> None:
    for host in ("0.0.0.0:0", "[::]:0"):
        known = origins(web=host)
        for name in ("192.168.0.7:7789", "[fe80::1]", "localhost"):
            known.check_host(asked(host=name))
        assert refused(known.check_host, asked(host="evil.example")) == "ForeignHost"


def refused(check: Any, exchange: Any) -> str:
    try:
        check(exchange)
    except Exception as error:  # noqa: BLE001
        return type(error).__name__
    return ""


# ---- Pages ----


def test_a_page_of_the_door_itself_may_call(place: Place) -> None:
    for host in ("localhost", "127.0.0.1"):
        own = f"{host}:{place[1]}"
        answer = call(place, "GameService/ListGames", host=own, origin=f"http://{own}")
        assert (answer.status, answer.headers["vary"]) == (200, "origin")
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("origin", [PAGE, "null", "http://localhost:1", "http://localhost", "https://localhost"])
def test_a_page_from_elsewhere_may_not_call_and_does_nothing(place: Place, origin: str) -> None:
    new = {"game": "whist", "seats": [{"kind": "SEAT_KIND_PERSON"}] * 3}
    answer = call(place, "MatchService/CreateMatch", new, host=f"localhost:{place[1]}", origin=origin)
    assert (answer.status, reason_of(answer.json)) == (403, "FOREIGN_ORIGIN")
    assert "access-control-allow-origin" not in answer.headers
    assert call(place, "MatchService/ListMatches").json["matches"] == []
    headers = {"origin": origin, "access-control-request-method": "POST"}
    assert ask(place, "OPTIONS", f"{CALL}MatchService/CreateMatch", headers=headers).status == 403


def test_pages_that_are_named_may_call_and_read_what_they_need() -> None:
    with hosted(web="127.0.0.1:0", web_origins=f"{PAGE},http://127.0.0.1:5173") as server:
        place = at(server)
        wish = {
            "origin": PAGE,
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization,connect-protocol-version,connect-timeout-ms,content-type",
            "access-control-request-private-network": "true",
        }
        answer = ask(place, "OPTIONS", f"{CALL}GameService/ListGames", headers=wish)
        assert (answer.status, answer.body) == (204, b"")
        assert answer.headers["access-control-allow-origin"] == PAGE
        assert answer.headers["access-control-allow-methods"] == "POST"
        assert answer.headers["access-control-allow-private-network"] == "true"
        allowed = answer.headers["access-control-allow-headers"].split(", ")
        assert set(wish["access-control-request-headers"].split(",")) <= set(allowed)
        for method, status in (("GameService/ListGames", 200), ("GameService/NewState", 404), ("GameService/Nope", 404)):
            answer = call(place, method, origin=PAGE)
            assert (answer.status, answer.headers["access-control-allow-origin"]) == (status, PAGE)
            assert "x-request-id" in answer.headers["access-control-expose-headers"]
        assert call(place, "GameService/ListGames", origin="https://evil.example").status == 403


def test_all_pages_may_call_where_that_is_set() -> None:
    exchange = asked(host="localhost", origin="https://any.example")
    origins(web_origins="*").check_origin(exchange)
    assert exchange.more_headers["access-control-allow-origin"] == "https://any.example"


def test_a_page_behind_a_proxy_with_tls_is_the_doors_own() -> None:
    behind = origins(web_host="play.example", web_proxies="10.0.0.0/8")
    page = {"host": "play.example", "origin": PAGE, "x_forwarded_proto": "https"}
    behind.check_origin(asked("10.1.2.3", **page))
    assert refused(behind.check_origin, asked("127.0.0.1", **page)) == "ForeignOrigin"
    assert refused(behind.check_origin, asked("10.1.2.3", **page | {"x_forwarded_proto": "http"})) == "ForeignOrigin"


# ---- Proxies ----


def test_the_front_page_of_a_server_without_its_page_names_the_address_that_a_proxy_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("machiavel.server.web.door.pages", partial(pages, built=tmp_path))
    headers = {"host": "play.example", "x-forwarded-proto": "https"}
    for proxies, place in (("127.0.0.1", "https://play.example"), ("", "http://play.example")):
        with hosted(web="127.0.0.1:0", web_host="play.example", web_proxies=proxies) as server:
            assert f"curl {place}/machiavel.v1.".encode() in ask(at(server), "GET", "/", headers=headers).body


def test_whom_a_proxy_calls_for_counts_where_the_proxy_is_known() -> None:
    known = origins(web_proxies="127.0.0.1,10.0.0.0/8,::1")
    assert known.peer(asked(x_forwarded_for="203.0.113.9")) == "ipv4:203.0.113.9:0"
    assert known.peer(asked(x_forwarded_for="6.6.6.6, 203.0.113.9, 10.0.0.3")) == "ipv4:203.0.113.9:0"
    assert known.peer(asked("::1", x_forwarded_for="2001:db8::7")) == "ipv6:%5B2001:db8::7%5D:0"
    assert known.peer(asked("::ffff:10.0.0.3", x_forwarded_for="203.0.113.9")) == "ipv4:203.0.113.9:0"
    assert known.peer(asked(x_forwarded_for="unknown")) == "ipv4:127.0.0.1:5000"
    assert known.peer(asked()) == "ipv4:127.0.0.1:5000"


def test_what_anybody_else_says_of_whom_they_call_for_does_not_count() -> None:
    assert origins().peer(asked(x_forwarded_for="203.0.113.9")) == "ipv4:127.0.0.1:5000"
    assert origins(web_proxies="10.0.0.1").peer(asked("10.0.0.2", x_forwarded_for="203.0.113.9")) == "ipv4:10.0.0.2:5000"


def test_without_a_token_a_caller_is_its_address_whichever_door_it_comes_to(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def noted(context: Any) -> str:
        seen.append(caller_of(context))
        return seen[-1]

    monkeypatch.setattr("machiavel.server.service.bot_service.caller_of", noted)
    with hosted(web="127.0.0.1:0") as server, connect(server.address) as service, connect(server.address) as other:
        state = service.new_state("whist", 3, seed=1)
        for one in (service, other):
            one.recommend_move(state, bot="ismcts", iterations=10)
        record = call(at(server), "GameService/NewState", {"game": "whist", "options": {"players": 3}, "seed": "1"}).json["state"]
        asking = {"record": record["record"], "limits": {"iterations": 10}}
        for _ in range(2):
            assert call(at(server), "BotService/RecommendMove", asking).status == 200
    assert len(seen) >= 4
    assert set(seen) == {"ipv4:127.0.0.1"}


# ---- Settings ----


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"web_origins": "play.example"}, "web_origins: 'play.example' is no origin; expected https://play.example"),
        ({"web_origins": "https://play.example/"}, "is no origin"),
        ({"web_proxies": "proxy.example"}, "web_proxies: 'proxy.example' is no address; expected 10.0.0.7"),
        ({"web_host": "https://play.example"}, "web_host: 'https://play.example' is no name; expected one without a scheme"),
    ],
)
def test_a_setting_that_cannot_be_is_named(settings: dict[str, str], problem: str) -> None:
    with pytest.raises(BadConfig, match=problem), hosted(web="127.0.0.1:0", **settings):
        pass


def test_beyond_this_machine_the_door_wants_tls_or_a_clear_word() -> None:
    with pytest.raises(BadConfig, match=r"web: 0\.0\.0\.0:0 can be reached from other machines"):
        config(web="0.0.0.0:0")
    assert config(web="0.0.0.0:0", plaintext=True).web == "0.0.0.0:0"
    with pytest.raises(BadConfig, match="web: 'here' is no address; expected HOST:PORT"):
        config(web="here")


def test_a_port_that_is_taken_is_named() -> None:
    with hosted(web="127.0.0.1:0") as server:
        taken = f"127.0.0.1:{at(server)[1]}"
        with pytest.raises(BadConfig, match=rf"web: {taken} cannot be had: .*; is another server there\?"), hosted(web=taken):
            pass
