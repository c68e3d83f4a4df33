"""The words that hints are made of."""

from collections.abc import Iterator

from machiavel.engines import LANGUAGES
from machiavel.engines.conformance.checks import Chapter
from machiavel.engines.conformance.trial import Finding, NotTried, Trial

__all__ = ["CHAPTER"]

CHAPTER = Chapter("hints")


@CHAPTER.check()
def hint_metrics(trial: Trial) -> Iterator[Finding]:
    """Hints speak of metrics that the engine measures, for every seat and every other one."""
    plugin, rules = trial.game.plugin, trial.case.rules
    declared = plugin.hint_words(rules)
    if declared is None:
        raise NotTried("the game has no words for hints")
    known = set(plugin.metrics(rules))
    patterns = [quantity.metric for quantity in declared.quantities] + ([declared.headline] if declared.headline else [])
    for pattern in patterns:
        for me in range(trial.case.players):
            others = [other for other in range(trial.case.players) if other != me] if "{other}" in pattern else [me]
            for name in {pattern.format(me=me, other=other) for other in others}:
                trial.counts["metrics"] += 1
                yield from trial.expect(name in known, f"a metric {name}, since hints speak of {pattern}", sorted(known))


@CHAPTER.check()
def hint_texts(trial: Trial) -> Iterator[Finding]:
    """Everything that hints say is there in every language."""
    declared = trial.game.plugin.hint_words(trial.case.rules)
    if declared is None:
        raise NotTried("the game has no words for hints")
    for language in LANGUAGES:
        for quantity in declared.quantities:
            clause = ("says", quantity.says) if any(quantity.says.values()) else ("does", quantity.does)
            for what, texts in (clause, ("label", quantity.label)):
                trial.counts["texts"] += 1
                yield from trial.expect(texts.get(language), f"{what} of {quantity.metric} in {language}", dict(texts))
        if declared.headline:
            texts = declared.headline_label
            yield from trial.expect(texts.get(language), f"the headline's label in {language}", dict(texts))
        yield from trial.expect(declared.worlds.get(language), f"what worlds are called in {language}", dict(declared.worlds))
