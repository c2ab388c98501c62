# SPDX-License-Identifier: Apache-2.0
"""Random kernels whose threads work together: `make_block(seed)` gives a BlockProgram.

A statement is made at one of three levels: all threads of the block come by together, all lanes of
each warp, or each thread for itself. Barriers stand at the first, warp operations at the first two,
and at the third is whatever the family "threads" has. Conditions and bounds of a level are the same
in all threads that come by together: even expressions, votes, what was read from shared memory
after a barrier. `constructs` notes what a program holds.
"""

from __future__ import annotations

from collections.abc import Callable

from block_kernel import WARP, BlockFrame, BlockProgram
from block_values import ALL, BLOCK, THREAD, WARPS
from block_waits import Waits
from kernel import ROW, SHORT
from meaning import FLOATS, TYPES
from programs import make_short
from sharing import CLEAN, CLOSED, READ, Own, after_warp_barrier

BLOCKS = {
    (32,): 4,
    (64,): 2,
    (96,): 0.7,
    (40,): 2,
    (33,): 1,
    (48,): 1,
    (7,): 1.5,
    (12,): 1.5,
    (8, 4): 2,
    (16, 4): 1,
    (5, 3): 1,
    (6, 7): 1,
    (4, 2, 4): 1,
    (3, 2, 2): 1,
    (2, 3, 7): 1,
    (1,): 0.5,
}

# How often programs have which other barriers.
WAITS = {"": 10, "named": 1.4, "mbarrier": 1.4, "grid": 1.7}
LONGEST = 1300  # characters of a body


