"""What players read, drawn by seed: hints, and moves as they are told, in lists for a person who knows nothing of the code.

    python -m bench.phrasebook              # every game, into docs/evidence/phrasebook/
    python -m bench.phrasebook kuhn_elsewhere --seed 2 --output /tmp/phrasebook

Each game gets a page a language, `GAME.LANGUAGE.md`; the pages of a game are of the same positions. The same seed gives the same
pages. Matches are of every number of players, played by chance and by the game's rule of thumb in turn.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from machiavel.engines import LANGUAGES, Game, SeenMove, State, Teller, View, load
from machiavel.engines.phrases import plain
from machiavel.engines.registry import games
from machiavel.search import Limits, SearchParameters, compare, explain, make_bot, measure, recommend
from machiavel.server.cli.command_texts import TEXTS

__all__ = ["pages"]

COUNT = 50
ITERATIONS = 400
ASKED = 3  # of so many hints, one is about a move of the reader's choice
BITS = 63
FORCED = 0.1  # of the hints, so many may be of a move without a choice
HEADS = {
    "en": {
        "title": "{game}: what its players read",
        "hints": "Hints",
        "moves": "Moves as they are told",
        "players": "{players} players",
        "alone": "alone",
        "seat": "you are seat {seat} of {players}",
        "watching": "you watch {players} players",
        "watching_one": "you watch one player",
        "none": "This game does not tell what happens.",
    },
    "fr": {
        "title": "{game}\N{NO-BREAK SPACE}: ce que lisent les joueurs",
        "hints": "Conseils",
        "moves": "Les coups, tels qu'on les raconte",
        "players": "{players} joueurs",
        "alone": "en solitaire",
        "seat": "tu es le joueur {seat} sur {players}",
        "watching": "tu regardes une partie à {players} joueurs",
        "watching_one": "tu regardes une partie en solitaire",
        "none": "Ce jeu ne raconte pas ce qui se passe.",
    },
}


@dataclass(frozen=True)
class Entry:
    """Something to read, and who reads it, by language."""

    who: dict[str, str]
    texts: dict[str, str]


def pages(game: Game, seed: int, count: int = COUNT) -> dict[str, str]:
    """A page for each language."""
    hints, told = list(some_hints(game, seed, count)), list(some_moves(game, seed, count)) if game.plugin.event_kinds else []
    result = {}
    for language in LANGUAGES:
        heads = HEADS[language]
        lines = [f"# {heads['title'].format(game=game.plugin.titles[language])}", "", f"## {heads['hints']}", ""]
        lines += numbered(hints, language)
        lines += ["", f"## {heads['moves']}", "", *(numbered(told, language) or [heads["none"]])]
        result[language] = "\n".join(lines) + "\n"
    return result


def numbered(entries: Sequence[Entry], language: str) -> list[str]:
    return [f"{number}. *({one.who[language]})* {one.texts[language]}" for number, one in enumerate(entries, 1)]


# ---- Matches ----


def played(game: Game, rng: random.Random, number: int) -> Iterator[State]:
    """A match, before each move and at its end: one state, that goes on."""
    players = game.players[number % len(game.players)]
    # By the rule of thumb but for some moves, so that matches do not all go the same way; every other one by chance alone.
    bot, chance = make_bot("greedy"), 1.0 if number // len(game.players) % 2 else 0.2
    state = game.new(players, seed=rng.getrandbits(BITS))
    yield state
    while not state.is_over:
        is_by_chance = rng.random() < chance
        state.play(rng.choice(state.legal_moves()) if is_by_chance else bot.choose(state.view(state.seat_to_move)))
        yield state


# ---- Hints ----


def some_hints(game: Game, seed: int, count: int) -> Iterator[Entry]:
    rng = random.Random(f"hints {game.name} {seed}")
    number = 0
    for match in range(100 * count):
        if number == count:
            return
        view = drawn(rng, [state.view(state.seat_to_move) for state in played(game, rng, match) if not state.is_over])
        if view is not None:
            yield hint_of(view, rng, is_asked=number % ASKED == ASKED - 1)
            number += 1


def drawn(rng: random.Random, views: Sequence[View]) -> View | None:
    """One of the views, mostly with a choice of moves."""
    wanted = [view for view in views if len(view.legal_moves()) > 1 or rng.random() < FORCED]
    return rng.choice(wanted) if wanted else None


def hint_of(view: View, rng: random.Random, *, is_asked: bool) -> Entry:
    found = recommend(view, Limits(iterations=ITERATIONS), SearchParameters(seed=rng.getrandbits(BITS)), explain=True)
    sentences, ask = explain(view, found).sentences, dict.fromkeys(LANGUAGES, "")
    if is_asked:
        move = rng.choice([one.move for one in found.candidates])
        about = measure(view, move, Limits(iterations=ITERATIONS // 4), SearchParameters(seed=rng.getrandbits(BITS)))
        sentences, seen = compare(view, found, about).sentences, view.to_json()["view"]
        for language in LANGUAGES:
            words = view.game.plugin.move_phrase(view.rules, seen, move, (language, "you"))
            ask[language] = TEXTS[language]["hint_about"].format(move=words) + " "
    who = {language: HEADS[language]["alone" if view.players == 1 else "players"] for language in LANGUAGES}
    return Entry(
        {language: text.format(players=view.players) for language, text in who.items()},
        {language: ask[language] + " ".join(one.texts[language] for one in sentences) for language in LANGUAGES},
    )


# ---- Moves ----


def some_moves(game: Game, seed: int, count: int) -> Iterator[Entry]:
    """One of each match, chosen among those that tell something: as one of the seats reads it, or a spectator."""
    rng = random.Random(f"moves {game.name} {seed}")
    number = 0
    for match in range(100 * count):
        if number == count:
            return
        players = game.players[match % len(game.players)]
        viewer = rng.choice([*range(players), *range(players), None])
        entries = list(told_in(played(game, rng, match), viewer))
        if entries:
            yield rng.choice(entries)
            number += 1


def told_in(states: Iterator[State], viewer: int | None) -> Iterator[Entry]:
    """Every move of a match, as it is told to a seat, or to a spectator (None)."""
    before, mover = None, 0
    tellers: dict[str, Teller] = {}
    for state in states:
        after = state.view(viewer).to_json()["view"]
        if not tellers:
            tellers = {language: Teller(state.game.plugin, state.rules, language, viewer) for language in LANGUAGES}
        text = state.last_move(viewer)
        move = None if text is None else SeenMove(mover, text)
        told = {
            language: " ".join(plain(spans) for spans in teller.tell(before, move, after)) for language, teller in tellers.items()
        }
        if all(told.values()):
            one, several = ("watching_one", "watching") if viewer is None else ("alone", "seat")
            key = one if state.players == 1 else several
            who = {language: HEADS[language][key].format(seat=viewer, players=state.players) for language in LANGUAGES}
            yield Entry(who, told)
        before, mover = after, state.seat_to_move or 0


def main() -> None:
    parser = argparse.ArgumentParser(description="What players read, drawn by seed.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="which games (all)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="what is drawn (1)")
    parser.add_argument("--count", type=int, default=COUNT, metavar="N", help=f"hints, and moves, of each game ({COUNT})")
    parser.add_argument("--output", type=Path, default=Path("docs/evidence/phrasebook"), metavar="DIR", help="where pages go")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name in arguments.games or games():
        for language, page in pages(load(name), arguments.seed, arguments.count).items():
            path = arguments.output / f"{name}.{language}.md"
            path.write_text(page, encoding="utf-8")
            print(path)


if __name__ == "__main__":
    main()
