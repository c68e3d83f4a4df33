"""What is kept of earlier releases is small, and says nothing of the machine that made it."""

import re
import zipfile

from tests.before.artifacts import RELEASE

FILES = sorted(path for path in RELEASE.rglob("*") if path.is_file())
PLACES = re.compile(rb"/(?:tm[p]|roo[t]|hom[e]|wor[k]|Use[r]s)/")


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in FILES) < 1_500_000


def test_it_names_no_folder_of_a_machine() -> None:
    for path in FILES:
        parts = {path.name: path.read_bytes()}
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as archive:
                parts = {name: archive.read(name) for name in archive.namelist()}
        assert parts
        for name, data in parts.items():
            assert PLACES.search(data) is None, name
