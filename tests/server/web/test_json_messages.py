"""The JSON of the door is that of protobuf's own slower codec, and what it refuses it refuses with a place."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct, Value
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc.error_details_pb2 import BadRequest as BadRequestDetail
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from machiavel import v1
from machiavel.server.service.refusals import BadRequest
from machiavel.server.web.json_messages import json_of, read_json, write_json
from machiavel.server.web.json_reading import object_of
from machiavel.server.web.json_values import WrongValue
from tests.server.service.good_requests import good_requests
from tests.server.web.arbitrary import messages, requests_and_responses

KINDS = requests_and_responses()
NUMBERS = [0, -1, 2.0, 2.5, 1 << 40, 1 << 70, 1e300]
WORDS = [None, True, "", "7", "7.0", "1e2", "x", "-Infinity", "1.5s", "\ud800", [], [1], {}, {"a": 1}, *NUMBERS]
often = settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))


def theirs(message: Message) -> str:
    return json_format.MessageToJson(message, indent=None, always_print_fields_with_no_presence=True)


def equal(one: Message, other: Message) -> bool:
    """Also where they hold what is no number, which equals nothing."""
    return one.SerializeToString(deterministic=True) == other.SerializeToString(deterministic=True)


@often
@given(messages(KINDS))
def test_every_message_is_written_as_protobuf_writes_it(message: Message) -> None:
    assert json.loads(write_json(message)) == json.loads(theirs(message))


@often
@given(st.floats() | st.integers(-(10**15), 10**15).map(lambda value: value / 10**4) | st.integers(-9, 9).map(float))
def test_every_number_is_written_as_python_writes_it(value: float) -> None:
    text = write_json(v1.Candidate(utility=value)).partition(b'"utility":')[2].partition(b",")[0].strip(b'"').decode()
    assert text == {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(repr(value), repr(value))


@often
@given(messages(KINDS))
def test_every_message_is_read_back_as_it_was(message: Message) -> None:
    for text in (write_json(message), theirs(message).encode(), json_format.MessageToJson(message).encode()):
        assert equal(read_json(text, type(message)), message)
    snake = json_format.MessageToJson(message, preserving_proto_field_name=True, unquote_int64_if_possible=True)
    assert equal(read_json(snake.encode(), type(message)), message)


@often
@given(messages(KINDS), st.data())
def test_what_is_read_of_any_json_is_what_protobuf_reads(message: Message, data: st.DataObject) -> None:
    text = json.dumps(mutated(json.loads(write_json(message)), data.draw))
    known, refused = read_or_refusal(text, type(message))
    if known is not None:
        assert equal(json_format.Parse(text, type(message)()), known)
    if refused is not None:
        assert refused.field
        assert "expected" in refused.problem
        assert len(refused.problem) < 3000


def read_or_refusal(text: str, kind: type[Message]) -> tuple[Message | None, BadRequest | None]:
    try:
        return read_json(text.encode(), kind), None
    except BadRequest as error:
        return None, error


def mutated(data: Any, draw: Callable[[Any], Any]) -> Any:
    """The JSON with something else in one place."""
    if isinstance(data, dict) and data and draw(st.integers(0, 3)):
        name = draw(st.sampled_from(sorted(data)))
        if not draw(st.integers(0, 5)):
            return {**data, draw(st.sampled_from([f"{name}x", name.lower(), name.upper()])): data[name]}
        return {**data, name: mutated(data[name], draw)}
    if isinstance(data, list) and data and draw(st.integers(0, 3)):
        at = draw(st.integers(0, len(data) - 1))
        return [*data[:at], mutated(data[at], draw), *data[at + 1 :]]
    return draw(st.sampled_from(WORDS))


@pytest.mark.parametrize("number", range(len(good_requests())))
def test_real_requests_come_through_as_they_were(number: int) -> None:
    message = good_requests()[number][1]
    text = write_json(message)
    assert json.loads(text) == json.loads(theirs(message))
    assert equal(read_json(text, type(message)), message)


def test_numbers_of_64_bits_are_texts_and_are_taken_as_numbers_too() -> None:
    message = v1.RecommendMoveRequest(limits=v1.Limits(iterations=(1 << 53) + 1))
    assert json.loads(write_json(message))["limits"]["iterations"] == "9007199254740993"
    for text in ('"9007199254740993"', "9007199254740993"):
        assert read_json(b'{"limits":{"iterations":%s}}' % text.encode(), v1.RecommendMoveRequest) == message


def test_what_is_nothing_is_written_but_what_is_absent_is_not() -> None:
    assert json.loads(write_json(v1.SeatMoves())) == {"seat": 0, "moves": []}
    assert write_json(v1.State(seat_to_move=0)).startswith(b'{"ply":0,"seatToMove":0,"seatsToMove":[],"over":false,')
    assert json.loads(write_json(v1.GetViewRequest())) == {"events": False}


def test_equal_messages_have_equal_bytes() -> None:
    one, other = v1.Explanation(), v1.Explanation()
    for name in ("b", "a", "c"):
        one.labels[name].en = name
    for name in ("c", "b", "a"):
        other.labels[name].en = name
    assert write_json(one) == write_json(other)


def test_details_of_errors_are_written_as_they_read() -> None:
    status = Status(code=3, message="no")
    for detail in (ErrorInfo(reason="BAD_RECORD"), RetryInfo(retry_delay=Duration(seconds=1, nanos=500)), BadRequestDetail()):
        status.details.add().Pack(detail)
    status.details.add().Pack(Duration(seconds=3))
    assert json_of(status) == json.loads(theirs(status))


NEST = "[" * 40 + "]" * 40
REFUSED = [
    ("GetState", "", "request", "is no JSON: Expecting value at line 1, column 1; expected an object, such as {}"),
    ("GetState", "[]", "request", "is a list; expected an object"),
    ("GetState", "{", "request", "is no JSON: "),
    ("GetState", '{"record": {}} x', "request", "is no JSON: Extra data"),
    ("GetState", b"\xff{}", "request", "is no UTF-8"),
    ("GetState", '{"record": {}, "record": {}}', "request", "has 'record' twice in one object"),
    ("GetState", '{"recrod": {}}', "recrod", "is no field of this message; expected one of record"),
    ("GetState", '{"record": {"mvoes": []}}', "record.mvoes", "is no field of this message; expected one of game, "),
    ("GetState", '{"record": {"moves": ["a", 7]}}', "record.moves[1]", "is 7; expected a text"),
    ("GetState", '{"record": {"moves": [null]}}', "record.moves[0]", "is null; expected a text"),
    ("GetState", '{"record": {"moves": "a"}}', "record.moves", "is 'a'; expected a list"),
    ("GetState", '{"record": {"rulesVersion": 2147483648}}', "record.rules_version", "is 2147483648; expected a whole number"),
    ("GetState", '{"record": {"rulesVersion": true}}', "record.rules_version", "is true; expected a whole number"),
    ("GetState", '{"record": {"rulesVersion": 1.5}}', "record.rules_version", "is 1.5; expected a whole number"),
    ("GetState", '{"record": {"rulesVersion": 1, "rules_version": 1}}', "record.rules_version", "stands there as rulesVersion"),
    ("GetState", '{"record": {"metrics": {"a": NaN}}}', "request", "has NaN without quotes"),
    ("LegalMoves", '{"view": {"other": {"a": 1e999}}}', "view.other.a", "is no number that can be"),
    ("GetState", '{"record": {"game": "\\ud800"}}', "record.game", "has half a character"),
    ("GetState", f'{{"record": {"[" * 100_000}', "request", "is nested too deep"),
    ("GetState", f'{{"record": {{"rulesVersion": {"1" * 9999}}}}}', "request", "has a number of thousands of digits"),
    ("LegalMoves", '{"record": {}, "view": {}}', "view", "stands beside record; expected one of the two"),
    ("LegalMoves", '{"view": {"other": {"a": [{"b": "\\ud800"}]}}}', "view.other.a[0].b", "has half a character"),
    ("LegalMoves", f'{{"view": {{"other": {{"a": {NEST}}}}}}}', f"view.other.a{'[0]' * 30}", "is nested more than 30 deep"),
    ("RecommendMove", '{"limits": {"time": 3}}', "limits.time", 'is 3; expected seconds as a text, such as "1.5s"'),
    ("RecommendMove", f'{{"bot": "{"x" * 99}", "limits": "{"y" * 9999}"}}', "limits", f"is '{'y' * 40}…'; expected an object"),
    ("CreateMatch", '{"seats": [{"kind": "BOT"}]}', "seats[0].kind", "is 'BOT'; expected one of SEAT_KIND_PERSON, "),
    ("ServerInfo", '{"a": 1}', "a", "is no field of this message; expected none, for it has no fields"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "text", "field", "problem"), REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_is_refused_by_its_place(call: str, text: str | bytes, field: str, problem: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read_json(text if isinstance(text, bytes) else text.encode(), getattr(v1, f"{call}Request"))
    assert caught.value.field == field
    assert caught.value.problem.startswith(problem)


class CountedName(str):
    """A name that counts how often it is compared."""

    __slots__ = ()
    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        CountedName.compared += 1
        return str.__eq__(self, other)


def test_a_name_that_comes_twice_behind_many_others_is_found_without_looking_at_all_of_them_again() -> None:
    names = [CountedName(number) for number in [*range(1000), 999]]
    with pytest.raises(WrongValue, match="999"):
        object_of([(name, None) for name in names])
    assert CountedName.compared < 10 * len(names)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"a": {"b": [1, null, {}, []]}}', Struct),
        ("null", Value),
        ('"2026-01-31T12:00:00.5+01:00"', Timestamp),
        ('"-0.5s"', Duration),
    ],
)
def test_well_known_kinds_are_read_as_protobuf_reads_them(text: str, kind: type[Message]) -> None:
    assert equal(read_json(text.encode(), kind), json_format.Parse(text, kind()))


def test_what_is_deepest_in_json_is_still_taken_as_binary() -> None:
    deep: Any = 1
    for _ in range(30):
        deep = {"a": deep}
    message = read_json(json.dumps({"view": {"other": deep}}).encode(), v1.LegalMovesRequest)
    assert equal(v1.LegalMovesRequest.FromString(message.SerializeToString()), message)
    assert re.search(rb"deep", write_json(message)) is None
