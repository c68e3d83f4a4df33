"""How a hint looks in the terminal: the ranked moves, what may follow, what to play and why, in sentences."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines import View
from machiavel.engines.position_labels import Seen, seen_along
from machiavel.search import Candidate, Comparison, Explanation, Recommendation, Sentence
from machiavel.search.sentences import amount_text, sentence_case
from machiavel.server.cli.command_texts import TEXTS, Words, numeral
from machiavel.server.cli.output import people

__all__ = ["show", "show_advice", "show_comparison"]

MOST = 8  # moves that a list at the table shows


def show(
    view: View, recommendation: Recommendation, explanation: Explanation, comparison: Comparison | None, language: str
) -> None:
    console = people()
    show_advice(console, view, recommendation, language, explanation=explanation)
    if comparison is not None:
        show_comparison(console, view, comparison, language)


def show_advice(
    console: Console,
    view: View,
    recommendation: Recommendation,
    language: str,
    *,
    explanation: Explanation,
    numbers: Sequence[str] | None = None,
) -> None:
    """The ranked list, the likely continuation, and the sentences.

    At a table moves have numbers in a list, and the first few will do; else each has its notation beside it.
    """
    words = Words(TEXTS, language)
    console.print(ranked(view, recommendation, explanation, words, numbers))
    line = recommendation.candidates[0].line
    if recommendation.stopped != "forced" and line:
        along = zip(line, seen_along(view, line), strict=True)
        console.print(words("hint_line", line=", ".join(phrase(view, move, "short", language, seen) for move, seen in along)))
    show_sentences(console, explanation.sentences, language)


def show_comparison(console: Console, view: View, comparison: Comparison, language: str) -> None:
    asked = phrase(view, comparison.asked.move, "you", language)
    console.print(Text(Words(TEXTS, language)("hint_about", move=asked)))
    show_sentences(console, comparison.sentences, language)


def show_sentences(console: Console, sentences: Sequence[Sentence], language: str) -> None:
    for sentence in sentences:
        console.print(Text(sentence.texts[language], style="bold"))


def phrase(view: View, move: str, form: str, language: str, seen: Seen | None = None) -> str:
    """A move as part of a sentence; `seen` is what is seen before it, where it does not follow the view at once."""
    here = view.to_json()["view"] if seen is None else seen
    return view.game.plugin.move_phrase(view.rules, here, move, (language, form))


def ranked(
    view: View,
    recommendation: Recommendation,
    explanation: Explanation,
    words: Words,
    numbers: Sequence[str] | None,
) -> Grid:
    """A line a move, the best first."""
    grid = Grid(box=None, padding=(0, 1), pad_edge=False)
    if numbers is not None:
        grid.add_column("", justify="right", style="dim")
    grid.add_column(words("hint_move"))
    grid.add_column(words("hint_team" if view.game.is_cooperative else "hint_chance"), justify="right", no_wrap=True)
    if explanation.headline is not None:
        grid.add_column(explanation.headline_label[words.language], justify="right")
    grid.add_column(words("hint_visits"), justify="right")
    candidates = recommendation.candidates if numbers is None else recommendation.candidates[:MOST]
    names = {one.move: phrase(view, one.move, "short", words.language) for one in candidates}
    has_notation = numbers is None and any(name != move for move, name in names.items())
    if has_notation:
        grid.add_column(words("hint_notation"), no_wrap=True, style="dim")
    for candidate in candidates:
        chance = "–"
        if candidate.visits:
            shares = f"{100 * candidate.win_chance:.1f} ± {100 * candidate.win_chance_error:.1f} %"
            chance = numeral(shares, words.language)
        cells = [] if numbers is None else [str(numbers.index(candidate.move) + 1)]
        cells += [sentence_case(names[candidate.move]), chance]
        if explanation.headline is not None:
            cells.append(expected(candidate, explanation.headline, words.language))
        cells.append(numeral(f"{candidate.visits:,}", words.language))
        if has_notation:
            cells.append(candidate.move)
        grid.add_row(*cells, style="bold" if candidate.move == recommendation.best else "")
    return grid


def expected(candidate: Candidate, metric: str, language: str) -> str:
    return amount_text(candidate.metrics[metric], language) if metric in candidate.metrics else "–"
