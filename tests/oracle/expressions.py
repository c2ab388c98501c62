# SPDX-License-Identifier: Apache-2.0
"""Random expressions of a wanted type, from the names and arrays in sight."""

from __future__ import annotations

import random

from kernel import ARRAYS, LOCAL, ROW, SHORT, Frame
from meaning import BITS, FLOATS, HALVES, INTEGERS, PROMOTED, SIGNED, TYPES

# How often each type is asked for.
WEIGHTS = {t: 2 for t in INTEGERS} | {"bool": 1.5, "float32": 2, "float64": 2}
WEIGHTS |= {"float16": 2, "bfloat16": 2}
# The same in comparisons for their own sake.
COMPARED = {t: 1.4 if BITS.get(t, 32) < 32 else 1 for t in TYPES if t != "int32"} | {"bool": 1.2}
# Times the number of a thread, it stays within int32.
FAR = 400_000_009


class Expressions:
    """What is in sight at a place in a program, and expressions made of it."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed)
        self.seed = seed
        self.types: dict[str, str] = {}
        self.scalars: list[tuple[str, str]] = []  # names in sight that may be assigned
        self.constants: list[tuple[str, str]] = []  # names in sight that may not
        self.in_test = False  # drawing what stands after `if` or `while`
        self.indices: list[tuple[str, int]] = []  # names in sight whose values are in [0, bound)
        self.literals: list[str] = []  # the indices of unrolled loops: known while compiling
        self.locals: list[tuple[str, str]] = []  # local arrays
        # Where a name without annotation was first assigned; there, another type starts a new one.
        self.depths: dict[str, int] = {}
        self.lines: list[str] = []
        self.constructs: set[str] = set()
        self.names = 0
        self.work = 1  # how often the present place runs, at most
        self.copies = 1  # how often unrolling copies it
        self.loops: list[str] = []  # kinds of the loops around
        self.me = "t"  # an int32 name that is always in sight
        self.frame: Frame

    # Small things

    def pick(self, options):
        return self.random.choice(options)

    def weighted(self, table: dict):
        return self.random.choices(list(table), list(table.values()))[0]

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def note(self, *constructs: str) -> None:
        self.constructs.update(constructs)

    def fresh(self, prefix: str, dtype: str) -> str:
        self.names += 1
        name = f"{prefix}{self.names}"
        self.types[name] = dtype
        return name

    def emit(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def any_type(self) -> str:
        return self.weighted(WEIGHTS)

    def depth(self) -> int:
        """How deep the expression of an assignment goes."""
        return self.pick([1, 2, 2, 3])

    # Leaves

    def place(self, array: str, index: str) -> str:
        if array not in ARRAYS:
            return f"{array}[{index}]"
        return f"{array}[{index}, t]" if self.frame.by_columns else f"{array}[t, {index}]"

    def index(self, size: int = ROW) -> str:
        fitting = [(n, b) for n, b in self.indices if b <= size]
        if fitting and self.chance(0.5):
            name, bound = self.pick(fitting)
            rest = self.random.randrange(size - bound + 1)
            return f"{name} + {rest}" if rest else name
        if self.chance(0.5):
            return str(self.random.randrange(size))
        name = self.pick([self.me, *(n for n, _ in self.indices), *self.int32_names()])
        return f"({name} + {self.random.randrange(size)}) & {size - 1}"

    def int32_names(self) -> list[str]:
        return [n for n, d in self.scalars + self.constants if d == "int32"]

    def element(self, dtype: str) -> str:
        local = [name for name, d in self.locals if d == dtype]
        if local and self.chance(0.8):
            self.note("local array read")
            return self.place(self.pick(local), self.index(LOCAL))
        return self.place(SHORT[dtype], self.index())

    def leaf(self, dtype: str) -> str:
        named = [n for n, d in self.scalars + self.constants if d == dtype]
        if dtype == "int32" and self.chance(0.3):
            unrolled = [] if self.in_test else [f"T.int32({n})" for n in self.literals]
            counted = [n for n, _ in self.indices if n not in self.literals]
            return self.pick([self.me, *counted, *unrolled])
        if named and self.chance(0.6):
            return self.pick(named)
        if self.chance(0.15) and not self.in_test:
            if dtype in FLOATS and self.chance(0.3):
                special = self.pick(["nan", "inf", "-inf"])
                return f'T.{dtype}("{special}")'
            return f"T.{dtype}({self.literal(dtype)})"
        return self.element(dtype)

    def literal(self, dtype: str) -> str:
        """A number in the range of `dtype`."""
        if dtype == "bool":
            return self.pick(["True", "False"])
        if dtype in HALVES:
            return self.pick(["0.0", "1.5", "-2.25", "3.0", "0.1", "-1000.0", "1e-3"])
        if dtype in FLOATS:
            return self.pick(["0.0", "1.5", "-2.25", "1e10", "0.1", "-3.0", "1e-3", "3e9"])
        bits = BITS[dtype]
        low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if dtype in SIGNED else (0, 1 << bits)
        edges = [low, high - 1, 0, 1, 2, 3, 7, 8, 10, high // 2]
        return str(self.pick(edges) if self.chance(0.7) else self.random.randrange(low, high))

    def small_literal(self) -> str:
        if self.literals and self.chance(0.9):
            self.note("unrolled index as a literal")
            return self.pick(self.literals)
        return str(self.random.randrange(1, 12))

    # Expressions of a wanted type

    def expression(self, dtype: str, depth: int) -> str:
        if depth <= 0 or self.chance(0.1):
            return self.leaf(dtype)
        if dtype == "bool":
            return self.condition(depth)
        kinds = {self.binary: 8, self.cast: 1.5, self.unary: 1.5, self.choice: 1.2}
        kinds[self.function] = 3
        if dtype in INTEGERS:
            kinds[self.shift] = 1.3
        if dtype in ("int32", "float32", "float64", "int64", "uint32", "uint64"):
            kinds[self.with_literal] = 3
        return self.weighted(kinds)(dtype, depth)

    def operands(self, dtype: str, depth: int) -> tuple[str, str]:
        """Two operands whose promotion is `dtype`."""
        a, b = self.expression(dtype, depth - 1), None
        if self.chance(0.35):
            narrower = [d for d in TYPES if PROMOTED[dtype, d] == dtype and d != dtype]
            if narrower:
                other = self.pick(narrower)
                self.note("mixed operands")
                b = self.expression(other, depth - 1)
        if b is None:
            b = self.expression(dtype, depth - 1)
        return (a, b) if self.chance(0.6) else (b, a)

    def binary(self, dtype: str, depth: int) -> str:
        a, b = self.operands(dtype, depth)
        if dtype in FLOATS:
            operator = self.weighted({"+": 3, "-": 3, "*": 3, "/": 3, "//": 1, "%": 1})
            if operator in ("//", "%"):
                b = self.element(dtype)
            return f"({a} {operator} {b})"
        operator = self.pick(["+", "-", "*", "//", "%", "&", "|", "^"])
        if operator in ("//", "%"):
            b = self.divisor(dtype, depth)
        return f"({a} {operator} {b})"

    def divisor(self, dtype: str, depth: int) -> str:
        """Not 0, but for what is read from memory (the CPU target has a rule for that)."""
        if self.chance(0.3):
            value = self.literal(dtype)
            return f"T.{dtype}({value if value != '0' else '3'})"
        if self.chance(0.3):
            return self.place(SHORT[dtype], self.index())
        return f"({self.expression(dtype, depth - 1)} | T.{dtype}(1))"

    def with_literal(self, dtype: str, depth: int) -> str:
        """An operation with a bare number."""
        if dtype in FLOATS:
            self.note("float with literal")
            other = dtype if dtype == "float64" else self.pick(["float32", *HALVES, "int32"])
            a, b = self.expression(other, depth - 1), self.literal(dtype)
            operator = self.pick("+-*/")
            return f"({a} {operator} {b})" if self.chance(0.7) else f"({b} {operator} {a})"
        operator = self.pick(["+", "-", "*", "//", "%", "&", "|", "^"])
        other = dtype
        if dtype == "int32" and self.chance(0.5):
            self.note("narrow integer with literal")
            other = self.pick(["int8", "uint8", "int16", "uint16"])
        if dtype == "int64" and self.chance(0.3):
            self.note("int32 with a large literal")
            return f"({self.expression('int32', depth - 1)} {self.pick('+-&|^')} 4294967296)"
        a = self.expression(other, depth - 1)
        b = self.literal(dtype) if self.chance(0.6) and other == dtype else self.small_literal()
        if operator in ("//", "%"):
            b = b if b not in ("0", *self.literals) else "3"
        elif self.chance(0.3):
            a, b = b, a
        return f"({a} {operator} {b})"

    def shift(self, dtype: str, depth: int) -> str:
        a = self.expression(dtype, depth - 1)
        operator = self.pick(["<<", ">>"])
        if self.chance(0.4):
            return f"({a} {operator} {self.random.randrange(BITS[dtype])})"
        if self.chance(0.2):
            amount = self.element("uint8")
            if "[" in amount:  # a constant beyond the width is refused
                self.note("shift beyond the width")
                return f"({a} {operator} {amount})"
        amount = self.expression(self.pick(INTEGERS), depth - 1)
        return f"({a} {operator} ({amount} & {BITS[dtype] - 1}))"

    def cast(self, dtype: str, depth: int) -> str:
        source = self.pick(TYPES)
        if dtype in HALVES and self.chance(0.3):
            source = "float64"
        kinds = [
            "float" if d in FLOATS else "bool" if d == "bool" else "int" for d in (source, dtype)
        ]
        self.note(f"cast {kinds[0]} to {kinds[1]}")
        a = self.expression(source, depth - 1)
        form = self.random.random()
        if form < 0.1:
            return f'T.cast({a}, "{dtype}")'
        return f"T.{dtype}({a})"

    def unary(self, dtype: str, depth: int) -> str:
        if dtype in FLOATS:
            return f"(-{self.expression(dtype, depth - 1)})"
        return f"({self.pick('-~')}{self.expression(dtype, depth - 1)})"

    def choice(self, dtype: str, depth: int) -> str:
        if dtype != "bool" and self.chance(0.2):
            return self.guarded_read(dtype)
        condition = self.condition(depth - 1)
        a, b = self.expression(dtype, depth - 1), self.expression(dtype, depth - 1)
        form = self.random.random()
        if form < 0.5:
            self.note("conditional expression")
            return f"({a} if {condition} else {b})"
        if form < 0.8:
            self.note("T.if_then_else")
            return f"T.if_then_else({condition}, {a}, {b})"
        self.note("T.Select")
        return f"T.Select({condition}, {a}, {b})"

    def guarded_read(self, dtype: str) -> str:
        """A read that is in bounds only where its condition holds."""
        self.note("lazy read")
        index = self.far_index()
        condition = self.pick([f"0 <= {index} and {index} < {ROW}", f"0 <= {index} < {ROW}"])
        read, other = self.place(SHORT[dtype], index), self.leaf(dtype)
        if self.chance(0.5):
            return f"({read} if {condition} else {other})"
        return f"T.if_then_else({condition}, {read}, {other})"

    def function(self, dtype: str, depth: int) -> str:
        if dtype in FLOATS:
            return self.float_function(dtype, depth)
        kind = self.random.random()
        if dtype == "int32" and kind < 0.35:
            name = self.pick(["popcount", "clz"])
            return f"T.{name}({self.expression(self.pick(INTEGERS), depth - 1)})"
        if dtype == "int32" and kind < 0.47:
            self.note("reinterpret")
            return self.bits("int32", f"T.float32({self.expression('int16', depth - 1)})")
        if kind < 0.6:
            return f"{self.pick(['T.abs', 'abs'])}({self.expression(dtype, depth - 1)})"
        a, b = self.operands(dtype, depth)
        return f"{self.pick(['T.min', 'T.max', 'min', 'max'])}({a}, {b})"

    def bits(self, dtype: str, value: str) -> str:
        if self.frame.dialect == "function":
            return f'T.reinterpret({value}, ty="{dtype}")'
        return f'T.reinterpret("{dtype}", {value})'

    def float_function(self, dtype: str, depth: int) -> str:
        a = self.expression(dtype, depth - 1)
        kind = self.random.random()
        if kind < 0.35:
            a, b = self.operands(dtype, depth)
            return f"{self.pick(['T.min', 'T.max', 'min', 'max'])}({a}, {b})"
        if kind < 0.65:
            name = self.pick(["floor", "ceil", "trunc", "round", "nearbyint", "fabs", "abs"])
            return f"T.{name}({a})"
        if kind < 0.75:
            return f"T.sqrt({a})"
        if kind < 0.82 and dtype != "float64":
            b, c = self.expression(dtype, depth - 1), self.expression(dtype, depth - 1)
            return f"T.fma({a}, {b}, {c})"
        if kind < 0.88:
            # The sign of a NaN is nobody's business, so the sign comes from an integer.
            return f"T.copysign({a}, T.{dtype}({self.expression('int16', depth - 1)}))"
        if kind < 0.94:
            return f"T.fmod({a}, {self.expression(dtype, depth - 1)})"
        if dtype == "float32" and kind < 0.96:
            self.note("reinterpret")
            return self.bits("float32", self.expression("int32", depth - 1))
        power = f"({self.expression('int32', depth - 1)} & 7) - 3"
        return f"T.ldexp({a}, {power})" if dtype != "bfloat16" else f"T.trunc({a})"

    # Conditions

    def condition(self, depth: int) -> str:
        """An expression of type bool."""
        kind = self.random.random()
        if depth > 0 and kind < 0.2:
            joint = self.pick(["and", "or"])
            self.note("and" if joint == "and" else "or")
            return f"({self.condition(depth - 1)} {joint} {self.condition(depth - 1)})"
        if depth > 0 and kind < 0.27:
            self.note("not")
            return f"(not {self.condition(depth - 1)})"
        if kind < 0.34:
            return self.guarded_condition()
        if kind < 0.41:
            return self.chain()
        if kind < 0.46:
            name = self.pick(["isnan", "isinf", "isfinite"])
            return f"T.{name}({self.expression(self.pick(FLOATS), max(depth - 1, 0))})"
        if kind < 0.51:
            a, b = self.leaf("bool"), self.leaf("bool")
            self.note("bool arithmetic")
            return self.pick([f"({a} {self.pick('&|^')} {b})", f"(~{a})"])
        if kind < 0.53:
            return self.leaf("bool")
        # There are plenty on int32 elsewhere.
        dtype = self.weighted(COMPARED)
        operator = self.weighted({"<": 3, "<=": 3, ">": 3, ">=": 3, "==": 2, "!=": 3})
        if dtype not in HALVES and self.chance(0.3):
            a, b = self.expression(dtype, max(depth, 1) - 1), self.literal(dtype)
            return f"({a} {operator} {b})" if self.chance(0.8) else f"({b} {operator} {a})"
        a, b = self.operands(dtype, max(depth, 1))
        return f"({a} {operator} {b})"

    def chain(self) -> str:
        self.note("chained comparison")
        dtype = self.pick([d for d in TYPES if d != "bool"])
        a, b, c = (self.leaf(dtype) for _ in range(3))
        if self.chance(0.4) and dtype not in HALVES:
            a = self.literal(dtype)
        first, second = (self.pick(["<", "<=", ">", ">=", "==", "!="]) for _ in range(2))
        return f"({a} {first} {b} {second} {c})"

    def guarded_condition(self) -> str:
        self.note("lazy and/or")
        index = self.far_index()
        read = self.place(self.pick(list(ARRAYS)), index)
        if self.chance(0.5):
            return f"({index} >= 0 and {index} < {ROW} and {read} == {read})"
        return f"({index} < 0 or {index} > {ROW - 1} or {read} != {self.pick([0, 1])})"

    def far_index(self) -> str:
        """Often so far out of bounds that a read there ends the process."""
        name = self.pick([self.me, *self.int32_names()])
        return f"({name} - 2) * {FAR}" if name == self.me and self.chance(0.7) else name

    def test(self, depth: int) -> str:
        """What stands after `if` or `while`: a condition, or a number.

        Not a constant: a branch that is known while compiling is no branch, so a name's new type
        there starts a new variable, as it does in straight-line code.
        """
        self.in_test = True
        try:
            if self.chance(0.08):
                self.note("number as condition")
                return self.leaf(self.any_type())
            return self.condition(depth)
        finally:
            self.in_test = False
