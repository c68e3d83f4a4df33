"""The built page at the door: its headers, what is kept and what is asked for again, and that nothing else is ever sent."""

import gzip
import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from machiavel.server.web.page_files import BUILT, page_files
from machiavel.server.web.pages import pages
from tests.server.service.hosted import hosted
from tests.server.web.http_calls import Place, Wire, ask, at, reason_of

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
SCRIPT = b"console.log('the table');\n" * 200
INDEX = b'<!doctype html>\n<script type="module" src="./assets/index-AbC_123.js"></script>\n' + b"<p></p>\n" * 50
PICTURE = b"RIFF....WEBPVP8 " * 100
LASTS, CHECKED = "public, max-age=31536000, immutable", "no-cache"
SENT = {
    "/": ("text/html; charset=utf-8", INDEX, CHECKED),
    "/icon.svg": ("image/svg+xml; charset=utf-8", b"<svg/>", CHECKED),
    "/assets/index-AbC_123.js": ("text/javascript; charset=utf-8", SCRIPT, LASTS),
    "/assets/index-x.css": ("text/css; charset=utf-8", b"p{color:red}" * 99, LASTS),
    "/assets/felt-y.webp": ("image/webp", PICTURE, LASTS),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page as it is built, in a folder with something beside it that nobody may have."""
    folder = tmp_path_factory.mktemp("served") / "page"
    for path, (_, content, _) in SENT.items():
        file = folder / ("index.html" if path == "/" else path[1:])
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    (folder / "assets" / "notes.orig").write_text("secret")
    (folder / ".hidden").write_text("secret")
    (folder.parent / "secret.txt").write_text("secret")
    return folder


@pytest.fixture(scope="module")
def place(built: Path) -> Iterator[Place]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("machiavel.server.web.door.pages", partial(pages, built=built))
        with hosted(web="127.0.0.1:0") as server:
            assert server.server.page_address == f"{server.server.web_address}/"
            yield at(server)


@pytest.mark.parametrize("path", SENT)
def test_a_file_comes_with_its_type_and_all_that_keeps_it_safe(place: Place, path: str) -> None:
    kind, content, kept = SENT[path]
    answer = ask(place, "GET", path)

    assert (answer.status, answer.body) == (200, content)
    assert answer.headers["content-type"] == kind
    assert answer.headers["cache-control"] == kept
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize("path", SENT)
def test_what_a_browser_may_show_by_itself_comes_with_a_policy_and_nothing_else_does(place: Place, path: str) -> None:
    answer = ask(place, "GET", path)

    if not re.match("text/html|image/svg", SENT[path][0]):
        assert not {"content-security-policy", "cross-origin-opener-policy", "permissions-policy"} & set(answer.headers)
        return
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    features = answer.headers["permissions-policy"].split(", ")
    assert {"camera=()", "geolocation=()", "microphone=()", "payment=()"} <= set(features)
    assert all(feature.endswith("=()") for feature in features)


@pytest.mark.parametrize("path", SENT)
def test_a_file_is_compressed_for_whom_it_makes_smaller_and_who_takes_it(place: Place, path: str) -> None:
    plain = ask(place, "GET", path)
    packed = ask(place, "GET", path, headers={"accept-encoding": "br, gzip;q=0.8"})
    declined = ask(place, "GET", path, headers={"accept-encoding": "gzip;q=0, identity"})

    assert declined.body == plain.body
    if path in {"/icon.svg", "/assets/felt-y.webp"}:
        assert (packed.headers, packed.body) == ({**plain.headers, "date": packed.headers["date"]}, plain.body)
        assert "vary" not in packed.headers
        return
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert int(packed.headers["content-length"]) == len(packed.body) < len(plain.body)
    assert packed.headers["etag"] != plain.headers["etag"]
    assert plain.headers["vary"] == packed.headers["vary"] == "accept-encoding"


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
@pytest.mark.parametrize("asked", ["{}", "W/{}", '"other", {}', '"a,b" , W/{} ', "*"])
def test_who_has_a_file_already_is_not_sent_it_again(place: Place, encoding: str, asked: str) -> None:
    first = ask(place, "GET", "/", headers={"accept-encoding": encoding})
    headers = {"accept-encoding": encoding, "if-none-match": asked.format(first.headers["etag"])}
    again = ask(place, "GET", "/", headers=headers)

    assert (again.status, again.body) == (304, b"")
    assert "content-length" not in again.headers
    for name in ("etag", "cache-control", "vary", "content-security-policy"):
        assert again.headers[name] == first.headers[name]


@pytest.mark.parametrize("other", ['"other"', 'W/"other"', '"{}-gzip"', "[]"])
def test_who_has_another_one_is_sent_it(place: Place, other: str) -> None:
    tag = ask(place, "GET", "/").headers["etag"]
    answer = ask(place, "GET", "/", headers={"if-none-match": other.format(tag.strip('"'))})

    assert (answer.status, answer.body) == (200, INDEX)


def test_a_connection_goes_on_after_each_kind_of_answer(place: Place) -> None:
    tag = ask(place, "GET", "/").headers["etag"]
    with Wire(place) as wire:
        for request, status, length in (
            (f"GET / HTTP/1.1\r\nif-none-match: {tag}", 304, None),
            ("HEAD /assets/index-AbC_123.js HTTP/1.1", 200, len(SCRIPT)),
            ("GET /nowhere HTTP/1.1", 404, -1),
            ("GET /icon.svg HTTP/1.1", 200, 6),
        ):
            wire.socket.sendall(f"{request}\r\nhost: localhost\r\n\r\n".encode())
            answer = wire.head()
            assert answer.status == status
            if length is None:
                assert "content-length" not in answer.headers
            else:
                assert length in {-1, int(answer.headers["content-length"])}
            if not request.startswith("HEAD") and status != 304:
                wire.rest(answer)


@pytest.mark.parametrize("path", SENT)
def test_head_tells_the_same_without_the_file(place: Place, path: str) -> None:
    for encoding in ("identity", "gzip"):
        headers = {"accept-encoding": encoding}
        get, head = (ask(place, verb, path, headers=headers) for verb in ("GET", "HEAD"))
        assert (head.status, head.body) == (200, b"")
        assert {**head.headers, "date": ""} == {**get.headers, "date": ""}


@pytest.mark.parametrize("verb", ["POST", "PUT", "DELETE"])
@pytest.mark.parametrize("path", ["/", "/icon.svg"])
def test_a_file_is_only_read(place: Place, verb: str, path: str) -> None:
    answer = ask(place, verb, path, b"{}", {"content-type": "application/json"})

    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    "path",
    [
        "/secret.txt",
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/%2e%2e/icon.svg",
        "/assets/../icon.svg",
        "//icon.svg",
        "/./icon.svg",
        "/icon%2esvg",
        "/icon.svg/",
        "/icon.svg%00",
        "/ICON.SVG",
        "/assets",
        "/assets/",
        "/assets/notes.orig",
        "/.hidden",
        "/index.html",
        "/nowhere",
        "/page/index.html",
        "\\icon.svg",
    ],
)
def test_what_is_no_file_of_the_page_is_answered_in_words(place: Place, path: str) -> None:
    with Wire(place) as wire:
        wire.socket.sendall(f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
        answer = wire.answer()

    assert answer.status == (400 if path.startswith("\\") else 404)
    assert b"secret" not in answer.body
    if answer.status == 404:
        assert "has nothing; expected /, /healthz, /readyz, /openapi.json, or POST" in answer.json["message"]


def test_files_are_sent_as_they_were_when_the_server_started(built: Path, place: Place) -> None:
    late, icon = built / "assets" / "late.js", built / "icon.svg"
    late.write_text("late")
    icon.write_text("<svg>other</svg>")
    try:
        assert ask(place, "GET", "/assets/late.js").status == 404
        assert ask(place, "GET", "/icon.svg").body == b"<svg/>"
    finally:
        late.unlink()
        icon.write_bytes(b"<svg/>")


def test_a_file_is_sent_under_the_doors_own_names_and_to_its_own_pages_alone(place: Place) -> None:
    for path in SENT:
        strange = ask(place, "GET", path, headers={"host": "evil.example"})
        assert (strange.status, reason_of(strange.json)) == (403, "FOREIGN_HOST")
        foreign = ask(place, "GET", path, headers={"origin": "https://evil.example"})
        assert (foreign.status, reason_of(foreign.json)) == (403, "FOREIGN_ORIGIN")
    own = f"127.0.0.1:{place[1]}"
    answer = ask(place, "GET", "/", headers={"origin": f"http://{own}", "host": own})
    assert (answer.status, answer.headers["vary"]) == (200, "accept-encoding, origin")


def test_probes_and_the_description_stay_what_they_are_whatever_the_page_holds(tmp_path: Path) -> None:
    for name in ("index.html", "readyz.txt", "openapi.json", "healthz"):
        (tmp_path / name).write_text("of the page")
    shown = pages(lambda: True, ["/machiavel.v1.GameService/ListGames"], built=tmp_path)

    assert b"of the page" in shown["/"].answer("", {}).content
    assert shown["/readyz"].answer("", {}).content == b"ready\n"
    assert shown["/healthz"].answer("", {}).content == b"alive\n"
    assert "paths" in json.loads(shown["/openapi.json"].answer("", {}).content)


@pytest.fixture
def warned(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[[Path], tuple[bytes, list[str]]]:
    """What a server with the page of that folder shows first, and says in its log."""

    def start(built: Path) -> tuple[bytes, list[str]]:
        monkeypatch.setattr("machiavel.server.web.door.pages", partial(pages, built=built))
        with hosted(web="127.0.0.1:0", log_level="warning") as server:
            front = ask(at(server), "GET", "/")
            assert (server.server.page_address is None) == (not list(built.iterdir()))
        assert front.status == 200
        return front.body, [line for line in capfd.readouterr().err.splitlines() if "page_missing" in line]

    return start


def test_a_server_without_its_page_says_how_to_build_it(
    warned: Callable[[Path], tuple[bytes, list[str]]], tmp_path: Path
) -> None:
    body, lines = warned(tmp_path)

    assert b"<code>make install</code> in a checkout builds it" in body
    assert b"/machiavel.v1.GameService/ListGames" in body
    assert b"/openapi.json" in body
    (line,) = lines
    assert json.loads(line)["problem"] == (
        "this server was built without its page for browsers; `make install` in a checkout builds it"
    )


def test_a_server_with_its_page_has_nothing_to_say(warned: Callable[[Path], tuple[bytes, list[str]]], built: Path) -> None:
    assert warned(built) == (INDEX, [])


def test_the_page_of_this_checkout_is_served_whole_and_keeps_to_its_policy() -> None:
    """What `make` built: every file of it, and an index that asks for nothing else."""
    files = page_files(BUILT)
    index = files["/"].content.decode()
    named = re.findall(r'(?:src|href)="([^"]*)"', index)

    assert len(files) == len([path for path in BUILT.rglob("*") if path.is_file()])
    assert {name.removeprefix(".") for name in named} <= set(files)
    assert any(name.endswith(".js") for name in named)
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=", index)
    for path, file in files.items():
        assert file.lasts == path.startswith("/assets/")
        assert file.lasts == bool(re.search(r"-[\w-]{8}\.\w+$", path))
        assert b"sourceMappingURL" not in file.content
        assert b"data:image" not in file.content
