"""Pages of rules as players read them: their shape, and what French printers ask for."""

import re

# Marks that lack the no-break space before or behind them.
FRENCH_MARKS = re.compile("(?<!\N{NO-BREAK SPACE})[;:?!»](?=\\s|$)|«(?!\N{NO-BREAK SPACE})")


def shape(text: str) -> list[str]:
    """Headings, paragraphs, items and rows, without their words."""
    blocks = [re.sub(r"\n +", " ", block).splitlines() for block in text.strip().split("\n\n")]
    marks = [[re.match(r"#+ |- |\d+\. |\|", line) for line in lines] for lines in blocks]
    return [
        " ".join(str(line.count("|")) if mark and mark[0] == "|" else mark[0].strip() if mark else "" for mark, line in pairs)
        for pairs in ([*zip(found, lines, strict=True)] for found, lines in zip(marks, blocks, strict=True))
        for pairs in [pairs if pairs[0][0] else pairs[:1]]
    ]
