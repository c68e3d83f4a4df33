"""A program in LLVM's assembly language."""

import struct
from collections.abc import Sequence

from machiavel.engines.kit.code_writer import CodeWriter
from machiavel.engines.kit.program import Function, Program, ValueType

__all__ = ["LlvmWriter"]

TYPES = {"int": "i64", "float": "double", "array": "ptr"}
HEAD = """\
target triple = "{triple}"
%kit_call = type {{ i64, i32, i32, i64, i64, i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i32, [256 x i16] }}
declare {{ i64, i1 }} @llvm.sadd.with.overflow.i64(i64, i64)
declare {{ i64, i1 }} @llvm.ssub.with.overflow.i64(i64, i64)
declare {{ i64, i1 }} @llvm.smul.with.overflow.i64(i64, i64)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare double @llvm.fabs.f64(double)
define internal void @kit_fault(ptr noalias %call, i32 %kind, i32 %line, i64 %a, i64 %b) #3 {{
  %at_kind = getelementptr %kit_call, ptr %call, i32 0, i32 1
  store i32 %kind, ptr %at_kind
  %at_line = getelementptr %kit_call, ptr %call, i32 0, i32 2
  store i32 %line, ptr %at_line
  %at_a = getelementptr %kit_call, ptr %call, i32 0, i32 3
  store i64 %a, ptr %at_a
  %at_b = getelementptr %kit_call, ptr %call, i32 0, i32 4
  store i64 %b, ptr %at_b
  ret void
}}
"""
TAIL = """\
attributes #0 = { nounwind }
attributes #1 = { inlinehint nounwind }
attributes #2 = { alwaysinline nounwind }
attributes #3 = { cold noinline nounwind }
!0 = !{!"branch_weights", i32 1, i32 2000}
"""
MEMBERS = {"fuel": (0, 64), "fault": (1, 32), "first": (5, 64), "count": (14, 32)}  # number in %kit_call, bits
RUNTIME = {"draw_cards": 9, "draw_card": 10, "roll": 11, "hidden": 12, "unseen": 13}
LUCK, MOVES = 6, 15
LUCK_FLAGS = 28  # bytes from the beginning of a machiavel_luck
FLOAT_COMPARISONS = {"feq": "oeq", "fne": "une", "flt": "olt", "fle": "ole", "fgt": "ogt", "fge": "oge"}
HELPERS = {
    "count_bits": "i64 @llvm.ctpop.i64(i64 {})",
    "lowest_bit": "i64 @llvm.cttz.i64(i64 {}, i1 true)",
    "highest_bit": "i64 @llvm.ctlz.i64(i64 {}, i1 true)",
    "magnitude": "double @llvm.fabs.f64(double {})",
    "deposit": "i64 @llvm.x86.bmi.pdep.64(i64 {}, i64 {})",
}


