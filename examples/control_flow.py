# SPDX-License-Identifier: Apache-2.0
"""Control flow in kernels: branches, loops, early exits, on threads, lanes and single threads.

    python examples/control_flow.py                  run every kernel on this machine's CPU
    python examples/control_flow.py relu row_sum     only these, and show their CUDA
    tirxcc build examples/control_flow.py --emit=cuda --kernel relu

The folder control_flow holds the same kernels one to a file.
"""

import sys

import numpy as np
import tirxcc
from tirxcc.script import tirx as T

n = T.dynamic("n")
h = T.dynamic("h")
w = T.dynamic("w")


# ReLU: a branch inside the guard that keeps threads beyond the end from touching memory.
@T.function
def relu(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        if A[i] > 0.0:
            B[i] = A[i]
        else:
            B[i] = 0.0


# A ReLU with a third branch: small positive values are halved.
@T.function
def relu_elif(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        if A[i] > 1.0:
            B[i] = A[i]
        elif A[i] > 0.0:
            B[i] = A[i] * 0.5
        else:
            B[i] = 0.0


# ReLU without a branch on the data. T.max hands on a NaN, as numpy.maximum does.
@T.function
def relu_branch_free(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = T.max(A[i], 0.0)


# Native level: one side of the block doubles, the other adds one.
@T.prim_func
def branch_on_thread(A: T.Buffer((256,), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    tx = T.thread_id([256])
    if tx < 128:
        A[tx] = A[tx] * T.float32(2.0)
    else:
        A[tx] = A[tx] + T.float32(1.0)


# Native level: the same branch taken by lane; every warp has both sides.
@T.prim_func
def branch_on_lane(A: T.Buffer((128,), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    warp = T.warp_id([4])
    lane = T.lane_id([32])
    if lane < 16:
        A[warp * 32 + lane] = A[warp * 32 + lane] * T.float32(2.0)
    else:
        A[warp * 32 + lane] = A[warp * 32 + lane] + T.float32(1.0)


# Native level: one elected thread of each warp writes.
@T.prim_func
def elect_one(A: T.Buffer((4,), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    warp = T.warp_id([4])
    lane = T.lane_id([32])
    if T.ptx.elect_sync():
        A[warp] = A[warp] + T.float32(1.0)


# Threads beyond the end leave at once instead of guarding the rest with an if.
@T.function
def early_exit(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i >= n:
        T.gpu_thread_return()
    B[i] = A[i] * 2.0


# Native level: a choice as an expression; no branch statement is printed.
@T.prim_func
def if_then_else(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    T.device_entry()
    bx = T.cta_id([(n + 255) // 256])
    tx = T.thread_id([256])
    i = bx * 256 + tx
    if i < n:
        B[i] = T.if_then_else(A[i] > T.float32(0.0), A[i], A[i] * T.float32(0.5))


# Native level: T.serial is a plain loop without a pragma.
@T.prim_func
def serial_loop(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 16), "float32")
    B = T.match_buffer(b, (n,), "float32")
    T.device_entry()
    bx = T.cta_id([(n + 255) // 256])
    tx = T.thread_id([256])
    i = bx * 256 + tx
    if i < n:
        B[i] = T.float32(0.0)
        for k in T.serial(16):
            B[i] = B[i] + A[i, k]


# break and continue in a for loop: sums the positive values of a row up to the first zero.
@T.function
def for_break_continue(A: T.Tensor((n, 32), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        total: T.float32 = 0.0
        for k in range(32):
            if A[i, k] == 0.0:
                break
            if A[i, k] < 0.0:
                continue
            total += A[i, k]
        B[i] = total


# break and continue in a while loop: odd decimal digits, from the right, up to the first 0.
@T.function
def while_break_continue(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        x: T.int32 = A[i]
        odd: T.int32 = 0
        while x > 0:
            digit = x % 10
            x = x // 10
            if digit == 0:
                break
            if digit % 2 == 0:
                continue
            odd += 1
        B[i] = odd


# Native level: a mutable scalar drives a while loop.
@T.prim_func
def while_loop(A: T.Buffer((64,), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    tx = T.thread_id([1])
    i: T.int32 = 0
    while i < 64:
        A[i] = A[i] + T.float32(1.0)
        i += 1


# Native level: break and continue, each thread on its own.
@T.prim_func
def native_break_continue(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 16), "int32")
    B = T.match_buffer(b, (n,), "int32")
    T.device_entry()
    bx = T.cta_id([(n + 255) // 256])
    tx = T.thread_id([256])
    i = bx * 256 + tx
    if i < n:
        count: T.int32 = 0
        for k in T.serial(16):
            if A[i, k] < 0:
                continue
            if A[i, k] > 90:
                break
            count += 1
        B[i] = count


# Native level: T.grid is a nest of loops, the last index runs fastest.
@T.prim_func
def grid_relu(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    tx = T.thread_id([1])
    for i, j in T.grid(8, 8):
        B[i, j] = T.max(A[i, j], T.float32(0.0))


# Native level: T.unroll is straight-line text, four statements and no loop.
@T.prim_func
def unrolled_loop(a: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 4), "float32")
    T.device_entry()
    bx = T.cta_id([(n + 255) // 256])
    tx = T.thread_id([256])
    i = bx * 256 + tx
    if i < n:
        for k in T.unroll(4):
            A[i, k] = A[i, k] * T.float32(2.0)


# Native level: T.vectorized is one wide access to memory.
@T.prim_func
def vectorized_loop(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 4), "float32")
    B = T.match_buffer(b, (n, 4), "float32")
    T.device_entry()
    bx = T.cta_id([(n + 255) // 256])
    tx = T.thread_id([256])
    i = bx * 256 + tx
    if i < n:
        for k in T.vectorized(4):
            B[i, k] = A[i, k] + T.float32(1.0)


# Sums of the rows of an n x 64 matrix: a loop around an unrolled loop, one mutable total.
@T.function
def row_sum(A: T.Tensor((n, 64), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        total: T.float32 = 0.0
        for j in range(16):
            for k in T.unroll(4):
                total += A[i, j * 4 + k]
        B[i] = total


# A 64 x 64 transpose; each of 256 threads moves a 4 x 4 tile, row by row.
@T.function
def transpose(A: T.Tensor((64, 64), T.float32), B: T.Tensor((64, 64), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    row = t // 16 * 4
    col = t % 16 * 4
    for r, c in T.grid(4, 4):
        B[col + c, row + r] = A[row + r, col + c]


# Where each query belongs in 64 sorted values: a while loop of its own length in each thread.
@T.function
def binary_search(
    A: T.Tensor((64,), T.float32), Q: T.Tensor((n,), T.float32), P: T.Tensor((n,), T.int32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        lo: T.int32 = 0
        hi: T.int32 = 64
        while lo < hi:
            mid = (lo + hi) // 2
            if A[mid] < Q[i]:
                lo = mid + 1
            else:
                hi = mid
        P[i] = lo


# The 3 x 3 Sobel filter over a grey picture of 0 to 255; beyond the border its pixels repeat.
@T.function
def edge_filter(A: T.Tensor((h, w), T.float32), B: T.Tensor((h, w), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=(T.ceildiv(w, 32), T.ceildiv(h, 8)), block=(32, 8))
    )
    x = T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")
    y = T.cuda.block_idx("y") * 8 + T.cuda.thread_idx("y")
    if x >= w or y >= h:
        T.gpu_thread_return()
    across: T.float32 = 0.0
    down: T.float32 = 0.0
    for r in T.unroll(-1, 2):
        row = T.min(T.max(y + r, 0), h - 1)
        for c in T.unroll(-1, 2):
            col = T.min(T.max(x + c, 0), w - 1)
            # 1 2 1 along the edge, -1 0 1 across it; terms of weight 0 are not there at all.
            if c != 0:
                across += A[row, col] * (c * (2 - r * r))
            if r != 0:
                down += A[row, col] * (r * (2 - c * c))
    B[y, x] = T.min(T.sqrt(across * across + down * down), 255.0)


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape, dtype=np.float32)


def whole(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).integers(-100, 100, shape, dtype=np.int32)


def unwritten(*shape: int, dtype: type = np.float32) -> np.ndarray:
    return np.full(shape, -1, dtype)


def arguments_of_each() -> dict[str, tuple[np.ndarray, ...]]:
    """The arguments of every kernel."""
    vectors = (numbers(1000), unwritten(1000))
    return {
        "relu": vectors,
        "relu_elif": vectors,
        "relu_branch_free": vectors,
        "branch_on_thread": (numbers(256),),
        "branch_on_lane": (numbers(128),),
        "elect_one": (numbers(4),),
        "early_exit": vectors,
        "if_then_else": vectors,
        "serial_loop": (numbers(50, 16), unwritten(50)),
        "for_break_continue": (numbers(50, 32), unwritten(50)),
        "while_break_continue": (abs(whole(1000)), unwritten(1000, dtype=np.int32)),
        "while_loop": (numbers(64),),
        "native_break_continue": (whole(50, 16), unwritten(50, dtype=np.int32)),
        "grid_relu": (numbers(8, 8), unwritten(8, 8)),
        "unrolled_loop": (numbers(250, 4),),
        "vectorized_loop": (numbers(250, 4), unwritten(250, 4)),
        "row_sum": (numbers(50, 64), unwritten(50)),
        "transpose": (numbers(64, 64), unwritten(64, 64)),
        "binary_search": (
            np.sort(numbers(64)),
            numbers(1000),
            unwritten(1000, dtype=np.int32),
        ),
        "edge_filter": (abs(numbers(48, 64)), unwritten(48, 64)),
    }


def main(chosen: list[str]) -> None:
    for name, args in arguments_of_each().items():
        if chosen and name not in chosen:
            continue
        exe = tirxcc.compile(globals()[name], target="cpu")
        exe(*args)
        if chosen:
            print(exe.cuda_source)
        print(f"{name}: {exe.parameters[-1]} = {np.ravel(args[-1])[:6]} ...")


if __name__ == "__main__":
    main(sys.argv[1:])
