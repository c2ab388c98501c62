# SPDX-License-Identifier: Apache-2.0
"""A random program of the family "blocks": its launch, its memory, and the kernel file around it.

Memory of a program:
    I32, F16, ...   one row for each thread of the grid, its own, as in the family "threads"
    CI32, ...       tables that nobody writes
    S1, S2, ...     shared arrays and scalars; G3, ... the same in global memory, a part a block
    Z4, ...         counters for atomics of the whole grid, which nobody else reads or writes
Names of a thread: t in the grid, r in its block (of b), w and l (warp and lane), x, y, z.
"""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass

import numpy as np
from kernel import ARRAYS, ROW, Program, values
from meaning import FLOATS

WARP = 32
SLOTS = 8  # of a counter


@dataclass(frozen=True)
class BlockFrame:
    """The launch. Extents are x, y, z."""

    dialect: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    by_symbol: bool  # the block's size is known at the launch only
    warps: str  # how w and l are had: "function", "shift", "division", "scope"
    limit: int  # the scalar m
    by_columns: bool
    waits: str = ""  # other barriers: "named", "mbarrier", "grid"

    @property
    def threads(self) -> int:
        return math.prod(self.block)

    @property
    def blocks(self) -> int:
        return math.prod(self.grid)

    @property
    def rows(self) -> int:
        return self.threads * self.blocks

    def shape(self) -> tuple[int, int]:
        return (ROW, self.rows) if self.by_columns else (self.rows, ROW)


