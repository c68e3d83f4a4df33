"""What people read of a review, in English and French."""

from collections.abc import Mapping

from machiavel.engines.phrases import typeset_all
from machiavel.search import Moment, Transcript
from machiavel.search.sentences import sentence_case

__all__ = ["REVIEW_TEXTS", "percent", "sentence"]

FEW = 4  # moves that a sentence can name

WRITTEN: Mapping[str, Mapping[str, str]] = {
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
        "viewpoint": "Each seat's chance of winning in %, as it could know it when it moved; in between, the last one stands.",
        "moves": "moves made",
        "moments": "What decided the match",
        "no_moments": "Nothing moved a chance by {points} points or more.",
        "none_judged": "There was no move with a choice.",
        "unchosen": "{seat} had no choice",
        "moment_loss": "Move {first}: {move} drops seat {seat}'s chance from {before} % to {after} %. {best} was better.",
        "moment_up": "{when}: seat {seat}'s chance rises from {before} % to {after} %{how}.",
        "moment_down": "{when}: seat {seat}'s chance drops from {before} % to {after} %{how}.",
        "moment_end": "{when}, to the end: seat {seat} put its chance at {before} %, and ends with {after} %{how}.",
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
        "moment_loss": "Coup {first} : {move} fait tomber les chances du joueur {seat} de {before} % à {after} %. "
        "Mieux valait {best}.",
        "moment_up": "{when} : les chances du joueur {seat} montent de {before} % à {after} %{how}.",
        "moment_down": "{when} : les chances du joueur {seat} tombent de {before} % à {after} %{how}.",
        "moment_end": "{when}, jusqu'à la fin : le joueur {seat} estimait ses chances à {before} %, "
        "et finit avec {after} %{how}.",
        "when_one": "Coup {first}",
        "when_some": "Coups {first} à {last}",
        "when_none": "Après le coup {last}",
        "written": "Écrit : {path}",
    },
}
REVIEW_TEXTS = typeset_all(WRITTEN)


def percent(share: float) -> str:
    return f"{100 * share:.0f}"


def sentence(transcript: Transcript, moment: Moment, language: str) -> str:
    """A moment in words. Moves are numbered from 1, seats from 0."""
    texts = REVIEW_TEXTS[language]
    first, last = moment.ply + 1, moment.until
    parts = {"seat": moment.seat, "before": percent(moment.before), "after": percent(moment.after)}
    if moment.kind == "loss":
        move, best = (transcript.phrase(moment.ply, one, "doing", language) for one in (moment.move, moment.best))
        best = sentence_case(best) if texts["moment_loss"].partition("{best}")[0].endswith(". ") else best
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
