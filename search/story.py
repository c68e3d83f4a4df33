"""What a review comes to: each seat's win chance over the match, the moments that decided it, how well each seat played."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from machiavel.search.reviews import LABELS, Judgement, Transcript

__all__ = ["LEAST_SWING", "Moment", "Point", "SeatStory", "Story", "story_of"]

MOMENTS = 3
LEAST_SWING = 0.02
HALF_LOSS = 0.10  # a move that loses so much counts half


@dataclass(frozen=True)
class Point:
    """What a seat held its chance to win for, after so many moves of the match; it holds until its next point."""

    ply: int
    chance: float


@dataclass(frozen=True)
class Moment:
    """A turn of the match, seen from one seat.

    `loss`: the seat gave that much away itself, with `move` instead of `best`, at `ply`. `swing`: its chance changed between its
    own moves, from what others did and what turned up, or at the `end`; then the texts are empty.
    """

    kind: str
    seat: int
    ply: int  # moves made before
    until: int  # moves made when it was over
    before: float
    after: float
    move: str = ""
    best: str = ""

    @property
    def size(self) -> float:
        return abs(self.after - self.before)


@dataclass(frozen=True)
class SeatStory:
    """One seat: what it held its chance for, and how it played."""

    seat: int
    chances: tuple[Point, ...]
    labels: dict[str, int]  # moves by label; those without a choice have none
    loss: float | None  # mean loss a judged move; None: there was none
    accuracy: float | None  # 0 to 1; None likewise
    result: float | None  # its utility at the end; None: the match was not played to its end


@dataclass(frozen=True)
class Story:
    """The whole of it."""

    seats: tuple[SeatStory, ...]
    moments: tuple[Moment, ...]  # at most three, in their order

    def to_json(self) -> dict[str, Any]:
        data = asdict(self)
        data["moments"] = [{**asdict(one), "size": one.size} for one in self.moments]
        for seat in data["seats"]:
            seat["chances"] = [[point["ply"], point["chance"]] for point in seat["chances"]]
        data["seats"] = list(data["seats"])
        return data


def story_of(transcript: Transcript, judgements: Iterable[Judgement]) -> Story:
    """The story of what was judged; it need not be all."""
    by_seat: dict[int, list[Judgement]] = {seat: [] for seat in sorted(transcript.seats)}
    for one in sorted(judgements, key=lambda one: one.ply):
        by_seat[one.seat].append(one)
    results = transcript.end.utilities if transcript.end.is_over else None
    seats = tuple(seat_story(transcript, seat, judged, results) for seat, judged in by_seat.items())
    turns = [turn for seat, judged in by_seat.items() for turn in turns_of(transcript, seat, judged, results)]
    return Story(seats, tuple(sorted(decisive(turns), key=lambda one: (one.ply, one.seat))))


def seat_story(transcript: Transcript, seat: int, judged: Sequence[Judgement], results: Sequence[float] | None) -> SeatStory:
    points = [point for one in judged for point in (Point(one.ply, one.best_chance), Point(one.ply + 1, one.played_chance))]
    if results is not None:
        points.append(Point(len(transcript.moves), results[seat]))
    count = len(judged)
    return SeatStory(
        seat,
        tuple(points),
        {label: sum(one.label == label for one in judged) for label in LABELS},
        sum(one.loss for one in judged) / count if count else None,
        sum(HALF_LOSS / (HALF_LOSS + one.loss) for one in judged) / count if count else None,
        None if results is None else results[seat],
    )


# ---- Moments ----


def turns_of(transcript: Transcript, seat: int, judged: Sequence[Judgement], results: Sequence[float] | None) -> Iterator[Moment]:
    """Everything that changed a seat's chance."""
    for number, one in enumerate(judged):
        if LABELS[one.label] > 0:
            yield Moment("loss", seat, one.ply, one.ply + 1, one.best_chance, one.played_chance, one.move, one.best)
        if number + 1 < len(judged):
            after = judged[number + 1]
            yield Moment("swing", seat, one.ply + 1, after.ply, one.played_chance, after.best_chance)
        elif results is not None:
            yield Moment("end", seat, one.ply + 1, len(transcript.moves), one.played_chance, results[seat])


def decisive(turns: Sequence[Moment]) -> list[Moment]:
    """The greatest, no two at the same time: what happens at once to several seats has one reason.

    A change that another seat's mistake explains is told as that mistake.
    """
    losses = [one for one in turns if one.kind == "loss"]
    result: list[Moment] = []
    for turn in sorted(turns, key=lambda one: (-one.size, one.kind != "loss", one.ply, one.seat)):
        if len(result) == MOMENTS or turn.size < LEAST_SWING:
            break
        is_explained = turn.kind != "loss" and any(meet(turn, loss) and 2 * loss.size >= turn.size for loss in losses)
        if not is_explained and not any(meet(turn, other) for other in result):
            result.append(turn)
    return result


def meet(one: Moment, other: Moment) -> bool:
    return one.ply <= other.until and other.ply <= one.until
