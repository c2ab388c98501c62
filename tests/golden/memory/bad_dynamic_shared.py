# SPDX-License-Identifier: Apache-2.0
"""Memory whose size the launch gives is not supported yet."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def dynamic_shared(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    s = T.alloc_shared((4,), "float32", scope="shared.dyn")
    s[0] = A[i]
