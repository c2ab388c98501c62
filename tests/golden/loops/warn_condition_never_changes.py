# SPDX-License-Identifier: Apache-2.0
"""Nothing in the loop changes what its condition reads."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def condition_never_changes(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    x = A[i]
    while x > 0.0:
        A[i] = 1.0
