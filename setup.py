"""Builds the extensions, and makes the view that shows the top-level folders as packages of `machiavel`."""

import os
import sysconfig
from pathlib import Path
from typing import Any

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

ROOT = Path(__file__).resolve().parent
FOLDERS = ("engines", "kit", "search", "server")
VIEW = Path("build/view")
# `1` checks bounds and memory, `thread` data races; the two sanitizers cannot be had together.
CHECKED = os.environ.get("MACHIAVEL_CHECKED", "0") not in {"", "0"}
# One binary for every Python from 3.11 on, for wheels; what Python objects do in it takes longer (docs/evidence/wheels.md).
ABI3 = os.environ.get("MACHIAVEL_ABI3", "0") not in {"", "0"}
THREADS = os.environ.get("MACHIAVEL_CHECKED") == "thread"
# 0 compiles in a third of the time, for who wants to see that it does.
OPTIMIZE = os.environ.get("MACHIAVEL_OPTIMIZE", "3")
CYTHON_OUTPUT = "build/cython-checked" if CHECKED else "build/cython"
# The page for browsers. Users have no node, so whatever is shipped holds it as it was built.
PAGE = Path("server/web/page")
DATA = ("*.json", "*.toml", "*.md", "*.h", "*.pxd", "*.pyi", "*.proto", "py.typed")

DIRECTIVES = {
    "language_level": 3,
    "binding": True,
    "embedsignature": True,
    # C division is what the rules are written in, and it is the same in both builds; UBSan finds a zero divisor.
    "cdivision": True,
    "boundscheck": CHECKED,
    "wraparound": False,
    "initializedcheck": CHECKED,
    "nonecheck": CHECKED,
}

if THREADS:
    COMPILE = ["-O1", "-g", "-fno-omit-frame-pointer", "-ffp-contract=off", "-fsanitize=thread"]
    LINK = ["-fsanitize=thread"]
    MACROS = []
elif CHECKED:
    COMPILE = [
        *("-O1", "-g", "-fno-omit-frame-pointer", "-ffp-contract=off"),
        *("-fsanitize=address,undefined", "-fsanitize=bounds-strict", "-fno-sanitize-recover=all"),
        # Recoverable, since a list of exceptions at run time works for recoverable checks alone.
        "-fsanitize-recover=bounds-strict",
        # Python's own flags make signed overflow wrap around, which would hide it.
        "-fno-wrapv",
    ]
    LINK = ["-fsanitize=address,undefined"]
    # CPython's tuples and integers end in an array declared one long, which strict bounds take at its word: these make
    # Cython call functions from our lines instead of reaching into them.
    MACROS = [("MACHIAVEL_CHECKED", "1"), ("CYTHON_ASSUME_SAFE_MACROS", "0"), ("CYTHON_USE_PYLONG_INTERNALS", "0")]
else:
    # Without fused multiply-add, and for any x86-64: a seeded search gives the same bytes on every machine.
    COMPILE = [f"-O{OPTIMIZE}", "-ffp-contract=off", "-fno-math-errno"]
    LINK = []
    MACROS = []

OPTIONS: dict[str, dict[str, str]] = {}
if ABI3:
    if CHECKED:
        raise SystemExit("MACHIAVEL_ABI3 and MACHIAVEL_CHECKED exclude each other: what is checked is built for one Python")
    MACROS = [("Py_LIMITED_API", "0x030B0000")]
    # A folder of its own, since a wheel takes whatever lies in it.
    OPTIONS = {"bdist_wheel": {"py_limited_api": "cp311"}, "build": {"build_lib": "build/lib-abi3"}}

# No binary names the folders it was built in, so that it is the same whatever they are.
COMPILE += [f"-ffile-prefix-map={ROOT}=.", f"-ffile-prefix-map={sysconfig.get_path('include')}=python"]

# Cython's own loops compare signed with unsigned numbers, and would drown what is worth reading.
COMPILE.append("-Wno-sign-compare")


def make_view() -> None:
    """Links build/view/machiavel/FOLDER to FOLDER, since Cython, mypy and Python look for files by qualified name."""
    namespace = ROOT / VIEW / "machiavel"
    namespace.mkdir(parents=True, exist_ok=True)
    for folder in FOLDERS:
        link = namespace / folder
        if not link.is_symlink():
            link.symlink_to(Path("../../..") / folder, target_is_directory=True)


