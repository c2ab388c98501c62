# SPDX-License-Identifier: Apache-2.0
"""CPython runs a program of the family "blocks": blocks one after another, threads in turns.

The body becomes a generator function in which every barrier and warp operation is a `yield`: what
the thread gives goes out, what it gets comes back. A warp's lanes are resumed together, a block's
warps when all wait at the same barrier, blocks again when all wait at a barrier of the grid.
Memory that threads share knows who accessed it and when (`watch`): two accesses that nothing
orders, a barrier or warp operation that not all reach, and a lane that reads one that is not there
end the run with `Undefined`. So no program is compared that means nothing, neither a generated one
nor one that shrinking made.
"""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Callable, Generator

import numpy as np
from block_kernel import WARP, BlockProgram
from interpret import Rewrite, as_array, as_numpy, is_t
from meaning import FLOATS, ROUND, Val, stored, wrap
from names_of_t import ThreadReturn, language, loop
from watch import CLOCK, BlockClock, Mbarrier, Named, OwnArray, SharedArray, Undefined

VOTES_OF_BLOCK = ("syncthreads_and", "syncthreads_or")
BLOCK_OPERATIONS = ("cta_sync", *VOTES_OF_BLOCK, "grid_sync", "mbarrier_wait")
# Warps come to a named barrier one by one.
NAMED = ("bar.sync", "bar.arrive")
SHUFFLES = ("shfl", "shfl_up", "shfl_down", "shfl_xor")
# Names of T and T.cuda, and the operations that they are.
OPERATIONS = {name: name for name in (*BLOCK_OPERATIONS, "warp_sync", "elect_sync")}
OPERATIONS |= {name: name for name in ("any_sync", "all_sync", "ballot_sync", "grid_sync")}
OPERATIONS |= {"mbarrier_wait": "mbarrier_wait", "try_wait": "mbarrier_wait"}
OPERATIONS |= {"__activemask": "activemask"}
OPERATIONS |= {name: name for name in ("reduce_add_sync_u32", "reduce_min_sync_u32")}
for _way in ("", "_up", "_down", "_xor"):
    for _name in ("__shfl{}_sync", "_shfl{}_sync", "tvm_warp_shuffle{}", "gpu_warp_shuffle{}"):
        OPERATIONS[_name.format(_way)] = f"shfl{_way}"


