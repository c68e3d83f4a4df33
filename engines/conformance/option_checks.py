"""Options, rules and the struct."""

import ctypes
import json
from collections.abc import Iterator
from functools import partial

from machiavel.engines import LANGUAGES, BadOption
from machiavel.engines.conformance.checks import Chapter
from machiavel.engines.conformance.trial import Finding, Trial

__all__ = ["CHAPTER"]

CHAPTER = Chapter("options")


@CHAPTER.check()
def struct(trial: Trial) -> Iterator[Finding]:
    """The struct has this release's size, and `seats` is the number of players."""
    contract = trial.case.contract

    yield from trial.equal(contract.struct_size, ctypes.sizeof(contract), "struct_size")
    yield from trial.equal(contract.seats(trial.case.pointer), trial.case.players, "seats")


@CHAPTER.check()
def complete_options(trial: Trial) -> Iterator[Finding]:
    """Rules hold every option and the number of players, and the same options make the same rules again."""
    game, rules = trial.game, trial.case.rules
    kept = json.loads(json.dumps(dict(rules.options)))

    yield from trial.equal(set(kept), {option.name for option in game.plugin.options} | {"players"}, "the options of rules")
    yield from trial.equal(game.make_rules(**kept).digest, rules.digest, "the digest of rules made of these options")
    yield from trial.equal(len(bytes.fromhex(rules.digest)), 32, "bytes of the digest")


@CHAPTER.check()
def wrong_options(trial: Trial) -> Iterator[Finding]:
    """Impossible numbers of players and unknown options are refused, by name."""
    game, case = trial.game, trial.case
    for players in (min(game.players) - 1, max(game.players) + 1, True, None, "2"):
        call = partial(game.make_rules, players, **case.options)  # type: ignore[arg-type]
        yield from trial.refused(BadOption, f"{players!r} players", call)
    call = partial(game.make_rules, case.players, no_such_option=1)
    yield from trial.refused(BadOption, "an unknown option", call, naming="no_such_option")


@CHAPTER.check()
def option_words(trial: Trial) -> Iterator[Finding]:
    """The title and every option are told in every language."""
    plugin = trial.game.plugin
    for language in LANGUAGES:
        yield from trial.expect(plugin.titles.get(language), f"a title in {language}", dict(plugin.titles))
        for option in plugin.options:
            for what, texts in (("help", option.help), ("what is expected", option.expected)):
                yield from trial.expect(texts.get(language), f"{what} of option {option.name} in {language}", dict(texts))
        trial.counts["texts"] += 1 + 2 * len(plugin.options)
