# SPDX-License-Identifier: Apache-2.0
"""& and | between conditions, as NumPy has them, bind tighter than the comparisons."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def bits_in_a_comparison_chain(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n & i > 2:
        A[i] = 0.0
    if i < 8 | i > 16:
        A[i] = 1.0
    if 0 < (i & 7) < 4:
        A[i] = 2.0
    if i & 7 == 3:
        A[i] = 3.0
