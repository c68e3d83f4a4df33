"""Texts in the player's language: looked up by key, filled with plain or styled parts."""

import os
from collections.abc import Mapping
from string import Formatter

from rich.text import Text

from machiavel.engines.phrases import typeset_all

__all__ = ["TEXTS", "Texts", "Words", "language_of_environment", "numeral", "opening"]

Texts = Mapping[str, Mapping[str, str]]  # language → key → text with {fields}


class Words:
    """The texts of one language."""

    def __init__(self, texts: Texts, language: str) -> None:
        self.language = language
        self._texts = texts[language]

    def __call__(self, key: str, **parts: object) -> str:
        return self._texts[key].format(**parts)

    def styled(self, key: str, **parts: object) -> Text:
        """The text with its parts in it; parts that are styled keep their style."""
        text = Text()
        for literal, name, _, _ in Formatter().parse(self._texts[key]):
            text.append(literal)
            if name is not None:
                part = parts[name]
                text.append_text(part) if isinstance(part, Text) else text.append(str(part))
        return text


def language_of_environment(environment: Mapping[str, str] = os.environ) -> str:
    """`fr` where the locale is French, else `en`."""
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    return "fr" if locale.lower().startswith("fr") else "en"


def opening(words: Words, title: str, players: int, seat: int) -> str:
    """The first line at a table."""
    return words("opening_alone" if players == 1 else "opening", title=title, players=players, seat=seat)


def numeral(text: str, language: str) -> str:
    """A number as Python writes it (`1,234.5`), with the language's own marks."""
    return text.replace(",", "\N{NO-BREAK SPACE}").replace(".", ",") if language == "fr" else text


