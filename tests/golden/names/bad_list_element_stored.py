# SPDX-License-Identifier: Apache-2.0
"""A list is no memory of the kernel."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def list_element_stored(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    values = [1.0, 2.0]
    values[0] = A[i]
