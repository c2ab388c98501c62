# SPDX-License-Identifier: Apache-2.0
# target: cpu
"""Shared memory is not there on the CPU yet."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def shared_memory_on_cpu(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    S = T.alloc_shared((256,), "float32")
    S[T.cuda.thread_idx("x")] = A[i]
    A[i] = S[0]
