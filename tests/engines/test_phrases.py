"""Texts with holes: forms, plurals, what is left out where there is nothing, and that languages agree."""

import json
import pickle
import re

import pytest

from machiavel.engines import games, load
from machiavel.engines.phrases import Phrases, Span, capitalized, joined, of_name, plain, to_name, typeset


def phrases(en: str, fr: str = "") -> Phrases:
    return Phrases({"en": {"a": {"b": en}}, "fr": {"a": {"b": fr or en}}})


def test_holes_are_filled_in_the_form_that_the_text_asks_for() -> None:
    texts = phrases("{who} takes {whom:of} lair", "{who} prend le repaire {whom:of}")

    parts = {"who": "Ann", "whom": lambda form: f"<{form}>"}

    assert texts("a.b", "en", **parts) == "Ann takes <of> lair"
    assert texts("a.b", "fr", **parts) == "Ann prend le repaire <of>"


def test_words_go_with_numbers_as_each_language_has_it() -> None:
    texts = phrases("{n} {n:card|cards}", "{n} {n:carte|cartes}")

    assert [texts("a.b", "en", n=n) for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert [texts("a.b", "fr", n=n) for n in (0, 1, 2)] == ["0 carte", "1 carte", "2 cartes"]


def test_a_number_may_stand_in_the_word_that_goes_with_it() -> None:
    texts = phrases("locks {n:a door|# doors}", "ferme {n:une porte|# portes}")

    assert [texts("a.b", "en", n=n) for n in (1, 3)] == ["locks a door", "locks 3 doors"]
    assert [texts("a.b", "fr", n=n) for n in (1, 3)] == ["ferme une porte", "ferme 3 portes"]


def test_what_stands_in_brackets_is_left_out_where_there_is_nothing() -> None:
    texts = phrases("plan {plan}[, {greens} green[ and {yellows} yellow]].")

    assert texts("a.b", "en", plan=4, greens=2, yellows=0) == "plan 4, 2 green."
    assert texts("a.b", "en", plan=4, greens=2, yellows=1) == "plan 4, 2 green and 1 yellow."


@pytest.mark.parametrize("text", ["[a", "a]", "[a]]"])
def test_brackets_must_close(text: str) -> None:
    with pytest.raises(ValueError, match="bracket"):
        phrases(text)


def test_languages_must_have_the_same_texts_with_the_same_holes() -> None:
    with pytest.raises(ValueError, match=r"a\.b is a text of en alone"):
        Phrases({"en": {"a": {"b": "x"}}, "fr": {}})
    with pytest.raises(ValueError, match="holes"):
        phrases("{x}", "{y}")


def test_a_wording_is_english_and_has_its_translations_with_it() -> None:
    colour = phrases("green", "vert").wording("a.b")
    wording = phrases("must follow {colour}", "il faut fournir du {colour}").wording("a.b", colour=colour)

    assert wording == "must follow green"
    assert wording.texts == {"en": "must follow green", "fr": "il faut fournir du vert"}
    assert pickle.loads(pickle.dumps(wording)).texts == wording.texts  # noqa: S301


def test_pieces_keep_what_they_name() -> None:
    pieces = phrases("{who} plays").spans("a.b", "en", {"who": 1}, lambda name, form: [Span("seat 1", "seat", 1)])

    assert capitalized(pieces) == [Span("Seat 1", "seat", 1), Span(" plays")]
    assert plain(pieces) == "seat 1 plays"


@pytest.mark.parametrize(
    ("things", "english", "french"),
    [("", "", ""), ("a", "a", "a"), ("ab", "a and b", "a et b"), ("abc", "a, b and c", "a, b et c")],
)
def test_the_last_of_things_in_a_row_has_a_word_before_it(things: str, english: str, french: str) -> None:
    pieces = [Span(thing, "thing", thing) for thing in things]

    assert (plain(joined(pieces, "en")), plain(joined(pieces, "fr"))) == (english, french)
    assert [piece for piece in joined(pieces, "en") if piece.kind] == pieces


@pytest.mark.parametrize(
    ("name", "of", "to"),
    [
        ("le joueur 2", "du joueur 2", "au joueur 2"),
        ("les autres", "des autres", "aux autres"),
        ("Adèle", "d’Adèle", "à Adèle"),
        ("Martha", "de Martha", "à Martha"),
    ],
)
def test_french_names_take_their_articles(name: str, of: str, to: str) -> None:
    assert (of_name(name, "fr"), to_name(name, "fr")) == (of, to)
    assert of_name("seat 2", "en") == "seat 2's"


def test_french_marks_stand_behind_a_space_that_does_not_break() -> None:
    texts = phrases("{who}: “{card}”?", "{who} : « {card} » ?")

    assert texts("a.b", "fr", who="Ann", card="J12").replace("\N{NO-BREAK SPACE}", "_") == "Ann_: «_J12_»_?"
    assert texts("a.b", "en", who="Ann", card="Y12") == "Ann: “Y12”?"
    assert typeset("3 % ; ? en dit plus · ? aide", "fr").replace("\N{NO-BREAK SPACE}", "_") == "3_%_; ? en dit plus · ? aide"


@pytest.mark.parametrize(
    ("plain", "set_"),
    [
        ("l'as n'est pas là : c'est d'accord", "l’as n’est pas là\N{NO-BREAK SPACE}: c’est d’accord"),
        (
            "'frog' n'est pas un coup, d'{seat} ni d'« un »",
            "'frog' n’est pas un coup, d’{seat} ni d’«\N{NO-BREAK SPACE}un\N{NO-BREAK SPACE}»",
        ),
    ],
)
def test_french_is_set_with_curved_apostrophes_and_no_other_quotes_are_changed(plain: str, set_: str) -> None:
    assert typeset(plain, "fr") == set_
    assert typeset(set_, "fr") == set_
    assert typeset("it isn't", "en") == "it isn't"


STRAIGHT = re.compile(r"[^\W\d_]'[\w{«]")


@pytest.mark.parametrize("game", games())
def test_no_french_text_of_a_game_has_a_straight_apostrophe(game: str) -> None:
    plugin = load(game).plugin
    phrases = plugin.phrases()
    texts = {key: phrases.template(key, "fr") for key in phrases.keys()}  # noqa: SIM118 - they are no mapping
    texts |= {f"rules, line {number}": line for number, line in enumerate(plugin.rules_text("fr").splitlines(), 1)}
    texts |= {"title": plugin.titles["fr"]} | {
        f"{one.name}: {part['fr']}": part["fr"] for one in plugin.options for part in (one.help,)
    }
    puzzles = plugin.puzzles_file()
    if puzzles is not None:
        found = json.loads(puzzles.read_text(encoding="utf-8"))["puzzles"]
        texts |= {f"puzzle {one['id']}, {at}": said["fr"] for one in found for at, said in enumerate(one["sentences"])}

    assert len(texts) > 40
    assert [f"{key}: {text}" for key, text in texts.items() if STRAIGHT.search(text)] == []
