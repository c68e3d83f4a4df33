"""Lists of matches, page by page."""

import base64
import json
from collections.abc import Sequence

from machiavel import v1
from machiavel.server.matches.expiry import DAY
from machiavel.server.service.match_wire import listed_message
from machiavel.server.service.refusals import BadRequest
from machiavel.server.storage import Header, Retention, Storage

__all__ = ["LARGEST", "MOST", "MatchPage"]

USUAL, MOST = 20, 100
LARGEST = 256 * 1024  # bytes of a page, unless its first match has more
ROOM = 256  # of these for the token of the next page
FRAME = 4  # bytes beside each match
PHASES = {
    v1.MatchPhase.MATCH_PHASE_UNSPECIFIED: None,
    v1.MatchPhase.MATCH_PHASE_WAITING: "waiting",
    v1.MatchPhase.MATCH_PHASE_PLAYING: "playing",
    v1.MatchPhase.MATCH_PHASE_OVER: "over",
}


class MatchPage:
    """A page that was asked for."""

    def __init__(self, request: v1.ListMatchesRequest | v1.ListHostedMatchesRequest, retention: Retention) -> None:
        """Raises BadRequest."""
        self.retention = retention
        self.size = request.page_size or USUAL
        if not 1 <= self.size <= MOST:
            raise BadRequest("page_size", f"is {self.size}; expected 1 to {MOST}")
        if request.phase not in PHASES:
            names = ", ".join(v1.MatchPhase.Name(one) for one in PHASES)
            raise BadRequest("phase", f"is {request.phase}; expected one of {names}")
        self.phase = PHASES[request.phase]
        self.before = read_page(request.page_token)

    def headers(self, account: str | None, storage: Storage) -> list[Header]:
        """One more than the page may have, if there are so many; None: of all accounts. Raises StorageFailed."""
        return storage.listed(account, self.phase, self.before, self.size + 1)

    def message(self, headers: Sequence[Header]) -> v1.ListMatchesResponse:
        """As many as there is room for, and where the next page begins."""
        response = v1.ListMatchesResponse()
        for name, days in (("keep_over", self.retention.over), ("keep_idle", self.retention.idle)):
            if days:
                getattr(response, name).FromNanoseconds(round(days * DAY))
        size = ROOM + response.ByteSize()
        for last, header in zip([None, *headers], headers[: self.size], strict=False):
            one = listed_message(header)
            size += FRAME + one.ByteSize()
            if last is not None and size > LARGEST:
                response.next_page_token = page_token(last)
                return response
            response.matches.append(one)
        if len(headers) > self.size:
            response.next_page_token = page_token(headers[self.size - 1])
        return response


def page_token(last: Header) -> str:
    return base64.urlsafe_b64encode(json.dumps([last.created, last.match]).encode()).decode()


def read_page(token: str) -> tuple[int, str] | None:
    if not token:
        return None
    try:
        created, match = json.loads(base64.b64decode(token, altchars=b"-_", validate=True))
    except (ValueError, TypeError, RecursionError):
        created, match = None, None
    if type(created) is not int or not isinstance(match, str) or not 0 <= created < 1 << 63:
        raise BadRequest("page_token", "is no page; expected next_page_token of the page before, or nothing")
    return created, match
