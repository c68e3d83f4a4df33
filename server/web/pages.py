"""What the door shows whoever comes with GET: where to go, and how the server is."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape

from machiavel.server.web.openapi import document

__all__ = ["DoorPage", "pages"]

TEXT, HTML, JSON = "text/plain; charset=utf-8", "text/html; charset=utf-8", "application/json"
HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}
POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
FRONT = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Machiavel</title>
<style>body {{ font: 1rem/1.5 sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem }}
pre {{ overflow-x: auto; background: #eee; padding: 1rem }}</style>
<h1>Machiavel</h1>
<p>An AI opponent service for card games. Calls are POST requests; this one lists the games:</p>
<pre>curl {place}/machiavel.v1.GameService/ListGames -H 'content-type: application/json' -d '{{}}'</pre>
<ul>
<li><a href="/openapi.json">/openapi.json</a> describes every call that has one answer.</li>
<li><a href="/healthz">/healthz</a> and <a href="/readyz">/readyz</a> say whether it lives, and whether it takes calls.</li>
</ul>
<p>docs/web.md of the distribution tells the rest: streams, errors, deadlines, pages in browsers.</p>
</html>
"""


@dataclass(frozen=True)
class DoorPage:
    """`content` gives the status and the bytes; `is_open`: under any name, for probes."""

    type: str
    content: Callable[[str], tuple[int, bytes]]
    is_open: bool = False

    @property
    def headers(self) -> dict[str, str]:
        policy = {"content-security-policy": POLICY} if self.type == HTML else {"cache-control": "no-store"}
        return {"content-type": self.type, **HEADERS, **policy}


def pages(is_ready: Callable[[], bool], paths: Iterable[str]) -> Mapping[str, DoorPage]:
    """By path. Each is told where the door is, as `http://127.0.0.1:7789`."""

    @cache
    def description() -> tuple[int, bytes]:
        return 200, document(paths)

    def ready(_: str) -> tuple[int, bytes]:
        return (200, b"ready\n") if is_ready() else (503, b"shutting down\n")

    return {
        "/": DoorPage(HTML, lambda place: (200, FRONT.format(place=escape(place)).encode())),
        "/healthz": DoorPage(TEXT, lambda _: (200, b"alive\n"), is_open=True),
        "/readyz": DoorPage(TEXT, ready, is_open=True),
        "/openapi.json": DoorPage(JSON, lambda _: description()),
    }
