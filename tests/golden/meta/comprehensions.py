# SPDX-License-Identifier: Apache-2.0
"""A comprehension is expanded while compiling."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def comprehensions(A: T.Tensor((n,), T.float32), O: T.Tensor((n, 2), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        taps = [A[(i + k) % n] for k in range(3)]
        weights = {k: 1.0 / (k + 1) for k in range(3)}
        O[i, 0] = sum([taps[k] * weights[k] for k in range(3)])
        O[i, 1] = sum([k * k for k in range(10) if k % 2 == 1])
