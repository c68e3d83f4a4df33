"""The client's wheel: pure Python, made from its sdist, with nothing but grpcio and protobuf beside it."""

import re
import sys
import sysconfig
import tarfile
import venv
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

from tests.packaging.project import ROOT, client_files, run
from tests.server.service.hosted import hosted

# What the client needs at run time, by the folders and modules that they install.
NEEDED = ("grpc", "typing_extensions.py")
NEEDED_OF_GOOGLE = ("protobuf", "_upb")

PLAY = """
import sys
from machiavel.clients import connect
with connect(sys.argv[1]) as service:
    state = service.new_state("whist", 2, seed=1)
    while not state.over:
        state = service.apply_move(state, service.recommend_move(state, bot="greedy").move.text).state
    print(*state.utilities)
foreign = {name.partition(".")[0] for name in sys.modules} & {"numpy", "structlog", "google.rpc", "grpc_status"}
assert not foreign, foreign
"""


@pytest.fixture(scope="module")
def wheel(client_build: Path) -> Path:
    (path,) = client_build.glob("*.whl")
    return path


def test_the_sdist_has_the_proto_files_and_nothing_made(client_build: Path) -> None:
    (path,) = client_build.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {Path(*Path(name).parts[1:]) for name in archive.getnames()}
    protos = {path.relative_to(ROOT) for path in (ROOT / "proto/machiavel/v1").glob("*.proto")}
    assert protos <= names
    assert not [name for name in names if "_pb2" in name.name]


def test_the_wheel_is_pure_and_has_every_module_of_the_api(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    names = {Path(name) for name in zipfile.ZipFile(wheel).namelist()}
    made = {
        Path("machiavel/v1") / f"{path.stem}_pb2{suffix}"
        for path in (ROOT / "proto/machiavel/v1").glob("*.proto")
        for suffix in (".py", ".pyi")
    }
    own = {path.relative_to("clients/src") for path in client_files() if path.parts[1] == "src"}
    assert made | own <= names
    assert {Path("machiavel/v1/py.typed"), Path("machiavel/v1/comments.json"), Path("machiavel/clients/py.typed")} <= names
    assert Path("machiavel/__init__.py") not in names
    assert not [name for name in names if name.parts[0] == "machiavel" and name.parts[1] not in {"v1", "clients"}]


def test_the_wheel_and_the_sdist_have_the_licence(client_build: Path, wheel: Path) -> None:
    licence = (ROOT / "LICENSE").read_bytes()
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/licenses/LICENSE")]
        assert archive.read(name) == licence
    (path,) = client_build.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        stored = sdist.extractfile(f"{path.name.removesuffix('.tar.gz')}/LICENSE")
        assert stored is not None
        assert stored.read() == licence


def test_the_wheel_asks_for_grpcio_and_protobuf_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = message_from_string(archive.read(name).decode())
    needed = sorted(re.split("[<>]", line)[0] for line in metadata.get_all("Requires-Dist", []))
    assert needed == ["grpcio", "protobuf"]


def test_the_client_plays_from_an_environment_with_nothing_else(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "environment", symlinks=True)
    python = tmp_path / "environment" / "bin" / "python"
    run([sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", wheel], tmp_path)
    lend(python, tmp_path)
    with hosted() as server:
        assert run([python, "-c", PLAY, server.address], tmp_path).split() in (["1.0", "0.0"], ["0.0", "1.0"])
    with pytest.raises(AssertionError, match="No module named"):
        run([python, "-c", "import machiavel.engines"], tmp_path)


def lend(python: Path, folder: Path) -> None:
    """Shows the environment what the client asks for, out of the environment of the tests, and nothing besides."""
    there = Path(run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).strip())
    lent = folder / "lent"
    (lent / "google").mkdir(parents=True)
    here = Path(sysconfig.get_path("platlib"))
    for name in NEEDED:
        (lent / name).symlink_to(here / name)
    for name in NEEDED_OF_GOOGLE:
        (lent / "google" / name).symlink_to(here / "google" / name)
    (there / "lent.pth").write_text(f"{lent}\n", encoding="utf-8")
