"""Golden matches are as they were, or `version` was raised."""

from collections.abc import Iterator

from machiavel.engines import BadOption, BadRecord, GameFault
from machiavel.engines.conformance import Chapter, Finding, NotTried, Trial
from machiavel.engines.kit.proofs.golden_file import course, golden_path, read_golden
from machiavel.engines.kit.proofs.kit_cases import KitCase

__all__ = ["CHAPTER"]

CHAPTER = Chapter("golden")
ANEW = "raise `version`, and write them anew with --write-golden"


@CHAPTER.check()
def golden_matches(trial: Trial) -> Iterator[Finding]:
    """Matches kept beside the file replay to the same, move by move; where rules changed, `version` was raised."""
    case = KitCase(trial)
    path = golden_path(case.path)
    if not path.exists():
        raise NotTried(f"there is no {path.name} beside the file; --write-golden writes it")
    matches = [match for match in read_golden(path) if match.record.options == trial.case.rules.options]
    versions = {match.record.rules_version for match in matches} - {trial.game.rules_version}
    if versions:
        kept = ", ".join(map(str, sorted(versions)))
        raise NotTried(f"{path.name} is of version {kept}, the rules are version {trial.game.rules_version}; --write-golden")
    trial.note(f"the matches in {path.name}")
    for number, match in enumerate(matches, 1):
        what = f"match {number} of {path.name} as it was played by version {match.record.rules_version}"
        trial.counts["matches"] += 1
        if match.record.digest != trial.case.rules.digest:
            yield trial.finding(what, f"fields, moves, decks, options or luck are declared otherwise now: {ANEW}")
            return
        try:
            came = course(trial.game, match.record)
        except (BadRecord, BadOption, GameFault) as error:
            yield trial.finding(what, f"{error}: the rules have changed: {ANEW}")
            return
        if came != match.course:
            yield trial.finding(what, f"the same moves lead to something else: the rules have changed: {ANEW}")
            return
    if not matches:
        raise NotTried(f"{path.name} has no match of these options; --write-golden writes it anew")
