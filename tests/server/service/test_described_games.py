"""GetGame tells a page without rules all it needs: to read every view, name every move and event, and ask for a view."""

import json
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from google.protobuf.message import Message

from machiavel import v1
from machiavel.clients import BadOption, BadRequest, Client, UnknownGame
from machiavel.engines import Engine, State, games, load
from machiavel.engines.looks import COLOURS
from machiavel.server.service import described_games, wire
from machiavel.server.service.messages import plain
from tests.engines.games import INSTALLED, players_of

KIND, LOOK, SIGHT, LEFT_OUT, PART = v1.ValueKind, v1.ThingLook, v1.FieldSight, v1.LeftOut, v1.GamePart
TYPED = [name for name in games() if name in v1.View.DESCRIPTOR.fields_by_name]


def described(name: str, **more: Any) -> v1.GetGameResponse:
    return described_games.game_message_of(v1.GetGameRequest(game=name, **more))


def matches(name: str, count: int = 2) -> list[State]:
    """Positions of random matches."""
    result = []
    for seed in range(count):
        draw, state = random.Random(seed), load(name).new(players_of(name), seed=seed)
        while not state.is_over and len(state.moves) < 90:
            if len(state.moves) % 7 == 0:
                result.append(state.copy())
            state.play(draw.choice(state.legal_moves()))
        result.append(state)
    return result


# ---- Views, read by what GetGame says alone ----


def value_of(kind: v1.ValueType, holder: Any, name: str) -> Any:
    """The JSON of a field of a message, as the type says that it stands there."""
    field = holder.DESCRIPTOR.fields_by_name[name]
    if field.has_presence and not holder.HasField(name):
        return None
    return item_of(kind, getattr(holder, name))


def item_of(kind: v1.ValueType, item: Any) -> Any:
    if kind.wire.field:
        return value_of(unwrapped(kind), item, kind.wire.field)
    if kind.wire.pair:
        return [getattr(item, name) for name in kind.wire.pair]
    if kind.wire.enum_prefix:
        found = next(one for one in enums() if one.values[0].name.startswith(kind.wire.enum_prefix))
        return found.values_by_number[item].name.removeprefix(kind.wire.enum_prefix).lower()
    if kind.kind in {KIND.VALUE_KIND_BY_SEAT, KIND.VALUE_KIND_LIST}:
        return [item_of(kind.inside[0], one) for one in item]
    if kind.kind in {KIND.VALUE_KIND_THINGS, KIND.VALUE_KIND_SEATS}:
        return list(item)
    if kind.kind == KIND.VALUE_KIND_RECORD:
        return {one.name: value_of(one.type, item, one.name) for one in kind.fields}
    return dict(item) if kind.kind == KIND.VALUE_KIND_EACH else item


def unwrapped(kind: v1.ValueType) -> v1.ValueType:
    result = v1.ValueType()
    result.CopyFrom(kind)
    result.wire.field = ""
    return result


def enums() -> list[Any]:
    files = (v1.AgencyView, v1.BondView, v1.CitadelView, v1.WhistView)
    return [one for message in files for one in message.DESCRIPTOR.file.enum_types_by_name.values()]


@pytest.mark.parametrize("name", TYPED)
def test_a_page_can_read_the_typed_view_of_any_game(name: str) -> None:
    for state in matches(name):
        schema = described(name, options=wire.options_message(state.rules.options, name)).schema
        for viewer in (0, None):
            view = state.view(viewer)
            message: Message = getattr(wire.view_message(view), name)
            seen = view.to_json()["view"]
            told = {
                one.name: value_of(one.type, message, one.name) for one in schema.view if one.sight != SIGHT.FIELD_SIGHT_TOLD_ONLY
            }
            assert json.dumps(told, sort_keys=True) == json.dumps(seen, sort_keys=True)


