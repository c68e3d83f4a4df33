"""The faults that are planted in `faults/`: what `check-game` says of each, and which of them a search meets."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["FAULTS", "FOLDER", "MET_BY_SEARCHES", "SOUND", "PlantedFault"]

FOLDER = Path(__file__).parent / "faults"
SOUND = FOLDER / "sound.py"


@dataclass(frozen=True)
class PlantedFault:
    """A file, the check that finds its fault, what it says, and whether it names the line or only the method."""

    name: str
    check: str
    says: str
    place: str = "line"  # line, or a method; nothing: there is none

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.py"

    @property
    def where(self) -> str:
        """`division.py:39`."""
        if not self.place:
            return ""
        mark = "the fault" if self.place == "line" else f"def {self.place}("
        lines = self.path.read_text(encoding="utf-8").splitlines()
        return f"{self.path.name}:{next(number for number, line in enumerate(lines, 1) if mark in line)}"


FAULTS: Mapping[str, PlantedFault] = {
    fault.name: fault
    for fault in (
        PlantedFault("bad_index_by_a_little", "whole-matches", "IndexError: list index out of range"),
        PlantedFault("bad_index_by_far", "whole-matches", "IndexError: list index out of range"),
        PlantedFault("overflow", "whole-matches", "OverflowError: 12157665459056928801 does not fit into 64 bits", place="line"),
        PlantedFault("overflow_of_a_field", "whole-matches", "points[0] would be 13; at most 10 fit"),
        PlantedFault("division", "whole-matches", "ZeroDivisionError: integer division or modulo by zero"),
        PlantedFault("endless_loop", "whole-matches", "RuntimeError: loops take more than 100,000 turns in one call"),
        PlantedFault("endless_game", "whole-matches", "the game is not over after 200 moves", place="apply"),
        PlantedFault("no_move", "whole-matches", "has no move for that seat, and the game is not over", place="legal"),
        PlantedFault("own_exception", "whole-matches", "ValueError: a sixth card is not foreseen"),
        PlantedFault("answer_out_of_range", "whole-matches", "is no part of a move here: 0 to 4095"),
        PlantedFault("mover_out_of_range", "whole-matches", "self.mover would be 2; seats are 0 to 1"),
        PlantedFault("peeking_legal", "peeking-rules", "legal(0) looks at hands[1]"),
        PlantedFault("peeking_weigh", "peeking-rules", "looks at hands[1]"),
        PlantedFault("peeking_called", "peeking-rules", "looks at hands[0]"),
        PlantedFault("forgetful_view", "earlier-views", "the view forgets", place="apply"),
        PlantedFault("forgotten_void", "earlier-views", "the view forgets", place="apply"),
        PlantedFault("forgetful_key", "meetings", "a field with forgets=True still matters", place="legal"),
        PlantedFault("card_in_two_places", "places-of-cards", "is in table, hands[0], and the deck has 1", place="apply"),
        PlantedFault("contradicting_worlds", "earlier-views", "determinize contradicts what was seen", place="determinize"),
        PlantedFault("unequal_worlds", "earlier-views", "not drawn as often", place="determinize"),
        PlantedFault("repeated_draw", "own-draws", 'luck.die("bonus", at=0) is drawn twice'),
        PlantedFault("unequal_deal", "equal-deals", "the deal is not the one that worlds suppose", place="deal"),
    )
}
MET_BY_SEARCHES = tuple(name for name, fault in FAULTS.items() if fault.check == "whole-matches")