def find(pattern: str) -> list[Path]:
    """The files of all packages, as paths relative to the root, in a fixed order."""
    return sorted(path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob(pattern))


def dotted(path: Path) -> str:
    return ".".join(("machiavel", *path.with_suffix("").parts))


def packages() -> list[str]:
    # With the namespace itself in the list, setuptools sees that the view is a plain layout, and an editable install is
    # a line in a .pth file, which editors, mypy and Cython can follow; without it, an import hook, which they cannot.
    return ["machiavel", *(dotted(path.parent) for path in find("__init__.py"))]


def package_data() -> dict[str, list[str]]:
    """Data files under the nearest package above them, so that folders that only hold data need no `__init__.py`."""
    known = set(packages())
    data: dict[str, list[str]] = {}
    page = {path.relative_to(ROOT) for path in (ROOT / PAGE).rglob("*") if path.is_file()}
    for path in sorted(page.union(*map(find, DATA))):
        home = next(parent for parent in path.parents if dotted(parent) in known)
        data.setdefault(dotted(home), []).append(path.relative_to(home).as_posix())
    return data


def extensions() -> list[Extension]:
    declarations = ["setup.py", *(str(path) for pattern in ("*.pxd", "*.h") for path in find(pattern))]
    chapters = find("*.pxi")
    return [
        Extension(
            dotted(path),
            [str(path)],
            depends=[*declarations, *(str(chapter) for chapter in chapters if path.is_relative_to(chapter.parent))],
            include_dirs=["engines/abi", "engines/kit"],
            define_macros=MACROS,
            extra_compile_args=COMPILE,
            extra_link_args=LINK,
            py_limited_api=ABI3,
        )
        for path in find("*.pyx")
    ]


def outdated(modules: list[Path], output: Path, written: float) -> bool:
    """Whether the C of a module was made before that time. What is left of a module that is gone does not count."""
    made = [output / path.with_suffix(".c") for path in modules]
    return any(path.exists() and path.stat().st_mtime < written for path in made)


class CythonBuildExt(build_ext):
    """Turns .pyx into C only when extensions are really built, so that metadata and the sdist cost nothing."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def build_extensions(self) -> None:
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            raise SystemExit("machiavel cannot be built for a free-threaded Python; take one with the GIL, 3.11 or newer")
        # Extensions need libc alone, so the folder of this Python's own libraries need not stand in them.
        self.compiler.linker_so = [part for part in self.compiler.linker_so if not part.startswith("-Wl,-rpath")]
        # Cython looks at .pyx and .pxd files alone, and the directives stand here.
        written = Path(__file__).stat().st_mtime
        translated: list[Any] = cythonize(
            self.extensions,
            include_path=[str(VIEW)],
            build_dir=CYTHON_OUTPUT,
            compiler_directives=DIRECTIVES,
            nthreads=os.cpu_count() or 1,
            force=self.force or outdated(find("*.pyx"), Path(CYTHON_OUTPUT), written) or None,
            emit_linenums=CHECKED,
        )
        sources = {extension.name: extension.sources for extension in translated}
        for extension in self.extensions:
            extension.sources = sources[extension.name]
        super().build_extensions()


def require_page() -> None:
    if not (ROOT / PAGE / "index.html").is_file():
        raise SystemExit(f"{PAGE} is missing, the page for browsers that every wheel and sdist holds: run `make page` first")


class WheelWithPage(bdist_wheel):
    """A wheel. An editable install is none, and needs no page."""

    def run(self) -> None:
        require_page()
        super().run()


class SourcesAlone(sdist):
    """Leaves out what setuptools notes for itself in the view."""

    def run(self) -> None:
        require_page()
        super().run()

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, [name for name in files if not Path(name).is_relative_to("build")])


os.chdir(ROOT)
make_view()
setup(
    package_dir={"": str(VIEW)},
    packages=packages(),
    package_data=package_data(),
    ext_modules=extensions(),
    cmdclass={"build_ext": CythonBuildExt, "bdist_wheel": WheelWithPage, "sdist": SourcesAlone},
    options=OPTIONS,
)
