# SPDX-License-Identifier: Apache-2.0
# pass: flatten
# target: cuda
"""An access gets one flat index."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def flatten_rows(C: T.Tensor((n, 4), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        C[i, 3] = C[i, 0] + C[i, 1]
