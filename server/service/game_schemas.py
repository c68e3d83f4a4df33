"""What a game consists of, as messages: from its schema and its words, for frontends that know no rules."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from machiavel import v1
from machiavel.engines import LANGUAGES, Engine, Game, Rules
from machiavel.engines.fields import BAD, Kind, RecordOf
from machiavel.engines.kit.game_fields import KIT_PHRASES
from machiavel.engines.looks import suit_looks
from machiavel.engines.moves import MoveSchema
from machiavel.engines.phrases import Phrases
from machiavel.engines.views import Field, usual_value
from machiavel.server.service.messages import value_of
from machiavel.server.service.type_messages import Cell, ThingKinds, cells_of, type_message
from machiavel.server.service.wire import part, text_message

__all__ = ["SUIT_WORDS", "SchemaMessage", "field_label", "game_schema", "phrases_of"]

LEFT_OUT = {
    "never": v1.LeftOut.LEFT_OUT_NEVER,
    "spectators": v1.LeftOut.LEFT_OUT_BY_SPECTATORS,
    "follows": v1.LeftOut.LEFT_OUT_FOLLOWS,
    "forgotten": v1.LeftOut.LEFT_OUT_FORGOTTEN,
    "usual": v1.LeftOut.LEFT_OUT_USUAL,
}
SIGHTS = {
    "all": v1.FieldSight.FIELD_SIGHT_ALL,
    "owner": v1.FieldSight.FIELD_SIGHT_OWNERS,
    "nobody": v1.FieldSight.FIELD_SIGHT_NOBODY,
}
LOOKS = {
    "": v1.ThingLook.THING_LOOK_UNSPECIFIED,
    "card": v1.ThingLook.THING_LOOK_CARD,
    "die": v1.ThingLook.THING_LOOK_DIE,
    "place": v1.ThingLook.THING_LOOK_PLACE,
    "link": v1.ThingLook.THING_LOOK_LINK,
    "token": v1.ThingLook.THING_LOOK_TOKEN,
}
ESCAPED = re.compile(r"\\(.)")
SUIT_WORDS = ("suits", "colours")


def game_schema(game: Game, rules: Rules) -> "SchemaMessage":
    """Made once for rules that are in use."""
    known: SchemaMessage | None = rules.made.get(SchemaMessage)
    if known is None:
        known = rules.made[SchemaMessage] = SchemaMessage(game, rules)
    return known


def table_of(schema: v1.GameSchema) -> v1.GameSchema:
    """What a table is drawn from: views, things and moves, without what documents them."""
    result = v1.GameSchema(declared=schema.declared, view=schema.view, kinds=schema.kinds, moves=schema.moves)
    for field in result.view:
        field.ClearField("meaning")
        field.ClearField("left_out_words")
    return result


def field_label(plugin: Engine, name: str) -> v1.LocalizedText:
    """What a table calls a field of a view; its name where the game has no word for it."""
    found = words_of(phrases_of(plugin), f"fields.{name}.label")
    plain = name.replace("_", " ").capitalize()
    return v1.LocalizedText(en=plain, fr=plain) if found is None else found


class SchemaMessage:
    """The message of one game under one set of rules, as it is filled."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self.game, self.rules, self.plugin = game, rules, game.plugin
        self.phrases = phrases_of(game.plugin)
        self.kinds = ThingKinds(rules)
        self.fresh: Mapping[str, Any] = game.deal(rules, seed=0).view(0).to_json()["view"]
        self.message = self.made()
        self.table = table_of(self.message)

    def things_besides(self, kinds: ThingKinds) -> list[v1.ThingKind]:
        """Kinds that the message does not have."""
        known = {one.name for one in self.message.kinds}
        return [one for one in self.thing_kinds(kinds) if one.name not in known]

    def made(self) -> v1.GameSchema:
        schema, layouts = self.plugin.views, self.plugin.layouts
        result = v1.GameSchema(declared=schema is not None)
        if schema is None:
            result.view.extend(v1.SchemaField(name=name, type=type_message(None, self.kinds)) for name in self.fresh)
        else:
            cells = self.cells(v1.View, "seen")
            result.view.extend(self.view_field(one, cells.get(one.name)) for one in schema.fields)
        if layouts is not None:
            result.layout.extend(self.layout_fields(layouts.record))
        result.options.extend(self.option_fields())
        moves = getattr(self.plugin, "moves", None)
        if isinstance(moves, MoveSchema):
            result.moves.extend(self.move_shapes(moves))
        result.events.extend(self.event_shapes())
        result.metrics.extend(self.metric_shapes())
        result.kinds.extend(self.thing_kinds(self.kinds))
        return result

    def cells(self, envelope: Any, oneof: str) -> dict[str, Cell]:
        """The places of the game's own message; none where it has a Struct."""
        name = part(envelope(), oneof, self.game.name)
        return {} if name == "other" else cells_of(envelope.DESCRIPTOR.fields_by_name[name].message_type)

    # ---- Fields ----

    def view_field(self, one: Field, cell: Cell | None) -> v1.SchemaField:
        key = f"fields.{one.name}"
        shape = type_message(one.type, self.kinds, cell)
        result = v1.SchemaField(name=one.name, type=shape, zone=one.zone, counts=one.counts, by_seat=one.is_by_seat)
        result.shown_while = one.shown_while
        for part_name, target in (("label", result.label), ("meaning", result.meaning), ("left_out", result.left_out_words)):
            self.put_words(target, f"{key}.{part_name}")
        if one.zone and not result.HasField("label"):
            result.label.CopyFrom(field_label(self.plugin, one.name))
        result.type.nullable = result.type.nullable or one.own
        self.put_names(result, key)
        self.put_words_inside(result.type)
        result.sight, result.seen_by = self.sight(one)
        result.left_out = LEFT_OUT[one.left_out.kind]
        if one.left_out.kind == "usual":
            usual = usual_value(one, self.rules)
            if usual is BAD:
                result.left_out = v1.LeftOut.LEFT_OUT_NEVER
            else:
                result.usual.CopyFrom(value_of(usual))
        return result

    def put_names(self, target: v1.SchemaField, key: str) -> None:
        """The words for values of a field."""
        names = {language: self.under(f"{key}.names", language) for language in LANGUAGES}
        for value, text in names[LANGUAGES[0]].items():
            texts = {language: names[language].get(value, text) for language in LANGUAGES}
            target.names.append(v1.NamedValue(value=value_of(named(value, target.type.kind)), name=text_message(texts)))
            self.put_words(target.names[-1].asks, f"{key}.asks.{value}")

    def put_words_inside(self, shape: v1.ValueType) -> None:
        """The words for fields of records, which have the same ones wherever they stand."""
        for one in shape.inside:
            self.put_words_inside(one)
        for field in shape.fields:
            self.put_words(field.label, f"inside.{field.name}.label")
            self.put_names(field, f"inside.{field.name}")
            self.put_words_inside(field.type)

    def sight(self, one: Field) -> tuple[v1.FieldSight.ValueType, str]:
        if one.told_only:
            return v1.FieldSight.FIELD_SIGHT_TOLD_ONLY, ""
        if one.own:
            return v1.FieldSight.FIELD_SIGHT_SEAT, ""
        declared = getattr(getattr(self.plugin, "fields", None), "declared", {}).get(one.name)
        seen_by = "all" if declared is None else declared.seen_by
        return (SIGHTS[seen_by], "") if seen_by in SIGHTS else (v1.FieldSight.FIELD_SIGHT_SOME, seen_by)

    def layout_fields(self, record: RecordOf) -> Iterator[v1.SchemaField]:
        cells = self.cells(v1.Layout, "game")
        for name, kind in record.fields.items():
            shape = type_message(kind, self.kinds, cells.get(name))
            yield v1.SchemaField(name=name, type=shape, left_out=v1.LeftOut.LEFT_OUT_FOLLOWS)

    def option_fields(self) -> Iterator[v1.SchemaField]:
        cells = self.cells(v1.Options, "game")
        for option in self.plugin.options:
            result = v1.SchemaField(
                name=option.name,
                type=type_message(option.type, self.kinds, cells.get(option.name)),
                label=text_message(option.help),
                meaning=text_message(option.expected),
                left_out=v1.LeftOut.LEFT_OUT_USUAL,
                usual=value_of(option.default),
                sight=v1.FieldSight.FIELD_SIGHT_ALL,
                by_seat=option.is_by_seat,
            )
            yield result

    # ---- Things, moves, events ----

    def thing_kinds(self, kinds: ThingKinds) -> Iterator[v1.ThingKind]:
        for name, (kind, texts) in kinds.by_name.items():
            counts, look = self.counts().get(texts, {}), kind.look
            result = v1.ThingKind(name=name, look=LOOKS[look.shape], unknown=look.unknown, linked=look.linked)
            result.suits.extend(self.suits(kind))
            result.things.extend(self.thing(kind, text, counts.get(text)) for text in texts)
            ends, spots, mentions = look.ends(self.rules), look.spots(self.rules), look.mentions(self.rules)
            for thing in result.things:
                thing.ends.extend(v1.LinkEnd(thing=one.thing, colour=one.colour) for one in ends.get(thing.text, ()))
                if thing.text in spots:
                    thing.row, thing.column = spots[thing.text]
                thing.mentions.extend(v1.ThingMention(kind=one, text=text) for one, text in mentions.get(thing.text, ()))
            yield result

    def suits(self, kind: Kind) -> Iterator[v1.Suit]:
        result = [v1.Suit(text=text) for text in kind.suits]
        for one in result:
            self.put_suit_name(one.name, kind, one.text)
            self.put_about(one.about, kind, one.text)
        looks = suit_looks(kind.suits, kind.look.suits, {one.text: one.name.en for one in result if one.name.en})
        for one in result:
            one.symbol, one.colour = looks[one.text]
        return iter(result)

    def put_suit_name(self, target: v1.LocalizedText, kind: Kind, suit: str) -> None:
        """As the game's words call suits, or where a thing is a suit by itself, as they call that."""
        self.put_words(target, *(f"{table}.{suit}" for table in SUIT_WORDS))
        if not target.en and suit in map(str, kind.numbers(self.rules)):
            target.CopyFrom(text_message({language: self.said(kind.name, suit, language) for language in LANGUAGES}))

    def thing(self, kind: Kind, text: str, count: int | None) -> v1.Thing:
        result = v1.Thing(text=text, count=count)
        said = {language: self.said(kind.name, text, language) for language in LANGUAGES}
        if any(one != text for one in said.values()):
            result.name.CopyFrom(text_message(said))
        if text not in kind.suits:
            self.put_about(result.about, kind, text)
        suit = text if text in kind.suits else next((one for one in kind.suits if text.startswith(one)), "")
        if suit:
            result.suit, result.rank = suit, text.removeprefix(suit)
            self.put_suit_name(result.suit_name, kind, suit)
            if result.rank:
                self.put_words(result.rank_name, f"ranks.{result.rank}")
        return result

    def said(self, kind: str, text: str, language: str) -> str:
        """What players call a thing; its text where the game does not say."""
        try:
            return self.plugin.value_text(self.rules, self.fresh, kind, text, (language, "")) or text
        except (LookupError, TypeError, ValueError, AttributeError):
            return text

    def put_about(self, target: v1.LocalizedText, kind: Kind, text: str) -> None:
        """What a thing does, or the things of a suit."""
        told = {language: self.plugin.thing_about(self.rules, kind.name, text, language) for language in LANGUAGES}
        if any(told.values()):
            target.CopyFrom(text_message(told))

    def counts(self) -> Mapping[tuple[str, ...], Mapping[str, int]]:
        """Of decks in which several cards are alike: how many there are of each."""
        decks = getattr(getattr(self.plugin, "game", None), "decks", ())
        return {
            tuple(deck.texts): dict(zip(deck.texts, deck.numbers, strict=True))
            for deck in decks
            if any(number != 1 for number in getattr(deck, "numbers", ()))
        }

    def move_shapes(self, schema: MoveSchema) -> Iterator[v1.MoveShape]:
        for kind in schema.kinds:
            parts = [v1.MoveShapePart(name=one.name, thing=self.part_kind(one.kind)) for one in kind.parts]
            yield v1.MoveShape(
                pattern=kind.pattern, hidden=kind.hidden or "", parts=parts, together=kind.together, into=kind.into
            )

    def part_kind(self, kind: Kind) -> str:
        """The name of its kind; the things of a part that are numbered with gaps are listed like all others."""
        return kind.name if kind.name == "seat" else self.kinds.name(kind)

    def event_shapes(self) -> Iterator[v1.EventShape]:
        for kind, fields in self.plugin.event_kinds.items():
            yield v1.EventShape(
                kind=kind,
                fields=[v1.EventShapeField(name=name, kind=value) for name, value in fields.items()],
                sentences=list(self.sentences(kind)),
            )

    def sentences(self, kind: str) -> Iterator[v1.EventSentence]:
        key = f"events.{kind}"
        for one in () if self.phrases is None else self.phrases.keys():
            if one == key or one.startswith(f"{key}."):
                text = self.template(one)
                yield v1.EventSentence(variant=one.removeprefix(key).removeprefix("."), text=text)

    def metric_shapes(self) -> Iterator[v1.MetricShape]:
        words = self.plugin.hint_words(self.rules)
        quantities: Mapping[str, Any] = {} if words is None else {one.metric: one for one in words.quantities}
        by_seat = {
            metric.replace("{me}", str(seat)).replace("{other}", str(seat)): one
            for metric, one in reversed(list(quantities.items()))
            for seat in range(self.rules.players)
        }
        for name in self.plugin.metrics(self.rules):
            one = by_seat.get(name)
            result = v1.MetricShape(name=name)
            if one is not None:
                result.share, result.good = one.is_share, one.good
                if any(one.label.values()):
                    result.label.CopyFrom(text_message(one.label))
            yield result

    # ---- Words ----

    def put_words(self, target: v1.LocalizedText, *keys: str) -> None:
        """The first text that there is, of the game's own or of those that all games of the kit have."""
        texts = (words_of(phrases, key) for phrases in (self.phrases, KIT_PHRASES) for key in keys)
        found = next((text for text in texts if text is not None), None)
        if found is not None:
            target.CopyFrom(v1.LocalizedText(en=unescaped(found.en), fr=unescaped(found.fr)))

    def under(self, key: str, language: str) -> Mapping[str, str]:
        return {} if self.phrases is None else self.phrases.under(key, language)

    def template(self, key: str) -> v1.LocalizedText:
        found = words_of(self.phrases, key)
        return v1.LocalizedText() if found is None else found


def phrases_of(plugin: Engine) -> Phrases | None:
    try:
        return plugin.phrases()
    except Exception:  # noqa: BLE001 - a game may do without words
        return None


def words_of(phrases: Phrases | None, key: str) -> v1.LocalizedText | None:
    """A text with its holes, in both languages; None where there is none."""
    if phrases is None or key not in phrases:
        return None
    return text_message({language: phrases.template(key, language) for language in LANGUAGES})


def unescaped(text: str) -> str:
    """A text without holes, as it is read."""
    return ESCAPED.sub(r"\1", text)


def named(value: str, kind: v1.ValueKind.ValueType) -> object:
    """The JSON that the key of a name stands for."""
    known: Mapping[str, object] = {"null": None, "true": True, "false": False}
    if value in known:
        return known[value]
    return int(value) if kind in {v1.ValueKind.VALUE_KIND_NUMBER, v1.ValueKind.VALUE_KIND_SEAT} else value
