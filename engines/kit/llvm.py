"""Machine code by way of llvmlite: optimized once, kept as an object, and loaded without LLVM doing any work."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from machiavel.engines.kit.llvm_writer import LlvmWriter
from machiavel.engines.kit.lowered_playouts import PlayoutLoop, write_playout
from machiavel.engines.kit.lowering import lower
from machiavel.engines.kit.missing_compiler import MissingCompiler
from machiavel.engines.kit.program import Program

__all__ = ["LEAST_LLVMLITE", "compile_object", "llvm_text", "llvm_version", "load_object"]

LEAST_LLVMLITE = (0, 50)
CPU = "x86-64"  # no instruction of floats more than that: the same bytes on every machine
WORDS = ("popcnt", "lzcnt", "bmi", "bmi2")  # instructions on whole numbers, used where there are
SLOW_DEPOSIT = {"znver1", "znver2"}  # hundreds of cycles


@cache
def binding() -> Any:
    """llvmlite's binding, made ready."""
    try:
        version = str(import_module("llvmlite").__version__)
        llvm = import_module("llvmlite.binding")
    except (ImportError, OSError) as error:
        raise MissingCompiler(f"llvmlite cannot be imported ({error}); pip install 'machiavel[kit]' brings it") from error
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < LEAST_LLVMLITE:
        least = ".".join(map(str, LEAST_LLVMLITE))
        raise MissingCompiler(f"llvmlite {version} is too old; pip install 'machiavel[kit]' brings {least} or newer")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


def llvm_version() -> str:
    """What an object depends on besides the text."""
    llvm = binding()
    return f"llvmlite {import_module('llvmlite').__version__}, LLVM {'.'.join(map(str, llvm.llvm_version_info))}, {target_cpu()}"


def target_cpu() -> str:
    """The processor that code is made for: any of its kind. What may be added to it stands behind it."""
    triple = str(binding().get_process_triple())
    return f"{triple} {CPU if triple.startswith('x86_64') else 'generic'} {features()}".rstrip()


@cache
def features() -> str:
    """What this processor has of WORDS, as LLVM writes it."""
    llvm = binding()
    if not str(llvm.get_process_triple()).startswith("x86_64"):
        return ""
    there = llvm.get_host_cpu_features()
    return ",".join(f"+{name}" for name in WORDS if there.get(name))


def deposits_bits() -> bool:
    """Whether the bits of a set are best found by pdep."""
    return "+bmi2" in features() and str(binding().get_host_cpu_name()) not in SLOW_DEPOSIT


def llvm_text(program: Program, loop: PlayoutLoop | None = None) -> str:
    writer = LlvmWriter(program, str(binding().get_process_triple()), deposits_bits=deposits_bits())
    lower(program, writer)
    if loop is not None:
        write_playout(program, writer, loop)
    return writer.text()


def compile_object(text: str) -> bytes:
    llvm = binding()
    module = llvm.parse_assembly(text)
    module.verify()
    triple = str(llvm.get_process_triple())
    target = llvm.Target.from_triple(triple)
    cpu = CPU if triple.startswith("x86_64") else "generic"
    machine = target.create_target_machine(cpu=cpu, features=features(), opt=3, reloc="pic", codemodel="jitdefault")
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def load_object(image: bytes, names: Sequence[str]) -> tuple[dict[str, int], object]:
    """The addresses of functions, and what keeps them there."""
    llvm = binding()
    jit = llvm.create_lljit_compiler()
    library = llvm.JITLibraryBuilder().add_object_img(image).add_current_process()
    for name in names:
        library.export_symbol(name)
    tracker = library.link(jit, "kit")
    return {name: int(tracker[name]) for name in names}, (tracker, jit)
