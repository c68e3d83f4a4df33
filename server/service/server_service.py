"""ServerService: what the server is, and what its caller may do."""

from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.duration_pb2 import Duration

from machiavel import engines, v1
from machiavel.engines import IncompatibleEngine
from machiavel.engines.plugin import LANGUAGES
from machiavel.server.matches.match import MOST_CHANGES
from machiavel.server.matches.rematches import MOST_REMATCHES
from machiavel.server.service import bot_service, match_lists, setup_requests, watchers, wire
from machiavel.server.service.call_interceptor import KIB, account, caller_of
from machiavel.server.service.config import Config
from machiavel.server.service.guests import GUEST_CALLS, GUEST_KIB, is_guest
from machiavel.server.shares import LIMITS, CallerLimits
from machiavel.v1.server_service_pb2_grpc import ServerServiceServicer

__all__ = ["ServerService"]

Context = grpc.aio.ServicerContext[Any, Any]
PACKAGE = "machiavel.v1."
HOUR, DAY = 3600, 86400  # seconds
MOST_SEATS = 8  # as the contract between games and search has it
# What came after the first release, whatever the settings.
FEATURES = ("events", "follow_view", "game_schema", "puzzles", "rematch", "server_info", "shares", "take_back", "unseen")


class ServerService(ServerServiceServicer):
    """Answers from settings and limits of callers alone; `web_port` gives the port of the web door, 0 where there is none."""

    def __init__(
        self, config: Config, services: Sequence[str], limits: CallerLimits, web_port: Callable[[], int] = lambda: 0
    ) -> None:
        self.config = config
        self.limits = limits
        self.calls = sorted(call for service in services for call in calls_of(service) if self.has(call))
        self.web_port = web_port

    def has(self, call: str) -> bool:
        """Whether it is refused to nobody for lack of a setting."""
        return bool(self.config.tournaments) or not call.startswith("TournamentService.")

    async def ServerInfo(self, request: v1.ServerInfoRequest, context: Context) -> v1.ServerInfoResponse:  # noqa: ARG002, N802
        response = v1.ServerInfoResponse(
            version=version("machiavel"),
            features=self.features(),
            limits=limits_of(self.config, is_guest.get()),
            games=playable_games(),
            caller=self.caller_info(caller_of(context)),
            languages=sorted(LANGUAGES),
            rehearsal=bool(self.config.rehearsal),
        )
        if self.web_port():
            response.web.port, response.web.tls = self.web_port(), bool(self.config.tls_certificate)
        return response

    def caller_info(self, share: str) -> v1.CallerInfo:
        name = "" if is_guest.get() else account()
        limits = {limit: most for limit in LIMITS if (most := self.limits.most(share, limit)) is not None}
        return v1.CallerInfo(name=name, guest=is_guest.get(), calls=self.allowed(), limits=limits)

    def features(self) -> list[str]:
        on = {"guests": self.config.guests, "tournaments": bool(self.config.tournaments), "web": bool(self.web_port())}
        return sorted([*FEATURES, *(name for name, is_on in on.items() if is_on)])

    def allowed(self) -> list[str]:
        """The calls that this caller may make."""
        if not is_guest.get():
            return self.calls
        return [call for call in self.calls if f"/{PACKAGE}{call.replace('.', '/')}" in GUEST_CALLS]


def calls_of(service: str) -> list[str]:
    """The methods of a service, as `MatchService.PlayMove`."""
    found = descriptor_pool.Default().FindServiceByName(service)
    return [f"{found.name}.{method.name}" for method in found.methods]


def playable_games() -> list[str]:
    result = []
    for name in engines.games():
        try:
            result.append(engines.load(name).name)
        except IncompatibleEngine:
            continue
    return sorted(result)


def limits_of(config: Config, for_guest: bool) -> v1.ServerLimits:
    largest = min(config.message_kib, GUEST_KIB) if for_guest else config.message_kib
    limits = v1.ServerLimits(
        message_bytes=largest * KIB,
        usual_time=seconds(config.seconds),
        most_time=seconds(config.seconds_most),
        tree_megabytes=config.megabytes,
        searches=config.searches,
        queue=config.queue,
        calls=min(config.calls, config.guest_calls) if for_guest else config.calls,
        seats=MOST_SEATS,
        matches=config.matches,
        watchers=watchers.MOST_OF_SEAT,
        usual_think=seconds(config.think),
        least_think=seconds(setup_requests.LEAST_THINK),
        least_move_time=seconds(setup_requests.LEAST_MOVE_TIME),
        most_move_time=seconds(setup_requests.MOST_MOVE_TIME),
        name_characters=setup_requests.LONGEST_NAME,
        page_size=match_lists.MOST,
        options_bytes=wire.MOST_OPTIONS,
        page_bytes=match_lists.LARGEST,
        match_changes=MOST_CHANGES,
        rematches=MOST_REMATCHES,
        kept_megabytes=config.kept_megabytes,
        least_interval=seconds(bot_service.LEAST_INTERVAL),
        drain=seconds(config.drain),
        keep_over=seconds(config.keep_over * DAY) if config.keep_over else None,
        keep_idle=seconds(config.keep_idle * DAY) if config.keep_idle else None,
    )
    if config.tournaments:
        limits.tournament_games, limits.tournament_queue = config.tournament_games, config.tournament_queue
        limits.tournaments_kept, limits.tournament_megabytes = config.tournament_kept, config.tournament_megabytes
        limits.tournament_time.CopyFrom(seconds(config.tournament_hours * HOUR))
    return limits


def seconds(value: float) -> Duration:
    message = Duration()
    message.FromNanoseconds(round(value * 1e9))
    return message
