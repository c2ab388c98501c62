# SPDX-License-Identifier: Apache-2.0
"""The kernel assigns a name that its launch means otherwise."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
SCALE = 2.0


@T.function
def name_of_the_module_assigned(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    n = 3
    A[i] = n
    SCALE *= 2.0
