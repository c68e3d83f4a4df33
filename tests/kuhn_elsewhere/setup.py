"""Builds the extension against the installed contract."""
# mypy: ignore-errors

from Cython.Build import cythonize
from setuptools import Extension, setup

import machiavel.engines

extension = Extension(
    "machiavel_kuhn_elsewhere._engine",
    ["src/machiavel_kuhn_elsewhere/_engine.pyx"],
    include_dirs=[machiavel.engines.get_include()],
    # No fused multiply-add: a seeded search gives the same bytes on every machine.
    extra_compile_args=["-O3", "-ffp-contract=off"],
)
setup(
    packages=["machiavel_kuhn_elsewhere"],
    package_dir={"": "src"},
    include_package_data=False,  # what is listed here, and nothing else
    package_data={"machiavel_kuhn_elsewhere": ["*.pyi", "*.toml", "words/*.toml", "py.typed"]},
    ext_modules=cythonize([extension], language_level=3),
)