def fits(kind: v1.ValueType, value: Any, kinds: Mapping[str, set[str]]) -> bool:
    """Whether JSON is a value of that type."""
    if value is None:
        return kind.nullable
    match kind.kind:
        case KIND.VALUE_KIND_NUMBER:
            return bool(kind.least <= value <= kind.most and value % (kind.step or 1) == 0)
        case KIND.VALUE_KIND_FLAG:
            return isinstance(value, bool)
        case KIND.VALUE_KIND_SEAT:
            return bool(0 <= value < 8)
        case KIND.VALUE_KIND_CHOICE:
            return value in [plain(one, "") for one in kind.names]
        case KIND.VALUE_KIND_THING:
            return str(value) in kinds[kind.thing]
        case KIND.VALUE_KIND_THINGS:
            return all(str(one) in kinds[kind.thing] for one in value)
        case KIND.VALUE_KIND_SEATS:
            return all(0 <= one < 8 for one in value)
        case KIND.VALUE_KIND_BY_SEAT | KIND.VALUE_KIND_LIST:
            return all(fits(kind.inside[0], one, kinds) for one in value)
        case KIND.VALUE_KIND_PAIR:
            return all(fits(one, part, kinds) for one, part in zip(kind.inside, value, strict=True))
        case KIND.VALUE_KIND_RECORD:
            return {one.name for one in kind.fields} == set(value) and all(
                fits(one.type, value[one.name], kinds) for one in kind.fields
            )
        case KIND.VALUE_KIND_EACH:
            return set(value) == kinds[kind.thing] and all(fits(kind.inside[0], one, kinds) for one in value.values())
    return True


@pytest.mark.parametrize("name", INSTALLED)
def test_every_value_of_a_view_is_of_the_type_that_is_told(name: str) -> None:
    for state in matches(name):
        schema = described(name, options=wire.options_message(state.rules.options, name)).schema
        kinds = {one.name: {thing.text for thing in one.things} for one in schema.kinds}
        types = {one.name: one.type for one in schema.view}
        for viewer in (0, None):
            for field, value in state.view(viewer).to_json()["view"].items():
                assert fits(types[field], value, kinds), f"{field}: {value}"


def test_what_does_not_fit_is_told_apart() -> None:
    schema = described("whist").schema
    kinds = {one.name: {thing.text for thing in one.things} for one in schema.kinds}
    types = {one.name: one.type for one in schema.view}

    assert not fits(types["hand"], ["ZZ"], kinds)
    assert not fits(types["round"], 99, kinds)
    assert not fits(types["trump"], "X", kinds)


# ---- Words ----


@pytest.mark.parametrize("name", INSTALLED)
def test_what_a_table_draws_has_words_in_both_languages(name: str) -> None:
    schema = described(name).schema
    for field in schema.view:
        for texts in ([field.label] if field.zone else []) + [one.name for one in field.names]:
            assert texts.en
            assert texts.fr
    cards = next((kind for kind in schema.kinds if kind.name == "card"), None)
    if name in {"whist", "hearts"}:
        assert cards is not None
        heart = next(thing for thing in cards.things if thing.text == "HT")
        assert (heart.suit, heart.rank, heart.suit_name.en, heart.rank_name.fr) == ("H", "T", "hearts", "10")
        assert heart.name.fr == "10 de cœur"


# ---- What things do ----


def abouts(name: str, kind: str) -> dict[str, v1.LocalizedText]:
    return {one.text: one.about for one in kinds_of(name)[kind].things}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *(("citadel", kind) for kind in ("card", "character", "treasure", "trap", "door")),
        *(("bond", kind) for kind in ("lair", "spy", "doubler", "letter")),
        *(("agency", kind) for kind in ("agent", "plan", "pile card")),
    ],
)
def test_a_player_who_asks_is_told_what_every_card_and_power_does_in_both_languages(name: str, kind: str) -> None:
    told = abouts(name, kind)
    assert told
    for text, about in told.items():
        assert about.en.endswith(".") and about.fr.endswith("."), text
        assert about.en != about.fr and "{" not in about.en + about.fr


