# SPDX-License-Identifier: Apache-2.0
"""Names of CUDA C++."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def habits_of_cuda(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    j = blockIdx.x * blockDim.x + threadIdx.y
    __syncthreads()
    T.cuda.syncthreads()
    T.syncthreads()
    A[i] = __expf(A[i]) + fmaxf(A[i], 0.0)
    atomicAdd(A, 1.0)
    T.printf("text")
    x = T.cuda.thread_idx.x
    A[i] = T.double(1.0)