WRITTEN: Texts = {
    "en": {
        "opening": "{title} · {players} players · you are seat {seat}",
        "opening_alone": "{title} · you play alone",
        "how": "Type a move or its number in the list · ? help · ? and a move: what about it · hint · hand · q quit",
        "no_number": "{entry} is not in the list; its last number is {most}",
        "not_a_move": "{entry} is not a move. Possible now: {legal}",
        "illegal": "{entry} is not possible now: {why}. Possible: {legal}",
        "illegal_bare": "{entry} is not possible now. Possible: {legal}",
        "ambiguous": "{entry} could be {candidates}; write it in full",
        "and_more": "{some}, and {count} more in the list",
        "help_moves": "a move as the list shows it, or its number in the list",
        "help_help": "this help",
        "help_hand_word": "hand",
        "help_hand": "your hand, or what you can choose from",
        "help_quit": "quit; Ctrl-D does the same",
        "help_undo_word": "undo",
        "help_undo": "your last decision back, and all that came of it",
        "quit": "You leave the match.",
        "no_input": "No more input: the match stops here.",
        "seed": "Seed of the match: {seed}",
        "recorded": "Record: {path}",
        "your_move": "Your move",
        "choices": "You can choose",
        "over": "The match is over",
        "won": "You win!",
        "lost": "Winner: {winners}",
        "shared": "You share the win with {winners}.",
        "team_won": "You all win!",
        "team_lost": "You all lose.",
        "team_share": "Together you reach {share} % of what can be reached.",
        "seat": "seat {seat}",
        "colon": ": ",
        "you": "you",
        "seat_bot": "seat {seat}: {bot}",
        "players": "{range} players",
        "runs_llvm": "one file of Python, run as machine code (LLVM)",
        "runs_gcc": "one file of Python, run as machine code (GCC)",
        "runs_interpreted": "one file of Python, interpreted: bots are far slower than with pip install 'machiavel[kit]'",
        "values": "{expected}; by default {default}",
        "level_iterations": "{iterations} iterations a move",
        "level_time": "as long as it is given; {iterations} iterations where nobody says how long",
        "level_draws": ", then one of the moves that look nearly as good (sharpness {sharpness}, slack {slack})",
        "elo": "{elo} Elo over greedy (95 %: {low} to {high})",
        "styles": "styles",
        "drawn": "drawn",
        "plays": "Seat {seat} plays {move}",
        "you_play": "You play {move}",
        "person": "a person",
        "code": "Others join with: machiavel play{game} --server {server} --join {code}",
        "waiting": "Still open: {seats} …",
        "joined": "Seat {seat}: {who} has joined.",
        "bot_plays": "Seat {seat}: {bot} plays now.",
        "handed_back": "Seat {seat}: {who} plays again.",
        "forfeited": "Seat {seat} has forfeited; {bot} plays on to the end.",
        "too_late": "Too late, the match has gone on.",
        "no_undo": "Moves cannot be taken back here: that is for a match set up with --practice.",
        "nothing_to_undo": "You have made no move yet: there is nothing to take back.",
        "taken_back": "Your last decision is taken back; moves undone: {moves}.",
        "another": "Enter r for another match with the same players, or nothing to leave.",
        "rematch_waits": "Waiting for the others to ask for it, too … Ctrl-C leaves.",
        "come_back": "The match waits on the server. Come back with: machiavel play{game} --server {server} --back {place}",
        "as_host": "It can be removed with: machiavel matches --server {server} --delete {place}",
        "kept_word": "The deal is the one that the server had committed to: {commitment}",
        "no_matches": "There are no matches.",
        "phase_waiting": "waits for players",
        "phase_playing": "is played",
        "phase_over": "is over",
        "removed": "Removed: {match}",
        "hint_move": "move",
        "hint_chance": "win chance",
        "hint_team": "the team's chance",
        "hint_visits": "tries",
        "hint_notation": "typed as",
        "hint_about": "What if {move}?",
        "hint_line": "Likely continuation: {line}",
        "unseen_what": "unseen",
        "unseen_worlds": "From {worlds} worlds that fit what you see; standard errors up to {points} points.",
        "unseen_certain": "All of this follows from what you see.",
        "unseen_nothing": "Nothing is hidden from you.",
        "ask_how": "Answer each question · Enter: what stands in brackets · < back · = all answers, =3 the third again · "
        "? help · q quit",
        "ask_usual": " [{value}]",
        "ask_nothing": "nothing",
        "ask_yes": "yes",
        "ask_no": "no",
        "ask_needed": "This one needs an answer; ? tells more.",
        "ask_about": "That is about: {answers}",
        "ask_no_such": "There is no such answer; = shows them all.",
        "ask_no_input": "No more input: there is no hint without a view.",
        "ask_first": "This is the first question.",
        "ask_clash": "That cannot be: {problem}",
        "ask_agree": "Is this correct? Enter: yes · a number: that answer again · < back · q quit",
        "ask_agree_help": "Enter takes it as it is; the number of a line asks that question again.",
        "help_what_about_word": "? MOVE",
        "help_what_about": "how that move compares with the best one",
        "help_hint_word": "hint",
        "help_hint": "what to play, and why",
        "help_unseen_word": "unseen",
        "help_unseen": "where the cards are that you do not see",
        "file_instead": "{name} is that of {path} here, and not the installed game of this name",
        "no_hints": "There are no hints at this table: it was set up without --hints.",
    },
    "fr": {
        "opening": "{title} · {players} joueurs · tu es le joueur {seat}",
        "opening_alone": "{title} · tu joues seul",
        "how": "Tape un coup ou son numéro dans la liste · ? aide · ? et un coup : ce qu'il vaut · conseil · main · q quitter",
        "no_number": "{entry} : ce numéro n'est pas dans la liste, qui s'arrête à {most}",
        "not_a_move": "« {entry} » n'est pas un coup. Possible maintenant : {legal}",
        "illegal": "« {entry} », pas maintenant : {why}. Possible : {legal}",
        "illegal_bare": "« {entry} », pas maintenant. Possible : {legal}",
        "ambiguous": "« {entry} » peut vouloir dire {candidates} ; précise",
        "and_more": "{some}, et {count} autres dans la liste",
        "help_moves": "un coup tel que la liste le montre, ou son numéro dans la liste",
        "help_help": "cette aide",
        "help_hand_word": "main",
        "help_hand": "ta main, ou ce que tu peux choisir",
        "help_quit": "quitter ; Ctrl-D fait la même chose",
        "help_undo_word": "annuler",
        "help_undo": "reprendre ton dernier choix et tout ce qui a suivi",
        "quit": "Tu quittes la partie.",
        "no_input": "Plus rien à lire : la partie s'arrête là.",
        "seed": "Graine de la partie : {seed}",
        "recorded": "Partie enregistrée : {path}",
        "your_move": "À toi de jouer",
        "choices": "Tu peux choisir",
        "over": "La partie est finie",
        "won": "Tu gagnes !",
        "lost": "Victoire : {winners}",
        "shared": "Tu partages la victoire avec {winners}.",
        "team_won": "Vous gagnez tous !",
        "team_lost": "Vous perdez tous.",
        "team_share": "Ensemble, vous atteignez {share} % de ce qui est possible.",
        "seat": "joueur {seat}",
        "colon": " : ",
        "you": "toi",
        "seat_bot": "joueur {seat} : {bot}",
        "players": "{range} joueurs",
        "runs_llvm": "un fichier Python, exécuté en code machine (LLVM)",
        "runs_gcc": "un fichier Python, exécuté en code machine (GCC)",
        "runs_interpreted": "un fichier Python, interprété : les robots sont bien plus lents qu'avec "
        "pip install 'machiavel[kit]'",
        "values": "{expected} ; par défaut {default}",
        "level_iterations": "{iterations} itérations par coup",
        "level_time": "tout le temps qu'on lui donne, ou {iterations} itérations si on ne lui en donne pas",
        "level_draws": ", puis un des coups presque aussi bons (sharpness {sharpness}, slack {slack})",
        "elo": "{elo} Elo au-dessus de greedy (95 % : {low} à {high})",
        "styles": "styles",
        "drawn": "tiré au sort",
        "plays": "Joueur {seat} : {move}",
        "you_play": "Tu joues {move}",
        "person": "quelqu'un",
        "code": "Pour venir jouer : machiavel play{game} --server {server} --join {code}",
        "waiting": "Encore libre : {seats} …",
        "joined": "Joueur {seat} : {who} est là.",
        "bot_plays": "Joueur {seat} : c'est {bot} qui joue maintenant.",
        "handed_back": "Joueur {seat} : {who} joue de nouveau.",
        "forfeited": "Joueur {seat} abandonne ; {bot} joue à sa place jusqu'à la fin.",
        "too_late": "Trop tard, la partie a continué.",
        "no_undo": "On ne reprend pas ses coups ici : il faut une partie créée avec --practice.",
        "nothing_to_undo": "Tu n'as encore rien joué : il n'y a rien à reprendre.",
        "taken_back": "Ton dernier choix est annulé ; coups repris : {moves}.",
        "another": "Tape r pour une revanche avec les mêmes joueurs, ou rien pour partir.",
        "rematch_waits": "En attente des autres, qui doivent la demander aussi… Ctrl-C pour partir.",
        "come_back": "La partie attend sur le serveur. Pour revenir : machiavel play{game} --server {server} --back {place}",
        "as_host": "Pour l'effacer : machiavel matches --server {server} --delete {place}",
        "kept_word": "La donne est bien celle à laquelle le serveur s'était engagé : {commitment}",
        "no_matches": "Aucune partie.",
        "phase_waiting": "attend des joueurs",
        "phase_playing": "en cours",
        "phase_over": "finie",
        "removed": "Effacée : {match}",
        "hint_move": "coup",
        "hint_chance": "chances de gagner",
        "hint_team": "chances de l'équipe",
        "hint_visits": "essais",
        "hint_notation": "se tape",
        "hint_about": "Et si {move} ?",
        "hint_line": "Suite probable : {line}",
        "unseen_what": "caché",
        "unseen_worlds": "D'après {worlds} mondes compatibles avec ce que tu vois ; erreurs types de {points} points au plus.",
        "unseen_certain": "Tout cela découle de ce que tu vois.",
        "unseen_nothing": "Rien ne t'est caché.",
        "ask_how": "Réponds à chaque question · Entrée : ce qui est entre crochets · < retour · = tout, =3 la troisième à nouveau"
        " · ? aide · q quitter",
        "ask_usual": " [{value}]",
        "ask_nothing": "rien",
        "ask_yes": "oui",
        "ask_no": "non",
        "ask_needed": "Il faut une réponse ici ; ? en dit plus.",
        "ask_about": "En cause : {answers}",
        "ask_no_such": "Cette réponse n'existe pas ; = les montre toutes.",
        "ask_no_input": "Plus rien à lire : pas de conseil sans une vue.",
        "ask_first": "C'est la première question.",
        "ask_clash": "Ce n'est pas possible : {problem}",
        "ask_agree": "Tout est bon ? Entrée : oui · un numéro : revoir cette réponse · < retour · q quitter",
        "ask_agree_help": "Entrée : tout est bon ; le numéro d'une ligne : revoir cette question.",
        "help_what_about_word": "? COUP",
        "help_what_about": "ce que vaut ce coup à côté du meilleur",
        "help_hint_word": "conseil",
        "help_hint": "que jouer, et pourquoi",
        "help_unseen_word": "caché",
        "help_unseen": "où sont les cartes que tu ne vois pas",
        "file_instead": "{name} est ici celui de {path}, et non le jeu installé du même nom",
        "no_hints": "Pas de conseils à cette table : elle a été ouverte sans --hints.",
    },
}
TEXTS = typeset_all(WRITTEN)