def test_what_a_card_does_is_told_out_of_its_effects_and_under_the_rules_in_force() -> None:
    cards, treasures, rooms = (abouts("citadel", kind) for kind in ("card", "treasure", "room"))
    assert cards["master_key"].en.startswith("Unlock up to 2 doors anywhere.")
    assert all(word in treasures["crystal_skull"].fr for word in ("la scie", "le laser", "la console", "50 minutes"))
    assert {text for text, about in rooms.items() if about.en} == {"gallery", "library", "ballroom"}  # by their windows

    def bonus(players: int) -> str:
        suits = described("agency", options=v1.Options(players=players)).schema.kinds
        return next(suit.about.en for kind in suits if kind.name == "card" for suit in kind.suits if suit.text == "G")

    assert "bring 8 points" in bonus(3) and "bring 5 points" in bonus(4)


def test_what_all_cards_of_a_suit_do_is_told_of_the_suit() -> None:
    agency, hearts, whist = (kinds_of(name)["card"] for name in ("agency", "hearts", "whist"))
    assert all(suit.about.en and suit.about.fr for suit in agency.suits)
    assert {suit.text for suit in hearts.suits if suit.about.en} == {"H"}
    for kind, own in ((agency, set()), (hearts, {"SQ"}), (whist, set())):
        assert {one.text for one in kind.things if one.HasField("about")} == own
    assert not any(suit.HasField("about") for suit in whist.suits)


def test_who_is_asked_reads_what_to_do_in_the_second_person() -> None:
    for name in ("agency", "bond", "citadel"):
        phase = next(one for one in described(name).schema.view if one.name == "phase")
        for value in phase.names:
            is_over = value.value.string_value == "over"
            assert value.name.en and value.name.fr
            assert bool(value.asks.en and value.asks.fr) == (not is_over)


def test_a_table_is_drawn_from_a_part_of_the_schema() -> None:
    for name in INSTALLED:
        whole, part = (described(name, parts=[one]).schema for one in (PART.GAME_PART_SCHEMA, PART.GAME_PART_TABLE))
        assert (part.kinds, part.moves, part.declared) == (whole.kinds, whole.moves, whole.declared)
        assert not (part.events or part.layout or part.options or part.metrics)
        for field in whole.view:
            field.ClearField("meaning")
            field.ClearField("left_out_words")
        assert part.view == whole.view
        both = described(name, parts=[PART.GAME_PART_TABLE, PART.GAME_PART_SCHEMA])
        assert both == described(name, parts=[PART.GAME_PART_SCHEMA])
    assert described("whist", parts=[PART.GAME_PART_TABLE]).ByteSize() < 0.7 * described("whist").ByteSize()


def test_hearts_tells_that_three_cards_are_chosen_together_and_where_they_lie() -> None:
    play, give = described("hearts", parts=[PART.GAME_PART_TABLE]).schema.moves
    assert (play.together, play.into) == (0, "")
    assert (give.pattern, give.together, give.into) == ("pass:{card}", 3, "aside")
    others = [shape for name in INSTALLED if name != "hearts" for shape in described(name).schema.moves]
    assert not any(shape.together or shape.into for shape in others)


# ---- What is drawn, and how ----


def kinds_of(name: str) -> dict[str, v1.ThingKind]:
    return {one.name: one for one in described(name).schema.kinds}


def looks_of(kind: v1.ThingKind) -> list[tuple[str, str, str, str, str]]:
    return [(one.text, one.name.en, one.name.fr, one.symbol, one.colour) for one in kind.suits]


BRIDGE = [
    ("C", "clubs", "trèfle", "club", "black"),
    ("D", "diamonds", "carreau", "diamond", "red"),
    ("H", "hearts", "cœur", "heart", "red"),
    ("S", "spades", "pique", "spade", "black"),
]


def test_suits_have_their_words_a_symbol_and_a_colour() -> None:
    agency, whist, hearts = map(kinds_of, ("agency", "whist", "hearts"))

    assert looks_of(agency["card"]) == [
        ("M", "mauve", "mauve", "moon", "mauve"),
        ("B", "blue", "bleu", "drop", "blue"),
        ("G", "green", "vert", "leaf", "green"),
        ("Y", "yellow", "jaune", "sun", "yellow"),
    ]
    assert looks_of(whist["card"]) == looks_of(whist["suit"]) == looks_of(hearts["card"]) == BRIDGE
    # The suit that was led is a word there, of its own; English has English words where an author says nothing.
    assert looks_of(hearts["card 2"]) == [(en, en, fr, symbol, colour) for _, en, fr, symbol, colour in BRIDGE]
    assert [(one.text, one.name.en, one.name.fr, one.suit, one.rank) for one in hearts["card 2"].things] == [
        (en, en, fr, en, "") for _, en, fr, _, _ in BRIDGE
    ]


