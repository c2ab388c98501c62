# SPDX-License-Identifier: Apache-2.0
"""What only the kernel knows is not asserted while compiling."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def static_assert_run_time(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    T.static_assert(A[i] > 0.0)
    A[i] = 1.0
