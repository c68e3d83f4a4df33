"""Worlds in which a view comes out as somebody answered: found by the bits of the view that the answers decide."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import combinations, zip_longest
from typing import TYPE_CHECKING, Any

from machiavel.engines.counted_views import MOST_ANSWERS, PROOF
from machiavel.engines.errors import BadView, GameError, said, shown
from machiavel.engines.view_differences import Place, ViewDifference, put_value, value_at, value_or_absent

if TYPE_CHECKING:
    from machiavel.engines.following import Following

__all__ = ["Sieves"]

MADE_OUT_OF = 200  # views that an answer is put into that none of them has
MOST_PAIRS = 32  # beside those, of views that differ in it and not in the bits found
PAIRS = 8  # of views that differ in an answer, by which its bits are found
KEPT = 512  # views that fit the same answers; when so many fit all that worlds bring, no more are needed
READ, FEWEST = 2048, 32  # views that are looked at for one set of answers, and of each sort among them
EXPECTED = 48  # worlds that should fit two answers, if one had nothing to do with the other
GLANCE = 64  # views in which it is looked for whether anything can follow at all
STEP_FIRST, STEP = 1024, 8192  # worlds that are sifted at a time


class Sieves:
    """The views after a move that fit some of the answers, as far as worlds bring such views."""

    def __init__(self, following: "Following", told: Mapping[str, Any], open_ones: Sequence[ViewDifference]) -> None:
        """`open_ones` have not been answered, and may follow."""
        self.following = following
        self.plugin, self.rules = following.plugin, following.rules
        self.told = dict(told)
        ones = list(self.told_ones())
        self.ones = sorted(ones, key=lambda one: len(one.possible))[:MOST_ANSWERS]
        self.is_every = len(ones) <= MOST_ANSWERS
        self.open_ones = open_ones
        self.kept: dict[int, list[bytes]] = {}
        self.refuted: dict[str, list[int]] = {
            one.name: [] for one in open_ones
        }  # answers, as bits, from which it does not follow
        self.sift()

    def told_ones(self) -> Iterator[ViewDifference]:
        """The places that were told; a row that was told from end to end is one, whose bits do not depend on where it begins."""
        ones = [one for one in self.following.differences if one.name in self.told]
        for row in [one for one in ones if one.longest is not None]:
            place, data = row.place[:-1], {"row": list(row.longest or ())}
            inside = [one for one in self.following.differences if one.place[:-1] == place]
            told = [one for one in inside if one in ones]
            if any(one not in told and int(one.place[-1]) < self.told[row.name] for one in inside):
                continue
            values = [value_at(view, place) for view in self.following.read]
            whole = ViewDifference(place, None, values)
            for one in told:
                put_value(data, ViewDifference(("row", one.place[-1]), None, (), one.longest), self.told[one.name])
            self.told[whole.name] = data["row"]
            ones = [whole, *(one for one in ones if one not in told)]
        yield from ones

    def sift(self) -> None:
        sieves = [(number, *bits) for number, one in enumerate(self.ones) for bits in self.bits(one)]
        self.sifted = {number for number, *_ in sieves}
        successors, effort = self.following.other_worlds(), self.following.effort
        while sieves and successors.tried < effort.sifted:
            successors.sift(min(STEP, successors.tried or STEP_FIRST), sieves, self.kept, KEPT)
            self.following.go_on()
            if successors.tried & (successors.tried - 1) == 0 and self.nothing_follows():
                break
            if successors.tried >= effort.sifted_first and not self.is_wanting(effort.sifted / successors.tried):
                break
        self.played = max(1, successors.played)

    def is_wanting(self, left: float) -> bool:
        """Whether some answers are fitted by too few worlds to prove anything, and not by too few of so many times as many.

        What is wanted of some does not depend on the other answers, so that an answer more never leaves more open.
        """
        sizes = range(1, len(self.sifted) + 1)
        counts = (self.count(some) for size in sizes for some in combinations(sorted(self.sifted), size))
        return any(count < KEPT and count * left >= PROOF for count in counts)

    def fitting_all(self) -> Mapping[bytes, int]:
        """Views that fit all answers, and how often they came; none where some answer could not be sifted by."""
        answers = sum(1 << number for number in range(len(self.ones)))
        return Counter(self.kept.get(answers, ()) if self.is_every else ())

    def settled(self) -> dict[str, Any]:
        """The values that follow from the answers."""
        self.refuse_clashes()
        result: dict[str, Any] = {}
        for size in range(len(self.sifted), 0, -1):
            for some in combinations(sorted(self.sifted), size):
                answers = sum(1 << number for number in some)
                ones = [one for one in self.left(answers) if one.name not in result]
                views = self.fitting(answers) if ones else []
                if len(views) >= PROOF:
                    result |= self.shared(ones, views, answers)
        return result

    def nothing_follows(self) -> bool:
        """Whether views that fit all answers differ in all that is open: then fewer answers tell nothing of it, either."""
        answers = sum(1 << number for number in self.sifted)
        ones, views = self.left(answers), self.fitting(answers)[:GLANCE]
        if ones and views:
            self.shared(ones, views, answers)
        return not self.left(answers)

    def left(self, answers: int) -> list[ViewDifference]:
        """Those that may follow from these answers; what does not follow from more does not follow from fewer."""
        return [one for one in self.open_ones if not any(more & answers == answers for more in self.refuted[one.name])]

    def shared(self, ones: Sequence[ViewDifference], views: Sequence[bytes], answers: int) -> dict[str, Any]:
        """The values that are the same in all views, which fit these answers; the others are refuted."""
        first = self.json(views[0])
        values = {one.name: next((value for value in one.values if is_there(first, one.place, value)), None) for one in ones}
        for view in dict.fromkeys(views):
            data = self.json(view)
            for one in [one for one in ones if one.name in values and not is_there(data, one.place, values[one.name])]:
                del values[one.name]
                self.refuted[one.name].append(answers)
            if not values:
                break
        return values

    def fitting(self, answers: int) -> list[bytes]:
        """Views that fit these answers; some of each sort that fits others, too, or does not: one of each in turns."""
        groups = [views for fits, views in self.kept.items() if fits & answers == answers]
        some = max(FEWEST, READ // max(1, len(groups)))
        turns = zip_longest(*(views[:some] for views in groups))
        return [view for turn in turns for view in turn if view is not None]

    def json(self, view: bytes) -> dict[str, Any]:
        return self.following.json(view)

    def refuse_clashes(self) -> None:
        """Refuses two answers of which worlds bring each, and never both."""
        counts = {some: self.count(some) for size in (1, 2) for some in combinations(sorted(self.sifted), size)}
        for (first, second), both in ((some, count) for some, count in counts.items() if len(some) == 2):
            if not both and counts[first,] * counts[second,] / self.played >= EXPECTED:
                one, other = self.ones[first], self.ones[second]
                facts = {"value": shown(self.told[one.name]), "other": other.name, "told": shown(self.told[other.name])}
                raise BadView(one.name, said("answers_clash", **facts))

    def count(self, some: Sequence[int]) -> int:
        wanted = sum(1 << number for number in some)
        return sum(len(views) for fits, views in self.kept.items() if fits & wanted == wanted)

    # ---- Which bits of a view an answer decides ----

    def bits(self, one: ViewDifference) -> list[tuple[bytes, bytes]]:
        """A mask, and what a view has under it that fits the answer; none where that cannot be told.

        Where some value has several forms, as a time that is reckoned from two numbers, there may be forms that no sample has.
        """
        key, mask = one.key(self.told[one.name]), self.mask(one)
        bits, forms = int.from_bytes(mask, "big"), dict[str, int]()
        for number, other in zip(self.following.numbers, one.keys, strict=True):
            if forms.setdefault(other, number & bits) != number & bits:
                return []
        made_up = [] if key in forms else self.made_up(one)
        fitting = {forms[key]} if key in forms else {int.from_bytes(view, "big") & bits for view in made_up}
        if len(fitting) != 1 or (made_up and fitting & set(forms.values())):
            return []
        return [(mask, form.to_bytes(len(mask), "big")) for form in fitting]

    def mask(self, one: ViewDifference) -> bytes:
        """The bits with which its value changes; found once for a move."""
        known = self.following.masks.get(one.name)
        if known is None:
            known = self.following.masks[one.name] = self.found_mask(one)
        return known

    def found_mask(self, one: ViewDifference) -> bytes:
        mask = bytearray(len(self.following.samples[0]))
        for first, second in self.pairs(one):
            self.enlarge(mask, one, first, second)
        for _ in range(MOST_PAIRS):
            confused = self.confused(one, int.from_bytes(mask, "big"))
            before = bytes(mask)
            if confused:
                self.enlarge(mask, one, *confused)
            if before == mask:
                break
        return bytes(mask)

    def enlarge(self, mask: bytearray, one: ViewDifference, first: bytes, second: bytes) -> None:
        """Adds the bits in which two views with different values differ, as far as they change the value."""
        for at, (mine, yours) in enumerate(zip(first, second, strict=True)):
            bits = (mine ^ yours) & ~mask[at]
            if not bits or self.is_same(one, first, changed(first, at, bits)):
                continue
            for bit in (1 << number for number in range(8) if bits >> number & 1):
                if bits == bit or not self.is_same(one, first, changed(first, at, bit)):
                    mask[at] |= bit

    def confused(self, one: ViewDifference, bits: int) -> tuple[bytes, bytes] | None:
        """Two views that are the same in these bits, and not in the value."""
        seen: dict[int, tuple[str, bytes]] = {}
        for number, key, sample in zip(self.following.numbers, one.keys, self.following.samples, strict=True):
            other, first = seen.setdefault(number & bits, (key, sample))
            if other != key:
                return first, sample
        return None

    def pairs(self, one: ViewDifference) -> list[tuple[bytes, bytes]]:
        samples, step = self.following.samples, max(1, len(self.following.samples) // PAIRS)
        other = dict(zip(one.keys, samples, strict=True))
        result = []
        for number in range(0, len(samples), step):
            unlike = next((sample for key, sample in other.items() if key != one.keys[number]), None)
            if unlike is not None:
                result.append((samples[number], unlike))
        return result

    def is_same(self, one: ViewDifference, sample: bytes, other: bytes) -> bool:
        try:
            value = value_or_absent(self.json(other), one.place)
        except (ArithmeticError, LookupError, TypeError, ValueError, GameError):  # no view has such bits
            return True
        return one.key(value) == one.key(value_or_absent(self.json(sample), one.place))

    def made_up(self, one: ViewDifference) -> list[bytes]:
        """Views with the answer put in, where the rest of one that came about allows it."""
        result = []
        for sample in self.following.read[:MADE_OUT_OF]:
            data = deepcopy(sample)
            try:
                put_value(data, one, self.told[one.name])
                result.append(self.plugin.view_bytes(self.rules, data))
            except (GameError, LookupError):  # the view has no such place, or no such value there
                continue
            if len(result) == PAIRS:
                break
        return result


def changed(view: bytes, at: int, bits: int) -> bytes:
    """The view with these bits of a byte turned over."""
    return view[:at] + bytes([view[at] ^ bits]) + view[at + 1 :]


def is_there(view: Mapping[str, Any], place: Place, value: Any) -> bool:
    return bool(value_or_absent(view, place) == value)
