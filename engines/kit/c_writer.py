"""A program in C, as GCC compiles it: for where LLVM is missing."""

import math
from collections.abc import Sequence

from machiavel.engines.kit.code_writer import CodeWriter
from machiavel.engines.kit.program import Function, Program, ValueType

__all__ = ["CWriter"]

TYPES = {"int": "int64_t", "float": "double", "array": "double *restrict"}
PAIRS = {"int": "kit_int", "float": "kit_float"}
HEAD = """\
#include "kit_call.h"

typedef struct { int64_t value; int is_fault; } kit_int;
typedef struct { double value; int is_fault; } kit_float;

#define EXPORTED __attribute__((visibility("default")))


static __attribute__((cold, noinline)) void kit_fault(kit_call *call, int32_t kind, int32_t line, int64_t a, int64_t b)
{
    call->fault = kind;
    call->line = line;
    call->a = a;
    call->b = b;
}
"""
HELPERS = {
    "count_bits": "__builtin_popcountll({})",
    "lowest_bit": "__builtin_ctzll({})",
    "highest_bit": "(63 - __builtin_clzll({}))",
    "magnitude": "__builtin_fabs({})",
}
LUCK_FLAGS = 28  # bytes from the beginning of a machiavel_luck
FLOATS = {"magnitude"}
SIGNED = {"add": "+", "sub": "-", "mul": "*", "sdiv": "/", "srem": "%", "and": "&", "or": "|", "xor": "^", "ashr": ">>"}
UNSIGNED = {"udiv": "/", "urem": "%", "shl": "<<", "lshr": ">>"}
FLOATING = {"fadd": "+", "fsub": "-", "fmul": "*", "fdiv": "/"}
COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


