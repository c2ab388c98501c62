# SPDX-License-Identifier: Apache-2.0
"""CPython runs a program of the family "blocks": blocks one after another, threads in turns.

The body becomes a generator function in which every barrier and warp operation is a `yield`: what
the thread gives goes out, what it gets comes back. A warp's lanes are resumed together, a block's
warps when all wait at the same barrier. Memory that threads share knows who accessed it and when:
two accesses that nothing orders, a barrier or warp operation that not all reach, and a lane that
reads one that is not there end the run with `Undefined`. So no program is compared that means
nothing, neither a generated one nor one that shrinking made.
"""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Callable, Generator

import numpy as np
from block_kernel import WARP, BlockProgram
from interpret import Rewrite, as_array, as_numpy, is_t
from meaning import FLOATS, ROUND, Array, ThreadReturn, Val, language, loop, stored, wrap


class Undefined(Exception):
    """The program has no meaning that all orders of threads agree on."""


BLOCK_OPERATIONS = ("cta_sync", "syncthreads_and", "syncthreads_or")
SHUFFLES = ("shfl", "shfl_up", "shfl_down", "shfl_xor")
# Names of T and T.cuda, and the operations that they are.
OPERATIONS = {name: name for name in (*BLOCK_OPERATIONS, "warp_sync", "elect_sync")}
OPERATIONS |= {name: name for name in ("any_sync", "all_sync", "ballot_sync")}
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
        if made is not node or name not in OPERATIONS:
            return made
        self.sites += 1
        parts = [ast.Constant(self.sites), ast.Constant(OPERATIONS[name])]
        return ast.Yield(ast.Tuple([*parts, ast.Tuple(node.args, ast.Load())], ast.Load()))

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Python's own where threads come together in a side; both are of one type then."""
        meets = any(getattr(n, "attr", "") in OPERATIONS for n in ast.walk(node))
        return self.generic_visit(node) if meets else super().visit_IfExp(node)


def is_allocation(value: ast.expr) -> bool:
    return is_t(value, "alloc_shared") or is_t(value, "shared_scalar")


# Memory


class Clock:
    """Whose turn it is, and how many barriers lie behind."""

    block = thread = warp = 0
    barriers = 0  # of the block
    warp_barriers: dict[int, int]

    def now(self) -> tuple[int, int, int, int, int]:
        return self.block, self.barriers, self.thread, self.warp, self.warp_barriers[self.warp]

    def may_meet(self, other: tuple[int, int, int, int, int]) -> bool:
        """Whether nothing orders the other access and one that is made now."""
        block, barriers, thread, warp, warp_barriers = other
        if block != self.block:
            return True
        if thread == self.thread or barriers != self.barriers:
            return False
        return warp != self.warp or warp_barriers == self.warp_barriers[warp]


CLOCK = Clock()


