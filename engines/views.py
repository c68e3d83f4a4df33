"""Views of a game: each field declared once, and read, written and checked from its declaration. docs/schema.md tells how."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import islice
from operator import getitem
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn

from machiavel.engines.errors import BadView, IncompatibleEngine, Problem, shown
from machiavel.engines.fields import BAD, MOST_PROBLEMS, Change, Glance, PerSeat, Place, Type, problem_text
from machiavel.engines.phrases import Wording

if TYPE_CHECKING:
    from machiavel.engines.plugin import Rules

__all__ = [
    "BY_SPECTATORS",
    "FOLLOWS",
    "FORGOTTEN",
    "NEVER",
    "Field",
    "LeftOut",
    "Usual",
    "ViewReader",
    "ViewSchema",
    "clockwise",
    "have_room",
    "usual_value",
]

Struct = Mapping[str, Any]  # what the compiled engine makes of its bytes: numbers, lists of them and structs in it, by name


class LeftOut(NamedTuple):
    """What becomes of a field of a view that is left out."""

    kind: str  # never, spectators, follows, forgotten or usual
    value: Any = None


NEVER = LeftOut("never")  # it must be there
BY_SPECTATORS = LeftOut("spectators")  # it must be there, unless the view is of a spectator
FOLLOWS = LeftOut("follows")  # from the rest
FORGOTTEN = LeftOut("forgotten")  # the view is of somebody who does not remember


def Usual(value: Any) -> LeftOut:  # noqa: N802 – stands beside the others
    """The field is that, as JSON, unless somebody says otherwise; or what a function of the rules gives: BAD, it must be told."""
    return LeftOut("usual", value)


@dataclass(frozen=True)
class Field:
    """A field of a view.

    `c` is where the engine's View keeps it, as `table.ply`; empty where the game's own code finds it from the rest (`derived`).
    An `own` field is seen by its seat alone, so it is null for a spectator. `zone` says where a table draws it: `hand`, `table`,
    `pile`, `score`, `place`, `seat` (a mark beside the seats it names), or nowhere. One that is `told_only` is never shown: who
    types a view in may say it in place of another. With `or_null` a null is as good as nothing. Numbers may be how many things
    lie in the field that `counts` names. The items of a list may be those of the seats though it is no `PerSeat`. Where
    `shown_while` names a flag of the view, a table draws the field only while that is true.
    """

    name: str
    type: Type
    c: str = ""
    left_out: LeftOut = NEVER
    own: bool = False
    zone: str = ""
    unsaid: Sequence[str] = ()  # a message's 0 is null where it says none of these fields
    told_only: bool = False
    or_null: bool = False
    counts: str = ""
    is_by_seat: bool = False
    shown_while: str = ""


def usual_value(one: Field, rules: "Rules") -> Any:
    value = one.left_out.value
    return value(rules) if callable(value) else list(value) if isinstance(value, tuple) else value


class Unread(Exception):
    """A value was asked for that could not be read; whoever asked cannot go on."""


class Refused(Exception):
    """A contradiction was found."""

    def __init__(self, field_name: str, problem: Wording) -> None:
        super().__init__(field_name)
        self.problem = Problem(field_name, problem)


class ReadFields:
    """The fields of a view that were read, as attributes; one that was left out is what it usually is, or None."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update((name, value) for name, value in values.items() if value is not BAD)

    def __getattr__(self, name: str) -> Any:
        raise Unread(name)


class FieldWriter(NamedTuple):
    """How a field is written: out of which field of which struct, and what makes JSON of what stands there."""

    name: str
    struct: int  # of those in the View, by number
    field: str
    write: Change | None


class Writers(NamedTuple):
    """How all fields are written under some rules: those that the View holds, and by name those found otherwise."""

    held: Sequence[FieldWriter]
    found: Mapping[str, Change | None]


