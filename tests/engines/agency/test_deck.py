"""Decks: what one must hold, what the shipped one holds, and how to play with one's own."""

import copy
import json
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import BadDeck, BadOption, BadRecord, Record
from tests.engines.agency.table import AGENTS, CARDS, COLOURS, GAME, PLANS, deck_of, play_to_the_end, seen

Tables = dict[str, Any]
HOUSE = Path(__file__).resolve().parents[3] / "engines/agency/decks/house.toml"
SMALL = {"M": range(1, 11), "B": range(1, 15)}
PLAIN = ["1"] * 13


def house() -> Tables:
    return tomllib.loads(HOUSE.read_text(encoding="utf-8"))


def toml_of(tables: Tables) -> str:
    """The tables of a deck as TOML: JSON writes its texts, numbers and lists the same way."""
    lines = [f"name = {json.dumps(tables['name'])}"]
    entries = [(f"[cards.{colour}]", entry) for colour, entry in tables["cards"].items()]
    entries += [(f"[[{name}]]", entry) for name in ("plans", "agents") for entry in tables[name]]
    for head, entry in entries:
        lines += ["", head, *(f"{key} = {json.dumps(value)}" for key, value in entry.items())]
    return "\n".join(lines) + "\n"


# ---- The shipped deck ----


def test_the_shipped_deck_has_the_counts_of_the_rule_sheet() -> None:
    tables = house()
    assert {name: len(entry["ranks"]) for name, entry in tables["cards"].items()} == {
        "mauve": 10,
        "blue": 18,
        "green": 16,
        "yellow": 16,
    }
    assert sum(entry["count"] for entry in tables["plans"]) == 20
    assert {entry["value"] for entry in tables["plans"]} == set(range(1, 7))
    assert [entry["id"] for entry in tables["agents"]] == list(AGENTS)


def test_the_shipped_deck_splits_the_plans_as_the_house_does() -> None:
    values: Counter[int] = Counter()
    accomplices = {}
    for entry in house()["plans"]:
        values[entry["value"]] += entry["count"]
        if "accomplice" in entry:
            accomplices[entry["accomplice"]] = (entry["value"], entry["count"])
    assert values == {1: 3, 2: 4, 3: 4, 4: 4, 5: 3, 6: 2}
    assert accomplices == {
        "pass_left": (1, 1),
        "low_wins": (2, 1),
        "plain_mauve": (3, 1),
        "blue_over_mauve": (4, 1),
        "follow_suit": (5, 1),
    }


def test_the_shipped_deck_says_of_each_entry_where_it_is_known_from() -> None:
    tables = house()
    entries = [*tables["cards"].values(), *tables["plans"], *tables["agents"]]
    assert len(entries) == 4 + 11 + 5
    assert all(any(word in entry["provenance"] for word in ("rule sheet", "house", "inferred")) for entry in entries)


def test_the_shipped_deck_is_what_is_played_with_unless_an_option_says_otherwise() -> None:
    truth = GAME.new(5, seed=1).truth()
    assert sorted(card for part in ("hands", "reserves") for some in truth[part] for card in some) == sorted(CARDS)
    assert sorted(truth["pile"]) == sorted([*PLANS, *AGENTS])
    assert GAME.make_rules(5, deck="house").digest == GAME.make_rules(5).digest


# ---- A deck that breaks a constraint ----


def change(*path: Any, to: Any) -> Callable[[Tables], None]:
    def apply(tables: Tables) -> None:
        place: Any = tables
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to

    return apply


def drop(*path: Any) -> Callable[[Tables], None]:
    def apply(tables: Tables) -> None:
        place: Any = tables
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return apply


def several(*changes: Callable[[Tables], None]) -> Callable[[Tables], None]:
    def apply(tables: Tables) -> None:
        for one in changes:
            one(tables)

    return apply