class CWriter(CodeWriter):
    """Each function is static and answers a value with a bit that tells of a fault; an entry has another one in front."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._tables: dict[tuple[int, ...], str] = {}
        self._kinds: dict[str, ValueType] = {}
        self._body_at = 0

    def text(self) -> str:
        tables = [
            f"static const int64_t {name}[{len(values)}] = {{{', '.join(map(self._constant, values))}}};"
            for values, name in self._tables.items()
        ]
        return self.plain("\n".join([HEAD, *tables, *self.lines, ""]))

    # ---- Functions ----

    def begin(self, function: Function) -> None:
        self.function, self._kinds, self._faults, self.is_open = function, {}, [], True
        self.lines.append(f"static inline {PAIRS[function.returns]} author_{function.name}({self._parameters(function)})")
        self.lines.append("{")
        self._body_at = len(self.lines)
        for parameter in function.parameters:
            if parameter.type in {"int", "float"}:
                self.declare(f"v_{parameter.name}", "float" if parameter.type == "float" else "int")
                self.set(f"v_{parameter.name}", f"p_{parameter.name}")

    def _parameters(self, function: Function) -> str:
        own = [f"{TYPES[parameter.type]} p_{parameter.name}" for parameter in function.parameters if parameter.type != "luck"]
        return ", ".join(["kit_call *restrict call", "uint8_t *restrict state", *own])

    def end(self) -> None:
        function = self.function
        for site in self._faults:
            self.place(site.label)
            if site.kind:
                values = f"{int(site.kind)}, {site.line}, {self._int(site.a)}, {self._int(site.b)}"
                self.lines.append(f"    kit_fault(call, {values});")
            elif site.line:
                self.lines.append(f"    call->line = {site.line};")
            self.lines.append(f"    return ({PAIRS[function.returns]}){{0, 1}};")
            self.is_open = False
        self.lines.append("}\n")
        if function.is_entry:
            own = [f"p_{parameter.name}" for parameter in function.parameters if parameter.type != "luck"]
            kind = "double" if function.returns == "float" else "int64_t"
            self.lines.append(f"EXPORTED {kind} kit_{function.name}({self._parameters(function)})")
            self.lines.append(f"{{\n    return author_{function.name}({', '.join(['call', 'state', *own])}).value;\n}}\n")

    def call(self, function: Function, arguments: Sequence[str]) -> str:
        kinds = [parameter.type for parameter in function.parameters if parameter.type != "luck"]
        values = [self._int(value) if kind == "int" else value for kind, value in zip(kinds, arguments, strict=True)]
        values = [f"p_{value}" if kind == "array" else value for kind, value in zip(kinds, values, strict=True)]
        pair = self.fresh("t")
        self.lines.append(
            f"    {PAIRS[function.returns]} {pair} = author_{function.name}({', '.join(['call', 'state', *values])});"
        )
        self.fault_if(f"{pair}.is_fault", 0, 0)
        return self._give(f"{pair}.value", function.returns)

    def call_runtime(self, member: str, arguments: Sequence[str], line: int) -> str:
        result = self._give(f"call->{member}({', '.join(['call', *map(self._int, arguments)])})")
        self.fault_if(self._bit("call->fault"), 0, line)
        return result

    def leave(self, value: str) -> None:
        value = self._int(value) if self.function.returns == "int" else value
        self.lines.append(f"    return ({PAIRS[self.function.returns]}){{{value}, 0}};")
        self.is_open = False

    # ---- Locals and constants ----

    def _give(self, text: str, kind: ValueType = "int") -> str:
        name = self.fresh("t")
        self.lines.append(f"    {TYPES[kind]} {name} = {text};")
        return name

    def _bit(self, text: str) -> str:
        name = self.fresh("t")
        self.lines.append(f"    int {name} = {text};")
        return name

    def _int(self, value: str) -> str:
        return self._constant(int(value)) if value[0] in "-0123456789" else value

    @staticmethod
    def _constant(value: int) -> str:
        return "INT64_MIN" if value == -(2**63) else f"INT64_C({value})" if value >= 0 else f"(-INT64_C({-value}))"

    def declare(self, name: str, kind: ValueType) -> None:
        if name not in self._kinds:
            self._kinds[name] = kind
            self.lines.insert(self._body_at, f"    {TYPES[kind]} {name} = 0;")

    def get(self, name: str) -> str:
        return self._give(name, self._kinds[name])

    def set(self, name: str, value: str) -> None:
        self.lines.append(f"    {name} = {value if self._kinds[name] == 'float' else self._int(value)};")

    def number(self, value: float) -> str:
        if math.isinf(value):
            return "__builtin_inf()" if value > 0 else "(-__builtin_inf())"
        return '__builtin_nan("")' if math.isnan(value) else f"({value.hex()})"

    # ---- Arithmetic ----

    def operate(self, op: str, left: str, right: str) -> str:
        if op in FLOATING:
            return self._give(f"{left} {FLOATING[op]} {right}", "float")
        left, right = self._int(left), self._int(right)
        if op in UNSIGNED:
            return self._give(f"(int64_t)((uint64_t){left} {UNSIGNED[op]} (uint64_t){right})")
        return self._give(f"{left} {SIGNED[op]} {right}")

    def operate_checked(self, op: str, left: str, right: str) -> tuple[str, str]:
        result = self._give("0")
        return result, self._bit(f"__builtin_{op}_overflow({self._int(left)}, {self._int(right)}, &{result})")

    def multiply_high(self, left: str, right: str) -> str:
        wide = [f"(unsigned __int128)(uint64_t){self._int(value)}" for value in (left, right)]
        return self._give(f"(int64_t)({wide[0]} * {wide[1]} >> 64)")

    def compare(self, op: str, left: str, right: str) -> str:
        sign = COMPARISONS[op[-2:]]
        if op[0] == "f":
            return self._bit(f"{left} {sign} {right}")
        left, right = self._int(left), self._int(right)
        return self._bit(f"(uint64_t){left} {sign} (uint64_t){right}" if op[0] == "u" else f"{left} {sign} {right}")

    def select(self, bit: str, yes: str, no: str, kind: ValueType = "int") -> str:
        if kind == "int":
            yes, no = self._int(yes), self._int(no)
        return self._give(f"{bit} ? {yes} : {no}", kind)

    def widen(self, bit: str) -> str:
        return self._give(bit)

    def to_float(self, value: str) -> str:
        return self._give(f"(double){self._int(value)}", "float")

    def truncate(self, value: str) -> str:
        return self._give(f"(int64_t){value}")

    def helper(self, name: str, *arguments: str) -> str:
        if name in FLOATS:
            return self._give(HELPERS[name].format(*arguments), "float")
        return self._give(HELPERS[name].format(*map(self._int, arguments)))

    # ---- Memory ----

    def load(self, width: int, is_signed: bool, offset: str) -> str:
        return self._give(f"*({self._width(width, is_signed)} *)(state + {offset})")

    def store(self, width: int, offset: str, value: str) -> None:
        kind = self._width(width, False)
        self.lines.append(f"    *({kind} *)(state + {offset}) = ({kind}){self._int(value)};")

    @staticmethod
    def _width(width: int, is_signed: bool) -> str:
        return f"{'' if is_signed else 'u'}int{8 * width}_t"

    def load_float(self, array: str, index: str) -> str:
        return self._give(f"p_{array}[{index}]", "float")

    def store_float(self, array: str, index: str, value: str) -> None:
        self.lines.append(f"    p_{array}[{index}] = {value};")

    def table(self, values: tuple[int, ...], index: str) -> str:
        name = self._tables.setdefault(values, f"kit_table{len(self._tables)}")
        return self._give(f"{name}[{index}]")

    def load_call(self, member: str) -> str:
        return self._give(f"call->{member}")

    def store_call(self, member: str, value: str) -> None:
        self.lines.append(f"    call->{member} = {self._int(value)};")

    def store_move(self, index: str, move: str) -> None:
        self.lines.append(f"    call->moves[{index}] = (uint16_t){self._int(move)};")

    def load_move(self, index: str) -> str:
        return self._give(f"call->moves[{self._int(index)}]")

    def load_word(self, pointer: str) -> str:
        return self._give(f"*(int64_t *)p_{pointer}")

    def store_word(self, pointer: str, value: str) -> None:
        self.lines.append(f"    *(int64_t *)p_{pointer} = {self._int(value)};")

    def load_luck_flags(self) -> str:
        return self._give(f"*(const uint32_t *)((const uint8_t *)call->luck + {LUCK_FLAGS})")

    # ---- Jumps ----

    def jump(self, label: str) -> None:
        self.lines.append(f"    goto {label};")
        self.is_open = False

    def branch(self, bit: str, yes: str, no: str, *, is_rare: bool = False) -> None:
        test = f"__builtin_expect({bit}, 0)" if is_rare else bit
        self.lines.append(f"    if ({test}) goto {yes}; else goto {no};")
        self.is_open = False

    def place(self, label: str) -> None:
        self.lines.append(f"{label}:;")
        self.is_open = True
