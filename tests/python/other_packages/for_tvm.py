# SPDX-License-Identifier: Apache-2.0
"""A program as one writes it for the package tvm."""

import numpy as np
import tvm
from tvm.script import tirx as Tx


@Tx.prim_func
def scale(a: Tx.handle, b: Tx.handle, factor: Tx.float32):
    n = Tx.int32()
    A = Tx.match_buffer(a, (n,), "float32")
    B = Tx.match_buffer(b, (n,), "float32")
    Tx.device_entry()
    bx = Tx.cta_id([Tx.ceildiv(n, 128)])
    tx = Tx.thread_id([128])
    i = bx * 128 + tx
    if i < n:
        B[i] = A[i] * factor


@Tx.prim_func
def row_sum(A: Tx.Buffer((64, 48), "float32"), B: Tx.Buffer((64,), "float32")):
    Tx.device_entry()
    bx = Tx.cta_id([2])
    tx = Tx.thread_id([32])
    row = bx * 32 + tx
    total: Tx.float32 = 0.0
    for k in Tx.unroll(4):
        for j in range(12):
            total += A[row, k * 12 + j]
    B[row] = total


def main() -> None:
    target = tvm.target.Target("llvm")
    a = np.arange(1000, dtype=np.float32)
    b = np.zeros_like(a)
    module = tvm.IRModule({"main": scale})
    executable = tvm.compile(module, target=target, tir_pipeline="tirx")
    executable(a, b, 2.5)
    np.testing.assert_array_equal(b, a * 2.5)
    executable["main"](b, a, 2.0)
    np.testing.assert_array_equal(a, b * 2)
    assert "scale_kernel" in executable.mod.imports[0].inspect_source()

    x = np.random.default_rng(0).integers(-50, 50, (64, 48)).astype(np.float32)
    y = np.zeros(64, np.float32)
    tvm.compile(row_sum, target={"kind": "llvm"}).jit()(x, y)
    np.testing.assert_array_equal(y, x.sum(axis=1))


if __name__ == "__main__":
    main()