class SharedArray(Array):
    """Memory of several threads, which notes accesses."""

    def __init__(self, dtype: str, shape: tuple[int, ...], items: list | None = None) -> None:
        super().__init__(dtype, shape, items)
        self.written: dict[int, tuple] = {}  # the last write to a place
        self.read: dict[int, dict] = {}  # the last read of a place by each thread since
        self.changed: dict[int, dict] = {}  # the last atomic by each thread, with its kind

    def _check(self, place: int, writes: bool, kind: str = "") -> None:
        met = [self.written[place]] if place in self.written else []
        if writes:
            met += self.read.get(place, {}).values()
        met += [when for when, other in self.changed.get(place, {}).values() if other != kind]
        if any(map(CLOCK.may_meet, met)):
            raise Undefined("two threads access an element in no order")

    def __getitem__(self, index) -> Val:
        if not Array.only_types:
            place = self.position(index)
            self._check(place, writes=False)
            self.read.setdefault(place, {})[CLOCK.thread] = CLOCK.now()
        return super().__getitem__(index)

    def __setitem__(self, index, value) -> None:
        place = self.position(index)
        self._check(place, writes=True)
        self.written[place] = CLOCK.now()
        self.read.pop(place, None)
        self.changed.pop(place, None)
        super().__setitem__(index, value)

    def ptr_to(self, index: list) -> Callable:
        return self.pointer(tuple(index))

    def pointer(self, index) -> Callable:
        """What an atomic calls: it changes the element and gives the old value."""
        place = self.position(index)

        def change(kind: str, function: Callable) -> Val:
            self._check(place, writes=True, kind=kind)
            self.changed.setdefault(place, {})[CLOCK.thread] = CLOCK.now(), kind
            old = self.items[place]
            if old is None:
                raise LookupError("an atomic on what was never written")
            self.items[place] = function(old, self.dtype)
            return Val(self.dtype, old)

        return change


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

    def __init__(self, rank: int, steps: Generator) -> None:
        self.rank, self.steps = rank, steps
        self.request: tuple[int, str, tuple] | None = (0, "", ())

    def resume(self, value) -> None:
        CLOCK.thread, CLOCK.warp = self.rank, self.rank // WARP
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
    """Until the warp waits at a barrier of the block, or has ended."""
    while alive := waiting(lanes):
        name = alive[0].request[1]
        if name in BLOCK_OPERATIONS:
            return
        arguments = {thread.rank % WARP: thread.request[2] for thread in alive}
        if name == "warp_sync":
            CLOCK.warp_barriers[alive[0].rank // WARP] += 1
            results = dict.fromkeys(arguments)
        elif name in SHUFFLES:
            results = shuffle(name, arguments)
        else:
            results = vote(name, arguments)
        for thread in alive:
            thread.resume(results[thread.rank % WARP])


def run_block(threads: list[Thread]) -> None:
    warps = [threads[i : i + WARP] for i in range(0, len(threads), WARP)]
    CLOCK.warp_barriers = dict.fromkeys(range(len(warps)), 0)
    result = None
    alive = threads
    while alive:
        CLOCK.barriers += 1
        for warp in warps:
            for thread in warp:
                if thread.request is not None:
                    thread.resume(result)
            run_warp(warp)
        alive = waiting(threads)
        result = None
        if alive and alive[0].request[1] != "cta_sync":
            is_and = alive[0].request[1] == "syncthreads_and"
            conditions = [bool(thread.request[2][0]) for thread in alive]
            result = Val("int32", int(all(conditions) if is_and else any(conditions)))


# The whole


def names_of_thread(program: BlockProgram, block: int, rank: int) -> dict[str, Val]:
    frame = program.frame
    numbers = {"t": block * frame.threads + rank, "r": rank, "b": block, "m": frame.limit}
    numbers |= {"w": rank // WARP, "l": rank % WARP}
    for axis, extent in zip("xyz", frame.block, strict=False):
        numbers[axis] = rank % extent
        rank //= extent
    return {name: Val("int32", number) for name, number in numbers.items()}


@functools.lru_cache(maxsize=2)
def language_of_blocks(dialect: str) -> types.SimpleNamespace:
    t = language(dialect)
    t.cuda = types.SimpleNamespace(**{f"atomic_{name}": atomic(name) for name in ATOMICS})
    t.cuda.atomic_cas = compare_and_swap
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
    tensors: dict[str, Array] = {}
    for name, data in inputs.items():
        plain = as_array(memory[name][0], data)
        kind = SharedArray if name in exchanged else Array
        tensors[name] = kind(plain.dtype, plain.shape, plain.items)
    t = language_of_blocks(program.frame.dialect)
    names = {"T": t, "range": loop, "min": t.min, "max": t.max, "abs": t.abs, **tensors}
    for CLOCK.block in range(program.frame.blocks):
        shared = {board.name: SharedArray(board.dtype, board.shape) for board in program.shared()}
        body = types.FunctionType(code, {**names, **shared}, "body", defaults)
        run_block(
            [
                Thread(rank, body(**names_of_thread(program, CLOCK.block, rank)))
                for rank in range(program.frame.threads)
            ]
        )
    return {name: as_numpy(tensor) for name, tensor in tensors.items()}
