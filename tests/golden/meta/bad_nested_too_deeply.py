# SPDX-License-Identifier: Apache-2.0
"""Lambdas that call lambdas, with much between."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def nested_too_deeply(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    f = lambda g, x: (
        --------------------------------------------------------------------------------
        --------------------------------------------------------------------------------
        --------------------------------------------------------------------------------
        g(g, x)
    )
    A[i] = f(f, B[i])
