"""docs/web.md: its requests are sent, and the answers are those it shows."""

import json
import re
from typing import Any

from tests.docs.page import DOCS, blocks, run
from tests.server.service.hosted import Hosted

PAGE = DOCS / "web.md"
# What differs from call to call, or is too long for a page.
PASSING = re.compile(r'"(elapsed|requestId|value)":"[^"]*"')


def settled(text: str) -> Any:
    return json.loads(PASSING.sub(r'"\1":""', text))


def test_each_request_has_the_answer_that_is_shown(server: Hosted) -> None:
    requests, answers = blocks(PAGE, "sh"), blocks(PAGE, "json")
    assert len(requests) == len(answers) >= 4
    for request, answer in zip(requests, answers, strict=True):
        assert settled(run(server, "bash", "-c", request)) == settled(answer)


def test_the_stream_that_is_shown_ends_with_one_final_answer(server: Hosted) -> None:
    (program,) = blocks(PAGE, "python")
    *answers, last = run(server, "python", "-c", program).splitlines()
    assert [line.split()[:2] for line in answers].count(["0", "True"]) == 1
    assert last.split()[0] == "2"
