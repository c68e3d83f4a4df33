"""The rules as players read them: complete, the same in both languages, and as the decks have it."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, ClassVar

import pytest

from machiavel.engines import LANGUAGES, load
from machiavel.engines.agency.deck import ACCOMPLICES, AGENTS
from machiavel.engines.phrases import typeset
from machiavel.engines.whist import WhistEngine
from tests.engines.games import GAMES
from tests.engines.rules_pages import FRENCH_MARKS, shape

BOLD = re.compile(r"\*\*.+?\*\*", re.DOTALL)
CELLS = re.compile(r"\s*\|\s*")


def text_of(game: str, language: str) -> str:
    return load(game).plugin.rules_text(language)


def rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        if line.startswith("|"):
            yield CELLS.split(line.strip("| \n"))


def row_of(text: str, first: str) -> list[str]:
    (row,) = [row for row in rows(text) if row[0].lower() == first.lower()]
    return row


def deck_of(game: str) -> dict[str, Any]:
    source = files(f"machiavel.engines.{game}") / "decks" / "house.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_rules_have_the_games_title_its_players_and_all_its_options(game: str, language: str) -> None:
    plugin, text = load(game).plugin, text_of(game, language)
    title, players = text.split("\n\n")[:2]

    assert title == f"# {plugin.titles[language]}"
    assert re.findall(r"\d+", players)[:2] == [str(min(plugin.players)), str(max(plugin.players))]
    options = text.split("\n## ")[-1]
    assert options.startswith("Options\n")
    named = re.findall(r"^- `(\w+)", options, re.MULTILINE)
    assert sorted(named) == sorted(option.name for option in plugin.options)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_nothing_in_rules_waits_to_be_filled_in(game: str, language: str) -> None:
    text = text_of(game, language)

    assert not re.search(r"[{}<>%\[\]]|TODO|TBD|\.\.\.|\*\*\*", text)
    assert not re.search(r"  |\n\n\n", re.sub(r"\n +", "\n", text))
    assert "*" not in BOLD.sub("", text)


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_built_alike_in_both_languages(game: str) -> None:
    shapes = [[one for one in shape(text_of(game, language)) if one] for language in LANGUAGES]

    assert shapes[0] == shapes[1]
    numbers = [Counter(cell for row in rows(text_of(game, language)) for cell in row if cell.isdigit()) for language in LANGUAGES]
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize("game", GAMES)
def test_french_marks_stand_behind_a_no_break_space(game: str) -> None:
    text = re.sub(r"`[^`]*`", "", text_of(game, "fr"))
    prose = "\n".join(line for line in text.splitlines() if not re.fullmatch(r"[|-]+", line))

    assert not [prose[max(0, found.start() - 20) : found.end()] for found in FRENCH_MARKS.finditer(prose)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_agency_has_all_cards_powers_and_accomplices(language: str) -> None:
    text, deck = text_of("agency", language), deck_of("agency")

    for colour, cards in {"mauve": "mauve", "blue": "bleu", "green": "vert", "yellow": "jaune"}.items():
        name = colour if language == "en" else cards
        ranks = deck["cards"][colour]["ranks"]
        assert re.findall(r"\d+", row_of(text, f"{name} ({name[0].upper()})")[1]) == [str(ranks[0]), str(ranks[-1])]
    tables = [list(rows(table)) for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)]
    (plans,) = [table for table in tables if table[0][-1] in {"how many", "nombre"}]
    assert Counter({int(value): int(count) for value, count in plans[2:]}) == sum(
        (Counter({plan["value"]: plan["count"]}) for plan in deck["plans"]), Counter()
    )
    (accomplices,) = [table for table in tables if table[0][0] == "plan"]
    assert [int(value) for value, _ in accomplices[2:]] == [plan["value"] for plan in deck["plans"] if "accomplice" in plan]
    assert len(accomplices) - 2 == len(ACCOMPLICES) - 1
    for agent in AGENTS:
        name = load("agency").plugin.phrases()(f"agents.{agent}", language)
        (power,) = [row[1] for row in rows(text) if row[0].endswith(name)]
        assert power


@pytest.mark.parametrize("language", LANGUAGES)
def test_bond_has_all_cards(language: str) -> None:
    text, deck = text_of("bond", language), deck_of("bond")
    words = {"en": ["two", "three", "four", "", "six"], "fr": ["deux", "trois", "quatre", "", "six"]}[language]
    lairs, spies, doublers = [row for row in rows(text) if row[0].startswith("18")]

    assert re.findall(rf"(\d) \(({'|'.join(filter(None, words))})", lairs[1]) == [
        (str(lair["value"]), words[lair["count"] - 2]) for lair in deck["lairs"]
    ]
    assert [int(value) for value in re.findall(r"\d", spies[1])] == [spy["value"] for spy in deck["spies"]]
    many, few = (part for part in spies[1].split(")") if part)
    for spy in deck["spies"]:
        assert words[spy["count"] - 2] in (many if str(spy["value"]) in many else few)
    assert all(doublers[1].count(letter) for letter in (deck["doublers"]["letters"][0], deck["doublers"]["letters"][-1]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_citadel_has_its_house_treasures_characters_and_cards(language: str) -> None:
    text, house = text_of("citadel", language), deck_of("citadel")
    rooms = {room["id"]: typeset(room[language], language) for room in house["rooms"]}
    traps = {trap["id"]: typeset(trap[language], language) for trap in house["traps"]}

    for room in house["rooms"]:
        exits = [rooms[room[colour]] for colour in ("red", "green", "blue")]
        assert row_of(text, typeset(room[language], language)) == [row_of(text, typeset(room[language], language))[0], *exits]
    for trap in house["traps"]:
        assert f"{trap['count']} {typeset(trap[language], language)}" in " ".join(text.split())
    for treasure in house["treasures"]:
        _, minutes, kinds = row_of(text, typeset(treasure[language], language))
        assert (minutes, kinds) == (str(treasure["minutes"]), ", ".join(traps[trap] for trap in treasure["traps"]))
    for character in house["characters"]:
        named = f"{character['name']}, {typeset(character[language], language)}"
        head, *_ = [part for part in text.split("\n### ") if part.startswith(named)]
        cards = [row[0] for row in rows(head.split("\n## ")[0])][2:]
        assert cards[2:] == [typeset(card[language], language) for card in character["cards"]]
    for setting in house["settings"]:
        assert f"`{setting['id']}`" in text


class Elsewhere(WhistEngine):
    """A game whose package brings no rules to read."""

    name = "whist"
    titles: ClassVar = {"en": "Elsewhere", "fr": "Ailleurs"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_without_rules_to_read_says_so_and_where_to_look(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("machiavel.engines.plugin.rules_file", lambda _package, _language: None)
    text = Elsewhere().rules_text(language)

    assert text.startswith(f"# {Elsewhere.titles[language]}\n\nwhist ")
    assert {"en": "brings no rules", "fr": "sans règles"}[language] in text
    assert "distribution machiavel " in text
    assert "machiavel games" in text


def test_a_game_with_rules_in_one_language_says_in_which(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"en": None, "fr": "# Ailleurs\n"}
    monkeypatch.setattr("machiavel.engines.plugin.rules_file", lambda module, language: texts[language])

    assert "in English, only in: fr." in Elsewhere().rules_text("en")
    assert Elsewhere().rules_text("fr") == "# Ailleurs\n"