class ViewSchema:
    """The fields of a game's views, in their order."""

    def __init__(self, *fields: Field, derived: Callable[["Rules", Struct], Mapping[str, Any]] | None = None) -> None:
        """`derived` finds the values of the fields that stand nowhere in the engine's View, from those that do."""
        self.fields = fields
        self.shown = [one for one in fields if not one.told_only]
        self.by_name = {one.name: one for one in fields}
        self.of_spectators = {one.name: None for one in fields if one.own}
        self.derived = derived
        self._paths = {one.name: tuple(one.c.split(".")) for one in fields if one.c}
        self._structs = list(dict.fromkeys([(), *(path[:-1] for path in self._paths.values())]))

    def raw(self, struct: Struct, name: str) -> Any:
        value: Any = struct
        for step in self._paths[name]:
            value = value[step]
        return value

    def json(self, rules: "Rules", struct: Struct) -> dict[str, Any]:
        """A view as JSON, from the fields of the engine's View."""
        held, writers = self.writers(rules)
        structs = [reduce(getitem, path, struct) for path in self._structs]
        result: dict[str, Any] = dict.fromkeys(writers)
        for name, number, field, write in held:
            raw = structs[number][field]
            result[name] = raw if write is None else write(raw)
        for name, value in ({} if self.derived is None else self.derived(rules, struct)).items():
            write = writers[name]
            result[name] = value if write is None else write(value)
        if struct["seat"] < 0:
            result |= self.of_spectators
        return result

    def writers(self, rules: "Rules") -> Writers:
        """How each field is written under these rules; found out once for them."""
        writers: Writers | None = rules.made.get(self)
        if writers is None:
            found = {one.name: one.type.writer(rules) for one in self.shown}
            changes = {name: both(self.by_name[name].type.unpacker(rules), found[name]) for name in self._paths}
            held = [
                FieldWriter(name, self._structs.index(path[:-1]), path[-1], changes[name]) for name, path in self._paths.items()
            ]
            writers = rules.made[self] = Writers(held, found)
        return writers

    def values(
        self, rules: "Rules", data: Mapping[str, Any], problems: list[Problem], misread: dict[str, list[Problem]]
    ) -> dict[str, Any]:
        """The fields of a view out of JSON; what is unknown or missing is noted, and by field what is no such value."""
        root = Place(rules, "", problems)
        unknown = (name for name in map(str, data) if name not in self.by_name)
        problems += [Problem(name, problem_text("unknown")) for name in islice(unknown, MOST_PROBLEMS)]
        missing = [one for one in self.fields if one.name not in data and self.is_needed(one, rules, data)]
        missing.sort(key=lambda one: (one.left_out is not NEVER, one.name))
        problems += [Problem(one.name, problem_text("missing")) for one in missing]
        result, glance = {}, Glance(rules, "", [])
        for one in self.fields:
            value = result[one.name] = self.value(one, glance, data)
            if value is BAD:
                self.value(one, root._replace(problems=misread.setdefault(one.name, [])), data)
        return result

    def is_needed(self, one: Field, rules: "Rules", data: Mapping[str, Any]) -> bool:
        if one.left_out is BY_SPECTATORS:
            return data.get("seat", 0) is not None
        return one.left_out is NEVER or usual_value(one, rules) is BAD

    def is_told(self, name: str, data: Mapping[str, Any]) -> bool:
        one = self.by_name.get(name)
        return one is not None and name in data and not (one.or_null and data[name] is None)

    def value(self, one: Field, root: Place, data: Mapping[str, Any]) -> Any:
        value = data.get(one.name)
        if value is not None and not one.own:
            return root.at(one.name).whole(one.type, value)
        if not self.is_told(one.name, data):
            usual = BAD if self.is_needed(one, root.rules, data) else usual_value(one, root.rules)
            return usual if usual in (None, BAD) else root.at(one.name).whole(one.type, usual)
        if one.own and data.get("seat", 0) is None:
            return None
        return root.at(one.name).whole(one.type, value)

    def struct(self, rules: "Rules", values: ReadFields, empty: Struct) -> dict[str, Any]:
        """The fields of the engine's View, of which `empty` are all, with each value as it was read."""
        result = dict(empty)
        for name, path in self._paths.items():
            one, value = self.by_name[name], getattr(values, name)
            if value is None and (one.own or (one.left_out is not NEVER and not nullable(one))):
                continue
            put(result, path, one.type.pack(rules, value))
        return result

    def check_struct(self, game: str, ones: Struct, rules: "Rules") -> None:
        """Refuses an engine whose View has no room for a field; `ones` is a View with all bits 1."""
        for name, path in self._paths.items():
            kind, where = self.by_name[name].type, ".".join(path)
            try:
                widest = self.raw(ones, name)
            except (KeyError, TypeError, IndexError):
                raise IncompatibleEngine(game, f"the field {name} stands nowhere: its View has no {where}") from None
            is_by_seat = isinstance(kind, PerSeat) and not kind.packed and isinstance(widest, list)
            if is_by_seat and len(widest) < rules.players:
                raise IncompatibleEngine(game, f"the field {name} is for {rules.players} seats; {where} is for {len(widest)}")
            while isinstance(widest, list) and widest:
                widest = widest[0]
            most = kind.most(rules)
            # What is signed has one bit less; all ones are -1 there.
            if isinstance(widest, int) and widest >= 0 and most > widest:
                raise IncompatibleEngine(game, f"the field {name} may be {most}; {where} of its View holds {widest} at the most")


