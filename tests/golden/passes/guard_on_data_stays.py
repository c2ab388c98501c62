# SPDX-License-Identifier: Apache-2.0
# pass: guards_to_bounds
# target: cpu
"""A guard on data is no bound."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def guard_on_data_stays(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 128, block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if A[i] > 0.0:
        B[i] = A[i] * 2.0
