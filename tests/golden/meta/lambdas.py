# SPDX-License-Identifier: Apache-2.0
"""A lambda is expanded where it is called."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def lambdas(A: T.Tensor((n,), T.float32), O: T.Tensor((n, 3), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        square = lambda x: x * x
        mix = lambda x, y, t=0.25: x + (y - x) * t
        O[i, 0] = square(A[i] + 1.0)
        O[i, 1] = mix(A[i], 8.0)
        O[i, 2] = mix(A[i], 8.0, t=0.5)
