# SPDX-License-Identifier: Apache-2.0
"""Other barriers than that of the block: named ones, mbarriers, and the barrier of the grid.

A program has one kind of these or none (`frame.waits`). Each may stand wherever the barrier of the
block may, and orders as much. Besides, warps hand a board over by a named barrier at which those
who write only arrive; and between two barriers of the grid, blocks read what others wrote. In such
programs no thread ends early.
"""

from __future__ import annotations

from block_flow import Flow
from block_kernel import WARP, Board
from sharing import CLEAN, CLOSED, READ

# Numbers of named barriers: for all threads, and where some only arrive.
ALL_THREADS, HANDED = range(1, 8), range(8, 16)


class Waits(Flow):
    """What programs with other barriers have besides."""

    def __init__(self, seed: int | str) -> None:
        self.mbarrier = self.phase = ""
        super().__init__(seed)

    def threads_text(self) -> str:
        return "n" if self.frame.by_symbol else str(self.frame.threads)

    def begin_waits(self) -> None:
        """What stands at the begin of the program."""
        if self.frame.waits == "grid":
            self.new_board(0, "global")
        if self.frame.waits != "mbarrier":
            return
        self.mbarrier = self.fresh("M", "uint64")
        del self.types[self.mbarrier]
        board = Board(self.mbarrier, "uint64", "mbarrier", "", 1)
        self.every_board.append(board)
        self.phase = self.fresh("e", "int32")
        self.emit(0, board.allocation())
        self.emit(0, f"if r == {self.random.randrange(self.frame.threads)}:")
        self.emit(1, f"T.ptx.mbarrier.init({self.mbarrier}.ptr_to([0]), {self.threads_text()})")
        if self.chance(0.5):
            self.emit(1, "T.ptx.fence.mbarrier_init()")
        self.emit(0, f"{self.phase}: T.int32 = 0")
        self.emit(0, "T.cuda.cta_sync()")

    def barrier_statement(self, depth: int) -> None:
        """One that all threads of the block wait at."""
        if self.frame.waits == "named" and self.chance(0.6):
            self.mark("named barrier")
            whole = self.frame.threads % WARP == 0 and not self.frame.by_symbol
            count = self.frame.threads if whole and self.chance(0.7) else 0
            self.emit(depth, f"T.ptx.bar.sync({self.pick(ALL_THREADS)}, {count})")
        elif self.frame.waits == "mbarrier" and self.chance(0.6):
            self.mbarrier_statements(depth)
        else:
            self.emit(depth, "T.cuda.cta_sync()")

    def mbarrier_statements(self, depth: int) -> None:
        self.mark("mbarrier")
        at = f"{self.mbarrier}.ptr_to([0])"
        if self.frame.threads % WARP == 0 and self.chance(0.7):
            self.mark("mbarrier by one lane for its warp")
            self.emit(depth, "T.cuda.warp_sync()")
            self.emit(depth, f"if l == {self.random.randrange(WARP)}:")
            self.emit(depth + 1, f"T.ptx.mbarrier.arrive({at}, {WARP})")
        else:
            self.emit(depth, f"T.ptx.mbarrier.arrive({at}{self.pick(['', ', 1'])})")
        wait = self.pick(["T.cuda.mbarrier_wait", "T.ptx.mbarrier.try_wait"])
        self.emit(depth, f"{wait}({at}, {self.phase})")
        self.emit(depth, f"{self.phase} {self.pick(['^= 1', f'= 1 - {self.phase}'])}")

    def hand_over(self, depth: int) -> None:
        """Some warps write a board, arrive and go on; the others wait and read."""
        boards = [board for board in self.boards if board.form not in ("", "slots")]
        if not boards:
            return self.put(depth)
        board = self.pick(boards)
        # Also so that nobody is still on the way to the same named barrier.
        self.block_barrier(depth)
        self.mark("board handed over at a named barrier")
        count = self.frame.threads
        first = self.random.randrange(1, count // WARP)
        size = first * WARP
        writes_first = self.chance(0.5)
        number = self.pick(HANDED)
        self.states[board.name] = CLOSED
        value = self.expression(board.dtype, self.depth())
        name = self.pick([self.me, *self.int32_names()])
        slots = size if writes_first else count - size
        slot = f"(({name} + {self.random.randrange(count)}) % {slots})"
        read = self.place_on(board, slot if writes_first else f"({slot} + {size})")
        plane = "0" if board.planes == 1 else str(self.random.randrange(board.planes))
        written = f"{board.name}[{board.index('r', plane)}]"
        writes = [f"{written} = {value}", f"T.ptx.bar.arrive({number}, {count})"]
        reads = [f"T.ptx.bar.sync({number}, {count})"]
        reads.append(f"{self.row(board.dtype)} = {self.combined(read, board.dtype)}")
        self.emit(depth, f"if w < {first}:")
        for line in writes if writes_first else reads:
            self.emit(depth + 1, line)
        self.emit(depth, "else:")
        for line in reads if writes_first else writes:
            self.emit(depth + 1, line)

    def exchange_of_blocks(self, depth: int) -> None:
        """Each block writes its part of a board; then it reads others' parts and counters."""
        board = self.pick([board for board in self.boards if board.kind == "global"])
        slot = self.writable_slot(board)
        if slot is not None:
            value = self.expression(board.dtype, self.depth())
            self.emit(depth, f"{self.place_on(board, slot)} = {value}")
        self.grid_barrier(depth)
        self.mark("read of another block's part")
        self.states[board.name] = READ
        place = self.place_on(board, self.any_slot(board))
        part = f"[(b + {self.random.randrange(4)}) % {self.frame.blocks}, "
        self.take(depth, board.dtype, place.replace("[b, ", part, 1))
        counters = [b for b in self.every_board if b.kind == "counter"]
        if counters or self.chance(0.3):
            self.mark("read of a counter after a barrier of the grid")
            counter = self.pick(counters) if counters else self.global_counter("sum", ("int32",))
            self.take(depth, counter.dtype, f"{counter.name}[{self.index(counter.slots)}]")
        self.grid_barrier(depth)

    def grid_barrier(self, depth: int) -> None:
        self.mark("barrier of the grid")
        self.emit(depth, "T.cuda.grid_sync()")
        self.states = dict.fromkeys(self.states, CLEAN)
