# SPDX-License-Identifier: Apache-2.0
"""An oracle for the CPU target: random kernels, and what CPython says they mean.

A generated kernel is text that is both kernel language and Python. The compiler runs it on the
CPU target; here CPython runs the same body, once a thread, over `Val`: scalars with a type of
the language, whose operators follow the promotion rules and wrap at their own width. Every
thread owns one row of every array, so threads need no order. Programs are definitely assigned
and in bounds.

    python tests/oracle/oracle.py [COUNT] [FIRST_SEED]
"""

from __future__ import annotations

import contextlib
import random
import sys
import types
from collections.abc import Callable, Iterator

import numpy as np
import tirxcc

GRID, BLOCK, ROW = 2, 3, 8
THREADS = GRID * BLOCK
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = SIGNED + UNSIGNED
ARRAYS = {f"{t[0].upper()}{t.lstrip('uintfloa')}": t for t in [*INTEGERS, "float32"]}
BITS = {t: int(t.lstrip("uint")) for t in INTEGERS}


# What the kernel language means


def wrap(value: int, dtype: str) -> int:
    """`value` modulo 2^width, in the range of `dtype`."""
    bits = BITS[dtype]
    value &= (1 << bits) - 1
    return value - (1 << bits) if dtype in SIGNED and value >> (bits - 1) else value


def fits(value: int, dtype: str) -> bool:
    return wrap(value, dtype) == value


def to_float(value: int) -> np.float32:
    """The nearest float32, rounded once."""
    return np.uint64(value).astype(np.float32) if value >= 0 else np.int64(value).astype(np.float32)


def convert(value, source: str, dtype: str):
    """The C cast of a scalar; float to integer saturates and turns NaN into 0."""
    if dtype == "bool":
        return bool(value != 0)
    if dtype == "float32":
        return np.float32(value) if source in ("float32", "bool") else to_float(value)
    if source != "float32":
        return wrap(int(value), dtype)
    if np.isnan(value):
        return 0
    low = -(1 << (BITS[dtype] - 1)) if dtype in SIGNED else 0
    high = (1 << (BITS[dtype] - (dtype in SIGNED))) - 1
    return low if value <= low else high if value >= high else int(value)


def promoted(a: str, b: str) -> str:
    """The common type of two typed operands."""
    if a == b or b == "bool":
        return a
    if a == "bool":
        return b
    if "float32" in (a, b):
        return "float32"
    if BITS[a] != BITS[b]:
        return a if BITS[a] > BITS[b] else b
    return a if a in UNSIGNED else b


def literal_type(value: int) -> str:
    return next(t for t in ("int32", "int64", "uint64") if fits(value, t))


def typed(literal, other: str) -> Val:
    """A Python number as the operand of a value of type `other`."""
    if isinstance(literal, float):
        return Val("float32", np.float32(literal))
    if other == "float32":
        return Val("float32", to_float(literal))
    if other in BITS and BITS[other] >= 32 and fits(literal, other):
        return Val(other, literal)
    return Val(literal_type(literal), literal)


def floor_division(a: int, b: int) -> int:
    return a // b if b else 0


def floor_remainder(a: int, b: int) -> int:
    return a % b if b else a


def shifted_left(a: int, b: int) -> int:
    return a << min(b, 64)


def shifted_right(a: int, b: int) -> int:
    return a >> min(b, 64)


class Val:
    """One scalar of the kernel language."""

    __hash__ = None

    def __init__(self, dtype: str, value) -> None:
        self.dtype, self.value = dtype, value

    def __repr__(self) -> str:
        return f"{self.dtype}({self.value})"

    def to(self, dtype: str) -> Val:
        return Val(dtype, convert(self.value, self.dtype, dtype))

    def __bool__(self) -> bool:
        return bool(self.value != 0)

    def __index__(self) -> int:
        return int(self.value)

    def __neg__(self) -> Val:
        if self.dtype == "float32":
            return Val("float32", -self.value)
        return Val(self.dtype, wrap(-self.value, self.dtype))

    def __invert__(self) -> Val:
        return Val(self.dtype, wrap(~self.value, self.dtype))


def pair(a: Val, b) -> tuple[Val, Val, str]:
    b = b if isinstance(b, Val) else typed(b, a.dtype)
    dtype = promoted(a.dtype, b.dtype)
    return a.to(dtype), b.to(dtype), dtype


