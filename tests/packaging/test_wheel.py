"""The wheel made from the sdist, installed and used from outside the repository."""

import sys
import sysconfig
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.packaging.project import PAGE, ROOT, package_files, page_files, run

SHIPPED = (".py", ".json", ".pyi", ".pxd", ".h", ".toml", ".md", ".typed")

ELSEWHERE_SETUP = """
from Cython.Build import cythonize
from setuptools import Extension, setup

import machiavel.engines

extension = Extension("elsewhere.reader", ["elsewhere/reader.pyx"], include_dirs=[machiavel.engines.get_include()])
setup(name="elsewhere", packages=["elsewhere"], ext_modules=cythonize([extension], language_level=3))
"""
ELSEWHERE_READER = """
from machiavel.engines.abi cimport MACHIAVEL_ABI_VERSION, machiavel_engine


def contract():
    return MACHIAVEL_ABI_VERSION, sizeof(machiavel_engine)
"""


@pytest.fixture(scope="module")
def wheel(server_build: Path) -> Path:
    (path,) = server_build.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an environment of its own; return its Python."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    run(
        [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", wheel],
        folder,
    )
    # The libraries are borrowed. A folder named in a .pth file has its own .pth files ignored, so that an editable
    # install of the repository beside them stays out of sight.
    site = Path(run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).strip())
    (site / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n{sysconfig.get_path('platlib')}\n")
    return python


def test_the_sdist_has_every_source_and_nothing_made(server_build: Path) -> None:
    (path,) = server_build.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {Path(*Path(name).parts[1:]) for name in archive.getnames()}

    assert names >= {*package_files(*SHIPPED, ".pyx", ".pxi"), Path("LICENSE"), Path("pyproject.toml"), Path("setup.py")}
    assert not [name for name in names if name.suffix in {".c", ".so", ".o"} or "build" in name.parts]


def test_the_page_for_browsers_is_shipped_as_it_was_built(server_build: Path, wheel: Path) -> None:
    (path,) = server_build.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        top = archive.getnames()[0].split("/")[0]
        packed = {name: archive.extractfile(f"{top}/{name}") for name in page_files()}
        assert all(file and file.read() == (ROOT / name).read_bytes() for name, file in packed.items())
        assert len(packed) == len([name for name in archive.getnames() if f"/{PAGE}/" in name and Path(name).suffix])
    with zipfile.ZipFile(wheel) as archive:
        assert all(archive.read(f"machiavel/{name}") == (ROOT / name).read_bytes() for name in page_files())
    assert f"{PAGE}/index.html" in packed
    assert len(packed) > 2


def test_no_picture_of_the_page_is_shipped(server_build: Path, wheel: Path) -> None:
    (path,) = server_build.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = [*archive.getnames(), *zipfile.ZipFile(wheel).namelist()]

    assert (ROOT / "docs" / "screenshots").is_dir()
    assert not [name for name in names if name.endswith((".webp", ".png")) or "screenshots" in name]


def test_the_wheel_is_for_every_python_from_the_oldest_on(wheel: Path) -> None:
    assert "-cp311-abi3-linux_" in wheel.name
    names = [name for name in zipfile.ZipFile(wheel).namelist() if ".so" in name]
    assert names
    assert all(name.endswith(".abi3.so") for name in names)


def test_nothing_in_the_wheel_names_a_folder_it_was_built_in(wheel: Path) -> None:
    # Where `build` unpacks the sdist; this checkout; its environment; this Python, unless it is the system's.
    folders = [tempfile.gettempdir() + "/build-", str(ROOT), sys.prefix, *({sys.base_prefix} - {"/usr", "/usr/local"})]
    with zipfile.ZipFile(wheel) as archive:
        result = [(name, folder) for name in archive.namelist() for folder in folders if folder.encode() in archive.read(name)]

    assert not result


def test_the_wheel_has_every_module_and_data_file_and_no_source_of_an_extension(wheel: Path) -> None:
    names = {Path(name) for name in zipfile.ZipFile(wheel).namelist()}
    expected = {Path("machiavel") / path for path in package_files(*SHIPPED)}
    expected |= {Path("machiavel") / path.with_suffix(".abi3.so") for path in package_files(".pyx")}

    assert expected <= names
    assert not [name for name in names if name.suffix in {".c", ".pyx", ".pxi", ".o"}]
    assert Path("machiavel/__init__.py") not in names


def test_the_wheel_works_outside_the_repository(installed: Path, tmp_path: Path) -> None:
    program = "import machiavel.engines; print(machiavel.engines.__file__); print(machiavel.engines.load('agency'))"
    where, _ = run([installed, "-c", program], tmp_path).splitlines()

    assert Path(where).is_relative_to(installed.parents[1])


def test_the_command_prints_its_help_outside_the_repository(installed: Path, tmp_path: Path) -> None:
    assert "play" in run([installed.parent / "machiavel", "--help"], tmp_path)


def test_another_distribution_may_share_the_namespace(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "machiavel" / "neighbour").mkdir(parents=True)
    (tmp_path / "machiavel" / "neighbour" / "__init__.py").touch()

    run([installed, "-c", "import machiavel.neighbour, machiavel.engines"], tmp_path)


def test_a_package_elsewhere_cimports_the_contract(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "__init__.py").touch()
    (tmp_path / "elsewhere" / "reader.pyx").write_text(ELSEWHERE_READER)
    (tmp_path / "setup.py").write_text(ELSEWHERE_SETUP)
    run([installed, "setup.py", "--quiet", "build_ext", "--inplace"], tmp_path)
    version, size = run([installed, "-c", "from elsewhere.reader import contract; print(*contract())"], tmp_path).split()

    assert int(version) == 1
    assert int(size) > 0


def test_the_header_stands_where_get_include_says(installed: Path, tmp_path: Path) -> None:
    folder = Path(run([installed, "-c", "import machiavel.engines as e; print(e.get_include())"], tmp_path).strip())

    assert (folder / "machiavel_abi.h").is_file()
    assert folder.is_relative_to(installed.parents[1])
