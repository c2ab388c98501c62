# SPDX-License-Identifier: Apache-2.0
"""A list cannot depend on what the kernel finds."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def list_in_branch(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    pair = [1.0, 2.0]
    if A[i] > 0.0:
        pair = [3.0, 4.0]
    A[i] = pair[0]
