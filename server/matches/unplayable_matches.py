"""Whether the rules that kept matches began with are still those of their games: a file, or a release, may have changed."""

from collections.abc import Iterable
from dataclasses import dataclass

from machiavel import engines
from machiavel.engines import GameError
from machiavel.engines.registry import file_of
from machiavel.server.matches.match_setup import Setup
from machiavel.server.storage import Header

__all__ = ["UnplayableMatches", "unplayable_in"]


@dataclass(frozen=True)
class UnplayableMatches:
    """Matches of one game that cannot go on for one reason. They stay in storage until their rules are back."""

    game: str
    problem: str
    names: frozenset[str]


def unplayable_in(headers: Iterable[Header]) -> list[UnplayableMatches]:
    """The matches whose game is missing, or has other rules now."""
    known: dict[tuple[str, int, str, str], str] = {}
    names: dict[tuple[str, str], set[str]] = {}
    for header in headers:
        try:
            setup = Setup.from_json(header.setup)
        except (KeyError, TypeError, ValueError):
            continue  # damaged, which replaying tells
        key = (setup.game, setup.rules_version, setup.digest, str(setup.options))
        if key not in known:
            known[key] = problem_of(setup)
        if known[key]:
            names.setdefault((setup.game, known[key]), set()).add(header.match)
    return [UnplayableMatches(game, problem, frozenset(found)) for (game, problem), found in names.items()]


def problem_of(setup: Setup) -> str:
    """Why this process cannot play by these rules; empty where it can."""
    options = dict(setup.options)
    try:
        game = engines.load(setup.game)
        rules = game.make_rules(options.pop("players"), **options)
    except (GameError, KeyError, TypeError) as error:
        return str(error)
    source = file_of(setup.game) or "this release"
    if game.rules_version != setup.rules_version:
        return f"they have version {setup.rules_version} of its rules, and {source} has {game.rules_version}"
    if rules.digest != setup.digest:
        return f"they have rules of digest {setup.digest}, and {source} has {rules.digest}"
    return ""
