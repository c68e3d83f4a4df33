"""The words that hints of every game share: how clauses become sentences, and numbers words."""

from collections.abc import Mapping

__all__ = ["SENTENCES", "amount_text", "plural_of", "share_text", "to_whom"]

SENTENCES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "only_move": "There is no move but {move}.",
        "so_far": "{move} looks best so far: {chance} to win, give or take {error}.",
        "best_chance": "{move} has the best chance to win: {chance}, give or take {error}.",
        "only_asked": "Nothing was compared: {move} is the only move asked for.",
        "best_of_some": "Of the moves looked at, {move} has the best chance to win: {chance}, give or take {error}.",
        "share": "{does} in {share} {worlds}",
        "only_share": "{does} in only {share} {worlds}",
        "share_again": "{does} in {share}",
        "only_share_again": "{does} in only {share}",
        "amount_less": "{clause} ({amount})",
        "reasons": "{move} {first}.",
        "reasons_two": "{move} {first} and {second}.",
        "reasons_but": "{move} {first}, though it {second}.",
        "more_often": "{does} more often ({ours} against {theirs})",
        "less_often": "{does} less often ({ours} against {theirs})",
        "against": "{clause} ({ours} against {theirs})",
        "rival_one": "{move} {first}.",
        "rival_two": "{move} {first}, but {second}.",
        "close": "{move} and {rival} are too close to call: {chance} ± {error} against {rival_chance} ± {rival_error}.",
        "behind": "{rival} wins less often: {rival_chance} against {chance}.",
        "ahead": "{rival} wins more often: {rival_chance} against {chance}.",
        "unsettled": "{rival} wins more often so far, {rival_chance} against {chance}, but was looked at less.",
        "same_of_some": "{move} is the best of the moves looked at: {chance} to win, give or take {error}.",
        "same": "{move} is the best move there is: {chance} to win, give or take {error}.",
        "same_so_far": "{move} is the best move so far: {chance} to win, give or take {error}.",
    },
    "fr": {
        "only_move": "Il n'y a pas d'autre coup que {move}.",
        "so_far": "{move} paraît le meilleur pour l'instant : {chance} de chances de gagner, à {error} près.",
        "best_chance": "{move} a les meilleures chances de gagner : {chance}, à {error} près.",
        "only_asked": "Rien n'a été comparé : {move} est le seul coup demandé.",
        "best_of_some": "Parmi les coups examinés, {move} a les meilleures chances de gagner : {chance}, à {error} près.",
        "share": "{does} dans {share} {worlds}",
        "only_share": "{does} dans seulement {share} {worlds}",
        "share_again": "{does} dans {share}",
        "only_share_again": "{does} dans seulement {share}",
        "amount_less": "{clause} ({amount})",
        "reasons": "{move} {first}.",
        "reasons_two": "{move} {first} et {second}.",
        "reasons_but": "{move} {first}, mais {second}.",
        "more_often": "{does} plus souvent ({ours} contre {theirs})",
        "less_often": "{does} moins souvent ({ours} contre {theirs})",
        "against": "{clause} ({ours} contre {theirs})",
        "rival_one": "{move} {first}.",
        "rival_two": "{move} {first}, mais {second}.",
        "close": "{move} et {rival} sont trop proches pour être départagés : "
        "{chance} ± {error} contre {rival_chance} ± {rival_error}.",
        "behind": "{rival} gagne moins souvent : {rival_chance} contre {chance}.",
        "ahead": "{rival} gagne plus souvent : {rival_chance} contre {chance}.",
        "unsettled": "{rival} gagne plus souvent pour l'instant, {rival_chance} contre {chance}, mais a été moins examiné.",
        "same_of_some": "{move} est le meilleur des coups examinés : {chance} de chances de gagner, à {error} près.",
        "same": "{move} est le meilleur coup : {chance} de chances de gagner, à {error} près.",
        "same_so_far": "{move} est le meilleur coup pour l'instant : {chance} de chances de gagner, à {error} près.",
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


def to_whom(name: str, language: str) -> str:
    """Somebody something is left to."""
    if language == "en":
        return f"to {name}"
    return f"au {name.removeprefix('le ')}" if name.startswith("le ") else f"à {name}"
