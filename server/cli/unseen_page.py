"""How the map of unseen cards looks in the terminal: a line for all things that are as likely everywhere, a column a place."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines import View
from machiavel.search import UnseenMap, UnseenThing
from machiavel.search.sentences import sentence_case
from machiavel.server.cli.command_texts import TEXTS, Words, numeral

__all__ = ["show_unseen"]

ALIKE = 3  # standard errors
SIGN = 3  # letters; what is longer is no sign that stands for a card
ROUNDING = 0.005
NAMES, PLACE = 24, 12  # widths of the columns, at least and at most


def show_unseen(console: Console, view: View, unseen: UnseenMap, language: str) -> None:
    words = Words(TEXTS, language)
    if not unseen.things:
        console.print(Text(words("unseen_nothing")))
        return
    for kind in dict.fromkeys(one.kind for one in unseen.things):
        things = [one for one in unseen.things if one.kind == kind]
        places = [at for at in range(len(unseen.places)) if any(one.chance[at] for one in things)]
        most = max(1, (console.width - NAMES) // (PLACE + 1))
        for first in range(0, len(places), most):
            console.print(table_of(view, unseen, things, places[first : first + most], words))
    drawn = {"worlds": numeral(f"{unseen.worlds:,}", language), "points": numeral(f"{100 * unseen.standard_error:.1f}", language)}
    console.print(Text(words("unseen_worlds" if unseen.standard_error else "unseen_certain", **drawn), style="dim"))


def table_of(view: View, unseen: UnseenMap, things: Sequence[UnseenThing], places: Sequence[int], words: Words) -> Grid:
    """The things of a kind in as many places as fit beside each other."""
    grid = Grid(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    grid.add_column(words("unseen_what"), min_width=NAMES)
    for at in places:
        size = numeral(f"{sum(one.expected[at] for one in things):.1f}".removesuffix(".0"), words.language)
        label = sentence_case(unseen.places[at].label[words.language])
        grid.add_column(f"{label} ({size})", justify="right", min_width=PLACE, max_width=PLACE)
    for group in alike(things, unseen.standard_error):
        names = ", ".join(named(view, one, words.language) for one in group)
        cells = (mean([one.chance[at] for one in group]) for at in places)
        grid.add_row(Text(names), *(share(chance, words.language) for chance in cells))
    return grid


def alike(things: Sequence[UnseenThing], error: float) -> Iterator[Sequence[UnseenThing]]:
    """Those that are as many and, as far as these worlds can tell, as likely in each place."""
    groups: list[list[UnseenThing]] = []
    for thing in things:
        group = next((one for one in groups if belongs(thing, one, error)), None)
        if group is None:
            groups.append([thing])
        else:
            group.append(thing)
    yield from groups


def belongs(thing: UnseenThing, group: Sequence[UnseenThing], error: float) -> bool:
    first = group[0]
    if round(thing.count) != round(first.count):
        return False
    for at, chance in enumerate(thing.chance):
        usual = mean([one.chance[at] for one in group])
        # What is certain stands by itself.
        if {chance, first.chance[at]} & {0.0, 1.0} and chance != first.chance[at]:
            return False
        if abs(chance - usual) > ALIKE * error + ROUNDING:
            return False
    return True


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def named(view: View, thing: UnseenThing, language: str) -> str:
    """A thing as players call it, with how many of it there are: a card by its sign where it has a short one."""
    label = view.game.plugin.value_text(view.rules, view.to_json()["view"], thing.kind, thing.name, (language, ""))
    sign = view.game.plugin.thing_sign(thing.kind, thing.name, language)
    text = sign if len(sign) <= SIGN < len(label) else label
    return text if thing.kind == "die" or round(thing.count) <= 1 else f"{round(thing.count)} × {text}"


def share(chance: float, language: str) -> str:
    if chance == 0:
        return "–"
    percent = round(100 * chance)
    text = "<1 %" if percent == 0 else ">99 %" if percent == 100 and chance < 1 else f"{percent} %"
    return numeral(text, language)
