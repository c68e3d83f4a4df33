"""From a view and a move as its seat saw it to the view after it: what is the same in all worlds is known, the rest is asked."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from machiavel.engines._following import Successors, move_limit
from machiavel.engines.answer_sieves import Sieves
from machiavel.engines.counted_views import FEW, PROOF, CountedViews, follows_from, possible_among
from machiavel.engines.errors import (
    AmbiguousMove,
    BadView,
    GameError,
    GameFault,
    IllegalMove,
    MatchOver,
    NotAMove,
    NotToMove,
    Problem,
    said,
    shown,
)
from machiavel.engines.fields import Place as ValuePlace
from machiavel.engines.view_differences import (
    ABSENT,
    COUNT,
    ViewDifference,
    by_text,
    differences,
    is_within,
    name_of,
    put_value,
    value_or_absent,
)

if TYPE_CHECKING:
    from machiavel.engines._face import View
    from machiavel.engines.plugin import Rules

__all__ = ["FULL", "Followed", "Following", "FollowingEffort", "FollowingStopped", "ViewQuestion", "follow", "mover_of"]

PAIRS = 400  # worlds that agree in what is asked: fewer prove nothing
LEGAL_IN = 64  # worlds whose moves an error names


Views = Sequence[Mapping[str, Any]]  # as JSON
Among = tuple[Views, Sequence[int], bool]  # how often each came, and whether there are no others


class FollowingEffort(NamedTuple):
    """How many worlds are looked at."""

    played: int = 16384  # in which the move is legal
    alike: int = 4096  # the same, where nothing differs in any of them
    tried: int = 1 << 20  # for these at the most
    read: int = 1200  # different views whose differences are looked at in full
    counted: int = 32768  # in which the move is legal, until it is plain which views there are
    sifted: int = 1 << 20  # for views that fit what was answered, at the most
    sifted_first: int = 1 << 15  # of these, before it is known which answers worlds bring at all


FULL = FollowingEffort()


class FollowingStopped(Exception):
    """Whoever asked does not want to know any more."""


@dataclass(frozen=True)
class ViewQuestion:
    """Something that the seat sees after a move, and that follows neither from its view nor from the move.

    `place` is where it stands in the view, such as `hand` or `attack.spies`. Of things in any order `known` are those that are
    there for certain, and `more` is how many there are besides, or None. `possible` are all values it may have, or all things
    that may be there besides those known; empty where they are many.
    """

    place: str
    field: str
    known: Any
    more: int | None
    possible: Sequence[Any]
    difference: ViewDifference


@dataclass(frozen=True)
class Followed:
    """The view after a move, or None and what must be asked for, the most telling first.

    `mover` made it, and `move` is its text as it was seen. It is legal in `worlds` of those looked at.
    """

    view: "View | None"
    questions: Sequence[ViewQuestion]
    worlds: int
    mover: int
    move: str


def follow(
    view: "View",
    move: str,
    seat: int | None = None,
    answers: Mapping[str, Any] | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Followed:
    """The view after a move as the view's seat saw it, made by `seat`: whoever is asked next, unless told otherwise.

    `answers` are by `ViewQuestion.place`. It takes the view alone, and the same arguments give the same result. Raises MatchOver,
    NotToMove, NotAMove, IllegalMove, AmbiguousMove, BadView for an answer that cannot be, and GameFault; FollowingStopped soon
    after `is_stopped` says so.
    """
    return Following(view, move, seat, is_stopped).result(answers or {})


class Following:
    """A move that was seen, in worlds of the view before it."""

    def __init__(
        self,
        view: "View",
        move: str,
        seat: int | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
        effort: FollowingEffort = FULL,
    ) -> None:
        self.effort = effort
        self.view = view
        self.is_stopped = is_stopped
        self.rules: Rules = view.rules
        self.plugin = view.game.plugin
        self.mover = mover_of(view, seat)
        self.move = move
        self.masks: dict[str, bytes] = {}  # by place, the bits of views that decide what stands there
        self.written: dict[bytes, dict[str, Any]] = {}
        self.successors = self.play(seen_moves(view, self.mover, move))
        self.worlds = self.successors.played
        self.samples = list(self.successors.found)
        is_whole = len(self.samples) < effort.read
        self.times = list(self.successors.found.values()) if is_whole else [1] * len(self.samples)

    def play(self, moves: Sequence[int]) -> Successors:
        """Worlds in which one of these moves is legal, and is played."""
        fitting = [move for move in moves if len(moves) == 1 or self.is_public(move) or self.is_legal(move)]
        by_text = {self.plugin.public_text(self.rules, one): one for one in fitting}
        if len(by_text) > 1 and self.mover != self.view.seat:
            legal = [text for text, one in by_text.items() if self.is_legal(one)]
            if len(legal) > 1:
                raise AmbiguousMove(self.move, self.mover, legal)
            fitting = [one for text, one in by_text.items() if text in legal] or fitting
        self.moves = fitting
        result = Successors(self.view, self.mover, fitting, 0)
        while result.played < self.effort.played and result.tried < self.effort.tried:
            result.look(min(1024, self.effort.tried), self.effort.read)
            self.go_on()
            if result.played >= self.effort.alike and len(result.found) == 1:
                break
        if not result.played:
            raise IllegalMove(self.move, self.mover, said("nowhere_legal"), legal_somewhere(self.view, self.mover))
        return result

    def go_on(self) -> None:
        if self.is_stopped():
            raise FollowingStopped

    def is_public(self, move: int) -> bool:
        return bool(self.plugin.public_text(self.rules, move) == self.move)

    def is_legal(self, move: int) -> bool:
        trial = Successors(self.view, self.mover, [move], 0)
        while not trial.played and trial.tried < self.effort.played:
            trial.look(1024, 1)
            self.go_on()
        return trial.played > 0

    # ---- What differs ----

    def other_worlds(self) -> Successors:
        """Worlds in which the move is played, from the first of them on."""
        return Successors(self.view, self.mover, self.moves, 1)

    @cached_property
    def numbers(self) -> list[int]:
        """The samples as numbers."""
        return [int.from_bytes(one, "big") for one in self.samples]

    @cached_property
    def read(self) -> list[dict[str, Any]]:
        return [self.json(one) for one in self.samples]

    def json(self, view: bytes) -> dict[str, Any]:
        """A view as JSON, which nobody changes; written once."""
        if view not in self.written:
            self.written[view] = self.plugin.view_json(self.rules, view)
        return self.written[view]

    @cached_property
    def differences(self) -> list[ViewDifference]:
        """The most telling first: things before numbers, what may be much before what may be little."""
        found = differences(self.plugin.views, self.read)
        return sorted(found, key=lambda one: (self.rank(one), -len(one.possible)))

    def rank(self, one: ViewDifference) -> int:
        """What a table draws, or who is asked, is easier to tell than a mark beside a seat, or what only bots remember."""
        fields = {} if self.plugin.views is None else self.plugin.views.by_name
        field = fields.get(str(one.place[0]))
        is_drawn = field is None or field.zone not in {"", "seat"} or field.left_out.kind in {"never", "spectators"}
        return (0 if tells_things(one) else 1) if is_drawn else 3 if tells_things(one) else 2

    @cached_property
    def counted(self) -> CountedViews:
        return CountedViews(self)

    def result(self, answers: Mapping[str, Any]) -> Followed:
        self.go_on()
        told = self.checked(answers)
        open_ones = [one for one in self.differences if one.name not in told]
        settled: dict[str, Any] = {}
        among: Among = (self.read, self.times, False)
        if told:
            self.counted.refuse_impossible(told)
            settled, among = self.settled(told, open_ones)
        open_ones = list(self.within_rows(open_ones, told, settled))
        if open_ones:
            asked = self.worth_asking(open_ones, told, *among)
            return self.followed(None, [self.question(one, *among) for one in asked])
        values = {one.name: told.get(one.name, settled.get(one.name)) for one in self.differences}
        return self.followed(self.after(values, answers), ())

    def within_rows(
        self, ones: Iterable[ViewDifference], told: Mapping[str, Any], settled: dict[str, Any]
    ) -> Iterator[ViewDifference]:
        """Those that may be asked: what may stand beyond the end of a row waits until its length is known."""
        for one in ones:
            if ABSENT in one.values:
                count = name_of((*one.place[:-1], COUNT))
                size = told.get(count, settled.get(count))
                if size is None:
                    continue
                if size <= int(one.place[-1]):
                    settled[one.name] = ABSENT
            if one.name not in settled:
                yield one

    def settled(self, told: Mapping[str, Any], open_ones: Sequence[ViewDifference]) -> "tuple[dict[str, Any], Among]":
        """What follows from the answers, and views that fit them."""
        counted = self.counted
        if counted.is_whole:
            numbers = counted.fitting(told)
            among = [counted.views[number] for number in numbers], [counted.times[number] for number in numbers]
            return counted.settled(told, open_ones), (*among, counted.is_closed)
        sieves = Sieves(self, told, open_ones)
        settled, views = sieves.settled(), sieves.fitting_all()
        return settled, ([self.json(view) for view in views], list(views.values()), False)

    def followed(self, view: "View | None", questions: Sequence[ViewQuestion]) -> Followed:
        text = self.plugin.move_text if self.mover == self.view.seat else self.plugin.public_text
        return Followed(view, questions, self.worlds, self.mover, text(self.rules, self.moves[0]))

    def checked(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """The answers by place, whole; raises BadView for those that cannot be."""
        by_name = {one.name: one for one in self.differences}
        problems: list[Problem] = []
        result = {}
        for name, answer in answers.items():
            one = by_name.get(name)
            if one is None:
                problems.append(Problem(name, said("nothing_to_answer", asked=", ".join(by_name) or said("nothing"))))
                continue
            value = by_text(one.type, self.rules, answer)
            if one.type is not None:
                before = len(problems)
                ValuePlace(self.rules, name, problems).whole(one.type, value)
                if len(problems) > before:
                    continue
            result[name] = one.whole(value)
        if problems:
            raise BadView(problems[0].field, problems[0].problem, problems)
        return result

    def question(self, one: ViewDifference, *among: Any) -> ViewQuestion:
        possible: Sequence[Any] = list(self.narrowed(one, *among).possible.values())
        if one.is_heap:
            known = one.known
            things = {} if isinstance(known, dict) else Counter(item for value in possible for item in set(value or ()))
            possible = sorted((item for item in things if item not in (known or ())), key=str)
        return ViewQuestion(one.name, str(one.place[0]), one.known, one.more, possible if len(possible) <= FEW else (), one)

    def narrowed(self, one: ViewDifference, views: Views, times: Sequence[int], is_all: bool) -> ViewDifference:
        """The same place with the values that fit the answers, where they are known."""
        if views is self.read or not (is_all or sum(times) >= PROOF):
            return one
        return possible_among(one, views, None if is_all else times) or one

    def worth_asking(
        self, ones: Sequence[ViewDifference], told: Iterable[str], views: Views, times: Sequence[int], is_all: bool
    ) -> list[ViewDifference]:
        """Without those that follow from the answers to others: as far as views tell that agree in these."""
        if not is_all and sum(times) < PROOF:  # so few fit what was told that views are taken that may not
            views, times = self.read, self.times
        given = [one for one in self.differences if one.name in told and views is self.read and len(one.possible) <= FEW]
        keys = {one.name: [one.key(value_or_absent(view, one.place)) for view in views] for one in (*ones, *given)}
        asked = list(ones)

        def follows(one: ViewDifference, others: Sequence[ViewDifference]) -> bool:
            rows = [keys[other.name] for other in others]
            return follows_from(keys[one.name], rows, times, 0 if is_all else PAIRS)

        for one in reversed(ones):
            others = [other for other in asked if other is not one]
            few = [other for other in others if len(other.possible) <= FEW]
            sets = [*([other] for other in others), few, [*few, *given] if few else []]
            if any(follows(one, some) for some in sets):
                asked = others
        return asked

    def after(self, values: Mapping[str, Any], answers: Mapping[str, Any]) -> "View":
        data = deepcopy(self.read[0])
        for one in sorted(self.differences, key=lambda one: one.longest is None):  # rows have their length first
            put_value(data, one, values[one.name])
        head = self.view.to_json()
        try:
            result = self.view.game.view_from_json({**head, "view": data})
        except GameFault:
            raise
        except BadView as error:
            name = next((name for name in answers if is_within(error.field, name)), next(iter(answers), error.field))
            facts = {"value": shown(values.get(name)), "field": error.field, "problem": error.problem}
            raise BadView(name, said("answer_clashes", **facts)) from None
        return result


def tells_things(one: ViewDifference) -> bool:
    """Whether it is cards, dice and the like: others follow from them rather than they from others."""
    described = "" if one.type is None else str(one.type.describe()["type"])
    return described not in {"number", "seat", "seats", "flag", "choice", "by_seat"}


# ---- Moves as they are seen ----


def mover_of(view: "View", seat: int | None) -> int:
    mover = view.determinize(0).seat_to_move
    if mover is None:
        raise MatchOver
    if seat is not None and seat != mover:
        raise NotToMove(seat, (mover,))
    return mover


def seen_moves(view: "View", mover: int, move: str) -> Sequence[int]:
    """The numbers of the moves that the text may have been."""
    if not isinstance(move, str):
        raise TypeError(f"a move is a text, not {move!r}")
    if mover == view.seat:
        return [view.determinize(0).resolve(move, mover)]
    plugin, rules = view.game.plugin, view.rules
    by_text = public_moves(view)
    if move in by_text:
        return by_text[move]
    numbers = plugin.parse_move(rules, move)
    shown_moves = [one for one in numbers if plugin.public_text(rules, one) == plugin.move_text(rules, one)]
    if not shown_moves:
        raise NotAMove(move, said("as_seen", text=plugin.public_text(rules, numbers[0])))
    return shown_moves


def public_moves(view: "View") -> Mapping[str, Sequence[int]]:
    """All moves by how those see them who may not know what they were."""
    made = view.rules.made
    if "public moves" not in made:
        result: dict[str, list[int]] = {}
        for number in range(move_limit(view.game)):
            try:
                result.setdefault(view.game.plugin.public_text(view.rules, number), []).append(number)
            except (LookupError, ValueError):  # no move has that number
                continue
        made["public moves"] = result
    found: Mapping[str, Sequence[int]] = made["public moves"]
    return found


def legal_somewhere(view: "View", mover: int) -> list[str]:
    """What may be legal for all that the view tells."""
    plugin, rules = view.game.plugin, view.rules
    numbers: set[int] = set()
    for seed in range(LEGAL_IN):
        try:
            numbers.update(view.determinize(seed).moves_of(mover))
        except GameError:
            break
    return list(dict.fromkeys(plugin.public_text(rules, number) for number in sorted(numbers)))
