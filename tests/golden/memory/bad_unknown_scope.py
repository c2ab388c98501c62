# SPDX-License-Identifier: Apache-2.0
"""The scopes are few."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def unknown_scope(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    r = T.alloc_shared((4,), "float32", scope="sahred")
    r[0] = A[i]
