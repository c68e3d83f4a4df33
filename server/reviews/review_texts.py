"""What people read of a review, in English and French."""

from collections.abc import Mapping

from machiavel.engines import State
from machiavel.search import Moment, Transcript

__all__ = ["REVIEW_TEXTS", "label", "percent", "sentence"]

FEW = 4  # moves that a sentence can name

REVIEW_TEXTS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "number": "move",
        "seat": "seat",
        "played": "played",
        "verdict": "verdict",
        "loss": "loss",
        "better": "better was",
        "chance": "win chance",
        "best": "best",
        "good": "good",
        "inaccuracy": "inaccuracy",
        "mistake": "mistake",
        "blunder": "blunder",
        "accuracy": "accuracy",
        "mean_loss": "mean loss",
        "result": "result",
        "player": "seat {seat}",
        "player_move": "{player}: {move}",
        "between": "; ",
        "title": "Win chances: {game}",
        "viewpoint": "Each seat's chance to win as it could know it at its own moves, in %; between them it is held.",
        "moves": "moves made",
        "moments": "What decided the match",
        "no_moments": "Nothing moved a chance by {points} points or more.",
        "none_judged": "There was no move with a choice.",
        "unchosen": "{seat} had no choice",
        "moment_loss": "Move {first}: seat {seat} plays {move}, and its chance to win falls from {before} % to {after} %. "
        "{best} was better.",
        "moment_up": "{when}: what happens{how} lifts the chance of seat {seat} from {before} % to {after} %.",
        "moment_down": "{when}: what happens{how} lowers the chance of seat {seat} from {before} % to {after} %.",
        "moment_end": "{when}, to the end{how}: seat {seat}, which put its chance at {before} %, ends with {after} %.",
        "when_one": "Move {first}",
        "when_some": "Moves {first} to {last}",
        "when_none": "After move {last}",
        "written": "Written: {path}",
    },
    "fr": {
        "number": "coup",
        "seat": "joueur",
        "played": "joué",
        "verdict": "verdict",
        "loss": "perte",
        "better": "mieux valait",
        "chance": "chances de gagner",
        "best": "meilleur",
        "good": "bon",
        "inaccuracy": "imprécision",
        "mistake": "erreur",
        "blunder": "gaffe",
        "accuracy": "précision",
        "mean_loss": "perte moyenne",
        "result": "résultat",
        "player": "joueur {seat}",
        "player_move": "{player} : {move}",
        "between": " ; ",
        "title": "Chances de gagner : {game}",
        "viewpoint": "Les chances de gagner de chacun, telles qu'il pouvait les connaître à ses propres coups, en % ; "
        "entre deux coups elles restent les mêmes.",
        "moves": "coups joués",
        "moments": "Ce qui a décidé de la partie",
        "no_moments": "Rien n'a changé des chances de {points} points ou plus.",
        "none_judged": "Aucun coup n'a laissé de choix.",
        "unchosen": "{seat} n'a jamais eu le choix",
        "moment_loss": "Coup {first} : le joueur {seat} joue {move}, et ses chances de gagner tombent de {before} % à {after} %. "
        "Mieux valait {best}.",
        "moment_up": "{when} : ce qui se passe{how} fait monter les chances du joueur {seat} de {before} % à {after} %.",
        "moment_down": "{when} : ce qui se passe{how} fait baisser les chances du joueur {seat} de {before} % à {after} %.",
        "moment_end": "{when}, jusqu'à la fin{how} : le joueur {seat}, qui estimait ses chances à {before} %, "
        "finit avec {after} %.",
        "when_one": "Coup {first}",
        "when_some": "Coups {first} à {last}",
        "when_none": "Après le coup {last}",
        "written": "Écrit : {path}",
    },
}


def percent(share: float) -> str:
    return f"{100 * share:.0f}"


def label(state: State, move: str, language: str) -> str:
    """A move as a player reads it, after the text that the table knows it by."""
    words = state.game.move_labels(state.rules, move)[language]
    return move if words == move else f"{move} ({words})"


def sentence(transcript: Transcript, moment: Moment, language: str) -> str:
    """A moment in words. Moves are numbered from 1, seats from 0."""
    texts, state = REVIEW_TEXTS[language], transcript.end
    first, last = moment.ply + 1, moment.until
    parts = {"seat": moment.seat, "before": percent(moment.before), "after": percent(moment.after)}
    if moment.kind == "loss":
        move, best = label(state, moment.move, language), label(state, moment.best, language)
        return texts["moment_loss"].format(first=first, move=move, best=best, **parts)
    key = "when_none" if last < first else "when_one" if last == first else "when_some"
    when = texts[key].format(first=first, last=last)
    kind = "end" if moment.kind == "end" else "up" if moment.after > moment.before else "down"
    return texts[f"moment_{kind}"].format(when=when, how=how(transcript, moment, language), **parts)


def how(transcript: Transcript, moment: Moment, language: str) -> str:
    """The moves that made a change, where they are few, in the words of the seat that the moment is about."""
    plies = range(moment.ply, moment.until)
    if not 1 <= len(plies) <= FEW:
        return ""
    player, named = (REVIEW_TEXTS[language][key] for key in ("player", "player_move"))
    told = [
        named.format(player=player.format(seat=transcript.movers[ply]), move=transcript.label(ply, moment.seat, language))
        for ply in plies
    ]
    return f" ({REVIEW_TEXTS[language]['between'].join(told)})"
