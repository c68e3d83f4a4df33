"""What is asked of a person at a table of whist."""

from typing import Any

from machiavel.engines import Game
from machiavel.engines.whist.codec import CARD_TEXTS, SUITS
from machiavel.server.cli.asking.steps import Answers, Form, FormStep, Wrong, by_seat, listed, players_step, several, whole

__all__ = ["whist_form"]

DEALT = 7
CARDS = {
    "en": "Cards as HT D5: a suit (C, D, H, S) and 2 to 9, T, J, Q, K or A.",
    "fr": "Des cartes comme HT D5 : une couleur (C trèfle, D carreau, H cœur, S pique) et 2 à 9, T, J, Q, K ou A.",
}
PLACES = {"contenders": "still_in", "leader": "table", "to_move": "table", "round": "dealt", "trick": "hand", "past": "seen"}


def whist_form(game: Game) -> Form:
    return Form(game, [players_step(game), *STEPS], lambda answers: {"players": answers["players"]}, view, PLACES)


def read_card(answers: Answers, word: str) -> str:
    card = word.upper().replace("10", "T")
    if card not in CARD_TEXTS.values():
        raise Wrong(f"{word}: expected a card, as HT", f"{word} : il faut une carte, comme HT")
    where = {"hand": ("in your hand", "dans ta main"), "table": ("on the table", "sur la table")}
    for key, (en, fr) in where.items():
        if card in answers.get(key, ()):
            raise Wrong(f"{card} is {en} already", f"{card} est déjà {fr}")
    return card


def read_suit(_: Answers, entry: str) -> str:
    if len(entry) == 1 and entry.upper() in SUITS:
        return entry.upper()
    raise Wrong(f"{entry}: expected C, D, H or S", f"{entry} : il faut C, D, H ou S")


def read_hand(answers: Answers, entry: str) -> list[str]:
    cards: list[str] = several(read_card)(answers, entry)
    if not 1 <= len(cards) <= answers["dealt"]:
        most = answers["dealt"]
        raise Wrong(
            f"{len(cards)} cards are given; expected 1 to {most}", f"il y a {len(cards)} cartes ; il en faut de 1 à {most}"
        )
    return cards


def read_players_in(answers: Answers, entry: str) -> list[int]:
    result = sorted({whole(0, answers["players"] - 1)(answers, word) for word in listed(entry)})
    if 0 not in result or len(result) < 2:
        raise Wrong("expected 0, which is you, and others", "il faut 0, c'est toi, et d'autres")
    return result


def is_later(answers: Answers) -> bool:
    return bool(len(answers.get("hand", ())) < answers.get("dealt", 0))


STEPS = [
    FormStep(
        "dealt",
        {
            "en": "How many cards was each dealt in this round?",
            "fr": "Combien de cartes chacun a-t-il reçues dans cette manche ?",
        },
        {
            "en": "7 in the first round, then one fewer each time.",
            "fr": "7 dans la première manche, puis une de moins à chaque fois.",
        },
        whole(1, DEALT),
        usual=lambda _: str(DEALT),
    ),
    FormStep(
        "trump",
        {"en": "Which suit is trumps?", "fr": "Quelle couleur est atout ?"},
        {"en": "C, D, H or S.", "fr": "C trèfle, D carreau, H cœur ou S pique."},
        read_suit,
    ),
    FormStep("hand", {"en": "Your hand?", "fr": "Ta main ?"}, CARDS, read_hand),
    FormStep(
        "still_in",
        {"en": "Who is still in? (0 is you)", "fr": "Qui est encore en jeu ? (0, c'est toi)"},
        {"en": "Seats from 0, clockwise from you.", "fr": "Les joueurs à partir de 0, dans le sens horaire depuis toi."},
        read_players_in,
        lambda answers: answers.get("dealt", DEALT) < DEALT,
        lambda answers: " ".join(map(str, range(answers["players"]))),
    ),
    FormStep(
        "table",
        {"en": "Cards on the table, in the order played?", "fr": "Les cartes sur la table, dans l'ordre ?"},
        CARDS,
        several(read_card),
        usual=lambda _: "",
    ),
    FormStep(
        "tricks",
        {"en": "Tricks of each player in this round?", "fr": "Les plis de chaque joueur dans cette manche ?"},
        {
            "en": "One number a player, from yourself on clockwise.",
            "fr": "Un nombre par joueur, à partir de toi dans le sens horaire.",
        },
        by_seat(whole(0, DEALT)),
        is_later,
    ),
    FormStep(
        "seen",
        {
            "en": "Cards played earlier in this round, as far as you remember?",
            "fr": "Les cartes jouées plus tôt dans cette manche, autant que tu t'en souviens ?",
        },
        CARDS,
        several(read_card),
        is_later,
        lambda _: "",
    ),
]


def view(answers: Answers) -> dict[str, Any]:
    """You are seat 0, but in the first trick of a match, which seat 0 leads."""
    players, table = answers["players"], answers["table"]
    still_in = answers.get("still_in", list(range(players)))
    is_first = answers["dealt"] == DEALT and not is_later(answers)
    me = min(len(table), players - 1) if is_first else 0
    before = [seat for seat in still_in if seat != 0][::-1]
    order = list(range(players)) if is_first else [*reversed(before[: len(table)]), 0]
    result: dict[str, Any] = {
        "seat": me,
        "round": DEALT + 1 - answers["dealt"],
        "trick": answers["dealt"] - len(answers["hand"]) + 1,
        "trump": answers["trump"],
        "contenders": still_in,
        "leader": order[0],
        "table": [list(pair) for pair in zip(order, table, strict=False)],
        "tricks": answers.get("tricks", [0] * players),
        "hand": sorted(answers["hand"], key=[*CARD_TEXTS.values()].index),
    }
    seen = [*answers.get("seen", ()), *table]
    return result | ({"seen": sorted(seen, key=[*CARD_TEXTS.values()].index)} if answers.get("seen") else {})
