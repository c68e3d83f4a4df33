"""A program's functions as machine code, by the best compiler there is; where there is none, it is told why."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from machiavel.engines.errors import BadOption
from machiavel.engines.kit import llvm
from machiavel.engines.kit.cache import cached, key_of
from machiavel.engines.kit.lowered_playouts import PLAYOUT, PlayoutLoop
from machiavel.engines.kit.missing_compiler import MissingCompiler
from machiavel.engines.kit.program import Program

__all__ = ["CompiledFunctions", "Mode", "PlayoutLoop", "compile_functions"]

Mode = Literal["llvm", "gcc", "interpreted"]


@dataclass(frozen=True)
class CompiledFunctions:
    """The entry points of a program."""

    mode: Mode
    addresses: Mapping[str, int] | None = None  # by name; None: to be interpreted
    owner: object = None  # the code stays where it is as long as this lives
    was_kept: bool = False  # it came out of the cache
    reason: str = ""  # why it is not made by LLVM


def compile_functions(program: Program, loop: PlayoutLoop | None = None, mode: str | None = None) -> CompiledFunctions:
    """By LLVM, else by GCC, else not at all. With `loop` there is a `playout`, too.

    `mode`, or else MACHIAVEL_KIT, asks for one of them: llvm, gcc or interpreted.

    Raises BadOption for another value of it, and MissingCompiler where the one that is asked for cannot be had.
    """
    wanted = mode or os.environ.get("MACHIAVEL_KIT", "")
    if wanted and wanted not in get_args(Mode):
        raise BadOption("MACHIAVEL_KIT", wanted, f"one of {', '.join(get_args(Mode))}")
    if wanted == "interpreted":
        return CompiledFunctions("interpreted", reason="MACHIAVEL_KIT=interpreted asks for it")
    if wanted == "gcc":
        return by_gcc(program, loop, "MACHIAVEL_KIT=gcc asks for it")
    try:
        return by_llvm(program, loop)
    except MissingCompiler as missing:
        if wanted:
            raise
        reason = str(missing)
    try:
        return by_gcc(program, loop, reason)
    except MissingCompiler as missing:
        return CompiledFunctions("interpreted", reason=f"{reason}; {missing}")


def entries(program: Program, loop: PlayoutLoop | None) -> list[str]:
    names = [function.name for function in program.functions.values() if function.is_entry]
    return [*names, PLAYOUT.name] if loop else names


def by_llvm(program: Program, loop: PlayoutLoop | None) -> CompiledFunctions:
    text = llvm.llvm_text(program, loop)
    image, was_kept = cached(key_of("llvm", llvm.llvm_version(), text), lambda: llvm.compile_object(text))
    addresses, owner = llvm.load_object(image, entries(program, loop))
    return CompiledFunctions("llvm", addresses, owner, was_kept)


def by_gcc(program: Program, loop: PlayoutLoop | None, reason: str) -> CompiledFunctions:
    from machiavel.engines.kit import c_source  # noqa: PLC0415 - where there is LLVM, nobody waits for it

    text = c_source.c_text(program, loop)
    key = key_of("gcc", c_source.gcc_version(), " ".join(c_source.OPTIONS), text)
    image, was_kept = cached(key, lambda: c_source.compile_shared(text))
    addresses, owner = c_source.load_shared(image, entries(program, loop))
    return CompiledFunctions("gcc", addresses, owner, was_kept, reason)