BAD = [
    (drop("name"), "name", "is missing; expected a name"),
    (change("name", to=3), "name", "is 3; expected a name"),
    (change("author", to="me"), "author", "is unknown; keys here: agents, cards, name, plans"),
    (drop("cards"), "cards", "is missing; expected a table with mauve, blue, green, yellow"),
    (change("cards", to=[]), "cards", "expected a table with mauve, blue, green, yellow"),
    (drop("cards", "green"), "cards.green", "is missing; expected a table with ranks and provenance"),
    (change("cards", "red", to={}), "cards.red", "is unknown; keys here: blue, green, mauve, yellow"),
    (drop("cards", "green", "ranks"), "cards.green.ranks", "is missing; expected a list of ranks"),
    (change("cards", "green", "ranks", to=16), "cards.green.ranks", "is 16; expected a list of ranks"),
    (change("cards", "green", "ranks", to=[1, 0]), "cards.green.ranks", "hold 0; expected whole numbers from 1 to 99"),
    (change("cards", "green", "ranks", to=[1, 100]), "cards.green.ranks", "hold 100; expected whole numbers from 1 to 99"),
    (change("cards", "green", "ranks", to=[1, "2"]), "cards.green.ranks", "hold '2'; expected whole numbers from 1 to 99"),
    (change("cards", "green", "ranks", to=[1, 2.0]), "cards.green.ranks", "hold 2.0; expected whole numbers from 1 to 99"),
    (change("cards", "green", "ranks", to=[2, True]), "cards.green.ranks", "hold True; expected whole numbers from 1 to 99"),
    (
        change("cards", "green", "ranks", to=[3, 4, 3]),
        "cards.green.ranks",
        "hold 3 more than once; ranks must be unique in a colour",
    ),
    (drop("cards", "green", "provenance"), "cards.green.provenance", "is missing; expected where the ranks are known from"),
    (change("cards", "green", "suit", to="x"), "cards.green.suit", "is unknown; keys here: provenance, ranks"),
    (change("cards", "green", "ranks", to=list(range(1, 22))), "cards", "are 65; at most 64 in all"),
    (change("cards", "yellow", "ranks", to=[]), "cards", "are 44; 4 players need at least 48"),
    (drop("plans"), "plans", "is missing; expected an array of tables with value, count, provenance and perhaps accomplice"),
    (change("plans", to={}), "plans", "expected an array of tables"),
    (change("plans", 0, to=4), "plans[0]", "is 4; expected a table"),
    (drop("plans", 0, "value"), "plans[0].value", "is missing; expected a whole number from 1 to 99"),
    (change("plans", 0, "value", to=0), "plans[0].value", "is 0; expected a whole number from 1 to 99"),
    (change("plans", 0, "value", to=-4), "plans[0].value", "is -4; expected a whole number from 1 to 99"),
    (change("plans", 0, "value", to="6"), "plans[0].value", "is '6'; expected a whole number from 1 to 99"),
    (change("plans", 0, "value", to=True), "plans[0].value", "is True; expected a whole number from 1 to 99"),
    (drop("plans", 2, "count"), "plans[2].count", "is missing; expected a whole number from 1 to 23"),
    (change("plans", 2, "count", to=0), "plans[2].count", "is 0; expected a whole number from 1 to 23"),
    (
        change("plans", 1, "accomplice", to="beaver"),
        "plans[1].accomplice",
        "is 'beaver'; expected one of blue_over_mauve, plain_mauve",
    ),
    (change("plans", 1, "accomplice", to=["low_wins", "pass_left"]), "plans[1].accomplice", "expected one of blue_over_mauve"),
    (change("plans", 1, "accomplice", to=""), "plans[1].accomplice", "is ''; expected one of blue_over_mauve"),
    (drop("plans", 1, "provenance"), "plans[1].provenance", "is missing; expected where the plan is known from"),
    (
        change("plans", 1, "accomplices", to="low_wins"),
        "plans[1].accomplices",
        "is unknown; keys here: accomplice, count, provenance, value",
    ),
    (change("plans", 0, "count", to=6), "plans", "are 24; expected 13 to 23, counted by `count`"),
    (several(*[drop("plans", 0)] * 7), "plans", "expected 13 to 23, counted by `count`"),
    (drop("agents"), "agents", "is missing; expected an array of tables with id and provenance"),
    (change("agents", 0, "id", to="castor"), "agents[0].id", "is 'castor'; expected one of belton, martha, wxt, jean, moignons"),
    (change("agents", 1, "id", to="belton"), "agents[1].id", "is 'belton' again; each agent once"),
    (drop("agents", 1, "provenance"), "agents[1].provenance", "is missing; expected where the agent is known from"),
    (change("agents", 1, "name", to="M"), "agents[1].name", "is unknown; keys here: id, provenance"),
    (several(drop("agents", 0), drop("agents", 0)), "agents", "are 3; 4 players need one each"),
]


