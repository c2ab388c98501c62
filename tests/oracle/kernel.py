# SPDX-License-Identifier: Apache-2.0
"""A random program and the kernel file around it: decorator, launch, guard, arrays and inputs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from meaning import BITS, FLOATS, HALVES, INTEGERS, numpy_type

ROW = 8
MOST_THREADS = 8
LOCAL = 4
SHORT = {t: f"{t[0].upper()}{BITS[t]}" for t in INTEGERS} | {
    "bool": "P",
    "float16": "F16",
    "bfloat16": "BF16",
    "float32": "F32",
    "float64": "F64",
}
ARRAYS = {short: dtype for dtype, short in SHORT.items()}


@dataclass(frozen=True)
class Frame:
    """What stands around a body: decorator, launch, and which threads run the body."""

    dialect: str
    grid: int
    block: tuple[int, ...]  # y, x or only x
    guard: str  # "", "if", "return": by scalar m; "symbol": by symbol n
    limit: int  # the first thread that does not run the body
    rows: int  # of each array, one a thread; the symbol n, where there is one, is `limit`
    by_columns: bool

    def shape(self) -> tuple[int, int]:
        rows = self.limit if self.guard == "symbol" else self.rows
        return (ROW, rows) if self.by_columns else (rows, ROW)


@dataclass
class Program:
    seed: int
    frame: Frame
    body: str
    types: dict[str, str]  # of every name that the body assigns
    constructs: set[str] = field(default_factory=set)

    @property
    def arrays(self) -> dict[str, str]:
        return {name: dtype for name, dtype in ARRAYS.items() if f"{name}[" in self.body}

    @property
    def scalars(self) -> dict[str, int]:
        return {"m": self.frame.limit} if self.frame.guard in ("if", "return") else {}

    def inputs(self) -> dict[str, np.ndarray]:
        numbers = np.random.default_rng(self.seed)
        return {name: values(numbers, d, self.frame.shape()) for name, d in self.arrays.items()}

    def source(self) -> str:
        """The kernel file."""
        frame = self.frame
        rows = "n" if frame.guard == "symbol" else frame.rows
        shape = f"({ROW}, {rows})" if frame.by_columns else f"({rows}, {ROW})"
        kind = "Tensor" if frame.dialect == "function" else "Buffer"
        params = [f'{name}: T.{kind}({shape}, "{d}")' for name, d in self.arrays.items()]
        params += [f"{name}: T.int32" for name in self.scalars]
        symbol = 'n = T.dynamic("n")\n\n\n' if frame.guard == "symbol" else "\n"
        lines = [*entry(frame), *guarded(frame, self.body)]
        return (
            f"from tirxcc.script import tirx as T\n\n{symbol}@T.{frame.dialect}\n"
            f"def kernel({', '.join(params)}):\n" + "".join(f"    {line}\n" for line in lines)
        )


def values(numbers: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers of all sizes, small ones and edges among them."""
    if dtype == "bool":
        return numbers.random(shape) < 0.5
    if dtype in FLOATS:
        scale = numbers.integers(-2, 3 if dtype in HALVES else 8, shape)
        data = np.round(numbers.normal(size=shape) * 8) / 4 * 10.0**scale
        edges = np.array([-0.0, 0.0, np.inf, -np.inf, np.nan, np.nan, 1e-40, 6e-8])
        data = np.where(numbers.random(shape) > 0.9, numbers.choice(edges, shape), data)
        if dtype == "float64":
            # Almost half-way between two halves, which float32 would round to half-way.
            bits = numbers.choice([8, 11], shape)
            middle = 1.0 + (2 * numbers.integers(0, 64, shape) + 1) / 2.0**bits
            near = middle * (1.0 + numbers.choice([-1, 1], shape) * 2.0**-40)
            data = np.where(numbers.random(shape) > 0.5, near, data)
        return data.astype(numpy_type(dtype))
    full = np.frombuffer(numbers.bytes(math.prod(shape) * BITS[dtype] // 8), dtype)
    small = numbers.integers(0, 10, shape).astype(dtype)
    edges = np.array([np.iinfo(dtype).min, np.iinfo(dtype).max, 1, 2], dtype)
    kinds = numbers.random(shape)
    chosen = np.where(kinds < 0.5, full.reshape(shape), small)
    return np.where(kinds > 0.9, edges[numbers.integers(0, 4, shape)], chosen)


def entry(frame: Frame) -> list[str]:
    """The lines that open a device region and name the thread."""
    width = frame.block[-1]
    if frame.dialect == "prim_func":
        return [
            "T.device_entry()",
            f"b = T.cta_id([{frame.grid}])",
            f"u = T.thread_id([{width}])",
            f"t = b * {width} + u",
        ]
    per_block = int(np.prod(frame.block))
    grid = f"T.ceildiv(n, {per_block})" if frame.guard == "symbol" else str(frame.grid)
    if len(frame.block) == 1:
        block, thread = str(width), f'T.cuda.block_idx("x") * {width}'
    else:
        block = f"({width}, {frame.block[0]})"
        thread = f'(T.cuda.block_idx("x") * {frame.block[0]} + T.cuda.thread_idx("y")) * {width}'
    return [
        f"T.device_entry(launch=T.cuda.LaunchConfig(grid={grid}, block={block}))",
        f't = {thread} + T.cuda.thread_idx("x")',
    ]


def guarded(frame: Frame, body: str) -> list[str]:
    lines = body.splitlines()
    if frame.guard == "return":
        return ["if t >= m:", "    T.gpu_thread_return()", *lines]
    if frame.guard:
        limit = "n" if frame.guard == "symbol" else "m"
        return [f"if t < {limit}:", *(f"    {line}" for line in lines)]
    return lines
