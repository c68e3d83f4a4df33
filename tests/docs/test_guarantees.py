"""Each promise of docs/guarantees.md has tests that try to break it, and those exist."""

import re

from tests.packaging.project import ROOT

PAGE = (ROOT / "docs/guarantees.md").read_text(encoding="utf-8")
PROMISE = re.compile(r"^\*\*(.+?)\*\*", re.MULTILINE)
NAMED = re.compile(r"^- `(tests/[\w/]+\.py)(?:::(test_\w+))?`$", re.MULTILINE)


def test_every_promise_names_a_test() -> None:
    promises = PAGE.partition("## Hosted matches")[2].partition("## What is not promised")[0]
    starts = [found.start() for found in PROMISE.finditer(promises)]
    parts = [promises[start:end] for start, end in zip(starts, [*starts[1:], len(promises)], strict=True)]
    assert len(parts) >= 20
    assert not [part.splitlines()[0] for part in parts if not NAMED.search(part)]


def test_every_test_that_is_named_exists() -> None:
    missing = []
    for file, name in NAMED.findall(PAGE):
        path = ROOT / file
        if not path.exists() or (name and not re.search(rf"^def {name}\(", path.read_text(encoding="utf-8"), re.MULTILINE)):
            missing.append(f"{file}::{name}")
    assert not missing