class Yields(Rewrite):
    """As for threads alone; and what threads do together becomes a yield."""

    def __init__(self, program: BlockProgram) -> None:
        super().__init__(program.types)
        self.shared = {board.name for board in program.shared()}
        self.cells = {board.name for board in program.boards if board.kind == "scalar"}
        self.sites = 0

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        [target] = node.targets
        if isinstance(target, ast.Name) and target.id in self.shared and is_allocation(node.value):
            return ast.Pass()
        return super().visit_Assign(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.cells:
            return ast.Subscript(ast.Name(node.id, ast.Load()), ast.Constant(0), node.ctx)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if is_t(node, "address_of"):
            [element] = node.args
            element.value = ast.Attribute(element.value, "pointer", ast.Load())
            self.generic_visit(node)
            indices = element.slice
            return ast.Call(element.value, [indices], [])
        if is_t(node, "if_then_else"):
            return self.visit_IfExp(ast.IfExp(*node.args))
        made = super().visit_Call(node)
        name = getattr(node.func, "attr", None)
        operation = OPERATIONS.get(name)
        if name in ("sync", "arrive") and getattr(node.func.value, "attr", None) == "bar":
            operation = f"bar.{name}"
        if made is not node or operation is None:
            return made
        self.sites += 1
        parts = [ast.Constant(self.sites), ast.Constant(operation)]
        return ast.Yield(ast.Tuple([*parts, ast.Tuple(node.args, ast.Load())], ast.Load()))

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Python's own where threads come together in a side; both are of one type then."""
        meets = any(getattr(n, "attr", "") in OPERATIONS for n in ast.walk(node))
        return self.generic_visit(node) if meets else super().visit_IfExp(node)


def is_allocation(value: ast.expr) -> bool:
    return is_t(value, "alloc_shared") or is_t(value, "shared_scalar")


# Memory


def rounded(value, dtype: str):
    return ROUND[dtype](value) if dtype in FLOATS else wrap(value, dtype)


ATOMICS: dict[str, tuple[str, Callable]] = {
    "add": ("sum", lambda old, value, dtype: rounded(old + value, dtype)),
    "sub": ("sum", lambda old, value, dtype: rounded(old - value, dtype)),
    "and": ("and", lambda old, value, dtype: old & value),
    "or": ("or", lambda old, value, dtype: old | value),
    "xor": ("xor", lambda old, value, dtype: old ^ value),
    "min": ("min", lambda old, value, dtype: min(old, value)),
    "max": ("max", lambda old, value, dtype: max(old, value)),
    "exch": ("exch", lambda old, value, dtype: value),
}


def atomic(name: str) -> Callable:
    kind, function = ATOMICS[name]

    def run(change: Callable, value) -> Val:
        return change(kind, lambda old, dtype: function(old, stored(dtype, value).value, dtype))

    return run


def compare_and_swap(change: Callable, expected, new) -> Val:
    def function(old, dtype: str):
        return stored(dtype, new).value if old == stored(dtype, expected).value else old

    return change("cas", function)


# What lanes do together


def shuffle(way: str, lanes: dict[int, tuple]) -> dict[int, Val]:
    """By lane: mask, value, operand, width."""
    results = {}
    for lane, arguments in lanes.items():
        operand, width = map(int, arguments[2:4])
        first = lane // width * width
        source = {
            "shfl": first + operand % width,
            "shfl_up": lane - operand,
            "shfl_down": lane + operand,
            "shfl_xor": lane ^ operand,
        }[way]
        is_inside = first <= source < first + width
        if way == "shfl_xor":
            is_inside = source < first + width
        if not is_inside:
            source = lane
        if source not in lanes:
            raise Undefined("a lane reads one that is not there")
        results[lane] = lanes[source][1]
    return results


def vote(name: str, lanes: dict[int, tuple]) -> dict[int, Val]:
    """By lane: mask, condition or number."""
    if name == "elect_sync":
        return {lane: Val("bool", lane == min(lanes)) for lane in lanes}
    if name == "activemask":
        return dict.fromkeys(lanes, Val("uint32", sum(1 << lane for lane in lanes)))
    given = {lane: arguments[1] for lane, arguments in lanes.items()}
    if name == "ballot_sync":
        bits = sum(1 << lane for lane, value in given.items() if bool(value))
        result = Val("uint32", bits)
    elif name == "any_sync":
        result = Val("int32", int(any(given.values())))
    elif name == "all_sync":
        result = Val("int32", int(all(given.values())))
    else:
        numbers = [stored("uint32", value).value for value in given.values()]
        total = sum(numbers) if name == "reduce_add_sync_u32" else min(numbers)
        result = Val("uint32", wrap(total, "uint32"))
    return dict.fromkeys(lanes, result)


class Thread:
    """One thread of a block: where it waits, or that it has ended."""

    def __init__(self, block: BlockClock, rank: int, steps: Generator) -> None:
        self.block, self.rank, self.steps = block, rank, steps
        self.request: tuple[int, str, tuple] | None = (0, "", ())

    def resume(self, value) -> None:
        CLOCK.block, CLOCK.thread, CLOCK.warp = self.block, self.rank, self.rank // WARP
        try:
            self.request = self.steps.send(value)
        except (StopIteration, ThreadReturn):
            self.request = None


def waiting(threads: list[Thread]) -> list[Thread]:
    """Those that have not ended; they wait at one place."""
    alive = [thread for thread in threads if thread.request is not None]
    if len({thread.request[0] for thread in alive}) > 1:
        raise Undefined("not all threads come to the same barrier or warp operation")
    return alive


def run_warp(lanes: list[Thread]) -> None:
    """Until the warp waits at a barrier of more than the warp, or has ended."""
    while alive := waiting(lanes):
        name = alive[0].request[1]
        if name in BLOCK_OPERATIONS or name in NAMED:
            return
        arguments = {thread.rank % WARP: thread.request[2] for thread in alive}
        if name == "warp_sync":
            alive[0].block.warp_barrier(alive[0].rank // WARP)
            results = dict.fromkeys(arguments)
        elif name in SHUFFLES:
            results = shuffle(name, arguments)
        else:
            results = vote(name, arguments)
        for thread in alive:
            thread.resume(results[thread.rank % WARP])


class Block:
    """The threads of a block."""

    def __init__(self, clock: BlockClock, threads: list[Thread]) -> None:
        self.clock, self.threads = clock, threads
        self.warps = [threads[i : i + WARP] for i in range(0, len(threads), WARP)]
        self.named: dict[int, Named] = {}

    def resume(self, warps: list[int], result) -> None:
        for warp in warps:
            for thread in self.warps[warp]:
                if thread.request is not None:
                    thread.resume(result)
            run_warp(self.warps[warp])

    def run(self) -> Generator:
        """Yields at barriers of the grid."""
        everybody = list(range(len(self.warps)))
        self.resume(everybody, None)
        while True:
            while warps := self.past_named_barriers():
                self.resume(warps, None)
            alive = waiting(self.threads)
            if not alive:
                return
            _, name, arguments = alive[0].request
            if name in NAMED:
                raise Undefined("too few come to a named barrier")
            result = None
            if name == "grid_sync":
                if len(alive) < len(self.threads):
                    raise Undefined("some threads have ended before a barrier of the grid")
                yield
            elif name == "mbarrier_wait":
                arguments[0].wait(int(arguments[1]))
            elif name in VOTES_OF_BLOCK:
                conditions = [bool(thread.request[2][0]) for thread in alive]
                both = all(conditions) if name == "syncthreads_and" else any(conditions)
                result = Val("int32", int(both))
            self.clock.barrier()
            self.resume(everybody, result)

    def past_named_barriers(self) -> list[int]:
        """The warps that may go on, after all have been counted where they are."""
        free = []
        held = [warp for barrier in self.named.values() for warp in barrier.waiting]
        for warp, lanes in enumerate(self.warps):
            alive = [thread for thread in lanes if thread.request is not None]
            if warp in held or not alive or alive[0].request[1] not in NAMED:
                continue
            _, name, (number, count) = alive[0].request
            threads = int(count) or len(self.threads)
            barrier = self.named.setdefault(
                int(number), Named(-(-threads // 32) * 32, len(self.warps))
            )
            barrier.reach(self.clock, warp)
            if name == "bar.arrive":
                free.append(warp)
            else:
                barrier.waiting.append(warp)
            if barrier.reached == barrier.threads:
                del self.named[int(number)]
                for other in barrier.waiting:
                    self.clock.learn(other, barrier.known)
                free += barrier.waiting
        return free


# The whole


def names_of_thread(program: BlockProgram, block: int, rank: int) -> dict[str, Val]:
    frame = program.frame
    numbers = {"t": block * frame.threads + rank, "r": rank, "b": block, "m": frame.limit}
    numbers |= {"w": rank // WARP, "l": rank % WARP}
    for axis, extent in zip("xyz", frame.block, strict=False):
        numbers[axis] = rank % extent
        rank //= extent
    return {name: Val("int32", number) for name, number in numbers.items()}


def mbarrier_arrive(barrier: Mbarrier, count: int = 1) -> None:
    barrier.arrive(count)


@functools.lru_cache(maxsize=2)
def language_of_blocks(dialect: str) -> types.SimpleNamespace:
    t = language(dialect)
    t.cuda = types.SimpleNamespace(**{f"atomic_{name}": atomic(name) for name in ATOMICS})
    t.cuda.atomic_cas = compare_and_swap
    t.ptx = types.SimpleNamespace()
    t.ptx.mbarrier = types.SimpleNamespace(init=Mbarrier.init, arrive=mbarrier_arrive)
    t.ptx.fence = types.SimpleNamespace(mbarrier_init=lambda: None)
    for place in ("", "_block", "_system"):
        setattr(t.cuda, f"thread_fence{place}", lambda: None)
    return t


def generator_function(program: BlockProgram):
    tree = Yields(program).visit(ast.parse(program.body))
    head = ast.parse("def body(t, r, b, m, w, l, x=None, y=None, z=None):\n    if False: yield")
    head.body[0].body += tree.body
    names: dict = {}
    exec(compile(ast.fix_missing_locations(head), "<body>", "exec"), names)
    return names["body"].__code__, names["body"].__defaults__


def interpret_blocks(program: BlockProgram, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What the arrays hold after the program; `inputs` stay as they are."""
    code, defaults = generator_function(program)
    exchanged = {board.name for board in program.boards}
    memory = program.memory()
    tensors: dict[str, OwnArray] = {}
    for name, data in inputs.items():
        plain = as_array(memory[name][0], data)
        kind = SharedArray if name in exchanged else OwnArray
        tensors[name] = kind(plain.dtype, plain.shape, plain.items)
    t = language_of_blocks(program.frame.dialect)
    names = {"T": t, "range": loop, "min": t.min, "max": t.max, "abs": t.abs, **tensors}
    names["n"] = Val("int32", program.frame.threads)

    def block(number: int) -> Generator:
        shared = {
            board.name: Mbarrier()
            if board.kind == "mbarrier"
            else SharedArray(board.dtype, board.shape)
            for board in program.shared()
        }
        body = types.FunctionType(code, {**names, **shared}, "body", defaults)
        threads = program.frame.threads
        clock = BlockClock(number, -(-threads // WARP))
        steps = (body(**names_of_thread(program, number, rank)) for rank in range(threads))
        return Block(clock, [Thread(clock, *pair) for pair in enumerate(steps)]).run()

    CLOCK.grid = 0
    blocks = list(map(block, range(program.frame.blocks)))
    while blocks:
        at_barrier = [block for block in blocks if next(block, 1) is None]
        if len(at_barrier) not in (0, len(blocks)):
            raise Undefined("not all blocks come to the barrier of the grid")
        blocks = at_barrier
        CLOCK.grid += 1
    return {name: as_numpy(tensor) for name, tensor in tensors.items()}