def arithmetic(function: Callable) -> tuple[Callable, Callable]:
    """The operator and its reflection, over promoted operands."""

    def compute(a: Val, b: Val, dtype: str) -> Val:
        with np.errstate(all="ignore"):
            result = function(a.value, b.value)
        return Val(dtype, result if dtype == "float32" else wrap(result, dtype))

    def forward(self: Val, other) -> Val:
        return compute(*pair(self, other))

    def backward(self: Val, other) -> Val:
        a, b, dtype = pair(self, other)
        return compute(b, a, dtype)

    return forward, backward


def comparison(function: Callable) -> Callable:
    def compare(self: Val, other) -> Val:
        a, b, _ = pair(self, other)
        return Val("bool", bool(function(a.value, b.value)))

    return compare


def shift(function: Callable) -> Callable:
    def compute(self: Val, amount) -> Val:
        return Val(self.dtype, wrap(function(self.value, int(amount)), self.dtype))

    return compute


for name, operation in {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "truediv": lambda a, b: a / b,
    "floordiv": floor_division,
    "mod": floor_remainder,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}.items():
    operator, reflected = arithmetic(operation)
    setattr(Val, f"__{name}__", operator)
    setattr(Val, f"__r{name}__", reflected)
for name, operation in {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}.items():
    setattr(Val, f"__{name}__", comparison(operation))
Val.__lshift__ = shift(shifted_left)
Val.__rshift__ = shift(shifted_right)


class Array:
    """A tensor: what is read is a `Val`, what is stored is converted to the element type."""

    def __init__(self, dtype: str, data: np.ndarray) -> None:
        self.dtype, self.data = dtype, data

    def __getitem__(self, index) -> Val:
        item = self.data[tuple(map(int, index))]
        return Val(self.dtype, item if self.dtype == "float32" else int(item))

    def __setitem__(self, index, value) -> None:
        value = value if isinstance(value, Val) else typed(value, self.dtype)
        self.data[tuple(map(int, index))] = value.to(self.dtype).value


class ThreadReturn(Exception):
    """The thread leaves the kernel."""


def thread_return() -> None:
    raise ThreadReturn


def loop(*bounds) -> Iterator[Val]:
    """range, T.serial and T.unroll over int32."""
    for index in range(*map(int, bounds)):
        yield Val("int32", index)


def cast_to(dtype: str) -> Callable:
    def cast(x) -> Val:
        return (x if isinstance(x, Val) else typed(x, dtype)).to(dtype)

    return cast


def choose(better: Callable) -> Callable:
    def compute(a, b) -> Val:
        a, b, dtype = pair(a, b)
        return Val(dtype, better(a.value, b.value))

    return compute


def language() -> types.SimpleNamespace:
    """The names of `T` that a kernel body uses."""
    t = types.SimpleNamespace(**{d: cast_to(d) for d in [*INTEGERS, "float32", "bool"]})
    t.serial = t.unroll = loop
    t.gpu_thread_return = thread_return
    t.min, t.max = choose(min), choose(max)
    return t


def interpret(body: str, arrays: dict[str, np.ndarray]) -> None:
    """Runs the body of a kernel thread by thread, in place."""
    code = compile(body, "<body>", "exec")
    tensors = {name: Array(ARRAYS[name], data) for name, data in arrays.items()}
    for thread in range(THREADS):
        names = {"T": language(), "range": loop, "t": Val("int32", thread), **tensors}
        with contextlib.suppress(ThreadReturn):
            exec(code, names)


# Programs