@pytest.mark.parametrize("name", INSTALLED)
def test_what_things_name_of_others_is_there(name: str) -> None:
    schema = described(name).schema
    kinds = {one.name: {thing.text: thing for thing in one.things} for one in schema.kinds}
    fields = {one.name for one in schema.view}
    for kind in schema.kinds:
        suits = {one.text for one in kind.suits}
        assert len({one.symbol for one in kind.suits}) == len(suits)
        assert all(one.colour in COLOURS for one in kind.suits)
        for thing in kind.things:
            assert not suits or thing.suit in suits
            assert thing.text == thing.suit + thing.rank or not suits
            assert [one.thing in kinds[kind.linked] for one in thing.ends] == [True, True] * bool(kind.linked)
            assert all(one.text in kinds[one.kind] for one in thing.mentions)
        assert kind.unknown in {"", *kinds[kind.name]}
    for field in schema.view:
        assert field.counts in fields | {""}
        assert field.type.suits_of in {"", *kinds}


def test_every_card_of_agency_has_its_suit_and_rank() -> None:
    cards = kinds_of("agency")["card"].things

    assert {(one.suit, one.suit_name.en) for one in cards} == {("M", "mauve"), ("B", "blue"), ("G", "green"), ("Y", "yellow")}
    assert [(one.text, one.suit, one.rank) for one in cards if one.rank == "12"] == [
        (f"{suit}12", suit, "12") for suit in "MBGY" if f"{suit}12" in {one.text for one in cards}
    ]


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("agency", {"hand_counts": "hand"}),
        ("whist", {"hand_counts": "hand"}),
        ("bond", {"hands": "hand"}),
        ("hearts", {"hands_counts": "hands", "aside_counts": "aside"}),
        ("liars_dice", {"cups_counts": "cups"}),
        ("kuhn", {"hands_counts": "hands"}),
        ("citadel", {}),
    ],
)
def test_what_counts_things_that_are_not_seen_names_their_field(name: str, counts: Mapping[str, str]) -> None:
    assert {one.name: one.counts for one in described(name).schema.view if one.counts} == counts


@pytest.mark.parametrize("name", ["agency", "whist", "hearts", "liars_dice", "kuhn"])
def test_a_count_is_how_many_are_there(name: str) -> None:
    fields = described(name).schema.view
    is_own = {one.name for one in fields if one.sight == SIGHT.FIELD_SIGHT_SEAT}
    counts = [(one.name, one.counts) for one in fields if one.counts]
    assert counts
    for state in matches(name):
        for seat in range(state.players):
            view = state.view(seat).to_json()["view"]
            for count, field in counts:
                held = view[field] if field in is_own else view[field][seat]
                given = field == "hand" and name == "agency" and view["phase"] == "pass" and seat not in view["to_move"]
                assert view[count][seat] == (len(held) if isinstance(held, list) else held is not None) or given


def test_what_a_die_shows_is_told() -> None:
    liars = {one.name: one.type for one in described("liars_dice").schema.view}
    cup = liars["cups"].inside[0]

    assert cup.kind == KIND.VALUE_KIND_LIST
    assert (cup.longest, cup.inside[0].least, cup.inside[0].most, cup.inside[0].die) == (3, 1, 6, True)
    assert (liars["face"].die, liars["number"].die) == (True, False)
    assert {name: kind.look == LOOK.THING_LOOK_DIE for name, kind in kinds_of("liars_dice").items()} == {
        "number": False,
        "face": True,
    }
    dice = next(one for one in described("citadel").schema.view if one.name == "dice").type
    assert [one.type.die for one in dice.fields] == [True, True, True]


