# SPDX-License-Identifier: Apache-2.0
"""Python's functions on sequences."""

from tirxcc.script import tirx as T

n = T.dynamic("n")

WEIGHTS = (3.0, 1.0, 2.0)


@T.function
def built_in_functions(A: T.Tensor((n,), T.float32), O: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.float32 = 0.0
        for k, w in enumerate(WEIGHTS):
            total += A[i] * (w + k)
        for w, s in zip(sorted(WEIGHTS), reversed(WEIGHTS)):
            total += w * s
        O[i] = total + max(WEIGHTS) + min(3, 2) + len(f"{WEIGHTS[0]:.2f}")
