"""What a game declares: numbers of moves, events, decks, limits told with the line they stand in."""

from pathlib import Path

import pytest

from machiavel.engines.errors import BadGameFile
from machiavel.engines.kit.card_sets import Bag, Deck, cards, has, high, low, one, size
from machiavel.engines.kit.checker import check_program, load_source
from tests.engines.kit.authors import HIGHEST, load_text
from tests.engines.kit.small_games import HEAD, TrialLuck, line_of, position_of, source_of, text_of

# A line of a game's declarations, what it becomes, and what is said of it then.
WRONG = {
    'DECK = Deck(suits="RB", ranks="12345")': [
        ('DECK = Deck(suits="ABCDEFGH", ranks="12345678")', "has 64 cards; a deck of unique cards has at most 63"),
        ('DECK = Deck(["a", "b", "a"])', "'a' is in this deck twice"),
        ('DECK = Deck(["a b"])', "'a b' cannot be a card's text"),
        ("DECK = Deck()", "a deck needs cards"),
        ('DECK = Deck(suits="RB", ranks="12345", looks={"G": "green"})', "looks has 'G', and there is none such in this deck"),
        ('DECK = Deck(suits="RB", ranks="12345", looks={"R": "pink"})', "R looks like 'pink'; expected a colour (red, black,"),
        ('DECK = Deck(suits="RB", ranks="12345", looks={"R": "red red"})', "R looks like 'red red'; expected a colour"),
        ('DECK = Deck(suits="RB", ranks="12345", looks={"R": "moon sun"})', "R looks like 'moon sun'; expected a colour"),
        ('DECK = Deck(suits="RB", ranks="12345", looks={"R": 7})', "R looks like 7; expected a colour"),
        (
            'DECK = Deck(suits="RB", ranks="12345", looks={"R": "red moon", "B": "blue moon"})',
            "B has the same symbol as R, moon; who sees no colours would take one for the other",
        ),
    ],
    'TOKENS = Bag({"sun": 3, "moon": 2, "star": 1})': [
        ('TOKENS = Bag({"sun": 16})', "there are 16 of 'sun'; 1 to 15 are possible"),
        ("TOKENS = Bag({str(kind): 1 for kind in range(16)})", "has 16 kinds; at most 15"),
        ("TOKENS = Bag({})", "a deck needs cards"),
    ],
    'hands = Cards(DECK, each_seat=True, seen_by="owner")': [
        ('hands = Cards(DECK, seen_by="owner")', 'seen_by="owner" needs each_seat=True'),
        ('hands = Cards(DECK, each_seat=True, seen_by="nobdy")', "hands is seen by 'nobdy'"),
        ('hands = Cards(DECK, each_seat=True, seen_by="led")', "hands is seen by 'led'"),
        ("hands = Cards(DECK, each_seat=True, seen_by=[0])", "hands is seen by [0]"),
        ("hands = Cards(DECK, each_seat=True, within={})", "hands is within {}"),
        ('hands = Cards(DECK, each_seat=True, within="pile")', "hands is within 'pile'"),
        ('hands = Cards(DECK, each_seat=True, zone_at="air")', "zone_at is 'air'; expected one of hand, table, pile"),
        ('hands = Cards(DECK, each_seat=True, tells="often")', "tells is 'often'"),
        ("hands = Cards(DECK, each_seat=True, seen=1)", "no setting seen"),
        ("hands = Cards(7)", "expected a Deck or a Bag first, not 7"),
        (
            'hands = Card(DECK, each_seat=True, length=99, seen_by="owner")',
            "297 hidden places for cards of one deck; at most 255",
        ),
    ],
    "led = Count(most=4)": [
        ("led = Count(most=4, least=5)", "least is 5 and most is 4"),
        ("led = Count(most=4, usually=5)", "led is usually 5; it holds 0 to 4"),
        ("led = Flag(die=True)", "die=True is for a Count"),
        ("led = Count(most=4, length=0)", "length is 0; expected a whole number from 1 to"),
        ("led = Count(most=2**40, length=600)", "a position takes more than 4096 bytes"),
        ("end = led = Count(most=4)", "end is a name of the kit itself"),
    ],
    'cups = Dice(3, each_seat=True, seen_by="owner")': [("cups = Dice(3, sides=1)", "a die has 1 sides")],
    "bid = Action(number=range(1, 5), face=range(1, 7))": [
        ("bid = Action(number=range(300), face=range(300))", "there are 90010 moves; at most 65535"),
        ("bid = Action(number=7)", "the part number is 7; expected a Deck, a Bag, range(a, b), Seat or a tuple of texts"),
        ("bid = Action(number=range(0, 9, 2))", "the part number is range(0, 9, 2)"),
    ],
    'rounds = Option(3, en="rounds", least=1, most=9)': [
        ('rounds = Option(3, en="rounds")', "an option is True or False, or a whole number of 64 bits"),
        ('rounds = Option(3, en="rounds", least=0, most=2**63)', "a whole number of 64 bits with least= and most="),
        ('rounds = Option(2.5, en="rounds", least=0, most=9)', "this one is 2.5"),
        ('rounds = Option(0, en="rounds", least=1, most=9)', "this one is 0"),
    ],
}
OF_CLASS = [
    ('"mine", {', '"My game", {', "name is 'My game'; expected a word of small letters"),
    ("[2, 3]", "[2, 9]", "players is [2, 9]; expected numbers from 1 to 8, such as players = [2, 3, 4]"),
    ("[2, 3]", "[]", "players is []"),
    ('{"en": "Mine"}', '{"fr": "Mien"}', "titles needs English at least"),
    ('{"en": "Mine"}', '{"en": 5}', "titles needs English at least"),
    ("    FIVE = 5", "    worth = (1, 1)", "worth is (1, 1); expected the least and the most that a result can be"),
    ("    FIVE = 5", "    worth = 'much'", "worth is 'much'"),
]


