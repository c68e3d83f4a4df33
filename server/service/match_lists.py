"""Lists of matches, page by page."""

import base64
import json

from machiavel import v1
from machiavel.server.matches.expiry import DAY
from machiavel.server.service.match_wire import listed_message
from machiavel.server.service.refusals import BadRequest
from machiavel.server.storage import AsyncStorage, Retention

__all__ = ["listed"]

USUAL, MOST = 20, 100
PHASES = {
    v1.MatchPhase.MATCH_PHASE_UNSPECIFIED: None,
    v1.MatchPhase.MATCH_PHASE_WAITING: "waiting",
    v1.MatchPhase.MATCH_PHASE_PLAYING: "playing",
    v1.MatchPhase.MATCH_PHASE_OVER: "over",
}


async def listed(
    store: AsyncStorage, account: str, request: v1.ListMatchesRequest, retention: Retention
) -> v1.ListMatchesResponse:
    """Raises BadRequest, StorageFailed."""
    size = request.page_size or USUAL
    if not 1 <= size <= MOST:
        raise BadRequest("page_size", f"is {size}; expected 1 to {MOST}")
    if request.phase not in PHASES:
        names = ", ".join(v1.MatchPhase.Name(one) for one in PHASES)
        raise BadRequest("phase", f"is {request.phase}; expected one of {names}")
    before, phase = read_page(request.page_token), PHASES[request.phase]
    headers = await store.read(lambda storage: storage.listed(account, phase, before, size + 1))
    response = v1.ListMatchesResponse(matches=[listed_message(one) for one in headers[:size]])
    for name, days in (("keep_over", retention.over), ("keep_idle", retention.idle)):
        if days:
            getattr(response, name).FromNanoseconds(round(days * DAY))
    if len(headers) > size:
        last = headers[size - 1]
        response.next_page_token = base64.urlsafe_b64encode(json.dumps([last.created, last.match]).encode()).decode()
    return response


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
