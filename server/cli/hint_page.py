"""How a hint looks in the terminal: the ranked moves, what may follow, and why, in sentences."""

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines import View
from machiavel.search import Candidate, Comparison, Explanation, Recommendation
from machiavel.search.sentences import amount_text
from machiavel.server.cli.command_texts import TEXTS, Words, numeral
from machiavel.server.cli.output import people

__all__ = ["show", "show_comparison", "show_sentences"]


def show(
    view: View, recommendation: Recommendation, explanation: Explanation, comparison: Comparison | None, language: str
) -> None:
    console = people()
    words = Words(TEXTS, language)
    console.print(ranked(view, recommendation, explanation, words))
    if recommendation.stopped != "forced" and len(recommendation.line) > 1:
        console.print(words("hint_line", line=" ".join(recommendation.line)))
    show_sentences(console, explanation, language)
    if comparison is not None:
        show_comparison(console, comparison, language)


def show_sentences(console: Console, explanation: Explanation, language: str) -> None:
    for sentence in explanation.sentences:
        console.print(Text(sentence.texts[language], style="bold"))


def show_comparison(console: Console, comparison: Comparison, language: str) -> None:
    console.print(Words(TEXTS, language)("hint_about", move=comparison.asked.move))
    for sentence in comparison.sentences:
        console.print(Text(sentence.texts[language], style="bold"))


def ranked(view: View, recommendation: Recommendation, explanation: Explanation, words: Words) -> Grid:
    """A line a move, the best first."""
    grid = Grid(box=None, padding=(0, 1), pad_edge=False)
    grid.add_column(words("hint_move"), no_wrap=True)
    grid.add_column()
    grid.add_column(words("hint_team" if view.game.is_cooperative else "hint_chance"), justify="right")
    if explanation.headline is not None:
        grid.add_column(explanation.headline_label[words.language], justify="right")
    grid.add_column(words("hint_visits"), justify="right")
    for candidate in recommendation.candidates:
        chance = "–"
        if candidate.visits:
            shares = f"{100 * candidate.win_chance:.1f} ± {100 * candidate.win_chance_error:.1f} %"
            chance = numeral(shares, words.language)
        label = view.game.move_labels(view.rules, candidate.move)[words.language]
        cells = [candidate.move, label, chance]
        if explanation.headline is not None:
            cells.append(expected(candidate, explanation.headline, words.language))
        grid.add_row(
            *cells,
            numeral(f"{candidate.visits:,}", words.language),
            style="bold" if candidate.move == recommendation.best else "",
        )
    return grid


def expected(candidate: Candidate, metric: str, language: str) -> str:
    return amount_text(candidate.metrics[metric], language) if metric in candidate.metrics else "–"
