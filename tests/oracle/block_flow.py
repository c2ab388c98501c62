# SPDX-License-Identifier: Apache-2.0
"""Branches and loops that all threads of a block, or all lanes of a warp, go through together.

Where ways meet, the states of boards are joined; a turn of a loop ends with a barrier unless it
ends in the states that the next one begins with.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from block_values import BLOCK, WARPS, Together
from sharing import CLEAN, READ, Atomic, Own, Slot, exceeds, join
from sharing import WARP as WARP_STATE


class Flow(Together):
    """Control flow of a level."""

    def __init__(self, seed: int | str) -> None:
        # Of each loop of a level: the states at its begin, and at jumps behind it.
        self.heads: list[dict] = []
        self.exits: list[list[dict]] = []
        super().__init__(seed)

    def joint_if(self, depth: int) -> None:
        self.mark(f"if of the {self.level}")
        self.emit(depth, f"if {self.joint_condition()}:")
        start = dict(self.states)
        ends = []

        def branch() -> None:
            self.joint_block(depth + 1)
            ends.append(self.states)
            # Other warps may be in another branch at the same time.
            self.states = dict(start) if self.level == BLOCK else self.joined([start, *ends])

        branch()
        for _ in range(self.pick([0, 0, 0, 1, 1, 2] if self.level == BLOCK else [0, 1, 1, 2])):
            self.mark(f"elif of the {self.level}")
            self.emit(depth, f"elif {self.joint_condition()}:")
            start = dict(self.states)
            branch()
        if self.chance(0.6):
            self.mark(f"else of the {self.level}")
            self.emit(depth, "else:")
            branch()
        self.states = self.joined([self.states, *ends])

    def joint_value(self, depth: int) -> None:
        """A name that both sides of a branch bind for the first time."""
        self.mark(f"name bound by both branches of the {self.level}")
        dtype = self.any_type()
        self.emit(depth, f"if {self.joint_condition()}:")
        start = dict(self.states)
        values = []
        for _ in range(2):
            if self.exited != "threads" and self.chance(0.4):
                values.append(self.combined(self.shuffle(dtype, 0), dtype))
            else:
                values.append(self.expression(dtype, 1))
        self.states = self.joined([self.states, start])
        name = self.fresh("y", dtype)
        self.depths[name] = depth + 1
        self.emit(depth + 1, f"{name} = {values[0]}")
        self.emit(depth, "else:")
        self.emit(depth + 1, f"{name} = {values[1]}")
        self.scalars.append((name, dtype))

    def joined(self, many: list[dict]) -> dict:
        states = dict(many[0])
        for other in many[1:]:
            states = {name: join(state, other.get(name, CLEAN)) for name, state in states.items()}
        return states

    @contextlib.contextmanager
    def scope(self) -> Iterator[None]:
        """What comes into sight within is not in sight behind."""
        lists = (self.scalars, self.constants, self.locals, self.evens)
        sizes = [len(names) for names in lists]
        boards = list(self.boards)
        yield
        for names, size in zip(lists, sizes, strict=True):
            del names[size:]
        self.boards = boards
        self.states = {board.name: self.states[board.name] for board in boards}

    def joint_block(self, depth: int, jumps: tuple[str, ...] = ()) -> None:
        with self.scope():
            for _ in range(self.pick([1, 1, 2])):
                self.statement(depth)
            if jumps and self.chance(0.6):
                self.joint_jump(depth, self.pick(jumps))
                self.statement(depth)

    def joint_jump(self, depth: int, jump: str) -> None:
        self.mark(f"{jump} of the {self.level}")
        self.emit(depth, f"if {self.joint_condition()}:")
        after = dict(self.states)
        if self.chance(0.3):
            with self.scope():
                self.statement(depth + 1)
        if jump == "continue":
            self.settle(depth + 1, self.heads[-1])
        else:
            self.exits[-1].append(dict(self.states))
        self.emit(depth + 1, jump)
        self.states = after if self.level == BLOCK else self.joined([after, self.states])

    def settle(self, depth: int, head: dict) -> None:
        """A barrier, unless the turn may end as the next one begins."""
        if any(exceeds(self.states[name], state) for name, state in head.items()):
            if self.level == BLOCK:
                self.block_barrier(depth)
            else:
                self.barrier(depth)

    def begin_loop(self) -> dict:
        """The states at the begin of each turn: some accesses are given up for it."""
        for board in self.boards:
            if self.states[board.name] != CLEAN:
                continue
            options = [READ]
            if board.form == "slots":
                options = [READ, Atomic("sum")]
            elif board.form != "":
                options = [READ, Own(Slot("r", True)), WARP_STATE]
            if self.level == BLOCK:
                options += [CLEAN] * 3
            self.states[board.name] = self.pick(options)
        return dict(self.states)

    def joint_loop(self, depth: int, kind: str, turns: int, jumps=("break", "continue")) -> None:
        """The body of a loop whose head has been written."""
        kind = f"{kind} of the {self.level}"
        self.mark(kind)
        if not self.loops and not self.frame.waits and self.chance(0.36):
            self.exited = "threads"  # in any turn
        head = self.begin_loop()
        self.heads.append(head)
        self.exits.append([])
        self.loops.append(kind)
        self.work *= turns
        self.joint_block(depth + 1, jumps)
        self.settle(depth + 1, head)
        self.work //= turns
        self.loops.pop()
        self.heads.pop()
        self.states = self.joined([head, *self.exits.pop()])

    def indexed(self, depth: int, kind: str, turns: int, index: tuple[str, str, int]) -> None:
        """A loop with an index: name, type and bound (0: none)."""
        name, dtype, bound = index
        inner, outer = list(self.indices), len(self.constants)
        if bound and dtype == "int32":
            self.indices.append((name, bound))
        else:
            self.constants.append((name, dtype))
        if self.level == BLOCK:
            self.even_names.add(name)
        self.joint_loop(depth, kind, turns)
        self.indices = inner
        del self.constants[outer:]

    def joint_counted(self, depth: int) -> None:
        if self.level == BLOCK:
            with self.only_even():
                bounds, dtype, bound = self.even_bounds()
        else:
            bounds, dtype, bound = self.warp_bounds(), "int32", 5
        head = "T.serial" if bounds.count(",") < 2 and self.chance(0.3) else "range"
        name = self.fresh("i", dtype)
        self.emit(depth, f"for {name} in {head}({bounds}):")
        self.indexed(depth, "for", 3, (name, dtype, bound))

    def joint_unrolled(self, depth: int) -> None:
        turns = self.random.randrange(1, 4)
        name = self.fresh("k", "int32")
        self.emit(depth, f"for {name} in T.unroll({turns}):")
        self.literals.append(name)
        self.copies *= turns
        self.indexed(depth, "T.unroll", turns, (name, "int32", turns))
        self.copies //= turns
        self.literals.remove(name)

    def joint_while(self, depth: int) -> None:
        name = self.fresh("w", "int32")
        self.emit(depth, f"{name}: T.int32 = 0")
        turns = self.random.randrange(1, 5)
        self.emit(depth, f"while {name} < {turns} and {self.lasting_condition(name, turns)}:")
        self.emit(depth + 1, f"{name} += 1")
        self.joint_loop(depth, "while", 3)

    def joint_endless(self, depth: int) -> None:
        name = self.fresh("w", "int32")
        self.emit(depth, f"{name}: T.int32 = 0")
        self.emit(depth, "while True:")
        self.emit(depth + 1, f"{name} += 1")
        test = f"{name} > {self.random.randrange(4)}"
        if self.chance(0.5):
            test += f" or {self.lasting_condition()}"
        self.emit(depth + 1, f"if {test}:")
        self.emit(depth + 2, "break")
        self.joint_loop(depth, "while True", 3)

    def warp_part(self, depth: int) -> None:
        """From here on each warp goes its own way."""
        with self.at(WARPS):
            kinds = {self.joint_if: 8, self.joint_value: 1.4}
            if self.work < 40:
                kinds |= {self.joint_counted: 2, self.joint_while: 1.8, self.joint_endless: 1.2}
                if self.copies < 5:
                    kinds |= {self.joint_unrolled: 0.8}
            self.weighted(kinds)(depth)
