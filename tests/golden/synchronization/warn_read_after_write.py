# SPDX-License-Identifier: Apache-2.0
"""What is written before a loop is not written in the turn before."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def block_sums(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    s = T.alloc_shared((256,), T.float32)
    t = T.cuda.thread_idx("x")
    s[t] = A[i] if i < n else 0.0
    if t == 0:
        acc = 0.0
        for k in range(256):
            acc += s[k]
        B[T.cuda.block_idx("x")] = acc