@dataclass(frozen=True)
class Board:
    """Memory through which threads exchange: a slot for each thread, or a few for atomics."""

    name: str
    dtype: str
    kind: str  # "shared", "dynamic", "scalar", "mbarrier", "global", "counter"
    form: str  # where slot p of plane k is: "p", "k, p", "p, k", "row, column", "slots", ""
    slots: int
    planes: int = 1
    width: int = 1  # of a row, in the form "row, column"
    padding: int = 0  # elements behind each row
    operation: str = ""  # of atomics on a counter
    by_symbol: bool = False  # has n slots

    @property
    def shape(self) -> tuple[int, ...]:
        return {
            "k, p": (self.planes, self.slots),
            "p, k": (self.slots, self.planes),
            "row, column": (self.slots // self.width, self.width + self.padding),
            "": (1,),
        }.get(self.form, (self.slots,))

    @property
    def is_global(self) -> bool:
        return self.kind in ("global", "counter")

    def index(self, slot: str, plane: str = "0") -> str:
        """What stands in brackets."""
        part = "b, " if self.kind == "global" else ""
        if self.form == "k, p":
            return f"{part}{plane}, {slot}"
        if self.form == "p, k":
            return f"{part}{slot}, {plane}"
        if self.form == "row, column":
            return f"{part}{slot} // {self.width}, {slot} % {self.width}"
        return part + slot

    def allocation(self) -> str:
        if self.kind == "scalar":
            return f'{self.name} = T.shared_scalar("{self.dtype}")'
        scope = ', scope="shared.dyn"' if self.kind == "dynamic" else ""
        shape = str(self.shape)
        if self.by_symbol:
            shapes = {"p": "(n,)", "k, p": f"({self.planes}, n)", "p, k": f"(n, {self.planes})"}
            shape = shapes[self.form]
        return f'{self.name} = T.alloc_shared({shape}, "{self.dtype}"{scope})'


@functools.lru_cache(maxsize=2)
def words(body: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", body))


@dataclass
class BlockProgram(Program):
    boards: tuple[Board, ...] = ()

    def _is_used(self, name: str) -> bool:
        return name in words(self.body)

    def memory(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """Type and shape of each array that the launch is given."""
        all_ = {name: (dtype, self.frame.shape()) for name, dtype in ARRAYS.items()}
        all_ |= {f"C{name}": (dtype, (ROW,)) for name, dtype in ARRAYS.items()}
        for board in self.boards:
            if board.is_global:
                parts = (self.frame.blocks,) if board.kind == "global" else ()
                all_[board.name] = board.dtype, parts + board.shape
        return {name: given for name, given in all_.items() if self._is_used(name)}

    @property
    def arrays(self) -> dict[str, str]:
        return {name: dtype for name, (dtype, _) in self.memory().items()}

    @property
    def scalars(self) -> dict[str, int]:
        return {"m": self.frame.limit}

    def shared(self) -> list[Board]:
        return [board for board in self.boards if not board.is_global]

    def inputs(self) -> dict[str, np.ndarray]:
        numbers = np.random.default_rng(self.seed)
        counters = {board.name for board in self.boards if board.kind == "counter"}
        inputs = {}
        for name, (dtype, shape) in self.memory().items():
            inputs[name] = values(numbers, dtype, shape)
            if name in counters and dtype in FLOATS:
                inputs[name][:] = 0.0  # sums of whole numbers are exact in any order
        return inputs

    def source(self) -> str:
        frame = self.frame
        kind = "Tensor" if frame.dialect == "function" else "Buffer"
        params = [
            f'{name}: T.{kind}({self.shape_text(name, shape)}, "{dtype}")'
            for name, (dtype, shape) in self.memory().items()
        ]
        symbol = 'n = T.dynamic("n")\n\n\n' if frame.by_symbol else "\n"
        lines = [*self.entry(), *self.body.splitlines()]
        return (
            f"from tirxcc.script import tirx as T\n\n{symbol}@T.{frame.dialect}\n"
            f"def kernel({', '.join([*params, 'm: T.int32'])}):\n"
            + "".join(f"    {line}\n" for line in lines)
        )

    def shape_text(self, name: str, shape: tuple[int, ...]) -> str:
        frame = self.frame
        if not frame.by_symbol or name not in ARRAYS:
            return str(shape)
        rows = "n" if frame.blocks == 1 else f"{frame.blocks} * n"
        return f"({ROW}, {rows})" if frame.by_columns else f"({rows}, {ROW})"

    def entry(self) -> list[str]:
        """The lines that open the device region and name the thread."""
        frame = self.frame
        axes = "xyz"[: len(frame.block)]
        rank = "x"
        if len(axes) > 1:
            rank = f"y * {frame.block[0]} + x"
        if len(axes) > 2:
            rank = f"(z * {frame.block[1]} + y) * {frame.block[0]} + x"
        write = self.entry_of_functions if frame.dialect == "function" else self.entry_of_scopes
        lines = write(axes, rank)
        if self._is_used("w") and frame.warps != "scope":
            lines.append(f"w = {WARPS[frame.warps][0]}")
        if self._is_used("l") and frame.warps != "scope":
            lines.append(f"l = {WARPS[frame.warps][1]}")
        return [*lines, f"t = b * {'n' if frame.by_symbol else frame.threads} + r"]

    def entry_of_functions(self, axes: str, rank: str) -> list[str]:
        frame = self.frame
        grid, block = (
            str(extents[0] if len(extents) == 1 else extents)
            for extents in (frame.grid, frame.block)
        )
        lines = [
            f"T.device_entry(launch=T.cuda.LaunchConfig(grid={grid}, "
            f"block={'n' if frame.by_symbol else block}"
            f"{', cooperative=True' if frame.waits == 'grid' else ''}))"
        ]
        number = f'T.cuda.block_idx("{"xyz"[len(frame.grid) - 1]}")'
        for axis in reversed(range(len(frame.grid) - 1)):
            number = f'({number}) * {frame.grid[axis]} + T.cuda.block_idx("{"xyz"[axis]}")'
        lines.append(f"b = {number}")
        if len(axes) == 1:
            return [*lines, 'r = T.cuda.thread_idx("x")']
        lines += [f'{axis} = T.cuda.thread_idx("{axis}")' for axis in axes]
        return [*lines, f"r = {rank}"]

    def entry_of_scopes(self, axes: str, rank: str) -> list[str]:
        frame = self.frame
        lines = ["T.device_entry()"]
        if len(frame.grid) == 1:
            lines.append(f"b = T.cta_id([{frame.grid[0]}])")
        else:
            names = [f"b{axis}" for axis in "xyz"[: len(frame.grid)]]
            number = names[-1]
            for axis in reversed(range(len(names) - 1)):
                number = f"({number}) * {frame.grid[axis]} + {names[axis]}"
            lines.append(f"{', '.join(names)} = T.cta_id({list(frame.grid)})")
            lines.append(f"b = {number}")
        if frame.warps == "scope":
            lines += [f"w = T.warp_id([{frame.threads // WARP}])", f"l = T.lane_id([{WARP}])"]
            return [*lines, f"r = w * {WARP} + l"]
        if len(axes) == 1:
            return [*lines, f"r = T.thread_id([{frame.block[0]}])"]
        lines.append(f"{', '.join(axes)} = T.thread_id({list(frame.block)})")
        return [*lines, f"r = {rank}"]


WARPS = {
    "function": ("T.cuda.warp_id()", "T.cuda.lane_id()"),
    "shift": ("r >> 5", "r & 31"),
    "division": ("r // 32", "r % 32"),
}
