# SPDX-License-Identifier: Apache-2.0
"""Float64 keeps its own functions: no f at the end of their names."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def float64_functions(A: T.Tensor((n,), T.float64), O: T.Tensor((n, 7), T.float64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.sin(A[i])
        O[i, 1] = T.exp(A[i])
        O[i, 2] = T.log(A[i])
        O[i, 3] = T.sqrt(A[i])
        O[i, 4] = T.floor(A[i])
        O[i, 5] = T.tanh(A[i])
        O[i, 6] = T.erf(A[i])
