"""Win chances over a match as an SVG: a stepped line a seat, readable on light and dark pages and without colours."""

from collections.abc import Iterator, Sequence
from html import escape

from machiavel.search import LABELS, Judgement, Point, SeatStory, Story, Transcript
from machiavel.server.reviews.review_texts import REVIEW_TEXTS, percent, sentence

__all__ = ["svg"]

WIDTH, HEIGHT = 960, 440
LEFT, RIGHT, TOP, BOTTOM = 56, 96, 64, 56
LINE = 16  # pixels between labels
MARKED = LABELS["mistake"]
# Of Okabe and Ito, whom people with any kind of colour vision can tell apart; the second of each pair is for dark pages.
COLOURS = (
    ("#0072b2", "#56b4e9"),
    ("#b34700", "#ff9d5c"),
    ("#00795a", "#2fd0a5"),
    ("#9c3d79", "#e69bc8"),
    ("#7a5c00", "#f0e442"),
    ("#444444", "#d0d0d0"),
    ("#5b3fa0", "#b9a3ff"),
    ("#a1122d", "#ff8fa0"),
)
DASHES = ("none", "8 4", "2 3", "10 3 2 3", "14 4", "5 5", "1 5", "12 3 2 3 2 3")


def svg(transcript: Transcript, judgements: Sequence[Judgement], story: Story, language: str) -> str:
    """The whole picture, as text."""
    texts = REVIEW_TEXTS[language]
    title = texts["title"].format(game=transcript.game.plugin.titles[language])
    told = [sentence(transcript, one, language) for one in story.moments]
    box, named = f'viewBox="0 0 {WIDTH} {HEIGHT}"', 'role="img" aria-labelledby="title summary"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} {named} lang="{language}">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="summary">{escape(" ".join([texts["viewpoint"], *told]))}</desc>',
        f"<style>{style()}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<text class="head" x="{LEFT}" y="26">{escape(title)}</text>',
        f'<text class="note" x="{LEFT}" y="44">{escape(texts["viewpoint"])}</text>',
        *axes(len(transcript.moves), texts["moves"]),
        *moments(transcript, story, told),
        *(line(seat, len(transcript.moves)) for seat in story.seats if seat.chances),
        *mistakes(transcript, judgements, language),
        *names(story.seats, texts["player"]),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def style() -> str:
    light = "".join(f".s{seat}{{stroke:{pair[0]};color:{pair[0]}}}" for seat, pair in enumerate(COLOURS))
    dark = "".join(f".s{seat}{{stroke:{pair[1]};color:{pair[1]}}}" for seat, pair in enumerate(COLOURS))
    return (
        "text{font:13px system-ui,sans-serif;fill:#222}.head{font-size:16px;font-weight:600}.note{font-size:12px}"
        ".paper{fill:#fff}.grid{stroke:#ddd}.when{stroke:#888;stroke-dasharray:3 3}"
        ".chance{fill:none;stroke-width:2}.name{fill:currentColor;stroke:none!important;font-weight:600}.slip{fill:#fff;stroke-width:2}"
        f"{light}"
        "@media(prefers-color-scheme:dark){text{fill:#eee}.paper,.slip{fill:#161616}.grid{stroke:#3a3a3a}"
        f".name{{fill:currentColor}}{dark}}}"
    )


def across(ply: float, plies: int) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * ply / plies, 1)


def down(chance: float) -> float:
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance), 1)


def axes(plies: int, below: str) -> Iterator[str]:
    for tenths in range(0, 11, 2):
        y = down(tenths / 10)
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{10 * tenths} %</text>'
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000) if plies / step <= 10 or step == 10_000)
    for ply in range(0, plies + 1, step):
        yield f'<text x="{across(ply, plies)}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{ply}</text>'
    yield f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(below)}</text>'


def line(seat: SeatStory, plies: int) -> str:
    path = steps(seat.chances, plies)
    return f'<path class="chance s{seat.seat % len(COLOURS)}" stroke-dasharray="{DASHES[seat.seat % len(DASHES)]}" d="{path}"/>'


def steps(points: Sequence[Point], plies: int) -> str:
    first, *others = points
    return f"M{across(first.ply, plies)} {down(first.chance)}" + "".join(
        f"H{across(point.ply, plies)}V{down(point.chance)}" for point in others
    )


def moments(transcript: Transcript, story: Story, told: Sequence[str]) -> Iterator[str]:
    for number, (one, text) in enumerate(zip(story.moments, told, strict=True), 1):
        x = across(one.ply, len(transcript.moves))
        yield f'<g><title>{escape(text)}</title><line class="when" x1="{x}" x2="{x}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
        yield f'<text x="{x}" y="{TOP - 4}" text-anchor="middle">{number}</text></g>'


def mistakes(transcript: Transcript, judgements: Sequence[Judgement], language: str) -> Iterator[str]:
    """A ring where a seat made a mistake, a square where it made a blunder; pointed at, they tell which."""
    texts = REVIEW_TEXTS[language]
    for one in judgements:
        if LABELS[one.label] < MARKED:
            continue
        x, y = across(one.ply + 1, len(transcript.moves)), down(one.played_chance)
        played = transcript.phrase(one.ply, one.move, "short", language)
        move = f"{texts['number']} {one.ply + 1}: {played}"
        told = escape(f"{move}, {texts[one.label]}, −{percent(one.loss)}")
        kind = f'class="slip s{one.seat % len(COLOURS)}"'
        if one.label == "blunder":
            yield f'<rect x="{x - 5}" y="{y - 5}" width="10" height="10" {kind}><title>{told}</title></rect>'
        else:
            yield f'<circle cx="{x}" cy="{y}" r="4" {kind}><title>{told}</title></circle>'


def names(seats: Sequence[SeatStory], player: str) -> Iterator[str]:
    """The seats at the ends of their lines, pushed apart where they would cover each other."""
    ends = sorted((down(seat.chances[-1].chance), seat.seat) for seat in seats if seat.chances)
    lowest = HEIGHT - BOTTOM - LINE * (len(ends) - 1)
    y = 0.0
    for number, (wanted, seat) in enumerate(ends):
        y = max(min(wanted, lowest + LINE * number), y + LINE if number else wanted - 1e9)
        name = escape(player.format(seat=seat))
        yield f'<text class="name s{seat % len(COLOURS)}" x="{WIDTH - RIGHT + 8}" y="{round(y + 4, 1)}">{name}</text>'