def test_a_map_has_its_places_and_the_doors_between_them() -> None:
    kinds = kinds_of("citadel")
    rooms, doors = kinds["room"], kinds["door"]

    assert (rooms.look, doors.look, doors.linked) == (LOOK.THING_LOOK_PLACE, LOOK.THING_LOOK_LINK, "room")
    assert len({(one.row, one.column) for one in rooms.things}) == 12
    assert {one.text for one in rooms.things} == {end.thing for door in doors.things for end in door.ends}
    for door in doors.things:
        room, colour = door.text.split(":")
        assert (door.ends[0].thing, door.ends[0].colour) == (room, colour)
    study = next(one for one in kinds["act"].things if one.text == "go:study")
    assert [(one.kind, one.text) for one in study.mentions] == [("room", "study")]
    door = next(one for one in kinds["choice"].things if one.text == f":{doors.things[0].text}")
    assert [(one.kind, one.text) for one in door.mentions] == [("door", doors.things[0].text)]


def test_a_choice_of_suits_says_so_and_a_mark_stands_beside_its_seat() -> None:
    whist, agency = ({one.name: one for one in described(name).schema.view} for name in ("whist", "agency"))

    assert (whist["trump"].type.suits_of, agency["phase"].type.suits_of) == ("card", "")
    assert [value.string_value for value in whist["trump"].type.names] == [one.text for one in kinds_of("whist")["card"].suits]
    assert (whist["leader"].zone, whist["leader"].label.fr) == ("seat", "Entame")
    assert (agency["agents"].zone, agency["agents"].by_seat, agency["pile"].by_seat) == ("seat", True, False)
    assert kinds_of("agency")["place of the pile"].unknown == "?"


def test_a_field_that_matters_at_times_names_the_flag_that_says_when() -> None:
    hearts = {one.name: one for one in described("hearts").schema.view}

    assert hearts["way"].shown_while == "choosing" and hearts["choosing"].type.kind == v1.ValueKind.VALUE_KIND_FLAG
    assert not hearts["led"].shown_while


def test_parts_of_what_is_drawn_have_words_too() -> None:
    for name in TYPED:
        for field in described(name).schema.view:
            for part in parts_of(field.type) if field.zone else ():
                assert part.label.en, f"{name}: {field.name}.{part.name}"
                assert part.label.fr
                if part.type.kind == KIND.VALUE_KIND_CHOICE and part.type.names[0].HasField("string_value"):
                    assert len(part.names) == len(part.type.names)


def parts_of(kind: v1.ValueType) -> Iterator[v1.SchemaField]:
    for one in kind.inside:
        yield from parts_of(one)
    for field in kind.fields:
        yield field
        yield from parts_of(field.type)


def test_words_are_told_as_they_are_read() -> None:
    for name in INSTALLED:
        for field in described(name).schema.view:
            assert "\\" not in field.meaning.en + field.meaning.fr + field.left_out_words.en


@pytest.mark.parametrize("name", INSTALLED)
def test_every_move_has_the_shape_of_one_sort(name: str) -> None:
    schema = described(name).schema
    shapes = [re.sub(r"\\\{\w+\\\}", "(.*)", re.escape(one.pattern)) for one in schema.moves]
    hidden = {re.sub(r"\{\w+\}", "*", one.hidden) for one in schema.moves if one.hidden}
    for state in matches(name, 1):
        for move in state.legal_moves():
            assert any(re.fullmatch(shape, move) for shape in shapes), move
    assert bool(hidden) == (name in {"agency", "bond", "hearts"})


@pytest.mark.parametrize("name", INSTALLED)
def test_every_event_has_its_fields_and_its_sentences(name: str) -> None:
    plugin: Engine = load(name).plugin
    told = {one.kind: one for one in described(name).schema.events}
    assert set(told) == set(plugin.event_kinds)
    for kind, one in told.items():
        assert {field.name: field.kind for field in one.fields} == dict(plugin.event_kinds[kind])
        assert all(sentence.text.en and sentence.text.fr for sentence in one.sentences)
        assert one.sentences


@pytest.mark.parametrize("name", INSTALLED)
def test_the_rules_are_told_in_both_languages(name: str) -> None:
    texts = {one.language: one.markdown for one in described(name, parts=[PART.GAME_PART_RULES]).rules}
    assert {language: len(text) > 500 for language, text in texts.items()} == {"en": True, "fr": True}


