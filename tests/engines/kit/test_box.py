"""The games in the box: their rules as numbered and as told, and how many lines they take."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from machiavel.engines import LANGUAGES, SeenMove, Teller, load
from tests.engines.games import BOX
from tests.engines.rules_pages import FRENCH_MARKS, shape

HERE = Path(__file__).parent
FOLDER = HERE.parents[2] / "engines" / "kit" / "games"
STATEMENT = re.compile(r"^- \*\*([A-Z]\d+\.\d+)\*\*(.*?)(?=^- \*\*|^#|\Z)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| ([A-Z]\S+(?:, [A-Z]\S+)*) \|", re.MULTILINE)
TEST = re.compile(r"^def test_((?:[a-z]\d+_\d+_(?:and_)?)+)", re.MULTILINE)
# Lines of a game: before its words, and with them in two languages.
MOST_LINES = {"hearts": (120, 170), "liars_dice": (90, 130), "kuhn": (90, 130)}


def chapter(game: str) -> str:
    """A game's part of the rule book."""
    text = (FOLDER / "RULES.md").read_text(encoding="utf-8")
    (found,) = [part for part in re.split(r"^# ", text, flags=re.MULTILINE) if part.startswith(f"{game}\n")]
    return found


def numbers_with_tests(game: str) -> Iterator[str]:
    for path in (HERE / game).glob("test_*.py"):
        for name in TEST.findall(path.read_text(encoding="utf-8")):
            for letter, section, number in re.findall(r"([a-z])(\d+)_(\d+)_", name):
                yield f"{letter.upper()}{section}.{number}"


def test_the_box_holds_these_games() -> None:
    assert BOX == ["hearts", "kuhn", "liars_dice"]
    assert {path.stem for path in FOLDER.glob("[a-z]*.py")} == set(BOX)


@pytest.mark.parametrize("game", BOX)
def test_every_rule_has_a_test_named_for_it_and_every_test_a_rule(game: str) -> None:
    numbers = [number for number, _ in STATEMENT.findall(chapter(game))]

    assert len(numbers) == len(set(numbers)) > 5
    assert set(numbers_with_tests(game)) == set(numbers)


@pytest.mark.parametrize("game", BOX)
def test_what_is_ours_is_listed_as_a_choice(game: str) -> None:
    rules, _, choices = chapter(game).partition("\n## Choices")
    listed = [number for row in ROW.findall(choices) for number in row.split(", ")]

    assert sorted(listed) == sorted(number for number, text in STATEMENT.findall(rules) if "**(C)**" in text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", BOX)
def test_rules_have_the_games_title_its_players_and_all_its_options(game: str, language: str) -> None:
    plugin = load(game).plugin
    text = plugin.rules_text(language)
    title, players = text.split("\n\n")[:2]
    options = text.split("\n## ")[-1]

    assert title == f"# {plugin.titles[language]}"
    assert {int(number) for number in re.findall(r"\d+", players.split(",")[0])} == {min(plugin.players), max(plugin.players)}
    assert options.startswith("Options\n")
    assert sorted(re.findall(r"^- `(\w+)", options, re.MULTILINE)) == sorted(option.name for option in plugin.options)


@pytest.mark.parametrize("game", BOX)
def test_rules_are_built_alike_in_both_languages(game: str) -> None:
    shapes = [[one for one in shape(load(game).plugin.rules_text(language)) if one] for language in LANGUAGES]

    assert shapes[0] == shapes[1]


@pytest.mark.parametrize("game", BOX)
def test_french_marks_stand_behind_a_no_break_space(game: str) -> None:
    prose = re.sub(r"`[^`]*`|\|[-|]+", "", load(game).plugin.rules_text("fr"))
    plugin = load(game).plugin
    said = [plugin.phrases().template(key, "fr") for key in keys(game)]

    assert not [prose[max(0, found.start() - 20) : found.end()] for found in FRENCH_MARKS.finditer(prose)]
    assert not [text for text in said if FRENCH_MARKS.search(text)]


def keys(game: str) -> Iterator[str]:
    """What the author of the game says in French."""

    def flat(table: dict[str, object], path: str = "") -> Iterator[str]:
        for name, value in table.items():
            if isinstance(value, dict):
                yield from flat(value, f"{path}{name}.")
            else:
                yield f"{path}{name}"

    words = dict(load(game).plugin.game.words["fr"])  # type: ignore[attr-defined]
    return flat({name: table for name, table in words.items() if name != "hints"})


@pytest.mark.parametrize("game", BOX)
def test_a_game_is_a_page_or_two(game: str) -> None:
    lines = (FOLDER / f"{game}.py").read_text(encoding="utf-8").rstrip().splitlines()
    before = lines.index("    words = {")
    most, most_with_words = MOST_LINES[game]

    assert len("\n".join(lines[:before]).rstrip().splitlines()) <= most
    assert len(lines) <= most_with_words


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", BOX)
def test_the_last_thing_told_of_a_match_is_who_has_won_and_with_what(game: str, seed: int) -> None:
    rng = random.Random(seed)
    state = load(game).new(max(load(game).players), seed=seed)
    while True:
        mover, before = state.seat_to_move, state.view(None).to_json()["view"]
        state.play(rng.choice(state.legal_moves()))
        if state.is_over:
            break
    after, move = state.view(None).to_json()["view"], state.last_move(None)
    assert mover is not None and move is not None
    told = Teller(state.game.plugin, state.rules, "en", None).events(before, SeenMove(mover, move), after)
    best = max(state.utilities)
    winners = [seat for seat, share in enumerate(state.utilities) if share == best]

    assert [event.fields["who"] for event in told if event.kind == "won"] == winners
    assert {event.kind for event in told[-len(winners) :]} == {"won"}
    for event in told[-len(winners) :]:
        seat = event.fields["who"]
        said: dict[str, Callable[[int], dict[str, int]]] = {
            "hearts": lambda seat: {"points": after["points"][seat]},
            "kuhn": lambda _: {"value": min(after["chips"])},
            "liars_dice": lambda _: {},
        }
        assert event.fields == {"who": seat, **said[game](seat)}
        assert game != "kuhn" or event.fields["value"] == round(4 * best - 2)
