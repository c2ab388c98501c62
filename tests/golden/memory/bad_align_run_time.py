# SPDX-License-Identifier: Apache-2.0
"""An alignment is known while compiling."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def align_run_time(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    r = T.alloc_local((4,), "float32", align=i)
    r[0] = A[i]