def both(first: Change | None, then: Change | None) -> Change | None:
    """One change after the other; None changes nothing."""
    if first is None or then is None:
        return then if first is None else first
    return lambda value: then(first(value))


def nullable(one: Field) -> bool:
    return one.type.describe().get("null", False) is True


def put(struct: dict[str, Any], path: Sequence[str], raw: Any) -> None:
    """A value of a struct; of a struct in it, the fields that are named."""
    for step in path[:-1]:
        struct = struct[step]
    merge(struct, {path[-1]: raw})


def merge(struct: dict[str, Any], values: Mapping[str, Any]) -> None:
    for name, raw in values.items():
        if isinstance(raw, dict):
            merge(struct[name], raw)
        elif isinstance(raw, list):  # arrays of the struct are as long as the most seats or cards need
            struct[name] = raw + struct[name][len(raw) :]
        else:
            struct[name] = raw


class ViewReader:
    """A view being read, which a person may have typed in.

    A game's reader names its `gaps`: fields that follow from the rest where they were left out, and other values that this needs,
    in the order in which they do; the method `find_NAME` finds one, and then it stands in `self.told`. It names its `chapters`:
    methods that check the values in `self.told` against each other, and add to what is known. A gap or a chapter that needs what
    could not be read is passed over, so that all that is wrong is told at once. `struct` then gives what the engine's View holds
    besides the fields of the schema.
    """

    schema: ViewSchema
    gaps: Sequence[str] = ()
    chapters: Sequence[str] = ()
    # By chapter, the fields of which it tells what is wrong, whether it needs them or not.
    reads: ClassVar[Mapping[str, str]] = {}
    native: Any  # the compiled engine
    phrases: Any  # the game's texts: `problems.KEY`

    def __init__(self, rules: "Rules", data: Mapping[str, Any]) -> None:
        self.rules = rules
        self.players = rules.players
        self.data = data
        self.problems: list[Problem] = []
        # By field; each is told when a chapter needs it, in the order of the chapters.
        self.misread: dict[str, list[Problem]] = {}
        self.told: Any = None

    def __getattr__(self, name: str) -> Any:
        # What a chapter would have found that was passed over.
        if name.startswith("__") or not (self.__dict__.get("problems") or any(self.__dict__.get("misread", {}).values())):
            raise AttributeError(name)
        raise Unread(name)

    def view(self) -> bytes:
        """The view's bytes; raises BadView for the first problem, with all others beside it."""
        self.told = ReadFields(self.schema.values(self.rules, self.data, self.problems, self.misread))
        for gap in self.gaps:
            if not self.schema.is_told(gap, self.data):
                self.told.__dict__.pop(gap, None)
                self.attempt(partial(self.fill, gap), is_gap=True)
        for chapter in self.chapters:
            for name in self.reads.get(chapter, "").split():
                self.problems += self.misread.pop(name, ())
            self.attempt(getattr(self, chapter))
        self.problems += [problem for problems in self.misread.values() for problem in problems]
        for one in self.schema.fields:
            if one.own and self.data.get("seat", 0) is None and self.data.get(one.name) is not None:
                self.problems.append(Problem(one.name, problem_text("spectator")))
        self.refuse_problems()
        return self.finished()

    def refuse_problems(self) -> None:
        if self.problems:
            first, *_ = told = self.problems[:MOST_PROBLEMS]
            raise BadView(first.field, first.problem, told)

    def fill(self, name: str) -> None:
        setattr(self.told, name, getattr(self, f"find_{name}")())

    def attempt(self, chapter: Callable[[], None], *, is_gap: bool = False) -> None:
        try:
            chapter()
        except Unread as unread:
            self.problems += () if is_gap else self.misread.pop(str(unread), ())
            if not self.problems and not any(self.misread.values()):
                raise
        except Refused as refused:
            self.problems.append(refused.problem)

    def finished(self) -> bytes:
        struct = self.schema.struct(self.rules, self.told, self.native.view_fields(self.native.empty_view()))
        for path, raw in self.struct().items():
            put(struct, path.split("."), raw)
        view = bytes(self.native.view_bytes(struct))
        self.attempt(lambda: self.whole(view))
        self.compare(self.schema.json(self.rules, struct))
        self.refuse_problems()
        return view

    def struct(self) -> Mapping[str, Any]:
        """What the engine's View holds besides: by path, as `table.mover`, or for a struct in it a mapping."""
        return {}

    def whole(self, view: bytes) -> None:
        """The last chapter: refuses what only the compiled engine finds, in a view where all else is right."""

    def compare(self, again: Mapping[str, Any]) -> None:
        """What was told must be what the whole comes to."""
        for name, value in self.data.items():
            one = self.schema.by_name[name]
            if one.told_only or value == again[name] or not self.schema.is_told(name, self.data):
                continue
            if not one.type.agrees(value, again[name]):
                problem = problem_text("otherwise", value=shown(value), result=shown(again[name]))
                self.problems.append(Problem(name, problem))

    def refuse(self, name: str, key: str, /, **parts: object) -> NoReturn:
        """A field contradicts the rest: ends the chapter."""
        raise Refused(name, self.phrases.wording(f"problems.{key}", **parts))

    def tell(self, is_so: object, name: str, key: str, /, **parts: object) -> None:
        """Notes where something is not as it must be; the chapter goes on, for what follows does not depend on it."""
        if not is_so:
            self.problems.append(Problem(name, self.phrases.wording(f"problems.{key}", **parts)))

    def expect(self, is_so: object, name: str, key: str, /, **parts: object) -> None:
        """Refuses a field where something is not as it must be."""
        if not is_so:
            self.refuse(name, key, **parts)

    def tell_by_seat(self, name: str, values: Sequence[int], most: int) -> None:
        """Notes what is larger than the rest of the view allows; the chapter goes on."""
        for seat, value in enumerate(values):
            if value > most:
                self.problems.append(Problem(f"{name}[{seat}]", problem_text("number", value=value, least=0, most=most)))

    def json_of(self, name: str, value: Any) -> Any:
        """A value of that field's type as JSON."""
        return self.schema.by_name[name].type.json(self.rules, value)

    def number(self, name: str, value: int, least: int, most: int) -> int:
        """A number that the rest of the view bounds."""
        if not least <= value <= most:
            raise Refused(name, problem_text("number", value=value, least=least, most=most))
        return value

    def items(self, name: str, value: list[Any], count: int) -> list[Any]:
        """A list whose length follows from the rest of the view."""
        if len(value) != count:
            raise Refused(name, problem_text("list_of", value=shown(value), count=count))
        return value


def have_room(room: Sequence[int], hands: Iterable[tuple[int, int]]) -> bool:
    """Whether hands can be made of what is unseen: `room` is how much there is of each class, such as a suit.

    A hand is the classes that it must not hold, as bits, and its size. Hall's condition: whatever classes one looks at, the hands
    that can hold nothing else find room in them.
    """
    bound, every = list(hands), (1 << len(room)) - 1
    return all(
        sum(size for banned, size in bound if not every & ~banned & ~some)
        <= sum(n for one, n in enumerate(room) if some >> one & 1)
        for some in range(1 << len(room))
    )


def clockwise(seats: Sequence[int], first: int) -> list[int]:
    """The seats in the order in which they play."""
    return sorted(seats, key=lambda seat: (seat < first, seat))
