# SPDX-License-Identifier: Apache-2.0
"""Random kernels: `make(seed)` gives a Program, the same one for the same seed.

A program is definitely assigned, in bounds, and ends; each thread owns one row of every array, so
threads need no order. Expressions are made for a wanted type, from operands whose promotion gives
that type. A name's type is known here, which is how the interpreter knows what an assignment
converts to. What a program holds is noted in `constructs`.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable

import numpy as np
from expressions import Expressions
from kernel import LOCAL, MOST_THREADS, ROW, SHORT, Frame, Program
from meaning import BITS, FLOATS, PROMOTED, TYPES


class Generator(Expressions):
    """One random kernel body."""

    def __init__(self, seed: int | str) -> None:
        super().__init__(seed)
        self.frame = self.make_frame()

    def make_frame(self) -> Frame:
        dialect = self.pick(["function", "function", "function", "prim_func", "prim_func"])
        guard = self.pick(["", "if", "return", "symbol"])
        if dialect == "prim_func" and guard == "symbol":
            guard = "if"
        # A small block becomes straight code when optimised; a large one needs its guard.
        grid, block = self.pick([(1, (4,)), (1, (7,)), (2, (3,)), (3, (2,))])
        if dialect == "function" and self.chance(0.2):
            grid, block = 2, (2, 2)
        rows = limit = grid * int(np.prod(block))
        if guard:
            rows, limit = MOST_THREADS, self.random.randint(1, MOST_THREADS)
            if self.chance(0.75):
                grid, block = self.pick([(1, (64,)), (1, (256,)), (2, (32,))])
            elif guard == "symbol":
                grid = -(-limit // int(np.prod(block)))
            else:
                limit = min(limit, grid * int(np.prod(block)))
        by_columns = self.chance(0.4)
        size = int(np.prod(block))
        self.note(f"dialect {dialect}", f"guard by {guard or 'nothing'}")
        self.note(f"{'large' if size > MOST_THREADS else 'small'} block")
        self.note("columns" if by_columns else "rows", f"{len(block)}-dimensional block")
        return Frame(dialect, grid, block, guard, limit, rows, by_columns)

    def make(self, statements: int) -> Program:
        for _ in range(self.random.randint(2, 3)):
            self.declare(0)
        for _ in range(statements):
            self.statement(0)
        for name, dtype in self.scalars:
            self.emit(0, f"{self.place(SHORT[dtype], str(self.random.randrange(ROW)))} = {name}")
        body = "\n".join(self.lines) + "\n"
        return Program(self.seed, self.frame, body, self.types, self.constructs)

    # Statements

    def statement(self, depth: int) -> None:
        kinds: dict[Callable, float] = {
            self.assign: 5,
            self.store: 4,
            self.store_converted: 1,
            self.swap: 1.2,
            self.augmented: 1.5,
            self.augmented_element: 0.7,
            self.declare: 1.2,
            self.vectorized: 0.8,
        }
        if depth < 3:
            kinds |= {self.branch: 3, self.branch_value: 0.8, self.local_array: 1.2}
            if self.work < 40:
                kinds |= {self.counted: 2.5, self.while_loop: 1, self.endless: 0.5}
                if self.copies < 9:
                    kinds |= {self.unrolled: 1.5}
            if self.work < 17:
                kinds |= {self.grid: 0.7}
        kinds[self.leave] = 0.5 if depth else 0.2
        self.weighted(kinds | self.more_statements())(depth)

    def more_statements(self) -> dict[Callable, float]:
        """What other families of programs have besides."""
        return {}

    def block(self, depth: int, jumps: tuple[str, ...] = (), statement: Callable | None = None):
        """An indented list of statements; a jump may end it."""
        outer = len(self.scalars), len(self.constants), len(self.locals)
        for _ in range(self.pick([1, 1, 1, 2, 2])):
            (statement or self.statement)(depth)
        if jumps and self.chance(0.6):
            jump = self.pick(jumps)
            self.note(f"{jump} in {self.loops[-1]}")
            self.emit(depth, f"if {self.test(1)}:")
            if self.chance(0.3):
                self.store(depth + 1)
            self.emit(depth + 1, jump)
            self.statement(depth)
        for names, size in zip((self.scalars, self.constants, self.locals), outer, strict=True):
            del names[size:]

    def declare(self, depth: int) -> None:
        dtype = self.any_type()
        if self.scalars and self.chance(0.3):
            dtype = self.pick(self.scalars)[1]
        form = self.random.random()
        if form < 0.35:
            value = self.expression(dtype, 2)
            name = self.fresh("x", dtype)
            self.note("untyped name")
            self.depths[name] = depth
            self.emit(depth, f"{name} = {value}")
        elif form < 0.75:
            self.note("typed local")
            source = dtype if self.chance(0.6) else self.any_type()
            value = self.expression(source, 2)
            if self.chance(0.15):
                value = self.literal(dtype)
            name = self.fresh("x", dtype)
            self.emit(depth, f"{name}: T.{dtype} = {value}")
        else:
            value = self.expression(dtype, 2)
            name = self.fresh("v", dtype)
            self.note("T.let")
            annotation = "T.let" if self.chance(0.5) else f"T.let[T.{dtype}]"
            self.emit(depth, f"{name}: {annotation} = {value}")
            self.constants.append((name, dtype))
            return
        self.scalars.append((name, dtype))

    def local_array(self, depth: int) -> None:
        dtype = self.any_type()
        self.note("local array")
        values = [self.expression(dtype, 1) for _ in range(LOCAL)]
        name = self.fresh("L", dtype)
        if self.chance(0.7):
            self.emit(depth, f"{name}: T.{dtype}[{LOCAL}]")
        else:
            self.emit(depth, f'{name} = T.alloc_local(({LOCAL},), "{dtype}")')
        if self.chance(0.5):
            index = self.fresh("k", "int32")
            self.emit(depth, f"for {index} in {self.pick(['range', 'T.unroll'])}({LOCAL}):")
            self.emit(depth + 1, f"{name}[{index}] = {values[0]}")
        else:
            for i, value in enumerate(values):
                self.emit(depth, f"{name}[{i}] = {value}")
        self.locals.append((name, dtype))

    def assign(self, depth: int) -> None:
        if not self.scalars:
            return self.store(depth)
        name, dtype = self.pick(self.scalars)
        source = dtype
        if self.chance(0.2) and self.depths.get(name, -1) < depth:
            self.note("narrower value assigned")
            source = self.pick([d for d in TYPES if PROMOTED[dtype, d] == dtype])
        self.emit(depth, f"{name} = {self.expression(source, self.depth())}")

    def augmented(self, depth: int) -> None:
        numeric = [(n, d) for n, d in self.scalars if d != "bool"]
        if not numeric:
            return self.store(depth)
        name, dtype = self.pick(numeric)
        self.note("augmented name")
        operator = self.pick("+-*/" if dtype in FLOATS else "+-*&|^")
        self.emit(depth, f"{name} {operator}= {self.expression(dtype, 2)}")

    def target(self, dtype: str) -> str:
        local = [name for name, d in self.locals if d == dtype]
        if local and self.chance(0.8):
            self.note("local array write")
            return self.place(self.pick(local), self.index(LOCAL))
        return self.place(SHORT[dtype], self.index())

    def augmented_element(self, depth: int) -> None:
        dtype = self.pick([d for d in TYPES if d != "bool"])
        self.note("augmented element")
        operator = self.pick(["+", "-", "*"] if dtype in FLOATS else ["+", "-", "&", "|", "^"])
        self.emit(depth, f"{self.target(dtype)} {operator}= {self.expression(dtype, 2)}")

    def store(self, depth: int) -> None:
        dtype = self.any_type()
        if self.locals and self.chance(0.3):
            dtype = self.pick(self.locals)[1]
        self.emit(depth, f"{self.target(dtype)} = {self.expression(dtype, self.depth())}")

    def store_converted(self, depth: int) -> None:
        self.note("converted on store")
        source = self.any_type()
        value = self.expression(source, self.depth())
        dtype = self.any_type()
        if self.chance(0.2):
            value = self.literal(dtype)
        self.emit(depth, f"{self.target(dtype)} = {value}")

    def swap(self, depth: int) -> None:
        if not self.scalars or self.chance(0.4):
            self.note("swap of elements")
            dtype = self.any_type()
            a, b = self.target(dtype), self.target(dtype)
            return self.emit(depth, f"{a}, {b} = {b}, {a}")
        pairs = [(a, b) for a in self.scalars for b in self.scalars if a[1] == b[1] and a != b]
        if not pairs:
            return self.assign(depth)
        (name, dtype), (other, _) = self.pick(pairs)
        self.note("swap of names")
        value = name if self.chance(0.6) else self.expression(dtype, 1)
        self.emit(depth, f"{name}, {other} = {other}, {value}")

    def branch(self, depth: int) -> None:
        self.note("if")
        self.emit(depth, f"if {self.test(2)}:")
        self.block(depth + 1)
        while self.chance(0.3):
            self.note("elif")
            self.emit(depth, f"elif {self.test(1)}:")
            self.block(depth + 1)
        if self.chance(0.5):
            self.note("else")
            self.emit(depth, "else:")
            self.block(depth + 1)

    def branch_value(self, depth: int) -> None:
        """A name that both sides of a branch bind for the first time."""
        self.note("name bound by both branches")
        dtype = self.any_type()
        self.emit(depth, f"if {self.test(1)}:")
        a, b = self.expression(dtype, 2), self.expression(dtype, 2)
        name = self.fresh("y", dtype)
        self.depths[name] = depth + 1
        self.emit(depth + 1, f"{name} = {a}")
        self.emit(depth, "else:")
        self.emit(depth + 1, f"{name} = {b}")
        self.scalars.append((name, dtype))

    def leave(self, depth: int) -> None:
        self.note("early exit in a loop" if self.loops else "early exit")
        self.emit(depth, f"if {self.condition(1)}:")
        self.emit(depth + 1, "T.gpu_thread_return()")

    # Loops

    def small(self, dtype: str = "int32") -> str:
        cast = f"T.{dtype}({self.leaf(self.any_type())})"
        return f"({cast} & 7)"

    def bounds(self) -> tuple[str, str, int]:
        """The arguments of a loop of at most 8 turns, its variable's type and bound (0: none)."""
        step = self.pick(["1", "2", "3", "5"])
        if self.chance(0.25):
            self.note("run-time step")
            step = f"((T.int32({self.leaf(self.any_type())}) & 3) + 1)"
        kind = self.random.randrange(12)
        if kind < 2:
            turns = self.random.randrange(9)
            return str(turns), "int32", max(turns, 1)
        if kind < 4:
            return self.small(), "int32", 8
        if kind == 4:
            dtype = self.pick(["int64", "uint32", "uint64", "int16", "uint8"])
            self.note("loop of another type")
            return self.small(dtype), dtype if BITS[dtype] >= 32 else "int32", 8
        if kind == 5:
            return f"{self.random.randrange(4)}, {self.random.randrange(9)}", "int32", 8
        if kind < 8:
            self.note("negative step")
            low = self.random.randrange(-1, 8)
            if self.chance(0.4):
                return f"{self.random.randrange(8)}, {low}, -{self.pick('1123')}", "int32", 8
            if self.chance(0.75):
                self.note("run-time bounds, negative step")
                return f"{self.small()}, {low}, -1", "int32", 8
            return f"{self.small()}, {self.small()}, -{step}", "int32", 8
        if kind == 8:
            return f"{self.small()}, 8, {step}", "int32", 8
        if kind == 9:
            return f"{self.random.randrange(-3, 3)}, {self.small()}, {step}", "int32", 0
        if kind == 10:
            self.note("bounds at the end of the type")
            far = ["2147483640, 2147483647, 5", "-2147483640, -2147483648, -3"]
            return self.pick(far), "int32", 0
        low = self.random.randrange(9)
        return f"{low}, -1, -{self.random.randrange(1, 4)}", "int32", 0 if low == 8 else 8

    def loop(self, depth: int, kind: str, turns: int, jumps=("break", "continue")) -> None:
        """The body of a loop whose head has been written."""
        self.note(kind)
        outer = len(self.indices)
        self.loops.append(kind)
        self.work *= turns
        self.block(depth + 1, jumps)
        self.work //= turns
        self.loops.pop()
        del self.indices[outer:]

    def counted(self, depth: int) -> None:
        bounds, dtype, bound = self.bounds()
        head = "T.serial" if bounds.count(",") < 2 and self.chance(0.6) else "range"
        name = self.fresh("i", dtype)
        self.emit(depth, f"for {name} in {head}({bounds}):")
        outer = len(self.constants)
        inner = list(self.indices)
        if bound and dtype == "int32":
            self.indices.append((name, bound))
        else:
            self.constants.append((name, dtype))
        self.loop(depth, head, 8)
        self.indices = inner
        del self.constants[outer:]

    def unrolled(self, depth: int) -> None:
        turns = self.random.randrange(1, 5)
        name = self.fresh("k", "int32")
        start = self.random.randrange(3) if self.chance(0.3) else 0
        bounds = f"{start}, {start + turns}" if start else str(turns)
        self.emit(depth, f"for {name} in T.unroll({bounds}):")
        inner = list(self.indices)
        self.indices.append((name, start + turns))
        self.literals.append(name)
        self.copies *= turns
        self.loop(depth, "T.unroll", turns)
        self.copies //= turns
        self.literals.pop()
        self.indices = inner

    def grid(self, depth: int) -> None:
        a, b = self.fresh("g", "int32"), self.fresh("h", "int32")
        extents = [self.pick(["2", "3", "(t & 3)"]), self.pick(["2", "3", "(t & 1) + 1"])]
        self.emit(depth, f"for {a}, {b} in T.grid({', '.join(extents)}):")
        inner = list(self.indices)
        self.indices += [(a, 4), (b, 4)]
        self.loop(depth, "T.grid", 9)
        self.indices = inner

    def while_loop(self, depth: int) -> None:
        self.note("while")
        name = self.fresh("w", "int32")
        self.emit(depth, f"{name}: T.int32 = 0")
        self.emit(depth, f"while {name} < {self.random.randrange(1, 8)} and {self.test(1)}:")
        self.emit(depth + 1, f"{name} += 1")
        self.loop(depth, "while", 8)

    def endless(self, depth: int) -> None:
        self.note("while True")
        name = self.fresh("w", "int32")
        self.emit(depth, f"{name}: T.int32 = 0")
        self.emit(depth, "while True:")
        self.emit(depth + 1, f"{name} += 1")
        self.emit(depth + 1, f"if {name} > {self.random.randrange(7)} or {self.condition(0)}:")
        self.emit(depth + 2, "break")
        self.loop(depth, "while", 8)

    def vectorized(self, depth: int) -> None:
        self.note("T.vectorized")
        lanes = self.pick([2, 4, 4, 8])
        name = self.fresh("v", "int32")
        self.emit(depth, f"for {name} in T.vectorized({lanes}):")
        inner = list(self.indices)
        self.indices = [(name, lanes)]
        self.block(depth + 1, statement=self.lane_statement)
        self.indices = inner

    def lane_statement(self, depth: int) -> None:
        lane, lanes = self.indices[0]
        if self.chance(0.15):
            return self.weighted({self.assign: 1, self.augmented: 1, self.store: 1})(depth)
        dtype = self.any_type()
        target = self.place(SHORT[dtype], self.aligned(lane, lanes))
        if self.chance(0.2):
            self.note("branch in T.vectorized")
            self.emit(depth, f"if {self.condition(0)}:")
            depth += 1
        source = self.place(SHORT[dtype], self.aligned(lane, lanes))
        value = self.expression(dtype, 1)
        if self.chance(0.6) and dtype != "bool":
            value = f"{source} {self.pick('+-*')} {value}"
        self.emit(depth, f"{target} = {value}")

    def aligned(self, lane: str, lanes: int) -> str:
        start = self.random.randrange(0, ROW - lanes + 1, self.pick([1, lanes]))
        return f"{start} + {lane}" if start else lane


# Characters of a body. What takes long to compile is left out: in as much time, more short programs
# find more. A third of all are longer.
LONGEST = 1400


def make_short(generator: type[Generator], seed: int, statements: int, longest: int) -> Program:
    """The first of the programs that a seed stands for which is not too long."""
    for attempt in itertools.count():
        program = generator(f"{seed} {attempt}" if attempt else seed).make(statements)
        if len(program.body) <= longest:
            return dataclasses.replace(program, seed=seed)
    raise AssertionError


def make(seed: int, statements: int = 4) -> Program:
    return make_short(Generator, seed, statements, LONGEST)
