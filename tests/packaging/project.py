"""Where the project's files stand, for tests that read or build them."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engines", "kit", "search", "server")
PAGE = "server/web/page"


def package_files(*suffixes: str) -> list[Path]:
    """Return the files of all packages with one of the suffixes, relative to the root."""
    return sorted(
        path.relative_to(ROOT)
        for folder in PACKAGES
        for path in (ROOT / folder).rglob("*")
        if path.suffix in suffixes and "__pycache__" not in path.parts
    )


def page_files() -> list[str]:
    """Return the files of the page for browsers as it was built, relative to the root."""
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / PAGE).rglob("*") if path.is_file())


def client_files() -> list[Path]:
    """Return the client's modules that somebody wrote, and its examples, relative to the root."""
    folders = (ROOT / "clients/src/machiavel/clients", ROOT / "clients/examples")
    result = [path for folder in folders for path in folder.rglob("*.py") if "node_modules" not in path.parts]
    return sorted(path.relative_to(ROOT) for path in result if "_pb2" not in path.name)


def project_files() -> list[Path]:
    """Return what is, or is about to be, under version control; in a copy without it, everything that is not made."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        )
        files = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:
        made = {
            ".venv",
            "build",
            "node_modules",
            "generated",
            "v1",
            "dist",
            "__pycache__",
            ".hypothesis",
            ".mypy_cache",
            ".pytest_cache",
            ".ruff_cache",
        }
        files = [path for path in ROOT.rglob("*") if made.isdisjoint(path.relative_to(ROOT).parts)]
    return sorted(path for path in files if path.is_file() and path.suffix != ".so" and "_pb2" not in path.name)


def run(command: list[str | Path], folder: Path, timeout: float = 300) -> str:
    """Run a command that knows nothing of the repository, and return what it prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MACHIAVEL"))}
    done = subprocess.run(command, cwd=folder, env=kept, check=False, capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout
