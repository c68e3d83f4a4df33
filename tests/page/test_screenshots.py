"""The screenshots in docs/screenshots are whole, WebP, and small."""

from itertools import product

import pytest

from bench.screenshots import FOLDER, LOOKS, MOST, PAGES, STATES, TABLES

PICTURES = [f"{game}/{state}-{look}.webp" for game, state, look in product(TABLES, STATES, LOOKS)]
PICTURES += [f"pages/{page}.webp" for page in PAGES]


def test_nothing_else_lies_there() -> None:
    assert sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.*")) == sorted(PICTURES)


@pytest.mark.parametrize("picture", PICTURES)
def test_it_is_a_picture(picture: str) -> None:
    content = (FOLDER / picture).read_bytes()

    assert content[:4] == b"RIFF" and content[8:12] == b"WEBP"
    assert len(content) > 5_000


def test_all_of_them_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.webp")) <= MOST