def loaded(folder: Path, text: str) -> None:
    path = folder / "mine.py"
    path.write_text(text, encoding="utf-8")
    load_source(path)


@pytest.mark.parametrize(
    ("right", "wrong", "said"), [(right, *pair) for right, pairs in WRONG.items() for pair in pairs], ids=lambda text: text
)
def test_what_is_declared_wrongly_is_told_with_its_line(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    assert right in HEAD
    with pytest.raises(BadGameFile) as caught:
        loaded(tmp_path, text_of().replace(right, wrong))

    assert said in caught.value.problem
    assert caught.value.line == line_of(tmp_path, wrong)
    assert caught.value.message("fr") != caught.value.message("en")


@pytest.mark.parametrize(("right", "wrong", "said"), OF_CLASS)
def test_what_a_class_lacks_is_told_with_its_line(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    with pytest.raises(BadGameFile) as caught:
        loaded(tmp_path, text_of().replace(right, wrong))

    assert said in caught.value.problem
    assert caught.value.line == line_of(tmp_path, "class Mine(Game):")


def test_a_game_has_no_more_fields_decks_and_metrics_than_the_runtime_has_room_for(tmp_path: Path) -> None:
    fields = "    " + "; ".join(f"f{number} = Flag()" for number in range(96))
    (tmp_path / "fields.py").write_text(text_of().replace("    FIVE = 5", fields), encoding="utf-8")
    decks = "; ".join(f"d{number} = Cards(Deck(['a', 'b']))" for number in range(8))
    (tmp_path / "decks.py").write_text(text_of().replace("    FIVE = 5", f"    {decks}"), encoding="utf-8")
    measured = ", ".join("abcdefghi")

    with pytest.raises(BadGameFile, match="108 fields; a game has at most 96"):
        load_source(tmp_path / "fields.py")
    with pytest.raises(BadGameFile, match="10 decks; a game has at most 8"):
        load_source(tmp_path / "decks.py")
    with pytest.raises(BadGameFile, match="fills 9 quantities; at most 8"):
        source_of(tmp_path, measure=f"def measure(self, {measured}):\n    a[0] = 1.0")


def test_a_game_that_lasts_for_ever_is_none(tmp_path: Path) -> None:
    with pytest.raises(BadGameFile, match="longest is 0; expected the most plies"):
        loaded(tmp_path, text_of().replace("[2, 3], 40", "[2, 3], 0"))


TOGETHER = "    tiles = Cards(DECK, each_seat=True, seen_by='owner')\n    give = Action(DECK, together=3, into='tiles')\n"


def test_cards_that_a_seat_chooses_one_after_the_other_are_declared_as_such(tmp_path: Path) -> None:
    game = load_text(tmp_path, HIGHEST.replace("    play = Action(DECK)\n", f"    play = Action(DECK)\n{TOGETHER}"))
    assert [(kind.together, kind.into) for kind in game.plugin.moves.kinds] == [(0, ""), (3, "tiles")]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("together=3", "together=1"),
        ("together=3", "together='all'"),
        ("together=3, ", ""),
        (", into='tiles'", ""),
        ("into='tiles'", "into='gone'"),
        ("into='tiles'", "into='best'"),
        ("seen_by='owner'", "length=2"),
        ("Action(DECK, ", "Action("),
        ("Action(DECK, ", "Action(DECK, who=Seat, "),
        ("Cards(DECK, each_seat", "Cards(OTHER, each_seat"),
    ],
)
def test_cards_that_cannot_be_chosen_together_are_refused(tmp_path: Path, right: str, wrong: str) -> None:
    assert right in TOGETHER
    text = HIGHEST.replace("    play = Action(DECK)\n", f"    play = Action(DECK)\n{TOGETHER.replace(right, wrong)}")
    text = text.replace("\n\n\nclass", '\nOTHER = Deck(suits="XY", ranks="12")\n\n\nclass')

    with pytest.raises(BadGameFile, match=r"mine\.py:\d+: give: together=.*, into=.*; expected from 2 cards on"):
        load_text(tmp_path, text)


