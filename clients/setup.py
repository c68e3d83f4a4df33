"""Makes the code of the API out of its .proto files: `machiavel.v1` with its comments, and what reads the details of errors."""

import json
import os
import re
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from grpc_tools import protoc
from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
SOURCE = ROOT / "src"
API = SOURCE / "machiavel" / "v1"
PROTO = ROOT / "proto"
NAME = re.compile(r"^(?:message|enum) (\w+)", re.MULTILINE)
SERVICE = re.compile(r"^service (\w+)", re.MULTILINE)


def generate() -> None:
    """Every module is made anew, and those without a .proto file any more are gone."""
    API.mkdir(exist_ok=True)
    for old in API.iterdir():
        if old.is_file():
            old.unlink()
    protos = sorted(PROTO.glob("machiavel/v1/*.proto"))
    compile_protos(PROTO, protos, "python", "mypy")
    compile_protos(PROTO, [proto for proto in protos if proto.stem.endswith("_service")], "grpc_python", "mypy_grpc")
    compile_protos(SOURCE, [SOURCE / "machiavel" / "clients" / "status.proto"], "python", "mypy")
    (API / "__init__.py").write_text(all_names(protos), encoding="utf-8")
    (API / "comments.json").write_text(json.dumps(comments(protos), ensure_ascii=False, indent=0), encoding="utf-8")
    (API / "py.typed").touch()


def compile_protos(root: Path, protos: list[Path], *kinds: str) -> None:
    run_protoc(root, protos, *(f"--{kind}_out={SOURCE}" for kind in kinds))


def run_protoc(root: Path, protos: list[Path], *flags: str) -> None:
    well_known = files("grpc_tools").joinpath("_proto")
    if protoc.main(["protoc", f"-I{root}", f"-I{well_known}", *flags, *map(str, protos)]):
        raise SystemExit("protoc failed; what it complains of stands above")


def comments(protos: list[Path]) -> dict[str, str]:
    """What stands above each message, field, enum, value, service and call, by its full name; generated code has none of it."""
    made = API / "comments.binpb"
    run_protoc(PROTO, protos, "--include_source_info", f"--descriptor_set_out={made}")
    described = FileDescriptorSet.FromString(made.read_bytes())
    made.unlink()
    return {
        full_name(file, place.path): " ".join(place.leading_comments.split())
        for file in described.file
        for place in file.source_code_info.location
        if place.leading_comments and len(place.path) > 1
    }


def full_name(file: FileDescriptorProto, path: Sequence[int]) -> str:
    """`machiavel.v1.Record.moves`: a path holds the number of a field and an index in it, again and again."""
    names: list[str] = [file.package]
    part: Any = file
    for number, index in zip(path[::2], path[1::2], strict=True):
        part = getattr(part, part.DESCRIPTOR.fields_by_number[number].name)[index]
        names.append(part.name)
    return ".".join(names)


def all_names(protos: list[Path]) -> str:
    """A module with the messages, enums and stubs of all files."""
    lines = ['"""The messages, enums and services of the API."""', ""]
    names = []
    for proto in protos:
        text = proto.read_text(encoding="utf-8")
        found = sorted(NAME.findall(text))
        names += found
        if found:
            lines.append(f"from machiavel.v1.{proto.stem}_pb2 import {', '.join(found)}")
        for service in SERVICE.findall(text):
            names.append(f"{service}Stub")
            lines.append(f"from machiavel.v1.{proto.stem}_pb2_grpc import {service}Stub")
    return "\n".join([*lines, "", f"__all__ = {sorted(names)!r}", ""])


class GeneratingBuild(build_py):
    """Generates before it looks for modules."""

    def run(self) -> None:
        generate()
        super().run()


os.chdir(ROOT)
# Where the plugins of protoc are, when this Python's environment is not active.
os.environ["PATH"] += f"{os.pathsep}{Path(sys.executable).parent}"
API.mkdir(exist_ok=True)
setup(
    package_dir={"": "src"},
    # With the namespace itself in the list, an editable install is a plain line in a .pth file.
    packages=["machiavel", "machiavel.clients", "machiavel.v1"],
    package_data={"machiavel.clients": ["py.typed", "*.pyi", "*.proto"], "machiavel.v1": ["py.typed", "*.json", "*.pyi"]},
    cmdclass={"build_py": GeneratingBuild},
)
