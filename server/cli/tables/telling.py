"""What a game tells of a move, as lines of a terminal."""

from collections.abc import Callable, Iterable

from rich.text import Text

from machiavel.engines.phrases import Span

__all__ = ["Style", "styled"]

Style = Callable[[Span], str]  # how a piece of a sentence is drawn; empty: like the rest


def styled(spans: Iterable[Span], style: Style) -> Text:
    """A sentence of a Teller, each piece in its style."""
    return Text.assemble(*((span.text, style(span)) for span in spans))
