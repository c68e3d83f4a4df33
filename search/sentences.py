"""The words that hints of every game share: how clauses become sentences, and numbers words."""

from collections.abc import Mapping

__all__ = [
    "ELISION",
    "SENTENCES",
    "VOWELS",
    "amount_text",
    "asked_about",
    "plural_of",
    "sentence_case",
    "share_text",
    "than",
]

VOWELS = frozenset("aeéèêhiouy")
ELISION: Mapping[bool, str] = {False: "e ", True: "'"}  # before a vowel

# {do} is a move as it is told to be played, {what} and {best} moves as something good or bad, {than} the best again.
SENTENCES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "only_move": "{do}: you have no choice.",
        "only_asked": "{do}: it is the only move you asked about.",
        "only_move_than": "That is the only move you have.",
        "only_asked_than": "That is the only move you asked about.",
        "best_chance": "{do} ({chance}).",
        "best_of_some": "{do} ({chance}): it is the best of the moves you asked about.",
        "best_sure": "{do}: that wins for certain.",
        "best_lost": "{do}, though no move seems to win any more.",
        "so_far": "For now, {do} ({chance}).",
        "so_far_nothing": "For now, {do}.",
        "best_as_sure": "{do}, for instance.",
        "best_without": "{do}, though it has not won so far.",
        "share": "{clause} in {share} {worlds}",
        "share_again": "{clause} in {share}",
        "always": "{clause} for certain",
        "always_long": "{clause}, for certain",
        "more_often": "more often",
        "less_often": "less often",
        "amount": "{clause} ({amount})",
        "average": "{clause} ({amount} on average)",
        "against": "{ours} against {theirs}",
        "reasons": "{first}.",
        "reasons_and": "{first}, and {second}.",
        "reasons_beside": "{first}; {second}.",
        "reasons_but": "{first}, but {second}.",
        "reasons_sure": "{first}, and {second}, both for certain.",
        "reasons_sure_but": "{first}, but {second}, both for certain.",
        "rival": "That way, {first}.",
        "rival_but": "That way, {first}, but {second}.",
        "asked": "That way, {first}.",
        "asked_but": "That way, {first}, but {second}.",
        "rival_still": "Still, {first}.",
        "close": "{what} is as good.",
        "close_above": "{what} is just as good ({rival_chance}).",
        "close_perhaps_above": "{what} may be better ({rival_chance}).",
        "close_about": "{what} is about as good ({rival_chance}).",
        "close_perhaps": "{what} may be as good ({rival_chance}).",
        "close_sure": "{what} is as good: both win for certain.",
        "close_than": "{what} is as good as {than} ({chance}).",
        "close_sure_than": "{what} is as good as {than}: both win for certain.",
        "close_lost_than": "{what} is as good as {than}: no move seems to win any more.",
        "close_about_than": "{what} is about as good as {than} ({rival_chance} against {chance}).",
        "close_above_than": "{what} is just as good as {than} ({rival_chance} against {chance}).",
        "close_perhaps_than": "{what} may be as good as {than} ({rival_chance} against {chance}).",
        "close_perhaps_above_than": "{what} may be better than {than} ({rival_chance} against {chance}).",
        "behind": "{what} is not as good ({rival_chance}).",
        "behind_little": "{what} is a little worse.",
        "behind_little_than": "{what} is a little worse than {than} ({chance}).",
        "behind_never": "{what} never wins.",
        "behind_than": "{what} is not as good as {than} ({rival_chance} against {chance}).",
        "behind_never_than": "{what} never wins; {best} sometimes does ({chance}).",
        "behind_never_sure": "{what} never wins; {best} does for certain.",
        "ahead": "{what} looks even better than {than} ({rival_chance} against {chance}).",
        "unsettled": "{what} has won more often so far ({rival_chance}), but has been tried less.",
        "same": "{what} is the best move ({chance}).",
        "same_of_some": "{what} is the best of the moves you asked about ({chance}).",
        "same_so_far": "{what} is the best move so far ({chance}).",
        "same_sure": "{what} wins for certain.",
        "same_lost": "{what} is as good as any: no move seems to win any more.",
    },
    "fr": {
        "only_move": "{do} : tu n'as pas le choix.",
        "only_asked": "{do} : c'est le seul coup demandé.",
        "only_move_than": "C'est le seul coup possible.",
        "only_asked_than": "C'est le seul coup demandé.",
        "best_chance": "{do} ({chance}).",
        "best_of_some": "{do} ({chance}) : c'est le meilleur des coups demandés.",
        "best_sure": "{do} : c'est gagné à coup sûr.",
        "best_lost": "{do}, même si la partie semble perdue.",
        "so_far": "Pour l'instant, {do} ({chance}).",
        "so_far_nothing": "Pour l'instant, {do}.",
        "best_as_sure": "{do}, par exemple.",
        "best_without": "{do}, même si aucun essai n'a encore mené à la victoire.",
        "share": "{clause} dans {share} {worlds}",
        "share_again": "{clause} dans {share} des cas",
        "always": "{clause} à coup sûr",
        "always_long": "{clause}, à coup sûr",
        "more_often": "plus souvent",
        "less_often": "moins souvent",
        "amount": "{clause} ({amount})",
        "average": "{clause} ({amount} en moyenne)",
        "against": "{ours} contre {theirs}",
        "reasons": "{first}.",
        "reasons_and": "{first}, et {second}.",
        "reasons_beside": "{first} ; {second}.",
        "reasons_but": "{first}, mais {second}.",
        "reasons_sure": "{first} et {second}, le tout à coup sûr.",
        "reasons_sure_but": "{first}, mais {second}, le tout à coup sûr.",
        "rival": "Avec ce coup-là, {first}.",
        "rival_but": "Avec ce coup-là, {first}, mais {second}.",
        "asked": "Avec ton coup, {first}.",
        "asked_but": "Avec ton coup, {first}, mais {second}.",
        "rival_still": "Pourtant, {first}.",
        "close": "{what}, c'est aussi bien.",
        "close_above": "{what}, c'est tout aussi bien ({rival_chance}).",
        "close_perhaps_above": "{what}, c'est peut-être mieux ({rival_chance}).",
        "close_about": "{what}, c'est à peu près aussi bien ({rival_chance}).",
        "close_perhaps": "{what}, c'est peut-être aussi bien ({rival_chance}).",
        "close_sure": "{what}, c'est aussi bien : les deux gagnent à coup sûr.",
        "close_than": "C'est aussi bien {than} ({chance}).",
        "close_sure_than": "C'est aussi bien {than} : les deux gagnent à coup sûr.",
        "close_lost_than": "C'est aussi bien {than} : de toute façon, la partie semble perdue.",
        "close_about_than": "C'est à peu près aussi bien {than} ({rival_chance} contre {chance}).",
        "close_above_than": "C'est tout aussi bien {than} ({rival_chance} contre {chance}).",
        "close_perhaps_than": "C'est peut-être aussi bien {than} ({rival_chance} contre {chance}).",
        "close_perhaps_above_than": "C'est peut-être mieux {than} ({rival_chance} contre {chance}).",
        "behind": "{what}, c'est moins bien ({rival_chance}).",
        "behind_little": "{what}, c'est à peine moins bien.",
        "behind_little_than": "C'est à peine moins bien {than} ({chance}).",
        "behind_never": "{what}, ça ne gagne jamais.",
        "behind_than": "C'est moins bien {than} ({rival_chance} contre {chance}).",
        "behind_never_than": "Ça ne gagne jamais ; {best}, parfois ({chance}).",
        "behind_never_sure": "Ça ne gagne jamais ; {best}, à coup sûr.",
        "ahead": "Ça paraît encore mieux {than} ({rival_chance} contre {chance}).",
        "unsettled": "{what}, ça gagne plus souvent pour l'instant ({rival_chance}), mais sur moins d'essais.",
        "same": "C'est le meilleur coup ({chance}).",
        "same_of_some": "C'est le meilleur des coups demandés ({chance}).",
        "same_so_far": "C'est le meilleur coup pour l'instant ({chance}).",
        "same_sure": "C'est gagné à coup sûr.",
        "same_lost": "Ça vaut les autres coups : de toute façon, la partie semble perdue.",
    },
}


