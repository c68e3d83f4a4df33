"""A server, for commands that can do without one; advice from it."""

import argparse
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from machiavel.engines import View
from machiavel.search import Candidate, HiddenPlace, Limits, Recommendation, SearchParameters, UnseenMap, UnseenThing
from machiavel.server.cli.arguments import UsageError

__all__ = ["add_server", "advice", "connected", "tls_of"]


def add_server(parser: Any, what: str, *, required: bool = False) -> None:
    parser.add_argument("--server", metavar="HOST:PORT|URL", required=required, help=f"{what}; as http://… by its web door")
    parser.add_argument(
        "--token",
        metavar="TOKEN",
        default=os.environ.get("MACHIAVEL_TOKEN"),  # where other users of the machine do not see it
        help="the token for that server, where it asks for one [MACHIAVEL_TOKEN]",
    )
    parser.add_argument("--tls", action="store_true", help="encrypt the way to that server; https://… always does")
    parser.add_argument("--tls-root", metavar="FILE", help="the same, trusting the certificates in FILE, as PEM (the system's)")


def tls_of(arguments: argparse.Namespace) -> Any:
    """What --tls and --tls-root ask for; None: no encryption."""
    from machiavel.clients import Tls  # noqa: PLC0415 - without a server there is no need of it

    root = arguments.tls_root
    try:
        return Tls(None if root is None else Path(root).read_bytes()) if arguments.tls or root is not None else None
    except OSError as error:
        raise UsageError(f"--tls-root {root}: cannot be read: {error.strerror}; expected certificates, as PEM") from None


@contextmanager
def connected(arguments: argparse.Namespace) -> Iterator[Any]:
    """A client; what fails inside is complained of as it was given on the command line."""
    from machiavel.clients import BadToken, ServiceError, connect  # noqa: PLC0415 - without a server there is no need of it

    address = arguments.server
    try:
        client = connect(address, token=arguments.token, tls=tls_of(arguments))
    except ValueError as error:
        raise UsageError(f"--server {address}: {error}") from None
    try:
        with client:
            yield client
    except BadToken as error:
        raise UsageError(f"--server {address}: {error}; --token or MACHIAVEL_TOKEN gives it one") from None
    except ServiceError as error:
        raise UsageError(f"--server {address}: {error}") from None


def advice(
    service: Any, view: View, limits: Limits, parameters: SearchParameters, moves: Sequence[str] | None, *, about: str | None
) -> tuple[Recommendation, Candidate | None, UnseenMap | None]:
    """A recommendation, the move asked about, and where unseen cards are, as this process would have made them."""
    from machiavel.server.service.wire import view_message  # noqa: PLC0415 - without a server there is no need of it

    answer = service.recommend_move(
        view_message(view),
        bot=bot_of(parameters),
        iterations=limits.iterations,
        seconds=limits.seconds,
        moves=moves or (),
        explain=True,
        what_about=about or "",
    )
    recommendation = recommendation_of(answer.recommendation)
    candidate = None if about is None else candidate_of(answer.comparison.asked)
    return recommendation, candidate, unseen_of(answer.unseen) if answer.HasField("unseen") else None


def bot_of(parameters: SearchParameters) -> str:
    if parameters.variant == "pimc":
        return f"pimc:seed={parameters.seed}"
    variant = f",variant={parameters.variant}" if parameters.variant else ""
    return f"ismcts:seed={parameters.seed}{variant}"


def recommendation_of(message: Any) -> Recommendation:
    from machiavel.v1 import StopReason  # noqa: PLC0415 - without a server there is no need of it

    # A server of a later release may have reasons that this one does not know.
    reason = message.stopped if message.stopped in StopReason.values() else StopReason.STOP_REASON_UNSPECIFIED
    parameters = {field: getattr(message.parameters, field) for field in SearchParameters.__dataclass_fields__}
    return Recommendation(
        message.game,
        message.rules_version,
        message.engine,
        message.seat,
        message.best.text,
        tuple(map(candidate_of, message.candidates)),
        message.settled,
        SearchParameters(**parameters),
        message.iterations,
        StopReason.Name(reason).removeprefix("STOP_REASON_").lower(),
    )


def unseen_of(message: Any) -> UnseenMap:
    def place_of(one: Any) -> HiddenPlace:
        seat, index = (getattr(one, name) if one.HasField(name) else None for name in ("seat", "index"))
        return HiddenPlace(one.field, seat, index, {"en": one.label.en, "fr": one.label.fr}, one.size)

    def thing_of(one: Any) -> UnseenThing:
        expected = tuple(one.expected)
        return UnseenThing(one.name, one.kind, one.count, expected, tuple(one.chance) or expected)

    return UnseenMap(
        tuple(map(place_of, message.places)),
        tuple(map(thing_of, message.things)),
        message.worlds,
        message.effective_worlds,
        message.standard_error,
        tuple(message.weighed_by),
    )


def candidate_of(message: Any) -> Candidate:
    return Candidate(
        message.move.text,
        message.visits,
        message.win_chance,
        message.win_chance_error,
        message.utility,
        message.standard_error,
        dict(message.metrics),
        tuple(message.line),
    )
