"""Which plans of agency are likeliest gone where somebody remembers only what they came to."""

from collections import Counter
from functools import cache
from math import comb

from machiavel.engines.agency.deck import AgencyDeck
from machiavel.engines.errors import BadView

__all__ = ["plans_gone"]

Chosen = tuple[int, ...]


def plans_gone(
    deck: AgencyDeck, told: Counter[str], shown: Counter[str], *, count: int, points: int | None, may_be_more: bool
) -> Counter[str]:
    """So many plans, or perhaps one more, worth so many points (None: any), among them those told and none of those shown.

    Of all such sets it is one that most deals lead to; the first of equals. Raises BadView where there is none.
    """
    texts = {kind: deck.kind_texts[kind] for kind, held in enumerate(deck.counts) if held}
    fixed = [min(told[text], deck.counts[kind]) for kind, text in texts.items()]
    free = [deck.counts[kind] - least - shown[text] for (kind, text), least in zip(texts.items(), fixed, strict=True)]
    values = [deck.kinds[kind][0] for kind in texts]
    worth = sum(value * least for value, least in zip(values, fixed, strict=True))
    for more in (0, 1) if may_be_more and points is not None else (0,):
        wanted = None if points is None else points - worth
        chosen = likeliest(tuple(values), tuple(max(0, one) for one in free), count + more - sum(fixed), wanted)
        if chosen is not None:
            return Counter({text: least + one for text, least, one in zip(texts.values(), fixed, chosen, strict=True)})
    raise BadView("plan_points", f"sum up to {points}; no {count} plans of the match that may be gone do, with those told")


def likeliest(values: Chosen, free: Chosen, count: int, points: int | None) -> Chosen | None:
    """How many of each kind, by the number of ways to draw them; None where nothing fits."""

    @cache
    def best(kind: int, count: int, points: int | None) -> tuple[int, Chosen] | None:
        if kind == len(values):
            return (1, ()) if count == 0 and points in {0, None} else None
        result: tuple[int, Chosen] | None = None
        for one in range(min(free[kind], count) + 1):
            left = None if points is None else points - one * values[kind]
            rest = best(kind + 1, count - one, left) if left is None or left >= 0 else None
            if rest is not None and (result is None or rest[0] * comb(free[kind], one) > result[0]):
                result = (rest[0] * comb(free[kind], one), (one, *rest[1]))
        return result

    result = best(0, count, points) if count >= 0 and (points is None or points >= 0) else None
    return None if result is None else result[1]
