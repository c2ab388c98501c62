# SPDX-License-Identifier: Apache-2.0
"""Conditions, bounds and values that several threads make together: even ones, votes, shuffles."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from block_kernel import WARP
from block_memory import Accesses
from expressions import FAR
from kernel import ROW, SHORT
from meaning import FLOATS
from sharing import CLEAN, READ

BLOCK, WARPS, THREAD = "block", "warp", "thread"
ALL = "0xFFFFFFFF"
VOTES = {
    "any_sync": 1,
    "activemask": 1.2,
    "all_sync": 1.3,
    "ballot_sync": 1.5,
    "reduce": 2.2,
    "elect": 1,
}
SHUFFLES = {
    "function": ["T.cuda.__shfl{}_sync"] * 4 + ["T.cuda._shfl{}_sync", "T.gpu_warp_shuffle{}"],
    "prim_func": ["T.cuda.__shfl{}_sync"] * 2 + ["T.cuda._shfl{}_sync", "T.tvm_warp_shuffle{}"],
}


class Together(Accesses):
    """Expressions of which all threads of a block, or all lanes of a warp, are a part."""

    def __init__(self, seed: int | str) -> None:
        self.level = BLOCK
        self.exited = ""  # "", "warps", "threads": who may have ended
        super().__init__(seed)

    @contextlib.contextmanager
    def at(self, level: str) -> Iterator[None]:
        outer, self.level = self.level, level
        yield
        self.level = outer

    def open_boards(self) -> None:
        self.states = dict.fromkeys(self.states, CLEAN)

    def bind_even(self, name: str, dtype: str, may_be_assigned: bool) -> None:
        self.even_names.add(name)
        self.constants.append((name, dtype))
        if may_be_assigned:
            self.evens.append((name, dtype))

    def combined(self, value: str, dtype: str) -> str:
        if self.chance(0.4) or dtype == "bool":
            return value
        operator = self.pick("+-*" if dtype in FLOATS else "+-*&|^")
        other = self.expression(dtype, 1)
        return (
            f"({value} {operator} {other})" if self.chance(0.5) else f"({other} {operator} {value})"
        )

    # Conditions and bounds

    def joint_condition(self) -> str:
        return self.even_condition() if self.level == BLOCK else self.warp_condition()

    def even_condition(self) -> str:
        kind = self.random.random()
        if kind < 0.15:
            self.mark("vote of the block as a condition")
            vote = self.vote_of_block()
            self.open_boards()
            return vote
        with self.only_even():
            if kind < 0.5:
                boards = [b for b in self.boards if self.states[b.name] in (CLEAN, READ)]
                if boards and (read := self.read_of(board := self.pick(boards))):
                    self.mark("condition read from memory of the block")
                    if board.dtype == "bool":
                        return read
                    return f"{read} {self.pick(['<', '>', '!='])} {self.leaf(board.dtype)}"
            if kind < 0.7:
                return f"{self.pick('bm')} {self.pick(['<', '>', '==', '!='])} {self.pick('0123')}"
            return self.test(1)

    def warp_condition(self) -> str:
        kind = self.random.random()
        if kind < 0.3:
            name = self.pick(["any", "all"])
            self.mark(f"{name}_sync as a condition")
            return f"T.cuda.{name}_sync({ALL}, {self.condition(1)})"
        if kind < 0.43:
            self.mark("number of the warp as a condition")
            return self.pick(["w == 0", "w == 1", "w & 1 == 0", "w < 2", "(w + b) % 2 != 0"])
        if kind < 0.6:
            self.mark("ballot as a condition")
            lanes = f"T.cuda.ballot_sync({ALL}, {self.condition(1)})"
            return self.pick(
                [f"T.popcount({lanes}) > {self.random.randrange(12)}", f"{lanes} != 0"]
            )
        if kind < 0.85 and self.exited != "threads":
            self.mark("shuffle as a condition")
            return f"T.cuda.__shfl_sync({ALL}, {self.leaf('int32')}, 0, 32) > {self.pick('0123')}"
        with self.only_even():
            return self.test(1)

    def lasting_condition(self, counter: str = "", turns: int = 0) -> str:
        """A condition that each turn evaluates again, so nothing in it may need a barrier."""
        if self.chance(0.6):
            self.mark(f"vote in a loop's condition of the {self.level}")
            return self.lasting_vote(counter, turns)
        if self.level == WARPS:
            return self.pick(["w < 2", f"w != {self.pick('01')}", "(w ^ b) < 3"])
        with self.only_even():
            return self.test(1)

    def lasting_vote(self, counter: str, turns: int) -> str:
        if counter and self.chance(0.5):
            # In bounds only where the count allows the vote.
            self.mark("vote behind `and` that must not read")
            far = f"{counter} + {counter} // {turns} * {FAR}"
            condition = f"{self.place('I16', far)} > {self.random.randrange(-9, 9)}"
            # A vote of a warp tells the block something only where it is the block.
            if self.level == WARPS or (self.frame.threads <= WARP and self.chance(0.5)):
                return f"T.cuda.any_sync({ALL}, {condition})"
            return f"T.cuda.syncthreads_or({condition})"
        boards, self.boards = self.boards, []
        if self.level == WARPS:
            vote = f"T.cuda.any_sync({ALL}, {self.condition(1)})"
        else:
            vote = self.vote_of_block()
        self.boards = boards
        return vote

    def even_bounds(self) -> tuple[str, str, int]:
        kind = self.random.random()
        if kind < 0.5 and (bounds := self.read_bounds()):
            self.mark("bound read from memory of the block")
            return bounds, "int32", 0
        if kind < 0.65:
            self.mark("bound by a parameter")
            return self.pick(["m", "m & 3", "m % 3 + 1"]), "int32", 8
        if kind < 0.85:
            self.mark("bound by the block")
            return self.pick(["b + 1", "b, 4", "2 - b, -1, -1"]), "int32", 4
        if kind < 0.9:
            return str(self.random.randrange(1, 5)), "int32", 4
        return self.bounds()

    def read_bounds(self) -> str:
        boards = [b for b in self.boards if self.states[b.name] in (CLEAN, READ)]
        read = self.read_of(self.pick(boards)) if boards else None
        if read is None:
            return ""
        low = f"T.int32({read}) & 3"
        return self.pick(
            [
                low,
                *[f"{low}, -1, -1"] * 3,
                f"0, {low}, (m & 1) + 1",
                f"3, {low}, -(m % 2) - 1",
                f"-1, {low}",
            ]
        )

    def warp_bounds(self) -> str:
        kind = self.random.random()
        if kind < 0.35:
            self.mark("bound by the warp")
            return self.pick(["w + 1", "w, 3", "2 - (w & 1)"])
        if kind < 0.85:
            self.mark("bound by a vote")
            return f"T.popcount(T.cuda.ballot_sync({ALL}, {self.condition(1)})) & 3"
        return str(self.random.randrange(1, 4))

    # Votes and shuffles

    def vote_of_block(self) -> str:
        name = self.pick(["and", "or"])
        self.mark(f"syncthreads_{name}")
        condition = f"{self.leaf('int32')} > {self.random.randrange(-2, 9)}"
        if self.chance(0.6):
            condition = self.condition(1)
        return f"T.cuda.syncthreads_{name}({condition})"

    def vote(self) -> tuple[str, str]:
        name = self.weighted(VOTES)
        if name == "elect":
            self.mark("elect_sync counted")
            return f"T.popcount(T.cuda.ballot_sync({ALL}, T.cuda.elect_sync()))", "int32"
        if name == "reduce":
            name = self.pick(["reduce_add_sync_u32", "reduce_min_sync_u32"])
            self.mark(name)
            return f"T.cuda.{name}({ALL}, {self.expression('uint32', 1)})", "uint32"
        self.mark(name)
        if name == "activemask":
            return "T.cuda.__activemask()", "uint32"
        condition = self.condition(1) if self.chance(0.8) else self.leaf("bool")
        return f"T.cuda.{name}({ALL}, {condition})", "uint32" if name == "ballot_sync" else "int32"

    def guarded_shuffle(self, dtype: str) -> str:
        """A shuffle that all threads do or none, of what may only be read where they do."""
        self.mark("shuffle in a choice")
        index = f"({self.pick('bm')} - 2) * {FAR}"
        condition = f"0 <= {index} < {ROW}"
        way, operand, width = self.source_lane()
        read = self.place(SHORT[dtype], index)
        shuffle = f"T.cuda.__shfl{way}_sync({ALL}, {read}, {operand}, {width})"
        other = self.expression(dtype, 1)
        if self.chance(0.5):
            return f"({shuffle} if {condition} else {other})"
        return f"T.if_then_else({condition}, {shuffle}, {other})"

    def shuffle(self, dtype: str, nesting: int) -> str:
        way, operand, width = self.source_lane()
        if nesting and self.chance(0.2):
            self.mark("shuffle of a shuffle")
            value = self.combined(self.shuffle(dtype, 0), dtype)
        else:
            value = self.expression(dtype, 1)
        name = self.pick(SHUFFLES[self.frame.dialect]).format(way)
        self.mark(f"shuffle{way}", f"shuffle in groups of {width}")
        size = ", 32" if "warp_shuffle" in name else ""
        return f"{name}({ALL}, {value}, {operand}, {width}{size})"

    def source_lane(self) -> tuple[str, str, int]:
        """Way, operand and width of a shuffle that reads lanes which exist."""
        count = self.frame.threads
        widths = [width for width in (32, 16, 8, 4, 2, 1) if count % width == 0]
        constant = self.random.randrange(9)
        if widths[0] < 4 or self.chance(0.1):
            lane = self.random.randrange(min(count % WARP or WARP, count))
            return self.pick(
                [("", str(lane), 32), ("_up", str(constant), self.pick([32, 16, 8, 4]))]
            )
        width = self.pick(widths)
        if count % WARP == 0 and self.chance(0.25):
            width = WARP
        way = self.pick(["", "_up", "_down", "_xor", "_xor"])
        operand = str(self.random.randrange(width if way != "_xor" else 32))
        kind = self.random.random()
        if kind < (0.3 if way else 0.5):
            self.mark("lane of a shuffle differs by thread")
            name = self.pick([self.me, *self.int32_names()])
            operand = f"({name} & {width - 1})" if way else f"({name} + {constant})"
        elif kind < 0.5:
            fitting = [name for name, bound in self.indices if bound <= width]
            operand = self.pick([f"(m & {width - 1})", *fitting])
        return way, operand, width