class LlvmWriter(CodeWriter):
    """Each function is internal and answers a value with a bit that tells of a fault; an entry has another one in front."""

    def __init__(self, program: Program, triple: str, *, deposits_bits: bool = False) -> None:
        super().__init__(program)
        self.deposits_bits = deposits_bits
        self.lines.append(HEAD.format(triple=triple))
        if deposits_bits:
            self.lines.append("declare i64 @llvm.x86.bmi.pdep.64(i64, i64)")
        self._tables: dict[tuple[int, ...], str] = {}
        self._types: dict[str, ValueType] = {}
        self._entry_at = 0
        self._size = max((slot.offset + slot.width for slot in program.slots), default=8)

    def text(self) -> str:
        for values, name in self._tables.items():
            items = ", ".join(f"i64 {value}" for value in values)
            self.lines.append(f"{name} = private unnamed_addr constant [{len(values)} x i64] [{items}]")
        return self.plain("\n".join([*self.lines, TAIL]))

    # ---- Functions ----

    def begin(self, function: Function) -> None:
        self.function, self._types, self._faults, self.is_open = function, {}, [], True
        inline = "#2" if function.is_entry else "#1"
        parameters = [*self._heads(), *self._parameters(function)]
        self.lines.append(
            f"define internal {{ {TYPES[function.returns]}, i1 }} @author_{function.name}({', '.join(parameters)}) {inline} {{"
        )
        self.lines.append("entry:")
        self._entry_at = len(self.lines)
        for parameter in function.parameters:
            if parameter.type in {"int", "float"}:
                self.declare(f"v_{parameter.name}", "float" if parameter.type == "float" else "int")
                self.set(f"v_{parameter.name}", f"%p_{parameter.name}")

    def _heads(self) -> list[str]:
        return ["ptr noalias %call", f"ptr noalias align 16 dereferenceable({self._size}) %state"]

    def _parameters(self, function: Function) -> list[str]:
        return [
            f"{TYPES[parameter.type]} {'noalias ' if parameter.type == 'array' else ''}%p_{parameter.name}"
            for parameter in function.parameters
            if parameter.type != "luck"
        ]

    def end(self) -> None:
        function = self.function
        nothing = self.number(0.0) if function.returns == "float" else "0"
        for site in self._faults:
            self.place(site.label)
            if site.kind:
                values = f"i32 {int(site.kind)}, i32 {site.line}, i64 {site.a}, i64 {site.b}"
                self.lines.append(f"  call void @kit_fault(ptr %call, {values})")
            elif site.line:
                self.lines.append(f"  store i32 {site.line}, ptr {self._member(2)}, align 4")
            self._return(function, nothing, "true")
        self.lines.append("}")
        if function.is_entry:
            self._export(function)

    def _return(self, function: Function, value: str, bit: str) -> None:
        pair, kind = f"{{ {TYPES[function.returns]}, i1 }}", TYPES[function.returns]
        half = self._give(f"insertvalue {pair} undef, {kind} {value}, 0")
        whole = self._give(f"insertvalue {pair} {half}, i1 {bit}, 1")
        self.lines.append(f"  ret {pair} {whole}")
        self.is_open = False

    def _export(self, function: Function) -> None:
        kind = TYPES[function.returns]
        parameters = ", ".join([*self._heads(), *self._parameters(function)])
        arguments = ", ".join(["ptr %call", "ptr %state", *self._parameters(function)]).replace(" noalias", "")
        self.lines.append(f"define {kind} @{function.name}({parameters}) #0 {{")
        self.lines.append(f"  %pair = call {{ {kind}, i1 }} @author_{function.name}({arguments})")
        self.lines.append(f"  %value = extractvalue {{ {kind}, i1 }} %pair, 0")
        self.lines.append(f"  ret {kind} %value\n}}")

    def call(self, function: Function, arguments: Sequence[str]) -> str:
        kinds = [parameter.type for parameter in function.parameters if parameter.type != "luck"]
        values = [
            f"{TYPES[kind]} {f'%p_{value}' if kind == 'array' else value}" for kind, value in zip(kinds, arguments, strict=True)
        ]
        pair = f"{{ {TYPES[function.returns]}, i1 }}"
        result = self._give(f"call {pair} @author_{function.name}({', '.join(['ptr %call', 'ptr %state', *values])})")
        bit = self._give(f"extractvalue {pair} {result}, 1")
        self.fault_if(bit, 0, 0)
        return self._give(f"extractvalue {pair} {result}, 0")

    def call_runtime(self, member: str, arguments: Sequence[str], line: int) -> str:
        place = self._member(RUNTIME[member])
        function = self._give(f"load ptr, ptr {place}, align 8")
        values = ", ".join(["ptr %call", *(f"i64 {value}" for value in arguments)])
        result = self._give(f"call i64 {function}({values})")
        fault = self._give(f"load i32, ptr {self._member(1)}, align 4")
        self.fault_if(self._give(f"icmp ne i32 {fault}, 0"), 0, line)
        return result

    def leave(self, value: str) -> None:
        self._return(self.function, value, "false")

    # ---- Locals and constants ----

    def _give(self, text: str) -> str:
        name = self.fresh("%t")
        self.lines.append(f"  {name} = {text}")
        return name

    def declare(self, name: str, kind: ValueType) -> None:
        if name in self._types:
            return
        self._types[name] = kind
        zero = self.number(0.0) if kind == "float" else "0"
        self.lines.insert(self._entry_at, f"  %{name} = alloca {TYPES[kind]}\n  store {TYPES[kind]} {zero}, ptr %{name}")
        self._entry_at += 1

    def get(self, name: str) -> str:
        return self._give(f"load {TYPES[self._types[name]]}, ptr %{name}")

    def set(self, name: str, value: str) -> None:
        self.lines.append(f"  store {TYPES[self._types[name]]} {value}, ptr %{name}")

    def number(self, value: float) -> str:
        return f"0x{int.from_bytes(struct.pack('>d', value)):016X}"

    # ---- Arithmetic ----

    def operate(self, op: str, left: str, right: str) -> str:
        kind = "double" if op in {"fadd", "fsub", "fmul", "fdiv"} else "i64"
        return self._give(f"{op} {kind} {left}, {right}")

    def operate_checked(self, op: str, left: str, right: str) -> tuple[str, str]:
        pair = self._give(f"call {{ i64, i1 }} @llvm.s{op}.with.overflow.i64(i64 {left}, i64 {right})")
        return self._give(f"extractvalue {{ i64, i1 }} {pair}, 0"), self._give(f"extractvalue {{ i64, i1 }} {pair}, 1")

    def multiply_high(self, left: str, right: str) -> str:
        wide = [self._give(f"zext i64 {value} to i128") for value in (left, right)]
        product = self._give(f"mul i128 {wide[0]}, {wide[1]}")
        return self._give(f"trunc i128 {self._give(f'lshr i128 {product}, 64')} to i64")

    def compare(self, op: str, left: str, right: str) -> str:
        if op in FLOAT_COMPARISONS:
            return self._give(f"fcmp {FLOAT_COMPARISONS[op]} double {left}, {right}")
        return self._give(f"icmp {op} i64 {left}, {right}")

    def select(self, bit: str, yes: str, no: str, kind: ValueType = "int") -> str:
        return self._give(f"select i1 {bit}, {TYPES[kind]} {yes}, {TYPES[kind]} {no}")

    def widen(self, bit: str) -> str:
        return self._give(f"zext i1 {bit} to i64")

    def to_float(self, value: str) -> str:
        return self._give(f"sitofp i64 {value} to double")

    def truncate(self, value: str) -> str:
        return self._give(f"fptosi double {value} to i64")

    def helper(self, name: str, *arguments: str) -> str:
        result = self._give("call " + HELPERS[name].format(*arguments))
        return self._give(f"sub i64 63, {result}") if name == "highest_bit" else result

    # ---- Memory ----

    def _at(self, offset: str) -> str:
        return self._give(f"getelementptr inbounds i8, ptr %state, i64 {offset}")

    def load(self, width: int, is_signed: bool, offset: str) -> str:
        value = self._give(f"load i{8 * width}, ptr {self._at(offset)}, align {width}")
        return value if width == 8 else self._give(f"{'sext' if is_signed else 'zext'} i{8 * width} {value} to i64")

    def store(self, width: int, offset: str, value: str) -> None:
        place = self._at(offset)
        small = value if width == 8 else self._give(f"trunc i64 {value} to i{8 * width}")
        self.lines.append(f"  store i{8 * width} {small}, ptr {place}, align {width}")

    def load_float(self, array: str, index: str) -> str:
        place = self._give(f"getelementptr inbounds double, ptr %p_{array}, i64 {index}")
        return self._give(f"load double, ptr {place}, align 8")

    def store_float(self, array: str, index: str, value: str) -> None:
        place = self._give(f"getelementptr inbounds double, ptr %p_{array}, i64 {index}")
        self.lines.append(f"  store double {value}, ptr {place}, align 8")

    def table(self, values: tuple[int, ...], index: str) -> str:
        name = self._tables.setdefault(values, f"@table{len(self._tables)}")
        place = self._give(f"getelementptr inbounds i64, ptr {name}, i64 {index}")
        return self._give(f"load i64, ptr {place}, align 8")

    def _member(self, number: int) -> str:
        return self._give(f"getelementptr inbounds %kit_call, ptr %call, i32 0, i32 {number}")

    def load_call(self, member: str) -> str:
        number, bits = MEMBERS[member]
        value = self._give(f"load i{bits}, ptr {self._member(number)}, align {bits // 8}")
        return value if bits == 64 else self._give(f"zext i{bits} {value} to i64")

    def store_call(self, member: str, value: str) -> None:
        number, bits = MEMBERS[member]
        place = self._member(number)
        small = value if bits == 64 else self._give(f"trunc i64 {value} to i{bits}")
        self.lines.append(f"  store i{bits} {small}, ptr {place}, align {bits // 8}")

    def store_move(self, index: str, move: str) -> None:
        place = self._give(f"getelementptr inbounds %kit_call, ptr %call, i32 0, i32 {MOVES}, i64 {index}")
        small = self._give(f"trunc i64 {move} to i16")
        self.lines.append(f"  store i16 {small}, ptr {place}, align 2")

    def load_move(self, index: str) -> str:
        place = self._give(f"getelementptr inbounds %kit_call, ptr %call, i32 0, i32 {MOVES}, i64 {index}")
        return self._give(f"zext i16 {self._give(f'load i16, ptr {place}, align 2')} to i64")

    def load_word(self, pointer: str) -> str:
        return self._give(f"load i64, ptr %p_{pointer}, align 8")

    def store_word(self, pointer: str, value: str) -> None:
        self.lines.append(f"  store i64 {value}, ptr %p_{pointer}, align 8")

    def load_luck_flags(self) -> str:
        luck = self._give(f"load ptr, ptr {self._member(LUCK)}, align 8")
        place = self._give(f"getelementptr inbounds i8, ptr {luck}, i64 {LUCK_FLAGS}")
        return self._give(f"zext i32 {self._give(f'load i32, ptr {place}, align 4')} to i64")

    # ---- Jumps ----

    def jump(self, label: str) -> None:
        self.lines.append(f"  br label %{label}")
        self.is_open = False

    def branch(self, bit: str, yes: str, no: str, *, is_rare: bool = False) -> None:
        self.lines.append(f"  br i1 {bit}, label %{yes}, label %{no}{', !prof !0' if is_rare else ''}")
        self.is_open = False

    def place(self, label: str) -> None:
        if self.is_open:
            self.jump(label)
        self.lines.append(f"{label}:")
        self.is_open = True