def share_text(value: float, language: str) -> str:  # noqa: ARG001
    """`71 %`, in every language: halves go to the even number. 0 % and 100 % are said of none and of all, and of nothing else."""
    whole = round(100 * value)
    return f"{whole if value in {0, 1} else min(99, max(1, whole))} %"


def amount_text(value: float, language: str) -> str:
    """One digit after the point, or the comma; no minus before nothing."""
    text = f"{value:.1f}".replace("-0.0", "0.0")
    return text.replace(".", ",") if language == "fr" else text


def plural_of(amount: str, language: str) -> str:
    """The `s` behind what there is so much of: French has it from two on, English for whatever has digits behind the point."""
    is_singular = language == "fr" and abs(float(amount.replace(",", "."))) < 2
    return "" if is_singular else "s"


def than(what: str, language: str, *, is_named: bool) -> str:
    """What something is better or worse than; French has its `que` with it, and `de` before what is done."""
    if language == "en":
        return what
    elided = what[:1].casefold() in VOWELS
    return f"qu{ELISION[elided]}{what}" if is_named else f"que d{ELISION[elided]}{what}"


def asked_about(what: str, language: str, *, is_named: bool) -> str:
    """A move that somebody asked about: English does not say again what is done, and French texts do not name it at all."""
    return "that" if language == "en" and not is_named else what


def sentence_case(text: str) -> str:
    """As the beginning of a sentence."""
    return text[:1].upper() + text[1:]