@pytest.mark.parametrize(("spoil", "key", "problem"), BAD, ids=[f"{key}-{number}" for number, (_, key, _) in enumerate(BAD)])
def test_a_bad_deck_is_refused_with_key_and_what_would_be_right(spoil: Callable[[Tables], None], key: str, problem: str) -> None:
    tables = copy.deepcopy(house())
    spoil(tables)
    with pytest.raises(BadDeck) as refused:
        GAME.new(4, seed=1, deck=tables)
    assert refused.value.key == key and problem in refused.value.problem
    assert str(refused.value).startswith(f"deck (given as tables): {key}: ")


def test_a_bad_file_is_refused_with_its_name(tmp_path: Path) -> None:
    tables = house()
    tables["plans"][0]["value"] = 0
    file = tmp_path / "mine.toml"
    file.write_text(toml_of(tables), encoding="utf-8")
    with pytest.raises(BadDeck, match=r"mine\.toml: plans\[0\]\.value: is 0; expected a whole number from 1 to 99") as refused:
        GAME.new(4, seed=1, deck=file)
    assert refused.value.source == str(file)


def test_a_file_that_is_missing_or_no_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadDeck, match=r"none\.toml: file: cannot be read: .*No such file"):
        GAME.new(2, seed=1, deck=tmp_path / "none.toml")
    (tmp_path / "broken.toml").write_text("name = [", encoding="utf-8")
    with pytest.raises(BadDeck, match=r"broken\.toml: file: is no TOML"):
        GAME.new(2, seed=1, deck=tmp_path / "broken.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadDeck, match=r"bytes\.toml: file: cannot be read"):
        GAME.new(2, seed=1, deck=tmp_path / "bytes.toml")


@pytest.mark.parametrize("deck", ["mine", "../house", "house.toml", 4, None, [], True])
def test_an_option_that_is_no_deck_is_refused(deck: object) -> None:
    with pytest.raises(
        BadOption, match=r"option 'deck' (?:cannot be .*|is missing); expected one of house, a Path to a TOML file, or its tables"
    ):
        GAME.new(2, seed=1, deck=deck)


def test_a_deck_needs_twelve_cards_for_each_player_and_no_more_than_64() -> None:
    for cards, players in ((24, 2), (36, 3), (48, 4), (60, 5), (64, 5)):
        deck = deck_of({"B": range(1, cards + 1)}, PLAIN)
        assert sum(seen(GAME.new(players, seed=1, deck=deck))["hand_counts"]) == 6 * players
        if players < 5:
            with pytest.raises(BadDeck, match=rf"cards: are {cards}; {players + 1} players need at least {12 * (players + 1)}"):
                GAME.new(players + 1, seed=1, deck=deck)


@pytest.mark.parametrize("plans", [13, 23])
def test_decks_of_13_and_of_23_plans_are_played_to_the_end(plans: int) -> None:
    deck = deck_of(SMALL, [*["2"] * (plans - 3), "1+pass_left", "3+pass_left", "99"])
    for seed in range(5):
        assert play_to_the_end(GAME.new(2, seed=seed, deck=deck, medals=3), seed).is_over


def test_accomplices_may_stand_on_any_plan_and_more_than_once() -> None:
    deck = deck_of(SMALL, ["7+low_wins", "7+low_wins", "8+low_wins", "8+pass_left", *["7"] * 9])
    pile = GAME.new(2, seed=1, deck=deck, powers=False).truth()["pile"]
    assert Counter(pile) == {"7": 9, "7+low_wins": 2, "8+low_wins": 1, "8+pass_left": 1}
    plain = GAME.new(2, seed=1, deck=deck, powers=False, accomplices=False).truth()["pile"]
    assert Counter(plain) == {"7": 11, "8": 2}


def test_ranks_may_leave_gaps_and_come_in_any_order() -> None:
    deck = deck_of({"B": [99, 5, 1, *range(40, 61)]}, PLAIN)
    state = GAME.new(2, seed=1, deck=deck)
    truth = state.truth()
    cards = {card for part in ("hands", "reserves") for some in truth[part] for card in some}
    assert cards == {f"B{rank}" for rank in (1, 5, 99, *range(40, 61))}


# ---- One's own deck ----


def test_a_deck_by_path_and_by_tables_is_the_same_game(tmp_path: Path) -> None:
    tables = deck_of(SMALL, [*PLAIN, "2+pass_left"])
    file = tmp_path / "mine.toml"
    file.write_text(toml_of(tables), encoding="utf-8")
    by_path, by_tables = GAME.new(2, seed=5, deck=file), GAME.new(2, seed=5, deck=tables)
    assert by_path.rules.digest == by_tables.rules.digest and by_path.truth() == by_tables.truth()


def test_names_and_provenance_do_not_change_the_game() -> None:
    tables = deck_of(SMALL, PLAIN)
    other = copy.deepcopy(tables)
    other["name"] = "another"
    other["plans"][0]["provenance"] = "counted"
    assert GAME.make_rules(2, deck=tables).digest == GAME.make_rules(2, deck=other).digest
    other["plans"][0]["value"] = 2
    assert GAME.make_rules(2, deck=tables).digest != GAME.make_rules(2, deck=other).digest


def test_two_decks_are_played_side_by_side() -> None:
    own = deck_of(SMALL, ["9"] * 14)
    mine, theirs = GAME.new(2, seed=1, deck=own, medals=1), GAME.new(2, seed=1, medals=1)
    alone = play_to_the_end(GAME.new(2, seed=1, medals=1)).truth()
    while not mine.is_over or not theirs.is_over:
        for state in (mine, theirs):
            if not state.is_over:
                assert state.game.new(2, seed=1, medals=1, deck=own).truth()["pile"] != theirs.truth()["pile"]
                state.play(state.legal_moves()[0])
    assert sum(seen(mine)["plan_points"]) % 9 == 0 and set(seen(mine)["pile"]) <= {"9", "?", *AGENTS}
    again = GAME.new(2, seed=1, medals=1)
    while not again.is_over:
        again.play(again.legal_moves()[0])
    assert again.truth() == theirs.truth() and play_to_the_end(GAME.new(2, seed=1, medals=1)).truth() == alone


def test_the_content_of_a_deck_goes_into_the_record_and_replays(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(toml_of(deck_of(SMALL, [*PLAIN, "2+pass_left"])), encoding="utf-8")
    state = play_to_the_end(GAME.new(2, seed=5, deck=file, medals=1))
    text = json.dumps(state.record().to_json())
    file.unlink()
    assert GAME.replay(Record.from_json(text)).truth() == state.truth()
    assert json.loads(text)["options"]["deck"]["plans"][1]["accomplice"] == "pass_left"


def test_a_shipped_deck_stands_in_the_record_by_its_name() -> None:
    assert GAME.new(2, seed=1).record().to_json()["options"]["deck"] == "house"


def test_a_record_whose_deck_has_changed_is_refused() -> None:
    data = GAME.new(2, seed=5, deck=deck_of(SMALL, PLAIN)).record().to_json()
    data["options"]["deck"]["plans"][0]["value"] = 2
    with pytest.raises(BadRecord, match=r"record: digest: is [0-9a-f]{64}; these options and this deck have [0-9a-f]{64}"):
        GAME.replay(Record.from_json(data))


def test_the_letters_of_the_colours_are_those_of_the_notation() -> None:
    assert {card[0] for card in CARDS} == set(COLOURS)
