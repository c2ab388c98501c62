# SPDX-License-Identifier: Apache-2.0
"""A program as one writes it for the package tvm_tirx."""

import numpy as np
from tvm_tirx.script import tirx as T
from tvm_tirx.target import Target
from tvm_tirx.tirx import compile

n = T.dynamic("n")
COLUMNS = 32
LIMIT = 6.0


@T.function
def relu6(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        if A[i] < 0.0:
            B[i] = 0.0
        elif A[i] > LIMIT:
            B[i] = LIMIT
        else:
            B[i] = A[i]


@T.function
def column_max(X: T.Tensor((n, COLUMNS), T.float32), Y: T.Tensor((COLUMNS,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=COLUMNS))
    col = T.cuda.thread_idx("x")
    best: T.float32 = -1e30
    for r in range(n):
        if X[r, col] > best:
            best = X[r, col]
    Y[col] = best


@T.function(private=False)
def collatz(N: T.Tensor((n,), T.int64), Steps: T.Tensor((n,), T.int32), limit: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if i >= n:
        T.gpu_thread_return()
    value: T.int64 = N[i]
    steps: T.int32 = 0
    while value != 1:
        if steps == limit:
            break
        if value % 2 == 0:
            value = value // 2
        else:
            value = 3 * value + 1
        steps = steps + 1
    Steps[i] = steps


def main() -> None:
    target = Target("llvm")
    a = np.linspace(-10, 10, 1000, dtype=np.float32)
    b = np.empty_like(a)
    compile(relu6, target=target)(a, b)
    np.testing.assert_array_equal(b, np.clip(a, 0, 6))

    x = np.random.default_rng(0).normal(size=(50, COLUMNS)).astype(np.float32)
    y = np.empty(COLUMNS, np.float32)
    with Target("llvm"):
        executable = compile(column_max)
    executable(x, y)
    np.testing.assert_array_equal(y, x.max(axis=0))
    assert "column_max_kernel" in executable.mod.imports[0].inspect_source()

    steps = np.zeros(5, np.int32)
    compile(collatz, target={"kind": "llvm"})(np.array([1, 6, 7, 27, 97]), steps, 100)
    assert steps.tolist() == [0, 8, 16, 100, 100]
    assert "def collatz(" in collatz.script()


if __name__ == "__main__":
    main()
