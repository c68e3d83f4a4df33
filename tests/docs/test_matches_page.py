"""The programs of the page on hosted matches run as they stand."""

import pytest

from tests.docs.page import DOCS, blocks
from tests.server.service.hosted import hosted

PAGE = DOCS / "matches.md"


def test_the_programs_run(capsys: pytest.CaptureFixture[str]) -> None:
    with hosted(think=0.02) as server:
        for code in blocks(PAGE, "python"):
            exec(compile(code.replace("127.0.0.1:7788", server.address), str(PAGE), "exec"), {})  # noqa: S102 - our own page
    undone, rematch, first = capsys.readouterr().out.splitlines()
    assert undone.startswith("True ") and int(undone.split()[1]) >= 3
    assert rematch == "1 True"
    assert first.startswith("[")
