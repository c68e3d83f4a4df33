"""The different views after a move where they are few: counted, world by world, until it is plain that there are no others."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from machiavel.engines.errors import BadView, said, shown
from machiavel.engines.view_differences import ViewDifference, value_or_absent

if TYPE_CHECKING:
    from machiavel.engines.following import Following

__all__ = ["FEW", "MOST_ANSWERS", "PROOF", "CountedViews", "follows_from", "possible_among"]

FEW = 64  # values that are named
MOST_ANSWERS = 8  # that are taken together and apart: each one more doubles the work
PROOF = 512  # worlds that agree in all that is asked of them: fewer prove nothing
RAREST = 3  # worlds that bring each view, or value: where some came once or twice, there are more that never came
STEP = 8192  # worlds that are looked at at a time


class CountedViews:
    """All different views that worlds bring, each with how often it came.

    `is_whole`: none was left out for being one too many. `is_closed`: worlds bring no other, as far as counting can tell. Neither
    depends on what is answered, so that an answer more never leaves more open.
    """

    def __init__(self, following: "Following") -> None:
        self.following = following
        self.ones = {one.name: one for one in following.differences}
        successors, effort = following.successors, following.effort
        found = successors.found
        while len(found) < effort.read and successors.tried < effort.sifted:
            if successors.played >= effort.counted and min(found.values()) >= RAREST:
                break
            successors.look(min(STEP, successors.tried), effort.read)
            following.go_on()
        self.is_whole = len(found) < effort.read
        self.is_enough = successors.played >= effort.counted // 4  # to say what never comes
        self.is_closed = self.is_whole and self.is_enough and min(found.values()) >= RAREST
        self.views = [following.json(view) for view in found] if self.is_whole else following.read
        self.times = [found[view] for view in (found if self.is_whole else following.samples)]
        self.keys: dict[str, list[str]] = {}

    def keys_of(self, name: str) -> list[str]:
        """What stands at a place, view by view."""
        if name not in self.keys:
            one = self.ones[name]
            self.keys[name] = [one.key(value_or_absent(view, one.place)) for view in self.views]
        return self.keys[name]

    def fitting(self, told: Mapping[str, Any]) -> list[int]:
        """The numbers of the views that have these values, by place."""
        result: Iterable[int] = range(len(self.views))
        for name, value in told.items():
            key, keys = self.ones[name].key(value), self.keys_of(name)
            result = [number for number in result if keys[number] == key]
        return list(result)

    def worlds(self, numbers: Iterable[int]) -> int:
        """How many bring these views."""
        return sum(self.times[number] for number in numbers)

    def settled(self, told: Mapping[str, Any], open_ones: Sequence[ViewDifference]) -> dict[str, Any]:
        """The values that follow from what was told, or from a part of it that so many worlds bring that it proves something."""
        if self.is_closed:
            return self.shared(self.fitting(told), open_ones)
        names = sorted(told, key=lambda name: len(self.ones[name].possible))[:MOST_ANSWERS]
        fits = self.fits({name: told[name] for name in names})
        result: dict[str, Any] = {}
        left = list(open_ones)
        for some in sorted(range(1, 1 << len(names)), key=int.bit_count, reverse=True):
            if not left:
                break
            self.following.go_on()
            numbers = [number for number, fit in enumerate(fits) if fit & some == some]
            if self.worlds(numbers) >= PROOF:
                result |= self.shared(numbers, left)
                left = [one for one in left if one.name not in result]
        return result

    def fits(self, told: Mapping[str, Any]) -> list[int]:
        """The answers that each view agrees with, as bits in their order."""
        result = [0] * len(self.views)
        for bit, (name, value) in enumerate(told.items()):
            key = self.ones[name].key(value)
            result = [fit | (mine == key) << bit for fit, mine in zip(result, self.keys_of(name), strict=True)]
        return result

    def shared(self, numbers: Sequence[int], ones: Sequence[ViewDifference]) -> dict[str, Any]:
        """The values that are the same in all of these views."""
        same = [one for one in ones if len({self.keys_of(one.name)[number] for number in numbers}) == 1]
        return {one.name: value_or_absent(self.views[numbers[0]], one.place) for one in same}

    def refuse_impossible(self, told: Mapping[str, Any]) -> None:
        """Raises BadView for an answer that no world brings, alone or with the others."""
        for name, value in told.items():
            self.refuse_unknown(self.ones[name], value)
        if not self.is_closed or self.fitting(told):
            return
        for one, other in combinations(told, 2):
            if not self.fitting({one: told[one], other: told[other]}):
                raise BadView(one, said("answers_clash", value=shown(told[one]), other=other, told=shown(told[other])))
        *others, last = told
        raise BadView(last, said("answers_all_clash", value=shown(told[last]), others=", ".join(others)))

    def refuse_unknown(self, one: ViewDifference, value: Any) -> None:
        counts: Counter[str] = Counter()
        for key, times in zip(self.keys_of(one.name), self.times, strict=True):
            counts[key] += times
        is_known = self.is_whole or (not one.is_heap and len(counts) <= FEW)  # what views left out have is among them
        if one.key(value) in counts or not (is_known and self.is_enough and min(counts.values()) >= RAREST):
            return
        known = "" if one.is_heap or len(one.possible) > FEW else ", ".join(map(shown, one.possible.values()))
        raise BadView(one.name, said("answer_never", value=shown(value), known=known))


def possible_among(one: ViewDifference, views: Sequence[Mapping[str, Any]], times: Sequence[int] | None) -> ViewDifference | None:
    """The same place with the values that it has among these views alone, each of which came so often.

    None where some value came so seldom that there may be others; without `times` there are no others.
    """
    values = [value_or_absent(view, one.place) for view in views]
    counts: Counter[str] = Counter()
    for number, value in enumerate(values):
        counts[one.key(value)] += RAREST if times is None else times[number]
    return ViewDifference(one.place, one.type, values, one.longest) if min(counts.values(), default=0) >= RAREST else None


def follows_from(keys: Sequence[str], others: Sequence[Sequence[str]], times: Sequence[int], least: int) -> bool:
    """Whether views that agree in the others agree in it, where at least so many worlds repeat it."""
    if not others:
        return False
    seen: dict[tuple[str, ...], str] = {}
    repeated = 0
    for key, count, *rest in zip(keys, times, *others, strict=True):
        if seen.setdefault(tuple(rest), key) != key:
            return False
        repeated += count
    return repeated - len(seen) >= least