def test_who_sees_a_field_and_what_becomes_of_it_is_told() -> None:
    hearts = {one.name: one for one in described("hearts").schema.view}
    whist = {one.name: one for one in described("whist").schema.view}

    assert hearts["hands"].sight == SIGHT.FIELD_SIGHT_OWNERS
    assert whist["hand"].sight == SIGHT.FIELD_SIGHT_SEAT
    assert whist["hand"].left_out == LEFT_OUT.LEFT_OUT_NEVER
    assert hearts["hands"].left_out == LEFT_OUT.LEFT_OUT_BY_SPECTATORS
    assert whist["table"].zone == "table"
    assert {one.name: one.sight for one in described("agency").schema.view}["gone"] == SIGHT.FIELD_SIGHT_TOLD_ONLY


def test_bounds_are_those_of_the_options_asked_about() -> None:
    def most(**options: Any) -> int:
        fields = {one.name: one.type for one in described("agency", options=v1.Options(**options)).schema.view}
        return fields["medals"].inside[0].most

    assert most(players=3) == 2
    assert most(players=3, agency=v1.AgencyOptions(medals=5)) == 5


# ---- The form ----


ENTRIES: Mapping[str, Mapping[str, str]] = {
    "whist": {"players": "3", "dealt": "7", "trump": "hearts", "hand": "H2 H5 HA C3 D4 S9 ST", "table": ""},
    "agency": {"players": "3", "agents": "martha jean wxt", "trick": "1", "hand": "G8 Y1 M2 M3 B5 B6", "top": "4", "leader": "0"},
    "hearts": {},
}


def walked(name: str, entries: Mapping[str, str]) -> v1.GameForm:
    """The form when every question that is asked has its entry, or what stands for none."""
    given = dict(entries)
    while True:
        form = described(name, parts=[PART.GAME_PART_FORM], answers=given).form
        open_ones = [one for one in form.questions if one.asked and not one.HasField("answer")]
        if not open_ones or not open_ones[0].HasField("usual"):
            return form
        given[open_ones[0].key] = open_ones[0].usual


def test_the_answers_to_a_form_make_a_view() -> None:
    form = walked("whist", ENTRIES["whist"])
    assert form.view.whist.hand.cards == ["C3", "D4", "H2", "H5", "HA", "S9", "ST"]
    assert [one.key for one in form.questions if not one.asked] == ["still_in", "tricks", "seen"]
    assert wire.read_view(form.view).legal_moves()


def test_a_question_says_how_it_is_answered_and_when_it_is_asked() -> None:
    form = described("agency", parts=[PART.GAME_PART_FORM], answers={"powers": "no"}).form
    questions = {one.key: one for one in form.questions}

    assert not questions["agents"].asked
    assert questions["hand"].type.kind == v1.AnswerKind.ANSWER_KIND_THINGS
    assert questions["hand"].type.thing == "card"
    assert questions["powers"].type.kind == v1.AnswerKind.ANSWER_KIND_YES_OR_NO
    assert (questions["trick"].type.least, questions["trick"].type.most) == (1, 12)
    assert questions["trick"].question.fr
    assert not form.HasField("view")


def type_of(name: str, key: str, answers: Mapping[str, str] | None = None) -> v1.AnswerType:
    form = described(name, parts=[PART.GAME_PART_FORM], answers=answers or {}).form
    return next(one.type for one in form.questions if one.key == key)


