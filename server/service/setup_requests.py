"""A match as a request sets it up, checked field by field."""

from machiavel import engines, v1
from machiavel.engines import Game, Rules
from machiavel.search.bots import check_room
from machiavel.server.draws import Draw, drawn_number
from machiavel.server.matches.match_setup import Player, Seat, Settings, Setup, player_of
from machiavel.server.matches.tokens import digest_of, draw_deal, draw_secret, made_token
from machiavel.server.service import wire
from machiavel.server.service.bot_service import seconds_of
from machiavel.server.service.config import Config
from machiavel.server.service.described_games import option_place
from machiavel.server.service.refusals import BadRequest, located
from machiavel.server.service.search_queue import USUAL_BOT, checked_bot

__all__ = ["checked_name", "read_player", "read_setup"]

SEED_BITS = 63
LONGEST_NAME = 64
PlayerSource = tuple[Config, Draw]  # what bounds a bot, and what its luck is of
LEAST_THINK = 0.02  # seconds
LEAST_MOVE_TIME, MOST_MOVE_TIME = 1.0, 7 * 86400.0
KINDS = {v1.SeatKind.SEAT_KIND_PERSON: "person", v1.SeatKind.SEAT_KIND_BOT: "bot", v1.SeatKind.SEAT_KIND_OPEN: "open"}


def read_setup(request: v1.CreateMatchRequest, config: Config, call: str, draw: Draw) -> Setup:
    """The setup that a request asks for, with a deal of its own; `call` is what its tokens are made of.

    Raises Refusal or BadRequest.
    """
    rules = read_rules(request)
    if len(request.seats) != rules.players:
        raise BadRequest("seats", f"are {len(request.seats)}; expected one for each of {rules.players} players")
    settings = read_settings(request.settings)
    people = sum(one.kind != v1.SeatKind.SEAT_KIND_BOT for one in request.seats)
    if settings.practice and people != 1:
        raise BadRequest("settings.practice", f"is set, and {people} seats are no bot's; expected one, and bots in all others")
    secret = draw_secret(draw)
    game = engines.load(request.game)
    seats = tuple(read_seat(setup, f"seats[{seat}]", game, (config, draw)) for seat, setup in enumerate(request.seats))
    seats = tuple(
        Seat(one.kind, one.name, digest_of(made_token(secret, call, f"seat {seat}")).hex()) if one.kind == "person" else one
        for seat, one in enumerate(seats)
    )
    seed, salt = draw_deal(draw)
    options = dict(rules.options)
    return Setup(request.game, game.rules_version, rules.digest, options, seed, salt, secret, settings, seats, config.think)


def read_rules(request: v1.CreateMatchRequest) -> Rules:
    with located(lambda _: "game"):
        game = engines.load(request.game)
    options = wire.read_options(request.options, game, "options")
    players = options.pop("players") or len(request.seats)
    with located(option_place(request)):
        try:
            return game.make_rules(players, **options)
        except TypeError:
            raise BadRequest("options.other", "holds a name that no option can have") from None


def read_settings(message: v1.MatchSettings) -> Settings:
    move_time = None
    if message.HasField("move_time"):
        move_time = seconds_of(message.move_time, "settings.move_time")
        if not LEAST_MOVE_TIME <= move_time <= MOST_MOVE_TIME:
            raise BadRequest("settings.move_time", f"is {move_time:g} s; expected {LEAST_MOVE_TIME:g} to {MOST_MOVE_TIME:g}")
    return Settings(message.hints, message.spectators, message.open_record, move_time, message.rematch, message.practice)


def read_seat(setup: v1.SeatSetup, path: str, game: Game, source: PlayerSource) -> Seat:
    kind = KINDS.get(setup.kind)
    if kind is None:
        names = ", ".join(v1.SeatKind.Name(one) for one in KINDS)
        given = f"is {setup.kind}" if setup.kind else "is missing"
        raise BadRequest(f"{path}.kind", f"{given}; expected one of {names}")
    name = checked_name(setup.name, f"{path}.name")
    if kind == "bot":
        return Seat(kind, name, player=read_player(setup, path, game, source))
    for field, is_given in (("bot", bool(setup.bot)), ("think", setup.HasField("think"))):
        if is_given:
            raise BadRequest(f"{path}.{field}", f"is set; expected it of a bot's seat alone, and this one is {setup.kind}")
    return Seat(kind, name)


def checked_name(name: str, path: str) -> str:
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise BadRequest(path, f"is no name; expected at most {LONGEST_NAME} characters that can be printed")
    return name


def read_player(setup: v1.SeatSetup | v1.TakeOverSeatRequest, path: str, game: Game, source: PlayerSource) -> Player:
    """Raises Refusal for a bot that cannot be, BadRequest for a time."""
    config, draw = source
    prefix = f"{path}." if path else ""
    text = setup.bot or USUAL_BOT
    with located(lambda _: f"{prefix}bot"):
        check_room(checked_bot(text, config), game)
    seconds = config.think
    if setup.HasField("think"):
        seconds = seconds_of(setup.think, f"{prefix}think")
        if not LEAST_THINK <= seconds <= config.seconds_most:
            raise BadRequest(f"{prefix}think", f"is {seconds:g} s; expected {LEAST_THINK:g} to {config.seconds_most:g}")
    return player_of(text, drawn_number(draw, SEED_BITS), seconds)
