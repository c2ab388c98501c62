# SPDX-License-Identifier: Apache-2.0
"""Lists, tuples and dicts exist while compiling; their items may be kernel values."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def sequences(A: T.Tensor((n,), T.float32), O: T.Tensor((n, 4), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        pair = (A[i], A[i] * 2.0)
        table = {"low": 0.25, "high": [0.5, 0.75]}
        O[i, 0] = pair[-1] + table["low"]
        O[i, 1] = pair[0] + table["high"][1]
        O[i, 2] = [1.0, 2.0, 3.0, 4.0][1:][2]
        O[i, 3] = sum([A[i], 1.0, 2.0])