class BlockGenerator(Waits):
    """One random kernel body."""

    def __init__(self, seed: int | str) -> None:
        super().__init__(seed)
        self.work = 6
        self.ends_next = False  # the next statement of the block is an end of threads

    def make_frame(self) -> BlockFrame:
        dialect = self.pick(["function", "function", "function", "prim_func", "prim_func"])
        block = self.weighted(BLOCKS)
        grid = self.pick([(1,), (1,), (1,), (2,), (2,), (3,), (2, 2), (2, 1, 2)])
        if len(block) == 1 and block[0] > WARP:
            grid = self.pick([(1,), (2,)])
        by_symbol = dialect == "function" and len(block) == 1 and self.chance(0.35)
        waits = self.weighted(WAITS)
        if waits in ("named", "mbarrier") and self.chance(0.7):
            block, by_symbol = self.pick([(64,), (64,), (96,), (16, 4)]), False
        if waits == "grid" and dialect == "prim_func":
            waits = ""
        warps = self.pick(["shift", "division"])
        if dialect == "function" and self.chance(0.5):
            warps = "function"
        elif dialect == "prim_func" and len(block) == 1 and block[0] % WARP == 0:
            warps = "scope"
        frame = BlockFrame(
            dialect,
            grid,
            block,
            by_symbol,
            warps,
            self.random.randrange(9),
            self.chance(0.4),
            waits,
        )
        self.mark(f"dialect {dialect}", f"{len(block)}-dimensional block", f"w and l by {warps}")
        self.mark("several blocks" if frame.blocks > 1 else "one block")
        self.mark(f"{len(frame.grid)}-dimensional grid")
        if by_symbol:
            self.mark("block's size by a symbol")
        if frame.threads % WARP:
            self.mark("warp of less than 32 lanes")
        if frame.threads > WARP:
            self.mark("several warps")
        return frame

    def make(self, statements: int) -> BlockProgram:
        with self.at(THREAD):
            for _ in range(2):
                self.declare(0)
        self.even_assign(0)
        self.begin_waits()
        for _ in range(self.pick([1, 1, 2])):
            self.new_board(0)
        if self.chance(0.75):
            self.new_counter(0)
        for _ in range(statements):
            self.statement(0)
        self.block_barrier(0)
        for board in self.boards:
            if self.chance(0.8):
                self.emit(0, f"{self.row(board.dtype)} = {self.read_of(board)}")
        for name, dtype in [*self.scalars, *self.evens]:
            self.emit(0, f"{self.row(dtype)} = {name}")
        body = "\n".join(self.lines) + "\n"
        boards = tuple(self.every_board)
        return BlockProgram(self.seed, self.frame, body, self.types, self.constructs, boards=boards)

    def row(self, dtype: str) -> str:
        return self.place(SHORT[dtype], str(self.random.randrange(ROW)))

    # Levels

    def depth(self) -> int:
        return self.pick([1, 1, 2])

    def expression(self, dtype: str, depth: int) -> str:
        """Mostly small: large ones are there in the family "threads"."""
        return super().expression(dtype, min(depth, 1) if self.chance(0.8) else depth)

    def function(self, dtype: str, depth: int) -> str:
        """Also rarer than there: in lanes, some take long to compile."""
        return super().function(dtype, depth) if self.chance(0.3) else self.leaf(dtype)

    def divisor(self, dtype: str, depth: int) -> str:
        if self.chance(0.7):
            return f"T.{dtype}({self.random.randrange(1, 12)})"
        return super().divisor(dtype, depth)

    def statement(self, depth: int) -> None:
        self.me = self.pick("ttrrl") if self.frame.threads > 1 else "t"
        if self.level == THREAD:
            return super().statement(depth)
        if self.ends_next and self.level == BLOCK:
            self.ends_next = False
            return self.thread_exit(depth)
        kinds: dict[Callable, float] = {
            self.single: 5,
            self.put: 3,
            self.get: 3,
            self.barrier: 2,
            self.exchange: 2.5,
            self.count: 2.6,
            self.ticket: 1.9,
            self.elect: 0.9,
            self.own_atomic: 1.8,
        }
        if self.exited != "threads":
            kinds[self.lanes_value] = 4.5
        kinds |= {self.votes_value: 4 if self.exited else 1.9, self.fence: 0.4}
        if self.level == BLOCK:
            kinds |= {self.even_assign: 9 if self.loops else 2.2, self.block_vote: 1.2}
            if depth == 0 and self.evens:
                kinds |= {self.part_ways: 1.2}
            if not self.exited and not self.loops:
                kinds |= {self.new_board: 0.6, self.new_counter: 0.8}
        if depth < 3:
            kinds |= {self.joint_if: 2.5, self.joint_value: 0.8, self.kept_array: 1.5}
            if self.work < 40:
                # A barrier in a loop of the block that stands in another one is rare otherwise.
                more = 4.2 if self.level == BLOCK and self.loops else 1.4
                kinds |= {self.joint_counted: 1.4 * more, self.joint_while: 0.8 * more}
                kinds |= {self.joint_endless: more}
                if self.copies < 5:
                    kinds |= {self.joint_unrolled: 0.8 * more}
            if self.level == BLOCK:
                kinds |= {self.warp_part: 6}
        if not self.frame.waits:
            kinds |= {self.joint_exit: 6 if self.level == WARPS else 1.4 if self.loops else 0.5}
        if self.loops:
            kinds |= {self.barrier: 4.5}
        if self.level == BLOCK:
            kinds |= self.ends_or_waits(depth)
        self.weighted(kinds)(depth)

    def ends_or_waits(self, depth: int) -> dict[Callable, float]:
        """Of the block's level."""
        waits, whole_warps = self.frame.waits, self.frame.threads % WARP == 0
        if waits == "named" and whole_warps and self.frame.threads > WARP:
            return {self.hand_over: 7}
        if waits == "grid" and depth == 0:
            return {self.exchange_of_blocks: 12}
        if not waits and (not self.loops or self.exited == "threads"):
            kinds = {self.thread_exit: 8 if self.loops else 0.45}
            return kinds if self.loops else kinds | {self.ending_loop: 1.3}
        return {}

    def more_statements(self) -> dict[Callable, float]:
        return {self.count: 0.8, self.ticket: 0.3, self.own_atomic: 0.5, self.put: 1}

    def single(self, depth: int) -> None:
        """A statement that each thread runs for itself."""
        with self.at(THREAD):
            super().statement(depth)

    def leave(self, depth: int) -> None:
        """Threads leave by `thread_exit` only."""
        self.store(depth)

    def kept_array(self, depth: int) -> None:
        """A local array that is in sight behind barriers."""
        self.mark("local array among barriers")
        self.local_array(depth)

    def fence(self, depth: int) -> None:
        self.mark("fence")
        self.emit(depth, f"T.cuda.thread_fence{self.pick(['', '_block', '_system'])}()")

    # Barriers

    def barrier(self, depth: int) -> None:
        """What orders memory at this level."""
        if self.level == WARPS or (self.level == BLOCK and self.chance(0.15)):
            self.mark("warp barrier")
            self.emit(depth, "T.cuda.warp_sync()")
            self.states = {name: after_warp_barrier(s) for name, s in self.states.items()}
            return
        self.block_barrier(depth)

    def open_counters(self, depth: int) -> None:
        shut = [
            b for b in self.boards if b.form == "slots" and self.states[b.name] in (READ, CLOSED)
        ]
        if shut and self.level == BLOCK and self.chance(0.8):
            self.block_barrier(depth)

    def block_barrier(self, depth: int) -> None:
        self.mark(f"barrier in {self.loops[-1]}" if self.loops else "barrier")
        if depth > len(self.loops):
            self.mark("barrier in a branch")
        if self.exited:
            self.mark(f"barrier after some {self.exited} ended")
        if len(self.loops) > 1:
            self.mark("barrier in nested loops")
        self.barrier_statement(depth)
        self.open_boards()

    def block_vote(self, depth: int) -> None:
        name = self.vote_of_block()
        form = self.random.random()
        own = [n for n, d in self.evens if d == "int32" and n not in self.pure_names]
        if form < 0.3 and own:
            self.emit(depth, f"{self.pick(own)} {self.pick('+-|')}= {name}")
        elif form < 0.5:
            self.emit(depth, f"{self.row('int32')} = {name}")
        else:
            new = self.fresh("e", "int32")
            self.emit(depth, f"{new} = {name}" if self.chance(0.5) else f"{new}: T.int32 = {name}")
            self.depths[new] = depth
            self.bind_even(new, "int32", True)
        self.open_boards()

    # Memory

    def put(self, depth: int) -> None:
        """A write to a board, after a barrier if one is needed."""
        if not self.boards or (self.loops and "vector" in self.loops[-1]):
            return self.store(depth)
        board = self.pick(self.boards)
        if board.form == "slots":
            return self.count(depth)
        if board.form == "":
            if self.states[board.name] != CLEAN or self.level != BLOCK:
                return self.store(depth)
            return self.write_scalar(depth, board)
        value = self.expression(board.dtype, self.depth())
        slot = self.writable_slot(board)
        if slot is None:
            if self.level == THREAD:
                return self.store(depth)
            self.barrier(depth)
            slot = self.writable_slot(board)
            if slot is None:
                return self.store(depth)
            value = self.expression(board.dtype, self.depth())
        place = self.place_on(board, slot)
        operator = ""
        if self.chance(0.25) and board.dtype != "bool":
            operator = self.pick("+-*" if board.dtype in FLOATS else "+-&|^")
        self.emit(depth, f"{place} {operator}= {value}")

    def get(self, depth: int) -> None:
        """A read from a board, after a barrier if one is needed."""
        if not self.boards:
            return self.store(depth)
        board = self.pick(self.boards)
        if self.chance(0.5) and isinstance(self.states[board.name], Own):
            self.barrier(depth)
        read = self.read_of(board)
        if read is None:
            self.barrier(depth)
            read = self.read_of(board)
        if read is None:
            return self.store(depth)
        self.take(depth, board.dtype, self.combined(read, board.dtype))

    def exchange(self, depth: int) -> None:
        """Write, barrier, read of another's."""
        boards = [board for board in self.boards if board.form not in ("", "slots")]
        if not boards:
            return self.put(depth)
        board = self.pick(boards)
        slot = self.writable_slot(board)
        if slot is not None:
            value = self.expression(board.dtype, self.depth())
            self.emit(depth, f"{self.place_on(board, slot)} = {value}")
        self.barrier(depth)
        read = self.read_of(board)
        if read is not None:
            self.take(depth, board.dtype, self.combined(read, board.dtype))

    def take(self, depth: int, dtype: str, value: str) -> None:
        """A name or a place of the thread gets the value."""
        names = [name for name, d in self.scalars if d == dtype]
        form = self.random.random()
        if names and form < 0.5:
            name = self.pick(names)
            operator = ""
            if dtype != "bool" and self.chance(0.4):
                operator = self.pick("+-*" if dtype in FLOATS else "+-&|^")
            return self.emit(depth, f"{name} {operator}= {value}")
        if form < 0.8:
            name = self.fresh("x", dtype)
            if self.chance(0.3):
                self.emit(depth, f"{name}: T.let = {value}")
                self.constants.append((name, dtype))
                return
            self.depths[name] = depth
            self.emit(depth, f"{name} = {value}")
            self.scalars.append((name, dtype))
            return
        local = [name for name, d in self.locals if d == dtype]
        place = f"{self.pick(local)}[{self.index(4)}]" if local else self.row(dtype)
        self.emit(depth, f"{place} = {value}")

    # Even names

    def even_assign(self, depth: int) -> None:
        if self.evens and self.chance(0.6):
            name, dtype = self.pick(self.evens)
            self.mark("even name assigned again")
            if self.loops:
                self.mark("even name assigned in a loop")
            operator = ""
            if self.chance(0.3):
                self.mark("even name used and assigned again")
                self.emit(depth, f"{self.row(dtype)} = {name}")
            if dtype != "bool" and self.chance(0.5):
                operator = self.pick("+-*" if dtype in FLOATS else "+-*&|^")
            with self.only_even(name in self.pure_names):
                value = self.expression(dtype, 1)
            return self.emit(depth, f"{name} {operator}= {value}")
        dtype = "int32" if self.chance(0.4) else self.any_type()
        is_pure = self.chance(0.6)
        with self.only_even(is_pure):
            value = self.expression(dtype, self.depth())
        name = self.fresh("e", dtype)
        form = self.pick(["{} = {}", f"{{}}: T.{dtype} = {{}}", "{}: T.let = {}"])
        self.mark("even name of no memory" if is_pure else "even name")
        self.depths[name] = depth
        self.emit(depth, form.format(name, value))
        if is_pure:
            self.pure_names.add(name)
        self.bind_even(name, dtype, "let" not in form)

    def part_ways(self, depth: int) -> None:
        """An even name gets a value that differs by thread, or that only some threads get."""
        pair = self.pick(self.evens)
        name, dtype = pair
        self.mark("even name that becomes uneven")
        if self.chance(0.6):
            with self.only_even(name in self.pure_names):
                value = self.expression(dtype, 1)
            vote = f"T.cuda.any_sync({ALL}, {self.condition(1)})"
            self.emit(depth, f"if {vote if self.chance(0.7) else self.condition(1)}:")
            self.emit(depth + 1, f"{name} = {value}")
        else:
            self.emit(depth, f"{name} = {self.expression(dtype, 1)}")
        self.evens.remove(pair)
        self.constants.remove(pair)
        self.even_names.remove(name)
        self.pure_names.discard(name)
        self.scalars.append(pair)

    # Ends

    def joint_exit(self, depth: int) -> None:
        """The whole block ends, or whole warps."""
        condition = self.pick(["b == 1", "b > m", "m == 3", "b + m == 5"])
        if self.level == WARPS or self.chance(0.3):
            condition = self.joint_condition()
        self.mark(f"end of the {self.level}")
        if self.loops:
            self.mark("end in a loop")
        self.emit(depth, f"if {condition}:")
        after = dict(self.states)
        for name, dtype in self.scalars[:3]:
            self.emit(depth + 1, f"{self.row(dtype)} = {name}")
        self.emit(depth + 1, "T.gpu_thread_return()")
        self.states = after
        if self.level == WARPS:
            self.exited = self.exited or "warps"

    def thread_exit(self, depth: int) -> None:
        self.mark("end of threads in a loop" if self.loops else "end of threads")
        if self.loops and self.chance(0.6):
            self.vote_of_most(depth)
        condition = self.pick(["r >= m * 4", "t > 20", "r == 0", "l == 3", "(r & 3) == b"])
        if self.chance(0.3):
            condition = self.condition(1)
        self.emit(depth, f"if {condition}:")
        self.emit(depth + 1, "T.gpu_thread_return()")
        self.exited = "threads"

    # Lanes

    def lanes_value(self, depth: int) -> None:
        dtype = self.pick(TYPES) if self.chance(0.5) else self.any_type()
        if self.level == BLOCK and self.chance(0.2):
            return self.take(depth, dtype, self.guarded_shuffle(dtype))
        self.take(depth, dtype, self.combined(self.shuffle(dtype, 1), dtype))

    def votes_value(self, depth: int) -> None:
        value, dtype = self.vote()
        self.take(depth, dtype, self.combined(value, dtype))

    def ending_loop(self, depth: int) -> None:
        """Each turn of a loop may end threads."""
        self.exited = "threads"
        self.ends_next = True
        if self.chance(0.3):
            return self.pick([self.joint_while, self.joint_counted, self.joint_endless])(depth)
        name, turns = self.fresh("i", "int32"), self.random.randrange(2, 5)
        self.emit(depth, f"for {name} in range({turns}):")
        self.indexed(depth, "for", turns, (name, "int32", turns))

    def vote_of_most(self, depth: int) -> None:
        """A vote that most lanes say yes to. In the next turn, those that have ended since must not
        count, whatever they left behind."""
        self.mark("vote before threads end in a loop")
        condition = self.pick(["True", f"l != {self.random.randrange(WARP)}", "(r & 3) != b"])
        value, dtype = f"T.cuda.ballot_sync({ALL}, {condition})", "uint32"
        if self.chance(0.2):
            value = "T.cuda.__activemask()"
        if self.chance(0.2):
            value, dtype = f"T.popcount({value})", "int32"
        # Where somebody sees it.
        self.emit(depth, f"{self.row(dtype)} {self.pick(['', '', '+', '^'])}= {value}")

    def elect(self, depth: int) -> None:
        """One lane of each warp counts what its warp agrees on."""
        self.mark("elect_sync")
        name = self.fresh("v", "uint32")
        self.emit(depth, f"{name}: T.let = T.cuda.ballot_sync({ALL}, {self.condition(1)})")
        self.constants.append((name, "uint32"))
        self.emit(depth, f"if {self.pick(['T.cuda.elect_sync()', 'T.ptx.elect_sync()'])}:")
        counter = self.global_counter("sum", ("int32", "uint32", "int64"))
        value = self.pick(["1", f"T.popcount({name})", f"T.{counter.dtype}({name})", "w + b"])
        where = self.pointer(counter, str(self.random.randrange(8)))
        self.emit(depth + 1, f"T.cuda.atomic_add({where}, T.{counter.dtype}({value}))")


def make_block(seed: int, statements: int = 4) -> BlockProgram:
    return make_short(BlockGenerator, seed, statements, LONGEST)
