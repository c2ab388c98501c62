# SPDX-License-Identifier: Apache-2.0
# target: cpu
"""Barriers are not there on the CPU yet."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def barrier_on_cpu(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = 1.0
    T.cuda.cta_sync()
    A[i] = 2.0
