# SPDX-License-Identifier: Apache-2.0
"""Names of Triton and Numba."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def habits_of_triton(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    x = tl.load(A, i)
    p = tl.program_id(0)
    A[i] = tl.where(i > 0, 1.0, 2.0)
    k = cuda.grid(1)
    cuda.syncthreads()
