# SPDX-License-Identifier: Apache-2.0
"""A text that never ends."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def unterminated_triple(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    T.static_assert(True, """text)
