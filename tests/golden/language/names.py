# SPDX-License-Identifier: Apache-2.0
"""docs/language.md, part "Names"."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def names(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        scaled = A[i] * 0.5
        total = scaled
        total += A[i]
        count: T.int32 = 0
        history: T.float32[4]
        for k in range(4):
            history[k] = total
            count += 1
        a, b = history[0], history[3]
        B[i] = a + b if count > 2 else scaled
