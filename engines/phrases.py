"""What players read: texts with holes, in every language there is, from the folder `words/` beside a game's code."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, Self

__all__ = [
    "Phrases",
    "Span",
    "Wording",
    "capitalized",
    "in_language",
    "joined",
    "load_phrases",
    "of_name",
    "plain",
    "to_name",
    "typeset",
    "typeset_all",
]

Put = Callable[[str, str], Sequence["Span"]]  # the name of a hole and its form: what stands there

TOKEN = re.compile(r"\{(\w+)(?::([^}]*))?\}|(\[)|(\])|\\([\[\]{}])")
FRENCH_GAPS = re.compile(r"(?<![·;]) (?=[:;?!%»])|(?<=«) ")
FRENCH_APOSTROPHES = re.compile(r"(?<=[^\W\d_])'(?=[\w{«“])")
VOWELS = frozenset("aeiouyàâéèêëîïôùû")


class Span(NamedTuple):
    """A piece of a text. `kind` and `value` say what it names, such as a card, for whoever draws it; empty for plain words."""

    text: str
    kind: str = ""
    value: Any = None


class Wording(str):
    """A text in English that has its translations with it: an error's problem, a reason why a move is refused."""

    __slots__ = ("texts",)
    texts: Mapping[str, str]  # by language

    def __new__(cls, texts: Mapping[str, str]) -> Self:
        self = super().__new__(cls, texts["en"])
        self.texts = texts
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Wording, (dict(self.texts),)


def in_language(text: object, language: str) -> object:
    """A text in that language, if it has translations; anything else as it is."""
    return text.texts[language] if isinstance(text, Wording) else text


class Hole(NamedTuple):
    name: str
    form: str


Node = str | Hole | tuple["Node", ...]  # a tuple is left out where one of its holes is empty


class Phrases:
    """Texts by key and language.

    `{who}` is a hole, `{who:of}` the same in the form `of`, `{count:card|cards}` the word that goes with so many, where `#` is
    the number: `{count:a card|# cards}`. What stands in square brackets is left out where a hole in it is
    None, false, 0 or empty. A bracket behind a backslash is a bracket.
    """

    def __init__(self, texts: Mapping[str, Mapping[str, Any]]) -> None:
        """`texts` are tables of texts by language; a key is the path to a text, joined by points.

        Raises ValueError where a language lacks a text, or fills other holes than the others do.
        """
        self._texts = typeset_all({language: dict(flat(table)) for language, table in texts.items()})
        self._nodes = {language: {key: parsed(text) for key, text in table.items()} for language, table in self._texts.items()}
        (first, keys), *others = self._nodes.items()
        for language, nodes in others:
            for key in sorted(keys.keys() ^ nodes.keys()):
                raise ValueError(f"{key} is a text of {first if key in keys else language} alone")
            for key, text in nodes.items():
                if set(holes(text)) != set(holes(keys[key])):
                    raise ValueError(f"{key}: {first} has the holes {sorted(set(holes(keys[key])))}, {language} others")

    def __contains__(self, key: str) -> bool:
        return all(key in nodes for nodes in self._nodes.values())

    def under(self, path: str, language: str) -> dict[str, str]:
        """The texts of a table that have no holes, by the last part of their keys."""
        texts = self._texts[language]
        return {key.rpartition(".")[2]: text for key, text in texts.items() if key.rpartition(".")[0] == path}

    def keys(self) -> Sequence[str]:
        return list(next(iter(self._nodes.values())))

    @property
    def languages(self) -> Sequence[str]:
        return list(self._nodes)

    def template(self, key: str, language: str) -> str:
        """The text with its holes."""
        return self._texts[language][key]

    def __call__(self, key: str, language: str, /, **parts: object) -> str:
        """The text with these parts in its holes; a part may be a function of the form asked for."""

        def put(name: str, form: str) -> Sequence[Span]:
            part = parts[name]
            return [Span(str(part(form) if callable(part) else part))]

        return plain(self.spans(key, language, parts, put))

    def wording(self, key: str, /, **parts: object) -> Wording:
        """The text in every language; parts that are Wordings stand in each as they are in it."""
        languages = self._nodes
        return Wording(
            {
                language: self(key, language, **{name: in_language(part, language) for name, part in parts.items()})
                for language in languages
            }
        )

    def spans(self, key: str, language: str, values: Mapping[str, Any], put: Put) -> list[Span]:
        """The text in pieces; `put` says what stands in a hole, `values` which of them are empty, and the numbers of things."""
        return list(filled(self._nodes[language][key], language, values, put))


