"""What GetGame and ListGames tell of a game."""

from collections.abc import Callable, Mapping, Sequence

from machiavel import engines, v1
from machiavel.engines import LANGUAGES, BadOption, Game, GameError, Rules
from machiavel.server.service import game_forms, messages, wire
from machiavel.server.service.game_schemas import game_schema
from machiavel.server.service.refusals import BadRequest, located

__all__ = ["described", "game_message", "game_message_of", "option_place"]

EVERYTHING = (v1.GamePart.GAME_PART_SCHEMA, v1.GamePart.GAME_PART_FORM, v1.GamePart.GAME_PART_RULES)
KNOWN = (*EVERYTHING, v1.GamePart.GAME_PART_TABLE)


def game_message(game: Game) -> v1.Game:
    plugin = game.plugin
    return v1.Game(
        name=game.name,
        title=wire.typeset_message(plugin.titles),
        players=game.players,
        rules_version=game.rules_version,
        cooperative=game.is_cooperative,
        options=[
            v1.GameOption(
                name=option.name,
                default_value=messages.value_of(option.default),
                expected=wire.typeset_message(option.expected),
                help=wire.typeset_message(option.help),
            )
            for option in plugin.options
        ],
    )


def game_message_of(request: v1.GetGameRequest) -> v1.GetGameResponse:
    """Raises Refusal and BadRequest."""
    with located(lambda _: "game"):
        game = engines.load(request.game)
    parts = wanted(request.parts)
    if request.answers and v1.GamePart.GAME_PART_FORM not in parts:
        raise BadRequest("answers", "are given; expected GAME_PART_FORM among the parts, or no answers")
    return described(game, rules_of(request, game), parts, request.answers)


def described(
    game: Game,
    rules: Rules | None = None,
    parts: Sequence[v1.GamePart.ValueType] = EVERYTHING,
    answers: Mapping[str, str] | None = None,
) -> v1.GetGameResponse:
    """Without rules, for as few players as can play it and the usual options; raises BadRequest for what answers nothing."""
    rules = game.make_rules(min(game.players)) if rules is None else rules
    response = v1.GetGameResponse(game=game_message(game), options=wire.options_message(rules.options, game.name))
    schema = game_schema(game, rules)
    kinds = schema.kinds.copy()
    if v1.GamePart.GAME_PART_FORM in parts:
        response.form.CopyFrom(game_forms.form_message(game, answers or {}, kinds))
    if v1.GamePart.GAME_PART_SCHEMA in parts:
        response.schema.CopyFrom(schema.message)
        response.schema.kinds.extend(schema.things_besides(kinds))
    elif v1.GamePart.GAME_PART_TABLE in parts:
        response.schema.CopyFrom(schema.table)
    if v1.GamePart.GAME_PART_RULES in parts:
        texts = game.plugin.rules_texts()
        known = [language for language in LANGUAGES if language in texts]
        response.rules.extend(v1.RulesText(language=one, markdown=texts[one]) for one in known)
    return response


def wanted(parts: Sequence[v1.GamePart.ValueType]) -> Sequence[v1.GamePart.ValueType]:
    for number, one in enumerate(parts):
        if one not in KNOWN:
            names = ", ".join(v1.GamePart.Name(known) for known in KNOWN)
            raise BadRequest(f"parts[{number}]", f"is {one}; expected one of {names}")
    return parts or EVERYTHING


def rules_of(request: v1.GetGameRequest, game: Game) -> Rules:
    options = wire.read_options(request.options, game, "options")
    players = options.pop("players") or min(game.players)
    with located(option_place(request)):
        try:
            return game.make_rules(players, **options)
        except TypeError:
            raise BadRequest("options.other", "holds a name that no option can have") from None


def option_place(request: v1.NewStateRequest | v1.CreateMatchRequest | v1.GetGameRequest) -> Callable[[GameError], str]:
    """Where a wrong option, or deck, stands in the request."""
    part = request.options.WhichOneof("game") or "other"

    def place(error: GameError) -> str:
        name = error.option if isinstance(error, BadOption) else "deck"
        return "options.players" if name == "players" else f"options.{part}.{name}"

    return place
