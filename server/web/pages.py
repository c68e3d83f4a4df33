"""What the door shows whoever comes with GET: where to go, and how the server is."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from machiavel.server.web.openapi import document
from machiavel.server.web.page_answers import NO_REFERRER, NO_SNIFFING, DoorPage, PageAnswer
from machiavel.server.web.page_files import BUILT, PageFile, page_files

__all__ = ["LANDMARKS", "UNBUILT", "has_page", "pages"]

# What a 404 names: the files of the page are many, and have no names for people.
LANDMARKS = ("/", "/healthz", "/readyz", "/openapi.json")
UNBUILT = "this server was built without its page for browsers; `make install` in a checkout builds it"
TEXT, HTML, JSON = "text/plain; charset=utf-8", "text/html; charset=utf-8", "application/json"
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
<p>An AI opponent service for card games. This server was built without its page for browsers, on which people play.
<code>make install</code> in a checkout builds it; then start the server again.</p>
<p>Calls are POST requests; this one lists the games:</p>
<pre>curl {place}/machiavel.v1.GameService/ListGames -H 'content-type: application/json' -d '{{}}'</pre>
<ul>
<li><a href="/openapi.json">/openapi.json</a> describes every call that has one answer.</li>
<li><a href="/healthz">/healthz</a> and <a href="/readyz">/readyz</a> say whether it lives, and whether it takes calls.</li>
</ul>
<p>docs/web.md of the distribution tells the rest: streams, errors, deadlines, pages in browsers.</p>
</html>
"""


@dataclass(frozen=True)
class MadePage:
    """`content` gives the status and the bytes, told where the door is."""

    type: str
    content: Callable[[str], tuple[int, bytes]]
    is_open: bool = False

    def answer(self, place: str, headers: Mapping[str, str]) -> PageAnswer:  # noqa: ARG002 - there is one form of it
        policy = {"content-security-policy": POLICY} if self.type == HTML else {"cache-control": "no-store"}
        status, content = self.content(place)
        return PageAnswer(status, {"content-type": self.type, **NO_SNIFFING, **NO_REFERRER, **policy}, content)


def pages(is_ready: Callable[[], bool], paths: Iterable[str], built: Path = BUILT) -> Mapping[str, DoorPage]:
    """By path: the files of the built page as they are now, and what the door makes itself, which comes first."""

    @cache
    def description() -> tuple[int, bytes]:
        return 200, document(paths)

    def ready(_: str) -> tuple[int, bytes]:
        return (200, b"ready\n") if is_ready() else (503, b"shutting down\n")

    return {
        "/": MadePage(HTML, lambda place: (200, FRONT.format(place=escape(place)).encode())),
        **page_files(built),
        "/healthz": MadePage(TEXT, lambda _: (200, b"alive\n"), is_open=True),
        "/readyz": MadePage(TEXT, ready, is_open=True),
        "/openapi.json": MadePage(JSON, lambda _: description()),
    }


def has_page(shown: Mapping[str, DoorPage]) -> bool:
    """Whether the page for people is among them."""
    return isinstance(shown["/"], PageFile)