def test_a_question_of_several_parts_says_what_each_is_and_what_stands_between() -> None:
    hands = type_of("bond", "hands")
    assert (hands.kind, hands.others) == (v1.AnswerKind.ANSWER_KIND_SEVERAL, True)
    assert (hands.inside.kind, hands.inside.between) == (v1.AnswerKind.ANSWER_KIND_PARTS, "+")
    assert [one.label.en for one in hands.inside.parts] == ["spies", "other cards"]
    lairs = type_of("bond", "lairs")
    assert (lairs.inside.inside.thing, lairs.inside.between, lairs.inside.nothing) == ("lair", "+", "-")
    assert type_of("bond", "hand").repeats and not type_of("whist", "hand").repeats
    assert [one.text for one in type_of("bond", "victim").choices] == ["hand", "deck"]
    traps = type_of("citadel", "traps")
    assert [one.label.fr for one in traps.parts[:2]] == ["hall principal", "galerie"]
    assert {one.thing for one in traps.parts} == {"trap"}
    assert type_of("liars_dice", "field:lifted").between == " / "
    assert (type_of("liars_dice", "field:bidder").nothing, type_of("liars_dice", "field:seat").nothing) == ("-", "")
    assert type_of("hearts", "field:points").from_first and not type_of("agency", "medals").from_first


def test_what_may_be_answered_follows_from_the_answers_before() -> None:
    shown = {"shown": "sprint skylight"}
    assert not type_of("citadel", "played").choices
    assert [one.text for one in type_of("citadel", "played", shown).choices] == ["sprint", "skylight"]
    drawn = type_of("agency", "drawn", {"players": "3", "agents": "martha belton wxt"})
    assert [one.text for one in drawn.inside.choices] == ["martha"]


ANYTHING_GOES = {"kuhn": {"option:cards"}}


@pytest.mark.parametrize("name", INSTALLED)
def test_every_question_says_how_it_is_answered_but_options_that_are_numbers(name: str) -> None:
    told = {"players": str(players_of(name)), "agents": "martha jean wxt", "shown": "sprint skylight"}
    keys = {one.key for one in described(name, parts=[PART.GAME_PART_FORM]).form.questions}
    form = described(name, parts=[PART.GAME_PART_FORM], answers={key: told[key] for key in told.keys() & keys}).form

    def is_open(kind: v1.AnswerType) -> bool:
        inner = [*kind.parts, *([kind.inside] if kind.HasField("inside") else [])]
        return not kind.kind or any(map(is_open, inner))

    assert {one.key for one in form.questions if is_open(one.type)} == ANYTHING_GOES.get(name, set())


def test_an_answer_that_cannot_be_says_so_in_both_languages() -> None:
    form = described("whist", answers={"players": "3", "trump": "green"}).form
    trump = next(one for one in form.questions if one.key == "trump")
    assert trump.answer == "green"
    assert "green" in trump.problem.en
    assert trump.problem.fr


def test_answers_that_contradict_each_other_name_the_question() -> None:
    form = walked("whist", dict(ENTRIES["whist"]) | {"hand": "H2 H5 HA C3 D4 S9", "tricks": "0 0 0"})
    assert not form.HasField("view")
    assert [one.key for one in form.problems] == ["tricks"]
    assert form.problems[0].problem.fr


@pytest.mark.parametrize("name", INSTALLED)
def test_every_question_has_its_texts_and_knows_its_things(name: str) -> None:
    response = described(name)
    kinds = {one.name for one in response.schema.kinds}
    for one in response.form.questions:
        assert one.question.en
        assert one.question.fr
        assert one.type.thing in kinds | {""}


# ---- Over the wire ----


def test_a_game_is_described_over_the_wire(service: Client) -> None:
    answer = service.get_game("bond", 4, parts=[PART.GAME_PART_SCHEMA])
    assert answer.options.players == 4
    assert not answer.form.questions
    assert service.get_game("bond").options.players == 2
    with pytest.raises(UnknownGame):
        service.get_game("chess")
    with pytest.raises(BadOption) as option:
        service.get_game("bond", 9)
    assert list(option.value.fields) == ["options.players"]


@pytest.mark.parametrize(
    ("request_of", "field"),
    [
        ({"answers": {"shoe": "1"}}, "answers"),
        ({"answers": {"players": "1" * 5000}}, "answers.players"),
        ({"parts": [PART.GAME_PART_SCHEMA], "answers": {"players": "2"}}, "answers"),
        ({"parts": [0]}, "parts[0]"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_by_its_field(service: Client, request_of: Mapping[str, Any], field: str) -> None:
    with pytest.raises(BadRequest) as refused:
        service.get_game("bond", **request_of)
    assert list(refused.value.fields) == [field]
