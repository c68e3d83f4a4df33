"""By which compiler an author's functions become machine code, and what is told where there is none."""

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from bench.kit_machine import KitCall
from machiavel.engines.errors import BadOption
from machiavel.engines.kit import c_source, llvm
from machiavel.engines.kit.compiling import PlayoutLoop, compile_functions
from machiavel.engines.kit.llvm_writer import HEAD
from machiavel.engines.kit.loading import load_file
from machiavel.engines.kit.missing_compiler import MissingCompiler
from tests.engines.kit.tiny_programs import tiny_program


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MACHIAVEL_KIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MACHIAVEL_KIT", raising=False)
    return tmp_path / "cache"


@pytest.fixture
def no_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    llvm.binding.cache_clear()
    monkeypatch.setattr(llvm, "binding", llvm.binding.__wrapped__)


@pytest.fixture
def no_gcc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(c_source, "gcc", c_source.gcc.__wrapped__)
    monkeypatch.setattr(c_source, "gcc_version", c_source.gcc_version.__wrapped__)


def test_llvm_is_taken_where_it_is(tmp_path: Path) -> None:
    compiled = compile_functions(tiny_program(tmp_path))

    assert (compiled.mode, compiled.reason) == ("llvm", "")
    assert compiled.addresses is not None
    assert set(compiled.addresses) == {"deal", "legal", "apply", "result"}


def test_a_playout_is_made_where_its_loop_is_told(tmp_path: Path) -> None:
    compiled = compile_functions(tiny_program(tmp_path), PlayoutLoop(100))

    assert compiled.addresses is not None
    assert "playout" in compiled.addresses


@pytest.mark.parametrize("mode", ["llvm", "gcc"])
def test_what_was_compiled_is_loaded_the_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    program = tiny_program(tmp_path)

    def not_again(_text: str) -> bytes:
        raise AssertionError("it was compiled before")

    assert not compile_functions(program, mode=mode).was_kept
    monkeypatch.setattr(llvm, "compile_object", not_again)
    monkeypatch.setattr(c_source, "compile_shared", not_again)

    assert compile_functions(program, mode=mode).was_kept


def test_another_version_of_llvm_compiles_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tiny_program(tmp_path)
    compile_functions(program)
    monkeypatch.setattr(llvm, "llvm_version", lambda: "llvmlite 9.9, LLVM 99, x86-64")

    assert not compile_functions(program).was_kept


def test_another_processor_has_objects_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tiny_program(tmp_path)
    compile_functions(program)
    monkeypatch.setattr(llvm, "target_cpu", lambda: "aarch64-unknown-linux-gnu generic")

    assert not compile_functions(program).was_kept


def test_a_change_of_one_number_compiles_anew(tmp_path: Path) -> None:
    compile_functions(tiny_program(tmp_path, "self.out = 1"))

    assert compile_functions(tiny_program(tmp_path, "self.out = 1")).was_kept
    assert not compile_functions(tiny_program(tmp_path, "self.out = 2")).was_kept


@pytest.mark.usefixtures("no_llvmlite")
def test_without_llvmlite_gcc_compiles_and_it_is_told_what_to_install(tmp_path: Path) -> None:
    compiled = compile_functions(tiny_program(tmp_path))

    assert compiled.mode == "gcc"
    assert "pip install 'machiavel[kit]'" in compiled.reason


@pytest.mark.usefixtures("no_llvmlite", "no_gcc")
def test_without_any_compiler_it_is_interpreted_and_told_why(tmp_path: Path) -> None:
    compiled = compile_functions(tiny_program(tmp_path))

    assert (compiled.mode, compiled.addresses) == ("interpreted", None)
    assert "machiavel[kit]" in compiled.reason
    assert "no gcc" in compiled.reason


