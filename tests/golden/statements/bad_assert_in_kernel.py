# SPDX-License-Identifier: Apache-2.0
"""An assert in a kernel is not supported yet."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def assert_in_kernel(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    assert A[i] > 0.0, "positive"
    A[i] = 1.0
