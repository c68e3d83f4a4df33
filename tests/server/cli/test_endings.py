"""How a match in which all play together ends at a table that the kit draws."""

from pathlib import Path

import pytest

from machiavel.engines.kit.loading import load_file
from machiavel.server.cli.command_texts import TEXTS, Words
from machiavel.server.cli.endings import ending
from machiavel.server.cli.parts import make_table
from tests.engines.kit.planted import SOUND
from tests.server.cli.drawing import drawn

TEAM = "    longest = 8\n    cooperative, worth = True, (0, 4)\n"


@pytest.mark.parametrize(
    ("points", "language", "line"),
    [
        (4, "en", "You all win!"),
        (4, "fr", "Vous gagnez tous\N{NO-BREAK SPACE}!"),
        (0, "en", "You all lose."),
        (1, "en", "Together you reach 25 % of what can be reached."),
        (3, "fr", "Ensemble, vous atteignez 75\N{NO-BREAK SPACE}% de ce qui est possible."),
    ],
)
def test_a_team_is_told_how_far_it_came(tmp_path: Path, points: int, language: str, line: str) -> None:
    path = tmp_path / "team.py"
    text = SOUND.read_text(encoding="utf-8").replace("    longest = 8\n", TEAM)
    path.write_text(text.replace("shares[seat] = self.points[seat]", f"shares[seat] = {points}"), encoding="utf-8")
    game = load_file(path)
    state = game.new(2, seed=1)
    while not state.is_over:
        state.play(state.legal_moves()[0])
    table = make_table(game, state.rules, language, 0, ["", "greedy"])

    shown = ending(game, table, Words(TEXTS, language), state.view(0).to_json()["view"], state.utilities)

    assert drawn(shown)[-1] == line
