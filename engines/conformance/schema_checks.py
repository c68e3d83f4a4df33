"""What a game declares of its views: docs/schema.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from machiavel.engines import LANGUAGES
from machiavel.engines.conformance.checks import Chapter
from machiavel.engines.conformance.trial import Finding, NotTried, Trial
from machiavel.engines.views import ViewSchema

__all__ = ["CHAPTER"]

CHAPTER = Chapter("schema")


def schema_of(trial: Trial) -> ViewSchema:
    schema = trial.game.plugin.views
    if schema is None:
        raise NotTried("the game declares no schema")
    return schema


@CHAPTER.check()
def field_places(trial: Trial) -> Iterator[Finding]:
    """Every field of a view has bytes of its own in what the engine keeps, and each of these bytes changes one field alone."""
    schema, native = schema_of(trial), getattr(trial.game.plugin, "native", None)
    if native is None:
        raise NotTried("the game reads and writes its bytes itself")
    size = len(native.empty_view())
    zero = native.view_fields(bytes(size))
    owners: dict[str, set[int]] = {}
    for at in range(size):
        trial.counts["bytes"] += 1
        fields = native.view_fields(bytes(0xFF * (other == at) for other in range(size)))
        changed = [one.name for one in schema.fields if one.c and value_at(fields, one.c) != value_at(zero, one.c)]
        yield from trial.expect(len(changed) < 2, f"one field in byte {at} of a view", changed)
        for name in changed:
            owners.setdefault(name, set()).add(at)
    for one in schema.fields:
        if one.c:
            yield from trial.expect(one.name in owners, f"bytes of the field {one.name}", one.c)


def value_at(fields: Mapping[str, Any], path: str) -> Any:
    for step in path.split("."):
        fields = fields[step]
    return fields


@CHAPTER.check()
def field_words(trial: Trial) -> Iterator[Finding]:
    """Every field of a view says in every language what it is, and what a table draws has a name there."""
    schema, phrases = schema_of(trial), trial.game.plugin.phrases()
    for one in schema.fields:
        for key in [f"fields.{one.name}.meaning"] + ([f"fields.{one.name}.label"] if one.zone else []):
            trial.counts["texts"] += 1
            told = [phrases.template(key, language) for language in LANGUAGES] if key in phrases else []
            yield from trial.expect(told and all(told), f"{key} in {', '.join(LANGUAGES)}", told)
