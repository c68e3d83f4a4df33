"""What players read: the moves, cards and powers of agency in words."""

from collections.abc import Mapping

__all__ = [
    "ACCOMPLICE_WORDS",
    "AGENT_NAMES",
    "COLOUR_NAMES",
    "HIDDEN_PASS",
    "POWER_WORDS",
    "card_label",
    "choice_label",
    "plan_label",
    "trick_label",
]

COLOUR_NAMES: Mapping[str, Mapping[str, str]] = {
    "en": {"M": "mauve", "B": "blue", "G": "green", "Y": "yellow"},
    "fr": {"M": "mauve", "B": "bleu", "G": "vert", "Y": "jaune"},
}

AGENT_NAMES: Mapping[str, str] = {
    "belton": "Henry B. Belton",
    "martha": "Martha",
    "wxt": "WXT",
    "jean": "Jean",
    "moignons": "Moignons",
}

POWER_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "belton": "chooses who leads this trick",
        "martha": "takes the lowest plan of the pile as well, if she wins this trick",
        "wxt": "plays last in this trick",
        "jean": "if he wins this trick, its green and yellow cards count for nobody",
        "moignons": "looks at the hand of one opponent",
    },
    "fr": {
        "belton": "décide qui commence ce tour",
        "martha": "prend aussi le plan le plus bas de la pile si elle gagne ce tour",
        "wxt": "joue en dernier ce tour-ci",
        "jean": "s'il gagne ce tour, ses cartes vertes et jaunes ne comptent pour personne",
        "moignons": "regarde la main d'un adversaire",
    },
}

ACCOMPLICE_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "blue_over_mauve": "blue beats mauve for this trick",
        "plain_mauve": "mauve is an ordinary colour for this trick",
        "low_wins": "the lowest card of the winning colour wins this trick",
        "follow_suit": "the colour led must be followed in this trick",
        "pass_left": "first everybody passes a card to the left, unseen",
    },
    "fr": {
        "blue_over_mauve": "le bleu bat le mauve ce tour-ci",
        "plain_mauve": "le mauve est une couleur ordinaire ce tour-ci",
        "low_wins": "la carte la plus faible de la couleur gagnante l'emporte ce tour-ci",
        "follow_suit": "il faut fournir la couleur demandée ce tour-ci",
        "pass_left": "d'abord, chacun passe une carte à gauche, sans la montrer",
    },
}


HIDDEN_PASS: Mapping[str, str] = {"en": "pass a hidden card", "fr": "passer une carte cachée"}


def card_label(card: str, language: str) -> str:
    """`G8` in words."""
    colour, rank = COLOUR_NAMES[language][card[0]], card[1:]
    return f"{colour} {rank}" if language == "en" else f"{rank} {colour}"


def choice_label(word: str, name: str, language: str) -> str:
    """What Belton (`lead`) or Moignons (`look`) chooses, of a player so named."""
    if word == "lead":
        return {"en": f"{name} leads", "fr": f"{name} commence"}[language]
    of = f"du {name.removeprefix('le ')}" if name.startswith("le ") else f"de {name}"
    return {"en": f"look at the hand of {name}", "fr": f"regarder la main {of}"}[language]


def plan_label(plan: str, language: str) -> str:
    """`4+blue_over_mauve` in words."""
    value, _, accomplice = plan.partition("+")
    words = {"en": f"plan of {value}", "fr": f"plan de valeur {value}"}[language]
    return f"{words} ({ACCOMPLICE_WORDS[language][accomplice]})" if accomplice else words


def trick_label(stake: str | None, language: str) -> str:
    """A trick as something to be won, with the value of what is played for; None: it is not settled yet."""
    if stake is None:
        return {"en": "the coming trick", "fr": "le prochain tour"}[language]
    return {"en": "this trick and its ", "fr": "ce tour et son "}[language] + plan_label(stake.partition("+")[0], language)