@cache
def load_phrases(package: str) -> Phrases:
    """The texts of `words/en.toml`, `words/fr.toml` and so on in a package's folder."""
    folder = files(package) / "words"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return Phrases({file.name.removesuffix(".toml"): tomllib.loads(file.read_text(encoding="utf-8")) for file in found})


def flat(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", str(value)


def parsed(text: str) -> tuple[Node, ...]:
    open_nodes: list[list[Node]] = [[]]
    at = 0
    for match in TOKEN.finditer(text):
        if match.start() > at:
            open_nodes[-1].append(text[at : match.start()])
        at = match.end()
        if match[1]:
            open_nodes[-1].append(Hole(match[1], match[2] or ""))
        elif match[3]:
            open_nodes.append([])
        elif match[5]:
            open_nodes[-1].append(match[5])
        elif len(open_nodes) > 1:
            group = tuple(open_nodes.pop())
            open_nodes[-1].append(group)
        else:
            raise ValueError(f"{text!r}: a bracket is closed that was never opened")
    if len(open_nodes) > 1:
        raise ValueError(f"{text!r}: a bracket is never closed")
    return (*open_nodes[0], text[at:])


def holes(node: Node) -> Iterator[str]:
    if isinstance(node, Hole):
        yield node.name
    elif isinstance(node, tuple):
        for one in node:
            yield from holes(one)


def holes_outside_brackets(nodes: tuple[Node, ...]) -> Iterator[str]:
    return (node.name for node in nodes if isinstance(node, Hole))


def filled(nodes: tuple[Node, ...], language: str, values: Mapping[str, Any], put: Put) -> Iterator[Span]:
    for node in nodes:
        if isinstance(node, Hole):
            if "|" in node.form:
                one, many = node.form.split("|")
                number = values[node.name]
                yield Span((one if is_one(number, language) else many).replace("#", str(number)))
            else:
                yield from put(node.name, node.form)
        elif isinstance(node, tuple):
            if all(values[name] not in (None, False, 0, "", (), []) for name in holes_outside_brackets(node)):
                yield from filled(node, language, values, put)
        elif node:
            yield Span(node)


def is_one(number: float, language: str) -> bool:
    """Whether a word is singular with so many: French has the plural from two on."""
    return abs(number) < 2 if language == "fr" else abs(number) == 1


def typeset(text: str, language: str) -> str:
    """French with curved apostrophes, and with spaces that do not break before `:` and `%` and within « »."""
    if language != "fr":
        return text
    return FRENCH_APOSTROPHES.sub("\N{RIGHT SINGLE QUOTATION MARK}", FRENCH_GAPS.sub("\N{NO-BREAK SPACE}", text))


def typeset_all(texts: Mapping[str, Mapping[str, str]]) -> Mapping[str, Mapping[str, str]]:
    """Texts by language and key, each as it is set."""
    return {language: {key: typeset(text, language) for key, text in table.items()} for language, table in texts.items()}


def plain(spans: Sequence[Span]) -> str:
    return "".join(span.text for span in spans)


def capitalized(spans: Sequence[Span]) -> list[Span]:
    """The same as the beginning of a sentence."""
    result = list(spans)
    for at, span in enumerate(result):
        if span.text:
            result[at] = span._replace(text=span.text[0].upper() + span.text[1:])
            break
    return result


def joined(items: Sequence[Span], language: str) -> list[Span]:
    """Things in a row: `a, b and c`."""
    last = {"en": " and ", "fr": " et "}.get(language, ", ")
    marks = [Span("")] * (len(items) > 0) + [Span(", ")] * (len(items) - 2) + [Span(last)] * (len(items) > 1)
    return [span for pair in zip(marks, items, strict=True) for span in pair if span.text]


# ---- Names in a sentence ----


def of_name(name: str, language: str) -> str:
    """Whose something is: `seat 2's`, `du joueur 2`, `d’Adèle`."""
    if language != "fr":
        return f"{name}'s"
    for article, result in (("le ", "du "), ("les ", "des ")):
        if name.startswith(article):
            return result + name.removeprefix(article)
    return f"d’{name}" if name[:1].casefold() in VOWELS else f"de {name}"


def to_name(name: str, language: str) -> str:
    """Whom something is given to: `seat 2`, `au joueur 2`, `à Adèle`."""
    if language != "fr":
        return name
    for article, result in (("le ", "au "), ("les ", "aux ")):
        if name.startswith(article):
            return result + name.removeprefix(article)
    return f"à {name}"
