"""Questions for any game: its options and the fields of a view one by one, as words in a row or as JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from machiavel.engines import Game, GameError, Option, Rules
from machiavel.engines.errors import Problem
from machiavel.engines.fields import Flag, PerSeat, Place
from machiavel.engines.phrases import Wording
from machiavel.engines.views import Field, ViewSchema
from machiavel.server.forms.answer_shapes import SEAT, AnswerShape, shape_of_type, shaped
from machiavel.server.forms.field_entries import as_entry, is_of_one_seat, read_entry
from machiavel.server.forms.steps import PHRASES, Answers, Form, FormStep, Read, Wrong, as_json, listed, players_step, yes

__all__ = ["any_form"]

COUNTS = "_counts"  # ends the name of the field that says how many are in another
TO_MOVE = "to_move"
PLY = "ply"
ASKED_ALIKE = {"seat", PLY, TO_MOVE}  # in all games


def any_form(game: Game) -> Form:
    schema = game.plugin.views
    return undeclared_form(game) if schema is None else FieldForm(game, schema).form()


def key_of(name: str) -> str:
    return f"field:{name}"


class FieldForm:
    """The questions of a game that declares its views.

    Only what somebody at a real table can say is asked: what must be told, and what a table draws. A field that usually is
    something, and that no table draws, is left out; so is what the rest tells, unless somebody says it.
    """

    def __init__(self, game: Game, schema: ViewSchema) -> None:
        self.game = game
        self.phrases = game.plugin.phrases()
        self.options = [one for one in game.plugin.options if not one.is_by_seat]
        self.fields = [one for one in schema.shown if is_asked(one)]
        self.asks_ply = any(one.name == PLY for one in self.fields)
        if not self.asks_ply:  # who is to play at the beginning of a match is known once all else is told
            self.fields.sort(key=lambda one: one.name == TO_MOVE)
        self.owned = {one.name for one in self.fields if is_of_one_seat(one)}
        self.fresh_views: dict[str, Mapping[str, Any]] = {}

    def form(self) -> Form:
        steps = [self.players_step(), *map(self.option_step, self.options), *map(self.field_step, self.fields)]
        return Form(self.game, steps, self.given_options, self.view, {one.name: key_of(one.name) for one in self.fields})

    def players_step(self) -> FormStep:
        return replace(players_step(self.game), help=PHRASES.wording("form.seats.help").texts)

    # ---- Options ----

    def option_step(self, option: Option) -> FormStep:
        usual = "" if option.default is None else json.dumps(option.default)
        parts = {"help": Wording(option.help), "expected": Wording(option.expected)}
        is_flag = isinstance(option.default, bool)
        question = (
            PHRASES.wording("form.flag.question", name=parts["help"])
            if is_flag
            else PHRASES.wording("form.option.question", **parts)
        )
        help_text = PHRASES.wording("form.option.help", **parts)
        read = yes if is_flag else self.option_reader(option)
        entry = ("yes" if option.default else "no") if is_flag else usual
        return FormStep(
            f"option:{option.name}", question.texts, help_text.texts, read, usual=lambda _: entry, is_yes_or_no=is_flag
        )

    def option_reader(self, option: Option) -> Read:
        def read(answers: Answers, entry: str) -> Any:
            if not entry:
                return None
            try:
                value = as_json(answers, entry)
            except Wrong:
                value = entry
            try:
                self.game.make_rules(answers["players"], **{option.name: value})
            except GameError as error:
                raise Wrong(error.message("en"), error.message("fr")) from None
            return value

        return read

    def given_options(self, answers: Answers) -> dict[str, Any]:
        given = {one.name: answers.get(f"option:{one.name}") for one in self.options}
        return {"players": answers["players"]} | {name: value for name, value in given.items() if value is not None}

    # ---- Fields ----

    def field_step(self, one: Field) -> FormStep:
        meaning, label = self.text(one, "meaning"), self.text(one, "label")
        is_flag = isinstance(one.type.shape(), Flag)
        kind = "own" if is_of_one_seat(one) else "flag" if is_flag else "field"
        kind = one.name if one.name in ASKED_ALIKE else kind
        question = PHRASES.wording(f"form.{kind}.question", name=label, meaning=in_short(meaning))
        help_text = PHRASES.wording(f"form.{kind}.help", name=one.name, meaning=meaning)
        return FormStep(
            key_of(one.name),
            question.texts,
            help_text.texts,
            shaped(self.field_reader(one), self.shape(one)),
            is_needed=lambda answers: one.name != TO_MOVE or len(self.fresh(answers)[TO_MOVE]) > 1,
            usual=lambda answers: self.usual_entry(one, answers),
            is_yes_or_no=is_flag,
        )

    def shape(self, one: Field) -> AnswerShape:
        """What is typed; its bounds are those of the game as it usually is."""
        if one.name == "seat":  # who types a view in sits somewhere
            return SEAT
        kind = one.type.of if is_of_one_seat(one) and isinstance(one.type, PerSeat) else one.type
        return shape_of_type(kind, self.game.make_rules(min(self.game.players)))

    def text(self, one: Field, what: str) -> Wording | str:
        key = f"fields.{one.name}.{what}"
        return self.phrases.wording(key) if key in self.phrases else one.name.replace("_", " ").capitalize()

    def rules(self, answers: Answers) -> Rules:
        options = self.given_options(answers)
        return self.game.make_rules(options.pop("players"), **options)

    def fresh(self, answers: Answers) -> Mapping[str, Any]:
        """A view of a match that has just begun."""
        options = self.given_options(answers)
        seat = answers.get(key_of("seat")) or 0
        key = json.dumps([options, seat], sort_keys=True)
        if key not in self.fresh_views:
            state = self.game.deal(self.rules(answers), seed=0)
            self.fresh_views[key] = state.view(seat).to_json()["view"]
        return self.fresh_views[key]

    def usual_entry(self, one: Field, answers: Answers) -> str | None:
        """What Enter stands for: what one was dealt has to be told, what the rest tells may be left out."""
        value = self.fresh(answers)[one.name]
        if one.name == TO_MOVE:
            return as_entry(value) if self.is_at_the_beginning(answers) else None
        if one.name.endswith(COUNTS) and one.name.removesuffix(COUNTS) in self.owned:
            return as_entry(self.usual_counts(one, value, answers))
        if one.left_out.kind in {"follows", "forgotten"}:
            return ""
        if is_of_one_seat(one):
            own = value[answers.get(key_of("seat")) or 0]
            return None if own else as_entry(own)
        return None if one.own else as_entry(value)

    def is_at_the_beginning(self, answers: Answers) -> bool:
        """Whether nothing seems to have happened in the match."""
        if self.asks_ply:
            return not answers.get(key_of(PLY))
        fresh = self.fresh(answers)
        told = {one.name: answers.get(key_of(one.name)) for one in self.fields if one.left_out.kind != "usual"}
        known = {name: value for name, value in told.items() if value is not None and name not in self.owned | ASKED_ALIKE}
        return all(value == fresh[name] for name, value in known.items())

    def usual_counts(self, one: Field, fresh: Sequence[int], answers: Answers) -> list[int]:
        """How many each seat has, if all have got rid of as many as oneself since the beginning of the match."""
        seat = answers.get(key_of("seat")) or 0
        told = answers.get(key_of(one.name.removesuffix(COUNTS)))
        if told is None:  # it was left out, since it usually is what it is at the beginning
            return list(fresh)
        own = told[seat]
        gone = fresh[seat] - (len(own) if isinstance(own, list) else own is not None)
        return [max(0, count - gone) for count in fresh]

    def field_reader(self, one: Field) -> Read:
        def read(answers: Answers, entry: str) -> Any:
            if not entry and one.left_out.kind in {"follows", "forgotten"}:
                return None
            rules = self.rules(answers)
            value = read_entry(one, rules, answers.get(key_of("seat")), entry)
            problems: list[Problem] = []
            Place(rules, one.name, problems).whole(one.type, value)
            if problems:
                raise Wrong(PHRASES.wording("problem", name=self.text(one, "label"), problem=problems[0].problem))
            return value

        return read

    def view(self, answers: Answers) -> dict[str, Any]:
        values = {one.name: answers.get(key_of(one.name)) for one in self.fields}
        left_out = {one.name for one in self.fields if one.left_out.kind in {"follows", "forgotten"}}
        return {name: value for name, value in values.items() if value is not None or name not in left_out}


def in_short(meaning: Wording | str) -> Wording | str:
    """What comes before the first semicolon."""
    if not isinstance(meaning, Wording):
        return meaning
    return Wording({language: text.partition(";")[0].strip() for language, text in meaning.texts.items()})


def is_asked(one: Field) -> bool:
    """Whose turn it is, too: in games that ask several at once nothing else tells who has answered."""
    return one.name == TO_MOVE or one.left_out.kind in {"never", "spectators"} or bool(one.zone)


# ---- Games that write their views by hand ----


def undeclared_form(game: Game) -> Form:
    """Each field of a view, named as in its JSON."""
    fresh: dict[str, Any] = game.new(min(game.players), seed=0).view(0).to_json()["view"]

    def usual(name: str) -> Any:
        def of(answers: Answers) -> str:
            return json.dumps(game.new(answers["players"], seed=0).view(0).to_json()["view"][name])

        return of

    steps = [
        FormStep(
            key_of(name),
            PHRASES.wording("form.any.question", name=name).texts,
            PHRASES.wording("form.any.help", name=name).texts,
            as_value(fresh[name]),
            usual=usual(name),
        )
        for name in fresh
    ]
    return Form(
        game,
        [players_step(game), *steps],
        lambda answers: {"players": answers["players"]},
        lambda answers: {name: answers[key_of(name)] for name in fresh},
        {name: key_of(name) for name in fresh},
    )


def as_value(usual: Any) -> Read:
    """JSON; where the field is a list or a text, words will do as well, such as `C2 HT`."""

    def read(answers: Answers, entry: str) -> Any:
        try:
            return as_json(answers, entry)
        except Wrong:
            if isinstance(usual, list) and "[" not in entry:
                return [int(word) if word.isascii() and word.isdigit() else word for word in listed(entry)]
            if isinstance(usual, str) and '"' not in entry:
                return entry
            raise

    return read