@pytest.mark.parametrize("module", ["os", "random", "machiavel.engines", "helpers"])
def test_a_game_is_one_file(tmp_path: Path, module: str) -> None:
    (tmp_path / "helpers.py").write_text("NUMBER = 3\n")
    with pytest.raises(BadGameFile, match=f"a game is one file and does not import {module}"):
        loaded(tmp_path, f"import {module}\n{text_of()}")


def test_moves_are_numbered_in_order_of_declaration(tmp_path: Path) -> None:
    game = source_of(tmp_path).description

    assert {name: (one.first, one.count) for name, one in game.actions.items()} == {
        "play": (0, 10),
        "bid": (10, 24),
        "take": (34, 3),
        "stop": (37, 1),
    }
    assert game.move_limit == 38
    assert [one.action.text for one in game.actions.values()] == ["{card}", "bid:{number}:{face}", "{card}", "stop"]
    assert list(game.fields) == "hands pile bag top led wide points grid broken best out cups".split()
    assert game.deck_names == ["DECK", "TOKENS"]
    assert game.methods == {"deal", "legal", "apply", "result"}


def test_a_game_may_stand_on_another_class_of_its_file(tmp_path: Path) -> None:
    text = text_of(apply="self.led = self.twice(2)", twice="def twice(self, x):\n    return 2 * x")
    text += "\nclass Longer(Mine):\n    name, version = 'longer', 2\n    more = Count(most=3)\n"
    text += "\n    def twice(self, x):\n        return x\n"
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    source = load_source(path)
    position = position_of(source)
    position.apply(0, TrialLuck())

    assert (source.description.name, source.description.version, position.led) == ("longer", 2, 2)
    assert list(source.description.fields)[-1] == "more"


def test_a_program_has_what_is_called_before_its_callers(tmp_path: Path) -> None:
    source = source_of(tmp_path, apply="self.led = self.third(2)", third="def third(self, x):\n    return double(x)")
    names = list(check_program(source, 3, {}).functions)

    assert names.index("double") < names.index("third") < names.index("apply")


# ---- Sets ----


def test_sets_of_unique_cards_are_bits() -> None:
    deck = Deck(suits="CDHS", ranks="23456789TJQKA")

    assert (len(deck), deck.texts[0], deck.texts[-1], deck.card("SQ")) == (52, "C2", "SA", 49)
    assert list(cards(deck.cards("C3 S2 C2"))) == [0, 1, 39]
    assert deck.suit(2) == sum(one(card) for card in range(52) if deck.suit_of(card) == 2)
    assert deck.rank(12) == deck.cards("CA DA HA SA")
    assert all(deck.rank_of(card) == 12 for card in cards(deck.rank(12)))
    assert (size(deck.all), low(6), high(6), has(6, 1), has(6, 0)) == (52, 1, 2, True, False)
    for function in (low, high):
        with pytest.raises(ValueError, match="of no cards"):
            function(0)
    with pytest.raises(ValueError, match="negative"):
        size(-1)


def test_bags_count_the_cards_of_each_kind() -> None:
    bag = Bag({"guard": 5, "priest": 2, "king": 1})
    rest = bag.all - bag.one(bag.kind("king"))

    assert (bag.all, bag.size(bag.all), bag.number(bag.all, 0)) == (0x125, 8, 5)
    assert list(bag.kinds(rest)) == [0, 1]
    assert (bag.has(rest, 2), bag.has(rest, 1)) == (False, True)
