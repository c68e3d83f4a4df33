"""The files of the built page, read when the server starts and sent as they were then."""

import gzip
import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from machiavel.server.web.bodies import takes_gzip
from machiavel.server.web.page_answers import NO_REFERRER, NO_SNIFFING, PageAnswer

__all__ = ["BUILT", "PageFile", "page_files"]

BUILT = Path(__file__).with_name("page")
INDEX = "index.html"
# Names there hold a hash of what is in the file, so the file behind a name never changes.
HASHED = "assets"
LASTING, CHECKED = "public, max-age=31536000, immutable", "no-cache"
LEVEL = 9
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".webp": "image/webp",
}
PACKED = {".ico", ".png", ".webp"}  # already
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
# What browsers would let a page ask for, and a card table never needs.
UNUSED = (
    "accelerometer", "autoplay", "camera", "clipboard-read", "display-capture", "encrypted-media", "geolocation", "gyroscope",
    "hid", "local-fonts", "magnetometer", "microphone", "midi", "payment", "publickey-credentials-get", "serial", "usb",
    "window-management", "xr-spatial-tracking",
)  # fmt: skip
SAFETY = {**NO_SNIFFING, **NO_REFERRER, "cross-origin-resource-policy": "same-origin"}
# For what a browser may show by itself: elsewhere they say nothing, and would be a good part of what a first visit takes.
DOCUMENTS = {".html", ".svg"}
DOCUMENT_SAFETY = {
    **SAFETY,
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": ", ".join(f"{feature}=()" for feature in UNUSED),
}
TAG = re.compile(r'(?:W/)?("[^"]*")')


@dataclass(frozen=True)
class PageFile:
    """A file of the built page. `compressed` is None where that gains nothing."""

    type: str
    content: bytes
    compressed: bytes | None
    digest: str
    lasts: bool
    safety: Mapping[str, str]
    is_open = False

    def answer(self, place: str, headers: Mapping[str, str]) -> PageAnswer:  # noqa: ARG002 - it is the same everywhere
        """`headers` of the request: what it takes, and what it has already."""
        packed = self.compressed if takes_gzip(headers, "accept-encoding") else None
        tag = f'"{self.digest}"' if packed is None else f'"{self.digest}-gzip"'
        common = {"etag": tag, "cache-control": LASTING if self.lasts else CHECKED, **self.safety}
        if self.compressed is not None:
            common["vary"] = "accept-encoding"
        if has(headers.get("if-none-match", ""), tag):
            return PageAnswer(304, common, b"")
        encoding = {} if packed is None else {"content-encoding": "gzip"}
        return PageAnswer(200, {"content-type": self.type, **encoding, **common}, self.content if packed is None else packed)


def page_files(folder: Path) -> dict[str, PageFile]:
    """The files of a built page by their paths, `/` being its index; none where it is not built.

    A path that a request names is only ever looked up here: no request reaches the disk.
    """
    if not (folder / INDEX).is_file():
        return {}
    result = {}
    for home, _, names in os.walk(folder):
        for name in sorted(names):
            path = Path(home, name)
            if path.suffix in TYPES:
                place = path.relative_to(folder)
                result["/" if place == Path(INDEX) else f"/{place.as_posix()}"] = page_file(path, place)
    return result


def page_file(path: Path, place: Path) -> PageFile:
    content = path.read_bytes()
    compressed = None if path.suffix in PACKED else packed(content)
    return PageFile(
        TYPES[path.suffix],
        content,
        compressed if compressed is not None and len(compressed) < len(content) else None,
        hashlib.sha256(content).hexdigest()[:32],
        lasts=place.parts[0] == HASHED,
        safety=DOCUMENT_SAFETY if path.suffix in DOCUMENTS else SAFETY,
    )


@cache
def packed(content: bytes) -> bytes:
    return gzip.compress(content, LEVEL, mtime=0)


def has(wanted: str, tag: str) -> bool:
    """Whether `if-none-match` names this tag."""
    return wanted.strip() == "*" or tag in TAG.findall(wanted)