def test_an_llvmlite_that_is_too_old_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = ModuleType("llvmlite")
    old.__version__ = "0.43.0"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "llvmlite", old)
    monkeypatch.setattr(llvm, "binding", llvm.binding.__wrapped__)

    with pytest.raises(MissingCompiler, match=r"0\.43\.0 is too old.*0\.50 or newer"):
        compile_functions(tiny_program(tmp_path), mode="llvm")


@pytest.mark.usefixtures("no_llvmlite")
def test_llvm_that_is_asked_for_and_missing_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACHIAVEL_KIT", "llvm")

    with pytest.raises(MissingCompiler, match=r"machiavel\[kit\]"):
        compile_functions(tiny_program(tmp_path))


@pytest.mark.usefixtures("no_gcc")
def test_gcc_that_is_asked_for_and_missing_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACHIAVEL_KIT", "gcc")

    with pytest.raises(MissingCompiler, match="no gcc"):
        compile_functions(tiny_program(tmp_path))


def test_nothing_is_compiled_where_interpreting_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACHIAVEL_KIT", "interpreted")
    compiled = compile_functions(tiny_program(tmp_path))

    assert (compiled.mode, compiled.addresses) == ("interpreted", None)
    assert not list(tmp_path.rglob("*.object"))


def test_no_other_way_can_be_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACHIAVEL_KIT", "numba")

    with pytest.raises(BadOption, match="llvm, gcc, interpreted"):
        compile_functions(tiny_program(tmp_path))


def test_an_object_is_good_in_another_process(tmp_path: Path) -> None:
    """No address of this process stands in it: another one runs it at another place."""
    code = (
        "import sys; from pathlib import Path; from tests.engines.kit.tiny_programs import tiny_runner\n"
        "runner = tiny_runner(Path(sys.argv[1]), 'llvm', 'self.out = TABLE[self.a] + size(self.b)')\n"
        "print(runner.runner.compiled.was_kept, runner.out(a=2, b=7))"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True, env=dict(os.environ)
        )
        for _ in range(2)
    ]

    assert [one.stdout.split() for one in told] == [["False", str((1 << 40) + 3)], ["True", str((1 << 40) + 3)]]


def test_both_compilers_know_the_call_as_the_header_has_it(tmp_path: Path) -> None:
    """The structure of kit_call.h, as C lays it out, beside that of LLVM's text and that of ctypes."""
    members = [name for name, _ in KitCall._fields_]
    lines = "".join(f'    printf("%zu ", offsetof(kit_call, {name}));\n' for name in members)
    text = f"#include <stdio.h>\n#include <stddef.h>\n{c_source.header()}\nint main(void) {{\n{lines}    return 0;\n}}\n"
    (tmp_path / "offsets.c").write_text(text, encoding="utf-8")
    subprocess.run([c_source.gcc(), "-o", str(tmp_path / "offsets"), str(tmp_path / "offsets.c")], check=True)
    told = subprocess.run([str(tmp_path / "offsets")], capture_output=True, text=True, check=True).stdout.split()
    parts = HEAD.split("%kit_call = type {{ ")[1].split(" }}")[0]
    llvm_types = parts.replace("[256 x i16]", "moves").split(", ")
    sizes = {"i64": 8, "i32": 4, "ptr": 8, "moves": 2}
    places, at = [], 0
    for kind in llvm_types:
        at = -(-at // sizes[kind]) * sizes[kind]
        places.append(at)
        at += sizes[kind]

    assert [int(place) for place in told] == [getattr(KitCall, name).offset for name in members] == places


def test_a_playout_picks_the_same_cards_on_processors_that_cannot_deposit_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    played = []
    for deposits in (llvm.deposits_bits(), False):
        monkeypatch.setattr(llvm, "deposits_bits", lambda answer=deposits: answer)
        games = load_file(Path(__file__).parent / "whist.py", mode="llvm").playouts(500, 3, players=4)
        played.append((games.plies.tolist(), games.utilities.tolist()))

    assert played[0] == played[1]