class Generator:
    """One random kernel body."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.scalars: list[tuple[str, str]] = []  # (name, type) of what may be assigned
        self.indices: list[str] = []  # loop variables in sight
        self.lines: list[str] = []
        self.names = 0
        self.work = 1  # how often the present place runs, at most

    def pick(self, options):
        return self.random.choice(options)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def body(self, statements: int = 12) -> str:
        for _ in range(self.random.randint(3, 6)):
            self.declare(0)
        for _ in range(statements):
            self.statement(0)
        for name, dtype in self.scalars:
            array = next(a for a, d in ARRAYS.items() if d == dtype)
            self.emit(0, f"{array}[t, {self.random.randrange(ROW)}] = {name}")
        return "\n".join(self.lines) + "\n"

    def emit(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    # Expressions

    def literal(self, dtype: str) -> str:
        if dtype == "float32":
            return self.pick(["0.0", "1.5", "-2.25", "1e10", "0.1", "-3.0", "1e-3", "3e9"])
        bits = BITS[dtype]
        low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if dtype in SIGNED else (0, 1 << bits)
        edges = [low, high - 1, 0, 1, 2, 3, 7, 8, 10, high // 2]
        return str(self.pick(edges) if self.chance(0.7) else self.random.randrange(low, high))

    def leaf(self) -> tuple[str, str]:
        kind = self.random.random()
        if self.indices and kind < 0.15:
            return self.pick(self.indices), "int32"
        if kind < 0.25:
            return "t", "int32"
        if kind < 0.65:
            return self.pick(self.scalars) if self.scalars else ("t", "int32")
        array = self.pick(list(ARRAYS))
        return f"{array}[t, {self.index()}]", ARRAYS[array]

    def index(self) -> str:
        if self.chance(0.6):
            return str(self.random.randrange(ROW))
        name = self.pick([*self.indices, "t"])
        return f"({name} + {self.random.randrange(ROW)}) & {ROW - 1}"

    def number(self, dtype: str, depth: int) -> str:
        """An expression cast to `dtype`."""
        if self.chance(0.1):
            return f"T.{dtype}({self.literal(dtype)})"
        if self.chance(0.12):
            a, b = self.number(dtype, depth - 1), self.number(dtype, depth - 1)
            return f"({a} if {self.condition(1)} else {b})" if depth > 0 else a
        return f"T.{dtype}({self.expression(depth)[0]})"

    def expression(self, depth: int) -> tuple[str, str]:
        """An expression and its type, never a bare literal."""
        if depth <= 0 or self.chance(0.15):
            return self.leaf()
        a, a_type = self.expression(depth - 1)
        if self.chance(0.15):
            dtype = self.pick([*INTEGERS, "float32"])
            return f"T.{dtype}({a})", dtype
        if self.chance(0.08):
            return f"({'-' if a_type == 'float32' else self.pick('-~')}{a})", a_type
        if a_type == "float32":
            return self.float_operation(a, depth)
        return self.integer_operation(a, a_type, depth)

    def float_operation(self, a: str, depth: int) -> tuple[str, str]:
        b = self.literal("float32") if self.chance(0.3) else self.expression(depth - 1)[0]
        operator = self.pick("+-*/")
        return (f"({a} {operator} {b})" if self.chance(0.7) else f"({b} {operator} {a})"), "float32"

    def integer_operation(self, a: str, a_type: str, depth: int) -> tuple[str, str]:
        if self.chance(0.2):
            bits = BITS[a_type]
            amount = str(self.random.randrange(bits))
            if self.chance(0.5):
                amount = f"(T.int32({self.expression(depth - 1)[0]}) & {bits - 1})"
            return f"({a} {self.pick(['<<', '>>'])} {amount})", a_type
        operator = self.pick(["+", "-", "*", "//", "%", "&", "|", "^", "min", "max"])
        if self.chance(0.35):
            value = self.literal(self.pick(INTEGERS))
            if operator in ("//", "%") and value == "0":
                value = "3"
            b, b_type = value, typed(int(value), a_type).dtype
            if operator in ("min", "max"):
                operator = "+"
        else:
            b, b_type = self.expression(depth - 1)
            if b_type == "float32":
                b, b_type = f"T.{a_type}({b})", a_type
        dtype = promoted(a_type, b_type)
        if operator in ("min", "max"):
            return f"T.{operator}({a}, {b})", dtype
        if self.chance(0.3) and operator not in ("//", "%"):
            a, b = b, a
        return f"({a} {operator} {b})", dtype

    def condition(self, depth: int) -> str:
        kind = self.random.random()
        if depth > 0 and kind < 0.3:
            joint = self.pick(["and", "or"])
            return f"({self.condition(depth - 1)} {joint} {self.condition(depth - 1)})"
        if depth > 0 and kind < 0.4:
            return f"(not {self.condition(depth - 1)})"
        a, a_type = self.expression(2)
        if kind > 0.95:
            return a
        b = self.literal(a_type) if self.chance(0.4) else self.expression(1)[0]
        return f"({a} {self.pick(['<', '<=', '>', '>=', '==', '!='])} {b})"

    # Statements

    def declare(self, depth: int) -> None:
        dtype = self.pick([*INTEGERS, "float32", "int32"])
        value = self.number(dtype, 2)
        name = self.fresh("x")
        self.emit(
            depth, f"{name}: T.{dtype} = {value}" if self.chance(0.5) else f"{name} = {value}"
        )
        self.scalars.append((name, dtype))

    def block(self, depth: int, jump: str = "") -> None:
        """An indented list of statements; `jump` may end it."""
        outer = len(self.scalars)
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth)
        if jump and self.chance(0.6):
            self.emit(depth, f"if {self.condition(1)}:")
            self.emit(depth + 1, self.pick([jump, jump, "continue" if jump == "break" else jump]))
            self.statement(depth)
        del self.scalars[outer:]

    def statement(self, depth: int) -> None:
        kinds = {
            self.assign: 5,
            self.store: 4,
            self.swap: 1,
            self.augmented: 2,
            self.declare: 1,
        }
        if depth < 4:
            kinds |= {self.branch: 3, self.branch_value: 1}
            if self.work < 60:
                kinds |= {self.counted: 3, self.while_loop: 1}
        if depth > 0:
            kinds[self.leave] = 0.15
        self.random.choices(list(kinds), list(kinds.values()))[0](depth)

    def assign(self, depth: int) -> None:
        name, dtype = self.pick(self.scalars)
        self.emit(depth, f"{name} = {self.number(dtype, 3)}")

    def augmented(self, depth: int) -> None:
        name, dtype = self.pick(self.scalars)
        operator = self.pick("+-*" if dtype == "float32" else "+-*&|^")
        self.emit(depth, f"{name} {operator}= {self.number(dtype, 2)}")

    def store(self, depth: int) -> None:
        array = self.pick(list(ARRAYS))
        self.emit(depth, f"{array}[t, {self.index()}] = {self.expression(3)[0]}")

    def swap(self, depth: int) -> None:
        name, dtype = self.pick(self.scalars)
        same = [n for n, d in self.scalars if d == dtype]
        other = self.pick(same)
        if other != name:
            self.emit(depth, f"{name}, {other} = {other}, {self.number(dtype, 1)}")
        else:
            array = self.pick(list(ARRAYS))
            a, b = f"{array}[t, {self.index()}]", f"{array}[t, {self.index()}]"
            self.emit(depth, f"{a}, {b} = {b}, {a}")

    def branch(self, depth: int) -> None:
        self.emit(depth, f"if {self.condition(2)}:")
        self.block(depth + 1)
        while self.chance(0.3):
            self.emit(depth, f"elif {self.condition(1)}:")
            self.block(depth + 1)
        if self.chance(0.5):
            self.emit(depth, "else:")
            self.block(depth + 1)

    def branch_value(self, depth: int) -> None:
        """A name that both sides of a branch bind for the first time."""
        dtype = self.pick([*INTEGERS, "float32"])
        self.emit(depth, f"if {self.condition(1)}:")
        a, b = self.number(dtype, 2), self.number(dtype, 2)
        name = self.fresh("y")
        self.emit(depth + 1, f"{name} = {a}")
        self.emit(depth, "else:")
        self.emit(depth + 1, f"{name} = {b}")
        self.scalars.append((name, dtype))

    def bounds(self) -> str:
        """The arguments of a loop of at most 8 turns."""
        small = f"(T.int32({self.expression(1)[0]}) & 7)"
        step = self.pick(["1", "2", "3", "5", f"((T.int32({self.expression(0)[0]}) & 3) + 1)"])
        return self.pick(
            [
                str(self.random.randrange(8)),
                small,
                f"{self.random.randrange(4)}, {self.random.randrange(9)}",
                f"{small}, {self.random.randrange(-2, 8)}, -1",
                f"{small}, {small}, -{step}",
                f"{small}, 8, {step}",
                f"{self.random.randrange(-3, 3)}, {small}, {step}",
                f"{self.random.randrange(9)}, -1, -{self.random.randrange(1, 4)}",
                "2147483640, 2147483647, 5",
                "-2147483640, -2147483648, -3",
            ]
        )

    def counted(self, depth: int) -> None:
        if self.chance(0.3):
            head, turns = f"T.unroll({self.random.randrange(1, 5)})", 4
        else:
            head, turns = f"{self.pick(['range', 'T.serial'])}({self.bounds()})", 8
            if head.startswith("T.serial") and head.count(",") > 1:
                head = head.replace("T.serial", "range", 1)
        name = self.fresh("i")
        self.emit(depth, f"for {name} in {head}:")
        self.indices.append(f"T.int32({name})" if head.startswith("T.unroll") else name)
        self.work *= turns
        self.block(depth + 1, self.pick(["break", "continue", ""]))
        self.work //= turns
        self.indices.pop()

    def while_loop(self, depth: int) -> None:
        name = self.fresh("w")
        self.emit(depth, f"{name}: T.int32 = T.int32(0)")
        self.emit(depth, f"while {name} < {self.random.randrange(1, 8)} and {self.condition(0)}:")
        self.emit(depth + 1, f"{name} += 1")
        self.work *= 8
        self.block(depth + 1, self.pick(["break", "continue", ""]))
        self.work //= 8

    def leave(self, depth: int) -> None:
        self.emit(depth, f"if {self.condition(1)}:")
        self.emit(depth + 1, "T.gpu_thread_return()")


def program(seed: int, statements: int = 12) -> str:
    return Generator(seed).body(statements)


def kernel_source(body: str, dialect: str) -> str:
    """The kernel file around a body."""
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    if dialect == "function":
        params = ", ".join(f'{n}: T.Tensor(({THREADS}, {ROW}), "{d}")' for n, d in ARRAYS.items())
        entry = (
            f"    T.device_entry(launch=T.cuda.LaunchConfig(grid={GRID}, block={BLOCK}))\n"
            f'    t = T.cuda.block_idx("x") * {BLOCK} + T.cuda.thread_idx("x")\n'
        )
    else:
        params = ", ".join(f'{n}: T.Buffer(({THREADS}, {ROW}), "{d}")' for n, d in ARRAYS.items())
        entry = (
            "    T.device_entry()\n"
            f"    b = T.cta_id([{GRID}])\n    u = T.thread_id([{BLOCK}])\n    t = b * {BLOCK} + u\n"
        )
    head = "from tirxcc.script import tirx as T\n\n\n"
    return f"{head}@T.{dialect}\ndef kernel({params}):\n{entry}{indented}"


def inputs(seed: int) -> dict[str, np.ndarray]:
    random_numbers = np.random.default_rng(seed)
    shape = (THREADS, ROW)
    arrays = {}
    for name, dtype in ARRAYS.items():
        if dtype == "float32":
            data = random_numbers.normal(size=shape) * 10.0 ** random_numbers.integers(
                -2, 10, shape
            )
            arrays[name] = data.astype(np.float32)
            continue
        full = np.frombuffer(random_numbers.bytes(THREADS * ROW * BITS[dtype] // 8), dtype)
        small = random_numbers.integers(0, 10, shape).astype(dtype)
        arrays[name] = np.where(random_numbers.random(shape) < 0.5, full.reshape(shape), small)
    return arrays


def difference(seed: int, body: str | None = None) -> str:
    """What the CPU target does otherwise than CPython for program `seed`, or nothing."""
    body = program(seed) if body is None else body
    expected = inputs(seed)
    interpret(body, expected)
    dialect = "prim_func" if seed % 4 == 3 else "function"
    try:
        function = tirxcc.function_from_source(kernel_source(body, dialect), "kernel")
    except ValueError as error:
        if "zero-divisor" in str(error):  # an unrolled index makes a divisor the literal 0
            return ""
        raise
    for level in (0, 2):
        actual = inputs(seed)
        tirxcc.compile(function, target="cpu", opt_level=level)(**actual)
        for name in ARRAYS:
            if not np.array_equal(actual[name], expected[name], equal_nan=name == "F32"):
                row, column = np.argwhere(
                    ~((actual[name] == expected[name]) | (actual[name] != actual[name]))
                )[0]
                return (
                    f"seed {seed}, opt_level {level}: {name}[{row}, {column}] is "
                    f"{actual[name][row, column]}, Python says {expected[name][row, column]}"
                )
    return ""


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else 1000
    first = int(arguments[1]) if len(arguments) > 1 else 0
    failures = 0
    for seed in range(first, first + count):
        try:
            found = difference(seed)
        except Exception as error:
            found = f"seed {seed}: {type(error).__name__}: {str(error)[:1500]}"
        if found:
            failures += 1
            print(found, flush=True)
        if seed % 100 == 99:
            print(
                f"{seed + 1 - first} programs, {failures} differences", file=sys.stderr, flush=True
            )
    print(f"{count} programs, {failures} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
