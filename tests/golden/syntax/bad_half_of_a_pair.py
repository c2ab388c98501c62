# SPDX-License-Identifier: Apache-2.0
"""Half of a surrogate pair is no character."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def half_of_a_pair(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    T.static_assert(i < 0, "\ud800")
