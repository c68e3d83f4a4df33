"""The package in JavaScript: its own tests, its size, and that a stranger can install and use it."""

import json
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

from tests.clients.js.programs import ENVIRONMENT, NODE, NPM, PACKAGE
from tests.packaging.project import ROOT
from tests.server.service.hosted import Hosted

README = PACKAGE / "README.md"
EXAMPLE = re.compile(r"^```js\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = EXAMPLE.findall(README.read_text(encoding="utf-8"))
MOST = 60_000  # bytes, compressed by gzip, in a browser
TYPED = """
import { connect, type Client, UnknownGame } from "@machiavel/client";
import { type State, ViewSchema } from "@machiavel/client/v1";

const service: Client = connect("http://127.0.0.1:7789");
export async function best(): Promise<string> {
  const state: State = await service.newState("agency", { players: 3, game: { case: "agency", value: { medals: 1 } } });
  const { move } = await service.recommendMove(state, { bot: "level3" });
  // @ts-expect-error there is no such option
  await service.recommendMove(state, { bots: "level3" });
  return `${move.text} ${ViewSchema.typeName} ${UnknownGame.name}`;
}
"""


def run(*command: str | Path, folder: Path, timeout: float = 300, **environment: str) -> str:
    done = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT | environment, capture_output=True, text=True, timeout=timeout, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it would be published."""
    folder = tmp_path_factory.mktemp("packed")
    run(NPM, "pack", "--silent", "--pack-destination", folder, folder=PACKAGE)
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="session")
def stranger(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of somebody who has installed it."""
    folder = tmp_path_factory.mktemp("stranger")
    (folder / "package.json").write_text('{"name": "stranger", "private": true, "type": "module"}', encoding="utf-8")
    run(NPM, "install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", packed, folder=folder)
    return folder


def test_its_own_tests_pass() -> None:
    run(
        NODE,
        "node_modules/.bin/vitest",
        "run",
        folder=PACKAGE,
        MACHIAVEL=str(Path(sys.executable).with_name("machiavel")),
        CI="1",
    )


def test_what_is_packed_is_what_its_users_need(packed: Path) -> None:
    with tarfile.open(packed) as archive:
        names = {name.removeprefix("package/") for name in archive.getnames()}

    assert {"LICENSE", "README.md", "package.json", "dist/browser.js", "dist/node.js", "dist/node.d.ts", "dist/v1.d.ts"} <= names
    assert {name.split("/")[0] for name in names} == {"LICENSE", "README.md", "package.json", "dist"}
    assert (PACKAGE / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_versions_are_pinned_together() -> None:
    wanted = json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))
    connect = {version for name, version in wanted["dependencies"].items() if name.startswith("@connectrpc/")}
    generator = json.loads((PACKAGE / "node_modules/@bufbuild/protoc-gen-es/package.json").read_bytes())

    with (ROOT / "clients/pyproject.toml").open("rb") as file:
        python = tomllib.load(file)["project"]["version"]

    assert wanted["version"] == python
    assert len(connect) == 1
    assert wanted["dependencies"]["@bufbuild/protobuf"] == generator["dependencies"]["@bufbuild/protobuf"]
    assert all(version[0].isdigit() for kind in ("dependencies", "devDependencies") for version in wanted[kind].values())


def test_no_lock_file_names_a_registry() -> None:
    for folder in (PACKAGE, ROOT / "clients/examples/node", ROOT / "page"):
        lock = folder / "package-lock.json"
        packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
        assert not [name for name, package in packages.items() if "://" in package.get("resolved", "")]


def test_in_a_browser_it_is_small(stranger: Path) -> None:
    """All that the package exports, with everything it needs."""
    (stranger / "all.js").write_text('export * from "@machiavel/client";\n', encoding="utf-8")
    told = json.loads(run(NODE, PACKAGE / "scripts" / "bundle.js", "all.js", folder=stranger))

    assert 30_000 < told["gzip"] <= MOST


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_of_the_readme_runs_where_it_was_installed(stranger: Path, server: Hosted, example: str) -> None:
    (stranger / "example.js").write_text(at(server, example), encoding="utf-8")

    assert run(NODE, "example.js", folder=stranger)


def test_a_bundle_for_browsers_plays(stranger: Path, server: Hosted) -> None:
    (stranger / "page.js").write_text(at(server, EXAMPLES[0]), encoding="utf-8")
    run(NODE, PACKAGE / "scripts" / "bundle.js", "page.js", "bundle.js", folder=stranger)

    assert "node:http" not in (stranger / "bundle.js").read_text(encoding="utf-8")
    assert re.fullmatch(r"\[ [01., ]+ \]\n", run(NODE, "bundle.js", folder=stranger))


@pytest.mark.parametrize("resolution", ["nodenext", "bundler"])
def test_its_types_are_found(stranger: Path, resolution: str) -> None:
    (stranger / "typed.ts").write_text(TYPED, encoding="utf-8")
    module = "nodenext" if resolution == "nodenext" else "esnext"
    flags = ["--noEmit", "--strict", "--types", "", "--target", "es2023", "--module", module, "--moduleResolution", resolution]

    run(NODE, PACKAGE / "node_modules/typescript/bin/tsc", *flags, "typed.ts", folder=stranger)


def at(server: Hosted, program: str) -> str:
    assert server.server.web_address is not None
    return program.replace("http://127.0.0.1:7789", server.server.web_address)
